"""The encoder layer and stack agree with torch.nn, outputs and gradients, in both orders."""

from __future__ import annotations

import pytest
import torch
from torch import nn
from torch.testing import assert_close

from snippets.attention.masks import causal_mask, padding_mask
from snippets.block.config import TransformerConfig
from snippets.block.encoder_layer import EncoderLayer, EncoderStack
from snippets.block.layer_norm import LayerNorm
from tests import torch_twins


def config(**changes) -> TransformerConfig:
    return TransformerConfig(**{"d_model": 12, "num_heads": 3, "d_ff": 20, **changes})


def random_stack(num_layers, norm_first, dtype=torch.float64) -> EncoderStack:
    torch.manual_seed(0)
    return torch_twins.randomise(
        EncoderStack(config(num_layers=num_layers, dropout=0.0, norm_first=norm_first)).to(dtype)
    )


@pytest.mark.parametrize(("dtype", "tolerance"), [(torch.float32, 1e-5), (torch.float64, 1e-11)])
@pytest.mark.parametrize("mask", [None, "causal", "padding"])
@pytest.mark.parametrize("norm_first", [False, True])
def test_the_stack_is_that_of_torch(norm_first, mask, dtype, tolerance):
    ours = random_stack(3, norm_first, dtype)
    theirs = torch_twins.encoder(ours, norm_first, dtype)
    x = torch.randn(2, 6, 12, dtype=dtype, generator=torch.Generator().manual_seed(1)).requires_grad_()
    ids = torch.tensor([[1, 1, 1, 1, 1, 1], [1, 1, 1, 0, 0, 0]])
    own, other = {
        None: (None, {}),
        "causal": (causal_mask(6), {"mask": ~causal_mask(6)}),
        "padding": (padding_mask(ids, 0), {"src_key_padding_mask": ids == 0}),
    }[mask]
    used = (ids == 1).unsqueeze(-1) if mask == "padding" else torch.ones(2, 6, 1, dtype=torch.bool)
    a, b = ours(x, own) * used, theirs(x, **other) * used
    assert_close(a, b, atol=tolerance, rtol=tolerance)
    weights = torch.randn_like(a)
    for one, two in zip(
        torch.autograd.grad((a * weights).sum(), x), torch.autograd.grad((b * weights).sum(), x), strict=True
    ):
        assert_close(one, two, atol=tolerance * two.abs().max().item(), rtol=0)


def test_only_pre_ln_has_a_final_norm():
    assert isinstance(EncoderStack(config(num_layers=2)).norm, nn.Identity)
    count = [sum(p.numel() for p in EncoderStack(TransformerConfig(norm_first=n)).parameters()) for n in (False, True)]
    assert count == [18_914_304, 18_915_328]


def test_all_norms_have_the_epsilon_of_the_configuration():
    stack = EncoderStack(config(num_layers=2, norm_first=True, eps=0.25))
    found = [module.eps for module in stack.modules() if isinstance(module, LayerNorm)]
    assert found == [0.25] * 5


@pytest.mark.parametrize("norm_first", [False, True])
def test_permuting_tokens_permutes_outputs(norm_first):
    stack, x, order = random_stack(2, norm_first), torch.randn(1, 5, 12).double(), torch.tensor([3, 1, 4, 0, 2])
    assert_close(stack(x[:, order]), stack(x)[:, order])


def test_a_causal_stack_does_not_see_the_future():
    stack, x = random_stack(3, True), torch.randn(1, 6, 12).double()
    changed = x.clone()
    changed[:, 4:] = 0
    assert torch.equal(stack(x, causal_mask(6))[:, :4], stack(changed, causal_mask(6))[:, :4])


def test_dropout_reaches_both_residuals():
    layer = EncoderLayer(config(dropout=0.3))
    assert layer.residual_1.dropout.p == layer.residual_2.dropout.p == 0.3
    assert EncoderLayer(config()).residual_1.dropout.p == 0.1
    assert EncoderStack(config(num_layers=1)).layers[0].residual_1.dropout.p == 0.1
    assert EncoderStack(config(num_layers=1, dropout=0.3)).layers[0].residual_1.dropout.p == 0.3
    assert not EncoderStack(config(num_layers=1)).layers[0].residual_1.norm_first
    assert not EncoderLayer(config()).residual_1.norm_first


def test_the_activation_reaches_the_feed_forward_network():
    for layer in (EncoderLayer(config()), EncoderLayer(config(activation=torch.tanh))):
        hidden = layer.feed_forward.activation(torch.tensor([-1.0, 1.0]))
        assert (hidden[0] == 0) == (layer.feed_forward.activation is torch.relu)
    assert layer.feed_forward.activation is torch.tanh
