"""The attention weights of a whole model, collected while it runs."""

# --8<-- [start:imports]
from torch import Tensor

from snippets.attention.multi_head import MultiHeadAttention
from snippets.model.transformer import Transformer
from snippets.tools.tracing import outputs
# --8<-- [end:imports]


# --8<-- [start:attention_maps]
def attention_maps(
    model: Transformer, src: Tensor, tgt: Tensor
) -> dict[str, Tensor]:
    """Weights of each attention, by name, as (batch, heads, query, key)."""
    return {
        name: output[1]  # MultiHeadAttention returns output and weights
        for name, output in outputs(model, src, tgt)
        if isinstance(model.get_submodule(name), MultiHeadAttention)
    }
# --8<-- [end:attention_maps]
