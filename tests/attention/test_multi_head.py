"""What multi-head attention means: several attentions side by side, in three forms and in PyTorch's."""

from __future__ import annotations

import pytest
import torch
import torch.nn.functional as F
from hypothesis import given
from hypothesis import strategies as st
from torch import nn
from torch.testing import assert_close

from snippets.attention.multi_head import (
    AttentionHead,
    MultiHeadAttention,
    PerHeadAttention,
    einsum_attention,
    fuse,
    head_size,
    merge_heads,
    split_heads,
)
from tests.properties import orders, sizes, tensors

D_MODEL, HEADS, D_K = 12, 3, 4
BATCH, N_Q, N_K = 2, 5, 6  # all sizes differ, so that no axis can stand in for another
TOLERANCE = {torch.float32: 1e-5, torch.float64: 1e-10}


def seeded(module, *sizes, dtype=torch.float64):
    """A module with random weights and biases, the same on every run."""
    generator = torch.Generator().manual_seed(0)
    module = module(*sizes).to(dtype)
    with torch.no_grad():
        for parameter in module.parameters():
            parameter.copy_(torch.randn(parameter.shape, dtype=dtype, generator=generator) / 3)
    return module


def random_inputs(dtype=torch.float64, n_q=N_Q, n_k=N_K):
    """query, key and value of different tokens, as in cross-attention."""
    generator = torch.Generator().manual_seed(1)
    return tuple(torch.randn(BATCH, n, D_MODEL, dtype=dtype, generator=generator) for n in (n_q, n_k, n_k))


def random_mask(*shape):
    """Random, but each query may attend to the first key: PyTorch's module gives NaN where it may to none."""
    mask = torch.rand(shape, generator=torch.Generator().manual_seed(2)) < 0.5
    mask[..., 0] = True
    return mask


def to_torch(ours):
    """``torch.nn.MultiheadAttention`` with the weights of ours."""
    weight = ours.w_q.weight
    theirs = nn.MultiheadAttention(D_MODEL, HEADS, batch_first=True, dtype=weight.dtype)
    with torch.no_grad():
        theirs.in_proj_weight.copy_(torch.cat([ours.w_q.weight, ours.w_k.weight, ours.w_v.weight]))
        theirs.in_proj_bias.copy_(torch.cat([ours.w_q.bias, ours.w_k.bias, ours.w_v.bias]))
    theirs.out_proj.load_state_dict(ours.w_o.state_dict())
    return theirs


def by_name(module):
    """Gradients of the parameters of MultiHeadAttention, under the names of PyTorch's module."""
    linears = (module.w_q, module.w_k, module.w_v)
    return {
        "in_proj_weight": torch.cat([linear.weight.grad for linear in linears]),
        "in_proj_bias": torch.cat([linear.bias.grad for linear in linears]),
        "out_proj.weight": module.w_o.weight.grad,
        "out_proj.bias": module.w_o.bias.grad,
    }


def einsum_weights(fused):
    """w_q, w_k, w_v: (h, m, d) and w_o: (h, d, m) of a fused module, whose biases are set to 0."""
    for linear in (fused.w_q, fused.w_k, fused.w_v, fused.w_o):
        nn.init.zeros_(linear.bias)
    cut = [w.weight.view(HEADS, D_K, D_MODEL).transpose(1, 2) for w in (fused.w_q, fused.w_k, fused.w_v)]
    return *cut, fused.w_o.weight.T.reshape(HEADS, D_K, D_MODEL)


# Known answers


def test_splitting_two_vectors_into_three_heads():
    x = torch.arange(12).view(1, 2, 6)
    assert split_heads(x, num_heads=3).tolist() == [[[[0, 1], [6, 7]], [[2, 3], [8, 9]], [[4, 5], [10, 11]]]]


def test_eight_heads_of_512_are_64_wide():
    attention = MultiHeadAttention(d_model=512, num_heads=8)
    x = torch.randn(2, 10, 512)
    output, weights = attention(x, x, x)
    assert split_heads(attention.w_q(x), 8).shape == (2, 8, 10, 64)
    assert (tuple(weights.shape), tuple(output.shape)) == ((2, 8, 10, 10), (2, 10, 512))
    assert attention.w_o.weight.shape == (512, 512)


@pytest.mark.parametrize("num_heads", [1, 8, 64])
@pytest.mark.parametrize("form", [MultiHeadAttention, PerHeadAttention])
def test_the_number_of_parameters_does_not_depend_on_the_heads(form, num_heads):
    assert sum(p.numel() for p in form(512, num_heads).parameters()) == 4 * (512 * 512 + 512) == 1_050_624


