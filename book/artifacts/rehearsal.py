"""A training in outline, which tells whether changed code still computes what made a result.

A rehearsal asks for a result as ``python -m book results`` does. Of each training it takes the first steps and the
last, and only looks up the learning rate of those between; of runs that differ in nothing but their seed it takes the
first. What follows a training, such as an evaluation, is done with what there is by then. All that the runs return is
noted beside the result, in outline, and code of which a rehearsal notes the same is taken to make the same result.
"""

from __future__ import annotations

import hashlib
import importlib
import inspect
import json
import math
import sys
from collections.abc import Callable, Iterable, Iterator, Mapping
from contextlib import ExitStack, contextmanager
from pathlib import Path
from typing import Any
from unittest.mock import patch

import torch
from torch import Tensor
from torch.optim import LBFGS

from snippets.tools import in_parallel, kept
from snippets.tools.cached import Cached, _version, progress
from snippets.tools.results import Result, read, write
from snippets.training.trainer import Trainer

#: Steps that are taken when a training begins, and when it goes on after something else.
STEPS, MORE = 10, 1
#: How closely numbers have to agree. Found with ``float64`` (book/artifacts/machines.py), of sgd, smoothed, dates-0,
#: bert-ko-0 and the two recurrent translators of dates: numbers 2e-7 apart, tensors up to 1e-4 of their size.
TOLERANCE = 1e-3
#: The bias of keys adds the same to all scores of a query, which a softmax does not see. Its gradient is rounding, and
#: Adam makes a step of it as of any other: of mapping_learner, ``default`` gives one that is 2e-3 of its size apart.
NO_GRADIENT = "w_k.bias"
#: Differs from run to run, and nothing is computed from it.
TIME = "seconds"


class Refused(Exception):
    """A result that cannot be taken for one of today's code; the message says why."""


_step, _each, _lbfgs = Trainer.step, Cached.each, LBFGS.__init__


class Rehearsal:
    """What stands in for trainers, loops and kept results while one result is asked for, and notes what they do."""

    def __init__(self, name: str, was: Result, alike: tuple[str, ...] = ()) -> None:
        """``was``: what is kept under this name, whatever code has made it; ``alike``: as of a ``Trained``."""
        self.name, self.was, self.alike = name, was, alike
        self.notes: list[Any] = []
        #: The runs of a cached function by their keys, in order.
        self.runs: dict[str, dict] = {}
        self.moving: list[Trainer] = []  # since a loop began
        self.stand_ins = ExitStack()
        #: Of all that is replaced: where, under which name, and by what.
        self.replaced: list[tuple[object, str, object]] = []

    def stands_in(self, where: object, name: str, what: object) -> None:
        self.replaced.append((where, name, what))
        self.stand_ins.enter_context(patch.object(where, name, what, create=name == "range"))

    @contextmanager
    def as_it_is(self) -> Iterator[None]:
        """Without what stands in for anything: keys say what a function uses, and nothing else is rehearsed."""
        replaced, self.replaced = self.replaced, []
        self.stand_ins.close()
        try:
            yield
        finally:
            for one in replaced:
                self.stands_in(*one)

    # ---- trainings

    def step(self, trainer: Trainer) -> None:
        if trainer not in self.moving:
            self.moving.append(trainer)
        _step(trainer)

    def run(self, trainer: Trainer, steps: int) -> None:
        trainer.model.train()
        for _ in range(min(MORE if trainer.losses else STEPS, steps - len(trainer.losses))):
            _step(trainer)
        self.skip(trainer, steps - 1)
        if len(trainer.losses) < steps:
            _step(trainer)

    def skip(self, trainer: Trainer, steps: int) -> None:
        """Pretend that it has taken so many steps."""
        if skipped := range(len(trainer.losses) + 1, steps + 1):
            rates = math.fsum(map(trainer.learning_rate, skipped))
            self.notes.append({"skipped": len(skipped), "rates": f"{rates:.9e}"})  # which no machine rounds otherwise
            trainer.losses += [trainer.losses[-1]] * len(skipped)

    def progress(self, steps: int, what: str) -> Iterator[int]:
        self.moving = []
        yield from range(min(STEPS, steps))
        if steps > STEPS:
            for trainer in self.moving:
                self.skip(trainer, len(trainer.losses) + steps - STEPS - 1)
            yield steps - 1

    def range(self, *limits: int) -> range:
        """For a module with a loop of its own."""
        self.notes.append({"range": list(limits)})
        return range(*limits)[:STEPS]

    def lbfgs(self, optimizer: LBFGS, params: Any, lr: float = 1, max_iter: int = 20, **options: Any) -> None:
        """It ends by itself, on another machine after another number of steps: it takes its first ones."""
        self.notes.append({"max_iter": max_iter})
        _lbfgs(optimizer, params, lr, min(max_iter, STEPS), **options)

    # ---- runs

    def each(self, function: Callable, calls: Iterable[tuple]) -> list:
        """function(*call) for each; where only the seed, or what is ``alike``, differs, what the first has returned."""
        names, returned, found = list(inspect.signature(function).parameters), {}, []
        others = ("seed", *self.alike)
        for call in calls:
            said = [_spelled(argument) for argument in call]
            but_seed = repr([one for name, one in zip(names, said, strict=False) if name not in others])
            note: dict[str, Any] = {"called": [function.__name__, *said]}
            self.notes.append(note)
            if but_seed not in returned:
                torch.manual_seed(0)
                returned[but_seed] = function(*call)
                note["returned"] = outline(returned[but_seed])
            found.append(returned[but_seed])
        return found

    def cached(self, function: Cached, calls: Iterable[tuple | Mapping]) -> list[dict]:
        """Instead of ``Cached.each``: what is kept comes back, since what is asked for next may depend on it."""
        calls = list(calls)
        with self.as_it_is():
            if function.name != self.name:
                return _each(function, calls)
            asked = {function.key(*call): call for call in map(function._given, calls)}
        new = [key for key in asked if key not in self.runs]
        for key, returned in zip(new, self.each(function.function, [asked[key] for key in new]), strict=True):
            self.runs[key] = self._was(len(self.runs)) or returned
        return [self.runs[key] for key in asked]

    def _was(self, place: int) -> dict | None:
        """The run that is kept in this place."""
        tensors, runs = self.was
        if place >= len(runs):
            return None
        key = list(runs)[place]
        weights = {name.partition("/")[2]: x for name, x in tensors.items() if name.startswith(f"{key}/")}
        return runs[key]["result"] | ({"weights": weights} if weights else {})

    def kept(self, name: str, module: str, compute: Callable[[], Result]) -> Result:
        if name != self.name:
            return whole(name)
        self.notes.append({"returned": outline(compute())})
        return self.was


