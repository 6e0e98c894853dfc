"""GPT with a key-value cache, for any number of new tokens at once."""

# --8<-- [start:imports]
from torch import Tensor

from snippets.attention.masks import causal_mask
from snippets.families.gpt import GPT
from snippets.tools.inputs import check, check_ids
from snippets.training.cache import KVCache
# --8<-- [end:imports]


# --8<-- [start:CachedGPT]
class CachedGPT:
    """A GPT at inference, for one batch. What it has read stays in the cache."""

    def __init__(self, model: GPT) -> None:
        check(not model.training, "this is for inference: model.eval() comes first")
        self.model, self.layers = model, model.stack.layers
        self.caches = [KVCache(layer.attention) for layer in self.layers]
        self.length = 0  # tokens in the cache

    def next_logits(self, ids: Tensor) -> Tensor:
        """Logits of the token after ids, (batch, n) -> (batch, vocab_size).

        ids are all tokens so far, of which only the new ones are computed: at
        first those of the prompt, then one at a time. Raises ValueError if none
        is new. Rows of one length: padding would be read as text. Whether the
        text begins with what has been read is not looked at.
        """
        check_ids(ids)
        if ids.size(1) <= self.length:
            raise ValueError(f"{self.length} tokens have been read: none is new")
        mask = causal_mask(ids.size(1), ids.device)[self.length :]  # (new, n)
        x = self.model.embed(ids[:, self.length :], start=self.length)
        for i in range(len(self.layers)):
            x = self.layer(i, x, mask)
        self.length = ids.size(1)
        return self.model.logits(self.model.stack.norm(x[:, -1]))

    def layer(self, i: int, x: Tensor, mask: Tensor) -> Tensor:
        """Layer i for the new tokens only: (batch, new, d_model)."""
        layer, cache = self.layers[i], self.caches[i]

        def attend(y: Tensor) -> Tensor:
            cache.append(y)
            return cache.attend(y, mask)

        x = layer.residual_1(x, attend)
        return layer.residual_2(x, layer.feed_forward)
# --8<-- [end:CachedGPT]
