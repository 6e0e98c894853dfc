"""What is lost without some of the heads of SmolLM2: one, several, and many."""

# --8<-- [start:imports]
from collections.abc import Callable

import torch

from snippets.llm.heads import (
    Head,
    in_order,
    induction_scores,
    losses,
    mean_outputs,
    repeated,
    without,
)
from snippets.llm.layouts import windows
from snippets.llm.smollm import smollm2
from snippets.tools.kept import kept
# --8<-- [end:imports]


# --8<-- [start:results]
NUMBERS = [1, 2, 4, 8, 16, 32]  # induction heads that are removed together
REMOVED = [10, 20, 40, 60, 80, 120]  # heads that cost least
LAYERS = list(range(30))  # whose heads are removed one at a time
DRAWS = 5


def drawn_heads(among: list[Head], number: int, seed: int) -> list[Head]:
    generator = torch.Generator().manual_seed(seed)
    order = torch.randperm(len(among), generator=generator)
    return [among[i] for i in order[:number]]


def rounded(x: torch.Tensor) -> list:
    return torch.round(x.double(), decimals=4).tolist()


def compute() -> dict[str, object]:
    model, text, ids = smollm2(), windows(), repeated(8, 32)
    mean = mean_outputs(model, text[8:, :-1])
    scores = induction_scores(model, ids)
    best = in_order(scores)

    def off(heads: list[Head], measure: Callable, instead=mean) -> list:
        with without(model, heads, instead):
            return measure()

    def of_halves() -> list[list[float]]:
        found = losses(model, ids)
        return [rounded(x.mean(dim=1)) for x in (found[:, :31], found[:, 32:])]

    induction = {"none": off([], of_halves)}
    for n in NUMBERS:
        induction[f"best {n}"] = off(best[:n], of_halves)
        for i in range(DRAWS):
            heads = drawn_heads(best[32:], n, i)
            induction[f"random {n} {i}"] = off(heads, of_halves)
    for n in (8, 32):
        induction[f"zero {n}"] = off(best[:n], of_halves, None)

    def chosen_on() -> list[float]:
        return rounded(losses(model, text[:4, :65]).mean(dim=1))

    def tested_on() -> list[float]:
        return rounded(losses(model, text[4:8]).mean(dim=1))

    before, of_layer = off([], chosen_on), range(scores.size(1))
    alone = [[off([(layer, h)], chosen_on) for h in of_layer] for layer in LAYERS]
    least = in_order(-torch.tensor(alone).mean(dim=-1))
    together = {"none": off([], tested_on)}
    for n in REMOVED:
        together[f"least {n}"] = off(least[:n], tested_on)
        for i in range(3):
            heads = drawn_heads(least, n, i)
            together[f"random {n} {i}"] = off(heads, tested_on)
    for n in (8, 32):
        together[f"induction {n}"] = off(best[:n], tested_on)
    return {
        "scores": rounded(scores),
        "induction": induction,
        "before": before,
        "alone": alone,
        "together": together,
    }


def results() -> dict[str, object]:
    """What the page shows of all heads. It comes with the book."""
    return kept("heads", "llm/heads_measured", lambda: ({}, compute()))[1]
# --8<-- [end:results]
