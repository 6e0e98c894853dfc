"""A decoder layer: masked self-attention, cross-attention, feed-forward."""

# --8<-- [start:imports]
from torch import Tensor, nn

from snippets.attention.multi_head import MultiHeadAttention
from snippets.block.config import TransformerConfig
from snippets.block.encoder_layer import final_norm
from snippets.block.feed_forward import FeedForward
from snippets.block.residual import SublayerConnection
# --8<-- [end:imports]


# --8<-- [start:DecoderLayer]
class DecoderLayer(nn.Module):
    """Three sublayers (section 3.1), with post-LN or, if norm_first, pre-LN."""

    def __init__(self, config: TransformerConfig) -> None:
        super().__init__()
        d_model = config.d_model
        around = (config.dropout, config.norm_first, config.eps)
        self.self_attention = MultiHeadAttention(d_model, config.num_heads)
        self.cross_attention = MultiHeadAttention(d_model, config.num_heads)
        self.feed_forward = FeedForward(d_model, config.d_ff, config.activation)
        self.residual_1 = SublayerConnection(d_model, *around)
        self.residual_2 = SublayerConnection(d_model, *around)
        self.residual_3 = SublayerConnection(d_model, *around)

    def forward(
        self,
        x: Tensor,
        memory: Tensor,
        tgt_mask: Tensor | None = None,
        memory_mask: Tensor | None = None,
    ) -> Tensor:
        """x: (batch, m, d_model), the target; memory: (batch, n, d_model).

        tgt_mask, (m, m) or (batch, m, m), and memory_mask, (batch, 1, n), are
        True where attention is allowed. Returns (batch, m, d_model).
        """
        x = self.residual_1(x, lambda y: self.self_attention(y, y, y, tgt_mask)[0])
        x = self.residual_2(
            x, lambda y: self.cross_attention(y, memory, memory, memory_mask)[0]
        )
        return self.residual_3(x, self.feed_forward)
# --8<-- [end:DecoderLayer]


# --8<-- [start:DecoderStack]
class DecoderStack(nn.Module):
    """Layers in a row, all reading one memory. A final norm for pre-LN only."""

    def __init__(self, config: TransformerConfig) -> None:
        super().__init__()
        layers = (DecoderLayer(config) for _ in range(config.num_layers))
        self.layers = nn.ModuleList(layers)
        self.norm = final_norm(config)

    def forward(
        self,
        x: Tensor,
        memory: Tensor,
        tgt_mask: Tensor | None = None,
        memory_mask: Tensor | None = None,
    ) -> Tensor:
        """x: (batch, m, d_model), memory: (batch, n, d_model), masks: (batch, 1
        or m, m) and (batch, 1, n), True where allowed. Returns (batch, m, d_model).
        """
        for layer in self.layers:
            x = layer(x, memory, tgt_mask, memory_mask)
        return self.norm(x)
# --8<-- [end:DecoderStack]
