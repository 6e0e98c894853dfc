"""Residual connection and normalization around a sublayer: post-LN, pre-LN."""

# --8<-- [start:imports]
from collections.abc import Callable

from torch import Tensor, nn

from snippets.block.dropout import Dropout
from snippets.block.layer_norm import LayerNorm
# --8<-- [end:imports]


# --8<-- [start:SublayerConnection]
class SublayerConnection(nn.Module):
    """Post-LN: LN(x + F(x)), as in the 2017 paper. Pre-LN: x + F(LN(x)).

    Dropout acts on the sublayer's output, before it is added (section 5.4).
    """

    def __init__(
        self,
        d_model: int,
        dropout: float = 0.1,
        norm_first: bool = False,
        eps: float = 1e-5,
    ) -> None:
        super().__init__()
        self.norm = LayerNorm(d_model, eps)
        self.dropout = Dropout(dropout)
        self.norm_first = norm_first

    def forward(self, x: Tensor, sublayer: Callable[[Tensor], Tensor]) -> Tensor:
        """x: (..., d_model). Raises ValueError if F changes the shape."""
        added = self.dropout(sublayer(self.norm(x) if self.norm_first else x))
        if added.shape != x.shape:
            shapes = f"{tuple(added.shape)} to {tuple(x.shape)}"
            raise ValueError(f"a residual connection cannot add {shapes}")
        return x + added if self.norm_first else self.norm(x + added)
# --8<-- [end:SublayerConnection]
