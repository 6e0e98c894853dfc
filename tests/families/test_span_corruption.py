"""Span corruption loses nothing, and hides as much as it says."""

from __future__ import annotations

from collections import Counter

import pytest
import torch
from hypothesis import given
from hypothesis import strategies as st

from snippets.families.span_corruption import corrupt_spans, cut, restore, sentinel


def seeded(seed: int = 0) -> torch.Generator:
    return torch.Generator().manual_seed(seed)


def is_sentinel(token: str) -> bool:
    return token.startswith("<extra_id_")


WORDS = [f"w{i}" for i in range(200)]
seeds = st.integers(0, 10**6)


@given(st.integers(1, 12), st.data(), seeds)
def test_a_cut_has_so_many_parts_of_at_least_1(parts, data, seed):
    total = data.draw(st.integers(parts, 30))
    lengths = cut(total, parts, seeded(seed))
    assert len(lengths) == parts and sum(lengths) == total and min(lengths) >= 1


def test_all_cuts_are_equally_likely():
    generator = seeded()
    counts = Counter(tuple(cut(5, 3, generator)) for _ in range(3000))
    assert set(counts) == {(1, 1, 3), (1, 3, 1), (3, 1, 1), (1, 2, 2), (2, 1, 2), (2, 2, 1)}
    assert all(400 < count < 600 for count in counts.values())


@given(st.integers(4, 120), st.floats(0.15, 0.8), st.floats(1.0, 6.0), seeds)
def test_input_and_target_together_are_the_text(n, rate, mean_length, seed):
    tokens = WORDS[:n]
    source, target = corrupt_spans(tokens, seeded(seed), rate, mean_length)
    assert restore(source, target) == tokens


@given(st.integers(4, 120), st.floats(0.15, 0.8), st.floats(1.0, 6.0), seeds)
def test_each_span_has_a_sentinel_in_order_and_the_target_one_more(n, rate, mean_length, seed):
    source, target = corrupt_spans(WORDS[:n], seeded(seed), rate, mean_length)
    marks = [token for token in source if is_sentinel(token)]
    assert marks == [sentinel(i) for i in range(len(marks))]
    assert [token for token in target if is_sentinel(token)] == [*marks, sentinel(len(marks))]
    assert target[-1] == sentinel(len(marks))
    pairs = zip(source, source[1:], strict=False)
    assert not any(is_sentinel(a) and is_sentinel(b) for a, b in pairs), "two spans that touch are one"
    assert not any(is_sentinel(a) and is_sentinel(b) for a, b in zip(target, target[1:], strict=False))


@pytest.mark.parametrize(
    ("rate", "mean_length", "hidden", "spans"), [(0.15, 3.0, 30, 10), (0.5, 10.0, 100, 10), (0.15, 1.0, 30, 30)]
)
def test_as_much_is_hidden_in_as_many_spans_as_said(rate, mean_length, hidden, spans):
    for seed in range(5):
        source, target = corrupt_spans(WORDS, seeded(seed), rate, mean_length)
        assert len(source) == 200 - hidden + spans
        assert len(target) == hidden + spans + 1


def test_by_default_15_percent_in_spans_of_3():
    source, target = corrupt_spans(WORDS, seeded())
    assert (len(source), len(target)) == (180, 41)


def test_of_a_few_tokens_one_is_hidden():
    source, target = corrupt_spans(WORDS[:7], seeded())
    assert restore(source, target) == WORDS[:7]
    assert (len(source), len(target)) == (7, 3)


def test_every_place_can_be_hidden_and_none_is_preferred_much():
    generator, counts = seeded(), Counter()
    for _ in range(2000):
        _, target = corrupt_spans(WORDS[:20], generator)
        counts.update(token for token in target if not is_sentinel(token))
    assert sum(counts.values()) == 2000 * 3  # in one span
    assert all(counts[word] > 80 for word in WORDS[:20])  # the ends are in one of 18 spans, the middle in three


def test_what_is_drawn_depends_on_the_generator_alone():
    first, second = corrupt_spans(WORDS, seeded(1)), corrupt_spans(WORDS, seeded(2))
    assert corrupt_spans(WORDS, seeded(1)) == first != second


def test_more_spans_than_there_is_room_for_become_fewer():
    """Of four tokens three are hidden: at most two spans, with the fourth between them."""
    source, target = corrupt_spans(WORDS[:4], seeded(), 0.75, 1.0)
    assert restore(source, target) == WORDS[:4]
    assert (len(source), len(target)) == (3, 6)


@pytest.mark.parametrize(("n", "rate", "hidden"), [(0, 0.5, 0), (3, 0.1, 0), (4, 1.0, 4)])
def test_nothing_hidden_or_nothing_left_is_refused(n, rate, hidden):
    with pytest.raises(ValueError, match=f"of {n} tokens, {hidden} would be hidden"):
        corrupt_spans(WORDS[:n], seeded(), rate)


def test_the_sentence_of_the_paper():
    """Figure 2 of Raffel et al. (2020)."""
    source = ["Thank", "you", sentinel(0), "me", "to", "your", "party", sentinel(1), "week", "."]
    target = [sentinel(0), "for", "inviting", sentinel(1), "last", sentinel(2)]
    assert restore(source, target) == "Thank you for inviting me to your party last week .".split()
