"""Attention masks: True where a query may attend to a key."""

# --8<-- [start:imports]
import torch
from torch import Tensor
# --8<-- [end:imports]


# --8<-- [start:causal_mask]
def causal_mask(n: int, device: torch.device | None = None) -> Tensor:
    """Position i may attend to positions j <= i: (n, n), lower triangular."""
    position = torch.arange(n, device=device)
    return position.unsqueeze(0) <= position.unsqueeze(1)  # key <= query
# --8<-- [end:causal_mask]


# --8<-- [start:padding_mask]
def padding_mask(ids: Tensor, pad_id: int) -> Tensor:
    """No query may attend to padding. ids: (batch, n_k), returns (batch, 1, n_k).

    The middle axis broadcasts over the queries: only keys are masked.
    Raises ValueError unless ids has two axes.
    """
    if ids.dim() != 2:
        raise ValueError(f"ids are (batch, n_k), not {tuple(ids.shape)}")
    return (ids != pad_id).unsqueeze(1)
# --8<-- [end:padding_mask]
