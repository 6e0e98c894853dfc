"""Speculative decoding: several tokens in one pass, by the model's own probabilities."""

# --8<-- [start:imports]
import copy
from collections.abc import Callable, Iterator, Sequence

import torch
import torch.nn.functional as F
from torch import Generator, Tensor

from snippets.attention.masks import causal_mask
from snippets.attention.multi_head import head_size
from snippets.families.llama import Llama, LlamaConfig, kv_cache_bytes
from snippets.families.sampling import with_temperature
from snippets.llm.cached_llama import CachedLlama
# --8<-- [end:imports]


# --8<-- [start:verified]
def drawn_from(p: Tensor, generator: Generator) -> int:
    """A token by its probability, of p, (V,)."""
    return torch.multinomial(p, 1, generator=generator).item()


def residual(p: Tensor, q: Tensor) -> Tensor:
    """What p, (V,), has more of than q, as probabilities."""
    more = (p - q).clamp(min=0)
    return more / more.sum()


def verified(
    p: Tensor, q: Tensor, drafted: Sequence[int], generator: Generator
) -> list[int]:
    """The tokens of a draft that are accepted, and one more.

    p: (gamma + 1, V), the model's probabilities after each token of the draft and
    before it; q: (gamma, V), those of which the draft was drawn. Leviathan et al.
    (2023), algorithm 1.
    """
    for i, token in enumerate(drafted):
        u = torch.rand((), generator=generator, dtype=p.dtype)
        if u >= p[i, token] / q[i, token]:  # rejected, and all that follows
            return [*drafted[:i], drawn_from(residual(p[i], q[i]), generator)]
    return [*drafted, drawn_from(p[len(drafted)], generator)]
# --8<-- [end:verified]


# --8<-- [start:choices]
def greedy(logits: Tensor) -> Tensor:
    """All of the probability for the largest logit: (..., V), same shape."""
    return F.one_hot(logits.argmax(dim=-1), logits.size(-1)).to(logits.dtype)


def at_temperature(temperature: float) -> Callable[[Tensor], Tensor]:
    return lambda logits: with_temperature(logits, temperature).softmax(dim=-1)
# --8<-- [end:choices]


# --8<-- [start:RewindingLlama]
class RewindingLlama(CachedLlama):
    """A CachedLlama that gives logits after each new token, and can forget."""

    def new_logits(self, ids: Tensor) -> Tensor:
        """Logits after each new one of the ids, (batch, n) -> (batch, new, V)."""
        positions = torch.arange(self.length, ids.size(1))
        mask = causal_mask(ids.size(1), ids.device)[self.length :]  # (new, n)
        x = self.model.tokens(ids[:, self.length :])
        for layer, cache in zip(self.model.layers, self.caches, strict=True):
            y = layer.norm_1(x)
            cache.append(y, positions)
            x = x + cache.attend(y, positions, mask)
            x = x + layer.feed_forward(layer.norm_2(x))
        self.length = ids.size(1)
        return self.model.head(self.model.norm(x))

    def rewind(self, length: int) -> None:
        """Forget all but the first tokens: those that were rejected."""
        for cache in self.caches:
            if cache.keys is not None:
                cache.keys = cache.keys[:, :, :length]
                cache.values = cache.values[:, :, :length]
        self.length = min(self.length, length)
# --8<-- [end:RewindingLlama]


# --8<-- [start:Draft]
Draft = Callable[[list[int]], tuple[list[int], Tensor]]
# --8<-- [end:Draft]


