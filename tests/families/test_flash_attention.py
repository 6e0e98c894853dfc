"""What flash_attention means: the numbers of the plain form, whatever the blocks, without its matrix."""

from __future__ import annotations

import math

import pytest
import torch
import torch.nn.functional as F
from hypothesis import given
from hypothesis import strategies as st
from torch.testing import assert_close

from snippets.attention.masks import causal_mask
from snippets.attention.scaled_dot_product import scaled_dot_product_attention
from snippets.families.flash_attention import absorb, flash_attention, nothing_seen, plain_traffic, tiled_traffic
from snippets.tools.operations import largest_tensor, operations
from snippets.tools.saved import saved_activations
from tests.properties import masks, tensors


def plain(query, key, value, attn_mask=None, causal=False):
    if causal:
        future = causal_mask(query.size(-2))
        attn_mask = future if attn_mask is None else attn_mask & future
    return scaled_dot_product_attention(query, key, value, attn_mask)[0]


def random(*shapes, seed=0, grad=False):
    generator = torch.Generator().manual_seed(seed)
    return [torch.randn(s, dtype=torch.float64, generator=generator).requires_grad_(grad) for s in shapes]


# The recurrence


@given(st.data(), st.lists(st.integers(1, 3), min_size=1, max_size=4))
def test_blocks_of_any_sizes_end_at_the_softmax(data, cuts):
    n = sum(cuts)
    scores, value = data.draw(tensors(2, n, limit=50)), data.draw(tensors(n, 3))
    state = nothing_seen(torch.zeros(2, 1, dtype=torch.float64), value)
    for s, v in zip(scores.split(cuts, dim=1), value.split(cuts), strict=True):
        state = absorb(state, s, v)
    maximum, total, output = state
    assert_close(maximum, scores.amax(dim=1, keepdim=True), rtol=0, atol=0)
    assert_close(maximum + total.log(), scores.logsumexp(dim=1, keepdim=True))
    assert_close(output / total, scores.softmax(dim=1) @ value)


def test_three_keys_by_hand():
    one = torch.ones(1, 1, dtype=torch.float64)
    state = nothing_seen(one, one)
    assert [x.tolist() for x in state] == [[[-math.inf]], [[0.0]], [[0.0]]]
    log = math.log
    for score, value, expected in [
        (log(2), 3.0, (log(2), 1.0, 3.0)),
        (log(4), 1.0, (log(4), 1.5, 2.5)),  # what was there counts half from now on
        (log(1), 8.0, (log(4), 1.75, 4.5)),  # a smaller score leaves the maximum
    ]:
        state = absorb(state, one * score, one * value)
        assert [x.item() for x in state] == pytest.approx(expected)


# The whole


@given(st.data(), st.integers(1, 7), st.integers(1, 7), st.integers(1, 8))
def test_any_shape_and_any_blocks_give_the_plain_form(data, n_q, n_k, block):
    lead = data.draw(st.sampled_from([(), (2,), (2, 3)]))
    query, key, value = random((*lead, n_q, 4), (*lead, n_k, 4), (*lead, n_k, 3), seed=n_q * n_k)
    attn_mask = data.draw(st.none() | masks(n_q, n_k))
    ours = flash_attention(query, key, value, attn_mask, block=block)
    assert_close(ours, plain(query, key, value, attn_mask))


@pytest.mark.parametrize("block", [1, 3, 4, 10, 64])
def test_causal_attention_is_that_of_pytorch(block):
    query, key, value = random(*[(2, 3, 10, 8)] * 3)
    ours = flash_attention(query, key, value, causal=True, block=block)
    assert_close(ours, F.scaled_dot_product_attention(query, key, value, is_causal=True))


def test_causal_with_fewer_or_more_keys_counts_positions_from_the_start_as_pytorch_does():
    for n_q, n_k in [(7, 4), (4, 7)]:
        query, key, value = random((1, 1, n_q, 2), (1, 1, n_k, 2), (1, 1, n_k, 2))
        ours = flash_attention(query, key, value, causal=True, block=2)
        assert_close(ours, F.scaled_dot_product_attention(query, key, value, is_causal=True))


def test_padding_and_the_future_are_hidden_together_and_a_query_that_may_see_no_key_gets_zero():
    query, key, value = random(*[(2, 3, 9, 4)] * 3, grad=True)
    padding = torch.ones(2, 1, 1, 9, dtype=torch.bool)
    padding[0, ..., 6:] = False  # on the right
    padding[1, ..., :5] = False  # on the left: the first five queries see nothing
    ours = flash_attention(query, key, value, padding, causal=True, block=4)
    assert_close(ours, plain(query, key, value, padding, causal=True))
    assert (ours[1, :, :5] == 0).all()
    for gradient in torch.autograd.grad(ours.square().sum(), (query, key, value)):
        assert gradient.isfinite().all()


