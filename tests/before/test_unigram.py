"""The unigram model of subwords: cuts against the library, likelihood against its definition."""

from __future__ import annotations

import math

import pytest
from hypothesis import given
from hypothesis import strategies as st
from tokenizers import models

from snippets.before.unigram import LEAST, best_cut, cuts, estimate, log_likelihood, prune, substrings, without

FIVE = {"or": 6, "for": 3, "not": 2, "no": 1, "nor": 1}
some_tokens = st.dictionaries(
    st.text("abc", min_size=1, max_size=3), st.floats(0.001, 1, allow_subnormal=False), min_size=1, max_size=8
)


def test_a_word_has_each_cut_once_as_probable_as_its_tokens():
    assert dict(cuts("abc", {"a": 0.5, "b": 0.25, "c": 0.2, "ab": 0.3})) == pytest.approx(
        {("a", "b", "c"): 0.5 * 0.25 * 0.2, ("ab", "c"): 0.3 * 0.2}
    )
    assert list(cuts("ad", {"a": 0.5})) == []
    assert list(cuts("", {})) == [((), 1.0)]


@given(some_tokens, st.text("abc", min_size=1, max_size=7))
def test_the_best_cut_is_the_most_probable_of_all_and_that_of_the_library(probabilities, word):
    probabilities |= {letter: 1e-4 for letter in "abc" if letter not in probabilities}
    ways = dict(cuts(word, probabilities))
    ours = best_cut(word, probabilities)
    assert "".join(ours) == word and ways[ours] == pytest.approx(max(ways.values()))
    library = models.Unigram([(token, math.log(p)) for token, p in probabilities.items()])
    theirs = tuple(token.value for token in library.tokenize(word))
    assert ways[theirs] == pytest.approx(ways[ours])


def test_a_word_without_a_cut_is_refused():
    with pytest.raises(ValueError, match="make up 'ad'"):
        best_cut("ad", {"a": 1.0})


def test_the_likelihood_sums_over_cuts():
    p = {"a": 0.5, "b": 0.3, "ab": 0.2}
    expected = 3 * math.log(0.5 * 0.3 + 0.2) + 2 * math.log(0.3)
    assert log_likelihood({"ab": 3, "b": 2}, p) == pytest.approx(expected)


def test_one_step_of_em_counts_tokens_by_the_probability_of_their_cuts():
    found = estimate({"ab": 3, "b": 2}, {"a": 0.5, "b": 0.3, "ab": 0.2}, steps=1)
    apart = 0.15 / 0.35
    counts = {"a": 3 * apart, "b": 3 * apart + 2, "ab": 3 * (1 - apart)}
    assert found == pytest.approx({token: n / sum(counts.values()) for token, n in counts.items()})


@given(st.dictionaries(st.text("ab", min_size=1, max_size=4), st.integers(1, 9), min_size=1, max_size=4))
def test_no_step_of_em_lowers_the_likelihood(words):
    tokens = {word[i:j] for word in words for i in range(len(word)) for j in range(i + 1, len(word) + 1)}
    before = {token: 1 / len(tokens) for token in tokens}
    for _ in range(3):
        after = estimate(words, before, steps=1)
        assert sum(after.values()) == pytest.approx(1)
        assert log_likelihood(words, after) >= log_likelihood(words, before) - 1e-9
        before = after


def test_without_a_token_the_others_start_from_what_they_had_and_no_less_than_the_least():
    assert LEAST == pytest.approx(0.001)
    p = {"o": 0.0, "n": 0.1, "r": 0.0, "or": 0.4, "no": 0.2, "nor": 0.3}
    found = without("nor", {"or": 2, "no": 1, "nor": 1}, p)
    assert "nor" not in found and sum(found.values()) == pytest.approx(1)
    start = {"o": LEAST, "n": 0.1, "r": LEAST, "or": 0.4, "no": 0.2}
    total = sum(start.values())
    assert found == estimate({"or": 2, "no": 1, "nor": 1}, {token: x / total for token, x in start.items()})


def test_what_costs_least_is_removed_and_characters_stay():
    probabilities, removed = prune(FIVE, vocab_size=8)
    assert {token for token in probabilities if len(token) == 1} == set("ofnrt")
    assert len(probabilities) == 8 and len(removed) == 4
    assert [token for token, _ in removed][:2] == ["fo", "ot"], "no cut needs them, and of equals the first by name"
    assert [cost for _, cost in removed] == sorted(cost for _, cost in removed)
    assert prune(FIVE, vocab_size=12)[1] == []


def test_the_cost_is_what_the_likelihood_loses():
    eleven, (first,) = prune(FIVE, vocab_size=11)
    ten, (_, second) = prune(FIVE, vocab_size=10)
    assert first[1] == pytest.approx(0, abs=1e-3)
    assert second[1] == pytest.approx(log_likelihood(FIVE, eleven) - log_likelihood(FIVE, ten), abs=2e-3)


def test_substrings_have_their_share_of_all_occurrences():
    assert substrings({"aab": 2, "b": 1}) == pytest.approx(
        {"a": 4 / 13, "b": 3 / 13, "aa": 2 / 13, "ab": 2 / 13, "aab": 2 / 13}
    )


def test_costs_have_three_places():
    costs = [cost for _, cost in prune(FIVE, vocab_size=5)[1]]
    assert costs == [round(cost, 3) for cost in costs] != [round(cost, 2) for cost in costs]


def test_em_goes_on_until_nothing_changes():
    words = {"ab": 3, "b": 2, "a": 1}
    found = estimate(words, {"a": 0.4, "b": 0.3, "ab": 0.3})
    assert found == pytest.approx(estimate(words, found, steps=1), abs=1e-12)


def test_characters_are_all_that_is_left_in_the_end():
    probabilities, removed = prune({"ab": 2, "ba": 1}, vocab_size=0)
    assert probabilities == pytest.approx({"a": 0.5, "b": 0.5})
    assert {token for token, _ in removed} == {"ab", "ba"}