@pytest.mark.parametrize(("d_model", "num_heads", "d_k"), [(512, 8, 64), (1024, 16, 64), (7, 1, 7), (6, 6, 1)])
def test_head_size(d_model, num_heads, d_k):
    assert head_size(d_model, num_heads) == d_k


# Agreement with PyTorch


@pytest.mark.parametrize("dtype", TOLERANCE, ids=str)
@pytest.mark.parametrize("shape", [None, (N_Q, N_K), (BATCH, N_Q, N_K), (BATCH, 1, N_K)], ids=str)
def test_output_weights_and_all_gradients_are_those_of_pytorch(dtype, shape):
    ours = seeded(MultiHeadAttention, D_MODEL, HEADS, dtype=dtype)
    theirs = to_torch(ours)
    mask = None if shape is None else random_mask(*shape)
    options = {}
    if shape == (BATCH, 1, N_K):
        options["key_padding_mask"] = ~mask.squeeze(1)  # in PyTorch's module, True forbids
    elif shape == (N_Q, N_K):
        options["attn_mask"] = ~mask
    elif shape is not None:
        options["attn_mask"] = ~mask.repeat_interleave(HEADS, dim=0)  # (batch * heads, n_q, n_k)
    our_inputs = [x.requires_grad_() for x in random_inputs(dtype)]
    their_inputs = [x.requires_grad_() for x in random_inputs(dtype)]
    output, weights = ours(*our_inputs, mask)
    expected, expected_weights = theirs(*their_inputs, average_attn_weights=False, **options)
    generator = torch.Generator().manual_seed(3)
    towards = [torch.randn(part.shape, dtype=dtype, generator=generator) for part in (output, weights)]
    torch.autograd.backward([output, weights], towards)
    torch.autograd.backward([expected, expected_weights], towards)

    def close(actual, expected, what):
        assert_close(actual, expected, atol=TOLERANCE[dtype], rtol=TOLERANCE[dtype], msg=lambda text: f"{what}: {text}")

    close(output, expected, "output")
    close(weights, expected_weights, "weights")
    for name, mine, other in zip(("query", "key", "value"), our_inputs, their_inputs, strict=True):
        close(mine.grad, other.grad, f"gradient of the {name}")
    for name, gradient in by_name(ours).items():
        close(gradient, theirs.get_parameter(name).grad, f"gradient of {name}")


def test_one_head_is_attention_of_the_projections():
    query, key, value = random_inputs()
    head = seeded(AttentionHead, D_MODEL, D_K)
    expected = F.scaled_dot_product_attention(head.w_q(query), head.w_k(key), head.w_v(value))
    assert_close(head(query, key, value), expected)


def test_every_head_divides_by_the_root_of_its_own_width():
    """Of d_k = 4, not of d_model = 12: the weights alone show it."""
    query, key, value = random_inputs()
    attention = seeded(MultiHeadAttention, D_MODEL, HEADS)
    _, weights = attention(query, key, value)
    first_q, first_k = attention.w_q(query)[..., :D_K], attention.w_k(key)[..., :D_K]
    assert_close(weights[:, 0], torch.softmax(first_q @ first_k.mT / 2, dim=-1))


# The three forms are one


@pytest.mark.parametrize("shape", [None, (N_Q, N_K), (BATCH, N_Q, N_K), (BATCH, 1, N_K)], ids=str)
def test_head_by_head_and_fused_give_the_same_numbers_and_gradients(shape):
    per_head = seeded(PerHeadAttention, D_MODEL, HEADS)
    fused = fuse(per_head)
    mask = None if shape is None else random_mask(*shape)
    inputs = random_inputs()
    one, (other, _) = per_head(*inputs, mask), fused(*inputs, mask)
    assert_close(other, one)
    one.square().sum().backward()
    other.square().sum().backward()
    for name in ("w_q", "w_k", "w_v"):
        for part in ("weight", "bias"):
            heads = [getattr(head, name).get_parameter(part).grad for head in per_head.heads]
            assert_close(getattr(fused, name).get_parameter(part).grad, torch.cat(heads))
    assert_close(fused.w_o.weight.grad, per_head.w_o.weight.grad)


