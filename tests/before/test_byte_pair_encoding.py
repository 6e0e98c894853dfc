"""What byte-pair encoding means: the most frequent neighbours become one token, and no text is lost."""

from __future__ import annotations

import json
import unicodedata
from collections import Counter

import pytest
from hypothesis import given
from hypothesis import strategies as st

from snippets.before import two_constitutions
from snippets.before.byte_pair_encoding import (
    BYTES,
    PIECE,
    BytePairEncoding,
    count_pairs,
    learn,
    merge,
    segment,
    spell,
    trained_by_library,
)
from snippets.before.corpus import constitution, declaration
from snippets.figures.before import joined_word
from tests import properties  # noqa: F401 (the same examples on every run)

TEXTS = declaration("ko")[:8] + declaration("en")[:8]
SMALL, SMALL_OF_LIBRARY = BytePairEncoding(TEXTS, 340), trained_by_library(TEXTS, 340)

few_letters = st.text("aab c국", max_size=12)  # so that pairs repeat, tie and overlap
any_text = st.one_of(
    st.text(),
    st.text("가나다한글국민 ㄱㄴㅏㅋᄀ\u1161\u11ab"),  # syllables, and 자모 of both kinds
    st.text(st.characters(min_codepoint=0x1F300, max_codepoint=0x1FAFF)),  # emoji
    st.text(st.characters(min_codepoint=0xAC00, max_codepoint=0xD7A3)).map(lambda s: unicodedata.normalize("NFD", s)),
    st.binary().map(lambda b: b.decode("latin-1")),
)


def by_ids(tokenizer, merges):
    return [(tokenizer.ids[a], tokenizer.ids[b]) for a, b in merges]


def library_merges(tokenizer):
    merges = json.loads(tokenizer.to_str())["model"]["merges"]
    return [tuple(map(tokenizer.token_to_id, pair)) for pair in merges]


@pytest.mark.parametrize(
    ("word", "pair", "result"),
    [
        ("aaa", ("a", "a"), ("aa", "a")),
        ("aaaa", ("a", "a"), ("aa", "aa")),
        ("abcab", ("a", "b"), ("ab", "c", "ab")),
        ("ba", ("a", "b"), ("b", "a")),
        ("", ("a", "b"), ()),
    ],
)
def test_a_pair_becomes_one_token_from_the_left(word, pair, result):
    assert merge(tuple(word), pair) == result


@given(few_letters, st.tuples(st.sampled_from("ab"), st.sampled_from("ab")))
def test_a_merge_keeps_the_text_and_leaves_no_pair(word, pair):
    merged = merge(tuple(word), pair)
    assert "".join(merged) == word
    assert all(here != pair for here in zip(merged, merged[1:], strict=False))


def test_pairs_count_as_often_as_their_word_occurs():
    assert count_pairs({("a", "b", "a"): 3, ("a", "b"): 2, ("c",): 9}) == {("a", "b"): 5, ("b", "a"): 3}


def test_a_known_answer_with_a_run_and_a_tie():
    ids, merges = learn({tuple("aaabdaaabac"): 1}, "abcd", 7)
    assert merges == [("a", "a"), ("a", "b"), ("aa", "ab")]
    assert ids == {"a": 0, "b": 1, "c": 2, "d": 3, "aa": 4, "ab": 5, "aaab": 6}


def test_the_more_frequent_pair_comes_first_and_of_equals_the_smaller_ids():
    _, merges = learn({("a", "b"): 2, ("c", "d"): 3, ("a", "c"): 2}, "dcba", 6)
    assert merges == [("c", "d"), ("a", "c")], "c has a smaller id than b"
    _, merges = learn({("b", "a"): 1, ("a", "b"): 1}, "ab", 3)
    assert merges == [("a", "b")]


def test_learning_ends_when_there_is_nothing_left_to_merge():
    ids, merges = learn({("a", "b"): 1}, "ab", 99)
    assert list(ids) == ["a", "b", "ab"] and merges == [("a", "b")]
    assert learn({}, "ab", 99) == ({"a": 0, "b": 1}, [])


def test_a_token_keeps_the_id_it_has():
    ids, merges = learn({("ab", "c"): 2, ("a", "bc"): 1}, ["a", "ab", "bc", "c"], 9)
    assert merges == [("ab", "c"), ("a", "bc")] and ids == {"a": 0, "ab": 1, "bc": 2, "c": 3, "abc": 4}


@given(st.lists(few_letters, max_size=6), st.integers(0, 30))
def test_merges_and_ids_are_those_of_the_library_with_ties_and_overlaps(texts, merges):
    ours, theirs = BytePairEncoding(texts, 256 + merges), trained_by_library(texts, 256 + merges)
    assert by_ids(ours, ours.merges) == library_merges(theirs)
    assert len(ours.ids) == theirs.get_vocab_size()
    for text in texts:
        assert ours.encode(text[::-1]) == theirs.encode(text[::-1]).ids


