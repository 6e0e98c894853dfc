"""What an exercise is, how an answer is read, and what is said of the first thing in it that is not right."""

from __future__ import annotations

import ast
import builtins
import functools
import importlib
import inspect
import linecache
import math
import re
import textwrap
import traceback
from collections.abc import Callable, Iterable, Sequence
from dataclasses import dataclass, field
from pathlib import Path
from types import ModuleType, SimpleNamespace
from typing import Any

import torch
from torch import Tensor, nn

from exercises import lean
from exercises.language import language, say
from exercises.watching import Call, Missing, Watch, Wrong, check_again, is_unwritten, time_limit

lean.stand_in()
HERE = Path(__file__).resolve().parent
ROOT = HERE.parent
#: What a blank begins with.
HEADER = """\
# An exercise: write each body that raises NotImplementedError, and ask how far it is right:
#   pytest exercises/{name}.py
# The page {page} explains it. This file is yours, and never
# overwritten: to begin anew, delete it.
"""
#: In the order of the book.
PARTS = ("before", "attention", "positions", "block", "model", "training", "families")
#: All exercises by name, once read_parts has found them.
EXERCISES: dict[str, Exercise] = {}


@dataclass(frozen=True)
class Stage:
    """One thing that is checked: ``of`` is what has to be written for it, ``says`` what is right once it passes."""

    of: str
    name: str
    says: str
    run: Callable[[Any], None]
    exercise: str
    whole: bool = False  # of all files together, so that there is nothing to check in a notebook
    large: bool = False  # right for large numbers, too
    half: bool = False  # right for float16, too

    def last(self) -> Stage:
        """The stage at which the same function is complete."""
        return [other for other in EXERCISES[self.exercise].stages if other.of == self.of and not other.whole][-1]

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
    module: str = ""  # of the book, which is its solution: the one of this name, unless told

    def __post_init__(self) -> None:
        self.module = self.module or self.name

    @property
    def part(self) -> str:
        return self.name.partition("/")[0]

    @property
    def solution(self) -> Path:
        return ROOT / "snippets" / f"{self.module}.py"

    def stage(self, of: str, name: str, says: str, **options: bool) -> Callable:
        def add(run: Callable[[Any], None]) -> Callable[[Any], None]:
            self.stages.append(Stage(of, name, says, run, self.name, **options))
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
    code = compile(_text(path), str(path), "exec", dont_inherit=True)  # not our __future__
    exec(code, vars(module))  # noqa: S102
    return module


def _text(path: Path) -> str:
    """Of a file as an editor has left it: Windows' may begin with a mark, or be in the encoding of its system."""
    data = path.read_bytes()
    for encoding in ("utf-8-sig", "utf-16" if data[:2] in (b"\xff\xfe", b"\xfe\xff") else "cp949"):
        try:
            return data.decode(encoding)
        except UnicodeDecodeError:
            continue
    raise Wrong("{path}: this is no text in UTF-8", "Save it again as UTF-8.", path=f"{path.parent.name}/{path.name}")


def load_together(folder: Path, parts: Sequence[str], but: Sequence[str] = ()) -> Callable[[str], ModuleType]:
    """The book with the answers in a folder, of these parts, in the place of its own modules.

    ``but``: modules that stay the book's. Returns a function from names to modules.
    """
    modules: dict[str, ModuleType] = {}

    def own(name: str) -> ModuleType:
        if name not in modules:
            answered = name in EXERCISES and EXERCISES[name].part in parts and name not in but
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
    global _watch
    if stage.whole:
        with torch.random.fork_rng(devices=[]):
            stage.run(answer)
        return
    outer, watch = _watch, Watch(stage.of, answer)
    if watch.function and is_unwritten(watch.function):
        error = NotImplementedError(f"write {stage.of}")
        error.line = inspect.unwrap(watch.function).__code__.co_firstlineno
        raise error
    try:
        with torch.random.fork_rng(devices=[]), time_limit():
            torch.manual_seed(sum(map(ord, stage.of + stage.name)))
            with watch:
                _watch = watch
                _all_differences(stage.run, watch)
            if stage is stage.last():
                check_again(watch, stage.exercise, stage.large, stage.half)
    finally:
        _watch = outer


