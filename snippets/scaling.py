"""Why attention divides by the square root of d_k: what to measure."""

# --8<-- [start:imports]
import math

import torch
from torch import Generator, Tensor
# --8<-- [end:imports]


# --8<-- [start:sample_components]
def sample_components(shape: tuple[int, ...], distribution: str, generator: Generator) -> Tensor:
    """Independent numbers of mean 0 and variance 1 from one of three distributions.

    Raises ValueError for a distribution other than normal, uniform and sign.
    """
    if distribution == "normal":
        return torch.randn(shape, generator=generator)
    if distribution == "uniform":  # on [-sqrt 3, sqrt 3], whose variance is (2 sqrt 3)^2 / 12 = 1
        return (torch.rand(shape, generator=generator) * 2 - 1) * math.sqrt(3)
    if distribution == "sign":  # -1 or 1, each with probability 1/2
        return torch.randint(0, 2, shape, generator=generator) * 2.0 - 1
    raise ValueError(f"distribution is normal, uniform or sign, not {distribution!r}")
# --8<-- [end:sample_components]


# --8<-- [start:sample_dot_products]
def sample_dot_products(d_k: int, samples: int, distribution: str, generator: Generator) -> Tensor:
    """Dot products q . k of random vectors with d_k components each. Returns (samples,)."""
    q = sample_components((samples, d_k), distribution, generator)
    k = sample_components((samples, d_k), distribution, generator)
    return (q * k).sum(dim=1)
# --8<-- [end:sample_dot_products]


# --8<-- [start:entropy]
def entropy(weights: Tensor) -> Tensor:
    """Entropy in nats of each distribution in the last axis: 0 if one-hot, log n if uniform."""
    logs = weights.clamp_min(torch.finfo(weights.dtype).tiny).log()  # finite, so 0 log 0 and its gradient are too
    return -(weights * logs).sum(dim=-1)
# --8<-- [end:entropy]


# --8<-- [start:softmax_jacobian]
def softmax_jacobian(weights: Tensor) -> Tensor:
    """d w_i / d s_j = w_i (delta_ij - w_j) for w = softmax(s). weights: (..., n), returns (..., n, n)."""
    return torch.diag_embed(weights) - weights.unsqueeze(-1) * weights.unsqueeze(-2)
# --8<-- [end:softmax_jacobian]
