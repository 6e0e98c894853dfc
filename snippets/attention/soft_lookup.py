"""Soft look-up: a dictionary that answers a key it does not have."""

# --8<-- [start:imports]
import torch
from torch import Tensor
# --8<-- [end:imports]


# --8<-- [start:soft_lookup]
def soft_lookup(scores: Tensor, values: Tensor) -> tuple[Tensor, Tensor]:
    """Average the values, weighted by the softmax of the scores.

    scores: (n,), how well the query fits each of the n keys.
    values: (n,) or (n, d_v), what is stored under each key.
    Returns the answer, () or (d_v,), and the weights, (n,).
    Raises ValueError unless there are as many values as scores.
    """
    s, v = tuple(scores.shape), tuple(values.shape)
    if len(s) != 1 or len(v) > 2 or v[:1] != s:
        raise ValueError(f"one score per value: {s} against {v}")
    weights = torch.softmax(scores, dim=0)  # (n,), positive, sum 1
    return weights @ values, weights
# --8<-- [end:soft_lookup]
