"""TODO What this module computes, in one line."""

# --8<-- [start:imports]
from torch import Tensor
# --8<-- [end:imports]


# --8<-- [start:in_context_learning]
def in_context_learning(x: Tensor) -> Tensor:
    """TODO Each vector without its mean.

    x: (..., d). Returns (..., d). Raises ValueError unless x has an axis.
    """
    if x.dim() == 0:
        raise ValueError(f"x needs an axis, and has the shape {tuple(x.shape)}")
    return x - x.mean(dim=-1, keepdim=True)
# --8<-- [end:in_context_learning]
