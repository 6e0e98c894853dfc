"""The multiplications of the formulas are those that PyTorch counts while a layer runs."""

from __future__ import annotations

import pytest
import torch
from torch import nn
from torch.utils.flop_counter import FlopCounterMode

from snippets.attention.scaled_dot_product import scaled_dot_product_attention
from snippets.block.config import TransformerConfig
from snippets.block.encoder_layer import EncoderLayer
from snippets.model.cost import convolution, encoder_layer, recurrent, restricted_attention, self_attention


def multiplications(function, *inputs) -> int:
    """Those in products of matrices; PyTorch counts each with an addition."""
    with FlopCounterMode(display=False) as counter:
        function(*inputs)
    return counter.get_total_flops() // 2


def run_recurrent(x, w, u):
    h = torch.zeros(1, w.size(1))
    for row in x:
        h = torch.tanh(row.unsqueeze(0) @ w + h @ u)


@pytest.mark.parametrize(("n", "d"), [(5, 8), (16, 4), (7, 7)])
def test_the_formulas_are_what_runs(n, d):
    x, w = torch.zeros(n, d), torch.zeros(d, d)
    assert self_attention(n, d) == multiplications(scaled_dot_product_attention, x, x, x)
    assert recurrent(n, d) == multiplications(run_recurrent, x, w, w)
    for k in (1, 3):
        layer = nn.Conv1d(d, d, k, padding=k // 2)
        assert convolution(n, d, k) == multiplications(layer, torch.zeros(1, d, n))


def test_restricted_attention_is_attention_to_r_keys():
    n, d, r = 12, 8, 3
    query, window = torch.zeros(n, 1, d), torch.zeros(n, r, d)
    assert restricted_attention(n, d, r) == multiplications(scaled_dot_product_attention, query, window, window)
    assert restricted_attention(n, d, n) == self_attention(n, d)


@pytest.mark.parametrize(("n", "d_model", "d_ff"), [(5, 8, 20), (16, 4, 8)])
def test_the_parts_of_an_encoder_layer_are_all_of_it(n, d_model, d_ff):
    config = TransformerConfig(d_model=d_model, num_heads=2, d_ff=d_ff, dropout=0.0)
    layer, x = EncoderLayer(config), torch.zeros(1, n, d_model)
    parts = encoder_layer(n, d_model, d_ff)
    assert sum(parts.values()) == multiplications(layer, x)
    assert parts["feed-forward"] == multiplications(layer.feed_forward, x)
    assert parts["attention"] == self_attention(n, d_model)


def test_attention_is_the_larger_half_from_six_times_the_width_on():
    for d in (64, 512):
        for n, larger in [(6 * d - 1, False), (6 * d + 1, True)]:
            parts = encoder_layer(n, d, 4 * d)
            assert (parts["attention"] > parts["projections"] + parts["feed-forward"]) is larger
