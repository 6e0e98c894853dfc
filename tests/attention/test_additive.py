"""What additive attention means: a small network scores each pair of query and key by itself."""

from __future__ import annotations

import pytest
import torch
from hypothesis import given
from hypothesis import strategies as st
from torch.testing import assert_close

from snippets.attention.additive import AdditiveAttention
from snippets.attention.scaled_dot_product import scaled_dot_product_attention
from snippets.tools.saved import saved_activations
from tests.properties import orders, sizes, tensors

D_QUERY, D_KEY, D_HIDDEN = 3, 4, 5  # all sizes differ, so that none can stand in for another


@st.composite
def inputs(draw):
    """query (n_q, d_query), key (n_k, d_key), value (n_k, d_v)."""
    n_q, n_k = draw(sizes), draw(sizes)
    return draw(tensors(n_q, D_QUERY)), draw(tensors(n_k, D_KEY)), draw(tensors(n_k, draw(sizes)))


def seeded():
    """The module with random weights, the same on every run."""
    generator = torch.Generator().manual_seed(0)
    module = AdditiveAttention(D_QUERY, D_KEY, D_HIDDEN).double()
    with torch.no_grad():
        for parameter in module.parameters():
            parameter.copy_(torch.randn(parameter.shape, dtype=torch.float64, generator=generator))
    return module


def random_inputs(*batch):
    generator = torch.Generator().manual_seed(1)
    shapes = [(*batch, 6, D_QUERY), (*batch, 7, D_KEY), (*batch, 7, 2)]
    return [torch.randn(shape, dtype=torch.float64, generator=generator) for shape in shapes]


def scores_by_loops(module, query, key):
    """v^T tanh(W q_i + U k_j) for each pair, number by number."""
    w, u, v = (linear.weight.tolist() for linear in (module.w, module.u, module.v_a))
    scores = torch.zeros(len(query), len(key), dtype=torch.float64)
    for i, q in enumerate(query.tolist()):
        for j, k in enumerate(key.tolist()):
            for h in range(D_HIDDEN):
                projected = sum(a * b for a, b in zip(w[h], q, strict=True))
                projected += sum(a * b for a, b in zip(u[h], k, strict=True))
                scores[i, j] += v[0][h] * torch.tanh(torch.tensor(projected, dtype=torch.float64))
    return scores


def test_score_of_a_pair_by_hand():
    module = AdditiveAttention(1, 1, 1).double()
    with torch.no_grad():
        module.w.weight.fill_(2), module.u.weight.fill_(-1), module.v_a.weight.fill_(3)
    query, key = torch.tensor([[0.5]]).double(), torch.tensor([[0.0], [1.0]]).double()
    _, weights = module(query, key, key)
    # 3 tanh(2 * 0.5 - 0) = 2.2848 and 3 tanh(2 * 0.5 - 1) = 0; e^2.2848 / (e^2.2848 + 1) = 0.9076
    assert [f"{w:.4f}" for w in weights[0]] == ["0.9076", "0.0924"]


def test_it_has_three_matrices_and_no_bias():
    shapes = {name: tuple(p.shape) for name, p in seeded().named_parameters()}
    assert shapes == {"w.weight": (5, 3), "u.weight": (5, 4), "v_a.weight": (1, 5)}
    assert sum(p.numel() for p in AdditiveAttention(64, 64, 64).parameters()) == 8256


def test_query_and_key_of_different_widths():
    output, weights = AdditiveAttention(10, 64, 32)(torch.randn(1, 3, 10), torch.randn(1, 5, 64), torch.randn(1, 5, 8))
    assert (tuple(weights.shape), tuple(output.shape)) == ((1, 3, 5), (1, 3, 8))


def test_equal_keys_give_the_mean_of_the_values():
    query, key, value = random_inputs()
    output, _ = seeded()(query, key[:1].expand(7, -1), value)
    assert_close(output, value.mean(dim=0).expand(6, 2))


@given(inputs())
def test_it_is_what_a_loop_over_all_pairs_computes(sample):
    query, key, value = sample
    output, weights = seeded()(query, key, value)
    expected = torch.softmax(scores_by_loops(seeded(), query, key), dim=1)
    assert_close(weights, expected)
    assert_close(output, expected @ value)


@given(st.data(), inputs())
def test_the_score_of_a_pair_does_not_depend_on_the_other_pairs(data, sample):
    """The ratio of two weights of a query is e to the difference of their scores, whoever else is there."""
    query, key, value = sample
    others, more = data.draw(tensors(2, D_QUERY)), data.draw(tensors(2, D_KEY))
    _, weights = seeded()(query, key, value)
    _, among_others = seeded()(
        torch.cat([query, others]), torch.cat([key, more]), torch.cat([value, value[:1], value[:1]])
    )
    kept = among_others[: len(query), : len(key)]
    assert_close(kept / kept[:, :1], weights / weights[:, :1])


