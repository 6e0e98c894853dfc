"""The attention weights of a whole model, collected while it runs."""

# --8<-- [start:imports]
import torch
from torch import Tensor

from snippets.multi_head import MultiHeadAttention
from snippets.transformer import Transformer
# --8<-- [end:imports]


# --8<-- [start:attention_maps]
@torch.no_grad()
def attention_maps(
    model: Transformer, src: Tensor, tgt: Tensor
) -> dict[str, Tensor]:
    """Weights of each attention, by name, as (batch, heads, query, key)."""
    maps = {}

    def note(name: str):
        def hook(module, arguments, output) -> None:
            maps[name] = output[1]  # MultiHeadAttention returns output and weights

        return hook

    hooks = [
        module.register_forward_hook(note(name))
        for name, module in model.named_modules()
        if isinstance(module, MultiHeadAttention)
    ]
    try:
        model(src, tgt)
    finally:
        for hook in hooks:
            hook.remove()
    return maps
# --8<-- [end:attention_maps]
