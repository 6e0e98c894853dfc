"""Texts longer than in training: a larger base of RoPE, and a cache that stops growing."""

# --8<-- [start:imports]
import torch
from torch import Tensor

from snippets.attention.multi_head import merge_heads, split_heads
from snippets.attention.scaled_dot_product import scaled_dot_product_attention
from snippets.families.llama import Llama
from snippets.families.todays_block import GroupedQueryAttention
from snippets.positions.relative import rotate
# --8<-- [end:imports]


# --8<-- [start:scaled_base]
def scaled_base(base: float, factor: float, d_k: int) -> float:
    """With it, RoPE's slowest pair is factor times slower, its fastest as before.

    NTK-aware scaling: Peng et al. (2024), section 3.1.
    """
    return base * factor ** (d_k / (d_k - 2))
# --8<-- [end:scaled_base]


# --8<-- [start:BoundedAttention]
class BoundedAttention:
    """The first tokens and the latest ones, never more than window of them.

    What is kept: keys, not rotated yet, and values, (batch, kv_heads, n, d_k).
    """

    def __init__(self, of: GroupedQueryAttention, window: int, sinks: int) -> None:
        self.of, self.window, self.sinks = of, window, sinks
        self.keys = self.values = None

    def append(self, keys: Tensor, values: Tensor) -> None:
        """Of one new token; the oldest that is no sink makes room for it."""
        if self.keys is not None:
            keys = torch.cat([self.keys, keys], dim=2)
            values = torch.cat([self.values, values], dim=2)
        if keys.size(2) > self.window:
            stay = torch.arange(keys.size(2), device=keys.device) != self.sinks
            keys, values = keys[:, :, stay], values[:, :, stay]
        self.keys, self.values = keys, values

    def __call__(self, x: Tensor) -> Tensor:
        """From one new token, (batch, 1, d_model), to what is kept; same shape."""
        of, group = self.of, self.of.num_heads // self.of.num_kv_heads
        query = split_heads(of.w_q(x), of.num_heads)
        new = (split_heads(w(x), of.num_kv_heads) for w in (of.w_k, of.w_v))
        self.append(*new)
        # in the cache, not in the text; on the CPU for float64 angles
        places = torch.arange(self.keys.size(2), device="cpu")
        query = rotate(query, places[-1:], of.rope_theta)
        keys = rotate(self.keys, places, of.rope_theta)
        kept = (keys, self.values)
        keys, values = (shared.repeat_interleave(group, dim=1) for shared in kept)
        output, _ = scaled_dot_product_attention(query, keys, values)
        return of.w_o(merge_heads(output))
# --8<-- [end:BoundedAttention]


# --8<-- [start:StreamingLlama]
class StreamingLlama:
    """A Llama that reads without end: Xiao et al. (2024), section 3.2.

    Raises ValueError unless there is room in the window for more than the sinks.
    """

    def __init__(self, model: Llama, window: int, sinks: int = 4) -> None:
        if not 0 <= sinks < window:
            raise ValueError(f"{sinks} sinks do not fit into a window of {window}")
        self.model = model
        layers = (layer.attention for layer in model.layers)
        self.caches = [BoundedAttention(of, window, sinks) for of in layers]

    def next_logits(self, ids: Tensor) -> Tensor:
        """After one new token per row: (batch,) -> (batch, vocab_size)."""
        x = self.model.tokens(ids.unsqueeze(1))
        for layer, cache in zip(self.model.layers, self.caches, strict=True):
            x = x + cache(layer.norm_1(x))
            x = x + layer.feed_forward(layer.norm_2(x))
        return self.model.head(self.model.norm(x[:, -1]))
# --8<-- [end:StreamingLlama]
