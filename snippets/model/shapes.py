"""The shapes of what a Transformer computes, predicted without computing it."""

# --8<-- [start:forward_shapes]
from snippets.attention.shapes import Shapes, attention_shapes
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

    def weights(queries: int, keys: int) -> tuple[int, ...]:
        shapes = attention_shapes(batch, queries, keys, d_model, num_heads)
        return shapes["scores"]

    return {
        "embedded": (batch, n, d_model),
        "encoder_weights": weights(n, n),
        "hidden": (batch, n, config.d_ff),
        "memory": (batch, n, d_model),
        "decoder_weights": weights(m, m),
        "cross_weights": weights(m, n),
        "decoded": (batch, m, d_model),
        "logits": (batch, m, config.vocab_size),
    }
# --8<-- [end:forward_shapes]
