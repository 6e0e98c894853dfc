"""Scaled dot-product attention, which everything else is built around."""

# --8<-- [start:imports]
import math

import torch
from torch import Tensor
# --8<-- [end:imports]


# --8<-- [start:check_shapes]
def check_shapes(
    query: Tensor, key: Tensor, value: Tensor, attn_mask: Tensor | None
) -> None:
    """Raise ValueError, naming the shapes, if they do not fit together."""
    q, k, v = tuple(query.shape), tuple(key.shape), tuple(value.shape)
    if q[:-2] != k[:-2] or k[:-2] != v[:-2] or min(len(q), len(k), len(v)) < 2:
        raise ValueError(f"leading sizes differ: {q}, {k}, {v}")
    if q[-1] != k[-1]:
        raise ValueError(f"query and key need the same dimension d_k: {q}, {k}")
    if k[-2] != v[-2]:
        raise ValueError(f"each key needs one value: {k}, {v}")
    if attn_mask is None:
        return
    mask, scores = tuple(attn_mask.shape), q[:-1] + k[-2:-1]  # (..., n_q, n_k)
    if attn_mask.dtype != torch.bool:
        raise ValueError(f"attn_mask is boolean, not {attn_mask.dtype}")
    sizes = zip(reversed(mask), reversed(scores), strict=False)
    if len(mask) > len(scores) or any(m not in (1, s) for m, s in sizes):
        raise ValueError(f"attn_mask {mask} does not broadcast to {scores}")
# --8<-- [end:check_shapes]


# --8<-- [start:scaled_dot_product_attention]
def scaled_dot_product_attention(
    query: Tensor, key: Tensor, value: Tensor, attn_mask: Tensor | None = None
) -> tuple[Tensor, Tensor]:
    """softmax(Q K^T / sqrt(d_k)) V, equation 1 of Vaswani et al. (2017).

    query: (..., n_q, d_k), key: (..., n_k, d_k), value: (..., n_k, d_v).
    attn_mask: bool, broadcasts to (..., n_q, n_k), True where allowed.
    Returns the output, (..., n_q, d_v), and the weights, (..., n_q, n_k).
    A query that may attend to no key has weights 0 and output 0.
    Raises ValueError on shapes that do not fit.
    """
    check_shapes(query, key, value, attn_mask)
    scores = query @ key.transpose(-2, -1) / math.sqrt(query.size(-1))
    if attn_mask is not None:
        nothing = ~attn_mask.any(dim=-1, keepdim=True)  # may attend to no key
        # a row of nothing but -inf would become NaN, so it stays as it is
        scores = scores.masked_fill(~attn_mask & ~nothing, -math.inf)
    weights = torch.softmax(scores, dim=-1)  # each row sums to 1
    if attn_mask is not None:
        weights = weights.masked_fill(nothing, 0.0)
    return weights @ value, weights
# --8<-- [end:scaled_dot_product_attention]
