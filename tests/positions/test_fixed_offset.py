"""The map of a fixed offset: one rotation for each frequency, the same at every position."""

from __future__ import annotations

import pytest
import torch
from hypothesis import given
from hypothesis import strategies as st
from torch.testing import assert_close

from snippets.positions.fixed_offset import offset_map
from snippets.positions.sinusoidal import positional_encoding
from tests.properties import sizes

widths = sizes.map(lambda half: 2 * half)
positions = st.floats(-3000, 3000)


def at(*places) -> torch.Tensor:
    return torch.tensor(places, dtype=torch.float64)


def test_the_map_is_square():
    assert offset_map(1, 8).shape == (8, 8)


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


@pytest.mark.parametrize("offset", [1, 5, 40])
def test_a_query_can_look_for_the_token_a_fixed_offset_back(offset):
    """W_Q = M_-k and W_K = I: the largest dot product is that with the key k positions back."""
    encoding = positional_encoding(torch.arange(200.0), 64)
    scores = encoding @ offset_map(-offset, 64) @ encoding.T
    assert scores.argmax(dim=1)[offset:].tolist() == list(range(200 - offset))


def test_a_larger_query_looks_back_sharply():
    """With 20 M_{-k} for W_Q, each neighbour of the key k back has about 0.002 of its weight."""
    places = positional_encoding(torch.arange(64.0), 512)
    query = places[40] @ (20 * offset_map(-3, 512))
    weights = torch.softmax(places @ query / 512**0.5, dim=0)
    assert weights.argmax() == 37
    for neighbour in (36, 38):
        assert 0.002 < weights[neighbour] / weights[37] < 0.0025


def test_the_map_is_where_it_is_asked_for():
    assert offset_map(3, 8, "meta").is_meta and offset_map(3, 8).device.type == "cpu"
