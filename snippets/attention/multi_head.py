"""Multi-head attention in three forms that give the same numbers."""

# --8<-- [start:imports]
import math

import torch
from torch import Tensor, nn

from snippets.attention.scaled_dot_product import scaled_dot_product_attention
# --8<-- [end:imports]


# --8<-- [start:head_size]
def head_size(d_model: int, num_heads: int) -> int:
    """d_k = d_model / num_heads. Raises ValueError if that is not whole."""
    if num_heads < 1 or d_model % num_heads:
        raise ValueError(f"{num_heads} heads do not divide d_model = {d_model}")
    return d_model // num_heads
# --8<-- [end:head_size]


# --8<-- [start:check_inputs]
def check_inputs(d_model: int, *inputs: Tensor) -> None:
    """Raise ValueError, naming the shapes, unless all are (batch, n, d_model)."""
    shapes = [tuple(x.shape) for x in inputs]
    if any(len(shape) != 3 or shape[-1] != d_model for shape in shapes):
        raise ValueError(f"inputs are (batch, n, {d_model}), not {shapes}")
# --8<-- [end:check_inputs]


# --8<-- [start:AttentionHead]
class AttentionHead(nn.Module):
    """One head: project (batch, n, d_model) to d_k, attend: (batch, n_q, d_k)."""

    def __init__(self, d_model: int, d_k: int) -> None:
        super().__init__()
        self.w_q = nn.Linear(d_model, d_k)
        self.w_k = nn.Linear(d_model, d_k)
        self.w_v = nn.Linear(d_model, d_k)

    def forward(
        self,
        query: Tensor,
        key: Tensor,
        value: Tensor,
        attn_mask: Tensor | None = None,
    ) -> Tensor:
        check_inputs(self.w_q.in_features, query, key, value)
        q, k, v = self.w_q(query), self.w_k(key), self.w_v(value)
        output, _ = scaled_dot_product_attention(q, k, v, attn_mask)
        return output
# --8<-- [end:AttentionHead]


# --8<-- [start:PerHeadAttention]
class PerHeadAttention(nn.Module):
    """Concat(head_1, ..., head_h) W_O, head by head, as section 3.2.2 has it."""

    def __init__(self, d_model: int, num_heads: int) -> None:
        super().__init__()
        d_k = head_size(d_model, num_heads)
        heads = (AttentionHead(d_model, d_k) for _ in range(num_heads))
        self.heads = nn.ModuleList(heads)
        self.w_o = nn.Linear(d_model, d_model)

    def forward(
        self,
        query: Tensor,
        key: Tensor,
        value: Tensor,
        attn_mask: Tensor | None = None,
    ) -> Tensor:
        outputs = [head(query, key, value, attn_mask) for head in self.heads]
        return self.w_o(torch.cat(outputs, dim=-1))  # (batch, n_q, d_model)
# --8<-- [end:PerHeadAttention]


# --8<-- [start:split_heads]
def split_heads(x: Tensor, num_heads: int) -> Tensor:
    """(batch, n, d_model) -> (batch, num_heads, n, d_k): cut each vector up."""
    if x.dim() != 3:
        raise ValueError(f"x is (batch, n, d_model), not {tuple(x.shape)}")
    batch, n, d_model = x.shape
    d_k = head_size(d_model, num_heads)
    return x.view(batch, n, num_heads, d_k).transpose(1, 2)


def merge_heads(x: Tensor) -> Tensor:
    """(batch, num_heads, n, d_k) -> (batch, n, d_model): the way back."""
    if x.dim() != 4:
        raise ValueError(f"x is (batch, num_heads, n, d_k), not {tuple(x.shape)}")
    return x.transpose(1, 2).flatten(start_dim=2)
# --8<-- [end:split_heads]


