"""Gradients fade as fast as the bound says, or do not."""

from __future__ import annotations

import pytest
import torch
import torch.nn.functional as F
from torch.testing import assert_close

from snippets.before.vanishing_gradients import (
    attend,
    four_paths,
    influence,
    last_output,
    lstm_with_forget_bias,
    rnn_with_gain,
)

N, D, SEEDS = 60, 16, 5


def noise(n, d, seed=0):
    torch.manual_seed(seed)
    return torch.randn(n, d, dtype=torch.float64)


def test_influence_is_the_largest_singular_value_of_finite_differences():
    x, run, epsilon = noise(5, 3), four_paths(3, seed=0)["RNN + attention"], 1e-6
    expected = []
    for position in reversed(range(5)):  # k = 0 is the last input
        columns = []
        for component in range(3):
            high, low = x.clone(), x.clone()
            high[position, component] += epsilon
            low[position, component] -= epsilon
            columns.append((run(high) - run(low)) / (2 * epsilon))
        expected.append(torch.linalg.svdvals(torch.stack(columns))[0])
    assert_close(influence(run, x), torch.stack(expected), rtol=1e-6, atol=1e-9)


def test_influence_of_a_linear_recurrence_is_a_power():
    """h_t = h_{t-1} U + x_t with U = 0.8 times a rotation: 0.8^k, k steps back."""
    rotation = 0.8 * torch.linalg.qr(noise(D, D))[0]

    def run(x):
        h = torch.zeros(D, dtype=x.dtype)
        for row in x:
            h = h @ rotation + row
        return h

    assert_close(influence(run, noise(10, D)), 0.8 ** torch.arange(10, dtype=torch.float64))


def test_influence_is_a_number_and_no_part_of_a_graph():
    assert not influence(four_paths(3, seed=0)["RNN"], noise(4, 3)).requires_grad


def test_an_rnn_with_gain_has_just_these_singular_values():
    torch.manual_seed(0)
    values = torch.linalg.svdvals(rnn_with_gain(D, 0.7).weight_hh_l0)
    assert_close(values, torch.full_like(values, 0.7))


@pytest.mark.parametrize("seed", range(SEEDS))
@pytest.mark.parametrize("gain", [0.5, 0.9, 1.0])
def test_the_gradient_of_an_rnn_stays_within_the_bound_and_well_below(gain, seed):
    torch.manual_seed(seed)
    rnn = rnn_with_gain(D, gain)
    norms = influence(last_output(rnn), noise(N, D, seed))
    bound = torch.linalg.matrix_norm(rnn.weight_ih_l0, ord=2) * gain ** torch.arange(N, dtype=torch.float64)
    assert (norms <= bound).all()
    assert norms[20] < bound[20] / 10


@pytest.mark.parametrize("seed", range(SEEDS))
def test_every_state_multiplies_the_gradient_by_its_jacobian(seed):
    """The formula of the proof: W diag(1 - h^2), then U diag(1 - h^2) for each later step."""
    torch.manual_seed(seed)
    rnn = rnn_with_gain(D, 1.3)
    x = noise(12, D, seed)
    states = rnn(x)[0].detach()
    product = torch.eye(D, dtype=torch.float64)
    for k in range(12):
        slope = torch.diag(1 - states[-1 - k] ** 2)
        through_input = rnn.weight_ih_l0.T @ slope @ product
        assert_close(influence(last_output(rnn), x)[k], torch.linalg.svdvals(through_input)[0])
        product = rnn.weight_hh_l0.T @ slope @ product


@pytest.mark.parametrize("seed", range(SEEDS))
def test_the_slack_of_the_bound_is_not_in_the_largest_slope_but_in_mixing(seed):
    """What the page says: each D_t has an entry close to 1, but U turns every direction into all of them."""
    torch.manual_seed(seed)
    rnn = rnn_with_gain(32, 0.9)
    x = noise(100, 32, seed)
    slopes = 1 - rnn(x)[0].detach() ** 2
    norms = influence(last_output(rnn), x)
    assert slopes.amax(dim=1)[-50:].prod() > 0.8
    assert norms[50] < 1e-4 * 0.9**50
    assert abs((norms[50] / norms[10]) ** (1 / 40) - 0.9 * slopes.square().mean().sqrt()) < 0.03


def test_a_gain_above_one_may_explode_and_need_not():
    for seed in range(SEEDS):
        torch.manual_seed(seed)
        two, one_and_a_half = rnn_with_gain(32, 2.0), rnn_with_gain(32, 1.5)
        x = noise(100, 32, seed)
        norms = influence(last_output(two), x)
        assert norms[50] > 3 * norms[10]
        norms = influence(last_output(one_and_a_half), x)
        assert norms[50] < norms[10]


def test_a_bias_of_the_forget_gate_is_that_and_no_other():
    torch.manual_seed(0)
    lstm = lstm_with_forget_bias(D, 3.0)
    both = (lstm.bias_ih_l0 + lstm.bias_hh_l0).unflatten(0, (4, D))  # input, forget, cell, output
    assert_close(both[1], torch.full_like(both[1], 3.0))
    assert both[[0, 2, 3]].abs().max() < 1
    assert (lstm.bias_hh_l0.unflatten(0, (4, D))[[0, 2, 3]] != 0).all()
    with torch.no_grad():  # without weights, a cell of ones is multiplied by sigmoid(3) and nothing else
        for parameter in lstm.parameters():
            if parameter.dim() == 2:
                parameter.zero_()
            else:
                parameter[2 * D : 3 * D] = 0
    ones = torch.ones(1, D, dtype=torch.float64)
    _, (_, cell) = lstm(noise(1, D), (0 * ones, ones))
    assert_close(cell, torch.sigmoid(3 * ones))


@pytest.mark.parametrize("seed", range(SEEDS))
def test_the_gradient_fades_in_the_order_that_the_page_says_and_not_at_all_with_attention(seed):
    networks, x = four_paths(32, seed), noise(100, 32, seed)
    norms = {name: influence(run, x) for name, run in networks.items()}
    assert all(found[0] > 0.1 for found in norms.values())  # the last output depends on the last input

    def factor(name):
        return (norms[name][50] / norms[name][10]) ** (1 / 40)

    assert factor("RNN") < 0.55
    assert 0.55 < factor("LSTM") < 0.7
    assert 0.75 < factor("LSTM, bias 1") < 0.9
    far, near = norms["RNN + attention"][60:], norms["RNN + attention"][20:60]
    assert 0.2 < far.median() / near.median() < 5
    assert norms["RNN + attention"][99] > 1e4 * norms["LSTM, bias 1"][99]


def test_the_two_lstms_differ_in_their_forget_gates():
    """Which is what the figure compares: the seed of a network does not depend on the others' code."""
    one, two = four_paths(4, seed=1), four_paths(4, seed=1)
    x = noise(6, 4)
    for name in one:
        assert torch.equal(one[name](x), two[name](x))


def test_the_last_state_attends_to_all_states_without_scaling():
    states = noise(7, D)
    expected = F.scaled_dot_product_attention(states[None, -1:], states[None], states[None], scale=1.0)
    assert_close(attend(states), expected[0, 0])
