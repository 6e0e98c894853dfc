"""Dropout: what stays is scaled, what goes is 0, and evaluation changes nothing."""

from __future__ import annotations

import pytest
import torch

from snippets.block.dropout import Dropout


@pytest.mark.parametrize("p", [0.0, 0.1, 0.5, 0.9])
def test_numbers_are_zero_or_scaled_and_the_mean_stays(p):
    torch.manual_seed(0)
    x = torch.full((200_000,), 2.0)
    y = Dropout(p)(x)
    assert all(value == 0 or value == pytest.approx(2 / (1 - p)) for value in y.unique().tolist())
    assert (y == 0).float().mean().item() == pytest.approx(p, abs=0.005)
    assert y.mean().item() == pytest.approx(2, abs=0.03)


def test_half_precision_keeps_as_many():
    """Random numbers of bfloat16 are multiples of 1/256, of which 26 are below 0.1, and 0.1016 would go."""
    torch.manual_seed(0)
    y = Dropout(0.1)(torch.ones(1_000_000, dtype=torch.bfloat16))
    assert y.dtype == torch.bfloat16
    assert (y == 0).float().mean().item() == pytest.approx(0.1, abs=0.001)


def test_its_rate_is_printed():
    assert str(Dropout(0.2)) == "Dropout(p=0.2)"


def test_evaluation_changes_nothing():
    x = torch.randn(5)
    assert torch.equal(Dropout(0.5).eval()(x), x)


def test_each_call_draws_anew():
    torch.manual_seed(0)
    dropout = Dropout(0.5)
    assert not torch.equal(dropout(torch.ones(50)), dropout(torch.ones(50)))


def test_the_paper_s_rate_is_the_default():
    assert Dropout().p == 0.1


@pytest.mark.parametrize("p", [-0.1, 1.0, 1.5])
def test_what_is_no_rate_is_refused(p):
    with pytest.raises(ValueError, match=f"below 1, not {p}"):
        Dropout(p)


def test_without_dropout_nothing_is_left_to_chance():
    layer, x = Dropout(0.0), torch.randn(3)
    before = torch.get_rng_state()
    assert torch.equal(layer(x), x)
    assert torch.equal(torch.get_rng_state(), before)
