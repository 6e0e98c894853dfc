"""The shapes of what a Transformer computes, predicted without computing it."""

# --8<-- [start:forward_shapes]
from snippets.attention.shapes import Shapes
from snippets.block.config import TransformerConfig


def forward_shapes(
    config: TransformerConfig, batch: int, n: int, m: int
) -> Shapes:
    """The shapes in one pass with n source tokens and m target tokens.

    "embedded" (the source), "encoder_weights" (of its self-attention), "hidden"
    (the ReLU's outputs in the encoder), "memory", "decoder_weights" (of its
    self-attention), "cross_weights", "decoded" (the decoder's output), "logits".
    """
    d_model, num_heads = config.d_model, config.num_heads
    return {
        "embedded": (batch, n, d_model),
        "encoder_weights": (batch, num_heads, n, n),
        "hidden": (batch, n, config.d_ff),
        "memory": (batch, n, d_model),
        "decoder_weights": (batch, num_heads, m, m),
        "cross_weights": (batch, num_heads, m, n),
        "decoded": (batch, m, d_model),
        "logits": (batch, m, config.vocab_size),
    }
# --8<-- [end:forward_shapes]
