"""A fixed offset is one linear map of the encoding, whatever the position."""

# --8<-- [start:imports]
import torch
from torch import Tensor

from snippets.positions.sinusoidal import frequencies
# --8<-- [end:imports]


# --8<-- [start:offset_map]
def offset_map(
    offset: float, d_model: int, device: torch.device | None = None
) -> Tensor:
    """M with PE(pos + offset) = PE(pos) M for every pos: (d_model, d_model).

    One rotation for each frequency, along the diagonal.
    """
    angles = offset * frequencies(d_model, device)
    cos, sin = angles.cos(), angles.sin()
    rows = [torch.stack([cos, -sin], dim=-1), torch.stack([sin, cos], dim=-1)]
    return torch.block_diag(*torch.stack(rows, dim=-2))  # of (d_model / 2, 2, 2)
# --8<-- [end:offset_map]
