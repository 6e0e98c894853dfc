"""Change a module in one place, and see whether a test on its meaning notices.

A mutant is the source of a taught module with one sign, axis, scale, mask, comparison, argument or check changed.
Its tests are run against it in this process: the mutant stands in for the module in ``sys.modules``, the test file
is executed anew so that it imports the mutant, and its test functions are called one by one. So tests on meaning
are plain functions, with ``parametrize`` and Hypothesis if they like, but without fixtures.
"""

from __future__ import annotations

import ast
import copy
import signal
import sys
import warnings
from collections.abc import Callable, Iterator
from contextlib import contextmanager
from dataclasses import dataclass
from functools import partial
from itertools import pairwise, product
from pathlib import Path
from types import CodeType, ModuleType

import pytest
from hypothesis import HealthCheck, Phase, settings

settings.register_profile(
    "mutants",
    max_examples=10,
    phases=[Phase.explicit, Phase.generate],  # a mutant has to fail, not to fail in the simplest way
    report_multiple_bugs=False,
    deadline=None,
    derandomize=True,
    database=None,
    suppress_health_check=list(HealthCheck),
)

#: Seconds of its process after which a mutant counts as noticed: its tests take a small part of that, and one that
#: runs for ever may take more memory with each of them.
PATIENCE = 5

OPERATORS = {
    ast.Add: [ast.Sub], ast.Sub: [ast.Add],
    ast.Mult: [ast.Div], ast.Div: [ast.Mult], ast.FloorDiv: [ast.Mult], ast.Mod: [ast.FloorDiv], ast.Pow: [ast.Mult],
    ast.BitAnd: [ast.BitOr], ast.BitOr: [ast.BitAnd],
    ast.Lt: [ast.LtE, ast.Gt], ast.LtE: [ast.Lt, ast.GtE], ast.Gt: [ast.GtE, ast.Lt], ast.GtE: [ast.Gt, ast.LtE],
    ast.Eq: [ast.NotEq], ast.NotEq: [ast.Eq],
    ast.Is: [ast.IsNot], ast.IsNot: [ast.Is], ast.In: [ast.NotIn], ast.NotIn: [ast.In],
    ast.And: [ast.Or], ast.Or: [ast.And],
}  # fmt: skip
NAMES = {"min": "max", "max": "min", "any": "all", "all": "any", "sum": "mean", "mean": "sum"}
# Calls f(x) that become x, and calls x.f(...) that become x
UNWRAPPED = {"sqrt", "tanh", "exp", "log"}
DROPPED = {"transpose", "masked_fill", "squeeze", "unsqueeze", "flatten", "clamp_min"}
BARE = ast.Name | ast.Constant | ast.Attribute | ast.Call  # need no brackets wherever they are put
SYMMETRIC = {"transpose", "min", "max", "allclose"}  # the order of the arguments means nothing


@dataclass(frozen=True)
class Mutant:
    """A module with one change. ``before`` and ``after`` are the lines that differ."""

    path: Path
    line: int
    before: str
    after: str
    source: str

    def __str__(self) -> str:
        return f"{_module_name(self.path).replace('.', '/')}.py:{self.line}\n    - {self.before}\n    + {self.after}"


def mutants(path: Path) -> list[Mutant]:
    """Every mutant of a module, from the first line to the last."""
    source = path.read_text(encoding="utf-8")
    found = {}
    for node in _code(ast.parse(source)):
        for replacement in _replacements(node):
            if ast.dump(replacement) != ast.dump(node):
                mutant = _edit(path, source, node, replacement)
                found.setdefault(mutant.source, mutant)
    return sorted(found.values(), key=lambda mutant: mutant.line)


def survivors(path: Path, tests: Path, candidates: list[Mutant]) -> list[Mutant]:
    """Those of the mutants of ``path`` that pass every test in the file ``tests``."""
    runner = Runner(path, tests)
    return [mutant for mutant in candidates if runner.first_failure(mutant.source) is None]