# ---- what is noted


def outline(value: Any) -> Any:
    """What a run has returned, small enough to be kept: without times, and of tensors and long lists only so much that
    another one would hardly have the same."""
    match value:
        case Tensor():
            flat = value.detach().double().flatten()
            along = flat @ torch.arange(len(flat), dtype=torch.double).cos()  # tells where what stands
            return {"shape": list(value.shape), "size": flat.norm().item(), "along": along.item()}
        case dict():
            return {str(name): outline(one) for name, one in value.items() if name != TIME}
        case list() | tuple() if len(value) > 2 * STEPS and all(isinstance(one, (int, float)) for one in value):
            return {"length": len(value), "first": list(value[: STEPS + 1]), "last": value[-1]}
        case list() | tuple():
            return [outline(one) for one in value]
        case str() if len(value) > 100:
            return hashlib.sha256(value.encode()).hexdigest()
        case bool() | int() | float() | str() | None:
            return value
        case _:
            raise TypeError(f"a run returns {type(value)}, of which no result is made")


def _spelled(argument: object) -> str:
    """An argument of a run, as far as its text says which one it is."""
    return str(outline(repr(getattr(argument, "__qualname__", argument)).partition(" at 0x")[0]))


def differences(old: Any, new: Any, where: str = "") -> list[str]:
    """Where two notes differ by more than rounding."""
    if isinstance(old, dict) and isinstance(new, dict) and old.keys() == new.keys():
        if old.keys() == {"shape", "size", "along"} and old["shape"] == new["shape"]:
            near = abs(old["along"] - new["along"]) <= TOLERANCE * old["size"] and _near(old["size"], new["size"])
            excused = where.endswith((NO_GRADIENT, f"/{TIME}"))  # tensors of a result have paths for names
            return [] if near or excused else [f"{where}: other numbers in a tensor"]
        pairs = [(f"{where}/{name}", old[name], new[name]) for name in old]
    elif isinstance(old, list) and isinstance(new, list) and len(old) == len(new):
        pairs = [(f"{where}/{place}", *both) for place, both in enumerate(zip(old, new, strict=True))]
    else:
        numbers = all(isinstance(one, (int, float)) and not isinstance(one, bool) for one in (old, new))
        if old == new or numbers and (_near(old, new) or math.isnan(old) and math.isnan(new)):
            return []
        return [f"{where} was {_short(old)}, now {_short(new)}"]
    return [one for name, a, b in pairs for one in differences(a, b, name)]


