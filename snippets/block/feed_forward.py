"""The position-wise feed-forward network: the same one at each position."""

# --8<-- [start:imports]
from collections.abc import Callable

import torch
from torch import Tensor, nn
# --8<-- [end:imports]


# --8<-- [start:FeedForward]
class FeedForward(nn.Module):
    """ReLU(x W_1 + b_1) W_2 + b_2, equation 2 of Vaswani et al. (2017)."""

    def __init__(
        self,
        d_model: int,
        d_ff: int,
        activation: Callable[[Tensor], Tensor] = torch.relu,
    ) -> None:
        super().__init__()
        self.w_1 = nn.Linear(d_model, d_ff)
        self.w_2 = nn.Linear(d_ff, d_model)
        self.activation = activation

    def forward(self, x: Tensor) -> Tensor:
        """x: (..., d_model), returns (..., d_model).

        Raises ValueError if x has another dimension.
        """
        d_model = self.w_1.in_features
        if x.size(-1) != d_model:
            raise ValueError(f"x is (..., {d_model}), not {tuple(x.shape)}")
        return self.w_2(self.activation(self.w_1(x)))
# --8<-- [end:FeedForward]
