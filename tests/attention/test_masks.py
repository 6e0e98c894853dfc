"""What the masks mean: True where a query may attend to a key."""

from __future__ import annotations

import pytest
import torch
import torch.nn.functional as F
from hypothesis import given
from hypothesis import strategies as st
from torch.testing import assert_close

from snippets.attention.masks import causal_mask, padding_mask
from snippets.attention.scaled_dot_product import scaled_dot_product_attention
from tests.properties import sizes, tensors

IDS = torch.tensor([[5, 9, 2, 7], [4, 8, 0, 0]])  # the second sentence is two tokens short


@st.composite
def padded(draw):
    """ids (batch, n): words 1 to 9, then padding 0; each sentence has at least one word."""
    batch, n = draw(sizes), draw(st.integers(2, 5))
    lengths = [draw(st.integers(1, n)) for _ in range(batch)]
    return torch.tensor([[draw(st.integers(1, 9)) if i < length else 0 for i in range(n)] for length in lengths])


def attend(x, mask):
    return scaled_dot_product_attention(x, x, x, mask)


def test_causal_mask_of_five_positions_is_lower_triangular():
    assert causal_mask(5).dtype == torch.bool
    assert causal_mask(5).int().tolist() == [
        [1, 0, 0, 0, 0],
        [1, 1, 0, 0, 0],
        [1, 1, 1, 0, 0],
        [1, 1, 1, 1, 0],
        [1, 1, 1, 1, 1],
    ]


def test_padding_mask_of_two_sentences():
    mask = padding_mask(IDS, 0)
    assert mask.dtype == torch.bool
    assert mask.int().tolist() == [[[1, 1, 1, 1]], [[1, 1, 0, 0]]]


def test_padding_has_the_id_it_is_given():
    assert padding_mask(torch.tensor([[0, 1, 3]]), pad_id=3).tolist() == [[[True, True, False]]]


def test_both_masks_combine_with_and():
    both = causal_mask(4) & padding_mask(IDS, 0)
    assert both.shape == (2, 4, 4)
    assert both.int()[1].tolist() == [[1, 0, 0, 0], [1, 1, 0, 0], [1, 1, 0, 0], [1, 1, 0, 0]]


def test_a_sentence_padded_on_the_left_has_queries_with_nothing_to_attend_to():
    both = causal_mask(4) & padding_mask(torch.tensor([[0, 0, 4, 8]]), 0)
    assert both.any(dim=-1).tolist() == [[False, False, True, True]]
    output, _ = attend(torch.ones(1, 4, 3), both)
    assert output.tolist() == [[[0, 0, 0], [0, 0, 0], [1, 1, 1], [1, 1, 1]]]


@pytest.mark.parametrize("n", [0, 1, 2, 7])
def test_position_i_may_attend_to_positions_up_to_i_only(n):
    mask = causal_mask(n)
    assert mask.shape == (n, n)
    assert {(i, j) for i in range(n) for j in range(n) if mask[i, j]} == {
        (i, j) for i in range(n) for j in range(i + 1)
    }


@given(padded())
def test_only_keys_are_masked_and_never_queries(ids):
    mask = padding_mask(ids, 0)
    assert mask.shape == (len(ids), 1, ids.size(1)), "the middle axis broadcasts over the queries"
    for b, sentence in enumerate(ids.tolist()):
        for j, word in enumerate(sentence):
            assert mask[b, 0, j].item() == (word != 0)


@given(st.data(), sizes)
def test_causal_attention_is_that_of_pytorch(data, n):
    x = data.draw(tensors(n, 3))
    assert_close(attend(x, causal_mask(n))[0], F.scaled_dot_product_attention(x, x, x, is_causal=True))


@given(st.data(), st.integers(2, 5))
def test_changing_the_future_changes_nothing_before_it(data, n):
    x, future, t = data.draw(tensors(n, 3)), data.draw(tensors(n, 3, limit=100)), data.draw(st.integers(1, n - 1))
    before, _ = attend(x, causal_mask(n))
    after, _ = attend(torch.cat([x[:t], future[t:]]), causal_mask(n))
    assert_close(after[:t], before[:t])


@given(st.data(), padded())
def test_what_stands_in_the_padding_does_not_matter(data, ids):
    x = data.draw(tensors(*ids.shape, 3))
    noise = data.draw(tensors(*ids.shape, 3, limit=1e6))
    words = ids != 0
    before, weights = attend(x, padding_mask(ids, 0))
    after, _ = attend(torch.where(words.unsqueeze(-1), x, noise), padding_mask(ids, 0))
    assert_close(after[words], before[words])
    assert (weights.transpose(1, 2)[~words] == 0).all(), "padding has weight"


@given(st.data(), padded())
def test_a_padded_sentence_gives_what_it_gives_alone(data, ids):
    x = data.draw(tensors(*ids.shape, 3))
    output, _ = attend(x, padding_mask(ids, 0))
    for sentence, words, result in zip(x, ids != 0, output, strict=True):
        assert_close(result[words], attend(sentence[words], None)[0])


@pytest.mark.parametrize("shape", [(), (4,), (2, 1, 4), (1, 2, 3, 4)], ids=str)
def test_ids_without_two_axes_are_refused(shape):
    with pytest.raises(ValueError, match="ids are") as error:
        padding_mask(torch.zeros(shape), 0)
    assert f"not {shape}" in str(error.value)


def test_the_masks_of_today_in_the_figure_leave_the_window_and_the_document():
    from snippets.figures.attention.masks import DOCUMENT, WINDOW, todays_masks

    masks, n = todays_masks(), len(DOCUMENT)
    for i in range(n):
        assert masks["window"][i].tolist() == [i - WINDOW < j <= i for j in range(n)]
        assert masks["documents"][i].tolist() == [j <= i and DOCUMENT[i] == DOCUMENT[j] for j in range(n)]
    assert not masks["window"].equal(masks["documents"])
