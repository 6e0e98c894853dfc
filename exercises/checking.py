"""What an exercise is, how an answer is read, and what is said of the first thing in it that is not right."""

from __future__ import annotations

import ast
import builtins
import importlib
import linecache
import math
import textwrap
import traceback
from collections.abc import Callable, Iterable, Sequence
from dataclasses import dataclass, field
from pathlib import Path
from types import ModuleType, SimpleNamespace
from typing import Any

import torch
from torch import Tensor, nn

from exercises.language import say

HERE = Path(__file__).resolve().parent
ROOT = HERE.parent
#: In the order of the book.
PARTS = ("before", "attention", "positions", "block", "model", "training", "families")
#: All exercises by name, once read_parts has found them.
EXERCISES: dict[str, Exercise] = {}


class Wrong(AssertionError):
    """What is wrong with an answer, in words for the one who wrote it: what differs, and a hint below it.

    Both are said in the learner's language; ``values`` stand where ``text`` names them.
    """

    def __init__(self, text: str, hint: str = "", /, **values: Any) -> None:
        self.difference = say(text, **values)
        super().__init__(f"{self.difference}\n  {say(hint)}" if hint else self.difference)


@dataclass(frozen=True)
class Stage:
    """One thing that is checked: ``of`` is what has to be written for it, ``says`` what is right once it passes."""

    of: str
    name: str
    says: str
    run: Callable[[Any], None]
    whole: bool = False  # of all files together, so that there is nothing to check in a notebook

    @property
    def item(self) -> str:
        """Its name as pytest shows it."""
        return self.name.replace(" ", "-")


@dataclass
class Exercise:
    """A module of the book to be written.

    ``given``: definitions that remain, ``Class.method`` for a single method; ``without``: such that are left out, and
    with them the imports that nothing else needs.
    """

    name: str  # attention/masks
    page: str  # attention/masks, too, but with the hyphens of a page
    difficulty: int  # 1, 2 or 3
    minutes: int
    given: tuple[str, ...] = ()
    without: tuple[str, ...] = ()
    stages: list[Stage] = field(default_factory=list)

    @property
    def part(self) -> str:
        return self.name.partition("/")[0]

    @property
    def solution(self) -> Path:
        return ROOT / "snippets" / f"{self.name}.py"

    def stage(self, of: str, name: str, says: str, whole: bool = False) -> Callable:
        def add(run: Callable[[Any], None]) -> Callable[[Any], None]:
            self.stages.append(Stage(of, name, says, run, whole))
            return run

        return add


def read_parts() -> dict[str, Exercise]:
    """Every exercise with its stages, in the order of the book."""
    for part in PARTS:
        for value in vars(importlib.import_module(f"exercises.{part}.stages")).values():
            if isinstance(value, Exercise):
                EXERCISES[value.name] = value
    return EXERCISES


# ---- an answer


def load(path: Path, name: str, import_: Callable | None = None) -> ModuleType:
    """Run a file as a module of its own, with the book's other modules, or with what ``import_`` says."""
    module = ModuleType(name)
    module.__file__ = str(path)
    if import_:
        module.__builtins__ = {**vars(builtins), "__import__": import_}
    linecache.checkcache(str(path))  # tracebacks show the lines of today
    code = compile(path.read_text(encoding="utf-8"), str(path), "exec", dont_inherit=True)  # not our __future__
    exec(code, vars(module))  # noqa: S102
    return module


def load_together(folder: Path, parts: Sequence[str]) -> Callable[[str], ModuleType]:
    """The book with the answers in a folder, of these parts, in the place of its own modules.

    Returns a function from names to modules.
    """
    modules: dict[str, ModuleType] = {}

    def own(name: str) -> ModuleType:
        if name not in modules:
            answered = name in EXERCISES and EXERCISES[name].part in parts
            path = (folder if answered else ROOT / "snippets") / f"{name}.py"
            modules[name] = load(path, f"snippets.{name.replace('/', '.')}", import_)
        return modules[name]

    def import_(name: str, *rest: Any) -> Any:
        top, *below = name.split(".")
        ours = top == "snippets" and len(below) == 2 and below[0] in PARTS
        return own("/".join(below)) if ours else builtins.__import__(name, *rest)

    return own


