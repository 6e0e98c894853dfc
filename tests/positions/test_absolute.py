"""Absolute positions as modules: what each adds to the embeddings, and how far."""

from __future__ import annotations

import pytest
import torch
from torch.testing import assert_close

from snippets.positions.absolute import absolute_positions
from snippets.positions.sinusoidal import positional_encoding

PLACES = torch.tensor([3, 0, 4])


def test_sinusoids_are_computed_and_have_no_parameters():
    module = absolute_positions("sinusoidal", 5, 8)
    assert not list(module.parameters())
    assert_close(module(PLACES), positional_encoding(PLACES, 8))
    assert module(torch.tensor([10_000])).shape == (1, 8), "beyond max_length too"


def test_a_learned_table_has_a_row_for_each_position_and_learns_those_it_uses():
    torch.manual_seed(0)
    module = absolute_positions("learned", 500, 64)
    (table,) = module.parameters()
    assert table.shape == (500, 64) and table.std().item() == pytest.approx(0.02, rel=0.05)
    assert torch.equal(module(PLACES), table[PLACES])
    module(PLACES).sum().backward()
    assert (table.grad != 0).any(dim=1).nonzero().flatten().tolist() == [0, 3, 4]


def test_a_learned_table_ends():
    module = absolute_positions("learned", 5, 8)
    assert module(torch.arange(5)).shape == (5, 8)
    with pytest.raises(ValueError, match="6 positions, and only 5"):
        module(torch.arange(6))
    with pytest.raises(ValueError, match="only 5 positions have been learned"):
        module(torch.tensor([5]))  # alone, as a cache asks for it


def test_none_adds_nothing():
    x = torch.randn(3, 8)
    assert torch.equal(x + absolute_positions("none", 5, 8)(PLACES), x)


def test_other_kinds_are_refused():
    with pytest.raises(ValueError, match="not 'rotary'"):
        absolute_positions("rotary", 5, 8)


def test_an_odd_dimension_has_no_sinusoids():
    with pytest.raises(ValueError, match="even"):
        absolute_positions("sinusoidal", 5, 7)


def test_rows_of_positions_count_each_for_itself():
    module = absolute_positions("learned", 5, 8)
    rows = torch.arange(5).expand(6, 5)
    assert torch.equal(module(rows), module.table.expand(6, 5, 8))
