"""Multi-head attention in three forms that give the same numbers."""

# --8<-- [start:imports]
import math

import torch
from torch import Tensor, nn

from snippets.attention import scaled_dot_product_attention
# --8<-- [end:imports]


# --8<-- [start:AttentionHead]
class AttentionHead(nn.Module):
    """One head: project to d_k, then attend. Inputs (batch, n, d_model), output (batch, n_q, d_k)."""

    def __init__(self, d_model: int, d_k: int) -> None:
        super().__init__()
        self.w_q = nn.Linear(d_model, d_k)
        self.w_k = nn.Linear(d_model, d_k)
        self.w_v = nn.Linear(d_model, d_k)

    def forward(self, query: Tensor, key: Tensor, value: Tensor, attn_mask: Tensor | None = None) -> Tensor:
        output, _ = scaled_dot_product_attention(self.w_q(query), self.w_k(key), self.w_v(value), attn_mask)
        return output
# --8<-- [end:AttentionHead]


# --8<-- [start:PerHeadAttention]
class PerHeadAttention(nn.Module):
    """Concat(head_1, ..., head_h) W_O, head by head, as section 3.2.2 of the paper writes it."""

    def __init__(self, d_model: int, num_heads: int) -> None:
        super().__init__()
        d_k = head_size(d_model, num_heads)
        self.heads = nn.ModuleList(AttentionHead(d_model, d_k) for _ in range(num_heads))
        self.w_o = nn.Linear(d_model, d_model)

    def forward(self, query: Tensor, key: Tensor, value: Tensor, attn_mask: Tensor | None = None) -> Tensor:
        outputs = [head(query, key, value, attn_mask) for head in self.heads]  # h x (batch, n_q, d_k)
        return self.w_o(torch.cat(outputs, dim=-1))  # (batch, n_q, d_model)
# --8<-- [end:PerHeadAttention]


# --8<-- [start:head_size]
def head_size(d_model: int, num_heads: int) -> int:
    """d_k = d_model / num_heads. Raises ValueError if that is not a whole number."""
    if num_heads < 1 or d_model % num_heads:
        raise ValueError(f"d_model = {d_model} does not divide into num_heads = {num_heads} heads")
    return d_model // num_heads
# --8<-- [end:head_size]


# --8<-- [start:split_heads]
def split_heads(x: Tensor, num_heads: int) -> Tensor:
    """(batch, n, d_model) -> (batch, num_heads, n, d_k): cut each vector into num_heads pieces."""
    batch, n, d_model = x.shape
    return x.view(batch, n, num_heads, head_size(d_model, num_heads)).transpose(1, 2)


def merge_heads(x: Tensor) -> Tensor:
    """(batch, num_heads, n, d_k) -> (batch, n, d_model): the way back."""
    return x.transpose(1, 2).flatten(start_dim=2)
# --8<-- [end:split_heads]


# --8<-- [start:MultiHeadAttention]
class MultiHeadAttention(nn.Module):
    """Multi-head attention with one projection for all heads (Vaswani et al. 2017, section 3.2.2)."""

    def __init__(self, d_model: int, num_heads: int) -> None:
        super().__init__()
        head_size(d_model, num_heads)  # refuses sizes that do not divide
        self.num_heads = num_heads
        self.w_q = nn.Linear(d_model, d_model)
        self.w_k = nn.Linear(d_model, d_model)
        self.w_v = nn.Linear(d_model, d_model)
        self.w_o = nn.Linear(d_model, d_model)

    def forward(
        self, query: Tensor, key: Tensor, value: Tensor, attn_mask: Tensor | None = None
    ) -> tuple[Tensor, Tensor]:
        """query: (batch, n_q, d_model); key, value: (batch, n_k, d_model).

        attn_mask: bool, (n_q, n_k) or (batch, 1 or n_q, n_k), True where attention is allowed;
        the same for all heads. Returns the output, (batch, n_q, d_model), and the weights,
        (batch, num_heads, n_q, n_k). Raises ValueError on shapes that do not fit.
        """
        shapes = [tuple(x.shape) for x in (query, key, value)]
        if any(len(shape) != 3 or shape[-1] != self.w_q.in_features for shape in shapes):
            raise ValueError(f"query, key and value are (batch, n, {self.w_q.in_features}), not {shapes}")
        if attn_mask is not None:
            if attn_mask.dim() not in (2, 3):
                raise ValueError(f"attn_mask is (n_q, n_k) or (batch, n_q, n_k), not {tuple(attn_mask.shape)}")
            attn_mask = attn_mask.unsqueeze(-3)  # an axis for the heads
        q = split_heads(self.w_q(query), self.num_heads)  # (batch, heads, n_q, d_k)
        k = split_heads(self.w_k(key), self.num_heads)
        v = split_heads(self.w_v(value), self.num_heads)
        output, weights = scaled_dot_product_attention(q, k, v, attn_mask)
        return self.w_o(merge_heads(output)), weights
# --8<-- [end:MultiHeadAttention]


# --8<-- [start:einsum_attention]
def einsum_attention(x: Tensor, w_q: Tensor, w_k: Tensor, w_v: Tensor, w_o: Tensor) -> Tensor:
    """Multi-head self-attention without biases as four contractions, the axes by name.

    b batch, q and k positions, m d_model, h heads, d d_k.
    x: (b, q, m); w_q, w_k, w_v: (h, m, d); w_o: (h, d, m). Returns (b, q, m).
    """
    q, k, v = (torch.einsum("bqm,hmd->bhqd", x, w) for w in (w_q, w_k, w_v))
    scores = torch.einsum("bhqd,bhkd->bhqk", q, k) / math.sqrt(w_q.size(-1))
    heads = torch.einsum("bhqk,bhkd->bhqd", torch.softmax(scores, dim=-1), v)
    return torch.einsum("bhqd,hdm->bqm", heads, w_o)
# --8<-- [end:einsum_attention]


# --8<-- [start:fuse]
@torch.no_grad()
def fuse(per_head: PerHeadAttention) -> MultiHeadAttention:
    """The fused module with the weights of a per-head one: [W_1 | ... | W_h], side by side."""
    d_model, num_heads = per_head.w_o.in_features, len(per_head.heads)
    fused = MultiHeadAttention(d_model, num_heads).to(per_head.w_o.weight)  # the same dtype and device
    for name in ("w_q", "w_k", "w_v"):
        parts = [getattr(head, name) for head in per_head.heads]
        # nn.Linear keeps W transposed, (out, in): columns of W are rows of .weight
        getattr(fused, name).weight.copy_(torch.cat([part.weight for part in parts], dim=0))
        getattr(fused, name).bias.copy_(torch.cat([part.bias for part in parts]))
    fused.w_o.load_state_dict(per_head.w_o.state_dict())
    return fused
# --8<-- [end:fuse]
