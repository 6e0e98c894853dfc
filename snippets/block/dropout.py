"""Dropout: in training, components are set to 0 at random."""

# --8<-- [start:imports]
import torch
from torch import Tensor, nn
# --8<-- [end:imports]


# --8<-- [start:Dropout]
class Dropout(nn.Module):
    """Keep each component with probability 1 - p, divided by 1 - p; else 0.

    At inference it does nothing. Srivastava et al. (2014).
    Raises ValueError unless 0 <= p < 1.
    """

    def __init__(self, p: float = 0.1) -> None:
        super().__init__()
        if not 0 <= p < 1:
            raise ValueError(f"p is a probability below 1, not {p}")
        self.p = p

    def forward(self, x: Tensor) -> Tensor:
        if not self.training or self.p == 0:
            return x
        # bfloat16 would draw multiples of 1/256, too coarse for p = 0.1
        keep = torch.rand_like(x, dtype=torch.float32) >= self.p
        return keep * x / (1 - self.p)

    def extra_repr(self) -> str:
        return f"p={self.p}"
# --8<-- [end:Dropout]
