"""Contextual embeddings: each token becomes a weighted average of all tokens."""

# --8<-- [start:imports]
import torch
from torch import Tensor
# --8<-- [end:imports]


# --8<-- [start:dot_product_weights]
def dot_product_weights(x: Tensor) -> Tensor:
    """Weights w with w[i, j] = softmax over j of x_i . x_j.

    x: (n, d), returns (n, n). Raises ValueError unless x has two axes.
    """
    if x.dim() != 2:
        raise ValueError(f"x is (n, d), not {tuple(x.shape)}")
    return torch.softmax(x @ x.T, dim=1)  # row i belongs to token i
# --8<-- [end:dot_product_weights]


# --8<-- [start:contextualize]
def contextualize(weights: Tensor, x: Tensor) -> Tensor:
    """x'_i = sum over j of w[i, j] x_j, for all i at once.

    weights: (n, n), each row sums to 1; x: (n, d). Returns (n, d).
    Raises ValueError if the shapes do not fit or a row does not sum to 1.
    """
    w, n = tuple(weights.shape), x.size(0)
    if w != (n, n) or x.dim() != 2:
        raise ValueError(f"weights {w} do not fit x {tuple(x.shape)}")
    sums = weights.sum(dim=1, dtype=torch.float32)
    rounding = max(1e-5, torch.finfo(weights.dtype).eps)  # of half precision
    if not torch.allclose(sums, torch.ones_like(sums), rtol=rounding):
        found = f"{sums.min():.3g} to {sums.max():.3g}"
        raise ValueError(f"each row of weights must sum to 1, not {found}")
    return weights @ x
# --8<-- [end:contextualize]
