"""One step of our LSTM and GRU is one step of PyTorch's, and its gates do what they are named for."""

from __future__ import annotations

import pytest
import torch
from hypothesis import given
from hypothesis import strategies as st
from torch import nn
from torch.testing import assert_close

from snippets.before.lstm import gru_step, lstm_step
from tests.properties import tensors

D_IN, D = 3, 5


def ours_and_theirs(kind):
    """A cell of PyTorch, and its weights and biases as leaves of our own."""
    torch.manual_seed(0)
    cell = kind(D_IN, D, dtype=torch.float64)
    mine = [weight.detach().clone().requires_grad_() for weight in cell.parameters()]
    return cell, mine


@given(tensors(2, D_IN), tensors(2, D), tensors(2, D))
def test_lstm_step_is_that_of_pytorch_with_its_gradients(x, h, c):
    cell, (w_x, w_h, b_x, b_h) = ours_and_theirs(nn.LSTMCell)
    found, expected = lstm_step(x, h, c, w_x, w_h, b_x + b_h), cell(x, (h, c))
    assert_close(found, expected, atol=1e-6, rtol=0)
    for states in (found, expected):
        (states[0] * torch.arange(D) + states[1] ** 2).sum().backward()
    for mine, theirs in zip((w_x, w_h, b_x, b_h), cell.parameters(), strict=True):
        assert_close(mine.grad, theirs.grad, atol=1e-6, rtol=0)


@given(tensors(2, D_IN), tensors(2, D))
def test_gru_step_is_that_of_pytorch_with_its_gradients(x, h):
    cell, weights = ours_and_theirs(nn.GRUCell)
    found, expected = gru_step(x, h, *weights), cell(x, h)
    assert_close(found, expected, atol=1e-6, rtol=0)
    for state in (found, expected):
        (state**2 * torch.arange(1, D + 1)).sum().backward()
    for mine, theirs in zip(weights, cell.parameters(), strict=True):
        assert_close(mine.grad, theirs.grad, atol=1e-6, rtol=0)


def test_a_sequence_step_by_step_is_one_call_of_nn_lstm():
    torch.manual_seed(1)
    lstm, x = nn.LSTM(D_IN, D, batch_first=True, dtype=torch.float64), torch.randn(2, 7, D_IN, dtype=torch.float64)
    h = c = torch.zeros(2, D, dtype=torch.float64)
    states = []
    for t in range(7):
        h, c = lstm_step(x[:, t], h, c, lstm.weight_ih_l0, lstm.weight_hh_l0, lstm.bias_ih_l0 + lstm.bias_hh_l0)
        states.append(h)
    expected, (last_h, last_c) = lstm(x)
    assert_close(torch.stack(states, dim=1), expected)
    assert_close((h, c), (last_h[0], last_c[0]))


@given(tensors(D_IN), tensors(D), tensors(D))
def test_gates_that_are_shut_and_open_keep_the_cell_state_as_it_is(x, h, c):
    zeros = torch.zeros(4 * D, D_IN), torch.zeros(4 * D, D)
    shut, opened = torch.full((D,), -1e3), torch.full((D,), 1e3)
    anything = torch.zeros(D)
    zeros = [weight.double() for weight in zeros]
    kept, cell = lstm_step(x, h, c, *zeros, torch.cat([shut, opened, anything, opened]).double())
    assert_close(cell, c)
    assert_close(kept, torch.tanh(c))
    hidden, cell = lstm_step(x, h, c, *zeros, torch.cat([opened, shut, opened, shut]).double())
    assert_close(cell, torch.ones(D, dtype=torch.float64)), "all old is forgotten, tanh(1000) written"
    assert_close(hidden, torch.zeros(D, dtype=torch.float64))


@given(tensors(D_IN), tensors(D), st.booleans())
def test_the_update_gate_of_a_gru_keeps_the_state_or_replaces_it(x, h, keeps):
    weights = [torch.zeros(3 * D, D_IN).double(), torch.zeros(3 * D, D).double()]
    gate = torch.full((D,), 1e3 if keeps else -1e3)
    b = torch.cat([torch.zeros(D), gate, torch.full((D,), 1e3)]).double()
    assert_close(gru_step(x, h, *weights, b, torch.zeros(3 * D).double()), h if keeps else torch.ones_like(h))


def test_rows_of_another_number_are_refused_and_not_broadcast():
    """4 rows instead of 4 times 5 would be gates of one number each, for all components."""
    x, h = torch.zeros(2, D_IN), torch.zeros(2, D)
    with pytest.raises(ValueError):
        lstm_step(x, h, h, torch.zeros(4, D_IN), torch.zeros(4, D), torch.zeros(4))
    with pytest.raises(ValueError):
        gru_step(x, h, torch.zeros(3, D_IN), torch.zeros(3, D), torch.zeros(3), torch.zeros(3))
