"""A task told by examples in the context: mappings, optimum, induction heads."""

# --8<-- [start:imports]
from collections.abc import Iterator
from contextlib import contextmanager
from math import comb

import torch
import torch.nn.functional as F
from torch import Generator, Tensor

from snippets.attention.multi_head import (
    MultiHeadAttention,
    merge_heads,
    split_heads,
)
from snippets.families.gpt import GPT
from snippets.tools.tracing import outputs
# --8<-- [end:imports]


# --8<-- [start:mappings]
SIZE = 8  # letters, and as many digits
LETTERS, DIGITS, NEW = "abcdefgh", "12345678", "xyz"  # NEW: never in training
TOKENS = f"{LETTERS}{DIGITS}{NEW}."  # a token's id is where it stands here


def is_odd(mapping: Tensor) -> Tensor:
    """Whether an odd number of swaps makes it: (batch, SIZE) -> (batch,)."""
    out_of_order = mapping.unsqueeze(2) > mapping.unsqueeze(1)  # (batch, i, j)
    return out_of_order.triu(diagonal=1).sum(dim=(1, 2)) % 2 == 1


def draw_mappings(count: int, test: bool, generator: Generator) -> Tensor:
    """Each letter's digit, as permutations of 0 ... 7: (count, SIZE).

    The even ones are for training, the odd ones for the test.
    """
    mapping = torch.rand(count, SIZE, generator=generator).argsort(dim=1)
    swapped = mapping[:, [1, 0, *range(2, SIZE)]]  # odd becomes even, even odd
    return torch.where((is_odd(mapping) == test).unsqueeze(1), mapping, swapped)
# --8<-- [end:mappings]


# --8<-- [start:sequences]
def draw_letters(kinds: Tensor, pairs: int, generator: Generator) -> Tensor:
    """Letters at random, of so many kinds: (count, 1) -> (count, pairs)."""
    count = len(kinds)
    letters = torch.rand(count, SIZE, generator=generator).argsort(dim=1)
    drawn = torch.rand(count, pairs, generator=generator) * kinds
    return letters.gather(1, drawn.long())


def sequences(mapping: Tensor, letters: Tensor) -> Tensor:
    """Letter, digit, letter, digit, ...: ids, (batch, 2 pairs)."""
    digits = SIZE + mapping.gather(1, letters)
    return torch.stack([letters, digits], dim=2).flatten(start_dim=1)


def moved_back(ids: Tensor, generator: Generator) -> Tensor:
    """The same with up to n / 2 dots before it, cut off after n: (batch, n).

    So a pair may stand anywhere, and its position says nothing about it.
    """
    batch, n = ids.shape
    dots = torch.randint(n // 2, (batch, 1), generator=generator)
    place = torch.arange(n) - dots
    moved = ids.gather(1, place.clamp(min=0))
    return moved.masked_fill(place < 0, TOKENS.index("."))


def digit_loss(model: GPT, ids: Tensor) -> Tensor:
    """Cross-entropy of the digits only: nobody could predict the letters."""
    target = ids[:, 1:]
    counts = (target >= SIZE) & (target < 2 * SIZE)
    return F.cross_entropy(model(ids[:, :-1])[counts], target[counts])
# --8<-- [end:sequences]


# --8<-- [start:right_answers]
@torch.no_grad()
def right_answers(model: GPT, ids: Tensor) -> Tensor:
    """Whether the most probable token is the right digit: (batch, pairs)."""
    return model(ids[:, :-1])[:, ::2].argmax(dim=-1) == ids[:, 1::2]


def answered_before(ids: Tensor) -> Tensor:
    """Whether a letter's digit has stood in the context: (batch, pairs)."""
    letters = ids[:, ::2]
    same = letters.unsqueeze(2) == letters.unsqueeze(1)  # (batch, now, then)
    return same.tril(diagonal=-1).any(dim=2)
# --8<-- [end:right_answers]


# --8<-- [start:optimum]
def all_seen(examples: int, size: int = SIZE) -> float:
    """Probability that each letter is among so many, by inclusion-exclusion."""
    return sum(
        (-1) ** j * comb(size, j) * (1 - j / size) ** examples
        for j in range(size + 1)
    )


def optimum(examples: int, size: int = SIZE) -> float:
    """How often the best possible learner is right after so many examples."""
    seen = 1 - (1 - 1 / size) ** examples  # this letter's digit was shown
    guessed = (1 - all_seen(examples, size)) / size  # one of those that are left
    return seen + guessed
# --8<-- [end:optimum]


# --8<-- [start:induction_scores]
def attention_weights(model: GPT, ids: Tensor) -> Tensor:
    """Of all layers: (batch, layers, heads, query, key)."""
    found = [
        out[1]
        for name, out in outputs(model, ids)
        if isinstance(model.get_submodule(name), MultiHeadAttention)
    ]
    return torch.stack(found, dim=1)


def induction_scores(model: GPT, ids: Tensor) -> Tensor:
    """Each head's weight on what followed the same letter: (layers, heads).

    The mean over all letters that have stood in the context before.
    """
    n = ids.size(1)
    same = ids.unsqueeze(2) == ids.unsqueeze(1)  # (batch, now, then)
    after = F.pad(same.tril(diagonal=-1), (1, -1))  # then + 1
    is_letter = torch.arange(n, device=ids.device) % 2 == 0  # not a digit
    asked = after.any(dim=2) & is_letter
    weights = attention_weights(model, ids) * after[:, None, None]
    each = weights.sum(dim=-1).movedim(0, 2)  # (layers, heads, batch, query)
    return each[:, :, asked].mean(dim=-1)


def previous_scores(model: GPT, ids: Tensor) -> Tensor:
    """Each digit's weight on the letter just before it: (layers, heads)."""
    before = attention_weights(model, ids).diagonal(-1, dim1=-2, dim2=-1)
    return before[..., ::2].mean(dim=(0, 3))
# --8<-- [end:induction_scores]


# --8<-- [start:without_head]
@contextmanager
def without_head(model: GPT, layer: int, head: int) -> Iterator[None]:
    """Zero ablation: for a while, one head's output is zero for all tokens."""
    attention = model.stack.layers[layer].attention

    def ablate(w_o, inputs: tuple[Tensor]) -> Tensor:
        heads = split_heads(inputs[0], attention.num_heads).clone()
        heads[:, head] = 0
        return merge_heads(heads)

    hook = attention.w_o.register_forward_pre_hook(ablate)
    try:
        yield
    finally:
        hook.remove()
# --8<-- [end:without_head]