@pytest.mark.parametrize("dtype", TOLERANCE, ids=str)
def test_einsum_and_fused_give_the_same_numbers(dtype):
    x, _, _ = random_inputs(dtype)
    fused = seeded(MultiHeadAttention, D_MODEL, HEADS, dtype=dtype)
    weights = einsum_weights(fused)
    output, _ = fused(x, x, x)
    assert_close(einsum_attention(x, *weights), output, atol=TOLERANCE[dtype], rtol=TOLERANCE[dtype])


def test_all_three_forms_agree_on_self_attention():
    x, _, _ = random_inputs()
    per_head = seeded(PerHeadAttention, D_MODEL, HEADS)
    with torch.no_grad():
        for head in per_head.heads:
            for linear in (head.w_q, head.w_k, head.w_v):
                linear.bias.zero_()
        per_head.w_o.bias.zero_()
        fused = fuse(per_head)
        stacked = [torch.stack([getattr(h, name).weight.T for h in per_head.heads]) for name in ("w_q", "w_k", "w_v")]
        w_o = torch.stack(per_head.w_o.weight.T.chunk(HEADS))
        assert_close(fused(x, x, x)[0], per_head(x, x, x))
        assert_close(einsum_attention(x, *stacked, w_o), per_head(x, x, x))


@pytest.mark.parametrize("dtype", TOLERANCE, ids=str)
def test_fusing_copies_the_weights_and_leaves_the_original_alone(dtype):
    per_head = seeded(PerHeadAttention, D_MODEL, HEADS, dtype=dtype)
    before = {name: tensor.clone() for name, tensor in per_head.state_dict().items()}
    fused = fuse(per_head)
    assert torch.equal(fused.w_k.weight[D_K : 2 * D_K], per_head.heads[1].w_k.weight), "the second head's rows"
    assert all(p.requires_grad and p.dtype == dtype for p in fused.parameters())
    with torch.no_grad():
        for parameter in fused.parameters():
            parameter.zero_()
    for name, tensor in per_head.state_dict().items():
        assert torch.equal(tensor, before[name]), f"{name} changed with the copy"


def test_the_output_is_a_sum_over_the_heads():
    """Concat(head_1, ..., head_h) W_O = head_1 W_1 + ... + head_h W_h, the W_i being slices of W_O."""
    inputs = random_inputs()
    per_head = seeded(PerHeadAttention, D_MODEL, HEADS)
    slices = per_head.w_o.weight.T.split(D_K)
    total = sum(head(*inputs) @ w for head, w in zip(per_head.heads, slices, strict=True))
    assert_close(per_head(*inputs), total + per_head.w_o.bias)


# Splitting and merging


@given(st.data(), sizes, sizes, sizes, sizes)
def test_merging_undoes_splitting(data, batch, n, num_heads, d_k):
    x = data.draw(tensors(batch, n, num_heads * d_k))
    heads = split_heads(x, num_heads)
    assert heads.shape == (batch, num_heads, n, d_k)
    assert torch.equal(merge_heads(heads), x)
    for i in range(num_heads):
        assert torch.equal(heads[:, i], x[..., i * d_k : (i + 1) * d_k]), f"head {i} is not piece {i} of each vector"


def test_heads_of_a_tensor_in_another_memory_order():
    x = torch.randn(D_MODEL, N_Q, BATCH).permute(2, 1, 0)  # not contiguous
    assert torch.equal(split_heads(x, HEADS), split_heads(x.contiguous(), HEADS))
    assert torch.equal(merge_heads(split_heads(x, HEADS)), x)


# Properties


@given(tensors(BATCH, N_K, D_MODEL))
def test_each_row_of_weights_of_each_head_sums_to_one(x):
    _, weights = seeded(MultiHeadAttention, D_MODEL, HEADS)(x, x, x)
    assert weights.shape == (BATCH, HEADS, N_K, N_K)
    assert weights.min() >= 0
    assert_close(weights.sum(dim=-1), torch.ones(BATCH, HEADS, N_K, dtype=torch.float64))


@given(tensors(BATCH, N_K, D_MODEL), orders(N_K))
def test_self_attention_is_permutation_equivariant(x, order):
    attention = seeded(MultiHeadAttention, D_MODEL, HEADS)
    output, _ = attention(x, x, x)
    shuffled = x[:, order]
    assert_close(attention(shuffled, shuffled, shuffled)[0], output[:, order])


@given(tensors(BATCH, N_K, D_MODEL), orders(N_K))
def test_the_order_of_the_keys_does_not_matter(key, order):
    attention = seeded(MultiHeadAttention, D_MODEL, HEADS)
    query, _, value = random_inputs()
    assert_close(attention(query, key[:, order], value[:, order])[0], attention(query, key, value)[0])


