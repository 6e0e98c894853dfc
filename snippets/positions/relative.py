"""Positions inside attention: how a score depends on the offset of its tokens."""

# --8<-- [start:imports]
import math

import torch
from torch import Tensor

from snippets.positions.sinusoidal import frequencies
# --8<-- [end:imports]


# --8<-- [start:offsets]
def offsets(n_q: int, n_k: int, device: torch.device | None = None) -> Tensor:
    """key position - query position, for every pair: (n_q, n_k)."""
    query, key = (torch.arange(n, device=device) for n in (n_q, n_k))
    return key - query.unsqueeze(1)
# --8<-- [end:offsets]


# --8<-- [start:relative_scores]
def relative_scores(query: Tensor, key: Tensor, table: Tensor) -> Tensor:
    """q_m . (k_n + a_(n - m)) / sqrt(d_k): Shaw et al. (2018), equation 4.

    query: (..., n_q, d_k), key: (..., n_k, d_k). table: (2 clip + 1, d_k), a
    learned vector for each offset from -clip to clip; what is farther counts
    as clip. Returns (..., n_q, n_k). Raises ValueError if the shapes do not fit.
    """
    q, k, t = tuple(query.shape), tuple(key.shape), tuple(table.shape)
    if len(t) != 2 or t[0] % 2 == 0 or not q[-1] == k[-1] == t[1]:
        raise ValueError(f"query {q}, key {k} and table {t} do not fit")
    clip = t[0] // 2
    offset = offsets(q[-2], k[-2], query.device).clamp(-clip, clip)
    a = table[offset + clip]  # (n_q, n_k, d_k)
    content = query @ key.transpose(-2, -1)
    position = torch.einsum("...qd,qkd->...qk", query, a)
    return (content + position) / math.sqrt(q[-1])
# --8<-- [end:relative_scores]


# --8<-- [start:t5_bucket]
def t5_bucket(
    offset: Tensor, num_buckets: int = 32, max_distance: int = 128
) -> Tensor:
    """The bucket of each offset key - query, as in T5's encoder; same shape.

    Half of the buckets are for keys after the query. Of each half, one half holds
    one distance each; the others grow like the logarithm up to max_distance, and
    what is farther falls into the last. Raises ValueError unless num_buckets is a
    multiple of 4 and max_distance is above num_buckets / 4.
    """
    if num_buckets < 4 or num_buckets % 4:
        raise ValueError(f"num_buckets is a multiple of 4, not {num_buckets}")
    half = num_buckets // 2
    exact = half // 2
    if max_distance <= exact:
        raise ValueError(f"max_distance is above {exact}, not {max_distance}")
    # bucket exact + e begins at exact (max_distance / exact)^(e / exact), where a
    # logarithm would round; distance^exact is compared, in whole numbers
    powers = [exact ** (exact - e) * max_distance**e for e in range(exact)]
    below = [d**exact for d in range(max_distance)]
    later = [sum(d < p for d in below) for p in powers]
    starts = torch.tensor([*range(1, exact), *later], device=offset.device)
    return torch.bucketize(offset.abs(), starts, right=True) + (offset > 0) * half
# --8<-- [end:t5_bucket]


# --8<-- [start:alibi_bias]
def alibi_bias(
    n: int, num_heads: int, device: torch.device | None = None
) -> Tensor:
    """-slope x distance, to be added to the scores: Press et al. (2022), section 3.

    The slopes of the heads are 2^(-8/h), 2^(-16/h), ..., 2^-8. For causal
    attention; keys after the query are left to the mask. Returns (num_heads, n, n).
    Raises ValueError unless num_heads is a power of 2.
    """
    if num_heads < 1 or num_heads & (num_heads - 1):
        raise ValueError(f"num_heads is a power of 2, not {num_heads}")
    head = torch.arange(1, num_heads + 1, device=device)
    slopes = 2.0 ** (-8 * head / num_heads)
    return slopes.view(-1, 1, 1) * offsets(n, n, device).clamp(max=0)
# --8<-- [end:alibi_bias]


# --8<-- [start:rotate]
def rotate(x: Tensor, positions: Tensor, base: float = 10_000.0) -> Tensor:
    """Turn each pair of components by position x frequency: Su et al. (2021).

    x: (..., n, d_k), queries or keys; positions: (n,). Returns (..., n, d_k).
    The frequencies are base^(-2i/d_k), those of the sinusoids for 10,000. The
    angles are float64, where the positions are: not every GPU has float64.
    Raises ValueError if there is not one position for each row, or for integers.
    """
    if not x.is_floating_point():
        raise ValueError(f"x is of floating-point numbers, not {x.dtype}")
    if positions.shape != x.shape[-2:-1]:
        raise ValueError(f"x {tuple(x.shape)}, positions {tuple(positions.shape)}")
    omega = frequencies(x.size(-1), positions.device) ** math.log(base, 10_000)
    angles = positions.unsqueeze(-1) * omega  # (n, d_k / 2), float64
    cos, sin = angles.cos().to(x), angles.sin().to(x)
    first, second = x[..., 0::2], x[..., 1::2]
    turned = [first * cos - second * sin, first * sin + second * cos]
    return torch.stack(turned, dim=-1).flatten(-2)
# --8<-- [end:rotate]