# --8<-- [start:MultiHeadAttention]
class MultiHeadAttention(nn.Module):
    """One projection for all heads (Vaswani et al. 2017, section 3.2.2)."""

    def __init__(self, d_model: int, num_heads: int) -> None:
        super().__init__()
        head_size(d_model, num_heads)  # refuses sizes that do not divide
        self.num_heads = num_heads
        self.w_q = nn.Linear(d_model, d_model)
        self.w_k = nn.Linear(d_model, d_model)
        self.w_v = nn.Linear(d_model, d_model)
        self.w_o = nn.Linear(d_model, d_model)

    def forward(
        self,
        query: Tensor,
        key: Tensor,
        value: Tensor,
        attn_mask: Tensor | None = None,
    ) -> tuple[Tensor, Tensor]:
        """query: (batch, n_q, d_model); key, value: (batch, n_k, d_model).

        attn_mask: bool, (n_q, n_k) or (batch, 1 or n_q, n_k), True where
        attention is allowed; the same for all heads. With two axes, it is always
        (n_q, n_k): pass a padding mask as (batch, 1, n_k). Returns the output,
        (batch, n_q, d_model), and the weights, (batch, num_heads, n_q, n_k).
        Raises ValueError on shapes that do not fit.
        """
        check_inputs(self.w_q.in_features, query, key, value)
        if attn_mask is not None:
            mask = tuple(attn_mask.shape)
            if len(mask) not in (2, 3):
                raise ValueError(f"attn_mask is ([batch,] n_q, n_k), not {mask}")
            attn_mask = attn_mask.unsqueeze(-3)  # an axis for the heads
        q = split_heads(self.w_q(query), self.num_heads)  # (batch, heads, n_q, d_k)
        k = split_heads(self.w_k(key), self.num_heads)
        v = split_heads(self.w_v(value), self.num_heads)
        output, weights = scaled_dot_product_attention(q, k, v, attn_mask)
        return self.w_o(merge_heads(output)), weights
# --8<-- [end:MultiHeadAttention]


# --8<-- [start:einsum_attention]
def einsum_attention(
    x: Tensor, w_q: Tensor, w_k: Tensor, w_v: Tensor, w_o: Tensor
) -> Tensor:
    """Multi-head self-attention without biases, the axes by name.

    b batch, q and k positions, m d_model, h heads, d d_k.
    x: (b, q, m); w_q, w_k, w_v: (h, m, d); w_o: (h, d, m). Returns (b, q, m).
    Raises ValueError on weights that do not fit.
    """
    (h, _, d), m = w_q.shape, x.size(-1)
    shapes = [tuple(w.shape) for w in (w_q, w_k, w_v, w_o)]
    if shapes != [(h, m, d)] * 3 + [(h, d, m)]:
        raise ValueError(f"weights {shapes} do not fit x {tuple(x.shape)}")
    q, k, v = (torch.einsum("bqm,hmd->bhqd", x, w) for w in (w_q, w_k, w_v))
    scores = torch.einsum("bhqd,bhkd->bhqk", q, k) / math.sqrt(w_q.size(-1))
    weights = torch.softmax(scores, dim=-1)
    heads = torch.einsum("bhqk,bhkd->bhqd", weights, v)
    return torch.einsum("bhqd,hdm->bqm", heads, w_o)
# --8<-- [end:einsum_attention]


# --8<-- [start:fuse]
@torch.no_grad()
def fuse(per_head: PerHeadAttention) -> MultiHeadAttention:
    """The fused module with a per-head one's weights, [W_1 | ... | W_h]."""
    d_model, num_heads = per_head.w_o.in_features, len(per_head.heads)
    weight = per_head.w_o.weight
    with weight.device:  # where the other is
        fused = MultiHeadAttention(d_model, num_heads).to(weight.dtype)
    for name in ("w_q", "w_k", "w_v"):
        parts = [getattr(head, name) for head in per_head.heads]
        whole = getattr(fused, name)
        # nn.Linear keeps W transposed: columns of W are rows of .weight
        whole.weight.copy_(torch.cat([part.weight for part in parts], dim=0))
        whole.bias.copy_(torch.cat([part.bias for part in parts]))
    fused.w_o.load_state_dict(per_head.w_o.state_dict())
    return fused
# --8<-- [end:fuse]