def _near(old: float, new: float) -> bool:
    return math.isclose(old, new, rel_tol=TOLERANCE, abs_tol=1e-6)  # nan is near nothing


def _short(note: Any) -> str:
    text = f"{note:.6g}" if isinstance(note, float) else json.dumps(note)
    return text if len(text) <= 60 else f"{text[:57]}..."


# ---- rehearsing


def whole(name: str) -> Result:
    """What is kept under a name, whatever code has made it. Raises ``Refused``."""
    if result := read(kept.RESULTS / name, record(name)["code"]):
        return result
    raise Refused("it is damaged")


def record(name: str) -> dict:
    try:
        return json.loads(Path(kept.RESULTS, f"{name}.json").read_bytes())
    except (FileNotFoundError, ValueError):
        raise Refused("there is none, or it is damaged") from None


def rehearse(one: Any) -> Rehearsal:
    """Ask for a result, a ``Trained`` of book/artifacts/results.py, with trainings in outline."""
    made = Rehearsal(one.name, whole(one.name), one.alike)
    asked = importlib.import_module(f"snippets.{one.module.replace('/', '.')}")
    with made.stand_ins:
        made.stands_in(Trainer, "step", lambda trainer: made.step(trainer))
        made.stands_in(Trainer, "run", lambda trainer, steps: made.run(trainer, steps))
        made.stands_in(LBFGS, "__init__", lambda *of, **options: made.lbfgs(*of, **options))
        made.stands_in(Cached, "each", lambda function, calls: made.cached(function, calls))
        tools = {"kept": kept.kept, "in_parallel": in_parallel.in_parallel, "progress": progress}
        methods = {"kept": made.kept, "in_parallel": made.each, "progress": made.progress}
        for module in [module for name, module in sys.modules.items() if name.startswith("snippets.")]:
            for tool, original in tools.items():
                if vars(module).get(tool) is original:
                    made.stands_in(module, tool, methods[tool])
            if module is not sys.modules[Trainer.__module__] and ".backward()" in _source(module):
                made.stands_in(module, "range", made.range)
        for examined in one.examined:
            everything = getattr(asked, examined)
            made.notes.append({examined: outline(everything)})
            made.stands_in(asked, examined, everything[:STEPS])
        for function, given in one.asks:
            getattr(asked, function)(*given)
    return made


def _source(module: object) -> str:
    file = getattr(module, "__file__", None)
    return Path(file).read_text(encoding="utf-8") if file else ""


def note(one: Any) -> None:
    """Keep with a result, which today's code has made, what a rehearsal of that code gives."""
    code = one.code  # before it is run: what is edited meanwhile is not what was run
    made = _rehearsed(one)
    write(kept.RESULTS / one.name, code, made.was, made.notes)


def restamp(one: Any) -> None:
    """Say that today's code makes a result, if a rehearsal gives what it gave then. Raises ``Refused``."""
    if one.measures_time:
        raise Refused("it is a measurement of time")
    was = record(one.name)
    if "rehearsal" not in was:
        raise Refused("no rehearsal was noted with it")
    code = one.code
    made = _rehearsed(one)
    notes = json.loads(json.dumps(made.notes))
    if differ := differences(was["rehearsal"], notes):
        others = f" (and {len(differ) - 1} more)" if len(differ) > 1 else ""
        raise Refused(f"the first steps give something else: {differ[0]}{others}")
    tensors, data = made.was
    if made.runs:  # those of a cached function, in the order of its calls, have other keys now
        if len(made.runs) != len(data):
            raise Refused(f"it has {len(data)} runs, and {len(made.runs)} are asked for")
        new = dict(zip(data, made.runs, strict=True))
        tensors = {f"{new[name.partition('/')[0]]}/{name.partition('/')[2]}": x for name, x in tensors.items()}
        data = {new[key]: run | {"torch": _version()} for key, run in data.items()}
    write(kept.RESULTS / one.name, code, (tensors, data), was["rehearsal"])


def _rehearsed(one: Any) -> Rehearsal:
    try:
        return rehearse(one)
    except Refused:
        raise
    except Exception as error:
        raise Refused(f"the code that makes it fails: {type(error).__name__}: {error}") from error
