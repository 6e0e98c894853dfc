"""What a learner got wrong on purpose is refused, with a hint that is true; and what does not end is stopped."""

from __future__ import annotations

import pytest

from exercises import watching
from exercises.checking import run
from tests.machinery import quoted
from tests.machinery.shards import ours
from tests.machinery.test_exercises import EXERCISES, first_wrong, in_korean
from tests.machinery.wrong_answers import ALSO_REPORTED, ENDLESS, ONCE_ACCEPTED, ONCE_MISNAMED, ONCE_UNNAMED

pytestmark = pytest.mark.thorough
ROWS = ours(
    [(*row, *("",) * (5 - len(row))) for row in (*ONCE_ACCEPTED, *ONCE_UNNAMED, *ONCE_MISNAMED, *ALSO_REPORTED)]
)


def changed(name, old, new, tmp_path):
    source = EXERCISES[name].solution.read_text(encoding="utf-8")
    path = tmp_path / "answer.py"
    path.write_text(quoted.changed(old, new, source), encoding="utf-8")
    return EXERCISES[name], path


def test_every_mistake_changes_the_solution_of_its_exercise():
    """Of all shards: a line that was changed in a solution is said with each commit."""
    every = (*ONCE_ACCEPTED, *ONCE_UNNAMED, *ONCE_MISNAMED, *ALSO_REPORTED, *ENDLESS)
    for name, old, new, *_ in every:
        quoted.changed(old, new, EXERCISES[name].solution.read_text(encoding="utf-8"))


@pytest.mark.parametrize(("name", "old", "new", "said", "never"), ROWS, ids=[f"{r[0]}-{r[3]}" for r in ROWS])
def test_a_mistake_is_refused_and_nothing_false_is_said_of_it(name, old, new, said, never, tmp_path):
    exercise, path = changed(name, old, new, tmp_path)
    stage, told = first_wrong(exercise, path)
    assert stage and said in told, told
    assert not never or never not in told, told
    assert in_korean(exercise, path, stage) or told.startswith("it raises")


@pytest.mark.parametrize(("name", "old", "new", "stage"), ENDLESS, ids=[row[0] for row in ENDLESS])
def test_what_does_not_end_is_stopped_and_told_with_the_line_it_was_at(name, old, new, stage, tmp_path, monkeypatch):
    monkeypatch.setattr(watching, "LIMIT", 1.0)
    exercise, path = changed(name, old, new, tmp_path)
    failed, told = first_wrong(exercise, path)
    assert failed == stage
    assert told.startswith("it still runs after 1 s") and f"exercises/{name}.py:" in told


def test_a_slow_computer_is_no_endless_loop(monkeypatch):
    """Time that passes while the processor does something else does not count."""
    monkeypatch.setattr(watching, "LIMIT", 0.2)
    with watching.time_limit():
        watching.time.sleep(0.6)
    run(EXERCISES["attention/masks"].stages[0], __import__("snippets.attention.masks", fromlist=["x"]))
