"""The decoder layer and stack agree with torch.nn, and depend on what they may look at, and on nothing else."""

from __future__ import annotations

import pytest
import torch
from torch import nn
from torch.testing import assert_close

from snippets.attention.masks import causal_mask, padding_mask
from snippets.block.config import TransformerConfig
from snippets.block.encoder_layer import EncoderLayer
from snippets.model.decoder_layer import DecoderLayer, DecoderStack
from tests import torch_twins


def config(**changes) -> TransformerConfig:
    return TransformerConfig(**{"d_model": 12, "num_heads": 3, "d_ff": 20, **changes})


def random_stack(num_layers=2, norm_first=False, dtype=torch.float64) -> DecoderStack:
    torch.manual_seed(0)
    return torch_twins.randomise(
        DecoderStack(config(num_layers=num_layers, dropout=0.0, norm_first=norm_first)).to(dtype)
    )


def inputs(batch=2, m=4, n=6, dtype=torch.float64):
    generator = torch.Generator().manual_seed(1)
    sizes = ((batch, m, 12), (batch, n, 12))
    return [torch.randn(size, dtype=dtype, generator=generator).requires_grad_() for size in sizes]


@pytest.mark.parametrize(("dtype", "tolerance"), [(torch.float32, 1e-5), (torch.float64, 1e-11)])
@pytest.mark.parametrize("masked", [False, True])
@pytest.mark.parametrize("norm_first", [False, True])
@pytest.mark.parametrize("num_layers", [1, 3])
def test_the_stack_is_that_of_torch(num_layers, norm_first, masked, dtype, tolerance):
    ours = random_stack(num_layers, norm_first, dtype)
    theirs = torch_twins.decoder(ours, norm_first, dtype)
    x, memory = inputs(dtype=dtype)
    ids = torch.tensor([[1, 1, 1, 1, 1, 1], [1, 1, 0, 0, 0, 0]])
    own, other = {}, {}
    if masked:
        own = {"tgt_mask": causal_mask(4), "memory_mask": padding_mask(ids, 0)}
        other = {"tgt_mask": ~causal_mask(4), "memory_key_padding_mask": ids == 0}
    a, b = ours(x, memory, **own), theirs(x, memory, **other)
    assert_close(a, b, atol=tolerance, rtol=tolerance)
    weights = torch.randn(a.shape, dtype=dtype, generator=torch.Generator().manual_seed(2))
    for mine, torchs in zip(
        torch.autograd.grad((a * weights).sum(), [x, memory]),
        torch.autograd.grad((b * weights).sum(), [x, memory]),
        strict=True,
    ):
        assert_close(mine, torchs, atol=tolerance * torchs.abs().max().item(), rtol=0)


@pytest.mark.parametrize("norm_first", [False, True])
def test_the_future_changes_nothing_before_it(norm_first):
    stack, (x, memory) = random_stack(3, norm_first), inputs(m=5)
    before = stack(x, memory, causal_mask(5))
    for position in range(1, 5):
        changed = x.detach().clone()
        changed[:, position:] = changed[:, position:].flip(-1)  # adding a number to all would not pass a norm
        after = stack(changed, memory, causal_mask(5))
        assert torch.equal(after[:, :position], before[:, :position])
        assert not torch.isclose(after[:, position:], before[:, position:]).all(dim=-1).any()


def test_every_place_reads_all_of_the_memory_and_no_padding():
    stack, (x, memory) = random_stack(), inputs(batch=1, m=3, n=5)
    mask = padding_mask(torch.tensor([[1, 1, 1, 0, 0]]), 0)
    output = stack(x, memory, causal_mask(3), mask)
    for position in range(3):
        (gradient,) = torch.autograd.grad(output[0, position].square().sum(), memory, retain_graph=True)
        assert (gradient[0].abs().sum(dim=-1) > 0).tolist() == [True, True, True, False, False]


def test_every_layer_reads_the_same_memory():
    """With no way for the memory but the last layer's cross-attention, its gradient is still there, and it matters."""
    stack, (x, memory) = random_stack(2), inputs()
    with torch.no_grad():
        stack.layers[0].cross_attention.w_o.weight.zero_()
    assert torch.autograd.grad(stack(x, memory).square().sum(), memory)[0].abs().sum() > 0


def test_the_residual_around_cross_attention_adds_the_decoder_s_vector():
    """With all three sublayers silenced, a pre-LN layer hands on its input: never the memory, never a norm."""
    layer, (x, memory) = random_stack(1, True).layers[0], inputs(m=6)
    with torch.no_grad():
        for linear in (layer.self_attention.w_o, layer.cross_attention.w_o, layer.feed_forward.w_2):
            linear.weight.zero_()
            linear.bias.zero_()
    assert torch.equal(layer(x, memory), x)


def test_without_cross_attention_it_is_an_encoder_layer():
    decoder, (x, memory) = random_stack(1, True).layers[0], inputs()
    encoder = EncoderLayer(config(dropout=0.0, norm_first=True)).double()
    encoder.attention, encoder.feed_forward = decoder.self_attention, decoder.feed_forward
    encoder.residual_1, encoder.residual_2 = decoder.residual_1, decoder.residual_3
    with torch.no_grad():
        decoder.cross_attention.w_o.weight.zero_()
        decoder.cross_attention.w_o.bias.zero_()
    assert_close(decoder(x, memory, causal_mask(4)), encoder(x, causal_mask(4)))


def test_only_pre_ln_has_a_final_norm():
    assert isinstance(DecoderStack(config(num_layers=2)).norm, nn.Identity)
    stacks = [DecoderStack(TransformerConfig(norm_first=norm_first)) for norm_first in (False, True)]
    assert [sum(p.numel() for p in stack.parameters()) for stack in stacks] == [25_224_192, 25_225_216]


def test_dropout_and_order_reach_all_three_residuals():
    for layer in (
        DecoderLayer(config(dropout=0.3, norm_first=True)),
        DecoderStack(config(num_layers=1, dropout=0.3, norm_first=True)).layers[0],
    ):
        residuals = (layer.residual_1, layer.residual_2, layer.residual_3)
        assert [r.dropout.p for r in residuals] == [0.3] * 3
        assert all(r.norm_first for r in residuals)
    for layer in (DecoderLayer(config()), DecoderStack(config(num_layers=1)).layers[0]):
        residuals = (layer.residual_1, layer.residual_2, layer.residual_3)
        assert [r.dropout.p for r in residuals] == [0.1] * 3
        assert not any(r.norm_first for r in residuals)


def test_sizes_reach_the_parts():
    layer = DecoderLayer(config())
    assert layer.self_attention.num_heads == layer.cross_attention.num_heads == 3
    assert (layer.feed_forward.w_1.in_features, layer.feed_forward.w_1.out_features) == (12, 20)


def test_a_memory_of_another_width_is_named():
    with pytest.raises(ValueError, match=r"\(batch, n, 12\), not .*\(2, 6, 10\)"):
        DecoderLayer(config())(torch.zeros(2, 4, 12), torch.zeros(2, 6, 10))


def test_the_activation_reaches_the_feed_forward_network():
    assert DecoderLayer(config(activation=torch.tanh)).feed_forward.activation is torch.tanh
    assert DecoderLayer(config()).feed_forward.activation is torch.relu
