"""What the measurements behind 1 / sqrt(d_k) mean.

Every bound on a sample is six standard errors: the seeds are fixed, and a wrong scale misses it by far.
"""

from __future__ import annotations

import math

import pytest
import torch
from hypothesis import given
from hypothesis import strategies as st
from torch.testing import assert_close

from snippets.attention.why_sqrt_dk import entropy, sample_components, sample_dot_products, softmax_jacobian
from tests.properties import orders, sizes, tensors

FOURTH_MOMENTS = {"normal": 3.0, "uniform": 9 / 5, "sign": 1.0}
SAMPLES = 40_000


@st.composite
def scores(draw):
    """(..., n) with zero or one leading axis."""
    return draw(tensors(*draw(st.sampled_from([(), (2,)])), draw(sizes)))


def generator(seed=0):
    return torch.Generator().manual_seed(seed)


# Sampling


@pytest.mark.parametrize("distribution", FOURTH_MOMENTS)
def test_components_have_mean_zero_and_variance_one(distribution):
    x = sample_components((SAMPLES // 8, 8), distribution, generator())
    assert x.shape == (SAMPLES // 8, 8)
    fourth = FOURTH_MOMENTS[distribution]
    assert abs(x.mean()) < 6 / math.sqrt(SAMPLES), f"mean {x.mean():.4f}"
    assert abs(x.square().mean() - 1) < 6 * math.sqrt((fourth - 1) / SAMPLES) + 1e-6, f"variance {x.var():.4f}"
    assert x.pow(4).mean() == pytest.approx(fourth, rel=0.1), "not the distribution it says"


def test_uniform_components_fill_their_interval():
    x = sample_components((SAMPLES,), "uniform", generator())
    low, high = x.aminmax()
    assert -math.sqrt(3) <= low < -1.73
    assert 1.73 < high <= math.sqrt(3) + 1e-6


def test_signs_are_minus_one_or_one():
    assert sample_components((100,), "sign", generator()).unique().tolist() == [-1, 1]


@pytest.mark.parametrize("distribution", FOURTH_MOMENTS)
def test_components_are_uncorrelated(distribution):
    x = sample_components((SAMPLES, 4), distribution, generator())
    assert_close(x.T.cov(correction=0), torch.eye(4), atol=6 / math.sqrt(SAMPLES), rtol=0)


@pytest.mark.parametrize("distribution", FOURTH_MOMENTS)
def test_the_same_seed_gives_the_same_numbers(distribution):
    first = sample_components((9,), distribution, generator(1))
    assert torch.equal(first, sample_components((9,), distribution, generator(1)))
    assert not torch.equal(first, sample_components((9,), distribution, generator(2)))


def test_an_unknown_distribution_is_named():
    with pytest.raises(ValueError, match="normal, uniform or sign, not 'cauchy'"):
        sample_components((2,), "cauchy", generator())


@pytest.mark.parametrize("distribution", FOURTH_MOMENTS)
@pytest.mark.parametrize("d_k", [1, 4, 64])
def test_dot_products_have_mean_zero_and_variance_d_k(d_k, distribution):
    scores = sample_dot_products(d_k, SAMPLES, distribution, generator())
    assert scores.shape == (SAMPLES,)
    fourth = 3 + (FOURTH_MOMENTS[distribution] ** 2 - 3) / d_k  # of q . k / sqrt(d_k)
    assert abs(scores.mean()) < 6 * math.sqrt(d_k / SAMPLES), f"mean {scores.mean():.3f}"
    error = 6 * d_k * math.sqrt((fourth - 1) / SAMPLES) + 1e-6
    assert abs(scores.square().mean() - d_k) < error, f"variance {scores.var():.2f} for d_k = {d_k}"


def test_query_and_key_are_drawn_apart():
    scores = sample_dot_products(1, 1000, "sign", generator())
    assert scores.unique().tolist() == [-1, 1], "q . k of a vector with itself is always 1"


# Entropy


def test_a_one_hot_distribution_has_entropy_zero():
    weights = torch.tensor([0.0, 1.0, 0.0], requires_grad=True)
    assert entropy(weights) == 0
    entropy(weights).backward()
    assert weights.grad.isfinite().all(), f"gradient {weights.grad.tolist()}"


def test_a_saturated_softmax_has_no_gradient_left():
    scores = torch.tensor([1000.0, 0.0, 0.0], requires_grad=True)
    entropy(torch.softmax(scores, dim=0)).backward()
    assert scores.grad.tolist() == [0, 0, 0]


@pytest.mark.parametrize("n", [1, 2, 8])
def test_a_uniform_distribution_has_entropy_log_n(n):
    assert entropy(torch.full((n,), 1 / n, dtype=torch.float64)).item() == pytest.approx(math.log(n))


def test_each_distribution_in_the_last_axis_has_its_own_entropy():
    weights = torch.tensor([[[1.0, 0.0], [0.5, 0.5], [1.0, 0.0]]])
    assert_close(entropy(weights), torch.tensor([[0.0, math.log(2), 0.0]]))


@given(scores())
def test_entropy_is_what_pytorch_says_between_zero_and_log_n(scores):
    weights = torch.softmax(scores, dim=-1)
    result = entropy(weights)
    assert_close(result, torch.distributions.Categorical(logits=scores).entropy())
    assert (result >= -1e-12).all()
    assert (result <= math.log(scores.size(-1)) + 1e-12).all()


@given(st.data(), sizes)
def test_entropy_does_not_depend_on_the_order(data, n):
    weights = torch.softmax(data.draw(tensors(n)), dim=0)
    assert_close(entropy(weights[data.draw(orders(n))]), entropy(weights))


@given(st.data(), sizes, sizes)
def test_entropies_of_independent_choices_add(data, n, m):
    p, r = torch.softmax(data.draw(tensors(n)), dim=0), torch.softmax(data.draw(tensors(m)), dim=0)
    assert_close(entropy(torch.outer(p, r).flatten()), entropy(p) + entropy(r))


# The Jacobian of softmax


def test_jacobian_of_the_page():
    weights = torch.softmax(torch.tensor([1.0, 0.0, -1.0], dtype=torch.float64), dim=0)
    assert softmax_jacobian(weights).numpy().round(4).tolist() == [
        [0.2227, -0.1628, -0.0599],
        [-0.1628, 0.1848, -0.022],
        [-0.0599, -0.022, 0.0819],
    ]


def test_jacobian_of_a_uniform_distribution():
    assert_close(softmax_jacobian(torch.full((4,), 0.25)), (torch.eye(4) - 0.25) / 4)


def test_jacobian_vanishes_at_a_one_hot_distribution():
    assert (softmax_jacobian(torch.eye(5)) == 0).all(), "a saturated softmax passes no gradient on"


@given(scores())
def test_jacobian_is_at_most_twice_what_the_largest_weight_leaves(scores):
    weights = torch.softmax(scores, dim=-1)
    left = 1 - weights.max(dim=-1).values
    assert (softmax_jacobian(weights).flatten(-2).norm(dim=-1) <= 2 * left + 1e-12).all()


@given(scores())
def test_jacobian_is_the_derivative_that_autograd_finds(scores):
    jacobian = softmax_jacobian(torch.softmax(scores, dim=-1))
    assert jacobian.shape == (*scores.shape, scores.size(-1))
    n = scores.size(-1)
    for row, found in zip(scores.view(-1, n), jacobian.view(-1, n, n), strict=True):
        expected = torch.autograd.functional.jacobian(lambda s: torch.softmax(s, dim=0), row)
        assert_close(found, expected, atol=1e-12, rtol=0)


@given(scores())
def test_jacobian_is_symmetric_and_its_rows_sum_to_zero(scores):
    jacobian = softmax_jacobian(torch.softmax(scores, dim=-1))
    assert_close(jacobian, jacobian.mT)
    assert_close(jacobian.sum(dim=-1), torch.zeros_like(scores))


@given(scores())
def test_raising_one_score_never_lowers_its_own_weight(scores):
    jacobian = softmax_jacobian(torch.softmax(scores, dim=-1))
    assert (jacobian.diagonal(dim1=-2, dim2=-1) >= 0).all()
    off_diagonal = jacobian - torch.diag_embed(jacobian.diagonal(dim1=-2, dim2=-1))
    assert (off_diagonal <= 0).all(), "nor does it raise the weight of another key"
