"""What it means to learn merges incrementally: the same merges, and only what has changed is counted."""

from __future__ import annotations

from collections import Counter
from itertools import pairwise

import pytest
from hypothesis import given
from hypothesis import strategies as st

from snippets.before import incremental_bpe
from snippets.before.byte_pair_encoding import count_pairs, learn, merge
from snippets.before.incremental_bpe import changed_pairs, learn_incrementally
from tests import properties  # noqa: F401 (the same examples on every run)

words = st.dictionaries(st.text("abc", min_size=1, max_size=9).map(tuple), st.integers(1, 5), max_size=8)
pairs = st.tuples(st.sampled_from("abc"), st.sampled_from("abc"))


def test_a_known_answer():
    assert changed_pairs(tuple("xaay"), ("a", "a")) == {
        ("a", "a"): -1, ("x", "a"): -1, ("a", "y"): -1, ("x", "aa"): 1, ("aa", "y"): 1
    }  # fmt: skip
    assert changed_pairs(tuple("xaya"), ("a", "a")) == {}


@given(st.text("abc", max_size=9).map(tuple), pairs)
def test_what_was_there_and_what_has_changed_is_what_is_there(word, pair):
    changes = changed_pairs(word, pair)
    counts = Counter(pairwise(word))
    counts.update(changes)
    assert +counts == count_pairs({merge(word, pair): 1}) and 0 not in changes.values()


@given(words, st.integers(0, 30))
def test_the_same_ids_and_merges_as_counting_all_again(words, vocab_size):
    assert learn_incrementally(words, "cab", vocab_size) == learn(words, "cab", vocab_size)


@pytest.mark.parametrize("vocab_size", [3, 6, 9, 60])
def test_known_words(vocab_size):
    counted = {tuple("abcabc"): 2, tuple("cab"): 3, tuple("aaaa"): 1, tuple("bcb"): 5, tuple("a"): 9}
    assert learn_incrementally(counted, "abc", vocab_size) == learn(counted, "abc", vocab_size)


def test_only_words_with_the_merged_pair_are_merged(monkeypatch):
    counted = {tuple("ab" + letter): 9 for letter in "cdef"} | {tuple("gh" + letter): 1 for letter in "cdef"}
    merged = []
    monkeypatch.setattr(incremental_bpe, "merge", lambda word, pair: merged.append(word) or merge(word, pair))
    learn_incrementally(counted, "abcdefgh", 9)
    assert {word[0] for word in merged} == {"a"}


def test_a_pair_that_is_nowhere_left_is_forgotten():
    assert learn_incrementally({("a", "b"): 1, ("b", "a"): 1}, "ab", 50)[1] == [("a", "b"), ("b", "a")]
    assert learn_incrementally({}, "ab", 50) == ({"a": 0, "b": 1}, [])
