"""What top-k and top-p cut off a real model: of its probability, and of a text."""

# --8<-- [start:imports]
from collections.abc import Callable

import torch
from torch import Tensor

from snippets.families.sampling import top_k, top_p
from snippets.llm.layouts import windows
from snippets.llm.smollm import smollm2
from snippets.tools.kept import kept
# --8<-- [end:imports]


# --8<-- [start:tail]
Cut = Callable[[Tensor], Tensor]


def tail(logits: Tensor, came: Tensor, cut: Cut) -> dict[str, list]:
    """What a cut leaves and takes away, position by position.

    logits: (n, V), came: (n,), the tokens of the text. left: how many tokens stay;
    given: the model's probability of all others. bits: where the text goes on with
    one of these, what it takes to say which one; elsewhere None.
    """
    stays = cut(logits).isfinite()
    probability = logits.double().softmax(dim=-1)
    given = probability.masked_fill(stays, 0).sum(dim=-1)
    of_text = probability.gather(1, came.unsqueeze(1)).squeeze(1)
    bits = (given / of_text).log2().tolist()
    inside = stays.gather(1, came.unsqueeze(1)).squeeze(1).tolist()
    return {
        "left": stays.sum(dim=-1).tolist(),
        "given": [round(x, 4) for x in given.tolist()],
        "bits": [
            None if stayed else round(x, 2)
            for x, stayed in zip(bits, inside, strict=True)
        ],
    }
# --8<-- [end:tail]


# --8<-- [start:results]
AFTER = 32  # so many tokens of a window at least come before
WINDOWS = list(range(32))  # of 128 tokens
CUTS = {
    "top-k, 50": lambda logits: top_k(logits, 50),
    "top-p, 0.9": lambda logits: top_p(logits, 0.9),
}


@torch.inference_mode()
def compute() -> list[dict[str, dict[str, list]]]:
    found = []
    for ids in windows()[WINDOWS]:
        logits, came = smollm2()(ids[None, :-1])[0, AFTER:], ids[AFTER + 1 :]
        found.append({name: tail(logits, came, cut) for name, cut in CUTS.items()})
    return found


def results() -> list[dict[str, dict[str, list]]]:
    """Of each window, by cut, what tail finds. It comes with the book."""
    return kept("tails", "llm/tails", lambda: ({}, compute()))[1]
# --8<-- [end:results]
