"""How a trained model generates: greedily, or with several sentences at once."""

# --8<-- [start:imports]
import math
from collections.abc import Callable, Iterator
from contextlib import contextmanager

import torch
from torch import Tensor, nn

from snippets.before.vocabulary import BOS, EOS
from snippets.model.transformer import Transformer
from snippets.tools.inputs import check
# --8<-- [end:imports]


# --8<-- [start:inference]
@contextmanager
def inference(model: nn.Module) -> Iterator[None]:
    """Without dropout and without gradients; afterwards as it was before."""
    modes = [(module, module.training) for module in model.modules()]
    model.eval()
    try:
        with torch.no_grad():
            yield
    finally:
        for module, training in modes:  # of a frozen part, it may be another
            module.training = training
# --8<-- [end:inference]


# --8<-- [start:without_padding]
def without_padding(logits: Tensor, pad_id: int) -> Tensor:
    """Padding is no token: it gets probability 0. logits: (batch, vocab_size)."""
    logits = logits.clone()
    logits[:, pad_id] = -math.inf
    return logits
# --8<-- [end:without_padding]


# --8<-- [start:generate]
def generate(
    next_logits: Callable[[Tensor], Tensor],
    tgt: Tensor,
    max_new_tokens: int,
    pad_id: int,
) -> Tensor:
    """Append the most probable token, until </s> or max_new_tokens of them.

    next_logits: from the tokens so far, (batch, m), to (batch, vocab_size).
    tgt: what to begin with, (batch, 1 or more), without padding. Returns the new
    ids, (batch, at most max_new_tokens), padded after </s>.
    """
    check(max_new_tokens >= 0, f"no number of tokens: {max_new_tokens}")
    start = tgt.size(1)
    ended = torch.zeros_like(tgt[:, 0], dtype=torch.bool)
    for _ in range(max_new_tokens):
        logits = without_padding(next_logits(tgt), pad_id)
        token = logits.argmax(dim=-1).masked_fill(ended, pad_id)  # (batch,)
        ended |= token == EOS
        tgt = torch.cat([tgt, token.unsqueeze(1)], dim=1)
        if ended.all():
            break
    return tgt[:, start:]
# --8<-- [end:generate]


# --8<-- [start:greedy]
def greedy(model: Transformer, src: Tensor, max_new_tokens: int) -> Tensor:
    """The translation of src, (batch, n): always the most probable token."""
    with inference(model):
        memory = model.encode(src)

        def next_logits(tgt: Tensor) -> Tensor:
            return model.decode(tgt, memory, src)[:, -1]

        bos = torch.full_like(src[:, :1], BOS)
        return generate(next_logits, bos, max_new_tokens, model.pad_id)
# --8<-- [end:greedy]


# --8<-- [start:length_penalty]
def length_penalty(length: int, alpha: float) -> float:
    """What log-probabilities are divided by: Wu et al. (2016), equation 14."""
    return ((5 + length) / 6) ** alpha
# --8<-- [end:length_penalty]


# --8<-- [start:beam_search]
def beam_search(
    model: Transformer,
    src: Tensor,
    beam_size: int,
    max_new_tokens: int,
    alpha: float = 0.6,
) -> tuple[list[int], float]:
    """The best sentence found if only the beam_size best hypotheses are continued.

    src: (1, n). Returns its ids, up to </s>, and its log-probability divided by
    the length penalty. A hypothesis of max_new_tokens counts as a sentence.
    Raises ValueError unless src is one sentence and both sizes are positive.
    """
    if src.size(0) != 1 or min(beam_size, max_new_tokens) < 1:
        sizes = f"{tuple(src.shape)}, {beam_size}, {max_new_tokens}"
        raise ValueError(f"one sentence and positive sizes, not {sizes}")
    check(math.isfinite(alpha), f"alpha is a number, not {alpha}")
    with inference(model):
        memory = model.encode(src)
        beam: list[tuple[float, list[int]]] = [(0.0, [BOS])]
        found: list[tuple[float, list[int]]] = []
        for length in range(1, max_new_tokens + 1):
            tgt = src.new_tensor([ids for _, ids in beam])  # (hypotheses, length)
            copies = (len(beam), -1, -1)
            sources = (memory.expand(copies), src.expand(copies[:2]))
            logits = model.decode(tgt, *sources)[:, -1]
            log_p = torch.log_softmax(without_padding(logits, model.pad_id), dim=-1)
            before = log_p.new_tensor([total for total, _ in beam]).unsqueeze(1)
            best = (before + log_p).flatten().topk(min(beam_size, log_p.numel()))
            vocab_size = log_p.size(1)  # log_p: (hypotheses, vocab_size)
            longer = [
                (p, [*beam[i // vocab_size][1], i % vocab_size])
                for p, i in zip(*map(Tensor.tolist, best), strict=True)
            ]
            penalty = length_penalty(length, alpha)
            for p, ids in longer:
                if ids[-1] == EOS or length == max_new_tokens:
                    found.append((p / penalty, ids[1:]))
            beam = [(p, ids) for p, ids in longer if ids[-1] != EOS]
            if not beam:
                break
    score, ids = max(found)
    return ids, score
# --8<-- [end:beam_search]
