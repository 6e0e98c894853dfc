"""What scaled dot-product attention means, against known answers, plain loops and PyTorch."""

from __future__ import annotations

import math

import numpy as np
import pytest
import torch
import torch.nn.functional as F
from hypothesis import given
from hypothesis import strategies as st
from torch.testing import assert_close

from snippets.attention.scaled_dot_product import scaled_dot_product_attention
from tests.properties import masks, orders, rotation, sizes, tensors

X = torch.tensor([[1.0, 0, 1, 0], [0, 2, 0, 2], [1, 1, 1, 1]])
W_Q = torch.tensor([[1.0, 0, 1], [1, 0, 0], [0, 0, 1], [0, 1, 1]])
W_K = torch.tensor([[0.0, 0, 1], [1, 1, 0], [0, 1, 0], [1, 1, 0]])
W_V = torch.tensor([[0.0, 2, 0], [0, 3, 0], [1, 0, 3], [1, 1, 0]])
TOLERANCE = {torch.float32: 1e-5, torch.float64: 1e-10}


@st.composite
def inputs(draw):
    """query (n_q, d_k), key (n_k, d_k), value (n_k, d_v)."""
    n_q, n_k, d_k, d_v = (draw(sizes) for _ in range(4))
    return draw(tensors(n_q, d_k)), draw(tensors(n_k, d_k)), draw(tensors(n_k, d_v))


@st.composite
def masked_inputs(draw):
    """The same with a mask (n_q, n_k)."""
    query, key, value = draw(inputs())
    return query, key, value, draw(masks(len(query), len(key)))


def random_inputs(dtype=torch.float64, *, batch=(2, 3), n_q=4, n_k=5, d_k=6, d_v=7, seed=0):
    """query, key, value with leading sizes ``batch``, and a mask with a fully masked row in each matrix."""
    generator = torch.Generator().manual_seed(seed)
    shapes = [(*batch, n_q, d_k), (*batch, n_k, d_k), (*batch, n_k, d_v)]
    query, key, value = (torch.randn(shape, dtype=dtype, generator=generator) for shape in shapes)
    mask = torch.rand(*batch, n_q, n_k, generator=generator) < 0.6
    mask[..., 0, :] = False
    return query, key, value, mask


def by_loops(query, key, value, mask):
    """Attention of one (n_q, d_k), (n_k, d_k), (n_k, d_v) in plain numbers: output and weights."""
    (n_q, d_k), (n_k, d_v) = query.shape, value.shape
    output, weights = np.zeros((n_q, d_v)), np.zeros((n_q, n_k))
    for i in range(n_q):
        allowed = [j for j in range(n_k) if mask[i, j]]
        e = {j: math.exp(sum(query[i, c] * key[j, c] for c in range(d_k)) / d_k**0.5) for j in allowed}
        for j in allowed:
            weights[i, j] = e[j] / sum(e.values())
            for c in range(d_v):
                output[i, c] += weights[i, j] * value[j, c]
    return output, weights


def printed(matrix):
    """The digits that the page prints."""
    return [[f"{number:.4f}" for number in row] for row in matrix.tolist()]


# Known answers


def test_the_worked_example_of_three_tokens():
    query, key, value = X @ W_Q, X @ W_K, X @ W_V
    assert query.tolist() == [[1, 0, 2], [2, 2, 2], [2, 1, 3]]
    assert key.tolist() == [[0, 1, 1], [4, 4, 0], [2, 3, 1]]
    assert value.tolist() == [[1, 2, 3], [2, 8, 0], [2, 6, 3]]
    assert (query @ key.T).tolist() == [[2, 4, 4], [4, 16, 12], [4, 12, 10]]
    output, weights = scaled_dot_product_attention(query, key, value)
    assert printed(weights) == [
        ["0.1361", "0.4319", "0.4319"],
        ["0.0009", "0.9088", "0.0903"],
        ["0.0074", "0.7547", "0.2378"],
    ]
    assert printed(output) == [
        ["1.8639", "6.3194", "1.7042"],
        ["1.9991", "7.8141", "0.2735"],
        ["1.9926", "7.4796", "0.7359"],
    ]
    candidates = torch.cat([value, (value[1:2] + value[2:]) / 2])  # the last is half of each
    assert torch.cdist(output, candidates).argmin(dim=1).tolist() == [3, 1, 1]


def test_a_batch_of_five_tokens_of_width_768():
    x = torch.randn(1, 5, 768, generator=torch.Generator().manual_seed(0))
    output, weights = scaled_dot_product_attention(x, x, x)
    assert (tuple(weights.shape), tuple(output.shape)) == ((1, 5, 5), (1, 5, 768))
    assert_close(weights.sum(dim=-1), torch.ones(1, 5))