def is_blank(error: BaseException) -> bool:
    """Whether it says that something is not written yet."""
    return isinstance(error, Missing) or isinstance(error, NotImplementedError) and str(error).startswith("write ")


def explain(error: BaseException, exercise: Exercise, file: str = "", named: bool = True) -> str:
    """What to say to the learner of an exception: what differs, or what was raised, and in which of their lines.

    ``file``: theirs; or the names of several, of the cells of a notebook. ``named``: with the mistake, if it is known.
    """
    raised = error.__cause__ or error
    files = {file} if isinstance(file, str) else set(file)
    frames = [frame for frame in traceback.extract_tb(raised.__traceback__) if frame.filename in files - {""}]
    where = ""
    if frames:
        own = frames[-1].filename == file
        where = f"exercises/{exercise.name}.py:{frames[-1].lineno}" if own else f"{frames[-1].name}:{frames[-1].lineno}"
    if is_blank(error) and not isinstance(error, Missing):
        of = str(error).removeprefix("write ")
        if not where and file and hasattr(error, "line"):  # a body that raises nothing
            where = f"exercises/{exercise.name}.py:{error.line}"
        where = where and f", {where}"
        return say("{of} is not written yet{where}\n  {purpose}", of=of, where=where, purpose=_purpose(exercise, of))
    call = getattr(error, "call", None)
    line = f"\n  {where}: {frames[-1].line}" if frames else ""
    with_call = "\n\n" + say("in {call}", call=call) if call else ""
    if isinstance(error, Wrong):
        return f"{error if named else error.difference}{line if error.__cause__ else ''}{with_call}"
    if isinstance(error, SyntaxError):
        where = f"exercises/{exercise.name}.py:{error.lineno}"
        return say("{where}: Python cannot read this: {error}", where=where, error=error.msg)
    if isinstance(error, AttributeError) and _is_own(error.obj, files) and not frames:
        text = "exercises/{name}.py defines no {missing}"
        return say(text, name=exercise.name, missing=error.name)
    hint = _of_pytorch(str(error), frames[-1].line if frames else "")
    text = say("it raises {kind}: {error}", kind=type(error).__name__, error=error) + line
    return (f"{text}\n  {say(hint)}" if hint else text) + with_call


def _is_own(obj: Any, files: set[str]) -> bool:
    """Whether it is the learner's file as a module, or what stands for it in a notebook."""
    return isinstance(obj, SimpleNamespace) or (isinstance(obj, ModuleType) and vars(obj).get("__file__") in files)


#: What some of PyTorch's messages come of: patterns of a message and of the line that raised it, and the hint. Of
#: several that fit, the first is said.
OF_PYTORCH = (
    (
        "mat1 and mat2 shapes cannot be multiplied",
        "^[^@]*$",
        "A linear layer takes in_features numbers in the last axis. Of the first two numbers here, one is how many "
        "vectors there are in all the other axes, the other how long they are.",
    ),
    (
        "mat1 and mat2 shapes cannot be multiplied",
        "@",
        "The last axis of the first and the last but one of the second are to be equal: transpose one of them.",
    ),
    (
        "non-singleton",
        r"\.T\b",
        ".T turns all axes round: transpose(-2, -1), or .mT, exchanges the last two.",
    ),
    (
        "The size of tensor a",
        "",
        "These two do not broadcast: an axis is missing, as after a mean without keepdim=True, or in another place.",
    ),
    (
        "Sizes of tensors must match except in dimension",
        "",
        "torch.cat joins along the axis in which sizes may differ: dim=... is another one.",
    ),
    (
        "Expected size for first two dimensions of batch2",
        "",
        "Of two batches of matrices, the first has as many columns as the second has rows: transpose(-2, -1).",
    ),
    (
        "view size is not compatible",
        "",
        "After a transpose, numbers no longer lie in order: reshape, or contiguous() first.",
    ),
    (
        "The shape of the mask",
        "",
        "An index that is a mask does not broadcast: masked_fill does.",
    ),
    (
        "modified by an inplace operation",
        "",
        "What the backward pass needs has been changed in place, or is a number and no tensor any more.",
    ),
    (
        "Boolean value of Tensor with more than one value is ambiguous",
        "",
        "Is it there at all? Ask `is not None`. For all or any of its numbers: .all(), .any().",
    ),
    (
        "'tuple' object has no attribute",
        "",
        "What was called returns more than one thing, as attention does its output and its weights: take the first.",
    ),
    (
        "'(tuple|Tensor)' object is not callable",
        "",
        "Here a function is wanted, which is called later: lambda y: ...",
    ),
)


