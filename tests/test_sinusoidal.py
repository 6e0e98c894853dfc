"""Sinusoidal encoding: its waves, the map that shifts it, and what depends on the offset alone."""

from __future__ import annotations

import math

import pytest
import torch
from hypothesis import given
from hypothesis import strategies as st
from torch.testing import assert_close

from snippets.sinusoidal import frequencies, offset_map, positional_encoding, similarity
from tests.properties import sizes

widths = sizes.map(lambda half: 2 * half)
positions = st.floats(-3000, 3000)


def at(*places) -> torch.Tensor:
    return torch.tensor(places, dtype=torch.float64)


# Waves


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
    with pytest.raises(ValueError, match=f"even and positive, not {d_model}"):
        positional_encoding(torch.arange(3.0), d_model)


def test_shapes():
    assert positional_encoding(torch.arange(5.0), 8).shape == (5, 8)
    assert frequencies(8).shape == (4,) and offset_map(1, 8).shape == (8, 8)
    assert similarity(torch.arange(5.0), 8).shape == (5,)


# The map


@given(widths, positions, positions)
def test_a_fixed_offset_is_a_linear_map_of_the_encoding(d_model, pos, offset):
    here, there = positional_encoding(at(pos, pos + offset), d_model)
    assert_close(here @ offset_map(offset, d_model), there, atol=1e-9, rtol=0)


def test_the_error_is_rounding():
    places = torch.arange(5000.0)
    for offset in (1, 7, 100):
        shifted = positional_encoding(places, 512) @ offset_map(offset, 512)
        assert (shifted - positional_encoding(places + offset, 512)).abs().max() < 1e-11


@given(widths, st.floats(-500, 500), st.floats(-500, 500))
def test_maps_are_rotations_and_offsets_add(d_model, a, b):
    one, other = offset_map(a, d_model), offset_map(b, d_model)
    identity = torch.eye(d_model, dtype=torch.float64)
    assert_close(one @ one.T, identity)
    assert_close(one @ other, offset_map(a + b, d_model), atol=1e-9, rtol=0)
    assert_close(offset_map(-a, d_model), one.T)
    assert torch.linalg.det(one).item() == pytest.approx(1)


def test_the_map_is_made_of_blocks_of_two():
    blocks = torch.block_diag(*torch.ones(8, 2, 2)).bool()
    assert (offset_map(3, 16)[~blocks] == 0).all()
    assert (offset_map(3, 16)[blocks] != 0).all()


def test_the_map_can_be_learned_from_encodings_alone():
    encoding = positional_encoding(torch.arange(20_000.0), 16)
    learned = torch.linalg.lstsq(encoding[:-5], encoding[5:]).solution
    assert_close(learned, offset_map(5, 16), atol=1e-12, rtol=0)


# Distance


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
