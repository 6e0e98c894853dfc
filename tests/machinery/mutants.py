"""Change a module in one place, and see whether a test on its meaning notices.

A mutant is the source of a module with one sign, axis, scale, mask, comparison, argument or check changed; of a module
of ``book``, which is about text, also one part of a regular expression, one element of a list, one word or condition.
Its tests are run against it in this process: the mutant stands in for the module in ``sys.modules``, the test file
is executed anew so that it imports the mutant, and its test functions are called one by one. So tests on meaning
are plain functions, with ``parametrize`` and Hypothesis if they like; of fixtures they may have ``tmp_path``,
``monkeypatch``, and those that their own file makes of these.
"""

from __future__ import annotations

import ast
import atexit
import copy
import inspect
import re
import signal
import sys
import tempfile
import threading
import warnings
import weakref
from collections.abc import Callable, Iterator
from contextlib import ExitStack, contextmanager, suppress
from dataclasses import dataclass
from functools import partial
from itertools import pairwise, product
from pathlib import Path
from types import CodeType, FrameType, ModuleType

import pytest
import sympy.printing  # noqa: F401  # else the first comparison of tensors loads it, within the time of one test
import torch.testing  # noqa: F401  # and what is cut short while it is loaded cannot be loaded again
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
#: The same for what is not expected to run for ever: the tests of some modules take more than a mutant has.
LONG = 60

#: Where tests write files: they are many, and small.
MEMORY = "/dev/shm" if Path("/dev/shm").is_dir() else None

# The first finalizer asks that all of them be run at the end. Let that be the interpreter's and not a mutant's:
# those of torch take its operators away.
weakref.finalize(sys.modules[__name__], int)

#: What a file that is changed may belong to.
PACKAGES = ("snippets", "book")

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
CHANGED = ast.Compare | ast.UnaryOp  # conditions that have an opposite of their own
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
    about_text = _module_name(path).startswith("book.")
    found = {}
    for node in _code(ast.parse(source)):
        changes = [(node, replacement) for replacement in _replacements(node)]
        for changed, replacement in [*changes, *(_changes_of_text(node) if about_text else [])]:
            if ast.dump(replacement) != ast.dump(changed):
                mutant = _edit(path, source, changed, replacement)
                found.setdefault(mutant.source, mutant)
    return sorted(found.values(), key=lambda mutant: mutant.line)


def survivors(
    path: Path, tests: Path | list[Path], candidates: list[Mutant], patience: float = PATIENCE
) -> list[Mutant]:
    """Those of the mutants of ``path`` that pass every test in the file or files ``tests``."""
    runner = Runner(path, tests, patience)
    if len(candidates) > 1:  # for one, it would take longer than it saves
        runner.note_calls()
    return [mutant for mutant in candidates if runner.first_failure(mutant.source, mutant.line) is None]


#: A test: its name, and the number of its set of parameters.
Name = tuple[str, int]


