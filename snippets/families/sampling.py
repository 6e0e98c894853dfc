"""How the next token is drawn: temperature, top-k, top-p and min-p."""

# --8<-- [start:imports]
import math
from collections.abc import Callable

import torch
from torch import Generator, Tensor

from snippets.before.vocabulary import EOS, PAD
from snippets.tools.inputs import check
# --8<-- [end:imports]


# --8<-- [start:temperature]
def with_temperature(logits: Tensor, temperature: float) -> Tensor:
    """Logits, (..., V), divided by it: below 1 sharper, above 1 flatter.

    Raises ValueError unless the temperature is positive: 0 is argmax.
    """
    if not temperature > 0:
        raise ValueError(f"the temperature is positive, not {temperature}")
    return logits / temperature
# --8<-- [end:temperature]


# --8<-- [start:top_k]
def top_k(logits: Tensor, k: int) -> Tensor:
    """Logits, (..., V), of the k most probable tokens; the others become -inf.

    Whatever is as probable as the last of them stays, too. Fan et al. (2018).
    """
    if k < 1:
        raise ValueError(f"at least one token is kept, not {k}")
    least = logits.topk(min(k, logits.size(-1))).values[..., -1:]
    return logits.masked_fill(logits < least, -math.inf)
# --8<-- [end:top_k]


# --8<-- [start:top_p]
def top_p(logits: Tensor, p: float) -> Tensor:
    """Logits of the fewest most probable tokens that reach p together.

    logits: (..., V); the others become -inf. Holtzman et al. (2020), section 3.1.
    """
    if not 0 < p <= 1:
        raise ValueError(f"p is a share of the probability, above 0, not {p}")
    ordered, order = logits.sort(dim=-1, stable=True)  # the most probable one last
    tail = ordered.softmax(dim=-1).cumsum(dim=-1)  # it and all less probable ones
    cut = tail <= 1 - p
    cut[..., -1] = False
    return logits.masked_fill(cut.scatter(-1, order, cut), -math.inf)
# --8<-- [end:top_p]


# --8<-- [start:min_p]
def min_p(logits: Tensor, p: float) -> Tensor:
    """Logits of tokens at least p times as probable as the most probable one."""
    if not 0 <= p <= 1:
        raise ValueError(f"p is a ratio of probabilities, not {p}")
    probability = logits.softmax(dim=-1)
    least = p * probability.amax(dim=-1, keepdim=True)
    return logits.masked_fill(probability < least, -math.inf)
# --8<-- [end:min_p]


# --8<-- [start:draw]
def draw(logits: Tensor, generator: Generator | None = None) -> Tensor:
    """A token for each row, by its probability: ([batch,] V) -> ([batch])."""
    probability = logits.softmax(dim=-1)
    return torch.multinomial(probability, 1, generator=generator).squeeze(-1)


def sample(
    next_logits: Callable[[Tensor], Tensor],
    ids: Tensor,
    max_new_tokens: int,
    cut: Callable[[Tensor], Tensor],
    generator: Generator,
) -> Tensor:
    """Append tokens that are drawn, until </s> or max_new_tokens of them.

    next_logits: from all ids so far, (batch, n), to (batch, V), so prompts are of
    one length: padding would be read as text. cut: what becomes
    of these logits before a token is drawn. Returns the new ids, (batch, at most
    max_new_tokens), padded behind </s>.
    """
    check(max_new_tokens >= 0, f"no number of tokens: {max_new_tokens}")
    start = ids.size(1)
    ended = torch.zeros_like(ids[:, 0], dtype=torch.bool)
    for _ in range(max_new_tokens):
        token = draw(cut(next_logits(ids)), generator).masked_fill(ended, PAD)
        ended |= token == EOS
        ids = torch.cat([ids, token.unsqueeze(1)], dim=1)
        if ended.all():
            break
    return ids[:, start:]
# --8<-- [end:draw]
