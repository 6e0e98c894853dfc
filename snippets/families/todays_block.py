"""The parts of today's block: a gated network, and heads that share their keys."""

# --8<-- [start:imports]
import torch
from torch import Tensor, nn

from snippets.attention.multi_head import head_size, merge_heads, split_heads
from snippets.attention.scaled_dot_product import scaled_dot_product_attention
from snippets.positions.relative import rotate
# --8<-- [end:imports]


# --8<-- [start:SwiGLU]
class SwiGLU(nn.Module):
    """(Swish(x W_gate) * x W_up) W_down: Shazeer (2020), equation 6."""

    def __init__(self, d_model: int, d_ff: int, bias: bool = False) -> None:
        super().__init__()
        self.w_gate = nn.Linear(d_model, d_ff, bias=bias)
        self.w_up = nn.Linear(d_model, d_ff, bias=bias)
        self.w_down = nn.Linear(d_ff, d_model, bias=bias)

    def forward(self, x: Tensor) -> Tensor:
        """x: (..., d_model), returns (..., d_model)."""
        gate = nn.functional.silu(self.w_gate(x))  # SiLU and Swish are the same
        return self.w_down(gate * self.w_up(x))
# --8<-- [end:SwiGLU]


# --8<-- [start:GroupedQueryAttention]
class GroupedQueryAttention(nn.Module):
    """Self-attention whose query heads share keys and values, by groups.

    Ainslie et al. (2023), section 2.2. Queries and keys are rotated by their
    positions, unless rope_theta is None. Raises ValueError unless num_kv_heads
    divides num_heads.
    """

    def __init__(
        self,
        d_model: int,
        num_heads: int,
        num_kv_heads: int,
        rope_theta: float | None = 10_000.0,
        bias: bool = False,
    ) -> None:
        super().__init__()
        if num_kv_heads < 1 or num_heads % num_kv_heads:
            heads = f"{num_kv_heads} heads of keys and values"
            raise ValueError(f"{heads} do not divide {num_heads} heads")
        d_kv = num_kv_heads * head_size(d_model, num_heads)
        self.num_heads, self.num_kv_heads = num_heads, num_kv_heads
        self.rope_theta = rope_theta
        self.w_q = nn.Linear(d_model, d_model, bias=bias)
        self.w_k = nn.Linear(d_model, d_kv, bias=bias)
        self.w_v = nn.Linear(d_model, d_kv, bias=bias)
        self.w_o = nn.Linear(d_model, d_model, bias=bias)

    def forward(self, x: Tensor, attn_mask: Tensor | None = None) -> Tensor:
        """x: (batch, n, d_model); returns the same shape.

        attn_mask: bool, (n, n) or (batch, 1 or n, n), True where allowed.
        """
        q = split_heads(self.w_q(x), self.num_heads)  # (batch, heads, n, d_k)
        k = split_heads(self.w_k(x), self.num_kv_heads)  # (batch, kv_heads, n, d_k)
        v = split_heads(self.w_v(x), self.num_kv_heads)
        if self.rope_theta is not None:
            positions = torch.arange(x.size(1), device="cpu")  # for float64 angles
            q = rotate(q, positions, self.rope_theta)
            k = rotate(k, positions, self.rope_theta)
        group = self.num_heads // self.num_kv_heads  # heads that share
        k, v = (shared.repeat_interleave(group, dim=1) for shared in (k, v))
        mask = None if attn_mask is None else attn_mask.unsqueeze(-3)
        output, _ = scaled_dot_product_attention(q, k, v, mask)
        return self.w_o(merge_heads(output))
# --8<-- [end:GroupedQueryAttention]
