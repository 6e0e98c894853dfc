"""What was trained comes with the book, and belongs to today's code."""

from __future__ import annotations

import contextlib
import io
import os
import signal
import subprocess
import sys
import time

import pytest

from book import ROOT
from book.artifacts import agreement, results
from book.artifacts.agreement import differences
from snippets.tools import kept
from snippets.tools.results import found


@pytest.mark.parametrize("one", results.RESULTS, ids=lambda one: one.name)
def test_a_committed_result_was_made_by_todays_code(one):
    assert one.committed(), (
        f"snippets/results/{one.name}: snippets/{one.module}.py, or what it imports, is not the code that made it; "
        "run: python -m book results"
    )


@pytest.mark.parametrize("one", results.RESULTS, ids=lambda one: one.name)
def test_of_each_it_is_noted_what_the_first_steps_give(one):
    assert one.has_rehearsal(), f"run: python -m book results {one.name}"


def test_every_committed_file_belongs_to_a_result():
    files = (path for path in (ROOT / "snippets" / "results").iterdir() if not path.name.startswith("."))
    assert {path.stem for path in files} == {one.name for one in results.RESULTS}


def test_the_first_losses_have_to_agree_and_seconds_need_not():
    losses = [3.0 / step for step in range(1, 31)]
    old = {"a": {"losses": losses, "seconds": 10.0}}
    assert not differences(old, {"a": {"losses": [loss * 1.0005 for loss in losses], "seconds": 70.0}})
    assert not differences(old, {"a": {"losses": [*losses[:10], *[0.5] * 20], "seconds": 1.0}}), "later, rounding grows"
    (said,) = differences(old, {"a": {"losses": [*losses[:9], 0.5, *losses[10:]], "seconds": 1.0}}, "result")
    assert said.startswith("result/a/losses: step 10 had 0.3, now 0.5")
    (said,) = differences(losses, [float("nan")] * 30, "result")
    assert said == "result: step 1 had 3, now nan"
    assert differences(old, {"b": old["a"]}) and differences(old, {"a": {**old["a"], "losses": losses[:-1]}})
    assert differences([old, old], [old]) and not differences([old, old], [old, old])


def test_shares_are_means_over_seeds():
    def runs(*shares: float) -> list[dict]:
        return [{"exact match": share, "losses": [1.0]} for share in shares]

    made = {"results": {(False, 0): runs(0, 1), (True, 0): runs(1)}, "longer": runs(0.25, 0.5), "one": runs(0.3)[0]}
    assert agreement._means(made) == {
        "/results/(False, 0)": 0.5,
        "/results/(True, 0)": 1,
        "/longer": 0.375,
        "/one": 0.3,
    }
    bits = {"results": {0.2: [{"test": 4.0}, {"test": 3.0}]}, "lab": {"as set": [{"held out": [6.0, 2.0]}]}}
    assert agreement._means(bits) == {"/results/0.2": 3.5, "/lab/as set": 2.0}


def main(*arguments: str) -> tuple[int, str]:
    with contextlib.redirect_stdout(io.StringIO()) as out:
        return results.main(list(arguments)), out.getvalue()


@pytest.fixture
def made(monkeypatch) -> list[str]:
    """The names of those that would be made; all results are out of date."""
    monkeypatch.setattr(results.Trained, "committed", lambda one: False)
    monkeypatch.setattr(results.Trained, "lacks", "")  # whatever is installed here
    names: list[str] = []
    monkeypatch.setattr(results.Trained, "make", lambda one: names.append(one.name))
    monkeypatch.setattr(kept, "CACHE", results.ROOT / "nowhere")
    monkeypatch.setattr(results, "end_with_parent", lambda: None)
    return names


def test_all_that_is_out_of_date_is_made_or_what_is_named(made):
    assert main()[0] == 0 and made == [one.name for one in results.RESULTS]
    made.clear()
    code, said = main("sgd", "post_pre_ln")
    assert code == 0 and made == ["sgd", "post_pre_ln"] and "result 2/2  post_pre_ln" in said


def test_what_is_out_of_date_is_listed_and_not_made(made, monkeypatch):
    code, said = main("--list", "sgd", "post_pre_ln")
    assert code == 0 and said.splitlines() == ["sgd", "post_pre_ln"] and made == []
    monkeypatch.setattr(results.Trained, "committed", lambda one: True)
    assert main("--list") == (0, "all results are up to date\n") and made == []


def test_a_name_that_there_is_not_is_refused(made, capsys):
    with pytest.raises(SystemExit):
        main("nothing")
    assert "no result has the name nothing" in capsys.readouterr().err and made == []


def test_what_a_module_trains_by_a_cached_function_is_put_together(tmp_path, monkeypatch):
    monkeypatch.setattr(kept, "CACHE", tmp_path)
    (one,) = (one for one in results.RESULTS if one.name == "sgd")
    returned = one.make()
    assert returned.keys() == {"results"} and one.cached()
    assert (tmp_path / "sgd.json").is_file() and len(found(tmp_path / "sgd", one.code)[0]) == 54


PROGRAM = """
import time
from book.processes import start

print(start("tests.machinery.waiting").pid, flush=True)
time.sleep(600)
"""


@pytest.mark.thorough  # of the machinery: starts processes and waits for them
@pytest.mark.skipif(sys.platform == "win32", reason="asks by signal whether a process is there")
def test_what_a_build_starts_ends_when_the_build_is_killed():
    command, environment = [sys.executable, "-c", PROGRAM], {**os.environ, "PYTHONPATH": str(ROOT)}
    parent = subprocess.Popen(command, env=environment, stdout=subprocess.PIPE, text=True)
    with parent:
        child = int(parent.stdout.readline())
        time.sleep(1)
        os.kill(child, 0)
        parent.send_signal(signal.SIGKILL)
    for _ in range(100):
        try:
            os.kill(child, 0)
            with open(f"/proc/{child}/stat", encoding="utf-8") as file:
                if file.read().rpartition(")")[2].split()[0] == "Z":
                    return
        except (ProcessLookupError, FileNotFoundError):
            return
        time.sleep(0.1)
    os.kill(child, signal.SIGKILL)
    pytest.fail("the child is still there after 10 s")
