"""The feed-forward network: known numbers, one place at a time, agreement with torch.nn."""

from __future__ import annotations

import pytest
import torch
from hypothesis import given
from hypothesis import strategies as st
from torch import nn
from torch.testing import assert_close

from snippets.block.feed_forward import FeedForward
from tests.properties import orders, sizes, tensors


def network(d_model=3, d_ff=5, **options) -> FeedForward:
    torch.manual_seed(0)
    return FeedForward(d_model, d_ff, **options).double()


def test_the_numbers_of_the_page():
    module = FeedForward(2, 3)
    with torch.no_grad():
        module.w_1.weight.copy_(torch.tensor([[3.0, 2, -4], [2, -3, 1]]).T)
        module.w_1.bias.fill_(1)
        module.w_2.weight.copy_(torch.tensor([[-1.0, 1], [1, 2], [3, 1]]).T)
        module.w_2.bias.fill_(-1)
    assert module(torch.tensor([2.0, 1.0])).tolist() == [-8, 12]


@pytest.mark.parametrize("activation", [torch.relu, nn.functional.gelu])
def test_it_is_the_network_of_torch(activation):
    module = network(activation=activation)
    theirs = nn.Sequential(module.w_1, nn.ReLU() if activation is torch.relu else nn.GELU(), module.w_2)
    x = torch.randn(2, 4, 3, dtype=torch.float64)
    assert_close(module(x), theirs(x))


@given(st.data(), sizes)
def test_places_do_not_see_each_other(data, n):
    x, order = data.draw(tensors(n, 3)), data.draw(orders(n))
    module = network()
    assert_close(module(x[order]), module(x)[order])
    assert_close(module(x)[0], module(x[0]))


def test_sizes_of_base_and_bert():
    assert sum(p.numel() for p in FeedForward(512, 2048).parameters()) == 2_099_712
    assert FeedForward(8, 32)(torch.zeros(2, 5, 8)).shape == (2, 5, 8)


@pytest.mark.parametrize("shape", [(2, 4), (3, 2), (1,)])
def test_a_wrong_width_is_named(shape):
    with pytest.raises(ValueError, match=r"x is \(\.\.\., 3\)") as error:
        network()(torch.zeros(shape, dtype=torch.float64))
    assert str(shape) in str(error.value)