@given(st.integers(0, 9), st.sampled_from([1e2, 1e4]))
def test_large_scores_do_not_overflow(seed, size):
    query, key, value = (x.float() for x in random(*[(1, 8, 4)] * 3, seed=seed))
    ours = flash_attention(size * query, key, value, block=3)
    assert ours.isfinite().all()
    assert_close(ours, plain(size * query, key, value))


@pytest.mark.parametrize("causal", [False, True])
def test_gradients_are_those_of_the_plain_form(causal):
    inputs = random((2, 7, 4), (2, 7, 4), (2, 7, 3), grad=True)
    gradients = [
        torch.autograd.grad(function(*inputs, causal=causal).sin().sum(), inputs)
        for function in (lambda *x, causal: flash_attention(*x, causal=causal, block=3), plain)
    ]
    for ours, theirs in zip(*gradients, strict=True):
        assert_close(ours, theirs)


def test_one_number_per_query_besides_the_logsumexp_gives_the_gradients_of_the_scores():
    scores, value, gradient = random((5, 7), (7, 3), (5, 3))
    scores.requires_grad_()
    output = scores.softmax(dim=-1) @ value
    output.backward(gradient)
    weights = (scores - scores.logsumexp(dim=-1, keepdim=True)).exp()
    row = (gradient * output).sum(dim=-1, keepdim=True)
    assert_close(weights * (gradient @ value.T - row), scores.grad)


def test_shapes_that_do_not_fit_are_refused():
    query, key, value = random((5, 4), (6, 3), (6, 3))
    with pytest.raises(ValueError, match="same dimension d_k"):
        flash_attention(query, key, value)
    with pytest.raises(ValueError, match="does not broadcast"):
        flash_attention(query, query, query, torch.ones(4, 4, dtype=torch.bool))


# Memory


def test_no_tensor_is_as_large_as_the_scores_and_nothing_but_the_inputs_is_saved():
    for n in (128, 512):
        query, key, value = random(*[(n, 8)] * 3, grad=True)
        assert largest_tensor(plain, query, key, value) == n * n
        assert largest_tensor(flash_attention, query, key, value, block=16) == 8 * n
        assert saved_activations(plain, query, key, value) == n * n
        assert saved_activations(flash_attention, query, key, value, block=16) == 0


def test_a_mask_that_broadcasts_is_not_copied():
    query, key, value = random(*[(512, 8)] * 3)
    padding = torch.ones(1, 512, dtype=torch.bool)
    view = 512 * 512  # without memory of its own
    sizes = [size for name, size in operations(flash_attention, query, key, value, padding, block=16) if size < view]
    assert max(sizes) == 16 * 512


def test_blocks_above_the_diagonal_are_never_computed():
    query, key, value = random(*[(12, 4)] * 3)

    def products(**options):
        return sum(name == "mm" for name, _ in operations(flash_attention, query, key, value, block=3, **options))

    assert products() == 2 * 16 and products(causal=True) == 2 * (1 + 2 + 3 + 4)


def test_64_keys_at_a_time_unless_another_number_is_given():
    for n, blocks in [(128, 2), (129, 3)]:
        query, key, value = random(*[(n, 2)] * 3)
        products = [name for name, _ in operations(flash_attention, query, key, value) if name == "mm"]
        assert len(products) == 2 * blocks**2


# Traffic


def test_traffic_counts_what_is_read_and_what_is_written():
    n, d = 10, 3
    qkvo, square = n * d, n * n
    assert plain_traffic(n, d) == (2 * qkvo + square) + (square + square) + (square + qkvo + qkvo)
    m = 4 * d * 5  # five queries at a time, in two blocks
    assert tiled_traffic(n, d, m) == 2 * qkvo + 2 * 2 * qkvo
    assert tiled_traffic(n + 1, d, m) == 2 * 11 * d + 3 * 2 * 11 * d


def test_for_long_sequences_the_traffic_of_blocks_goes_as_n_squared_d_squared_over_m():
    n, d, m = 2**20, 64, 2**16
    assert tiled_traffic(n, d, m) == pytest.approx(8 * n**2 * d**2 / m, rel=1e-3)


@pytest.mark.parametrize("causal", [False, True])
def test_without_queries_or_keys_there_is_nothing_as_in_the_plain_form(causal):
    for n_q, n_k in [(0, 3), (0, 0), (3, 0)]:
        query, key, value = torch.randn(2, n_q, 4), torch.randn(2, n_k, 4), torch.randn(2, n_k, 5)
        plain = F.scaled_dot_product_attention(query, key, value)
        found = flash_attention(query, key, value, causal=causal)
        assert found.shape == plain.shape == (2, n_q, 5) and torch.equal(found, torch.zeros(2, n_q, 5))


@pytest.mark.parametrize("block", [0, -1])
def test_a_block_of_nothing_is_refused(block):
    x = torch.randn(3, 4)
    with pytest.raises(ValueError, match=f"at least one row, not {block}"):
        flash_attention(x, x, x, block=block)
    assert flash_attention(x, x, x, block=1).shape == (3, 4)
