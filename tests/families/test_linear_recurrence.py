"""A scan is the recurrence, in fewer rounds."""

from __future__ import annotations

import math

import pytest
import torch
from hypothesis import given
from hypothesis import strategies as st
from torch.testing import assert_close

from snippets.families.linear_recurrence import (
    scan,
)
from snippets.tools.chains import longest_chain

N, D, SEEDS = 60, 16, 5


def noise(n, d, seed=0):
    torch.manual_seed(seed)
    return torch.randn(n, d, dtype=torch.float64)


@given(st.integers(1, 40), st.integers(0, 9))
def test_a_scan_is_the_recurrence(n, seed):
    torch.manual_seed(seed)
    a, b = torch.rand(n, 3, dtype=torch.float64) * 1.2, torch.randn(n, 3, dtype=torch.float64)
    h, states = torch.zeros(3, dtype=torch.float64), []
    for a_t, b_t in zip(a, b, strict=True):
        h = a_t * h + b_t
        states.append(h)
    assert_close(scan(a, b), torch.stack(states))


@pytest.mark.parametrize(("n", "rounds"), [(2, 1), (8, 3), (9, 4), (1000, 10)])
def test_a_scan_waits_as_often_as_the_length_can_be_halved(n, rounds):
    a = torch.rand(n, 2, requires_grad=True)
    assert longest_chain(scan(a, torch.ones(n, 2)), ["Mul"]) == rounds == math.ceil(math.log2(n))
