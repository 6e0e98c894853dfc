"""Chains and paths are as long as the paper's table 1 says."""

from __future__ import annotations

import math
from itertools import count, repeat

import pytest
import torch
import torch.nn.functional as F
from hypothesis import given
from hypothesis import strategies as st
from torch import nn

from snippets.before.vanishing_gradients import attend
from snippets.before.waiting import path_length, reads
from snippets.figures.before import waiting
from snippets.tools import timing
from snippets.tools.chains import longest_chain
from tests.clocks import own_time

N, D, SEEDS = 60, 16, 5


def noise(n, d, seed=0):
    torch.manual_seed(seed)
    return torch.randn(n, d, dtype=torch.float64)


# ---- operations that wait


@pytest.mark.parametrize("n", [1, 7, 40])
def test_chains_of_the_layers_are_those_of_the_table(n):
    x = noise(n, 4).requires_grad_()
    for network in (nn.RNN(4, 4), nn.LSTM(4, 4), nn.GRU(4, 4)):
        assert longest_chain(network.double()(x)[0]) == n
    assert longest_chain(attend(nn.RNN(4, 4).double()(x)[0])) == n + 2
    assert longest_chain(nn.Conv1d(4, 4, 3).double()(F.pad(x.T, (2, 0)))) == 1
    assert longest_chain(torch.softmax(x @ x.T, dim=-1) @ x) == 2
    assert longest_chain(nn.MultiheadAttention(4, 2).double()(x, x, x)[0]) == 4


# ---- paths


def depends(layer, n, d=3) -> torch.Tensor:
    """Which outputs of a layer (n, d) -> (n, d) depend on which inputs, by differentiation: (n, n)."""
    x, weights = noise(n, d).requires_grad_(), noise(1, d, seed=1)[0]
    gradients = [torch.autograd.grad(row @ weights, x, retain_graph=True)[0] for row in layer(x)]  # n times (n, d)
    return torch.stack(gradients).abs().sum(dim=-1) > 0


@pytest.mark.parametrize(("n", "k", "dilation"), [(9, 3, 1), (9, 3, 3), (12, 2, 4), (6, 5, 1)])
def test_reads_are_what_a_causal_convolution_depends_on(n, k, dilation):
    convolution = nn.Conv1d(3, 3, k, dilation=dilation).double()

    def layer(x):
        return convolution(F.pad(x.T, ((k - 1) * dilation, 0))).T

    assert torch.equal(depends(layer, n), reads(n, k, dilation))


def test_reads_of_all_are_those_of_causal_attention():
    def layer(x):
        return F.scaled_dot_product_attention(x[None], x[None], x[None], is_causal=True)[0]

    assert torch.equal(depends(layer, 6), reads(6, k=6))


def test_one_round_of_a_recurrence_reads_the_state_before():
    cell = nn.RNNCell(3, 3).double()
    inputs = noise(6, 3, seed=1)

    def layer(states):  # every state anew, from the one before it
        before = torch.cat([torch.zeros(1, 3, dtype=torch.float64), states[:-1]])
        return cell(inputs, before) + states  # and what was there stays

    assert torch.equal(depends(layer, 6), reads(6, k=2))


@given(st.integers(2, 60), st.integers(2, 9))
def test_without_gaps_a_path_takes_as_many_layers_as_fit_between_first_and_last(n, k):
    assert path_length(n, repeat(reads(n, k))) == math.ceil((n - 1) / (k - 1))
    assert path_length(n, [reads(n, n)]) == 1


@pytest.mark.parametrize(("k", "layers"), [(2, 1), (2, 5), (3, 1), (3, 4), (4, 3)])
def test_with_widening_gaps_it_takes_the_logarithm(k, layers):
    assert path_length(k**layers, (reads(k**layers, k, k**layer) for layer in count())) == layers


def test_layers_are_passed_in_order_and_too_few_are_refused():
    n = 4
    first = torch.eye(n, dtype=torch.bool)
    first[2, 0] = True  # 2 reads 0, and then 3 reads 2
    second = torch.eye(n, dtype=torch.bool)
    second[3, 2] = True
    assert path_length(n, [first, second]) == 2
    for layers in ([first], [second], [second, first], []):
        with pytest.raises(ValueError, match="never depends on the first"):
            path_length(n, layers)


# ---- time


@pytest.mark.thorough
def test_the_same_products_take_longer_one_after_the_other(monkeypatch):
    monkeypatch.setattr(timing.time, "perf_counter", own_time())
    waiting.measure.cache_clear()
    taken = waiting.measure()
    assert taken[1024] > 3 * taken[1]