class Runner:
    """Runs the tests of a file, or of some, against other sources of a module, those first that failed last."""

    def __init__(self, path: Path, tests: Path | list[Path], patience: float = PATIENCE) -> None:
        self.path = path
        self.patience = patience
        files = tests if isinstance(tests, list) else [tests]
        self.tests = {
            file.name: compile(file.read_text(encoding="utf-8"), str(file), "exec", dont_inherit=True) for file in files
        }
        self.failed_before: list[Name] = []
        #: Which functions of the module each test calls, by their first lines, and what is called before any test.
        self.calls: dict[Name, set[int]] = {}
        self.calls_before: set[int] = set()

    def note_calls(self) -> None:
        """Run the tests once against the module as it is, and note which functions of it each of them calls."""
        calls: dict[Name, set[int]] = {}
        source = self.path.read_text(encoding="utf-8")
        with _few_examples(), _in_place_of(self.path), _own_end():
            with _noting_calls(self.path) as self.calls_before:
                _execute(self.path, compile(source, str(self.path), "exec", dont_inherit=True))
                tests = self._collect()
            for name, test in tests:
                with _noting_calls(self.path) as called, suppress(Exception):  # what fails is reported elsewhere
                    test()
                    calls[name] = called  # of one that ends early, nobody knows what else it would call
        self.calls = calls

    def _may_notice(self, line: int) -> Callable[[Name], bool]:
        """Which tests can notice a change in this line? Not those that never call the function around it."""
        function = _function_around(self.path.read_text(encoding="utf-8"), line)
        if function is None or function in self.calls_before:
            return lambda name: True
        return lambda name: function in self.calls.get(name, {function})

    def first_failure(self, source: str, line: int | None = None) -> str | None:
        """Name and message of the first test that fails with this source of the module, or None.

        ``line``: where alone the source differs from the module's own.
        """
        name, number = "import", 0
        may_notice = self._may_notice(line) if line and self.calls else lambda name: True
        try:  # around all of it: time may run out while what a test has made is being thrown away
            with _few_examples(), _in_place_of(self.path), _own_end(), _at_most(self.patience):
                _execute(self.path, compile(source, str(self.path), "exec", dont_inherit=True))
                tests = (found for found in self._collect() if may_notice(found[0]))
                for (name, number), test in sorted(tests, key=self._rank):  # noqa: B007 (for the report)
                    test()
        except KeyboardInterrupt:
            raise
        except BaseException as error:  # what pytest.raises raises is no Exception
            if (name, number) in self.failed_before:
                self.failed_before.remove((name, number))
            self.failed_before.insert(0, (name, number))
            return f"{name}: {type(error).__name__}: {error}"
        return None

    def _collect(self) -> list[tuple[Name, Callable[[], None]]]:
        """Name and number of each test: each set of parameters is one."""
        found = []
        for file, code in self.tests.items():
            names = vars(_execute(self.path.with_name(file), code))
            fixtures = {name: value for name, value in names.items() if isinstance(value, FIXTURE)}
            tests = {name: test for name, test in names.items() if name.startswith("test_")}
            found += [
                ((name, number), partial(_with_fixtures, test, fixtures, values))
                for name, test in tests.items()
                for number, values in enumerate(_parameters(test))
            ]
        return found

    def _rank(self, test: tuple[Name, Callable[[], None]]) -> tuple[int, bool]:
        """Earlier killers first, then known answers, then properties; else the order of the file."""
        name, function = test
        order = self.failed_before.index(name) if name in self.failed_before else len(self.failed_before)
        return order, hasattr(function.args[0], "hypothesis")


FIXTURE = type(pytest.fixture(lambda: None))


def _with_fixtures(function: Callable, fixtures: dict[str, Callable], values: dict[str, object]) -> None:
    """Call a test with its parameters, and with the fixtures that it asks for."""
    with ExitStack() as stack:
        made = dict(values)

        def arguments(function: Callable) -> dict[str, object]:
            return {name: make(name) for name in inspect.signature(function).parameters}

        def make(name: str) -> object:
            if name not in made:
                if name == "monkeypatch":
                    made[name] = stack.enter_context(pytest.MonkeyPatch.context())
                elif name == "tmp_path":
                    made[name] = Path(stack.enter_context(tempfile.TemporaryDirectory(dir=MEMORY))).resolve()
                elif name in fixtures:
                    fixture = inspect.unwrap(fixtures[name])
                    value = fixture(**arguments(fixture))
                    if inspect.isgenerator(value):
                        value = stack.enter_context(contextmanager(lambda: value)())
                    made[name] = value
                else:
                    raise ValueError(f"the fixture {name} is not to be had here")
            return made[name]

        function(**arguments(function))


def _parameters(test: Callable) -> Iterator[dict[str, object]]:
    """The keyword arguments that ``pytest.mark.parametrize`` gives to a test."""
    choices = []
    for mark in getattr(test, "pytestmark", []):
        if mark.name == "thorough":
            continue  # says when pytest runs it
        if mark.name == "skipif":
            if mark.args[0]:
                return
            continue
        if mark.name != "parametrize":
            raise ValueError(f"{test.__name__} is marked {mark.name}: only parametrize and skipif are understood here")
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
    """The name by which a file below one of the packages is imported, with the package first."""
    parts = path.with_suffix("").parts
    return ".".join(parts[max(i for i, part in enumerate(parts) if part in PACKAGES) :])


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
def _noting_calls(path: Path) -> Iterator[set[int]]:
    """The first lines of the functions of a file that are called meanwhile, in any thread."""
    found: set[int] = set()
    file = str(path)

    def note(frame: FrameType, event: str, _: object) -> None:
        if frame.f_code.co_filename == file and frame.f_code.co_name != "<module>":
            found.add(frame.f_code.co_firstlineno)

    before = sys.gettrace()
    sys.settrace(note)
    threading.settrace(note)
    try:
        yield found
    finally:
        sys.settrace(before)
        threading.settrace(before)


