"""What is checked of every stage besides its values: the calls of what the learner wrote are watched, and made again.

No stage has to ask for it. While a stage runs, each call of the function that it is about is kept, and its arguments
have to be the same afterwards. Then some of these calls are made once more, with gradients, with float64, on another
device, and with the first example alone, and give what the book's own function gives.
"""

from __future__ import annotations

import copy
import ctypes
import dis
import functools
import importlib
import inspect
import re
import threading
import time
from collections.abc import Callable, Iterator
from contextlib import contextmanager
from dataclasses import dataclass, replace
from typing import Any

import torch
from torch import Generator, Tensor, nn

from exercises.language import say

#: So many calls of a stage are made again.
AGAIN = 2
#: Seconds after which a stage is stopped, if the processor was busy with it as long: others may need it, too.
LIMIT = 60.0
#: What PyTorch says where tensors of two devices meet.
DEVICES = re.compile("on the same device|is not on the expected device|found at least two devices")
#: Scores of several hundreds, and components around 400: what a model meets, and exp and float16 do not hold.
LARGE, WIDE = 20.0, 200.0


class Wrong(AssertionError):
    """What is wrong with an answer, in words for the one who wrote it: what differs, and a hint below it.

    Both are said in the learner's language; ``values`` stand where ``text`` names them. ``call``, ``got`` and
    ``expected`` are the case that shows it, where there is one.
    """

    call: Call | None = None
    got: Any = None
    expected: Any = None

    def __init__(self, text: str, hint: str = "", /, **values: Any) -> None:
        self.difference = say(text, **values)
        super().__init__(f"{self.difference}\n  {say(hint)}" if hint else self.difference)


class Missing(Wrong):
    """What is wrong is that a file of the learner's is not there yet."""


class TooLong(BaseException):
    """No ``Exception``, so that what a learner catches does not catch it."""


@contextmanager
def time_limit(seconds: float = 0.0) -> Iterator[None]:
    """Stop what does not end, with ``Wrong``, whose cause has the line that was running. Default: ``LIMIT``."""
    seconds = seconds or LIMIT
    caller, ended, turn = threading.get_ident(), threading.Event(), threading.Lock()
    began, busy = time.monotonic(), time.process_time()

    def watch() -> None:
        while not ended.wait(min(0.5, seconds / 4)):
            waited, worked = time.monotonic() - began, time.process_time() - busy
            with turn:
                if waited > seconds and worked > seconds and not ended.is_set():
                    ctypes.pythonapi.PyThreadState_SetAsyncExc(ctypes.c_ulong(caller), ctypes.py_object(TooLong))
                    return

    threading.Thread(target=watch, daemon=True).start()
    try:
        yield
    except TooLong as stopped:
        text, hint = "it still runs after {seconds:.0f} s", "Does the loop end? Here it was when it was stopped:"
        raise Wrong(text, hint, seconds=seconds) from stopped
    finally:
        with turn:
            ended.set()


# ---- calls


def copied(x: Any) -> Any:
    """The same once more, so that a change of the one does not change the other; what is no data stays what it is."""
    match x:
        case Tensor():
            return x.detach().clone().requires_grad_(x.requires_grad)
        case Generator():
            return x.clone_state()
        case dict() if type(x) is dict:
            return {key: copied(value) for key, value in x.items()}
        case tuple() if hasattr(x, "_fields"):
            return type(x)(*map(copied, x))
        case list() | tuple() | set() if type(x) in (list, tuple, set):
            return type(x)(map(copied, x))
    return x


def _with_its_state(owner: Any) -> Any:
    """A copy of an object that a method may change: of a module, its parameters stay the same ones."""
    other = copy.copy(owner)
    if not isinstance(owner, nn.Module) and hasattr(other, "__dict__"):
        for name, value in vars(other).items():
            if type(value) is list:
                value = [_with_its_state(x) if hasattr(x, "__dict__") else x for x in value]
            setattr(other, name, copied(value))
    return other


def _parts(x: Any, name: str = "") -> Iterator[tuple[str, Any]]:
    """Tensors, modules and everything else within an argument or a result, each with a name."""
    match x:
        case dict():
            for key, value in x.items():
                yield from _parts(value, f"{name}[{key!r}]")
        case list() | tuple():
            for i, value in enumerate(x):
                yield from _parts(value, f"{name}[{i}]")
        case _:
            yield name, x


