"""Why attention divides by the square root of d_k: what to measure."""

# --8<-- [start:imports]
import math

import torch
from torch import Generator, Tensor
# --8<-- [end:imports]


# --8<-- [start:sample_components]
def sample_components(
    shape: tuple[int, ...], distribution: str, generator: Generator
) -> Tensor:
    """Independent numbers of mean 0 and variance 1: normal, uniform or sign.

    Raises ValueError for any other distribution.
    """
    if distribution == "normal":
        return torch.randn(shape, generator=generator)
    if distribution == "uniform":  # the variance of U(-a, a) is a^2 / 3
        return (torch.rand(shape, generator=generator) * 2 - 1) * math.sqrt(3)
    if distribution == "sign":  # -1 or 1, each with probability 1/2
        return torch.randint(0, 2, shape, generator=generator) * 2.0 - 1
    raise ValueError(f"normal, uniform or sign, not {distribution!r}")
# --8<-- [end:sample_components]


# --8<-- [start:sample_dot_products]
def sample_dot_products(
    d_k: int, samples: int, distribution: str, generator: Generator
) -> Tensor:
    """Dot products q . k of random vectors of dimension d_k. Returns (samples,)."""
    q = sample_components((samples, d_k), distribution, generator)
    k = sample_components((samples, d_k), distribution, generator)
    return (q * k).sum(dim=1)
# --8<-- [end:sample_dot_products]


# --8<-- [start:entropy]
def entropy(weights: Tensor) -> Tensor:
    """Entropy in nats of each distribution in the last axis.

    0 if it is one-hot, log n if it is uniform over n.
    """
    tiny = torch.finfo(weights.dtype).tiny  # 0 log 0 is 0, its gradient finite
    return -(weights * weights.clamp_min(tiny).log()).sum(dim=-1)
# --8<-- [end:entropy]


# --8<-- [start:softmax_jacobian]
def softmax_jacobian(weights: Tensor) -> Tensor:
    """d w_i / d s_j = w_i (delta_ij - w_j) for w = softmax(s).

    weights: (..., n), returns (..., n, n).
    """
    outer = weights.unsqueeze(-1) * weights.unsqueeze(-2)
    return torch.diag_embed(weights) - outer
# --8<-- [end:softmax_jacobian]