class Runner:
    """Runs the tests of a file against other sources of a module, those first that failed last."""

    def __init__(self, path: Path, tests: Path) -> None:
        self.path = path
        self.tests = tests
        self.code = compile(tests.read_text(encoding="utf-8"), str(tests), "exec", dont_inherit=True)
        self.failed_before: list[str] = []

    def first_failure(self, source: str) -> str | None:
        """Name and message of the first test that fails with this source of the module, or None."""
        name = "import"
        with _few_examples(), _in_place_of(self.path), _at_most(PATIENCE):
            try:
                _execute(self.path, compile(source, str(self.path), "exec", dont_inherit=True))
                for name, test in sorted(self._collect(), key=self._rank):  # noqa: B007 (name is for the report)
                    test()
            except (KeyboardInterrupt, SystemExit):
                raise
            except BaseException as error:  # what pytest.raises raises is no Exception
                if name in self.failed_before:
                    self.failed_before.remove(name)
                self.failed_before.insert(0, name)
                return f"{name}: {type(error).__name__}: {error}"
        return None

    def _collect(self) -> list[tuple[str, Callable[[], None]]]:
        module = _execute(self.path.with_name(self.tests.name), self.code)
        tests = {name: test for name, test in vars(module).items() if name.startswith("test_")}
        return [(name, partial(test, **values)) for name, test in tests.items() for values in _parameters(test)]

    def _rank(self, test: tuple[str, Callable[[], None]]) -> tuple[int, bool]:
        """Earlier killers first, then known answers, then properties; else the order of the file."""
        name, function = test
        order = self.failed_before.index(name) if name in self.failed_before else len(self.failed_before)
        return order, hasattr(function.func, "hypothesis")


def _parameters(test: Callable) -> Iterator[dict[str, object]]:
    """The keyword arguments that ``pytest.mark.parametrize`` gives to a test."""
    choices = []
    for mark in getattr(test, "pytestmark", []):
        if mark.name == "thorough":
            continue  # says when pytest runs it
        if mark.name != "parametrize":
            raise ValueError(f"{test.__name__} is marked {mark.name}: only parametrize is understood here")
        names, values = mark.args
        names = [name.strip() for name in names.split(",")] if isinstance(names, str) else list(names)
        choices.append([dict(zip(names, _row(value, len(names)), strict=True)) for value in values])
    for choice in product(*choices):
        yield {name: value for chosen in choice for name, value in chosen.items()}


def _row(value: object, length: int) -> tuple:
    """One set of arguments, however it was written."""
    if isinstance(value, type(pytest.param())):
        return value.values
    return value if length > 1 else (value,)


def _module_name(path: Path) -> str:
    """The name by which a file below ``snippets`` is imported, with its package first."""
    parts = path.with_suffix("").parts
    return ".".join(parts[len(parts) - 1 - parts[::-1].index("snippets") :])


@contextmanager
def _in_place_of(path: Path) -> Iterator[None]:
    """Forget the package of ``path`` for a while, so that whatever imports it meanwhile finds what is put there."""
    package = _module_name(path).partition(".")[0]
    ours = {name: module for name, module in sys.modules.items() if name.partition(".")[0] == package}
    for name in ours:
        del sys.modules[name]
    try:
        with warnings.catch_warnings():
            warnings.simplefilter("ignore")
            yield
    finally:
        for name in [name for name in sys.modules if name.partition(".")[0] == package]:
            del sys.modules[name]
        sys.modules.update(ours)


@contextmanager
def _few_examples() -> Iterator[None]:
    before = settings.get_current_profile_name()
    settings.load_profile("mutants")
    try:
        yield
    finally:
        settings.load_profile(before)


@contextmanager
def _at_most(seconds: float) -> Iterator[None]:
    """Raise ``TimeoutError`` if it takes longer, where the system can: a mutant may run for ever.

    What counts is processor time, whatever else the machine does; and ten times as long for one that only waits.
    """

    def stop(number, frame):
        raise TimeoutError(f"not done after {seconds} s")

    if not hasattr(signal, "setitimer"):
        yield
        return
    timers = [(signal.ITIMER_PROF, signal.SIGPROF, seconds), (signal.ITIMER_REAL, signal.SIGALRM, 10 * seconds)]
    before = [signal.signal(number, stop) for _, number, _ in timers]
    for timer, _, limit in timers:
        signal.setitimer(timer, limit)
    try:
        yield
    finally:
        for (timer, number, _), handler in zip(timers, before, strict=True):
            signal.setitimer(timer, 0)
            signal.signal(number, handler)


def _execute(path: Path, code: CodeType) -> ModuleType:
    """Run code as the module that would stand at that path: tests too, so that they are forgotten with the package."""
    name = _module_name(path)
    module = sys.modules[name] = ModuleType(name)
    module.__file__ = code.co_filename
    exec(code, module.__dict__)
    return module


def _code(node: ast.AST) -> Iterator[ast.AST]:
    """All nodes below that a mutant may change: no annotations, imports, docstrings or messages."""
    for name, value in ast.iter_fields(node):
        if name in {"annotation", "returns"}:
            continue
        for child in value if isinstance(value, list) else [value]:
            match child:
                case ast.Raise() | ast.JoinedStr() | ast.Import() | ast.ImportFrom() | ast.Expr(value=ast.Constant()):
                    continue
                case ast.AST():
                    yield child
                    if not _is_literal(child):  # -1 is one number
                        yield from _code(child)


