"""Decoding with a key-value cache: what was computed for earlier words is kept."""

# --8<-- [start:imports]
import torch
from torch import Tensor

from snippets.attention.masks import padding_mask
from snippets.attention.scaled_dot_product import scaled_dot_product_attention
from snippets.training.decoding import write
from snippets.attention.multi_head import (
    MultiHeadAttention,
    merge_heads,
    split_heads,
)
from snippets.model.transformer import Transformer
# --8<-- [end:imports]


# --8<-- [start:keys_and_values]
def keys_and_values(
    attention: MultiHeadAttention, x: Tensor
) -> tuple[Tensor, Tensor]:
    """Of (batch, n, d_model): keys and values, each (batch, heads, n, d_k)."""
    k, v = attention.w_k(x), attention.w_v(x)
    return split_heads(k, attention.num_heads), split_heads(v, attention.num_heads)


def attend(
    attention: MultiHeadAttention,
    x: Tensor,
    keys: Tensor,
    values: Tensor,
    mask: Tensor | None = None,
) -> Tensor:
    """The rest of multi-head attention, for keys and values that are there."""
    query = split_heads(attention.w_q(x), attention.num_heads)
    heads, _ = scaled_dot_product_attention(query, keys, values, mask)
    return attention.w_o(merge_heads(heads))
# --8<-- [end:keys_and_values]


# --8<-- [start:CachedDecoder]
class CachedDecoder:
    """The decoder of a model in evaluation, for one batch, a word at a time."""

    def __init__(self, model: Transformer, src: Tensor) -> None:
        self.model, self.layers = model, model.decoder.layers
        memory = model.encode(src)
        self.mask = padding_mask(src, model.pad_id).unsqueeze(1)  # for all heads
        self.of_memory = [
            keys_and_values(layer.cross_attention, memory) for layer in self.layers
        ]
        self.of_words: list[tuple[Tensor, Tensor]] = []  # of each layer, so far
        self.length = 0

    def past(self, i: int, x: Tensor) -> tuple[Tensor, Tensor]:
        """Keys and values of layer i, for the words before and for this one."""
        keys, values = keys_and_values(self.layers[i].self_attention, x)
        if i < len(self.of_words):  # there are words before
            earlier_keys, earlier_values = self.of_words.pop(i)
            keys = torch.cat([earlier_keys, keys], dim=2)
            values = torch.cat([earlier_values, values], dim=2)
        self.of_words.insert(i, (keys, values))
        return keys, values

    def layer(self, i: int, x: Tensor) -> Tensor:
        """Layer i for this word only: (batch, 1, d_model), as it returns it."""
        layer = self.layers[i]
        own, cross = layer.self_attention, layer.cross_attention
        x = layer.residual_1(x, lambda y: attend(own, y, *self.past(i, y)))
        of_memory = self.of_memory[i]
        x = layer.residual_2(x, lambda y: attend(cross, y, *of_memory, self.mask))
        return layer.residual_3(x, layer.feed_forward)

    def logits(self, words: Tensor) -> Tensor:
        """words: (batch,), the next ones. Logits of what follows, (batch, V)."""
        x = self.model.embed(words.unsqueeze(1), start=self.length)
        for i in range(len(self.layers)):
            x = self.layer(i, x)
        self.length += 1
        return self.model.embedding.logits(self.model.decoder.norm(x))[:, 0]
# --8<-- [end:CachedDecoder]


# --8<-- [start:cached_greedy]
@torch.no_grad()
def cached_greedy(model: Transformer, src: Tensor, longest: int) -> Tensor:
    """As greedy, with a cache."""
    decoder = CachedDecoder(model, src)

    def next_logits(tgt: Tensor) -> Tensor:
        return decoder.logits(tgt[:, -1])  # the words before are in the cache

    return write(next_logits, src.size(0), longest)
# --8<-- [end:cached_greedy]
