"""How a trained model writes: greedily, or with several sentences at once."""

# --8<-- [start:imports]
import math
from collections.abc import Callable

import torch
from torch import Tensor

from snippets.model.transformer import Transformer
from snippets.training.vocabulary import BEGIN, END, PAD
# --8<-- [end:imports]


# --8<-- [start:without_padding]
def without_padding(logits: Tensor) -> Tensor:
    """Padding is no word: it gets probability 0. logits: (batch, vocab_size)."""
    is_padding = torch.arange(logits.size(-1)) == PAD
    return logits.masked_fill(is_padding, -math.inf)
# --8<-- [end:without_padding]


# --8<-- [start:greedy]
@torch.no_grad()
def write(
    next_logits: Callable[[Tensor], Tensor], batch: int, longest: int
) -> Tensor:
    """Always the likeliest next word, until </s> or until there are longest words.

    next_logits: from the words so far, (batch, m) with <s>, to (batch, vocab_size).
    Returns ids without <s>, (batch, at most longest), padded behind </s>.
    """
    tgt = torch.full((batch, 1), BEGIN)
    ended = torch.zeros(batch, dtype=torch.bool)
    for _ in range(longest):
        logits = without_padding(next_logits(tgt))
        word = logits.argmax(dim=-1).masked_fill(ended, PAD)  # (batch,)
        ended |= word == END
        tgt = torch.cat([tgt, word.unsqueeze(1)], dim=1)
        if ended.all():
            break
    return tgt[:, 1:]


@torch.no_grad()
def greedy(model: Transformer, src: Tensor, longest: int) -> Tensor:
    """What the model writes for src, (batch, n), by taking the likeliest words."""
    memory = model.encode(src)

    def next_logits(tgt: Tensor) -> Tensor:
        return model.decode(tgt, memory, src)[:, -1]

    return write(next_logits, src.size(0), longest)
# --8<-- [end:greedy]


# --8<-- [start:length_penalty]
def length_penalty(length: int, alpha: float) -> float:
    """What log-probabilities are divided by: Wu et al. (2016), equation 14."""
    return ((5 + length) / 6) ** alpha
# --8<-- [end:length_penalty]


# --8<-- [start:beam_search]
@torch.no_grad()
def beam_search(
    model: Transformer, src: Tensor, width: int, longest: int, alpha: float = 0.6
) -> tuple[list[int], float]:
    """The best sentence found if only the width best beginnings are continued.

    src: (1, n). Returns its ids, up to </s>, and its log-probability divided by
    the length penalty. A beginning of longest words counts as a sentence.
    Raises ValueError unless width is positive and src is a single sentence.
    """
    if width < 1 or src.size(0) != 1:
        shape = tuple(src.shape)
        raise ValueError(f"one sentence and a positive width, not {shape}, {width}")
    memory = model.encode(src)
    beam: list[tuple[float, list[int]]] = [(0.0, [BEGIN])]
    found: list[tuple[float, list[int]]] = []
    for length in range(1, longest + 1):
        tgt = torch.tensor([ids for _, ids in beam])  # (beginnings, length)
        copies = (len(beam), -1, -1)
        logits = model.decode(tgt, memory.expand(copies), src.expand(copies[:2]))
        log_p = torch.log_softmax(without_padding(logits[:, -1]), dim=-1)
        before = torch.tensor([total for total, _ in beam]).unsqueeze(1)
        best = (before + log_p).flatten().topk(min(width, log_p.numel()))
        vocab_size = log_p.size(1)  # log_p: (beginnings, vocab_size)
        longer = [
            (p, [*beam[i // vocab_size][1], i % vocab_size])
            for p, i in zip(*map(Tensor.tolist, best), strict=True)
        ]
        penalty = length_penalty(length, alpha)
        for p, ids in longer:
            if ids[-1] == END or length == longest:
                found.append((p / penalty, ids[1:]))
        beam = [(p, ids) for p, ids in longer if ids[-1] != END]
        if not beam:
            break
    score, ids = max(found)
    return ids, score
# --8<-- [end:beam_search]
