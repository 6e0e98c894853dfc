"""In which order what a build needs is made, and that two builds do not make it twice."""

from __future__ import annotations

import io
import threading
import time
from contextlib import redirect_stderr, redirect_stdout
from pathlib import Path

import pytest
from filelock import FileLock

from book.artifacts import exercises, figures, labs, made, results, weights
from book.artifacts.exercises import ExercisesError
from book.artifacts.figures import FigureError
from book.artifacts.labs import LabError
from book.artifacts.weights import WeightsError


class Workshop:
    """Stands for what draws and executes: notes what it is asked for, and then nothing is out of date."""

    def __init__(self) -> None:
        self.figures = ["part/other", "part/plain", "part/trained"]
        self.labs = [("one", "ko"), ("two", "en")]
        self.weights = ["dates"]
        self.exercises = True
        self.done: list[tuple] = []
        self.locked: list[bool] = []
        self.failure: Exception | None = None
        self.executing, self.weighing, self.watched = threading.Event(), threading.Event(), 0

    def draw(self, names: list[str]) -> None:
        if not names:
            return
        assert not self.executing.is_set() and not self.weighing.is_set(), "figures come first, on all cores"
        self.locked.append(FileLock(made.LOCK).is_locked or not _free(made.LOCK))
        if isinstance(self.failure, FigureError):
            raise self.failure
        self.done.append(("draw", *names))
        self.figures = [name for name in self.figures if name not in names]

    def execute(self, pairs: list[tuple[str, str]]) -> None:
        self.executing.set()
        assert self.weighing.wait(5), "weights are made beside labs"
        if isinstance(self.failure, LabError):
            raise self.failure
        self.done.append(("execute", *pairs))
        self.labs = [pair for pair in self.labs if pair not in pairs]

    def make(self, names: list[str]) -> None:
        self.weighing.set()
        if isinstance(self.failure, WeightsError):
            raise self.failure
        self.done.append(("weigh", *names))
        self.weights = []

    def read(self) -> None:
        if isinstance(self.failure, ExercisesError):
            raise self.failure
        self.done.append(("read",))
        self.exercises = False

    def watch(self) -> None:
        self.watched += 1


def _free(path: Path) -> bool:
    try:
        with FileLock(path, timeout=0):
            return True
    except TimeoutError:
        return False


class Result:
    def __init__(self, name: str, module: str) -> None:
        self.name, self.module = name, module


@pytest.fixture
def shop(tmp_path, monkeypatch) -> Workshop:
    shop = Workshop()
    monkeypatch.setattr(made, "LOCK", tmp_path / ".cache" / "made.lock")
    monkeypatch.setattr(made, "end_with_parent", shop.watch)
    monkeypatch.setattr(figures, "stale", lambda: list(shop.figures))
    monkeypatch.setattr(figures, "draw_anew", shop.draw)
    monkeypatch.setattr(labs, "stale", lambda: list(shop.labs))
    monkeypatch.setattr(labs, "execute_anew", shop.execute)
    monkeypatch.setattr(weights, "stale", lambda: list(shop.weights))
    monkeypatch.setattr(weights, "make_anew", shop.make)
    monkeypatch.setattr(exercises, "stale", lambda: shop.exercises)
    monkeypatch.setattr(exercises, "make_anew", shop.read)
    monkeypatch.setattr(results, "missing", lambda: [])
    return shop


def test_figures_are_drawn_before_all_else(shop):
    made.make_stale()
    assert sorted(shop.done) == [
        ("draw", "part/other", "part/plain", "part/trained"),
        ("execute", ("one", "ko"), ("two", "en")),
        ("read",),
        ("weigh", "dates"),
    ]
    assert all(shop.locked) and _free(made.LOCK)


def test_labs_are_left_to_whoever_serves_the_book(shop):
    made.make_stale(served=True)
    assert shop.figures == [] and len(shop.labs) == 2
    shop.done.clear()
    shop.weights, shop.exercises = [], False
    made.make_stale(served=True)
    assert shop.done == []


