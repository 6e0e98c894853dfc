"""Results of a function that takes long, kept by what its code and its arguments mean.

A cell of a lab shows the function that trains. Whoever changes it there, or a setting that it uses, has another
function, and that one is run; where nothing was changed, the result that comes with the book is read.
"""

from __future__ import annotations

import dis
import functools
import hashlib
import inspect
import json
import textwrap
from collections.abc import Callable, Iterable, Mapping
from importlib import metadata
from multiprocessing import parent_process
from pathlib import Path
from types import BuiltinFunctionType, CodeType, FunctionType, ModuleType

from torch import Tensor
from tqdm import tqdm, trange

from snippets.tools import kept
from snippets.tools.fingerprint import fingerprint, meaning, sources
from snippets.tools.in_parallel import in_parallel
from snippets.tools.results import read, write

#: Where the code of a notebook stands.
NOTEBOOK = "__main__"


class Cached:
    """A function that returns a dict of what JSON can hold, and perhaps the weights of a model as "weights".

    What the same code has computed is read from snippets/results/NAME, which comes with the book, and from .cache;
    in a notebook, also what another version of torch has computed.
    """

    def __init__(self, function: Callable[..., dict], name: str) -> None:
        functools.update_wrapper(self, function)
        self.function, self.name = function, name
        self.asked: dict[str, dict] = {}  # records by key
        self.computed: set[str] = set()  # the keys of those that were not there

    def __reduce__(self) -> str:
        return self.function.__qualname__  # to another process it goes by its name, as functions do

    def __call__(self, *arguments, **named) -> dict:
        (result,) = self.each([self._bound(arguments, named)])
        return result

    def each(self, calls: Iterable[tuple | Mapping]) -> list[dict]:
        """self(*arguments) for each, or self(**arguments); what is missing at once, or, for a notebook, one by one."""
        own = meant(self.function, self.__module__)  # once for all calls
        asked = [(self._key(own, arguments), arguments) for arguments in map(self._given, calls)]
        known = {key: record for key, _ in asked if (record := self._known(key)) is not None}
        missing = {key: arguments for key, arguments in asked if key not in known}
        if missing:
            kept.train_nothing(self.name)
        if len(missing) > 1 and self.__module__ != NOTEBOOK:  # which another process could not import
            results: Iterable[dict] = in_parallel(_compute, [(self, arguments) for arguments in missing.values()])
        else:
            results = (self.function(*arguments) for arguments in missing.values())
        for key, result in zip(missing, results, strict=True):
            apart = _apart({"torch": _version(), "result": result})
            write(self._file(key), key, apart)
            known[key] = _whole(*apart)
            self.computed.add(key)
        self.asked |= {key: known[key] for key, _ in asked}
        return [known[key]["result"] for key, _ in asked]

    def key(self, *arguments) -> str:
        """A hash of what the function and these arguments mean."""
        return self._key(meant(self.function, self.__module__), self._bound(arguments))

    def _key(self, own: str, arguments: tuple) -> str:
        return hashlib.sha256(f"{own} {meant(arguments, self.__module__)}".encode()).hexdigest()[:16]

    def _given(self, call: tuple | Mapping) -> tuple:
        return self._bound((), dict(call)) if isinstance(call, Mapping) else self._bound(call)

    def _bound(self, arguments: tuple, named: dict | None = None) -> tuple:
        bound = inspect.signature(self.function).bind(*arguments, **(named or {}))
        bound.apply_defaults()
        return bound.args

    def _file(self, key: str) -> Path:
        return kept.CACHE / "runs" / f"{self.name}-{key}"

    def _known(self, key: str) -> dict | None:
        """The record, if there is one that counts."""
        for folder in (kept.RESULTS, kept.CACHE):
            tensors, records = _together(folder / self.name)
            if key in records:
                weights = {name.partition("/")[2]: x for name, x in tensors.items() if name.startswith(f"{key}/")}
                if self._counts(record := _whole(weights, records[key])):
                    return record
        if (alone := read(self._file(key), key)) and self._counts(record := _whole(*alone)):
            return record
        return None

    def _counts(self, record: dict) -> bool:
        return record["torch"] == _version() or self.__module__ == NOTEBOOK


def write_all(functions: list[Cached], folder: Path, code: str) -> None:
    """Put all that these functions, which have one name, were asked for into one result, made by that code."""
    apart = {key: _apart(record) for function in functions for key, record in function.asked.items()}
    tensors = {f"{key}/{name}": x for key, (weights, _) in apart.items() for name, x in weights.items()}
    write(folder / functions[0].name, code, (tensors, {key: data for key, (_, data) in apart.items()}))