@pytest.mark.thorough
@pytest.mark.parametrize("texts", [constitution(), declaration("en")], ids=["constitution", "declaration"])
def test_merges_and_ids_are_those_of_the_library_on_real_text(texts):
    ours, theirs = BytePairEncoding(texts, 400), trained_by_library(texts, 400)
    assert len(ours.merges) == 144 and by_ids(ours, ours.merges) == library_merges(theirs)
    for text in [*texts, *declaration("ko")]:
        assert ours.encode(text) == theirs.encode(text).ids


@given(any_text)
def test_ids_of_any_text_are_those_of_the_library(text):
    assert SMALL.encode(text) == SMALL_OF_LIBRARY.encode(text).ids


@given(any_text)
def test_every_text_comes_back(text):
    tokenizer = BytePairEncoding(["국민은 한글을", "the right to"], 280)
    assert tokenizer.decode(tokenizer.encode(text)) == text
    assert b"".join(tokenizer.cut(text)) == text.encode()


@given(st.binary())
def test_any_bytes_can_be_cut(data):
    word = tuple(bytes([b]) for b in data)
    assert b"".join(segment(word, SMALL.ranks)) == data


def test_a_new_word_is_cut_by_the_merge_that_was_learned_first():
    ranks = {("b", "c"): 0, ("a", "b"): 1, ("ab", "c"): 2, ("a", "bc"): 3}
    assert segment("abc", ranks) == ("abc",)
    assert segment("ab", ranks) == ("ab",)
    del ranks["a", "bc"]
    assert segment("abc", ranks) == ("a", "bc"), "the longer token ab + c is not looked for"


@given(st.lists(st.text("abc", min_size=1, max_size=6), min_size=1, max_size=5), st.text("abc", max_size=8))
def test_to_cut_is_to_apply_the_merges_in_the_order_learned(texts, new):
    _, merges = learn(Counter(tuple(text) for text in texts), "abc", 3 + 6)
    word = tuple(new)
    for pair in merges:
        word = merge(word, pair)
    assert segment(new, {pair: rank for rank, pair in enumerate(merges)}) == word


def test_the_256_bytes_have_the_ids_of_the_library():
    theirs = trained_by_library([], 256)
    for i, byte in enumerate(BYTES):
        if byte[0] < 128:
            assert theirs.encode(byte.decode()).ids == [i]
    assert sorted(BYTES) == [bytes([b]) for b in range(256)]
    assert BYTES[0] == b"!" and BYTES[188] == b"\x00", "visible characters come first"


def test_nothing_is_merged_across_a_space():
    tokenizer = BytePairEncoding(["a b a  b"], 300)
    assert tokenizer.cut("a b  b") == [b"a", b" b", b"  ", b"b"]
    assert spell("é ") == (b"\xc3", b"\xa9", b" ")
    assert PIECE == " ?[^ ]+| +"


def test_special_tokens_of_the_library_come_first():
    theirs = trained_by_library(TEXTS, 300, ["[PAD]", "[CLS]"])
    assert theirs.token_to_id("[PAD]") == 0 and theirs.token_to_id("[CLS]") == 1
    ours = BytePairEncoding(TEXTS, 298)
    assert [i + 2 for i in ours.encode(TEXTS[2])] == theirs.encode(TEXTS[2]).ids


def test_half_a_character_decodes_to_a_replacement():
    assert SMALL.decode([SMALL.ids[b"\xea"], SMALL.ids[b"a"]]) == "\ufffda"


def test_an_unknown_id_is_refused():
    with pytest.raises(KeyError):
        SMALL.decode([340])
    with pytest.raises(KeyError):
        SMALL.decode([-1])


def test_the_vocabulary_has_room_for_the_bytes():
    assert len(BytePairEncoding(TEXTS, 256).ids) == 256
    with pytest.raises(ValueError, match="256 or more, not 255"):
        BytePairEncoding(TEXTS, 255)


@pytest.mark.thorough
@pytest.mark.parametrize("language", ["ko", "en"])
def test_a_word_that_is_drawn_merge_by_merge_is_cut_as_by_the_page(language):
    merges = joined_word.learned(language)
    ranks = {pair: rank for rank, (pair, _) in enumerate(merges)}
    lines = two_constitutions.constitution(language)
    words = sorted({word for line in lines for word in line.split()})[::40] + ["🙂", joined_word.WORDS[language]]
    for word in (f" {word.strip()}" for word in words):
        steps = joined_word.joined(word, merges)
        assert steps[0] == (tuple(word), None) and steps[-1][0] == segment(word, ranks)
        made = [rank for _, rank in steps[1:]]
        assert made == sorted(made), "a merge may not come before the two it is made of"
    assert joined_word.WORDS[language].strip() not in "\n".join(lines), "the page says that it does not occur"
    first, times = merges[0]
    assert times == sum(line.count("".join(first)) for line in lines)
