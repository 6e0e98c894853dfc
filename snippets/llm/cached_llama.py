"""Llama with a key-value cache, for any number of new tokens at once."""

# --8<-- [start:imports]
import torch
from torch import Tensor

from snippets.attention.masks import causal_mask
from snippets.attention.multi_head import merge_heads, split_heads
from snippets.attention.scaled_dot_product import scaled_dot_product_attention
from snippets.families.llama import Llama
from snippets.families.todays_block import GroupedQueryAttention
from snippets.positions.relative import rotate
from snippets.tools.inputs import check, check_ids
# --8<-- [end:imports]


# --8<-- [start:CachedAttention]
class CachedAttention:
    """Keys, rotated once and for all, and values: (batch, kv_heads, n, d_k)."""

    def __init__(self, attention: GroupedQueryAttention) -> None:
        self.attention = attention
        self.keys = self.values = None

    def append(self, x: Tensor, positions: Tensor) -> None:
        of = self.attention
        keys = split_heads(of.w_k(x), of.num_kv_heads)
        keys = rotate(keys, positions, of.rope_theta)
        values = split_heads(of.w_v(x), of.num_kv_heads)
        if self.keys is not None:  # there are tokens before
            keys = torch.cat([self.keys, keys], dim=2)
            values = torch.cat([self.values, values], dim=2)
        self.keys, self.values = keys, values

    def attend(self, x: Tensor, positions: Tensor, mask: Tensor) -> Tensor:
        """From the new tokens x, (batch, new, d_model), to all; the same shape."""
        check(self.keys is not None, "nothing is kept yet: append comes first")
        of = self.attention
        query = split_heads(of.w_q(x), of.num_heads)
        query = rotate(query, positions, of.rope_theta)
        group = of.num_heads // of.num_kv_heads  # heads that share
        kept = (self.keys, self.values)
        keys, values = (shared.repeat_interleave(group, dim=1) for shared in kept)
        output, _ = scaled_dot_product_attention(query, keys, values, mask)
        return of.w_o(merge_heads(output))
# --8<-- [end:CachedAttention]


# --8<-- [start:CachedLlama]
class CachedLlama:
    """A Llama at inference, for one batch. What it has read stays in the cache."""

    def __init__(self, model: Llama) -> None:
        self.model = model
        self.caches = [CachedAttention(layer.attention) for layer in model.layers]
        self.length = 0  # tokens in the cache

    def next_logits(self, ids: Tensor) -> Tensor:
        """Logits of the token after ids, (batch, n) -> (batch, vocab_size).

        ids are all tokens so far, of which only the new ones are computed: at
        first those of the prompt, then one at a time. Raises ValueError if none
        is new. Rows of one length: padding would be read as text.
        """
        check_ids(ids)
        if ids.size(1) <= self.length:
            raise ValueError(f"{self.length} tokens have been read: none is new")
        positions = torch.arange(self.length, ids.size(1))
        mask = causal_mask(ids.size(1), ids.device)[self.length :]  # (new, n)
        x = self.model.tokens(ids[:, self.length :])
        for layer, cache in zip(self.model.layers, self.caches, strict=True):
            y = layer.norm_1(x)
            cache.append(y, positions)
            x = x + cache.attend(y, positions, mask)
            x = x + layer.feed_forward(layer.norm_2(x))
        self.length = ids.size(1)
        return self.model.head(self.model.norm(x[:, -1]))
# --8<-- [end:CachedLlama]