def cached(name: str) -> Callable[[Callable[..., dict]], Cached]:
    """A decorator: what the function returns is computed once for the same code and the same arguments."""
    return functools.partial(Cached, name=name)


def progress(steps: int, what: str) -> tqdm:
    """Steps with a bar that says what is trained. Of several trainings at once, none has one."""
    return trange(steps, desc=what, unit="step", disable=parent_process() is not None)


def meant(thing: object, home: str, seen: tuple = ()) -> str:
    """What a function, a class or a value means, as text.

    Of the module ``home``, it is the code itself and what that uses by name, so that a notebook that shows the
    code of a module means the same. Of another module of the book, it is that module and all that it imports, except
    for tools; of a library, its name.
    """
    if any(thing is other for other in seen):
        return "itself"
    of = functools.partial(meant, home=home, seen=(*seen, thing))
    match thing:
        case Cached():
            return of(thing.function)
        case staticmethod() | classmethod():
            return f"{type(thing).__name__} {of(thing.__func__)}"
        case property():
            return f"property {of([thing.fget, thing.fset])}"
        case ModuleType():
            return _module(thing.__name__)
        case BuiltinFunctionType():
            return f"{thing.__module__}.{thing.__qualname__}"
        case FunctionType() | type() if thing.__module__ != home:
            return f"{_module(thing.__module__)}.{thing.__qualname__}"
        case FunctionType():
            closure = [cell.cell_contents for cell in thing.__closure__ or ()]
            uses = {name: thing.__globals__[name] for name in _globals(thing.__code__) if name in thing.__globals__}
            defaults = thing.__defaults__ if seen else None  # the function itself is asked with all its arguments
            return f"{_source(thing)} {of(defaults)} {of(closure)} {of(uses)}"
        case type():
            own = {
                name: member
                for name, member in sorted(vars(thing).items())
                if isinstance(member, FunctionType) or not name.startswith("__")
            }
            return f"class {of(list(thing.__bases__))} {of(own)}"
        case dict():
            return "{" + ", ".join(f"{of(key)}: {of(value)}" for key, value in thing.items()) + "}"
        case list() | tuple():
            return "[" + ", ".join(map(of, thing)) + "]"
        case Tensor():
            return repr(thing.tolist())
        case _ if hasattr(thing, "__wrapped__"):  # by functools.cache
            return of(thing.__wrapped__)
        case _ if hasattr(thing, "__dict__"):
            return f"{of(type(thing))} {of(vars(thing))}"
        case _:
            return repr(thing)


@functools.cache
def _module(name: str) -> str:
    """A module of the book by what it means, another one by its name."""
    file = kept.ROOT.joinpath(*name.split(".")).with_suffix(".py")
    if not name.startswith("snippets.") or not file.is_file() or file.parent.name == "tools":
        return name
    files = [source for source in sources([file], kept.ROOT) if source.parent.name != "tools"]
    return f"{name} {fingerprint(files, kept.ROOT, packages=())}"


def _source(function: FunctionType) -> str:
    try:
        return meaning(textwrap.dedent(inspect.getsource(function)))
    except OSError:  # there is none, such as of what a dataclass has made
        return f"{function.__qualname__} {function.__code__.co_code.hex()}"


def _globals(code: CodeType) -> list[str]:
    """The names of globals that a function uses, or a function in it."""
    names = {step.argval for step in dis.get_instructions(code) if step.opname in ("LOAD_GLOBAL", "LOAD_NAME")}
    return sorted(names.union(*(_globals(inner) for inner in code.co_consts if isinstance(inner, CodeType))))


def _version() -> str:
    return metadata.version("torch").partition("+")[0]


def _compute(function: Cached, arguments: tuple) -> dict:
    return function.function(*arguments)


def _apart(record: dict) -> tuple[dict[str, Tensor], dict]:
    """Weights, and all else, which JSON can hold."""
    result = record["result"]
    data = {name: value for name, value in result.items() if name != "weights"}
    return result.get("weights", {}), record | {"result": data}


def _whole(weights: dict[str, Tensor], record: dict) -> dict:
    return record | {"result": record["result"] | ({"weights": weights} if weights else {})}


def _together(path: Path) -> tuple[dict[str, Tensor], dict]:
    """All tensors and records of a result, whatever code has made it."""
    file = path.with_name(f"{path.name}.json")
    return _read(path, file.stat().st_mtime_ns) if file.is_file() else ({}, {})


@functools.cache
def _read(path: Path, written: int) -> tuple[dict[str, Tensor], dict]:
    try:
        code = json.loads(path.with_name(f"{path.name}.json").read_bytes())["code"]
    except (ValueError, KeyError, TypeError):
        code = ""  # which no code has: it says that the result is damaged
    return read(path, code) or ({}, {})
