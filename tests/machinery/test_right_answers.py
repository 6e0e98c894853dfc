"""What is right is accepted, however it is written: every body of every exercise, in another way than the book's."""

from __future__ import annotations

import ast
import re
import shutil
import textwrap

import pytest

from exercises import hints
from exercises.blanks import functions, to_write
from exercises.checking import check, load
from exercises.language import LANGUAGES, say
from exercises.other_ways import OTHER_WAYS
from tests.machinery import quoted
from tests.machinery.right_answers import answer
from tests.machinery.test_exercises import EXERCISES, STAGES, first_wrong


@pytest.fixture(scope="module")
def answers(tmp_path_factory):
    """The files of a learner who has written all of them."""
    folder = tmp_path_factory.mktemp("exercises")
    for name, exercise in EXERCISES.items():
        (folder / name).parent.mkdir(exist_ok=True)
        (folder / f"{name}.py").write_text(answer(exercise), encoding="utf-8")
    return folder


def bodies(source: str) -> dict[str, str]:
    return {name: ast.unparse([s for s in node.body if not is_text(s)]) for name, node in functions(ast.parse(source))}


def is_text(statement: ast.stmt) -> bool:
    return isinstance(statement, ast.Expr) and isinstance(statement.value, ast.Constant)


@pytest.mark.parametrize("name", EXERCISES)
def test_everything_that_is_to_be_written_is_written_in_another_way(name):
    source = EXERCISES[name].solution.read_text(encoding="utf-8")
    assert set(OTHER_WAYS[name]) == set(to_write(source, EXERCISES[name]))
    ours, theirs = bodies(source), bodies(answer(EXERCISES[name]))
    assert not [of for of in OTHER_WAYS[name] if ours[of] == theirs[of]]


@pytest.mark.parametrize("name", EXERCISES)
def test_another_way_is_right_too(answers, name):
    """With the stages that make a model of all files together."""
    assert first_wrong(EXERCISES[name], answers / f"{name}.py") == (None, "")


@pytest.mark.thorough
def test_another_way_is_right_in_a_notebook_too(answers, capsys):
    modules = [load(answers / f"{name}.py", name) for name in EXERCISES]
    written = {of.partition(".")[0] for ways in OTHER_WAYS.values() for of in ways}
    check(*[vars(module)[name] for module in modules for name in vars(module) if name in written and own(module, name)])
    said = capsys.readouterr().out
    assert "wrong" not in said
    assert len(re.findall("(?m)^right  ", said)) == sum(not stage.whole for _, stage in STAGES)


@pytest.mark.parametrize("language", LANGUAGES)
def test_ways_worth_seeing_are_shown_whole_beside_the_solution(language, monkeypatch):
    monkeypatch.setattr("exercises.language._chosen", language)
    for (name, of), worth in hints.WORTH_SEEING.items():
        exercise = EXERCISES[name]
        (way,) = hints.other_ways(exercise, [of])
        head, _, code = way.partition("\n")
        assert of in head and say(worth) in head
        *_, function = ast.parse(textwrap.dedent(code)).body
        assert ast.unparse(function.body) == ast.unparse(ast.parse(OTHER_WAYS[name][of]).body)
        assert way in hints.solution(exercise, next(stage for stage in exercise.stages if stage.of == of))
    assert hints.other_ways(EXERCISES["block/residual"], ["SublayerConnection.forward"]) == []


def test_whoever_is_done_sees_other_ways_too(clone):
    folder, run_pytest = clone
    shutil.copy(EXERCISES["attention/masks"].solution, folder / "attention" / "masks.py")
    said = run_pytest("exercises/attention/masks.py", "--solution")
    assert "Another way to write causal_mask" in said and "are right" in said


#: What learners have written, other than both ways, and as right: once refused.
ONCE_REFUSED = [
    # float64 draws other numbers than float32
    (
        "block/dropout",
        "keep = torch.rand_like(x, dtype=torch.float32) >= self.p",
        "keep = (torch.rand_like(x) > self.p).float()",
    ),
]


@pytest.mark.parametrize(("name", "old", "new"), ONCE_REFUSED, ids=[row[0] for row in ONCE_REFUSED])
def test_what_is_right_and_was_once_refused_is_accepted(name, old, new, tmp_path):
    source, path = EXERCISES[name].solution.read_text(encoding="utf-8"), tmp_path / "answer.py"
    path.write_text(quoted.changed(old, new, source), encoding="utf-8")
    assert first_wrong(EXERCISES[name], path) == (None, "")


def own(module, name: str) -> bool:
    return vars(module)[name].__module__ == module.__name__
