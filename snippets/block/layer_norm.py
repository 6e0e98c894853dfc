"""Layer normalization: mean 0 and variance 1 per vector, then gamma and beta."""

# --8<-- [start:imports]
import torch
from torch import Tensor, nn
# --8<-- [end:imports]


# --8<-- [start:LayerNorm]
class LayerNorm(nn.Module):
    """(x - mean) / sqrt(variance + eps) * gamma + beta: Ba et al. (2016).

    Mean and variance are those of the last axis, the variance divided by d_model.
    They are computed in float32 for half precision, too, as in torch.nn.LayerNorm.
    """

    def __init__(self, d_model: int, eps: float = 1e-5) -> None:
        super().__init__()
        self.gamma = nn.Parameter(torch.ones(d_model))
        self.beta = nn.Parameter(torch.zeros(d_model))
        self.eps = eps

    def forward(self, x: Tensor) -> Tensor:
        """x: (..., d_model), returns the same shape.

        Raises ValueError if x has another dimension.
        """
        d_model = self.gamma.size(0)
        if x.size(-1) != d_model:
            raise ValueError(f"x is (..., {d_model}), not {tuple(x.shape)}")
        is_half = x.dtype in (torch.float16, torch.bfloat16)
        x32 = x.float() if is_half else x  # the square of 256 is beyond float16
        centered = x32 - x32.mean(dim=-1, keepdim=True)
        variance = centered.square().mean(dim=-1, keepdim=True)
        normed = centered * torch.rsqrt(variance + self.eps)
        return (normed * self.gamma + self.beta).to(x.dtype)

    def extra_repr(self) -> str:
        return f"{self.gamma.size(0)}, eps={self.eps}"
# --8<-- [end:LayerNorm]
