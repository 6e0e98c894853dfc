"""A decoder layer: masked self-attention, cross-attention, feed-forward."""

# --8<-- [start:imports]
from torch import Tensor, nn

from snippets.attention.multi_head import MultiHeadAttention
from snippets.block.feed_forward import FeedForward
from snippets.block.layer_norm import LayerNorm
from snippets.block.residual import Residual
# --8<-- [end:imports]


# --8<-- [start:DecoderLayer]
class DecoderLayer(nn.Module):
    """Three sublayers (section 3.1), with post-LN or, if norm_first, pre-LN."""

    def __init__(
        self,
        d_model: int,
        num_heads: int,
        d_ff: int,
        p: float = 0.1,
        norm_first: bool = False,
    ) -> None:
        super().__init__()
        self.self_attention = MultiHeadAttention(d_model, num_heads)
        self.cross_attention = MultiHeadAttention(d_model, num_heads)
        self.feed_forward = FeedForward(d_model, d_ff)
        self.residual_1 = Residual(d_model, p, norm_first)
        self.residual_2 = Residual(d_model, p, norm_first)
        self.residual_3 = Residual(d_model, p, norm_first)

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
    """Layers in a row, which all read the same memory. Norms as in EncoderStack."""

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
            DecoderLayer(d_model, num_heads, d_ff, p, norm_first)
            for _ in range(num_layers)
        )
        self.norm = LayerNorm(d_model) if norm_first else nn.Identity()

    def forward(
        self,
        x: Tensor,
        memory: Tensor,
        tgt_mask: Tensor | None = None,
        memory_mask: Tensor | None = None,
    ) -> Tensor:
        """Shapes as in DecoderLayer."""
        for layer in self.layers:
            x = layer(x, memory, tgt_mask, memory_mask)
        return self.norm(x)
# --8<-- [end:DecoderStack]
