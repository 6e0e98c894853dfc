"""What contextual embeddings mean: each token becomes a weighted average of all tokens."""

from __future__ import annotations

import numpy as np
import pytest
import torch
import torch.nn.functional as F
from hypothesis import given
from hypothesis import strategies as st
from torch.testing import assert_close

from snippets.attention.weights import contextualize, dot_product_weights
from tests.properties import orders, rotation, sizes, tensors


@st.composite
def embeddings(draw):
    """x: (n, d)."""
    return draw(tensors(draw(sizes), draw(sizes), limit=2))


def attend(x):
    return contextualize(dot_product_weights(x), x)


def printed(matrix):
    """The digits that the page prints."""
    return [[f"{number:.4f}" for number in row] for row in matrix.tolist()]


def test_an_ambiguous_token_moves_towards_its_neighbour():
    x = torch.tensor([[2.0, 0.0], [1.0, 1.0]])
    assert printed(dot_product_weights(x)) == [["0.8808", "0.1192"], ["0.5000", "0.5000"]]
    assert printed(attend(x)) == [["1.8808", "0.1192"], ["1.5000", "0.5000"]]
    assert attend(torch.tensor([[0.0, 2.0], [1.0, 1.0]]))[1].tolist() == [0.5, 1.5]


def test_row_i_of_the_weights_belongs_to_token_i():
    weights = torch.tensor([[0.0, 1.0, 0.0], [0.0, 0.0, 1.0], [0.0, 1.0, 0.0]])  # nobody takes from token 0
    x = torch.tensor([[1.0, 10.0], [2.0, 20.0], [3.0, 30.0]])
    assert contextualize(weights, x).tolist() == [[2, 20], [3, 30], [2, 20]]


def test_uniform_weights_give_every_token_the_mean():
    x = torch.tensor([[1.0, 0.0], [0.0, 1.0], [4.0, 2.0]])
    assert_close(contextualize(torch.full((3, 3), 1 / 3), x), x.mean(dim=0).expand(3, 2))


def test_weights_need_not_be_symmetric():
    weights = dot_product_weights(torch.tensor([[2.0, 0.0], [1.0, 1.0]]))
    assert weights[0, 1] != weights[1, 0], "w_ij and w_ji are different numbers"


def test_wide_raw_embeddings_attend_to_themselves_alone():
    """Why the book projects before it compares."""
    x = torch.randn(5, 768, generator=torch.Generator().manual_seed(0))
    assert_close(dot_product_weights(x), torch.eye(5))


@given(embeddings())
def test_each_row_of_weights_sums_to_one(x):
    weights = dot_product_weights(x)
    assert weights.min() >= 0
    assert_close(weights.sum(dim=1), torch.ones(len(x), dtype=torch.float64))


@given(embeddings())
def test_each_context_is_the_sum_the_definition_writes(x):
    """x'_i = sum over j of w_ij x_j with w_ij = exp(x_i . x_j) / sum over k of exp(x_i . x_k), number by number."""
    rows, expected = x.tolist(), np.zeros(tuple(x.shape))
    for i, x_i in enumerate(rows):
        e = [np.exp(sum(a * b for a, b in zip(x_i, x_j, strict=True))) for x_j in rows]
        for j, x_j in enumerate(rows):
            for c, number in enumerate(x_j):
                expected[i, c] += e[j] / sum(e) * number
    assert_close(attend(x), torch.from_numpy(expected))


@given(embeddings())
def test_it_is_unscaled_attention_of_x_to_itself(x):
    assert_close(attend(x), F.scaled_dot_product_attention(x, x, x, scale=1.0))


@given(embeddings())
def test_contexts_stay_within_the_range_of_the_tokens(x):
    low, high = x.aminmax(dim=0)
    assert (low - 1e-9 <= attend(x)).all()
    assert (attend(x) <= high + 1e-9).all()


@given(st.data(), embeddings())
def test_tokens_in_another_order_give_the_contexts_in_that_order(data, x):
    order = data.draw(orders(len(x)))
    assert_close(attend(x[order]), attend(x)[order])


@given(embeddings(), st.integers(0, 99))
def test_rotating_all_tokens_rotates_the_contexts_and_keeps_the_weights(x, seed):
    turn = rotation(x.size(1), seed)
    assert_close(dot_product_weights(x @ turn), dot_product_weights(x))
    assert_close(attend(x @ turn), attend(x) @ turn)


def test_gradients_are_right():
    x = torch.randn(4, 3, dtype=torch.float64, generator=torch.Generator().manual_seed(0), requires_grad=True)
    assert torch.autograd.gradcheck(attend, (x,))


@pytest.mark.parametrize("shape", [(), (3,), (2, 2, 2), (1, 3, 4)])
def test_tokens_without_two_axes_are_refused(shape):
    with pytest.raises(ValueError, match="x is") as error:
        dot_product_weights(torch.zeros(shape))
    assert f"not {shape}" in str(error.value)


@pytest.mark.parametrize("shape", [(3, 2), (2, 3), (2, 2), (3,), (1, 3, 3)])
def test_weights_of_a_wrong_shape_are_refused(shape):
    with pytest.raises(ValueError, match="do not fit x") as error:
        contextualize(torch.full(shape, 1 / shape[-1]), torch.zeros(3, 2))
    assert f"weights {shape} do not fit x (3, 2)" == str(error.value)


@pytest.mark.parametrize("shape", [(3,), (3, 2, 2)])
def test_vectors_without_two_axes_are_refused(shape):
    with pytest.raises(ValueError, match="do not fit x") as error:
        contextualize(torch.full((3, 3), 1 / 3), torch.zeros(shape))
    assert f"x {shape}" in str(error.value)


def test_rows_that_do_not_sum_to_one_are_refused():
    weights = torch.tensor([[0.5, 0.5], [0.25, 0.25]])
    with pytest.raises(ValueError, match=r"each row of weights must sum to 1, not 0.5 to 1"):
        contextualize(weights, torch.zeros(2, 2))


def test_weights_whose_columns_sum_to_one_are_refused():
    x = torch.tensor([[2.0, 0.0], [1.0, 1.0]])
    with pytest.raises(ValueError, match="each row of weights must sum to 1"):
        contextualize(torch.softmax(x @ x.T, dim=0), x)


@pytest.mark.parametrize("dtype", [torch.float64, torch.float32, torch.bfloat16, torch.float16])
def test_weights_of_a_softmax_sum_to_one_in_every_dtype(dtype):
    """Rounded to half precision, the sum of 300 weights may be off in the third digit."""
    torch.manual_seed(0)
    for _ in range(5):
        weights = torch.softmax(3 * torch.randn(300, 300).to(dtype), dim=1)
        contextualize(weights, torch.randn(300, 2).to(dtype))
    with pytest.raises(ValueError, match="must sum to 1, not 0.9. to 1"):
        contextualize(torch.tensor([[0.5, 0.48], [0.5, 0.5]]).to(dtype), torch.randn(2, 2).to(dtype))
    with pytest.raises(ValueError, match="not nan to nan"):
        contextualize(torch.full((2, 2), torch.nan).to(dtype), torch.randn(2, 2).to(dtype))