def _function_around(source: str, line: int) -> int | None:
    """The first line of the outermost function in whose body this line stands: its head is run where it is defined."""
    for node in ast.walk(ast.parse(source)):  # from the outside
        if isinstance(node, ast.FunctionDef) and max(node.lineno + 1, node.body[0].lineno) <= line <= node.end_lineno:
            return min(part.lineno for part in [node, *node.decorator_list])
    return None


@contextmanager
def _few_examples() -> Iterator[None]:
    before = settings.get_current_profile_name()
    settings.load_profile("mutants")
    try:
        yield
    finally:
        settings.load_profile(before)


@contextmanager
def _own_end() -> Iterator[None]:
    """What is to be done at the end of the interpreter is done at the end of the mutant: an engine uses much memory."""
    register = atexit.register
    with ExitStack() as stack:
        atexit.register = stack.callback
        try:
            yield
        finally:
            atexit.register = register


@contextmanager
def _at_most(seconds: float) -> Iterator[None]:
    """Raise ``TimeoutError`` if it takes longer, where the system can: a mutant may run for ever.

    What counts is processor time, whatever else the machine does; and ten times as long for one that only waits.
    Where nothing can be raised, as in a callback of the garbage collector, the next signal does it a second later.
    """

    over = False

    def stop(number, frame):
        if not over:
            raise TimeoutError(f"not done after {seconds} s")

    def unraisable(lost):
        if not isinstance(lost.exc_value, TimeoutError):
            ordinary(lost)

    if not hasattr(signal, "setitimer"):
        yield
        return
    ordinary, sys.unraisablehook = sys.unraisablehook, unraisable
    timers = [(signal.ITIMER_PROF, signal.SIGPROF, seconds), (signal.ITIMER_REAL, signal.SIGALRM, 10 * seconds)]
    before = [signal.signal(number, stop) for _, number, _ in timers]
    for timer, _, limit in timers:
        signal.setitimer(timer, limit, 1)
    try:
        yield
    finally:
        over = True  # no signal keeps the others from being taken back
        for (timer, number, _), handler in zip(timers, before, strict=True):
            signal.setitimer(timer, 0)
            signal.signal(number, handler)
        sys.unraisablehook = ordinary


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
                case ast.If(test=ast.Compare(left=ast.Name("__name__"))):
                    continue  # a module that is imported does nothing of it
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
        case ast.BinOp(op=ast.Div(), right=ast.Constant(value=str()) | ast.JoinedStr()):
            return  # a path
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


def _changes_of_text(node: ast.AST) -> Iterator[tuple[ast.AST, ast.AST]]:
    """What else is changed in code that reads and writes text: a node, and what stands in its place."""
    match node:
        case ast.Call(func=ast.Attribute(value=ast.Name("re")), args=[ast.Constant() | ast.JoinedStr() as text, *_]):
            yield from ((text, other) for other in _patterns(text))
        case ast.Constant(value=str() as words) if re.fullmatch(r"[\w-]+(\|[\w-]+)+", words):
            yield from ((node, ast.Constant(other)) for other in regex_mutants(words))
        case ast.List(ctx=ast.Load()) | ast.Set() | ast.Tuple(ctx=ast.Load()) if len(node.elts) > 1:
            yield from ((node, _with(node, elts=_without(node.elts, i))) for i in range(len(node.elts)))
        case ast.Dict() if len(node.keys) > 1:
            for i in range(len(node.keys)):
                yield node, _with(node, keys=_without(node.keys, i), values=_without(node.values, i))
        case ast.If(test=test) | ast.IfExp(test=test) if not isinstance(test, CHANGED):
            yield test, ast.UnaryOp(ast.Not(), test)
        case ast.comprehension():
            tests = (test for test in node.ifs if not isinstance(test, CHANGED))
            yield from ((test, ast.UnaryOp(ast.Not(), test)) for test in tests)
        case (
            ast.Assign(targets=[ast.Attribute() | ast.Subscript()])
            | ast.AugAssign()
            | ast.Expr(value=ast.Yield() | ast.YieldFrom())
            | ast.Continue()
            | ast.Return(value=None)
        ):
            yield node, ast.Pass()
    match node:
        case ast.Compare():
            words = [node.left, *node.comparators]
        case ast.Call(func=ast.Attribute(value=ast.Name("re"))):
            words = node.args[1:]
        case ast.Call():
            words = [*node.args, *(keyword.value for keyword in node.keywords if keyword.arg != "encoding")]
        case _:
            return
    for word in words:
        if isinstance(word, ast.Constant) and isinstance(word.value, str) and " " not in word.value.strip():
            yield word, ast.Constant(word.value + "x")  # what has several words is a message


