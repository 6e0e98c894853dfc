"""Every sentence is in one batch, no batch is too large, and neighbours are of about the same length."""

from __future__ import annotations

import pytest
from hypothesis import given
from hypothesis import strategies as st

import tests.properties  # noqa: F401 (the profile for Hypothesis)
from snippets.training.batching import batches_by_length, padding_share

LENGTHS = st.lists(st.integers(1, 20), min_size=1, max_size=40)


@given(LENGTHS, st.integers(20, 60))
def test_batches_hold_all_sentences_and_no_more_places_than_allowed(lengths, most):
    batches = batches_by_length(lengths, most)
    assert sorted(i for batch in batches for i in batch) == list(range(len(lengths)))
    assert all(batch and len(batch) * max(lengths[i] for i in batch) <= most for batch in batches)
    order = [lengths[i] for batch in batches for i in batch]
    assert order == sorted(order)


@given(LENGTHS, st.integers(20, 60))
def test_no_batch_could_take_the_next_sentence(lengths, most):
    batches = batches_by_length(lengths, most)
    for batch, following in zip(batches, batches[1:], strict=False):
        assert (len(batch) + 1) * lengths[following[0]] > most


def test_known_batches():
    lengths = [4, 1, 3, 1, 4]
    assert batches_by_length(lengths, 8) == [[1, 3], [2, 0], [4]]
    assert batches_by_length(lengths, 12) == [[1, 3, 2], [0, 4]]
    assert padding_share(lengths, [[1, 3, 2], [0, 4]]) == pytest.approx(4 / 17)
    assert padding_share([3, 3], [[0, 1]]) == 0


def test_a_sentence_longer_than_a_batch_is_named():
    with pytest.raises(ValueError, match="9 tokens in a batch of 8"):
        batches_by_length([2, 9], 8)
    assert batches_by_length([8], 8) == [[0]]