def _is_literal(node: ast.AST) -> bool:
    return isinstance(node, ast.UnaryOp) and isinstance(node.op, ast.USub) and isinstance(node.operand, ast.Constant)


def _replacements(node: ast.AST) -> Iterator[ast.AST]:
    """What a mutant may have in the place of a node."""
    match node:
        case ast.Constant(value=bool() as value):
            yield ast.Constant(not value)
        case ast.Constant(value=int() as value):
            yield ast.Constant(value + 1)
            if value > 0:  # of 0 only to 1: axis -1 often is axis 0 or 1
                yield ast.Constant(value - 1)
        case ast.Constant(value=float() as value):
            yield ast.Constant(value + 1)
        case ast.UnaryOp(op=ast.USub(), operand=ast.Constant(value=int() as value)):
            yield ast.Constant(1 - value)
            yield ast.Constant(-1 - value)
        case ast.UnaryOp(op=ast.USub(), operand=ast.Attribute(attr="inf") as infinity):
            yield infinity
            yield ast.Constant(0.0)
        case ast.UnaryOp(op=ast.USub() | ast.Not() | ast.Invert()):
            yield node.operand
        case ast.BinOp(op=ast.MatMult()):
            yield _with(node, left=node.right, right=node.left)
        case ast.BinOp() | ast.AugAssign():
            for operator in OPERATORS.get(type(node.op), []):
                yield _with(node, op=operator())
        case ast.BoolOp():
            for operator in OPERATORS[type(node.op)]:
                yield _with(node, op=operator())
            for i in range(len(node.values)):
                rest = node.values[:i] + node.values[i + 1 :]
                yield _with(node, values=rest) if len(rest) > 1 else rest[0]
        case ast.Compare():
            for i, old in enumerate(node.ops):
                for operator in OPERATORS[type(old)]:
                    yield _with(node, ops=[*node.ops[:i], operator(), *node.ops[i + 1 :]])
        case ast.Attribute(attr="T"):
            yield node.value
        case ast.Call():
            yield from _call_replacements(node)
        case ast.If(body=[ast.Raise()], orelse=[]) | ast.Expr(value=ast.Call()):
            yield ast.Pass()


def _call_replacements(node: ast.Call) -> Iterator[ast.AST]:
    match node.func:
        case ast.Name(id=name):
            if name in NAMES and name != "sum":  # Python has no mean
                yield _with(node, func=ast.Name(NAMES[name]))
        case ast.Attribute(attr=name):
            if name in NAMES:
                yield _with(node, func=_with(node.func, attr=NAMES[name]))
            if name in UNWRAPPED:
                yield node.args[0] if node.args else node.func.value
            if name in DROPPED:
                yield node.func.value
            if name == "einsum":
                inputs, _, output = node.args[0].value.partition("->")
                for i in range(len(output) - 1):
                    swapped = output[:i] + output[i + 1] + output[i] + output[i + 2 :]
                    yield _with(node, args=[ast.Constant(f"{inputs}->{swapped}"), *node.args[1:]])
                return
        case _:
            return
    if len(node.args) > 1:  # forget the mask
        yield _with(node, args=node.args[:-1])
    if name not in SYMMETRIC:
        for i, (first, second) in enumerate(pairwise(node.args)):
            if not isinstance(first, ast.Starred) and not isinstance(second, ast.Starred):
                yield _with(node, args=[*node.args[:i], second, first, *node.args[i + 2 :]])


def _with(node: ast.AST, **changes: object) -> ast.AST:
    """A copy of the node with other fields."""
    changed = copy.copy(node)
    for name, value in changes.items():
        setattr(changed, name, value)
    return changed


def _edit(path: Path, source: str, node: ast.AST, replacement: ast.AST) -> Mutant:
    """The mutant in whose source the text of ``node`` is that of ``replacement``."""
    lines = source.encode().splitlines(keepends=True)  # columns of the syntax tree count bytes
    first, last = node.lineno - 1, node.end_lineno - 1
    text = ast.unparse(ast.fix_missing_locations(replacement))
    if isinstance(replacement, ast.expr) and not isinstance(replacement, BARE):
        text = f"({text})"
    changed = lines[first][: node.col_offset] + text.encode() + lines[last][node.end_col_offset :]
    return Mutant(
        path,
        node.lineno,
        before=b"".join(lines[first : last + 1]).decode().strip(),
        after=changed.decode().strip(),
        source=b"".join([*lines[:first], changed, *lines[last + 1 :]]).decode(),
    )
