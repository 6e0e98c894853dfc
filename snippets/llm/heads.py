"""The attention heads of a language model: where they look, and what is lost without them."""

# --8<-- [start:imports]
from collections.abc import Collection, Iterator
from contextlib import ExitStack, contextmanager

import torch
from torch import Tensor
from torch.nn.functional import cross_entropy

from snippets.attention.masks import causal_mask
from snippets.attention.multi_head import merge_heads, split_heads
from snippets.attention.scaled_dot_product import scaled_dot_product_attention
from snippets.families.llama import Llama
from snippets.positions.relative import rotate
from snippets.tools.tracing import outputs
# --8<-- [end:imports]


# --8<-- [start:attention_weights]
def attention_weights(model: Llama, ids: Tensor) -> Tensor:
    """Of all layers: (batch, n) -> (layers, batch, heads, query, key)."""
    found, weights = dict(outputs(model, ids)), []
    positions, mask = torch.arange(ids.size(1)), causal_mask(ids.size(1))
    for i, layer in enumerate(model.layers):
        of = layer.attention
        q = split_heads(found[f"layers.{i}.attention.w_q"][0], of.num_heads)
        k = split_heads(found[f"layers.{i}.attention.w_k"][0], of.num_kv_heads)
        q, k = (rotate(x, positions, of.rope_theta) for x in (q, k))
        k = k.repeat_interleave(of.num_heads // of.num_kv_heads, dim=1)
        weights.append(scaled_dot_product_attention(q, k, k, mask)[1])
    return torch.stack(weights)
# --8<-- [end:attention_weights]


# --8<-- [start:repeated]
def repeated(count: int, half: int, seed: int = 0) -> Tensor:
    """Random tokens, and the same once more: (count, 2 half)."""
    generator = torch.Generator().manual_seed(seed)
    ids = torch.randint(1_000, 40_000, (count, half), generator=generator)
    return torch.cat([ids, ids], dim=1)
# --8<-- [end:repeated]


# --8<-- [start:induction_scores]
def induction_scores(model: Llama, ids: Tensor) -> Tensor:
    """Each head's weight, in the second half, on what followed in the first.

    ids: (batch, 2 half), the halves equal; returns (layers, heads).
    """
    half = ids.size(1) // 2
    weights = attention_weights(model, ids)
    after = weights.diagonal(1 - half, dim1=-2, dim2=-1)  # queries half - 1, ...
    return after[..., 1:].mean(dim=(1, 3))
# --8<-- [end:induction_scores]


# --8<-- [start:without]
Head = tuple[int, int]  # layer, head


@contextmanager
def without(
    model: Llama, heads: Collection[Head], instead: Tensor | None = None
) -> Iterator[None]:
    """Meanwhile, these heads output 0, or what stands in `instead`.

    instead: (layers, heads, d_k), one vector a head, the same at every position.
    """

    def ablation(layer: int, off: list[int]):
        def ablate(w_o, inputs: tuple[Tensor]) -> Tensor:
            x = split_heads(inputs[0], model.layers[layer].attention.num_heads)
            x = x.clone()  # (batch, heads, n, d_k)
            x[:, off] = 0 if instead is None else instead[layer, off][:, None]
            return merge_heads(x)

        return ablate

    with ExitStack() as hooks:
        for layer in {layer for layer, _ in heads}:
            off = [head for where, head in heads if where == layer]
            w_o = model.layers[layer].attention.w_o
            hook = w_o.register_forward_pre_hook(ablation(layer, off))
            hooks.callback(hook.remove)
        yield
# --8<-- [end:without]


# --8<-- [start:mean_outputs]
@torch.no_grad()
def mean_outputs(model: Llama, ids: Tensor) -> Tensor:
    """What each head outputs on average: (layers, heads, d_k)."""
    means = []

    def note(w_o, inputs: tuple[Tensor]) -> None:
        means.append(inputs[0].mean(dim=(0, 1)))

    layers = [layer.attention for layer in model.layers]
    with ExitStack() as hooks:
        for of in layers:
            hooks.callback(of.w_o.register_forward_pre_hook(note).remove)
        model(ids)
    return torch.stack(means).unflatten(-1, (layers[0].num_heads, -1))
# --8<-- [end:mean_outputs]


# --8<-- [start:losses]
@torch.no_grad()
def losses(model: Llama, ids: Tensor) -> Tensor:
    """Of each token but the first, in nats: (batch, n) -> (batch, n - 1)."""
    logits = model(ids[:, :-1])
    return cross_entropy(logits.transpose(1, 2), ids[:, 1:], reduction="none")


def in_order(scores: Tensor) -> list[Head]:
    """All heads, the one with the highest score first. scores: (layers, heads)."""
    order = scores.flatten().argsort(descending=True, stable=True).tolist()
    return [divmod(i, scores.size(1)) for i in order]
# --8<-- [end:losses]