def test_a_single_key_gets_all_the_weight():
    output, weights = scaled_dot_product_attention(X @ W_Q, (X @ W_K)[:1], (X @ W_V)[:1])
    assert weights.tolist() == [[1], [1], [1]]
    assert output.tolist() == [[1, 2, 3]] * 3


def test_a_query_with_nothing_to_attend_to_gets_exactly_zero():
    query, key, value, mask = random_inputs()
    output, weights = scaled_dot_product_attention(query, key, value, mask)
    assert (output[..., 0, :] == 0).all()
    assert (weights[..., 0, :] == 0).all()
    assert not weights.isnan().any()


def test_half_precision_masks_as_well():
    """A large negative number instead of -inf overflows here, or lets masked keys through where nothing is higher."""
    query, key, value, mask = (part.half() if part.is_floating_point() else part for part in random_inputs())
    query, key = 60 * query, 60 * key  # scores in the ten thousands, near the lowest number, -65504
    output, weights = scaled_dot_product_attention(query, key, value, mask)
    assert weights.dtype == output.dtype == torch.float16
    assert (weights[~mask] == 0).all()
    assert output.isfinite().all()


def test_a_low_score_is_not_taken_for_a_forbidden_one():
    query, key = torch.tensor([[1e6]]), torch.tensor([[-1e6], [1e6]])
    output, _ = scaled_dot_product_attention(query, key, torch.tensor([[1.0], [2.0]]), torch.tensor([[True, False]]))
    assert output.tolist() == [[1.0]]


def test_no_nan_arises_even_inside_the_backward_pass_of_a_fully_masked_row():
    query, key, value, mask = random_inputs()
    for tensor in (query, key, value):
        tensor.requires_grad_()
    with torch.autograd.set_detect_anomaly(True):  # raises at the first NaN, even if a later step hides it
        output, _ = scaled_dot_product_attention(query, key, value, mask)
        output.sum().backward()
    for tensor in (query, key, value):
        assert tensor.grad.isfinite().all()
    assert (query.grad[..., 0, :] == 0).all(), "a query with output 0 has nothing to learn"


# Agreement with PyTorch


@pytest.mark.parametrize("dtype", TOLERANCE, ids=str)
@pytest.mark.parametrize("masked", [False, True])
@pytest.mark.parametrize("batch", [(), (2,), (2, 3)], ids=str)
def test_output_and_gradients_are_those_of_pytorch(dtype, masked, batch):
    query, key, value, mask = random_inputs(dtype, batch=batch)
    direction = torch.randn(*batch, 4, 7, dtype=dtype, generator=torch.Generator().manual_seed(1))
    results = []
    for attend in (F.scaled_dot_product_attention, scaled_dot_product_attention):
        tensors = [tensor.clone().requires_grad_() for tensor in (query, key, value)]
        output = attend(*tensors, mask if masked else None)
        output = output[0] if isinstance(output, tuple) else output  # PyTorch keeps the weights to itself
        output.backward(direction)
        results.append([output, *(tensor.grad for tensor in tensors)])
    for theirs, ours in zip(*results, strict=True):
        assert_close(ours, theirs, atol=TOLERANCE[dtype], rtol=TOLERANCE[dtype])


def test_a_lower_triangular_mask_is_causal_attention_of_pytorch():
    query, key, value, _ = random_inputs(n_q=5)
    output, _ = scaled_dot_product_attention(query, key, value, torch.ones(5, 5, dtype=torch.bool).tril())
    assert_close(output, F.scaled_dot_product_attention(query, key, value, is_causal=True))


@pytest.mark.parametrize("masked", [False, True])
def test_gradients_of_the_weights_are_right_too(masked):
    *tensors, mask = random_inputs(batch=(), n_q=2, n_k=3, d_k=2, d_v=2)

    def weights(*tensors):
        return scaled_dot_product_attention(*tensors, mask if masked else None)[1]

    assert torch.autograd.gradcheck(weights, [tensor.requires_grad_() for tensor in tensors])


# Properties


@given(masked_inputs())
def test_it_is_what_plain_loops_compute(sample):
    for ours, loops in zip(scaled_dot_product_attention(*sample), by_loops(*(t.numpy() for t in sample)), strict=True):
        assert_close(ours, torch.from_numpy(loops))


@given(inputs())
def test_each_row_of_weights_sums_to_one(sample):
    _, weights = scaled_dot_product_attention(*sample)
    assert weights.min() >= 0
    assert weights.max() <= 1
    assert_close(weights.sum(dim=-1), torch.ones(len(sample[0]), dtype=torch.float64))


@given(masked_inputs())
def test_each_row_of_masked_weights_sums_to_one_or_is_zero(sample):
    *_, mask = sample
    _, weights = scaled_dot_product_attention(*sample)
    assert_close(weights.sum(dim=-1), mask.any(dim=-1).double())