def _without(elements: list, i: int) -> list:
    return elements[:i] + elements[i + 1 :]


def _patterns(text: ast.Constant | ast.JoinedStr) -> Iterator[ast.expr]:
    """Other regular expressions in the place of one, be it written as a string or with values put in."""
    if isinstance(text, ast.Constant):
        yield from map(ast.Constant, regex_mutants(text.value))
        return
    values = {chr(0xE000 + i): part for i, part in enumerate(text.values) if isinstance(part, ast.FormattedValue)}
    marks = iter(values)
    whole = "".join(part.value if isinstance(part, ast.Constant) else next(marks) for part in text.values)
    for other in regex_mutants(whole):
        parts = re.split("([\ue000-\uf8ff])", other)
        yield _with(text, values=[values.get(part) or ast.Constant(part) for part in parts if part])


MEMBER = re.compile(r"(?:\\.|.)(?:-(?:\\.|.))?", re.S)
TOKEN = re.compile(
    r"""(?P<escape>\\.) | (?P<set>\[\^?\]?(?:\\.|[^\]\\])*\]) | (?P<open>\((?:\?(?:[:=!]|<[=!]|P<\w+>))?)
    | (?P<close>\)) | (?P<bar>\|) | (?P<times>[*+?]\??|\{\d*,?\d*\}\??) | (?P<anchor>[$^]) | .""",
    re.X | re.S,
)


def regex_mutants(pattern: str) -> list[str]:
    """A regular expression without one alternative, repetition, anchor, look-around, negation or member of a set."""
    cuts: list[tuple[int, int]] = []  # what is left out, from where to where
    groups: list[tuple[int, str, list[int]]] = [(-1, "", [])]  # those that are open: start, sign, bars

    def alternatives(start: int, bars: list[int], end: int) -> None:
        edges = [start, *bars, end]  # of the brackets and bars themselves
        if bars:
            for i, (left, right) in enumerate(pairwise(edges)):
                cuts.append((left + 1, right + 1) if i == 0 else (left, right))

    for token in TOKEN.finditer(pattern):
        start, end = token.span()
        match token.lastgroup:
            case "escape" if token[0] in (r"\b", r"\B", r"\A", r"\Z"):
                cuts.append((start, end))
            case "set":
                negated = token[0][1] == "^"
                if negated:
                    cuts.append((start + 1, start + 2))
                members = list(MEMBER.finditer(pattern, start + 1 + negated, end - 1))
                cuts += [member.span() for member in members if len(members) > 1]
            case "open":
                groups.append((end - 1, token[0], []))
            case "bar":
                groups[-1][2].append(start)
            case "close":
                last, sign, bars = groups.pop()
                alternatives(last, bars, start)
                if sign.endswith(("=", "!")):
                    cuts.append((last + 1 - len(sign), end))
            case "times":
                cuts.append((start, end))
                if end - start > 1 and token[0][-1] == "?":
                    cuts.append((end - 1, end))
            case "anchor":
                cuts.append((start, end))
    alternatives(-1, groups[0][2], len(pattern))
    found = dict.fromkeys(pattern[:start] + pattern[end:] for start, end in cuts)
    return [other for other in found if other and _compiles(other)]


def _compiles(pattern: str) -> bool:
    try:
        re.compile(pattern)
    except re.error:
        return False
    return True


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
