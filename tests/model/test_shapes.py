"""The shapes that are predicted are those of what the book's model computes, for any sizes."""

from __future__ import annotations

import torch
from hypothesis import given
from hypothesis import strategies as st

import tests.properties  # noqa: F401 (the profile for Hypothesis)
from snippets.block.config import TransformerConfig
from snippets.model.shapes import forward_shapes
from snippets.model.transformer import Transformer

SIZES = st.integers(1, 5)


@given(SIZES, SIZES, SIZES, st.booleans())
def test_the_shapes_of_a_forward_pass_are_those_of_the_model(batch, n, m, norm_first):
    config = TransformerConfig(vocab_size=7, num_layers=1, d_model=6, num_heads=3, d_ff=10, norm_first=norm_first)
    model, found = Transformer(config).eval(), {}
    src, tgt = torch.full((batch, n), 2), torch.full((batch, m), 3)
    hooked = {
        "encoder_weights": model.encoder.layers[0].attention,
        "hidden": model.encoder.layers[0].feed_forward.w_1,
        "memory": model.encoder,
        "decoder_weights": model.decoder.layers[0].self_attention,
        "cross_weights": model.decoder.layers[0].cross_attention,
        "decoded": model.decoder,
    }
    for name, module in hooked.items():
        module.register_forward_hook(
            lambda _module, _inputs, output, name=name: found.update(
                {name: tuple((output[1] if isinstance(output, tuple) else output).shape)}
            )
        )
    found["logits"] = tuple(model(src, tgt).shape)
    found["embedded"] = tuple(model.embed(src).shape)
    assert forward_shapes(config, batch, n, m) == found