def run(stage: Stage, answer: Any) -> None:
    """Raises what is wrong. Each stage draws the same random numbers every time, and leaves no trace of them."""
    with torch.random.fork_rng(devices=[]):
        torch.manual_seed(sum(map(ord, stage.of + stage.name)))
        stage.run(answer)


def explain(error: BaseException, exercise: Exercise, file: str = "") -> str:
    """What to say to the learner of an exception: what differs, or what was raised, and in which of their lines."""
    raised = error.__cause__ or error
    frames = [frame for frame in traceback.extract_tb(raised.__traceback__) if file and frame.filename == file]
    where = f"exercises/{exercise.name}.py:{frames[-1].lineno}" if frames else ""
    if isinstance(error, NotImplementedError) and str(error).startswith("write "):
        of = str(error).removeprefix("write ")
        where = where and f", {where}"
        return say("{of} is not written yet{where}\n  {purpose}", of=of, where=where, purpose=_purpose(exercise, of))
    line = f"\n  {where}: {frames[-1].line}" if frames else ""
    if isinstance(error, Wrong):
        return f"{error}{line if error.__cause__ else ''}"
    if isinstance(error, SyntaxError):
        where = f"exercises/{exercise.name}.py:{error.lineno}"
        return say("{where}: Python cannot read this: {error}", where=where, error=error.msg)
    return say("it raises {kind}: {error}", kind=type(error).__name__, error=error) + line


def _purpose(exercise: Exercise, of: str) -> str:
    """The first line of what the book says of a function, or of its class. Read, not imported: it may need more."""
    node: Any = ast.parse(exercise.solution.read_text(encoding="utf-8"))
    doc = ""
    for name in of.split("."):
        node = next((n for n in node.body if getattr(n, "name", None) == name), None)
        doc = (node and ast.get_docstring(node)) or doc
        if not node:
            break
    return doc.partition("\n\n")[0].replace("\n", "\n  ")


def check(*answers: Any) -> None:
    """Check functions and classes of a notebook, named as in the book, up to the first that is not right."""
    names = {answer.__name__: answer for answer in answers}
    stages = [
        (exercise, stage)
        for exercise in read_parts().values()
        for stage in exercise.stages
        if stage.of.partition(".")[0] in names and not stage.whole
    ]
    if unknown := names.keys() - {stage.of.partition(".")[0] for _, stage in stages}:
        known = sorted({stage.of.partition(".")[0] for e in EXERCISES.values() for stage in e.stages})
        names, known = ", ".join(sorted(unknown)), ", ".join(known)
        raise ValueError(say("there is no exercise {names}; there are: {known}", names=names, known=known))
    for exercise, stage in stages:
        book = vars(importlib.import_module(f"snippets.{exercise.name.replace('/', '.')}"))
        try:
            run(stage, SimpleNamespace(**{**book, **names}))
        except Exception as error:
            print(f"{_told('wrong', stage)}\n\n{explain(error, exercise)}")
            return
        print(_told("right", stage))


def _told(verdict: str, stage: Stage) -> str:
    return textwrap.fill(f"{say(verdict)}  {stage.name}: {say(stage.says)}", 84, subsequent_indent=" " * 7)


# ---- comparing

#: What somebody gets who makes a mistake, from the inputs of the one check, and what to say of it.
Mistake = tuple[Callable[..., Any], str]


