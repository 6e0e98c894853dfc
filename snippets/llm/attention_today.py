"""What models have added to attention: norms, windows, sinks, a gate, no RoPE."""

# --8<-- [start:imports]
import math
from collections.abc import Iterable

import torch
from torch import Tensor, nn

from snippets.attention.multi_head import merge_heads, split_heads
from snippets.families.rms_norm import RMSNorm
from snippets.positions.relative import rotate
# --8<-- [end:imports]


# --8<-- [start:window_mask]
def window_mask(n: int, window: int | None = None) -> Tensor:
    """Each token sees itself and window - 1 before it: bool, (n, n).

    None: all before it. As in Jiang et al. (2023), section 2.
    """
    everything = torch.ones(n, n, dtype=torch.bool, device="cpu")
    past = everything.tril()
    return past if window is None else past & everything.triu(1 - window)
# --8<-- [end:window_mask]


# --8<-- [start:softmax_with_sinks]
def softmax_with_sinks(scores: Tensor, sinks: Tensor) -> Tensor:
    """A softmax over one more score, which has neither a key nor a value.

    scores: (batch, heads, n_q, n_k), sinks: (heads,). Returns the shape of
    scores; rows add up to less than 1. As in transformers' GptOssAttention.
    """
    sink = sinks.view(-1, 1, 1).expand(*scores.shape[:-1], 1)
    return torch.cat([scores, sink], dim=-1).softmax(dim=-1)[..., :-1]
# --8<-- [end:softmax_with_sinks]


# --8<-- [start:Projections]
class Projections(nn.Module):
    """What TodaysAttention learns; each of the options is off by default.

    qk_norm: RMSNorm of queries and keys; window: how many tokens one sees;
    rope_theta=None: no positions (NoPE); sinks: a learned score for each head;
    gate: the output is multiplied by a sigmoid of the input. Raises ValueError
    unless num_kv_heads divides num_heads.
    """

    def __init__(
        self,
        d_model: int,
        num_heads: int,
        num_kv_heads: int,
        d_k: int,
        *,
        qk_norm: bool = False,
        window: int | None = None,
        rope_theta: float | None = 10_000.0,
        sinks: bool = False,
        gate: bool = False,
        bias: bool = False,
    ) -> None:
        super().__init__()
        if num_kv_heads < 1 or num_heads % num_kv_heads:
            heads = f"{num_kv_heads} heads of keys and values"
            raise ValueError(f"{heads} do not divide {num_heads} heads")
        self.num_heads, self.num_kv_heads = num_heads, num_kv_heads
        self.window, self.rope_theta = window, rope_theta
        self.w_q = nn.Linear(d_model, num_heads * d_k, bias=bias)
        self.w_k = nn.Linear(d_model, num_kv_heads * d_k, bias=bias)
        self.w_v = nn.Linear(d_model, num_kv_heads * d_k, bias=bias)
        self.w_o = nn.Linear(num_heads * d_k, d_model, bias=bias)
        self.norm_q = RMSNorm(d_k) if qk_norm else nn.Identity()
        self.norm_k = RMSNorm(d_k) if qk_norm else nn.Identity()
        self.sinks = nn.Parameter(torch.zeros(num_heads)) if sinks else None
        self.w_gate = None
        if gate:
            self.w_gate = nn.Linear(d_model, num_heads * d_k, bias=bias)
# --8<-- [end:Projections]


# --8<-- [start:TodaysAttention]
class TodaysAttention(Projections):
    """Causal grouped-query attention with up to five additions."""

    def forward(self, x: Tensor) -> Tensor:
        """x: (batch, n, d_model); returns the same shape."""
        q = self.norm_q(split_heads(self.w_q(x), self.num_heads))
        k = self.norm_k(split_heads(self.w_k(x), self.num_kv_heads))
        v = split_heads(self.w_v(x), self.num_kv_heads)
        if self.rope_theta is not None:
            positions = torch.arange(x.size(1), device="cpu")  # for float64 angles
            q, k = (rotate(y, positions, self.rope_theta) for y in (q, k))
        group = self.num_heads // self.num_kv_heads
        k, v = (shared.repeat_interleave(group, dim=1) for shared in (k, v))
        scores = q @ k.mT / math.sqrt(q.size(-1))
        mask = window_mask(x.size(1), self.window).to(x.device)
        scores = scores.masked_fill(~mask, -math.inf)
        if self.sinks is None:
            weights = scores.softmax(dim=-1)
        else:
            weights = softmax_with_sinks(scores, self.sinks)
        output = merge_heads(weights @ v)
        if self.w_gate is not None:
            output = output * self.w_gate(x).sigmoid()
        return self.w_o(output)
# --8<-- [end:TodaysAttention]


# --8<-- [start:cached_tokens]
def cached_tokens(windows: Iterable[int | None], length: int) -> int:
    """Keys that a stack of layers has to keep of a sequence of this length."""
    return sum(length if w is None else min(w, length) for w in windows)
# --8<-- [end:cached_tokens]
