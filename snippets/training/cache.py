"""Decoding with a key-value cache: what was computed for earlier tokens is kept."""

# --8<-- [start:imports]
import torch
from torch import Tensor

from snippets.attention.masks import padding_mask
from snippets.attention.multi_head import (
    MultiHeadAttention, merge_heads, split_heads,
)
from snippets.attention.scaled_dot_product import scaled_dot_product_attention
from snippets.before.vocabulary import BOS
from snippets.model.transformer import Transformer
from snippets.tools.inputs import check
from snippets.training.decoding import generate, inference
# --8<-- [end:imports]


# --8<-- [start:KVCache]
class KVCache:
    """Keys and values of one attention module, each (batch, heads, n, d_k)."""

    def __init__(self, attention: MultiHeadAttention) -> None:
        self.attention = attention
        self.keys: Tensor | None = None
        self.values: Tensor | None = None

    def append(self, x: Tensor) -> None:
        """Keep keys and values of further tokens: x is (batch, n, d_model)."""
        heads = self.attention.num_heads
        keys = split_heads(self.attention.w_k(x), heads)
        values = split_heads(self.attention.w_v(x), heads)
        if self.keys is not None:  # there are tokens before
            keys = torch.cat([self.keys, keys], dim=2)
            values = torch.cat([self.values, values], dim=2)
        self.keys, self.values = keys, values

    def attend(self, x: Tensor, attn_mask: Tensor | None = None) -> Tensor:
        """Attention from x, (batch, n_q, d_model), to all that is kept."""
        check(self.keys is not None, "nothing is kept yet: append(x) comes first")
        query = split_heads(self.attention.w_q(x), self.attention.num_heads)
        heads, _ = scaled_dot_product_attention(
            query, self.keys, self.values, attn_mask
        )
        return self.attention.w_o(merge_heads(heads))
# --8<-- [end:KVCache]


# --8<-- [start:CachedDecoder]
class CachedDecoder:
    """The decoder of a model at inference, for one batch, a token at a time."""

    def __init__(self, model: Transformer, src: Tensor) -> None:
        self.model, self.layers = model, model.decoder.layers
        self.mask = padding_mask(src, model.pad_id).unsqueeze(1)  # for all heads
        self.of_memory = [KVCache(layer.cross_attention) for layer in self.layers]
        self.of_tokens = [KVCache(layer.self_attention) for layer in self.layers]
        memory = model.encode(src)
        for cache in self.of_memory:
            cache.append(memory)  # once for all tokens
        self.length = 0

    def layer(self, i: int, x: Tensor) -> Tensor:
        """Layer i for this token only: (batch, 1, d_model), as it returns it."""
        layer, own, cross = self.layers[i], self.of_tokens[i], self.of_memory[i]

        def attend_to_tokens(y: Tensor) -> Tensor:
            own.append(y)
            return own.attend(y)

        x = layer.residual_1(x, attend_to_tokens)
        x = layer.residual_2(x, lambda y: cross.attend(y, self.mask))
        return layer.residual_3(x, layer.feed_forward)

    def logits(self, tokens: Tensor) -> Tensor:
        """tokens: (batch,), the next ones. Logits of what follows, (batch, V)."""
        x = self.model.embed(tokens.unsqueeze(1), start=self.length)
        for i in range(len(self.layers)):
            x = self.layer(i, x)
        self.length += 1
        return self.model.embedding.logits(self.model.decoder.norm(x))[:, 0]
# --8<-- [end:CachedDecoder]


# --8<-- [start:cached_greedy]
def cached_greedy(model: Transformer, src: Tensor, max_new_tokens: int) -> Tensor:
    """The same tokens as greedy, computed with a cache: src is (batch, n)."""
    with inference(model):
        decoder = CachedDecoder(model, src)

        def next_logits(tgt: Tensor) -> Tensor:
            return decoder.logits(tgt[:, -1])  # those before are in the cache

        bos = torch.full_like(src[:, :1], BOS)
        return generate(next_logits, bos, max_new_tokens, model.pad_id)
# --8<-- [end:cached_greedy]