def _of_pytorch(message: str, line: str) -> str:
    """What may be said of one of PyTorch's messages about a line, or nothing."""
    fitting = (hint for of, at, hint in OF_PYTORCH if re.search(of, message) and re.search(at, line))
    return next(fitting, "")


def _purpose(exercise: Exercise, of: str) -> str:
    """The first line of what the book says of a function or class; in another language, what is checked of it."""
    if language() != "en":
        return "\n  ".join(say(stage.says) for stage in exercise.stages if stage.of == of)
    node: Any = ast.parse(exercise.solution.read_text(encoding="utf-8"))  # read, not imported: it may need more
    doc = ""
    for name in of.split("."):
        node = next((n for n in node.body if getattr(n, "name", None) == name), None)
        doc = (node and ast.get_docstring(node)) or doc
        if not node:
            break
    return doc.partition("\n\n")[0].replace("\n", "\n  ")


def check(*answers: Any) -> None:
    """Check functions and classes of a notebook, named as in the book, up to the first that is not right."""
    global _last
    known = {stage.of.partition(".")[0] for e in read_parts().values() for stage in e.stages if not stage.whole}
    names = {answer if isinstance(answer, str) else getattr(answer, "__name__", ""): answer for answer in answers}
    if unknown := names.keys() - known or ({""} if not names else set()):
        names, known = ", ".join(sorted(unknown)), ", ".join(sorted(known))
        raise ValueError(say("there is no exercise {names}; there are: {known}", names=names, known=known))
    for name, answer in names.items():
        if isinstance(answer, str) or (getattr(answer, "__module__", "") or "").partition(".")[0] == "snippets":
            raise ValueError(
                say("{name} is the book's own: run the cell in which you have written it again", name=name)
            )
    stages = [
        (exercise, stage)
        for exercise in EXERCISES.values()
        for stage in exercise.stages
        if stage.of.partition(".")[0] in names and not stage.whole
    ]
    for exercise, stage in stages:
        book = vars(importlib.import_module(f"snippets.{exercise.name.replace('/', '.')}"))
        try:
            run(stage, SimpleNamespace(**{**book, **names}))
        except Exception as error:
            _last = error
            print(f"{told('wrong', stage)}\n\n{explain(error, exercise, _files(answers))}")
            if getattr(error, "call", None):
                print("\n" + say("To try it: {line}", line=TO_TRY.format(of="")))
            return
        print(told("right", stage))
        _right.add(stage)
    for part in dict.fromkeys(exercise.part for exercise, _ in stages):
        tests = [s for one in EXERCISES.values() if one.part == part for s in one.stages if not s.whole]
        right = sum(stage in _right for stage in tests)
        print(f"{part}: " + say("{right} of {tests} stages are right", right=right, tests=len(tests)))


def _files(answers: Iterable[Any]) -> set[str]:
    """The cells in which functions and classes were defined."""
    functions = [f for answer in answers for f in (vars(answer).values() if isinstance(answer, type) else [answer])]
    return {f.__code__.co_filename for f in functions if hasattr(f, "__code__")}


#: Shows what a check that failed had called: code, the same in every language.
TO_TRY = "from exercises import case; c = case({of}); c.arguments"
#: What the last check of a notebook that failed has raised.
_last: Exception | None = None
#: The stages that were right in this notebook, of those that have been checked.
_right: set[Stage] = set()


