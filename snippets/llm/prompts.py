"""Comparing prompts by a count: answers to many questions, and what the counts can tell."""

# --8<-- [start:imports]
import re
import unicodedata
from collections.abc import Sequence
from math import comb

import torch
from torch import Tensor

from snippets.families.llama import Llama
from snippets.llm.cached_llama import CachedLlama
# --8<-- [end:imports]


# --8<-- [start:right]
def plain(text: str) -> str:
    """Without capital letters and accents."""
    letters = unicodedata.normalize("NFD", text.casefold())
    return "".join(c for c in letters if not unicodedata.combining(c))


def right(answer: str, wanted: str) -> bool:
    """Whether the wanted words stand in an answer."""
    words = re.escape(plain(wanted))
    return re.search(rf"\b{words}\b", plain(answer)) is not None
# --8<-- [end:right]


# --8<-- [start:answers]
@torch.inference_mode()
def answers(
    model: Llama, prompts: Sequence[Sequence[int]], end: int, max_new_tokens: int
) -> list[list[int]]:
    """Greedy answers, each up to `end`. Prompts of one length are a batch."""
    device, found = next(model.parameters()).device, {}
    for length in {len(ids) for ids in prompts}:
        own = [i for i, ids in enumerate(prompts) if len(ids) == length]
        ids = torch.tensor([prompts[i] for i in own], device=device)
        cached = CachedLlama(model)
        for _ in range(max_new_tokens):
            token = cached.next_logits(ids).argmax(dim=-1, keepdim=True)
            ids = torch.cat([ids, token], dim=1)
        for i, new in zip(own, ids[:, length:].tolist(), strict=True):
            found[i] = new[: new.index(end)] if end in new else new
    return [found[i] for i in range(len(prompts))]
# --8<-- [end:answers]


# --8<-- [start:sign_test]
def only(one: Tensor, other: Tensor) -> tuple[int, int]:
    """How many questions only one prompt gets right, and only the other.

    one, other: (questions,), True where the answer is right.
    """
    return (one & ~other).sum().item(), (other & ~one).sum().item()


def sign_test(one: Tensor, other: Tensor) -> float:
    """The p-value of two prompts: how likely so unequal a split is by chance."""
    a, b = only(one, other)  # in either order
    tail = sum(comb(a + b, k) for k in range(min(a, b) + 1)) / 2 ** (a + b)
    return min(1.0, 2 * tail)
# --8<-- [end:sign_test]


# --8<-- [start:ahead]
def ahead(one: Tensor, other: Tensor, number: int) -> float:
    """The probability that one prompt has more right of so many questions.

    The questions are drawn from all; one, other: (questions,).
    """
    a, b = only(one, other)
    same = len(one) - a - b
    ways = sum(
        comb(a, i) * comb(b, j) * comb(same, number - i - j)
        for i in range(number + 1)
        for j in range(min(i, number - i + 1))  # fewer than i
    )
    return ways / comb(len(one), number)
# --8<-- [end:ahead]


# --8<-- [start:chosen]
def chosen(
    right: Tensor, number: int, draws: int, generator: torch.Generator
) -> tuple[float, float]:
    """Share right of the best prompt: where it was chosen, and on the rest.

    right: (prompts, questions). In each draw, the best on `number` questions.
    """
    shares = []
    for _ in range(draws):
        order = torch.randperm(right.size(1), generator=generator)
        shuffled = right[:, order].double()
        here, rest = shuffled[:, :number], shuffled[:, number:]
        best = here.mean(dim=1).argmax()
        shares.append(torch.stack([here[best].mean(), rest[best].mean()]))
    where_chosen, elsewhere = torch.stack(shares).mean(dim=0).tolist()
    return where_chosen, elsewhere
# --8<-- [end:chosen]
