"""RMSNorm: layer normalisation that neither subtracts a mean nor adds a bias."""

# --8<-- [start:imports]
import torch
from torch import Tensor, nn
# --8<-- [end:imports]


# --8<-- [start:RMSNorm]
class RMSNorm(nn.Module):
    """x / sqrt(mean of squares + eps) * gamma.

    Zhang and Sennrich (2019), section 4. The root is computed in float32 for
    half precision, too, as in LayerNorm.
    """

    def __init__(self, d_model: int, eps: float = 1e-6) -> None:
        super().__init__()
        self.gamma = nn.Parameter(torch.ones(d_model))
        self.eps = eps

    def forward(self, x: Tensor) -> Tensor:
        """x: (..., d_model), returns the same shape.

        Raises ValueError if x has another dimension.
        """
        d_model = self.gamma.size(0)
        if x.size(-1) != d_model:
            raise ValueError(f"x is (..., {d_model}), not {tuple(x.shape)}")
        wide = x.to(torch.promote_types(x.dtype, torch.float32))
        mean_square = wide.square().mean(dim=-1, keepdim=True)
        normed = wide * torch.rsqrt(mean_square + self.eps)
        return normed.to(x.dtype) * self.gamma

    def extra_repr(self) -> str:
        return f"{self.gamma.size(0)}, eps={self.eps}"
# --8<-- [end:RMSNorm]
