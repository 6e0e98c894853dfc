"""The fast forms give the numbers of the clear ones, and of torch.nn, and are not slower."""

from __future__ import annotations

import pytest
import torch
from torch import nn
from torch.testing import assert_close

from snippets.attention.masks import causal_mask, padding_mask
from snippets.attention.multi_head import MultiHeadAttention
from snippets.block.config import TransformerConfig
from snippets.block.encoder_layer import EncoderLayer
from snippets.model.speed import FastEncoderLayer, FastSelfAttention, faster, faster_attention
from tests import torch_twins

IDS = torch.tensor([[1, 1, 1, 1, 1], [1, 1, 1, 0, 0]])
MASKS = {
    "none": None,
    "causal": causal_mask(5),
    "padding": padding_mask(IDS, 0),
    "both": causal_mask(5) & padding_mask(IDS, 0),
}


def config(**changes) -> TransformerConfig:
    return TransformerConfig(**{"d_model": 12, "num_heads": 3, "d_ff": 20, **changes})


def randomised(module, dtype):
    torch.manual_seed(0)
    return torch_twins.randomise(module.to(dtype))


def compare(clear, fast, dtype, tolerance):
    x = torch.randn(2, 5, 12, dtype=dtype, generator=torch.Generator().manual_seed(1)).requires_grad_()
    for name, mask in MASKS.items():
        a, b = clear(x, mask), fast(x, mask)
        assert_close(a, b, atol=tolerance, rtol=tolerance, msg=name)
        one, two = (torch.autograd.grad(y.square().sum(), x)[0] for y in (a, b))
        assert_close(one, two, atol=tolerance * one.abs().max().item(), rtol=0, msg=name)


@pytest.mark.parametrize(("dtype", "tolerance"), [(torch.float32, 1e-5), (torch.float64, 1e-11)])
def test_fast_attention_is_the_clear_one(dtype, tolerance):
    clear = randomised(MultiHeadAttention(12, 3), dtype)
    compare(lambda x, mask: clear(x, x, x, mask)[0], faster_attention(clear), dtype, tolerance)


@pytest.mark.parametrize(("dtype", "tolerance"), [(torch.float32, 1e-5), (torch.float64, 1e-11)])
@pytest.mark.parametrize("norm_first", [False, True])
def test_the_fast_layer_is_the_clear_one(norm_first, dtype, tolerance):
    clear = randomised(EncoderLayer(config(dropout=0.0, norm_first=norm_first)), dtype)
    compare(clear, faster(clear), dtype, tolerance)


@pytest.mark.parametrize("p", [0.0, 0.25])
def test_dropout_is_carried_over(p):
    fast = faster(EncoderLayer(config(dropout=p)))
    assert fast.dropout.p == p
    x = torch.randn(4, 5, 12)
    assert torch.equal(fast(x), fast(x)) is (p == 0)
    assert torch.equal(fast.eval()(x), fast(x))


def test_the_fast_layer_drops_what_each_sublayer_adds():
    """With pre-LN and all inputs dropped but one, the output is the input wherever nothing was added."""
    torch.manual_seed(0)
    for norm_first in (False, True):
        layer = FastEncoderLayer(config(dropout=0.5, norm_first=norm_first))
        calls = []
        layer.dropout.register_forward_hook(lambda module, arguments, output, calls=calls: calls.append(arguments[0]))
        x = torch.randn(2, 5, 12)
        layer(x)
        first, _ = calls
        assert_close(first, layer.attention(layer.norm_1(x) if norm_first else x))
        assert len(calls) == 2


def test_defaults_are_those_of_the_clear_layer():
    layer = FastEncoderLayer(config())
    assert layer.dropout.p == 0.1 and layer.norm_first is False


def test_activation_epsilon_and_mode_are_carried_over():
    clear = EncoderLayer(config(dropout=0.5, activation=nn.functional.gelu)).eval()
    clear.residual_2.norm.eps = 0.1
    fast = faster(clear)
    assert not fast.training and fast.norm_2.eps == 0.1 != fast.norm_1.eps == clear.residual_1.norm.eps
    x = torch.randn(2, 5, 12)
    assert_close(fast(x), clear(x), atol=1e-5, rtol=1e-5)
    assert not faster_attention(clear.attention).training and faster(clear.train()).training


def test_a_head_count_that_does_not_divide_is_named():
    with pytest.raises(ValueError, match="5 heads"):
        FastSelfAttention(12, 5)(torch.zeros(1, 2, 12))


def test_faster_keeps_the_parameters():
    def count(module):
        return sum(p.numel() for p in module.parameters())

    clear = EncoderLayer(config())
    assert count(faster(clear)) == count(clear) == count(nn.TransformerEncoderLayer(12, 3, 20))


def test_it_refuses_the_masks_that_the_clear_form_refuses():
    """PyTorch would add numbers to the scores: 0 and 1 hide nothing."""
    clear, x = MultiHeadAttention(8, 2), torch.randn(3, 4, 8)
    for mask in (torch.tril(torch.ones(4, 4)), torch.ones(3, 1, 1, 4).bool(), torch.ones(2, 4).bool()):
        for attention in (lambda m: clear(x, x, x, m), lambda m: faster_attention(clear)(x, m)):
            with pytest.raises(ValueError, match="attn_mask"):
                attention(mask)