@given(inputs())
def test_each_row_of_weights_sums_to_one(sample):
    _, weights = seeded()(*sample)
    assert weights.min() >= 0
    assert_close(weights.sum(dim=-1), torch.ones(len(sample[0]), dtype=torch.float64))


@given(inputs())
def test_each_output_lies_between_the_smallest_and_the_largest_value(sample):
    output, _ = seeded()(*sample)
    low, high = sample[2].aminmax(dim=0)
    assert (low - 1e-9 <= output).all()
    assert (output <= high + 1e-9).all()


@given(st.data(), inputs())
def test_the_order_of_the_keys_does_not_matter(data, sample):
    query, key, value = sample
    order = data.draw(orders(len(key)))
    output, weights = seeded()(query, key, value)
    shuffled, shuffled_weights = seeded()(query, key[order], value[order])
    assert_close(shuffled, output)
    assert_close(shuffled_weights, weights[:, order])


@given(inputs(), st.sampled_from([1, 100, 10_000]))
def test_scores_of_a_query_differ_by_no_more_than_twice_the_sum_of_v(sample, length):
    query, key, value = sample
    module = seeded()
    _, weights = module(length * query, length * key, value)
    low, high = weights.log().aminmax(dim=-1)
    assert ((high - low) <= 2 * module.v_a.weight.abs().sum() + 1e-9).all(), "tanh bounds each score"


@pytest.mark.parametrize("batch", [(2,), (2, 3)], ids=str)
def test_batches_are_computed_independently(batch):
    query, key, value = random_inputs(*batch)
    module = seeded()
    output, weights = module(query, key, value)
    for index in torch.cartesian_prod(*map(torch.arange, batch)).view(-1, len(batch)).tolist():
        alone = module(query[*index], key[*index], value[*index])
        assert_close((output[*index], weights[*index]), alone)


def test_gradients_of_inputs_and_parameters_are_right():
    module = seeded()
    names, parameters = zip(*module.named_parameters(), strict=True)
    tensors = [tensor.requires_grad_() for tensor in random_inputs()]

    def attend(query, key, value, *parameters):
        named = dict(zip(names, parameters, strict=True))
        output, weights = torch.func.functional_call(module, named, (query, key, value))
        return torch.cat([output, weights], dim=-1)  # one tensor: of several, those without gradient go unchecked

    assert torch.autograd.gradcheck(attend, (*tensors, *parameters))


@pytest.mark.parametrize(
    ("query", "key", "value", "message"),
    [
        ((2, 6, 3), (1, 7, 4), (1, 7, 2), "differ in leading sizes: (2, 6, 3), (1, 7, 4)"),
        ((6, 3), (2, 7, 4), (2, 7, 2), "differ in leading sizes: (6, 3), (2, 7, 4)"),
        ((3,), (7, 4), (7, 2), "differ in leading sizes: (3,), (7, 4)"),
        ((6, 3), (4,), (2,), "differ in leading sizes: (6, 3), (4,)"),
        ((), (), (), "differ in leading sizes: (), ()"),
        ((6, 3), (7, 4), (6, 2), "each key needs one value: (7, 4), (6, 2)"),
        ((2, 6, 3), (2, 7, 4), (1, 7, 2), "each key needs one value: (2, 7, 4), (1, 7, 2)"),
        ((6, 3), (7, 4), (2,), "each key needs one value: (7, 4), (2,)"),
        ((6, 4), (7, 4), (7, 2), "need dimensions (3, 4): (6, 4), (7, 4)"),
        ((6, 3), (7, 3), (7, 2), "need dimensions (3, 4): (6, 3), (7, 3)"),
    ],
    ids=str,
)
def test_wrong_shapes_are_named(query, key, value, message):
    with pytest.raises(ValueError, match="need|differ") as error:
        seeded()(*(torch.zeros(shape, dtype=torch.float64) for shape in (query, key, value)))
    assert message in str(error.value)


# Memory


@pytest.mark.parametrize("n", [8, 16])
@pytest.mark.parametrize("dtype", [torch.float32, torch.float64], ids=str)
def test_dot_product_saves_one_number_a_pair_and_additive_one_more_than_its_width(n, dtype):
    inputs = [torch.randn(1, n, 64, dtype=dtype, requires_grad=True) for _ in range(3)]
    assert saved_activations(scaled_dot_product_attention, *inputs) == n**2
    assert saved_activations(AdditiveAttention(64, 64, 32).to(dtype), *inputs) == n**2 * (32 + 1)
