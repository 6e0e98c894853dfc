"""Sinusoidal encoding: what its waves are."""

from __future__ import annotations

import math

import pytest
import torch
from hypothesis import given
from hypothesis import strategies as st
from torch.testing import assert_close

from snippets.positions.sinusoidal import frequencies, positional_encoding
from tests.properties import sizes

widths = sizes.map(lambda half: 2 * half)
positions = st.floats(-3000, 3000)


def at(*places) -> torch.Tensor:
    return torch.tensor(places, dtype=torch.float64)


@given(widths, st.integers(0, 500))
def test_the_encoding_is_the_formula_of_the_paper(d_model, pos):
    encoding = positional_encoding(at(pos), d_model)[0]
    for i in range(d_model // 2):
        angle = pos / 10000 ** (2 * i / d_model)
        assert encoding[2 * i].item() == pytest.approx(math.sin(angle), abs=1e-9)
        assert encoding[2 * i + 1].item() == pytest.approx(math.cos(angle), abs=1e-9)


def test_sine_and_cosine_of_a_pair_share_a_frequency():
    encoding = positional_encoding(torch.arange(100.0), 32)
    assert_close(encoding[:, 0::2].square() + encoding[:, 1::2].square(), torch.ones(100, 16, dtype=torch.float64))


def test_wavelengths_are_a_geometric_series():
    lengths = 2 * math.pi / frequencies(512)
    assert lengths[0].item() == pytest.approx(2 * math.pi)
    assert_close(lengths[1:] / lengths[:-1], torch.full((255,), 10000 ** (2 / 512), dtype=torch.float64))
    assert (lengths[-1] / (2 * math.pi)).item() == pytest.approx(9646.6, abs=0.05)  # not 10000


@given(widths, positions)
def test_every_encoding_has_the_same_length(d_model, pos):
    assert positional_encoding(at(pos), d_model).square().sum().item() == pytest.approx(d_model / 2)


def test_position_zero_is_zeros_and_ones():
    assert positional_encoding(at(0), 6).tolist() == [[0, 1, 0, 1, 0, 1]]


@pytest.mark.parametrize("d_model", [-2, 0, 1, 7, 513])
def test_a_width_without_pairs_is_refused(d_model):
    with pytest.raises(ValueError, match=f"even number of dimensions, not {d_model}"):
        positional_encoding(torch.arange(3.0), d_model)


def test_shapes():
    assert positional_encoding(torch.arange(5.0), 8).shape == (5, 8)
    assert frequencies(8).shape == (4,)


def test_the_device_is_that_of_the_positions():
    with torch.device("meta"):
        assert positional_encoding(torch.arange(3, device="cpu"), 4).device.type == "cpu"
        assert frequencies(4).is_meta and not frequencies(4, torch.device("cpu")).is_meta
