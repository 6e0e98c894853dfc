"""An encoder layer: self-attention and feed-forward, each with a residual."""

# --8<-- [start:imports]
from torch import Tensor, nn

from snippets.attention.multi_head import MultiHeadAttention
from snippets.block.config import TransformerConfig
from snippets.block.feed_forward import FeedForward
from snippets.block.layer_norm import LayerNorm
from snippets.block.residual import SublayerConnection
# --8<-- [end:imports]


# --8<-- [start:EncoderLayer]
class EncoderLayer(nn.Module):
    """Two sublayers (section 3.1), with post-LN or, if norm_first, pre-LN."""

    def __init__(self, config: TransformerConfig) -> None:
        super().__init__()
        d_model = config.d_model
        around = (config.dropout, config.norm_first, config.eps)
        self.attention = MultiHeadAttention(d_model, config.num_heads)
        self.feed_forward = FeedForward(d_model, config.d_ff, config.activation)
        self.residual_1 = SublayerConnection(d_model, *around)
        self.residual_2 = SublayerConnection(d_model, *around)

    def forward(self, x: Tensor, attn_mask: Tensor | None = None) -> Tensor:
        """x: (batch, n, d_model); returns the same shape.

        attn_mask: bool, (n, n) or (batch, 1 or n, n), True where allowed.
        """
        x = self.residual_1(x, lambda y: self.attention(y, y, y, attn_mask)[0])
        return self.residual_2(x, self.feed_forward)
# --8<-- [end:EncoderLayer]


# --8<-- [start:EncoderStack]
def final_norm(config: TransformerConfig) -> nn.Module:
    """At the end of a stack: a norm for pre-LN, else nn.Identity()."""
    if not config.norm_first:
        return nn.Identity()
    return LayerNorm(config.d_model, config.eps)


class EncoderStack(nn.Module):
    """Layers in a row, and a final norm for pre-LN only."""

    def __init__(self, config: TransformerConfig) -> None:
        super().__init__()
        layers = (EncoderLayer(config) for _ in range(config.num_layers))
        self.layers = nn.ModuleList(layers)
        self.norm = final_norm(config)

    def forward(self, x: Tensor, attn_mask: Tensor | None = None) -> Tensor:
        """x: (batch, n, d_model); returns the same shape."""
        for layer in self.layers:
            x = layer(x, attn_mask)
        return self.norm(x)
# --8<-- [end:EncoderStack]