def compare(
    got: Any, expected: Tensor, what: str, axes: str = "", mistakes: Iterable[Mistake] = (), *inputs: Any
) -> None:
    """Raise ``Wrong`` at the first element that differs: where, what was expected, and the likely mistake.

    ``mistakes`` are tried on the ``inputs``: whoever got the same has made that one.
    """
    what = say(what)
    check_tensor(got, what, _shape(expected))
    if got.shape == expected.shape and got.dtype != expected.dtype:
        raise Wrong("{what}: expected {right}, got {wrong}", what=what, right=expected.dtype, wrong=got.dtype)
    if _same(got, expected):
        return
    if got.shape != expected.shape:
        right, wrong = f"{_shape(expected)}{axes and f', {axes}'}", _shape(got)
        text = "{what}: the shape is wrong\n  expected {right}, got {wrong}"
        difference = say(text, what=what, right=right, wrong=wrong)
    else:
        differs = ~_close(got, expected)
        index = differs.nonzero()[0].tolist()
        right, wrong = (f"{x[tuple(index)].item():{'.4g' if x.is_floating_point() else ''}}" for x in (expected, got))
        values, text = {"what": what, "right": right, "wrong": wrong}, "{what}: expected {right}, got {wrong}"
        if index:
            place = say("{index} of {axes}", index=index, axes=axes) if axes else index
            values |= {"place": place, "number": int(differs.sum()), "total": differs.numel()}
            text = (
                "{what}: the first difference is at {place}\n"
                "  expected {right}, got {wrong}; {number} of {total} differ"
            )
        difference = say(text, **values)
    raise Wrong(difference, _hint(got, expected, mistakes, inputs))


def compare_values(got: Any, expected: Any, what: str, mistakes: Iterable[Mistake] = (), *inputs: Any) -> None:
    """The same for numbers, texts, lists, tuples and dictionaries; their elements may be of any of these kinds."""
    if _equal(got, expected):
        return
    raise Wrong(_difference(got, expected, say(what)), _made(got, expected, mistakes, inputs, _equal))


def varied(compute: Callable[..., Any]) -> Callable[..., Callable[..., Any]]:
    """For mistakes: ``varied(compute)(sign=-1)`` computes the same with ``sign=-1``."""
    return lambda **change: lambda *inputs: compute(*inputs, **change)


def _made(got: Any, expected: Any, mistakes: Iterable[Mistake], inputs: Sequence[Any], same: Callable) -> str:
    """What to say of the mistake that has been made, if it is one of these."""
    for wrong, hint in mistakes:
        try:
            other = wrong(*inputs)
        except Exception:  # for these inputs, the mistake is none that runs
            continue
        if not same(other, expected) and same(got, other):
            return hint
    return ""


def _difference(got: Any, expected: Any, what: str) -> str:
    kind = next((kind for kind in (list, tuple, dict, str) if isinstance(expected, kind)), None)
    if kind and not isinstance(got, kind):
        text = "{what}: a {kind} is expected, {right}, not {wrong}"
        return say(text, what=what, kind=kind.__name__, right=_short(expected), wrong=type(got).__name__)
    if kind is dict:
        key = next((k for k in expected if k not in got or not _equal(got[k], expected[k])), None)
        if key is None:
            key = next(k for k in got if k not in expected)
            return say("{what}: nothing is expected for {key}", what=what, key=_short(key))
        right, wrong = _short(expected[key]), _short(got[key]) if key in got else say("nothing")
        text = "{what}: for {key}, expected {right}, got {wrong}"
        return say(text, what=what, key=_short(key), right=right, wrong=wrong)
    if kind in (list, tuple):
        both = zip(got, expected, strict=False)
        index = next((i for i, (a, b) in enumerate(both) if not _equal(a, b)), None)
        if index is None:
            shorter = min(len(got), len(expected))
            values = {"what": what, "right": len(expected), "wrong": len(got), "index": shorter}
            rest, text = expected, "{what}: expected length {right}, got {wrong}\n  missing from [{index}] on: {rest}"
            if len(got) > shorter:
                rest, text = got, "{what}: expected length {right}, got {wrong}\n  too many from [{index}] on: {rest}"
            return say(text, **values, rest=_short(rest[shorter:]))
        text = "{what}: the first difference is at [{index}]\n  expected {right}, got {wrong}"
        return say(text, what=what, index=index, right=_short(expected[index]), wrong=_short(got[index]))
    return say("{what}: expected {right}, got {wrong}", what=what, right=_short(expected), wrong=_short(got))


def _short(x: Any) -> str:
    text = f"{x:.4g}" if isinstance(x, float) else repr(x)
    return text if len(text) <= 90 else f"{text[:87]}..."


