"""Two implementations of a model, with the same weights: how far they are apart."""

# --8<-- [start:imports]
import math
from collections.abc import Callable, Mapping
from copy import deepcopy
from dataclasses import dataclass
from functools import partial

import torch
from torch import Generator, Tensor, nn
# --8<-- [end:imports]


# --8<-- [start:Pair]
Run = Callable[[nn.Module], tuple[Tensor, Tensor]]  # the outputs that count, a loss


@dataclass
class Pair:
    """A model of this book, one of the library, how to run both on the same input.

    load(ours, state) copies the library's weights.
    """

    ours: nn.Module
    theirs: nn.Module
    load: Callable[[nn.Module, Mapping[str, Tensor]], None]
    run_ours: Run
    run_theirs: Run
# --8<-- [end:Pair]


# --8<-- [start:differences]
def relative(ours: list[Tensor], theirs: list[Tensor]) -> float:
    """The largest difference, divided by the largest number."""
    pairs = zip(ours, theirs, strict=True)
    most = max((a - b).abs().max().item() for a, b in pairs)
    return most / max(b.abs().max().item() for b in theirs)


def differences(pair: Pair, dtype: torch.dtype = torch.float32) -> dict[str, float]:
    """How far outputs, loss and gradients of the two models are apart."""
    ours, theirs = (model.to(dtype).eval() for model in (pair.ours, pair.theirs))
    with torch.no_grad():  # norms and biases must not stay at 1 and 0
        for parameter in theirs.parameters():
            parameter.add_(0.1 * torch.randn_like(parameter))
    pair.load(ours, theirs.state_dict())
    output, loss = pair.run_ours(ours)
    expected, expected_loss = pair.run_theirs(theirs)
    loss.backward()
    expected_loss.backward()
    # gradients have the names of weights: what loads these can load those
    renamed = deepcopy(ours)
    state = theirs.state_dict(keep_vars=True)
    pair.load(renamed, {name: gradient(x) for name, x in state.items()})
    return {
        "outputs": relative([output], [expected]),
        "loss": relative([loss], [expected_loss]),
        "gradients": relative(
            [gradient(x) for x in ours.parameters()], [*renamed.parameters()]
        ),
    }


def gradient(x: Tensor) -> Tensor:
    """That of a parameter, or 0 if the loss does not depend on it."""
    return torch.zeros_like(x) if x.grad is None else x.grad
# --8<-- [end:differences]


# --8<-- [start:bound]
BOUNDS = (1e-13, 1e-8, 1e-5, math.inf)


def bound(difference: float) -> float:
    """The first of BOUNDS that it is below: the last digits differ by machine."""
    return next(bound for bound in BOUNDS if difference < bound)
# --8<-- [end:bound]


# --8<-- [start:Sizes]
def draw(low: int, high: int, generator: Generator) -> int:
    """An integer between low and high, both included."""
    return int(torch.randint(low, high + 1, (), generator=generator))


@dataclass(frozen=True)
class Sizes:
    """Of a small model, and of its input."""

    vocab_size: int
    num_layers: int
    num_heads: int
    d_model: int
    d_ff: int
    batch: int
    n: int

    def of_model(self) -> dict[str, int]:
        """All but those of the input."""
        names = "vocab_size", "num_layers", "num_heads", "d_model", "d_ff"
        return {name: getattr(self, name) for name in names}


def draw_sizes(generator: Generator) -> Sizes:
    """Any that fit together."""
    one_to = partial(draw, 1, generator=generator)
    num_heads = one_to(4)
    return Sizes(
        vocab_size=10 + one_to(90),
        num_layers=one_to(3),
        num_heads=num_heads,
        d_model=num_heads * 4 * one_to(4),
        d_ff=8 * one_to(8),
        batch=1 + one_to(3),
        n=2 + one_to(10),
    )


def draw_ids(sizes: Sizes, generator: Generator) -> Tensor:
    """Token ids, (batch, n); all rows but the first end in some padding, 0."""
    shape = (sizes.batch, sizes.n)
    ids = torch.randint(1, sizes.vocab_size, shape, generator=generator)
    for row in ids[1:]:
        row[draw(1, sizes.n - 1, generator) :] = 0
    return ids
# --8<-- [end:Sizes]