def case(name: str = "", stage: str = "") -> SimpleNamespace:
    """What a check that failed had called: case("attention/masks", "causal"); in a notebook, case() is the last one.

    ``arguments``: by name, and ``call``, which makes it again; ``got`` and ``expected``, where something was compared.
    """
    error, function = _last, None
    if name:
        from exercises.repair.stages import read_everything  # here, since it imports this module

        exercise = read_everything()[name]
        answer = load(HERE / f"{name}.py", name)
        (one,) = [one for one in exercise.stages if stage in (one.name, one.item)]
        function, error = functools.reduce(getattr, one.of.split("."), answer), None
        try:
            run(one, answer)
        except Exception as raised:
            error = raised
    call = getattr(error, "call", None)
    if call is None:
        raise ValueError(say("no call has failed"))

    def again() -> Any:
        return function(*([call.owner] if call.owner is not None else []), *call.args, **call.kwargs)

    values = {"got": getattr(error, "got", None), "expected": getattr(error, "expected", None)}
    arguments = call.arguments() | ({"self": call.owner} if call.owner is not None else {})
    return SimpleNamespace(arguments=arguments, call=again if function else None, error=error, **values)


def told(verdict: str, stage: Stage) -> str:
    return textwrap.fill(f"{say(verdict)}  {stage.name}: {say(stage.says)}", 84, subsequent_indent=" " * 7)


# ---- comparing

#: What somebody gets who makes a mistake, from the inputs of the one check, and what to say of it.
Mistake = tuple[Callable[..., Any], str]
#: So many differences of a stage are looked at: a mistake explains most of them, and the first, or it is another one.
MOST_DIFFERENCES = 6
#: A single difference shows a mistake if it has so many numbers: fewer may agree by chance.
ENOUGH = 6


@dataclass
class Difference:
    """Something that is not as expected, and which mistakes explain it."""

    text: str
    got: Any
    expected: Any
    explained_by: dict[str, bool]  # by each hint; a mistake that does not run on these inputs says nothing of them
    call: Call | None = None

    def says_enough(self) -> bool:
        if not isinstance(self.got, Tensor):
            return not isinstance(self.got, int | float) and len(str(self.got)) >= ENOUGH
        if not self.got.is_floating_point():
            return self.got.numel() >= ENOUGH
        return self.got[self.got.isfinite()].unique().numel() >= ENOUGH


def _only_nan(x: Any) -> bool:
    """Whether it holds nothing else: all nan looks like all nan, whatever it comes of."""
    if isinstance(x, Tensor):
        return x.is_floating_point() and x.numel() > 0 and bool(x.isnan().all())
    return isinstance(x, float) and math.isnan(x)


class _Enough(Exception):
    """No more inputs are needed."""


#: The differences of the stage that runs, and what is watched in it.
_differences: list[Difference] | None = None
_watch: Watch | None = None


def _found(difference: Difference) -> None:
    """Keep a difference while a stage runs, so that others can tell what it comes of; else, raise it."""
    difference.call = _watch.last if _watch else None
    if _differences is None:
        raise _wrong([difference])
    _differences.append(difference)
    if len(_differences) == MOST_DIFFERENCES:
        raise _Enough


def _wrong(differences: Sequence[Difference]) -> Wrong:
    first = differences[0]
    wrong = Wrong(first.text, _hint_of(differences))
    wrong.call, wrong.got, wrong.expected = first.call, first.got, first.expected
    return wrong


def _all_differences(check: Callable[[Any], None], answer: Any) -> None:
    """Run a check on its other inputs, too, when something differs: a hint has to be true of all of them."""
    global _differences
    outer, found = _differences, []
    try:
        _differences = found
        check(answer)
    except Exception as error:
        if not found:
            if isinstance(error, Wrong) and not error.call and _watch:
                error.call = _watch.last
            raise
    finally:
        _differences = outer
    if found:
        raise _wrong(found)


