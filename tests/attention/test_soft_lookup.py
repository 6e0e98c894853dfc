"""What a soft look-up means: an average of the values, weighted by how well the query fits each key."""

from __future__ import annotations

import pytest
import torch
import torch.nn.functional as F
from hypothesis import given
from hypothesis import strategies as st
from torch.testing import assert_close

from snippets.attention.soft_lookup import soft_lookup
from tests.properties import orders, sizes, tensors

SCORES = torch.tensor([3.1, 3.5, 1.2, 0.1, 0.9])  # of a ballpoint pen to each key of the shop
PRICES = torch.tensor([200.0, 3000.0, 3000.0, 1000.0, 750.0])


@st.composite
def lookups(draw):
    """Scores (n,) and values (n, d_v)."""
    n = draw(sizes)
    return draw(tensors(n)), draw(tensors(n, draw(sizes)))


def test_price_of_a_ballpoint_pen():
    price, weights = soft_lookup(SCORES, PRICES)
    assert [f"{w:.4f}" for w in weights] == ["0.3569", "0.5324", "0.0534", "0.0178", "0.0395"]
    assert f"{price:.1f}" == "1876.2", "the notes print 1866.65, from weights rounded on the way"


def test_a_score_ahead_by_2_3_gets_ten_times_the_weight():
    _, weights = soft_lookup(torch.tensor([3.0, 0.7, 0.7]), torch.zeros(3))
    assert [f"{pieces:.1f}" for pieces in 12 * weights] == ["10.0", "1.0", "1.0"]


def test_vectors_are_looked_up_coordinate_by_coordinate():
    grams = torch.tensor([5.0, 12.0, 180.0, 60.0, 20.0])
    both, _ = soft_lookup(SCORES, torch.stack([PRICES, grams], dim=1))
    assert both.shape == (2,)
    assert_close(both, torch.stack([soft_lookup(SCORES, PRICES)[0], soft_lookup(SCORES, grams)[0]]))


def test_a_single_key_answers_with_its_value():
    answer, weights = soft_lookup(torch.tensor([-7.0]), torch.tensor([42.0]))
    assert (answer.item(), weights.tolist()) == (42.0, [1.0])


def test_equal_scores_give_the_mean():
    answer, _ = soft_lookup(torch.full((5,), -9.0), PRICES)
    assert_close(answer, PRICES.mean())


def test_large_scores_make_the_look_up_hard():
    answer, weights = soft_lookup(1000 * SCORES, PRICES)
    assert weights.tolist() == [0, 1, 0, 0, 0], "all weight belongs to the best key"
    assert answer == PRICES[1]


@given(lookups())
def test_weights_are_between_zero_and_one_and_sum_to_one(lookup):
    _, weights = soft_lookup(*lookup)
    assert weights.min() >= 0
    assert weights.max() <= 1
    assert_close(weights.sum().item(), 1.0)


@given(lookups())
def test_the_answer_lies_between_the_smallest_and_the_largest_value(lookup):
    answer, _ = soft_lookup(*lookup)
    low, high = lookup[1].aminmax(dim=0)
    assert (low - 1e-9 <= answer).all(), "below every value"
    assert (answer <= high + 1e-9).all(), "above every value"


@given(lookups(), st.floats(-50, 50))
def test_the_same_amount_added_to_every_similarity_changes_nothing(lookup, shift):
    scores, values = lookup
    assert_close(soft_lookup(scores + shift, values), soft_lookup(scores, values))


@given(lookups())
def test_the_ratio_of_two_weights_is_e_to_the_difference_of_their_scores(lookup):
    scores, values = lookup
    _, weights = soft_lookup(scores, values)
    assert_close(weights[0] / weights, torch.exp(scores[0] - scores))


@given(st.data(), lookups())
def test_the_order_of_the_keys_does_not_matter(data, lookup):
    scores, values = lookup
    order = data.draw(orders(len(scores)))
    answer, weights = soft_lookup(scores, values)
    shuffled, shuffled_weights = soft_lookup(scores[order], values[order])
    assert_close(shuffled, answer)
    assert_close(shuffled_weights, weights[order])


@given(lookups())
def test_it_is_attention_of_one_query(lookup):
    scores, values = lookup
    query, keys = torch.ones(1, 1, dtype=torch.float64), scores.unsqueeze(1)  # q . k_j = similarity j
    answer, _ = soft_lookup(scores, values)
    assert_close(answer, F.scaled_dot_product_attention(query, keys, values, scale=1.0)[0])


def test_its_gradient_is_the_weight_times_the_distance_of_the_value_from_the_answer():
    scores, values = SCORES.double().requires_grad_(), PRICES.double().requires_grad_()
    answer, weights = soft_lookup(scores, values)
    answer.backward()
    assert_close(values.grad, weights.detach())
    assert_close(scores.grad, (weights * (values - answer)).detach())


@pytest.mark.parametrize(
    ("scores", "values"),
    [((3,), (4,)), ((3,), (4, 3)), ((3,), ()), ((), ()), ((1, 3), (1, 3)), ((3, 3), (3, 3)), ((3,), (3, 3, 2))],
)
def test_wrong_shapes_are_named(scores, values):
    with pytest.raises(ValueError, match="one score per value") as error:
        soft_lookup(torch.zeros(scores), torch.zeros(values))
    assert f"{scores} against {values}" in str(error.value)