def _equal(a: Any, b: Any) -> bool:
    match b:
        case bool():
            return isinstance(a, bool) and a == b
        case int() | float():
            number = isinstance(a, int | float) and not isinstance(a, bool)
            return number and math.isclose(a, b, rel_tol=1e-6, abs_tol=1e-9)
        case list() | tuple():
            same = isinstance(a, list if isinstance(b, list) else tuple) and len(a) == len(b)
            return same and all(map(_equal, a, b))
        case dict():
            return isinstance(a, dict) and a.keys() == b.keys() and all(_equal(a[k], b[k]) for k in b)
    return type(a) is type(b) and bool(a == b)


def _hint(got: Tensor, expected: Tensor, mistakes: Iterable[Mistake], inputs: Sequence[Any]) -> str:
    if hint := _made(got, expected, mistakes, inputs, _same):
        return hint
    if got.shape != expected.shape or not got.is_floating_point():
        return ""
    if got.isnan().any() and not expected.isnan().any():
        return "nan comes of 0 / 0, or of -inf minus -inf: a softmax over nothing but -inf, for example."
    if got.dim() > 1 and _same(got.mT, expected):
        return "It is what is expected with the last two axes swapped: transposed once too often, or not at all."
    large = expected.abs() > 1e-3
    ratios = got[large] / expected[large]
    if len(ratios) > 1 and torch.allclose(ratios, ratios.mean(), rtol=1e-3) and _same(ratios.mean() * expected, got):
        return say("Every element is {factor:.4g} times what is expected.", factor=ratios.mean().item())
    return ""


def _same(a: Any, b: Any) -> bool:
    return isinstance(a, Tensor) and isinstance(b, Tensor) and a.shape == b.shape and bool(_close(a, b).all())


def _close(a: Tensor, b: Tensor) -> Tensor:
    if a.is_floating_point() and b.is_floating_point():
        atol = 1e-9 if b.dtype == torch.float64 else 1e-5
        return torch.isclose(a.double(), b.double(), rtol=1e-4, atol=atol, equal_nan=True)
    return a == b


def _shape(x: Tensor) -> str:
    return str(tuple(x.shape))


def check_tensor(got: Any, what: str, shape: Any) -> None:
    """Raise ``Wrong`` for anything but a tensor. ``shape``: that of the right one."""
    if not isinstance(got, Tensor):
        kind = type(got).__name__
        raise Wrong("{what}: a tensor is expected, {shape}, not {kind}", what=say(what), shape=shape, kind=kind)


def pair(got: Any, names: str, kind: str = "tensors") -> Sequence[Any]:
    """What has to be a tuple of two. ``names``: of both."""
    if not isinstance(got, tuple) or len(got) != 2:
        values = {"kind": say(kind), "names": say(names), "wrong": type(got).__name__}
        raise Wrong("two {kind} are to be returned, {names}, not {wrong}", **values)
    return got


@torch.no_grad()
def twins(mine: type[nn.Module], book: type[nn.Module], *args: Any, **kwargs: Any) -> tuple[nn.Module, nn.Module]:
    """The learner's module and the book's with the same random parameters, both in evaluation mode."""
    theirs, ours = mine(*args, **kwargs), book(*args, **kwargs)
    for parameter in ours.parameters():  # all of them: gamma = 1 and beta = 0 hide mistakes
        parameter.copy_(torch.randn_like(parameter) * 0.7)
    try:
        theirs.load_state_dict(ours.state_dict())
    except RuntimeError as error:
        text = "leave __init__ as it is: the checks set the parameters by name\n  {error}"
        raise Wrong(text, error=error) from None
    return theirs.eval(), ours.eval()


class Times(nn.Module):
    """Stands in for dropout, so that one sees where it acts: it multiplies by a factor, or by several."""

    def __init__(self, factor: float | Tensor) -> None:
        super().__init__()
        self.factor = factor

    def forward(self, x: Tensor) -> Tensor:
        return self.factor * x


def allowed(*shape: int) -> Tensor:
    """A random mask with at least one key for each query."""
    mask = torch.rand(shape) < 0.5
    mask[..., 0] |= ~mask.any(dim=-1)
    return mask


def book(name: str) -> ModuleType:
    """A module of the book: book("attention.masks")."""
    return importlib.import_module(f"snippets.{name}")