def _same(a: Any, b: Any) -> bool:
    """Whether two arguments are equal to the last bit; of modules, whether they compute the same in the same mode."""
    if isinstance(a, Tensor):
        same = isinstance(b, Tensor) and a.shape == b.shape and a.dtype == b.dtype
        return same and bool(((a == b) | ((a != a) & (b != b))).all())
    if isinstance(a, nn.Module):
        return True  # what becomes of them is seen in _state
    if isinstance(a, dict):
        return isinstance(b, dict) and a.keys() == b.keys() and all(_same(a[key], b[key]) for key in a)
    if isinstance(a, list | tuple):
        return isinstance(b, list | tuple) and len(a) == len(b) and all(map(_same, a, b))
    if isinstance(a, str | int | float | bytes | set):
        return type(a) is type(b) and a == b
    return True


def _state(module: nn.Module) -> tuple[list, list]:
    """Of each part, whether it is in training; and all parameters."""
    return [m.training for m in module.modules()], [x.detach().clone() for x in module.state_dict().values()]


@dataclass
class Call:
    """One call as it was made: copies of what it was made of. ``owner``: that of a method, as it was before."""

    of: str
    names: list[str]
    owner: Any
    args: tuple
    kwargs: dict[str, Any]

    def arguments(self) -> dict[str, Any]:
        return {**dict(zip(self.names, self.args, strict=False)), **self.kwargs}

    def has_tensors(self) -> bool:
        parts = [x for _, x in _parts(self.arguments())] + [self.owner]
        return any(isinstance(x, Tensor | nn.Module) for x in parts)

    def __str__(self) -> str:
        return f"{self.of}({', '.join(f'{name}: {_shown(x)}' for name, x in self.arguments().items())})"

    def again(
        self, function: Callable, kind: type | None, change: Callable[[Any], Any] = copied, seed: int = 0
    ) -> tuple[Any, dict]:
        """What it gives with another function, or another class; and its arguments, as they were changed for it."""
        arguments = {name: change(x) for name, x in self.arguments().items()}
        args = [arguments[name] for name in self.names[: len(self.args)]]
        kwargs = {name: arguments[name] for name in self.kwargs}
        torch.manual_seed(seed)
        if kind is None:
            return function(*args, **kwargs), arguments
        owner = _with_its_state(change(self.owner))
        owner.__class__ = kind
        return function(owner, *args, **kwargs), {**arguments, "self": owner}


def _shown(x: Any) -> str:
    if isinstance(x, Tensor):
        kind = "" if x.dtype == torch.float32 else f" {str(x.dtype).removeprefix('torch.')}"
        return f"{tuple(x.shape)}{kind}"
    if isinstance(x, nn.Module) or callable(x):
        return getattr(x, "__name__", type(x).__name__)
    if isinstance(x, Generator):
        return "generator"
    if type(x).__repr__ is object.__repr__:
        return type(x).__name__
    text = repr(x)
    return text if len(text) <= 60 else f"{text[:57]}..."


def is_unwritten(function: Callable) -> bool:
    """Whether a body does nothing at all: a docstring, ``...``, ``pass`` or ``return None``."""
    function = inspect.unwrap(function)  # of a decorator, such as no_grad
    steps = [step for step in dis.get_instructions(function) if step.opname not in ("RESUME", "NOP", "CACHE")]
    return [step.opname for step in steps] in (["RETURN_CONST"], ["LOAD_CONST", "RETURN_VALUE"]) and (
        steps[0].argval is None
    )


