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
    omega = frequencies(d_model, offsets.device)
    return (offsets.unsqueeze(-1) * omega).cos().sum(dim=-1)
# --8<-- [end:similarity]
