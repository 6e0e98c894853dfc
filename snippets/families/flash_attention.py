"""FlashAttention: exact attention that never stores the whole matrix of scores."""

# --8<-- [start:imports]
import math

import torch
from torch import Tensor
from torch.utils.checkpoint import checkpoint

from snippets.attention.scaled_dot_product import check_shapes
# --8<-- [end:imports]


# --8<-- [start:absorb]
State = tuple[Tensor, Tensor, Tensor]  # maximum, sum, weighted sum of values


def nothing_seen(query: Tensor, value: Tensor) -> State:
    """Before the first key. Returns (..., n_q, 1) twice, and (..., n_q, d_v)."""
    zeros = torch.zeros_like(query[..., :1])
    return zeros - math.inf, zeros, zeros.expand(*zeros.shape[:-1], value.size(-1))


def absorb(state: State, scores: Tensor, value: Tensor) -> State:
    """The state after b more keys.

    Maximum and sum as in Milakov and Gimelshein (2018), algorithm 3, and the
    weighted sum of values as in Rabe and Staats (2021), sections 2 and 3.

    scores: (..., n_q, b), -inf where masked; value: (..., b, d_v).
    """
    maximum, total, weighted = state
    new = torch.maximum(maximum, scores.amax(dim=-1, keepdim=True))
    base = new.masked_fill(new == -math.inf, 0.0)  # only masked keys so far
    shrink = torch.exp(maximum - base)  # both sums were relative to the old one
    weights = torch.exp(scores - base)
    total = shrink * total + weights.sum(dim=-1, keepdim=True)
    weighted = shrink * weighted + weights @ value
    return new, total, weighted
# --8<-- [end:absorb]


# --8<-- [start:attend]
def attend(
    query: Tensor,
    key: Tensor,
    value: Tensor,
    attn_mask: Tensor | None,
    first: int,
    causal: bool,
    block: int,
) -> Tensor:
    """A block of queries, of which ``first`` is the first, to all keys."""
    query = query / math.sqrt(query.size(-1))
    end = min(first + query.size(-2), key.size(-2)) if causal else key.size(-2)
    state = nothing_seen(query, value)
    for j in range(0, end, block):  # causal: blocks above the diagonal are skipped
        k, v = key[..., j : j + block, :], value[..., j : j + block, :]
        scores = query @ k.transpose(-2, -1)  # (..., block, block)
        if causal:
            future = torch.ones_like(scores, dtype=torch.bool).triu(first - j + 1)
            scores = scores.masked_fill(future, -math.inf)
        if attn_mask is not None:
            scores = scores.masked_fill(~attn_mask[..., j : j + block], -math.inf)
        state = absorb(state, scores, v)
    _, total, weighted = state
    return weighted / total.masked_fill(total == 0, 1.0)  # 0 if all keys are masked
# --8<-- [end:attend]


# --8<-- [start:flash_attention]
def flash_attention(
    query: Tensor,
    key: Tensor,
    value: Tensor,
    attn_mask: Tensor | None = None,
    causal: bool = False,
    block: int = 64,
) -> Tensor:
    """softmax(Q K^T / sqrt(d_k)) V, a block of queries and of keys at a time.

    Dao et al. (2022), algorithm 1, with the loops in the order of FlashAttention-2.
    Shapes and attn_mask as in scaled_dot_product_attention; returns its output.
    causal: query i sees the keys up to i, also where n_q and n_k differ.
    Raises ValueError on shapes that do not fit, or for a block of nothing.
    """
    check_shapes(query, key, value, attn_mask)
    if block < 1:
        raise ValueError(f"a block has at least one row, not {block}")
    if attn_mask is not None:  # a view: nothing is copied
        attn_mask = attn_mask.expand(*query.shape[:-1], key.size(-2))
    outputs = []
    for i in range(0, max(query.size(-2), 1), block):  # one block if it is empty
        rows = slice(i, i + block)
        mask = None if attn_mask is None else attn_mask[..., rows, :]
        inputs = (query[..., rows, :], key, value, mask, i, causal, block)
        # the backward pass computes the scores again instead of storing them
        outputs.append(checkpoint(attend, *inputs, use_reentrant=False))
    return torch.cat(outputs, dim=-2)
# --8<-- [end:flash_attention]


# --8<-- [start:traffic]
def plain_traffic(n: int, d: int) -> int:
    """Numbers read from and written to slow memory, step by step: algorithm 0.

    Read Q and K, write S; read S, write P; read P and V, write O.
    """
    return 4 * n * d + 4 * n**2


def tiled_traffic(n: int, d: int, m: int) -> int:
    """The same for blocks that fit into a fast memory of m numbers.

    Q and O once; K and V once for each block of queries, which has m / 4d of them.
    """
    blocks = -(-n // (m // (4 * d)))  # rounded up
    return 2 * n * d + blocks * 2 * n * d
# --8<-- [end:traffic]
