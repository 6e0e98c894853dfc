"""Positions inside attention: the property that defines each kind, and an independent implementation."""

from __future__ import annotations

import math

import pytest
import torch
from hypothesis import given
from hypothesis import strategies as st
from torch.testing import assert_close

from snippets.positions.fixed_offset import offset_map
from snippets.positions.relative import alibi_bias, offsets, relative_scores, rotate, t5_bucket
from snippets.positions.sinusoidal import frequencies
from tests.properties import sizes


def random(*shape):
    return torch.randn(shape, dtype=torch.float64, generator=torch.Generator().manual_seed(0))


def test_offsets_count_from_the_query_to_the_key():
    assert offsets(2, 3).tolist() == [[0, 1, 2], [-1, 0, 1]]


# Shaw et al.


@given(sizes, sizes, st.integers(0, 3))
def test_relative_scores_are_those_of_a_loop(n_q, n_k, clip):
    query, key, table = random(2, n_q, 4), random(2, n_k, 4) + 1, random(2 * clip + 1, 4) - 1
    scores = relative_scores(query, key, table)
    assert scores.shape == (2, n_q, n_k)
    for i in range(n_q):
        for j in range(n_k):
            a = table[min(max(j - i, -clip), clip) + clip]
            expected = ((key[:, j] + a) * query[:, i]).sum(dim=-1) / 2
            assert_close(scores[:, i, j], expected)


def test_relative_scores_of_equal_tokens_depend_on_the_offset_alone():
    query, key = random(1, 4).expand(9, 4), random(1, 4).expand(9, 4)
    scores = relative_scores(query, key, random(5, 4))
    for offset in range(-8, 9):
        diagonal = scores.diagonal(offset)
        assert_close(diagonal, diagonal[:1].expand_as(diagonal))
    assert_close(scores.diagonal(2)[0], scores.diagonal(8)[0])  # farther than clip counts as clip


@pytest.mark.parametrize(
    ("query", "key", "table"),
    [((3, 4), (3, 5), (3, 4)), ((3, 4), (3, 4), (3, 5)), ((3, 4), (3, 4), (4, 4)), ((3, 4), (3, 4), (3,))],
)
def test_relative_scores_name_shapes_that_do_not_fit(query, key, table):
    with pytest.raises(ValueError, match="do not fit") as error:
        relative_scores(torch.zeros(query), torch.zeros(key), torch.zeros(table))
    assert all(str(shape) in str(error.value) for shape in (query, key, table))


# T5


def bucket(offset: int, num_buckets: int, max_distance: int) -> int:
    """The bucket by searching, in whole numbers: the e-th far bucket starts where d^h >= exact^(h-e) max_distance^e."""
    half = num_buckets // 2
    exact = half // 2
    distance, wide = abs(offset), half - exact
    place = distance
    if distance >= exact:
        place = exact + max(e for e in range(wide) if distance**wide >= exact ** (wide - e) * max_distance**e)
    return place + (half if offset > 0 else 0)


@pytest.mark.parametrize(("num_buckets", "max_distance"), [(32, 128), (16, 64), (8, 20), (64, 512), (4, 8), (12, 81)])
def test_buckets_are_those_of_an_exact_search(num_buckets, max_distance):
    places = range(-2 * max_distance, 2 * max_distance + 1)
    found = t5_bucket(torch.tensor(places), num_buckets, max_distance).tolist()
    assert found == [bucket(place, num_buckets, max_distance) for place in places]
    assert set(found) <= set(range(num_buckets))


def test_by_default_there_are_32_buckets_up_to_128():
    places = torch.arange(-300, 301)
    assert t5_bucket(places).tolist() == [bucket(place, 32, 128) for place in places.tolist()]


@pytest.mark.parametrize(("sizes", "first"), [((56, 10_000), 235), ((96, 81), 54)])
def test_where_a_bucket_begins_nothing_is_rounded(sizes, first):
    """Logarithms in float32 put one or the other of these into the bucket before, depending on the processor."""
    for edge in (first - 1, first, -first, 1 - first):
        assert t5_bucket(torch.tensor(edge), *sizes).item() == bucket(edge, *sizes)
    assert t5_bucket(torch.tensor([1 - first, -first]), *sizes).diff() == 1


