"""What a model would generate if a head were off, or if a score were another one."""

# --8<-- [start:imports]
import contextlib
import math
from collections.abc import Collection, Iterator, Mapping

from torch import Tensor

from snippets.attention.multi_head import (
    MultiHeadAttention,
    merge_heads,
    split_heads,
)
# --8<-- [end:imports]


# --8<-- [start:changed]
@contextlib.contextmanager
def changed(
    attention: MultiHeadAttention,
    off: Collection[int] = (),
    scores: Mapping[tuple[int, int, int], float] | None = None,
) -> Iterator[None]:
    """For a while, heads in `off` output 0, and scores are those given.

    scores: by head, query and key. Weights stay 0 where a mask hides a key.
    """

    def again(module, inputs: tuple, output: tuple) -> tuple[Tensor, Tensor]:
        query, key, value, mask = (*inputs, None)[:4]
        pairs = ((module.w_q, query), (module.w_k, key), (module.w_v, value))
        q, k, v = (split_heads(w(x), module.num_heads) for w, x in pairs)
        found = q @ k.transpose(-2, -1) / math.sqrt(q.size(-1))
        for (head, i, j), score in (scores or {}).items():
            found[:, head, i : i + 1, j : j + 1] = score  # if there is such a token
        if mask is not None:
            found = found.masked_fill(~mask.unsqueeze(-3), -math.inf)
        weights = found.softmax(dim=-1)
        heads = weights @ v  # (batch, heads, n_q, d_k)
        heads[:, list(off)] = 0.0
        return module.w_o(merge_heads(heads)), weights

    hook = attention.register_forward_hook(again)
    try:
        yield
    finally:
        hook.remove()
# --8<-- [end:changed]