def test_so_are_figures_when_there_are_many(shop, monkeypatch):
    monkeypatch.setattr(made, "AT_ONCE", 2)
    made.make_stale(served=True)
    assert len(shop.figures) == 3 and sorted(shop.done)[-2:] == [("read",), ("weigh", "dates")]
    shop.executing.clear(), shop.weighing.clear(), shop.done.clear()
    assert made.make_behind() and shop.done == [("draw", "part/other", "part/plain", "part/trained")]
    assert shop.locked == [True] and _free(made.LOCK) and len(shop.labs) == 2
    shop.weighing.set()
    assert made.make_behind() and shop.done[1:] == [("execute", ("one", "ko"), ("two", "en"))]
    assert not made.make_behind()


def test_where_nothing_is_out_of_date_nothing_is_written(shop):
    shop.figures = shop.labs = shop.weights = []
    shop.exercises = False
    made.make_stale()
    assert shop.done == [] and not made.LOCK.parent.exists()


@pytest.mark.parametrize("rest", ["figures", "labs"])
def test_figures_or_labs_alone_are_enough(shop, rest):
    setattr(shop, "labs" if rest == "figures" else "figures", [])
    made.make_stale()
    assert shop.figures == shop.labs == []


def test_figures_are_drawn_where_nothing_else_is_out_of_date(shop):
    shop.labs = shop.weights = []
    shop.exercises = False
    made.make_stale()
    assert shop.figures == [] and ("draw", "part/other", "part/plain", "part/trained") in shop.done


def test_nothing_is_made_where_something_would_have_to_be_trained(shop, monkeypatch):
    monkeypatch.setattr(results, "missing", lambda: [Result("a", "part/trained"), Result("b", "part/other")])
    with redirect_stderr(io.StringIO()) as told:
        assert made.main() == 1 and shop.done == []
    *which, restamp, train = told.getvalue().splitlines()
    assert [line.partition(":")[0] for line in which] == ["snippets/results/a", "snippets/results/b"]
    assert "snippets/part/trained.py" in which[0] and restamp.endswith(": python -m book results --restamp a b")
    assert train.endswith(": python -m book results a b")


@pytest.mark.parametrize(
    "failure", [FigureError("no figure"), LabError("no lab"), WeightsError("no weights"), ExercisesError("none")]
)
def test_what_fails_is_told_and_the_next_build_may_try_again(shop, failure):
    shop.failure = failure
    with pytest.raises(type(failure)):
        made.make_stale()
    assert _free(made.LOCK)
    assert isinstance(failure, FigureError) or "part/plain" not in shop.figures, "what was drawn stays"
    assert isinstance(failure, FigureError | LabError) or shop.labs == [], "the rest is finished"
    shop.executing.clear(), shop.weighing.clear()
    with redirect_stderr(io.StringIO()) as told:
        assert made.main() == 1 and told.getvalue() == f"{failure}\n" and shop.watched == 1
    shop.failure = None
    shop.executing.clear(), shop.weighing.clear()
    with redirect_stdout(io.StringIO()) as told:
        assert made.main() == 0 and told.getvalue() == "figures, labs, weights and exercises are up to date\n"
    assert shop.figures == []


def test_a_second_build_waits_for_the_first_and_makes_only_what_is_left(shop):
    made.LOCK.parent.mkdir()
    with redirect_stdout(io.StringIO()) as told:
        with FileLock(made.LOCK):
            second = threading.Thread(target=made.make_stale)
            second.start()
            for _ in range(200):
                if told.getvalue():
                    break
                time.sleep(0.01)
            assert told.getvalue() == "another build is drawing and executing: waiting for it\n" and shop.done == []
            shop.figures = ["part/other"]  # what the first has made meanwhile is up to date
        second.join(10)
    assert ("draw", "part/other") in shop.done and ("draw", "part/other", "part/plain", "part/trained") not in shop.done
    assert shop.figures == shop.labs == [] and all(shop.locked)