def test_the_buckets_of_the_page():
    assert t5_bucket(-torch.tensor([0, 1, 7, 8, 11, 12, 128, 5000])).tolist() == [0, 1, 7, 8, 8, 9, 15, 15]
    assert t5_bucket(torch.tensor([1, 7, 8, 5000])).tolist() == [17, 23, 24, 31]


def test_the_buckets_of_a_decoder_are_one_half_of_64():
    """Raffel et al.'s code, not bidirectional, at distances that are no boundaries."""
    distance = torch.tensor([0, 15, 16, 23, 33, 50, 65, 127, 5000])
    far = 16 + (torch.log(distance / 16) / math.log(128 / 16) * 16).long().clamp(max=15)
    assert t5_bucket(-distance, num_buckets=64).tolist() == distance.where(distance < 16, far).tolist()


@pytest.mark.parametrize("num_buckets", [0, 2, 33, -4])
def test_buckets_come_in_quarters(num_buckets):
    with pytest.raises(ValueError, match=f"multiple of 4, not {num_buckets}"):
        t5_bucket(torch.arange(3), num_buckets)


@pytest.mark.parametrize("max_distance", [-1, 0, 8])
def test_the_largest_distance_is_beyond_those_with_a_bucket_each(max_distance):
    with pytest.raises(ValueError, match=f"above 8, not {max_distance}"):
        t5_bucket(torch.arange(3), 32, max_distance)
    assert t5_bucket(-torch.arange(40), 32, 9).max() == 15


def test_buckets_never_fall_with_distance():
    far = t5_bucket(-torch.arange(1000))
    assert (far[1:] >= far[:-1]).all()


# ALiBi


@pytest.mark.parametrize("num_heads", [1, 2, 8, 16])
def test_the_bias_is_linear_in_the_distance_and_leaves_the_future_alone(num_heads):
    bias = alibi_bias(7, num_heads)
    assert bias.shape == (num_heads, 7, 7)
    for head in range(num_heads):
        slope = 2 ** (-8 * (head + 1) / num_heads)
        for i in range(7):
            for j in range(7):
                assert bias[head, i, j].item() == pytest.approx(-slope * max(i - j, 0))


def test_the_slopes_of_eight_heads_are_those_of_the_paper():
    assert_close(-alibi_bias(2, 8)[:, 1, 0], torch.tensor([1 / 2**k for k in range(1, 9)]))


@pytest.mark.parametrize("num_heads", [-1, 0, 3, 12])
def test_other_numbers_of_heads_are_refused(num_heads):
    with pytest.raises(ValueError, match=f"power of 2, not {num_heads}"):
        alibi_bias(3, num_heads)


# Rotary


@given(st.integers(0, 4000), st.integers(-2000, 2000), st.integers(0, 3000))
def test_rotated_scores_depend_on_the_offset_alone(i, k, shift):
    query, key = random(2, 1, 16)

    def score(i, j):
        return (rotate(query, torch.tensor([i])) * rotate(key, torch.tensor([j]))).sum().item()

    assert score(i, i + k) == pytest.approx(score(i + shift, i + k + shift), abs=1e-8)


def test_a_rotation_keeps_lengths_and_begins_with_the_identity():
    x = random(3, 10, 8)
    assert_close(rotate(x, torch.arange(10)).norm(dim=-1), x.norm(dim=-1))
    assert_close(rotate(x, torch.zeros(10)), x)


def test_pairs_are_turned_as_complex_numbers_are():
    """An independent way to write it: multiply x_2i + i x_2i+1 by e^(i angle)."""
    x = random(2, 5, 8)
    angles = torch.arange(5.0).double().unsqueeze(1) * 10000.0 ** -(torch.arange(0, 8, 2).double() / 8)
    turned = torch.view_as_complex(x.view(2, 5, 4, 2).contiguous()) * torch.polar(torch.ones_like(angles), angles)
    assert_close(rotate(x, torch.arange(5)), torch.view_as_real(turned).flatten(-2))


