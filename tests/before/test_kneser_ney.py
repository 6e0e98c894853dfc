"""Kneser–Ney smoothing against its formula written out, and what it means."""

from __future__ import annotations

import pytest
from hypothesis import given
from hypothesis import strategies as st

from snippets.before.kneser_ney import KneserNeyModel, continuations
from snippets.before.language_models import END, NGramModel, bits, cross_entropy, ngrams, split
from snippets.before.two_constitutions import constitution

VOCAB = ["a", "b", "c", END]
LINES = [list(line) for line in ["abab", "ac", "b", "cab"]]
D = 0.6

lines_of_letters = st.lists(st.lists(st.sampled_from("abc"), max_size=6), min_size=1, max_size=6)


def test_a_shorter_context_counts_what_came_before():
    counts = NGramModel(LINES, 2, VOCAB).counts
    assert continuations(counts)[()] == {"a": 3, "b": 2, "c": 2, END: 2}  # a after <s>, b, c; the end after b, c


def test_bigrams_by_the_formula():
    model = KneserNeyModel(LINES, 2, VOCAB, D)
    different, all_of_them = {"a": 3, "b": 2, "c": 2, END: 2}, 9

    def below(w):
        return (different[w] - D) / all_of_them + D * 4 / all_of_them / 4

    after_a = {"b": 3, "c": 1}  # of 4
    for w in VOCAB:
        expected = max(after_a.get(w, 0) - D, 0) / 4 + D * 2 / 4 * below(w)
        assert model.probability(w, "a") == pytest.approx(expected)


def test_trigrams_by_the_formula_with_the_start_of_a_line_counted_as_it_occurs():
    model = KneserNeyModel(LINES, 3, VOCAB, D)
    found = {ngram for line in LINES for ngram in ngrams(line, 3)}
    different = {w: sum(h[1] == "a" and x == w for h, x in found) for w in VOCAB}
    assert model.shorter.seen_after("a") == {w: n for w, n in different.items() if n}
    starts = [line[0] for line in LINES]
    assert model.shorter.seen_after("") == {w: starts.count(w) for w in set(starts)}


def test_longer_beginnings_of_lines_are_counted_as_they_occur_too():
    lines = [list("ab")] * 3 + [list("ac")]
    assert KneserNeyModel(lines, 4, VOCAB, D).shorter.seen_after("a") == {"b": 3, "c": 1}


def test_plain_discounting_counts_occurrences_down_to_the_shortest_context():
    model = KneserNeyModel(LINES, 3, VOCAB, D, by_context=False)
    for shorter, n in ((model.shorter, 2), (model.shorter.shorter, 1)):
        assert shorter.counts == NGramModel(LINES, n, VOCAB).counts


@given(lines_of_letters, st.integers(1, 4), st.lists(st.sampled_from("abc"), max_size=5), st.booleans())
def test_probabilities_after_any_context_are_positive_and_sum_to_one(lines, n, before, by_context):
    model = KneserNeyModel(lines, n, VOCAB, D, by_context)
    after = [model.probability(token, before) for token in VOCAB]
    assert min(after) > 0
    assert sum(after) == pytest.approx(1)


def test_a_frequent_token_of_one_context_is_unlikely_in_a_new_one():
    """b is more frequent than c, but comes only after a."""
    lines = [list("ab")] * 5 + [list("ac"), list("bc"), list("c")]
    after = KneserNeyModel(lines, 2, VOCAB, D).shorter
    plain = KneserNeyModel(lines, 2, VOCAB, D, by_context=False).shorter
    assert after.probability("c", "") > after.probability("b", "")
    assert plain.probability("b", "") > plain.probability("c", "")


def test_a_context_never_seen_asks_the_shorter_one():
    model = KneserNeyModel(LINES, 3, VOCAB, D)
    assert model.probability("a", "cc") == model.shorter.probability("a", "c")


@pytest.mark.parametrize("language", ["ko", "en"])
def test_trigrams_are_better_by_contexts_on_lines_held_out(language):
    lines = [list(line) for line in constitution(language)]
    train, _, test = split(lines)
    vocab = [*sorted({token for line in lines for token in line}), END]
    by, plain = (bits(cross_entropy(KneserNeyModel(train, 3, vocab, 0.7, one), test)) for one in (True, False))
    assert by < plain - 0.01


@pytest.mark.parametrize("discount", [0, 1, -0.1])
def test_what_is_no_discount_is_refused(discount):
    with pytest.raises(ValueError, match="discount is between 0 and 1"):
        KneserNeyModel(LINES, 2, VOCAB, discount)
