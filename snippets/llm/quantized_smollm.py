"""SmolLM2 with fewer bits a weight: its loss on a text, and what it then writes."""

# --8<-- [start:imports]
from collections.abc import Callable, Iterator
from contextlib import contextmanager

import torch
from torch import Tensor, nn

from snippets.families.llama import Llama
from snippets.llm.chat import END, generated
from snippets.llm.fewer_bits import affine, dequantized, groups, symmetric
from snippets.llm.heads import losses
from snippets.llm.layouts import windows
from snippets.llm.smollm import smollm2
from snippets.llm.tokens import tokenizer
from snippets.tools.kept import kept
# --8<-- [end:imports]


# --8<-- [start:changed]
Change = Callable[[Tensor], Tensor]
KINDS = {"symmetric": symmetric, "affine": affine}


def coarse(weight: Tensor, bits: int, kind: str, by: str | int) -> Tensor:
    """Quantized and back. Blocks begin in the middle of those of the file."""
    shift = 0 if isinstance(by, str) else by // 2
    x = groups(weight.roll(shift, dims=-1), by)
    back = dequantized(KINDS[kind](x, bits))
    return back.view(weight.shape).roll(-shift, dims=-1)


def matrices(model: Llama) -> list[nn.Linear]:
    """All of the layers: 7 in each. The embedding stays as it is."""
    return [x for x in model.layers.modules() if isinstance(x, nn.Linear)]


@contextmanager
def changed(model: Llama, change: Change) -> Iterator[None]:
    """Meanwhile, the matrices of all layers are others."""
    before = [(linear, linear.weight.data) for linear in matrices(model)]
    try:
        for linear, weight in before:
            linear.weight.data = change(weight)
        yield
    finally:
        for linear, weight in before:
            linear.weight.data = weight
# --8<-- [end:changed]


# --8<-- [start:results]
VARIANTS = [
    *[(b, "symmetric", by) for b in (8, 4, 3) for by in ("tensor", "row", 32)],
    *[(b, "affine", 32) for b in (4, 3, 2)],
    *[(2, "symmetric", 32), (4, "symmetric", 16), (3, "symmetric", 16)],
]
WRITES = [(b, "affine", 32) for b in (4, 3, 2)]  # whose text is kept
PROMPT, TOKENS = "The capital of France is", 24
WINDOWS = list(range(8))  # of 128 tokens
ONE_IN = 1_000  # weights that stay exact, in a control


def but_few(weight: Tensor, largest: bool) -> Tensor:
    """4 bits by tensor, but one weight in 1,000 exact: the largest, or any."""
    generator = torch.Generator().manual_seed(0)
    order = torch.rand(weight.shape, generator=generator)
    order = weight.abs() if largest else order
    few = order >= order.flatten().topk(weight.numel() // ONE_IN).values[-1]
    rest = coarse(weight.masked_fill(few, 0), 4, "symmetric", "tensor")
    return weight.where(few, rest)


def measured(model: Llama) -> list[float]:
    """The loss of each window, in nats a token."""
    found = losses(model, windows()[WINDOWS])
    return [round(x, 5) for x in found.double().mean(dim=1).tolist()]


def text_of(model: Llama) -> str:
    of = tokenizer()
    ids = generated(model, of.encode(PROMPT), of.control[END], TOKENS)
    return of.decode(ids)


def errors(weight: Tensor) -> dict[str, float]:
    """Of 4 bits, with the largest weight and the errors in units of the RMS."""
    rms = weight.square().mean().sqrt()
    found = {"largest": (weight.abs().max() / rms).item()}
    for by in ("tensor", "row", 32):
        error = coarse(weight, 4, "symmetric", by) - weight
        found[str(by)] = (error.square().mean().sqrt() / rms).item()
    return {name: round(x, 4) for name, x in found.items()}


def compute() -> dict[str, object]:
    model = smollm2()
    loss, text = {"published": measured(model)}, {"published": text_of(model)}
    for bits, kind, by in VARIANTS:
        name = f"{bits} {kind} {by}"
        with changed(model, lambda w, of=(bits, kind, by): coarse(w, *of)):
            loss[name] = measured(model)
            if (bits, kind, by) in WRITES:
                text[name] = text_of(model)
    for name, largest in [("largest", True), ("any", False)]:
        with changed(model, lambda w, largest=largest: but_few(w, largest)):
            loss[f"{name} exact"] = measured(model)
    matrix = [errors(linear.weight) for linear in matrices(model)]
    return {"loss": loss, "text": text, "matrices": matrix}


def results() -> dict[str, object]:
    """What the page shows of the model. It comes with the book."""
    module = "llm/quantized_smollm"
    return kept("quantized_smollm", module, lambda: ({}, compute()))[1]
# --8<-- [end:results]