class Watch:
    """An answer whose function, the one that a stage is about, is watched while the stage runs."""

    def __init__(self, of: str, answer: Any) -> None:
        self.of, self._answer = of, answer
        self.calls: list[Call] = []
        self.last: Call | None = None
        self.inside = False
        holder, _, name = of.rpartition(".")
        self.kind = getattr(answer, holder, None) if holder else None
        self._name = name
        self.function = vars(self.kind).get(name) if self.kind else getattr(answer, name, None)
        if not inspect.isfunction(self.function):
            self.function = None  # it is missing, or something that cannot be watched: the stage itself will say so

    def __getattr__(self, name: str) -> Any:
        """Of the answer, which is what a stage sees."""
        if name == self.of and self.function:
            return self._watched()
        return getattr(self._answer, name)

    def __enter__(self) -> Watch:
        if self.kind and self.function:
            setattr(self.kind, self._name, self._watched())
        return self

    def __exit__(self, *_: object) -> None:
        if self.kind and self.function:
            setattr(self.kind, self._name, self.function)

    def _watched(self) -> Callable:
        function, method = self.function, self.kind is not None
        names = list(inspect.signature(function).parameters)[method:]

        @functools.wraps(function)
        def watched(*args: Any, **kwargs: Any) -> Any:
            if self.inside:  # it calls itself
                return function(*args, **kwargs)
            given = args[method:]
            owner = _with_its_state(args[0]) if method and len(self.calls) < AGAIN else None
            call = self.last = Call(self.of, names, owner, copied(tuple(given)), copied(kwargs))
            if len(self.calls) < AGAIN:
                self.calls.append(call)
            named = dict(zip(["self"] * method + names, args, strict=False)) | kwargs
            modules = {name: (x, _state(x)) for name, x in named.items() if isinstance(x, nn.Module)}
            self.inside = True
            try:
                result = function(*args, **kwargs)
            except Exception as error:
                error.call = call
                raise
            finally:
                self.inside = False
            for name, now in {**dict(zip(names, given, strict=False)), **kwargs}.items():
                if not _same(call.arguments()[name], now):
                    self._refuse(name, now, call)
            for name, (module, before) in modules.items():
                if not _same(before, _state(module)):
                    self._refuse(name, module, call)
            return result

        return watched

    def _refuse(self, name: str, now: Any, call: Call) -> None:
        if isinstance(now, nn.Module):
            text, hint = (
                "{of}: it has changed {name}",
                "Parameters stay as they are, and so does its mode, training or not.",
            )
        elif isinstance(now, Tensor):
            text = "{of}: it has changed its argument {name}"
            hint = "Make a new tensor of it, or a clone: +=, x[...] = and names that end in _ change what others need."
        else:
            text, hint = (
                "{of}: it has changed its argument {name}",
                "Make a new one: the argument belongs to who calls.",
            )
        wrong = Wrong(text, hint, of=self.of, name=name)
        wrong.call = call
        raise wrong


# ---- the same calls, made again


def _moved(module: nn.Module, to: Any) -> nn.Module:
    """A copy of a module with another dtype or device; with the modules that a stage has lent it methods of."""
    other = copy.deepcopy(module).to(to)
    for part in other.modules():
        for value in vars(part).values():
            if inspect.ismethod(value) and isinstance(value.__self__, nn.Module):
                value.__self__.to(to)
    return other


def check_again(watch: Watch, module: str, large: bool = False, half: bool = False) -> None:
    """Raise ``Wrong`` if the calls of a stage that is right give something else than the book's in another way."""
    if not watch.function:
        return
    holder, _, name = watch.of.rpartition(".")
    of_book = importlib.import_module(f"snippets.{module.replace('/', '.')}")
    kind = getattr(of_book, holder) if holder else None
    right = getattr(kind or of_book, name)
    if "device" in inspect.signature(right).parameters:
        _on_its_device(watch, right, kind)
    if not any(call.has_tensors() for call in watch.calls):
        return
    for call in watch.calls:
        try:
            once = _Twice(call, (watch.function, watch.kind), (right, kind))
            once.gradients()
            once.other_dtype(torch.float64)
            once.other_device()
            once.first_alone()
            if large:
                once.scaled(LARGE)
            if half:
                once.other_dtype(torch.float16, WIDE)
        except Wrong as wrong:
            wrong.call = call
            raise


def _on_its_device(watch: Watch, right: Callable, kind: type | None) -> None:
    """Who names a device gets what is made there."""
    for call in watch.calls:
        asked = replace(call, kwargs={**call.kwargs, "device": torch.device("meta")})
        try:
            if any(x.device.type != "meta" for x in _tensors(asked.again(right, kind)[0])):
                continue
        except Exception:
            continue  # the book's own cannot do it
        got = asked.again(watch.function, watch.kind)[0]
        if any(x.device.type != "meta" for x in _tensors(got)):
            text, hint = (
                "{of}: right, but not on the device that is asked for",
                "Hand it on: torch.ones(..., device=device).",
            )
            wrong = Wrong(text, hint, of=call.of)
            wrong.call = asked
            raise wrong