@given(masked_inputs())
def test_masked_weights_are_exactly_zero(sample):
    *_, mask = sample
    _, weights = scaled_dot_product_attention(*sample)
    assert (weights[~mask] == 0).all(), "a key that may not be attended to has weight"
    assert (weights[mask] > 0).all(), "a key that may be attended to has none"


@given(masked_inputs())
def test_masking_only_renormalises_the_other_weights(sample):
    query, key, value, mask = sample
    _, free = scaled_dot_product_attention(query, key, value)
    _, weights = scaled_dot_product_attention(query, key, value, mask)
    kept = free * mask
    assert_close(weights, kept / kept.sum(dim=-1, keepdim=True).clamp_min(1e-300))


@given(inputs())
def test_a_mask_that_allows_everything_changes_nothing(sample):
    everything = torch.ones(len(sample[0]), len(sample[1]), dtype=torch.bool)
    for free, masked in zip(
        scaled_dot_product_attention(*sample), scaled_dot_product_attention(*sample, everything), strict=True
    ):
        assert torch.equal(free, masked)


@given(st.data(), masked_inputs())
def test_what_stands_at_masked_keys_does_not_matter(data, sample):
    query, key, value, mask = sample
    hidden = ~mask.any(dim=0)  # keys that no query may attend to
    before, _ = scaled_dot_product_attention(query, key, value, mask)
    key = torch.where(hidden.unsqueeze(1), data.draw(tensors(*key.shape, limit=1e6)), key)
    value = torch.where(hidden.unsqueeze(1), data.draw(tensors(*value.shape, limit=1e6)), value)
    after, _ = scaled_dot_product_attention(query, key, value, mask)
    assert_close(after, before)


@given(masked_inputs())
def test_each_output_lies_between_the_smallest_and_the_largest_allowed_value(sample):
    _, _, value, mask = sample
    output, _ = scaled_dot_product_attention(*sample)
    for row, allowed in zip(output, mask, strict=True):
        if allowed.any():
            low, high = value[allowed].aminmax(dim=0)
            assert (low - 1e-9 <= row).all(), "below every allowed value"
            assert (row <= high + 1e-9).all(), "above every allowed value"


@given(st.data(), inputs())
def test_a_vector_added_to_every_key_changes_no_weight(data, sample):
    """It adds q . shift to every score of the query q, and softmax does not see that."""
    query, key, value = sample
    shift = data.draw(tensors(key.size(1)))
    assert_close(
        scaled_dot_product_attention(query, key + shift, value), scaled_dot_product_attention(query, key, value)
    )


@given(inputs(), sizes)
def test_widening_query_and_key_with_zeros_divides_by_a_larger_root(sample, extra):
    query, key, value = sample
    d_k = key.size(1)
    wide, _ = scaled_dot_product_attention(F.pad(query, (0, extra)), F.pad(key, (0, extra)), value)
    assert_close(wide, scaled_dot_product_attention(query * math.sqrt(d_k / (d_k + extra)), key, value)[0])


@given(inputs(), st.floats(0.1, 4))
def test_scaling_the_queries_is_a_temperature(sample, factor):
    query, key, value = sample
    _, weights = scaled_dot_product_attention(query, key, value)
    _, sharper = scaled_dot_product_attention(factor * query, key, value)
    powers = weights**factor
    assert_close(sharper, powers / powers.sum(dim=-1, keepdim=True))


@given(st.data(), masked_inputs())
def test_keys_and_values_in_another_order_change_nothing(data, sample):
    query, key, value, mask = sample
    order = data.draw(orders(len(key)))
    output, weights = scaled_dot_product_attention(query, key, value, mask)
    shuffled, shuffled_weights = scaled_dot_product_attention(query, key[order], value[order], mask[:, order])
    assert_close(shuffled, output)
    assert_close(shuffled_weights, weights[:, order])


@given(st.data(), masked_inputs())
def test_queries_in_another_order_give_the_outputs_in_that_order(data, sample):
    query, key, value, mask = sample
    order = data.draw(orders(len(query)))
    output, _ = scaled_dot_product_attention(query, key, value, mask)
    assert_close(scaled_dot_product_attention(query[order], key, value, mask[order])[0], output[order])


@given(st.data(), sizes, sizes)
def test_self_attention_is_permutation_equivariant(data, n, d):
    x, order = data.draw(tensors(n, d)), data.draw(orders(n))
    output, _ = scaled_dot_product_attention(x, x, x)
    shuffled, _ = scaled_dot_product_attention(x[order], x[order], x[order])
    assert_close(shuffled, output[order])


