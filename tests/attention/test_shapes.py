"""The shapes that are predicted are those of PyTorch's own modules and of the book's masks, for any sizes."""

from __future__ import annotations

import torch
from hypothesis import given
from hypothesis import strategies as st
from torch import nn

import tests.properties  # noqa: F401 (the profile for Hypothesis)
from snippets.attention.masks import causal_mask, padding_mask
from snippets.attention.multi_head import split_heads
from snippets.attention.shapes import attention_shapes, mask_shapes

SIZES = st.integers(1, 5)


@given(SIZES, SIZES, SIZES, st.sampled_from([(6, 1), (6, 3), (8, 4)]))
def test_the_shapes_of_attention_are_those_of_pytorch(batch, n_q, n_k, sizes):
    d_model, num_heads = sizes
    shapes = attention_shapes(batch, n_q, n_k, d_model, num_heads)
    attention = nn.MultiheadAttention(d_model, num_heads, batch_first=True)
    x, y = torch.randn(batch, n_q, d_model), torch.randn(batch, n_k, d_model)
    output, weights = attention(x, y, y, average_attn_weights=False)
    assert (output.shape, weights.shape) == (shapes["output"], shapes["scores"])
    queries, keys = split_heads(x, num_heads), split_heads(y, num_heads)
    assert (queries.shape, keys.shape) == (shapes["queries"], shapes["keys"])
    heads = nn.functional.scaled_dot_product_attention(queries, keys, keys)
    assert (keys.shape, heads.shape) == (shapes["values"], shapes["heads"])


@given(SIZES, SIZES, SIZES)
def test_the_shapes_of_masks_are_those_that_the_book_makes(batch, n, m):
    source, target, causal = (
        padding_mask(torch.ones(batch, n), 0),
        padding_mask(torch.ones(batch, m), 0),
        causal_mask(m),
    )
    made = {"src_mask": source, "causal": causal, "tgt_mask": target & causal, "memory_mask": source}
    assert mask_shapes(batch, n, m) == {name: mask.shape for name, mask in made.items()}