def compare(
    got: Any, expected: Tensor, what: str, axes: str = "", mistakes: Iterable[Mistake] = (), *inputs: Any
) -> None:
    """Raise ``Wrong`` at the first element that differs: where, what was expected, and the likely mistake.

    ``mistakes`` are tried on the ``inputs``: whoever got the same has made that one.
    """
    what = say(what)
    check_tensor(got, what, _shape(expected))
    if got.shape == expected.shape and got.dtype != expected.dtype:
        text, hint = "{what}: expected the dtype {right}, got {wrong}", "To convert: .to(x.dtype), .double(), .long()."
        raise Wrong(text, hint, what=what, right=expected.dtype, wrong=got.dtype)
    if _same(got, expected):
        return
    if got.shape != expected.shape:
        named = axes if len(axes.split(",")) - axes.endswith(",)") == expected.dim() or "..." in axes else ""
        right, wrong = f"{_shape(expected)}{named and f', {named}'}", _shape(got)
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
    _found(Difference(difference, got, expected, _explained(got, expected, mistakes, inputs, _same)))


def compare_values(got: Any, expected: Any, what: str, mistakes: Iterable[Mistake] = (), *inputs: Any) -> None:
    """The same for numbers, texts, lists, tuples and dictionaries; their elements may be of any of these kinds."""
    if _equal(got, expected):
        return
    difference = _difference(got, expected, say(what))
    _found(Difference(difference, got, expected, _explained(got, expected, mistakes, inputs, _equal)))


def varied(compute: Callable[..., Any]) -> Callable[..., Callable[..., Any]]:
    """For mistakes: ``varied(compute)(sign=-1)`` computes the same with ``sign=-1``."""
    return lambda **change: lambda *inputs: compute(*inputs, **change)


def _explained(
    got: Any, expected: Any, mistakes: Iterable[Mistake], inputs: Sequence[Any], same: Callable
) -> dict[str, bool]:
    """Whether somebody who makes a mistake gets the same, by what is said of it. At once: a check may reuse inputs."""
    explained: dict[str, bool] = {}
    for wrong, hint in mistakes:
        try:
            other = wrong(*inputs)
        except Exception:  # for these inputs, the mistake is none that runs
            continue
        this = not same(other, expected) and same(got, other) and not _only_nan(got)
        explained[hint] = explained.get(hint, False) or this
    return explained


def _hint_of(differences: Sequence[Difference]) -> str:
    """What to say of the mistake that has been made, if it is one of these: by chance, none explains so much."""
    first = differences[0]
    found = []
    for hint in first.explained_by:
        verdicts = [one.explained_by[hint] for one in differences if hint in one.explained_by]
        explained = sum(verdicts)
        if first.explained_by[hint] and 2 * explained >= len(verdicts) and (explained > 1 or first.says_enough()):
            found.append((explained / len(verdicts), hint))
    if found:
        return max(found, key=lambda pair: pair[0])[1]  # of equals, the first
    return _of_the_numbers(first.got, first.expected)


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


def _of_the_numbers(got: Any, expected: Any) -> str:
    """What can be said of any tensor."""
    if not isinstance(got, Tensor) or not isinstance(expected, Tensor):
        return ""
    if got.shape != expected.shape or not got.is_floating_point():
        return ""
    if got.isnan().any() and not expected.isnan().any():
        return (
            "nan comes of 0 / 0, inf / inf, 0 times inf or inf - inf: of a divisor that is 0, as where a count never "
            "grows, of a row of nothing but -inf, or of exp of a large number."
        )
    if got.dim() > 1 and _same(got.mT, expected):
        return "It is what is expected with the last two axes swapped: transposed once too often, or not at all."
    large = expected.abs() > 1e-3
    ratios = got[large] / expected[large]
    if (
        len(ratios) > 1
        and ratios.isfinite().all()
        and torch.allclose(ratios, ratios.mean(), rtol=1e-3)
        and _same(ratios.mean() * expected, got)
    ):
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


def raises(kind: type[Exception], call: Callable[[], Any], what: str, hint: str) -> None:
    """What has to be refused, as the docstring says. ``what``: the case."""
    try:
        call()
    except kind:
        return
    except Exception as error:
        text = "{what}: expected a {kind}, got {wrong}"
        raise Wrong(text, hint, what=say(what), kind=kind.__name__, wrong=type(error).__name__) from error
    raise Wrong("{what}: expected a {kind}, got none", hint, what=say(what), kind=kind.__name__)


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