@given(masked_inputs(), st.integers(0, 99))
def test_rotating_queries_and_keys_together_changes_nothing(sample, seed):
    query, key, value, mask = sample
    turn = rotation(query.size(1), seed)
    assert_close(
        scaled_dot_product_attention(query @ turn, key @ turn, value, mask),
        scaled_dot_product_attention(query, key, value, mask),
    )


@given(masked_inputs(), st.integers(0, 99))
def test_the_output_is_linear_in_the_values(sample, seed):
    query, key, value, mask = sample
    matrix = rotation(value.size(1), seed)
    output, _ = scaled_dot_product_attention(query, key, value, mask)
    assert_close(scaled_dot_product_attention(query, key, value @ matrix, mask)[0], output @ matrix)


@given(st.data(), st.integers(2, 5))
def test_under_a_causal_mask_the_future_does_not_reach_the_past(data, n):
    x, future, t = data.draw(tensors(n, 3)), data.draw(tensors(n, 3, limit=100)), data.draw(st.integers(1, n - 1))
    causal = torch.ones(n, n, dtype=torch.bool).tril()
    changed = torch.cat([x[:t], future[t:]])
    before, _ = scaled_dot_product_attention(x, x, x, causal)
    after, _ = scaled_dot_product_attention(changed, changed, changed, causal)
    assert_close(after[:t], before[:t])


def test_batches_and_heads_are_computed_independently():
    query, key, value, mask = random_inputs()
    together = scaled_dot_product_attention(query, key, value, mask)
    for b, h in np.ndindex(2, 3):
        alone = scaled_dot_product_attention(query[b, h], key[b, h], value[b, h], mask[b, h])
        assert_close(alone, tuple(part[b, h] for part in together))


@pytest.mark.parametrize(
    "shape", [(), (5,), (1,), (1, 5), (4, 1), (4, 5), (1, 4, 5), (3, 1, 5), (2, 1, 1, 5), (2, 3, 4, 5)], ids=str
)
def test_a_mask_broadcasts_to_the_scores(shape):
    query, key, value, _ = random_inputs()
    mask = torch.rand(shape, generator=torch.Generator().manual_seed(2)) < 0.6
    assert_close(
        scaled_dot_product_attention(query, key, value, mask),
        scaled_dot_product_attention(query, key, value, mask.expand(2, 3, 4, 5)),
    )


# Errors


@pytest.mark.parametrize(
    ("query", "key", "value", "message"),
    [
        ((2, 4, 6), (3, 5, 6), (3, 5, 7), "leading sizes differ: (2, 4, 6), (3, 5, 6), (3, 5, 7)"),
        ((2, 4, 6), (2, 5, 6), (3, 5, 7), "leading sizes differ: (2, 4, 6), (2, 5, 6), (3, 5, 7)"),
        ((4, 6), (2, 5, 6), (2, 5, 7), "leading sizes differ: (4, 6), (2, 5, 6), (2, 5, 7)"),
        ((6,), (5, 6), (5, 7), "leading sizes differ: (6,), (5, 6), (5, 7)"),
        ((4, 6), (6,), (5, 7), "leading sizes differ: (4, 6), (6,), (5, 7)"),
        ((4, 5), (5, 5), (5,), "leading sizes differ: (4, 5), (5, 5), (5,)"),
        ((6,), (6,), (6,), "leading sizes differ: (6,), (6,), (6,)"),
        ((), (), (), "leading sizes differ: (), (), ()"),
        ((4, 6), (5, 7), (5, 6), "same dimension d_k: (4, 6), (5, 7)"),
        ((4, 6), (5, 6), (4, 6), "each key needs one value: (5, 6), (4, 6)"),
    ],
    ids=str,
)
def test_wrong_shapes_are_named(query, key, value, message):
    with pytest.raises(ValueError, match="need|differ") as error:
        scaled_dot_product_attention(torch.zeros(query), torch.zeros(key), torch.zeros(value))
    assert message in str(error.value)


@pytest.mark.parametrize(
    "shape", [(5, 4), (4, 4), (3,), (0,), (2, 4, 5), (2, 2, 4, 5), (1, 2, 3, 4, 5), (5, 1)], ids=str
)
def test_a_mask_that_does_not_broadcast_is_refused(shape):
    query, key, value, _ = random_inputs()
    with pytest.raises(ValueError, match="does not broadcast") as error:
        scaled_dot_product_attention(query, key, value, torch.ones(shape, dtype=torch.bool))
    assert f"attn_mask {shape} does not broadcast to (2, 3, 4, 5)" == str(error.value)


@pytest.mark.parametrize("dtype", [torch.float32, torch.int64, torch.uint8], ids=str)
def test_a_mask_that_is_not_boolean_is_refused(dtype):
    query, key, value, mask = random_inputs()
    with pytest.raises(ValueError, match=f"attn_mask is boolean, not {dtype}"):
        scaled_dot_product_attention(query, key, value, mask.to(dtype))