class _Twice:
    """A call, made with the learner's function and with the book's."""

    def __init__(self, call: Call, theirs: tuple, ours: tuple) -> None:
        self.call, self.theirs, self.ours = call, theirs, ours
        results = self._both(copied)
        #: Whether both give the same: not, if something is drawn, each in its own way.
        self.equal = results is not None and _close(*results)
        #: Whether something is drawn: then float64 draws other numbers, or not, as it is written.
        self.drawn = self.equal and not _close(self._seeded(1), results[1])
        self.differentiable = results is not None and any(x.is_floating_point() for x in _tensors(results[1]))

    def _seeded(self, seed: int) -> Any:
        """What the book's own function gives if other numbers are drawn."""
        with torch.no_grad():
            return self.call.again(*self.ours, seed=seed)[0]

    def _both(
        self, change: Callable[[Any], Any], text: str = "", hint: str = "", **values: Any
    ) -> tuple[Any, Any] | None:
        """Both results, or None if the book's own function cannot do it. With ``text``, what the learner's raises."""
        with torch.no_grad():
            try:
                right, _ = self.call.again(*self.ours, change)
            except Exception:
                return None
            try:
                return self.call.again(*self.theirs, change)[0], right
            except Exception as error:
                if not text:
                    return None
                raise Wrong(text, hint, of=self.call.of, error=error, **values) from error

    def gradients(self) -> None:
        """No gradient is lost on the way, and none is another."""
        if not self.differentiable:
            return
        try:
            right = self._gradients(*self.ours)
        except Exception:
            return  # there is nothing to compare with
        if not right:
            return
        of = self.call.of
        try:
            got = self._gradients(*self.theirs)
        except Exception as error:
            text = "{of}: what it returns is right, but there is no backward pass: {error}"
            hint = "What the backward pass needs has been changed in place, or is a number and no tensor any more."
            raise Wrong(text, hint, of=of, error=error) from error
        for name, expected in right.items():
            seen, finite = got.get(name), expected.isfinite()
            if not (expected[finite] != 0).any():
                continue
            if seen is None or not (seen != 0).any():
                text = "{of}: what it returns is right, but no gradient gets to {name}"
                hint = "Nothing is learned so. What cuts it off: no_grad, detach, .data, .item(), torch.tensor(...)."
                raise Wrong(text, hint, of=of, name=name)
            if seen[finite].isnan().any():
                text = "{of}: what it returns is right, but the gradient of {name} is nan"
                hint = "0 times inf is nan in the backward pass: avoid what is not finite, replacing it comes too late."
                raise Wrong(text, hint, of=of, name=name)
            tolerance = 2e-3 * expected[finite].abs().max() + 1e-6
            if self.equal and ((seen - expected)[finite].abs() > tolerance).any():
                text = "{of}: what it returns is right, but the gradient of {name} is not"
                hint = "A part of it is cut off by no_grad, detach, .data, .item() or torch.tensor(...)."
                raise Wrong(text, hint, of=of, name=name)

    def _gradients(self, function: Callable, kind: type | None) -> dict[str, Tensor | None]:
        """Of a random sum of what is returned, by what it was made of."""

        def leaf(x: Any) -> Any:
            x = copied(x)
            for _, part in _parts(x):
                if isinstance(part, Tensor) and part.is_floating_point():
                    part.requires_grad_()
            return x

        with torch.enable_grad():
            result, arguments = self.call.again(function, kind, leaf)
            leaves: dict[str, Tensor] = {}
            for name, part in _parts(arguments):
                name = name[2:].replace("']", "", 1)
                if isinstance(part, nn.Module):
                    leaves |= {f"{name}.{p}": x for p, x in part.named_parameters() if x.requires_grad}
                elif isinstance(part, Tensor) and part.requires_grad:
                    leaves[name] = part
            torch.manual_seed(1)
            total = torch.zeros(())
            for x in _tensors(result):
                if x.is_floating_point():
                    weighted = torch.randn(x.shape) * x.masked_fill(~x.isfinite(), 0.0)
                    total = total + weighted.sum().float()
            if not leaves or not total.requires_grad:
                return {}
            found = torch.autograd.grad(total, list(leaves.values()), allow_unused=True)
        return {
            name: torch.zeros_like(x) if gradient is None else gradient
            for (name, x), gradient in zip(leaves.items(), found, strict=True)
        }

    def other_dtype(self, dtype: torch.dtype, factor: float = 1.0) -> None:
        """float64 in, float64 out; and whatever the book's gives for float16."""
        if not self.equal or not self.differentiable:
            return

        def changed(x: Any) -> Any:
            x = copied(x)
            if isinstance(x, nn.Module):
                return _moved(x, dtype)
            if isinstance(x, Tensor) and x.is_floating_point():
                return (factor * x).detach().to(dtype)
            if isinstance(x, tuple) and hasattr(x, "_fields"):
                return type(x)(*map(changed, x))
            return type(x)(map(changed, x)) if type(x) in (list, tuple) else x

        text = "{of}: right, but not for {dtype}: {error}"
        hint = "What is made in it takes over dtype and device: torch.zeros_like(x), x.new_zeros(...), .to(x.dtype)."
        if (results := self._both(changed, text, hint, dtype=dtype)) is None:
            return
        for got, right in zip(*map(_tensors, results), strict=False):
            if got.dtype != right.dtype:
                text = "{of}: what it makes of {dtype} is {wrong}, not {right}"
                raise Wrong(text, hint, of=self.call.of, dtype=dtype, wrong=got.dtype, right=right.dtype)
        if self.drawn:
            return
        tolerance = 0.02 if dtype == torch.float16 else 1e-3
        hint = (
            "300² is more than float16 can hold: in half precision, square and take the mean in float32."
            if dtype == torch.float16
            else ""
        )
        self._compare(*results, "{of}: right, but not for {dtype}", tolerance, hint, dtype=dtype)

    def other_device(self) -> None:
        """Where the arguments are, there is what is made of them: on meta, which has shapes and no numbers."""

        def moved(x: Any) -> Any:
            if isinstance(x, nn.Module):
                return _moved(x, "meta")
            if isinstance(x, Tensor):
                return x.detach().to("meta")
            if isinstance(x, tuple) and hasattr(x, "_fields"):
                return type(x)(*map(moved, x))
            if type(x) in (list, tuple):
                return type(x)(map(moved, x))
            if hasattr(x, "__dict__") and not isinstance(x, type) and not callable(x):
                x = copy.copy(x)
                vars(x).update({name: moved(value) for name, value in vars(x).items()})
            return x

        text = "{of}: right, but not on a GPU: what is made in it is on the CPU"
        hint = "It belongs where the arguments are: torch.arange(n, device=x.device), torch.zeros_like(x)."
        with torch.no_grad():
            try:
                right, _ = self.call.again(*self.ours, moved)
            except Exception:
                return  # what it computes depends on numbers
            if not _tensors(right) or any(x.device.type != "meta" for x in _tensors(right)):
                return
            try:
                got, _ = self.call.again(*self.theirs, moved)
            except Exception as error:
                if DEVICES.search(str(error)):
                    raise Wrong(text, hint, of=self.call.of) from error
                return
        if any(x.device.type != "meta" for x in _tensors(got)):
            raise Wrong(text, hint, of=self.call.of)

    def first_alone(self) -> None:
        """The first example of a batch gives the same alone: a batch of one is a batch, and its examples strangers."""
        tensors = [x for _, x in _parts(self.call.arguments()) if isinstance(x, Tensor) and x.dim()]
        if not self.equal or not tensors or tensors[0].size(0) < 2:
            return
        size = tensors[0].size(0)

        def changed(x: Any) -> Any:
            x = copied(x)
            if isinstance(x, Tensor) and x.dim() and x.size(0) == size:
                return x[:1].detach().clone()
            if isinstance(x, tuple) and hasattr(x, "_fields"):
                return type(x)(*map(changed, x))
            return type(x)(map(changed, x)) if type(x) in (list, tuple) else x

        text, hint = (
            "{of}: right, but not for the first example alone: {error}",
            "squeeze() also removes a batch of one.",
        )
        if (results := self._both(changed, text, hint)) is not None:
            self._compare(*results, "{of}: right, but not for the first example alone", 1e-3)

    def scaled(self, factor: float) -> None:
        """As large as a model's scores may get: exp of them is inf."""

        def changed(x: Any) -> Any:
            x = copied(x)
            return factor * x if isinstance(x, Tensor) and x.is_floating_point() else x

        text = "{of}: right, but not for scores of some hundreds"
        hint = (
            "exp of them is inf or 0: subtract the maximum first, as torch.softmax does. "
            "And hide with -inf: -100 is a score like any other."
        )
        if (results := self._both(changed, text, hint)) is not None:
            self._compare(*results, text, 1e-2, hint)

    def _compare(self, got: Any, right: Any, text: str, tolerance: float, hint: str = "", **values: Any) -> None:
        if not _close(got, right, tolerance):
            wrong = Wrong(text, hint, of=self.call.of, **values)
            wrong.got, wrong.expected = got, right
            raise wrong


def _tensors(x: Any) -> list[Tensor]:
    return [part for _, part in _parts(x) if isinstance(part, Tensor)]


def _close(got: Any, right: Any, tolerance: float = 1e-4) -> bool:
    ours, theirs = _tensors(right), _tensors(got)
    if [x.shape for x in ours] != [x.shape for x in theirs]:
        return False
    for a, b in zip(theirs, ours, strict=True):
        if a.is_floating_point():
            a, b = a.double(), b.double()
            largest = b[b.isfinite()].abs().max().item() if b.isfinite().any() else 0.0
            if not torch.allclose(a, b, rtol=tolerance, atol=tolerance * max(1.0, largest) * 0.1, equal_nan=True):
                return False
        elif not torch.equal(a, b):
            return False
    return True
