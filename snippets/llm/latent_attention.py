"""Multi-head latent attention: keys and values from one short vector a token."""

# --8<-- [start:imports]
import math

import torch
from torch import Tensor, nn

from snippets.attention.multi_head import merge_heads, split_heads
from snippets.attention.scaled_dot_product import scaled_dot_product_attention
from snippets.families.rms_norm import RMSNorm
from snippets.positions.relative import rotate
# --8<-- [end:imports]


# --8<-- [start:LatentProjections]
class LatentProjections(nn.Module):
    """What both forms share: DeepSeek-AI (2024), section 2.1, equations 9 to 19.

    d_latent: of what keys and values are computed from; d_rope: of the part of
    queries and keys that RoPE rotates, the same key for all heads; d_k: of the
    rest of each query and key, and of each value. Queries have a short vector
    of their own if d_query is given.
    """

    def __init__(
        self,
        d_model: int,
        num_heads: int,
        d_k: int,
        d_rope: int,
        d_latent: int,
        d_query: int | None = None,
        rope_theta: float = 10_000.0,
    ) -> None:
        super().__init__()

        def linear(inputs: int, outputs: int) -> nn.Linear:
            return nn.Linear(inputs, outputs, bias=False)

        self.num_heads, self.d_k, self.d_latent = num_heads, d_k, d_latent
        self.rope_theta = rope_theta
        self.w_q = linear(d_query or d_model, num_heads * (d_k + d_rope))
        if d_query:
            down = linear(d_model, d_query)
            self.w_q = nn.Sequential(down, RMSNorm(d_query), self.w_q)
        self.w_down = linear(d_model, d_latent + d_rope)
        self.norm = RMSNorm(d_latent)
        self.w_up = linear(d_latent, num_heads * 2 * d_k)
        self.w_o = linear(num_heads * d_k, d_model)

    def rotated(self, x: Tensor) -> Tensor:
        positions = torch.arange(x.size(-2), device="cpu")  # for float64 angles
        return rotate(x, positions, self.rope_theta)

    def queries(self, x: Tensor) -> tuple[Tensor, Tensor]:
        """(batch, heads, n, d_k), and rotated, (batch, heads, n, d_rope)."""
        q = split_heads(self.w_q(x), self.num_heads)
        return q[..., : self.d_k], self.rotated(q[..., self.d_k :])

    def compressed(self, x: Tensor) -> tuple[Tensor, Tensor]:
        """All that is cached: (batch, n, d_latent) and (batch, n, d_rope)."""
        down = self.w_down(x)
        latent, key = down[..., : self.d_latent], down[..., self.d_latent :]
        return self.norm(latent), self.rotated(key)
# --8<-- [end:LatentProjections]


# --8<-- [start:LatentAttention]
class LatentAttention(LatentProjections):
    """The explicit form, which computes the keys and values of all heads."""

    def forward(self, x: Tensor, attn_mask: Tensor | None = None) -> Tensor:
        """x: (batch, n, d_model); returns the same shape.

        attn_mask: bool, (n, n) or (batch, 1 or n, n), True where allowed.
        """
        q, q_rope = self.queries(x)
        latent, k_rope = self.compressed(x)
        k, v = split_heads(self.w_up(latent), self.num_heads).chunk(2, dim=-1)
        k_rope = k_rope.unsqueeze(1).expand_as(q_rope)  # the same for all heads
        q, k = torch.cat([q, q_rope], dim=-1), torch.cat([k, k_rope], dim=-1)
        mask = None if attn_mask is None else attn_mask.unsqueeze(-3)
        output, _ = scaled_dot_product_attention(q, k, v, mask)
        return self.w_o(merge_heads(output))
# --8<-- [end:LatentAttention]


# --8<-- [start:AbsorbedAttention]
class AbsorbedAttention(LatentProjections):
    """The same, from the same weights, without a key or a value of any head."""

    def forward(self, x: Tensor, attn_mask: Tensor | None = None) -> Tensor:
        """As in LatentAttention."""
        q, q_rope = self.queries(x)
        latent, k_rope = (part.unsqueeze(1) for part in self.compressed(x))
        w_up = self.w_up.weight.unflatten(0, (self.num_heads, -1))
        w_uk, w_uv = w_up.chunk(2, dim=1)  # (heads, d_k, d_latent)
        scores = (q @ w_uk) @ latent.mT + q_rope @ k_rope.mT
        scores = scores / math.sqrt(q.size(-1) + q_rope.size(-1))
        if attn_mask is not None:
            scores = scores.masked_fill(~attn_mask.unsqueeze(-3), -math.inf)
        output = (scores.softmax(dim=-1) @ latent) @ w_uv.mT
        return self.w_o(merge_heads(output))
# --8<-- [end:AbsorbedAttention]


# --8<-- [start:numbers_cached]
def numbers_cached(num_kv_heads: int, d_k: int) -> int:
    """Of one token in one layer, by attention whose heads have keys and values."""
    return 2 * num_kv_heads * d_k


def multiplications(
    num_heads: int, d_k: int, d_rope: int, d_latent: int, length: int
) -> dict[str, int]:
    """For one new token that attends to length cached ones, in one layer.

    Keys and values computed from the cache again, or queries brought to it.
    """
    up = 2 * d_k * d_latent  # both matrices of a head
    explicit = length * (up + d_k + d_rope + d_k)
    absorbed = up + length * (d_latent + d_rope + d_latent)
    return {"explicit": num_heads * explicit, "absorbed": num_heads * absorbed}
# --8<-- [end:numbers_cached]
