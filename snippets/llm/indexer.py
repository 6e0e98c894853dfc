"""Sparse attention with a learned indexer, which says which keys are worth reading."""

# --8<-- [start:imports]
import math

import torch
from torch import Tensor, nn

from snippets.attention.multi_head import split_heads
from snippets.positions.relative import rotate
# --8<-- [end:imports]


# --8<-- [start:Indexer]
class Indexer(nn.Module):
    """Small heads that leave each query its best keys: DeepSeek-AI (2025), 2.1.

    d_query: of the vectors that its queries are made of; d_rope: so many
    components are rotated; keep: how many keys a query is left.
    """

    def __init__(
        self,
        d_model: int,
        d_query: int,
        num_heads: int,
        d_k: int,
        d_rope: int,
        keep: int,
        rope_theta: float = 10_000.0,
    ) -> None:
        super().__init__()
        self.num_heads, self.d_rope, self.keep = num_heads, d_rope, keep
        self.rope_theta = rope_theta
        self.w_q = nn.Linear(d_query, num_heads * d_k, bias=False)
        self.w_k = nn.Linear(d_model, d_k, bias=False)  # the same for all heads
        self.norm_k = nn.LayerNorm(d_k, eps=1e-6)
        self.w_heads = nn.Linear(d_model, num_heads, bias=False)

    def rotated(self, x: Tensor) -> Tensor:
        first, rest = x[..., : self.d_rope], x[..., self.d_rope :]
        positions = torch.arange(x.size(-2), device="cpu")  # for float64 angles
        return torch.cat([rotate(first, positions, self.rope_theta), rest], dim=-1)

    def scores(self, x: Tensor, query: Tensor) -> Tensor:
        """x: (batch, n, d_model), query: (batch, n, d_query); (batch, n, n)."""
        q = self.rotated(split_heads(self.w_q(query), self.num_heads))
        k = self.rotated(self.norm_k(self.w_k(x)).unsqueeze(1))
        of_heads = (q @ k.mT / math.sqrt(q.size(-1))).relu()
        weights = self.w_heads(x) / math.sqrt(self.num_heads)  # (batch, n, heads)
        return torch.einsum("bhij,bih->bij", of_heads, weights)

    def forward(self, x: Tensor, query: Tensor, attn_mask: Tensor) -> Tensor:
        """Which of the allowed keys are left: bool, (batch, n, n).

        attn_mask: bool, (n, n) or (batch, n, n), True where allowed.
        """
        scores = self.scores(x, query).masked_fill(~attn_mask, -math.inf)
        best = scores.topk(min(self.keep, x.size(1))).indices
        chosen = torch.zeros_like(scores, dtype=torch.bool).scatter(-1, best, True)
        return chosen & attn_mask
# --8<-- [end:Indexer]