# --8<-- [start:passes]
@torch.inference_mode()
def passes(
    model: Llama,
    ids: Sequence[int],
    max_new_tokens: int,
    draft: Draft,
    choose: Callable[[Tensor], Tensor] = greedy,
    seed: int = 0,
) -> Iterator[list[int]]:
    """What the model generates after ids: the new tokens of each of its passes.

    draft: from all ids so far to some tokens, and the probabilities of which they
    were drawn, (gamma, V). choose: from the model's logits to probabilities.
    """
    cached, ids = RewindingLlama(model), list(ids)
    generator = torch.Generator().manual_seed(seed)
    left = max_new_tokens
    while left:
        drafted, q = draft(ids)
        drafted, q = drafted[: left - 1], q[: left - 1]  # one more comes anyway
        read = torch.tensor([ids + drafted])
        p = choose(cached.new_logits(read)[0, -len(drafted) - 1 :])
        new = verified(p, q, drafted, generator)
        ids, left = ids + new, left - len(new)
        cached.rewind(len(ids) - 1)  # the last of the new ones is not read yet
        yield new
# --8<-- [end:passes]


# --8<-- [start:look_up]
def look_up(vocab_size: int, gamma: int, longest: int = 3) -> Draft:
    """Drafts what followed when the last tokens occurred before. Saxena (2023).

    Of the last three tokens, if they occurred, else of two, else of one: up to
    gamma tokens that followed the first occurrence, each with probability 1.
    """

    def draft(ids: list[int]) -> tuple[list[int], Tensor]:
        for n in range(longest, 0, -1):
            for start in range(len(ids) - n):
                if ids[start : start + n] == ids[-n:]:
                    found = ids[start + n : start + n + gamma]
                    return found, F.one_hot(torch.tensor(found), vocab_size).float()
        return [], torch.zeros(0, vocab_size)

    return draft
# --8<-- [end:look_up]


# --8<-- [start:by_model]
def by_model(
    model: Llama,
    gamma: int,
    choose: Callable[[Tensor], Tensor] = greedy,
    seed: int = 1,
) -> Draft:
    """Drafts by a smaller model, with a cache of its own."""
    cached, read = RewindingLlama(model), []
    generator = torch.Generator().manual_seed(seed)

    def draft(ids: list[int]) -> tuple[list[int], Tensor]:
        nonlocal read
        pairs = zip(read, ids[:-1], strict=False)
        same = next((i for i, (a, b) in enumerate(pairs) if a != b), len(read))
        cached.rewind(min(same, len(ids) - 1))
        read, q = list(ids), []
        for _ in range(gamma):
            q.append(choose(cached.new_logits(torch.tensor([read]))[0, -1]))
            read.append(drawn_from(q[-1], generator))
        return read[len(ids) :], torch.stack(q)

    return draft


def first_layers(model: Llama, number: int) -> Llama:
    """The model without its last layers, which shares all else with it."""
    shallow = copy.copy(model)
    shallow._modules = model._modules | {"layers": model.layers[:number]}
    return shallow
# --8<-- [end:by_model]


# --8<-- [start:expected]
def expected_tokens(alpha: float, gamma: int) -> float:
    """Of one pass, if each token of a draft is accepted with probability alpha.

    Leviathan et al. (2023), section 3.
    """
    return sum(alpha**i for i in range(gamma + 1))


def improvement(alpha: float, gamma: int, cost: float) -> float:
    """By which factor it is faster, if drafting a token costs that many passes.

    Leviathan et al. (2023), theorem 3.8.
    """
    return expected_tokens(alpha, gamma) / (gamma * cost + 1)
# --8<-- [end:expected]


# --8<-- [start:intensity]
def intensity(config: LlamaConfig, batch: int, new: int, context: int) -> float:
    """FLOPs of a pass per byte that it reads, all numbers in 16 bits.

    new: tokens of each sequence that the pass reads. Weights are read once for
    all sequences, keys and values of the context for each of them.
    """
    d_model, d_k = config.d_model, head_size(config.d_model, config.num_heads)
    attention = 2 * d_model * (d_model + d_k * config.num_kv_heads)
    layer = attention + 3 * d_model * config.d_ff
    weights = config.num_layers * layer + config.vocab_size * d_model
    scores = 2 * config.num_layers * context * d_model  # and weighted sums
    flops = 2 * batch * new * (weights + scores)
    return flops / (2 * weights + batch * kv_cache_bytes(config, context))
# --8<-- [end:intensity]