@given(tensors(BATCH, N_K, D_MODEL), orders(HEADS))
def test_heads_in_another_order_give_the_same_output(x, order):
    *projections, w_o = einsum_weights(seeded(MultiHeadAttention, D_MODEL, HEADS))
    output = einsum_attention(x, *projections, w_o)
    assert_close(einsum_attention(x, *(w[order] for w in projections), w_o[order]), output)


def test_heads_in_another_order_need_their_rows_of_w_o():
    x, _, _ = random_inputs()
    *projections, w_o = einsum_weights(seeded(MultiHeadAttention, D_MODEL, HEADS))
    other = einsum_attention(x, *(w[[1, 2, 0]] for w in projections), w_o)
    assert not torch.allclose(other, einsum_attention(x, *projections, w_o), atol=0.01)


def test_changing_one_head_changes_the_weights_of_that_head_alone():
    attention, inputs = seeded(MultiHeadAttention, D_MODEL, HEADS), random_inputs()
    _, before = attention(*inputs)
    with torch.no_grad():
        attention.w_q.weight[D_K : 2 * D_K] *= 2  # rows of the second head
    _, after = attention(*inputs)
    assert [torch.equal(before[:, i], after[:, i]) for i in range(HEADS)] == [True, False, True]


def test_masked_weights_are_exactly_zero_in_every_head():
    mask = random_mask(BATCH, N_Q, N_K)
    _, weights = seeded(MultiHeadAttention, D_MODEL, HEADS)(*random_inputs(), mask)
    assert (weights.transpose(0, 1)[:, ~mask] == 0).all()
    assert (weights.transpose(0, 1)[:, mask] > 0).all()


def test_a_query_with_nothing_to_attend_to_gets_the_bias_of_w_o():
    attention = seeded(MultiHeadAttention, D_MODEL, HEADS)
    output, weights = attention(*random_inputs(), torch.zeros(N_Q, N_K, dtype=torch.bool))
    assert (weights == 0).all()
    assert_close(output, attention.w_o.bias.expand_as(output))


@given(tensors(BATCH, N_K, D_MODEL), tensors(BATCH, N_K, D_MODEL), st.integers(1, N_K - 1))
def test_under_a_causal_mask_the_future_does_not_reach_the_past(x, future, t):
    attention = seeded(MultiHeadAttention, D_MODEL, HEADS)
    causal = torch.ones(N_K, N_K, dtype=torch.bool).tril()
    changed = torch.cat([x[:, :t], future[:, t:]], dim=1)
    before, _ = attention(x, x, x, causal)
    after, _ = attention(changed, changed, changed, causal)
    assert_close(after[:, :t], before[:, :t])


@given(tensors(BATCH, N_K, D_MODEL, limit=100), st.integers(1, N_K - 1))
def test_padding_does_not_leak(noise, length):
    attention = seeded(MultiHeadAttention, D_MODEL, HEADS)
    query, key, value = random_inputs()
    words = torch.arange(N_K) < length  # (n_k,)
    mask = words.expand(BATCH, 1, N_K)
    before, _ = attention(query, key, value, mask)
    after, _ = attention(
        query, torch.where(words[:, None], key, noise), torch.where(words[:, None], value, noise), mask
    )
    assert_close(after, before)
    assert_close(before, attention(query, key[:, :length], value[:, :length])[0])


def test_sentences_of_a_batch_are_computed_independently():
    inputs, mask = random_inputs(), random_mask(BATCH, N_Q, N_K)
    attention = seeded(MultiHeadAttention, D_MODEL, HEADS)
    together = attention(*inputs, mask)
    for b in range(BATCH):
        alone = attention(*(x[b : b + 1] for x in inputs), mask[b])
        assert_close(alone, tuple(part[b : b + 1] for part in together))


# Errors


@pytest.mark.parametrize("make", [head_size, MultiHeadAttention, PerHeadAttention])
@pytest.mark.parametrize(("d_model", "num_heads"), [(512, 7), (512, 0), (8, -2), (4, 8)])
def test_widths_that_do_not_divide_into_heads_are_refused(make, d_model, num_heads):
    with pytest.raises(ValueError, match=f"{num_heads} heads do not divide d_model = {d_model}"):
        make(d_model, num_heads)


