"""Each sign, axis, scale and mask of each solution of *Build it yourself* is changed: the exercise's checks refuse it.

Only what a learner writes is changed. A change that is right all the same, or which the exercise leaves to who writes
it, is listed in as_right.yml with the reason.
"""

from __future__ import annotations

from dataclasses import replace
from pathlib import Path

import pytest

from exercises import watching
from exercises.blanks import bodies
from exercises.checking import Exercise, load, run
from tests.machinery import quoted
from tests.machinery.mutants import Mutant, mutants
from tests.machinery.shards import ours
from tests.machinery.test_exercises import EXERCISES

pytestmark = pytest.mark.thorough

AS_RIGHT = Path(__file__).with_name("as_right.yml")
#: Seconds of the processor for a stage, of which the longest takes two.
PATIENCE = 10.0
#: What is as right, or what no check can tell from it: a module, a line, what stands there instead, and why.
EQUIVALENT = quoted.unnoticed(AS_RIGHT, {name: exercise.solution for name, exercise in EXERCISES.items()})
OF = "mutants of the exercises' solutions that their checks refuse"
#: Nothing in them is changed: a product of layers has no sign and no axis of its own.
WITHOUT = {"block/feed_forward"}


def to_be_refused(exercise: Exercise) -> list[tuple[str, Mutant]]:
    """The mutants of what a learner writes, each with the function that it is in."""
    source = exercise.solution.read_text(encoding="utf-8")
    written = bodies(source, exercise)
    return [
        (of, mutant)
        for mutant in mutants(exercise.solution)
        for of, first, last in written
        if first <= mutant.line <= last
    ]


def refused(exercise: Exercise, of: str, mutant: Mutant, folder: Path) -> bool:
    """Whether a stage does not pass; those of the function itself come first."""
    path = folder / "answer.py"
    path.write_text(mutant.source, encoding="utf-8")
    stages = [stage for stage in exercise.stages if not stage.whole]
    try:
        answer = load(path, exercise.name)
        for stage in sorted(stages, key=lambda stage: stage.of != of):
            run(stage, answer)
    except Exception:  # whatever a learner would be told
        return True
    return False


@pytest.mark.parametrize("name", EXERCISES)
def test_the_checks_refuse_every_mutant_of_a_solution(name, record_property, tmp_path, monkeypatch):
    monkeypatch.setattr(watching, "LIMIT", PATIENCE)
    exercise = EXERCISES[name]
    everyone = to_be_refused(exercise)
    assert bool(everyone) != (name in WITHOUT)
    tried = ours(everyone)
    as_right = {(of, mutant) for of, mutant in tried if (name, mutant.before, mutant.after) in EQUIVALENT}
    passed = {(of, mutant) for of, mutant in tried if not refused(exercise, of, mutant, tmp_path)}
    record_property(
        f"share of {OF}", (len(tried) - len(passed), len(tried))
    )  # the share is shown when all have been tried
    alive, told = passed - as_right, as_right - passed
    assert not alive, (
        f"{len(alive)} of {len(tried)} changes to the solution of {name} pass all stages. Check more in "
        f"exercises/{exercise.part}/stages.py (or list it in {AS_RIGHT.name}):\n"
        + "\n".join(str(mutant) for _, mutant in alive)
    )
    assert not told, f"refused, so take it out of {AS_RIGHT.name}:\n" + "\n".join(str(mutant) for _, mutant in told)


def test_every_mutant_listed_as_equivalent_exists():
    found = {(name, m.before, m.after) for name, exercise in EXERCISES.items() for _, m in to_be_refused(exercise)}
    assert not EQUIVALENT.keys() - found


def test_a_check_that_looks_at_too_little_is_noticed(tmp_path):
    """Without one of its stages, an exercise accepts what it should refuse."""
    whole = EXERCISES["before/prediction_tasks"]
    less = replace(whole, stages=[stage for stage in whole.stages if stage.name != "no padding drawn"])
    passed = [[m for of, m in to_be_refused(one) if not refused(one, of, m, tmp_path)] for one in (whole, less)]
    assert len(passed[1]) > len(passed[0])
