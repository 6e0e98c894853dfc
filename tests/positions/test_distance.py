"""How alike two encodings are depends on their offset alone, and not simply."""

from __future__ import annotations

import pytest
import torch
from hypothesis import given
from hypothesis import strategies as st
from torch.testing import assert_close

from snippets.positions.distance import similarity
from snippets.positions.sinusoidal import positional_encoding
from tests.properties import sizes

widths = sizes.map(lambda half: 2 * half)
positions = st.floats(-3000, 3000)


def at(*places) -> torch.Tensor:
    return torch.tensor(places, dtype=torch.float64)


def test_there_is_a_similarity_for_each_offset():
    assert similarity(torch.arange(5.0), 8).shape == (5,)


@given(widths, positions, positions)
def test_dot_products_depend_on_the_offset_alone(d_model, pos, offset):
    here, there = positional_encoding(at(pos, pos + offset), d_model)
    expected = similarity(at(offset), d_model)[0]
    assert (here @ there).item() == pytest.approx(expected.item(), abs=1e-9)
    squared = (here - there).square().sum().item()
    assert squared == pytest.approx((d_model - 2 * expected).item(), abs=1e-9)


@given(widths, positions)
def test_similarity_is_symmetric_and_largest_at_zero(d_model, offset):
    assert_close(similarity(at(offset), d_model), similarity(at(-offset), d_model))
    assert similarity(at(offset), d_model) <= similarity(at(0), d_model) + 1e-12
    assert similarity(at(0), d_model).item() == d_model / 2


def test_similarity_does_not_fall_all_the_way():
    values = similarity(torch.arange(2000.0), 512)
    assert (values[1:] > values[:-1]).nonzero()[0].item() + 1 == 44


def test_the_device_is_that_of_the_offsets():
    offsets = torch.arange(3)
    with torch.device("meta"):
        assert similarity(offsets, 4).device == offsets.device
