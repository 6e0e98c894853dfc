"""The shapes of what attention computes, predicted without computing it."""

# --8<-- [start:attention_shapes]
Shapes = dict[str, tuple[int, ...]]


def attention_shapes(
    batch: int, n_q: int, n_k: int, d_model: int, num_heads: int
) -> Shapes:
    """The shapes in multi-head attention from n_q queries to n_k keys.

    "queries", "keys", "values", "scores" and "heads" are those of all heads, in one
    tensor each, "output" is what the module returns.
    """
    d_k = d_model // num_heads
    return {
        "queries": (batch, num_heads, n_q, d_k),
        "keys": (batch, num_heads, n_k, d_k),
        "values": (batch, num_heads, n_k, d_k),
        "scores": (batch, num_heads, n_q, n_k),
        "heads": (batch, num_heads, n_q, d_k),
        "output": (batch, n_q, d_model),
    }
# --8<-- [end:attention_shapes]


# --8<-- [start:mask_shapes]
def mask_shapes(batch: int, n: int, m: int) -> Shapes:
    """The shapes of the masks for n source tokens and m target tokens.

    "src_mask" hides padding in the encoder, "causal" the future, "tgt_mask" both in
    the decoder, "memory_mask" the source's padding in the cross-attention.
    """
    return {
        "src_mask": (batch, 1, n),  # the same for each query
        "causal": (m, m),  # the same for each sentence
        "tgt_mask": (batch, m, m),
        "memory_mask": (batch, 1, n),
    }
# --8<-- [end:mask_shapes]
