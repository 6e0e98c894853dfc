"""Sinusoidal positional encoding: many wavelengths, as the hands of clocks."""

# --8<-- [start:imports]
import torch
from torch import Tensor
# --8<-- [end:imports]


# --8<-- [start:frequencies]
def frequencies(d_model: int, device: torch.device | None = None) -> Tensor:
    """omega_i = 10000^(-2i / d_model) for i = 0, ..., d_model / 2 - 1.

    Radians per position; (d_model / 2,), float64. Raises ValueError if d_model
    is odd: each frequency has a sine and a cosine.
    """
    if d_model < 2 or d_model % 2:
        raise ValueError(f"a positive even number of dimensions, not {d_model}")
    even = torch.arange(0, d_model, 2, dtype=torch.float64, device=device)  # 2i
    return 10000.0 ** -(even / d_model)
# --8<-- [end:frequencies]


# --8<-- [start:positional_encoding]
def positional_encoding(positions: Tensor, d_model: int) -> Tensor:
    """PE(pos, 2i) = sin(pos omega_i), PE(pos, 2i + 1) = cos(pos omega_i).

    Section 3.5 of Vaswani et al. (2017). positions: (n,); returns (n, d_model),
    float64, where the positions are: not every GPU has float64, so models have
    them on the CPU and move what comes out. Raises ValueError if d_model is odd.
    """
    omega = frequencies(d_model, positions.device)
    angles = positions.unsqueeze(-1) * omega  # (n, d_model / 2)
    return torch.stack([angles.sin(), angles.cos()], dim=-1).flatten(-2)
# --8<-- [end:positional_encoding]
