"""The same layer again, written for speed: fewer, larger and fused operations."""

# --8<-- [start:imports]
import torch
from torch import Tensor, nn
from torch.nn.functional import scaled_dot_product_attention

from snippets.block.config import TransformerConfig
from snippets.block.encoder_layer import EncoderLayer
from snippets.attention.multi_head import (
    MultiHeadAttention,
    merge_heads,
    split_heads,
)
from snippets.attention.scaled_dot_product import check_shapes
# --8<-- [end:imports]


# --8<-- [start:FastSelfAttention]
class FastSelfAttention(nn.Module):
    """MultiHeadAttention(x, x, x, attn_mask) without its weights as an output."""

    def __init__(self, d_model: int, num_heads: int) -> None:
        super().__init__()
        self.num_heads = num_heads
        self.w_qkv = nn.Linear(d_model, 3 * d_model)  # [W_Q | W_K | W_V]
        self.w_o = nn.Linear(d_model, d_model)

    def forward(self, x: Tensor, attn_mask: Tensor | None = None) -> Tensor:
        """x: (batch, n, d_model); attn_mask: (n, n) or (batch, 1 or n, n)."""
        if attn_mask is not None:
            attn_mask = attn_mask.unsqueeze(-3)  # an axis for the heads
        parts = self.w_qkv(x).chunk(3, dim=-1)
        q, k, v = (split_heads(part, self.num_heads) for part in parts)
        check_shapes(q, k, v, attn_mask)  # PyTorch would add a mask of numbers
        heads = scaled_dot_product_attention(q, k, v, attn_mask)
        return self.w_o(merge_heads(heads))
# --8<-- [end:FastSelfAttention]


# --8<-- [start:FastEncoderLayer]
class FastEncoderLayer(nn.Module):
    """EncoderLayer with fused attention and with norm and dropout from torch.nn.

    The norms have the default epsilon until `faster` copies that of a layer.
    """

    def __init__(self, config: TransformerConfig) -> None:
        super().__init__()
        d_model, d_ff = config.d_model, config.d_ff
        self.attention = FastSelfAttention(d_model, config.num_heads)
        self.w_1 = nn.Linear(d_model, d_ff)
        self.w_2 = nn.Linear(d_ff, d_model)
        self.norm_1 = nn.LayerNorm(d_model)
        self.norm_2 = nn.LayerNorm(d_model)
        self.dropout = nn.Dropout(config.dropout)
        self.activation = config.activation
        self.norm_first = config.norm_first

    def feed_forward(self, x: Tensor) -> Tensor:
        return self.w_2(self.activation(self.w_1(x)))

    def forward(self, x: Tensor, attn_mask: Tensor | None = None) -> Tensor:
        """x: (batch, n, d_model); attn_mask: (n, n) or (batch, 1 or n, n)."""
        if self.norm_first:
            x = x + self.dropout(self.attention(self.norm_1(x), attn_mask))
            return x + self.dropout(self.feed_forward(self.norm_2(x)))
        x = self.norm_1(x + self.dropout(self.attention(x, attn_mask)))
        return self.norm_2(x + self.dropout(self.feed_forward(x)))
# --8<-- [end:FastEncoderLayer]


# --8<-- [start:faster]
@torch.no_grad()
def faster_attention(clear: MultiHeadAttention) -> FastSelfAttention:
    """The fast form with the same weights, three projections put together."""
    weight = clear.w_o.weight
    with weight.device:  # where the clear one is
        fast = FastSelfAttention(clear.w_o.in_features, clear.num_heads)
    fast.train(clear.training).to(weight.dtype)
    projections = (clear.w_q, clear.w_k, clear.w_v)
    fast.w_qkv.weight.copy_(torch.cat([w.weight for w in projections]))
    fast.w_qkv.bias.copy_(torch.cat([w.bias for w in projections]))
    fast.w_o.load_state_dict(clear.w_o.state_dict())
    return fast


@torch.no_grad()
def faster(clear: EncoderLayer) -> FastEncoderLayer:
    """The fast form of a layer: the same weights, activation, epsilon and mode.

    Its dropout is that of the first sublayer, and nothing in it is frozen.
    """
    network, residual = clear.feed_forward, clear.residual_1
    config = TransformerConfig(
        d_model=network.w_1.in_features,
        num_heads=clear.attention.num_heads,
        d_ff=network.w_1.out_features,
        dropout=residual.dropout.p,
        norm_first=residual.norm_first,
        activation=network.activation,
    )
    with network.w_1.weight.device:
        fast = FastEncoderLayer(config).train(clear.training)
    fast.to(network.w_1.weight.dtype)
    fast.attention = faster_attention(clear.attention)
    fast.w_1.load_state_dict(network.w_1.state_dict())
    fast.w_2.load_state_dict(network.w_2.state_dict())
    for norm, residual in [
        (fast.norm_1, clear.residual_1),
        (fast.norm_2, clear.residual_2),
    ]:
        norm.weight.copy_(residual.norm.gamma)
        norm.bias.copy_(residual.norm.beta)
        norm.eps = residual.norm.eps
    return fast
# --8<-- [end:faster]