def test_another_base_turns_each_pair_at_another_pace():
    x, base = random(1, 8), 500_000.0
    for position in (1, 7):
        turned = rotate(x, torch.tensor([position]), base)
        for i, (pair, new) in enumerate(zip(x.unflatten(1, (4, 2))[0], turned.unflatten(1, (4, 2))[0], strict=True)):
            angle = torch.tensor(position * base ** (-2 * i / 8), dtype=torch.float64)
            expected = [pair[0] * angle.cos() - pair[1] * angle.sin(), pair[0] * angle.sin() + pair[1] * angle.cos()]
            assert_close(new, torch.stack(expected))


@given(st.integers(-50, 50), sizes)
def test_the_rotation_is_the_map_of_the_opposite_offset(position, half):
    x = random(1, 2 * half)
    assert_close(rotate(x, torch.tensor([position])), x @ offset_map(-position, 2 * half))


def test_swapping_the_components_of_each_pair_reverses_the_rotation():
    x, position = random(1, 8), torch.tensor([3])

    def swap(x):
        return x.unflatten(-1, (-1, 2)).flip(-1).flatten(-2)

    assert_close(swap(rotate(swap(x), position)), rotate(x, -position))


def test_halves_are_pairs_of_neighbours_in_another_order():
    query, key, positions = random(5, 8), random(5, 8) + 1, torch.arange(5)
    angles = (positions.unsqueeze(1) * frequencies(8)).repeat(1, 2)

    def rotate_half(x):  # pairs a component with the one half a vector away
        return x * angles.cos() + torch.cat([-x[:, 4:], x[:, :4]], dim=1) * angles.sin()

    order = [0, 2, 4, 6, 1, 3, 5, 7]
    scores = rotate(query, positions) @ rotate(key, positions).T
    assert_close(rotate_half(query[:, order]) @ rotate_half(key[:, order]).T, scores)
    assert (rotate_half(query) @ rotate_half(key).T - scores).abs().max() > 1


def test_rotating_changes_no_dtype():
    assert rotate(torch.zeros(2, 4), torch.arange(2)).dtype == torch.float32


@pytest.mark.parametrize("dtype", [torch.int64, torch.int32, torch.bool])
def test_rotate_refuses_what_it_would_have_to_round(dtype):
    with pytest.raises(ValueError, match=f"floating-point numbers, not {dtype}"):
        rotate(torch.ones(2, 4, dtype=dtype), torch.arange(2))


@pytest.mark.parametrize(("x", "positions"), [((5, 8), (4,)), ((8,), (8,)), ((5, 8), (5, 8))])
def test_rotate_wants_a_position_for_each_row(x, positions):
    with pytest.raises(ValueError, match="positions") as error:
        rotate(torch.zeros(x), torch.zeros(positions))
    assert str(x) in str(error.value) and str(positions) in str(error.value)


def test_rotate_wants_pairs():
    with pytest.raises(ValueError, match="even"):
        rotate(torch.zeros(2, 7), torch.arange(2))


@pytest.mark.parametrize(
    "function",
    [
        lambda x: relative_scores(x, x, x[:3]),
        lambda x: rotate(x, torch.arange(4, device="cpu")),
        lambda x: alibi_bias(4, 2, x.device),
        lambda x: offsets(4, 4, x.device),
    ],
)
def test_the_device_is_that_of_the_input(function):
    x = random(4, 8)
    expected = function(x)
    with torch.device("meta"):
        assert torch.equal(function(x), expected)


def test_the_library_keeps_frequencies_in_float32_if_it_loads_in_bfloat16():
    """What the page on RoPE says of ``from_pretrained`` and of ``model.bfloat16()``."""
    from transformers import LlamaConfig, LlamaModel

    config = LlamaConfig(hidden_size=8, num_attention_heads=1, num_hidden_layers=1, intermediate_size=8, vocab_size=5)
    model = LlamaModel(config)
    loaded = LlamaModel.from_pretrained(None, config=config, state_dict=model.state_dict(), dtype=torch.bfloat16)
    assert loaded.embed_tokens.weight.dtype == torch.bfloat16 and loaded.rotary_emb.inv_freq.dtype == torch.float32
    assert model.bfloat16().rotary_emb.inv_freq.dtype == torch.bfloat16