@pytest.mark.parametrize(
    ("query", "key", "value", "message"),
    [
        ((2, 5, 8), (2, 6, 12), (2, 6, 12), "(batch, n, 12), not [(2, 5, 8), (2, 6, 12), (2, 6, 12)]"),
        ((2, 5, 12), (2, 6, 8), (2, 6, 12), "(batch, n, 12), not [(2, 5, 12), (2, 6, 8), (2, 6, 12)]"),
        ((2, 5, 12), (2, 6, 12), (2, 6, 8), "(batch, n, 12), not [(2, 5, 12), (2, 6, 12), (2, 6, 8)]"),
        ((5, 12), (6, 12), (6, 12), "(batch, n, 12), not [(5, 12), (6, 12), (6, 12)]"),
        ((1, 2, 5, 12), (1, 2, 6, 12), (1, 2, 6, 12), "(batch, n, 12), not [(1, 2, 5, 12)"),
        ((2, 5, 12), (3, 6, 12), (3, 6, 12), "leading sizes differ: (2, 3, 5, 4), (3, 3, 6, 4)"),
        ((2, 5, 12), (2, 6, 12), (2, 5, 12), "each key needs one value: (2, 3, 6, 4), (2, 3, 5, 4)"),
    ],
    ids=str,
)
@pytest.mark.parametrize("form", [MultiHeadAttention, PerHeadAttention])
def test_wrong_shapes_are_named(form, query, key, value, message):
    if form is PerHeadAttention:  # each head attends for itself, without an axis for heads
        message = message.replace(f", {HEADS}, ", ", ")
    attention = form(D_MODEL, HEADS)
    with pytest.raises(ValueError, match="inputs are|differ|key") as error:
        attention(torch.zeros(query), torch.zeros(key), torch.zeros(value))
    assert message in str(error.value)


@pytest.mark.parametrize("shape", [(12,), (5, 12), (1, 2, 5, 12)])
def test_only_sequences_of_vectors_can_be_split(shape):
    with pytest.raises(ValueError, match="x is") as error:
        split_heads(torch.zeros(shape), HEADS)
    assert f"not {shape}" in str(error.value)


@pytest.mark.parametrize("shape", [(5, 12), (2, 5, 12), (1, 2, 3, 5, 4)])
def test_only_what_was_split_can_be_merged(shape):
    with pytest.raises(ValueError, match="x is") as error:
        merge_heads(torch.zeros(shape))
    assert f"not {shape}" in str(error.value)


@pytest.mark.parametrize("wrong", range(5))
def test_einsum_names_weights_that_do_not_fit(wrong):
    shapes = [(2, 5, 12)] + [(3, 12, 4)] * 3 + [(3, 4, 12)]
    shapes[wrong] = (3, 6, 5)
    with pytest.raises(ValueError, match="do not fit x") as error:
        einsum_attention(*(torch.zeros(shape) for shape in shapes))
    assert "(3, 6, 5)" in str(error.value)


@pytest.mark.parametrize("shape", [(), (N_K,), (BATCH, HEADS, N_Q, N_K), (N_K, N_Q), (3, N_Q, N_K)], ids=str)
def test_a_mask_of_a_wrong_shape_is_refused(shape):
    with pytest.raises(ValueError, match="attn_mask") as error:
        seeded(MultiHeadAttention, D_MODEL, HEADS)(*random_inputs(), torch.ones(shape, dtype=torch.bool))
    assert ", ".join(map(str, shape[-2:])) in str(error.value)


def test_two_axes_of_a_mask_are_those_of_queries_and_keys():
    """As in torch: a batch of n_q sequences does not turn (n_q, n_k) into (batch, n_k)."""
    x = torch.randn(N_Q, N_Q, D_MODEL, dtype=torch.float64, generator=torch.Generator().manual_seed(0))
    attention = seeded(MultiHeadAttention, D_MODEL, HEADS)
    mask = random_mask(N_Q, N_Q)
    _, weights = attention(x, x, x, mask)
    assert ((weights > 0) == mask).all()
    _, padded = attention(x, x, x, mask.unsqueeze(1))
    assert ((padded > 0) == mask[:, None, None]).all()
    with pytest.raises(ValueError, match="does not broadcast"):
        attention(x[:-1], x[:-1], x[:-1], mask[:-1])  # (batch, n_k), where batch is not n_q


def test_a_mask_that_is_not_boolean_is_refused():
    with pytest.raises(ValueError, match=r"attn_mask is boolean, not torch\.float32"):
        seeded(MultiHeadAttention, D_MODEL, HEADS)(*random_inputs(), torch.zeros(N_Q, N_K))
