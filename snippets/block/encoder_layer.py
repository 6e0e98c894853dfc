"""An encoder layer: self-attention and feed-forward, each with a residual."""

# --8<-- [start:imports]
from torch import Tensor, nn

from snippets.attention.multi_head import MultiHeadAttention
from snippets.block.feed_forward import FeedForward
from snippets.block.layer_norm import LayerNorm
from snippets.block.residual import Residual
# --8<-- [end:imports]


# --8<-- [start:EncoderLayer]
class EncoderLayer(nn.Module):
    """Two sublayers (section 3.1), with post-LN or, if norm_first, pre-LN."""

    def __init__(
        self,
        d_model: int,
        num_heads: int,
        d_ff: int,
        p: float = 0.1,
        norm_first: bool = False,
    ) -> None:
        super().__init__()
        self.attention = MultiHeadAttention(d_model, num_heads)
        self.feed_forward = FeedForward(d_model, d_ff)
        self.residual_1 = Residual(d_model, p, norm_first)
        self.residual_2 = Residual(d_model, p, norm_first)

    def forward(self, x: Tensor, attn_mask: Tensor | None = None) -> Tensor:
        """x: (batch, n, d_model); attn_mask as in MultiHeadAttention."""
        x = self.residual_1(x, lambda y: self.attention(y, y, y, attn_mask)[0])
        return self.residual_2(x, self.feed_forward)
# --8<-- [end:EncoderLayer]


# --8<-- [start:EncoderStack]
class EncoderStack(nn.Module):
    """Layers in a row. Pre-LN needs a norm at the end, post-LN has one already."""

    def __init__(
        self,
        num_layers: int,
        d_model: int,
        num_heads: int,
        d_ff: int,
        p: float = 0.1,
        norm_first: bool = False,
    ) -> None:
        super().__init__()
        self.layers = nn.ModuleList(
            EncoderLayer(d_model, num_heads, d_ff, p, norm_first)
            for _ in range(num_layers)
        )
        self.norm = LayerNorm(d_model) if norm_first else nn.Identity()

    def forward(self, x: Tensor, attn_mask: Tensor | None = None) -> Tensor:
        """x: (batch, n, d_model), returns the same shape."""
        for layer in self.layers:
            x = layer(x, attn_mask)
        return self.norm(x)
# --8<-- [end:EncoderStack]
