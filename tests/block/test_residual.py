"""Residual connections: which order, what is added, and where dropout acts."""

from __future__ import annotations

import pytest
import torch
from torch import nn
from torch.testing import assert_close

from snippets.block.residual import SublayerConnection


def random(*shape):
    return torch.randn(shape, generator=torch.Generator().manual_seed(0))


def linear():
    torch.manual_seed(0)
    return nn.Linear(4, 4)


def test_post_ln_normalises_the_sum():
    x, sublayer = 3 + random(2, 5, 4), linear()
    assert_close(SublayerConnection(4, dropout=0.0)(x, sublayer), nn.LayerNorm(4)(x + sublayer(x)))


def test_pre_ln_adds_the_raw_input_to_the_sublayer_of_its_norm():
    x, sublayer = 3 + random(2, 5, 4), linear()
    expected = x + sublayer(nn.LayerNorm(4)(x))  # x, not LN(x), is what is added
    assert_close(SublayerConnection(4, dropout=0.0, norm_first=True)(x, sublayer), expected)


def test_the_paper_s_order_is_the_default():
    assert not SublayerConnection(4).norm_first
    assert SublayerConnection(4).dropout.p == 0.1


@pytest.mark.parametrize("norm_first", [False, True])
def test_dropout_acts_on_what_is_added(norm_first):
    x = 3 + random(2, 5, 4)
    module = SublayerConnection(4, dropout=0.5, norm_first=norm_first)
    torch.manual_seed(0)
    y = module(x, lambda z: torch.ones_like(z))
    torch.manual_seed(0)
    added = module.dropout(torch.ones_like(x))
    assert set(added.unique().tolist()) == {0.0, 2.0}
    assert_close(y, x + added if norm_first else nn.LayerNorm(4)(x + added))


@pytest.mark.parametrize("norm_first", [False, True])
def test_a_sublayer_that_changes_the_width_is_refused(norm_first):
    with pytest.raises(ValueError, match=r"cannot add \(1, 3, 2\) to \(1, 3, 4\)"):
        SublayerConnection(4, norm_first=norm_first)(random(1, 3, 4), nn.Linear(4, 2))


def test_epsilon_reaches_the_norm_and_is_that_of_torch_unless_another_is_chosen():
    assert SublayerConnection(4, eps=1e-3).norm.eps == 1e-3
    assert SublayerConnection(4).norm.eps == torch.nn.LayerNorm(4).eps
