"""How alike two encodings are: a matter of their offset alone."""

# --8<-- [start:imports]
from torch import Tensor

from snippets.positions.sinusoidal import frequencies
# --8<-- [end:imports]


# --8<-- [start:similarity]
def similarity(offsets: Tensor, d_model: int) -> Tensor:
    """PE(p) . PE(p + k) = sum over i of cos(k omega_i), whatever p is.

    offsets k: (n,), returns (n,).
    """
    return (offsets.unsqueeze(-1) * frequencies(d_model)).cos().sum(dim=-1)
# --8<-- [end:similarity]
