"""What units of Korean mean: letters put together give the syllable, and a cut loses nothing it should keep."""

from __future__ import annotations

import unicodedata

import pytest
from hypothesis import given
from hypothesis import strategies as st

from snippets.before.byte_pair_encoding import trained_by_library
from snippets.before.corpus import declaration
from snippets.before.korean_tokens import analyzer, growth, jamo, morphemes, tokens_by_vocabulary, unknown_share
from tests import properties  # noqa: F401 (the same examples on every run)

ENGLISH, KOREAN = declaration("en"), declaration("ko")
lines_of_units = st.lists(st.lists(st.sampled_from("abcde"), max_size=4), min_size=2, max_size=8)


def test_every_syllable_has_the_letters_that_unicode_says():
    for code in range(0xAC00, 0xD7A4):
        assert jamo(chr(code)) == unicodedata.normalize("NFD", chr(code))


@pytest.mark.parametrize(
    ("syllable", "letters"),
    [("가", "\u1100\u1161"), ("국", "\u1100\u116e\u11a8"), ("힣", "\u1112\u1175\u11c2"), ("갛", "\u1100\u1161\u11c2")],
)
def test_known_syllables(syllable, letters):
    assert jamo(syllable) == letters
    assert unicodedata.normalize("NFC", letters) == syllable


@pytest.mark.parametrize("character", ["a", "ㄱ", "\u1100", chr(0xAC00 - 1), chr(0xD7A3 + 1), "가나", ""])
def test_what_is_no_syllable_is_refused(character):
    with pytest.raises(ValueError, match="not a Hangul syllable"):
        jamo(character)


def test_two_forms_of_one_text_are_one_text_only_after_normalisation():
    tokenizer = trained_by_library(KOREAN, 600)
    composed, decomposed = "국가", unicodedata.normalize("NFD", "국가")
    assert composed != decomposed and len(composed) == 2 and len(decomposed) == 5
    assert tokenizer.encode(composed).ids != tokenizer.encode(decomposed).ids
    assert len(tokenizer.encode(decomposed).ids) == 15, "no byte of it was ever merged"
    again = unicodedata.normalize("NFC", decomposed)
    assert tokenizer.encode(composed).ids == tokenizer.encode(again).ids


def test_particles_and_endings_are_morphemes():
    assert morphemes("국민은 권리를 가진다") == [
        "국민/NNG",
        "은/JX",
        "권리/NNG",
        "를/JKO",
        "가지/VV",
        "\u11ab다/EF",
    ]
    forms = {morphemes(word)[0] for word in ("국민은", "국민의", "국민에게", "국민으로부터")}
    assert forms == {"국민/NNG"}, "four words, one noun"
    assert analyzer() is analyzer(), "it is loaded once"


@given(lines_of_units)
def test_growth_counts_what_has_occurred(lines):
    sizes = growth(lines)
    assert len(sizes) == len(lines)
    for i, size in enumerate(sizes):
        assert size == len({unit for line in lines[: i + 1] for unit in line})


def test_units_of_the_second_half_are_unknown_if_the_first_half_has_none_of_them():
    assert unknown_share([["a", "b"], ["a"], ["a", "c", "c"], ["b"]]) == 2 / 4
    assert unknown_share([["a"], ["a"]]) == 0
    assert unknown_share([["a"], ["b"]]) == 1
    assert unknown_share([["a"], ["b"], ["b", "c"]]) == 1, "the line in the middle is of the second half"


def test_bytes_are_the_tokens_of_the_smallest_vocabulary():
    counts = tokens_by_vocabulary(ENGLISH[::2], [ENGLISH[1::2], KOREAN[1::2]], [256])
    assert counts == [[sum(len(line.encode()) for line in text)] for text in (ENGLISH[1::2], KOREAN[1::2])]


def test_a_vocabulary_of_one_language_is_of_no_use_to_the_other():
    tests, sizes = [ENGLISH[1::2], KOREAN[1::2]], [300, 600, 1000]
    by_english = tokens_by_vocabulary(ENGLISH[::2], tests, sizes)
    by_korean = tokens_by_vocabulary(KOREAN[::2], tests, sizes)
    by_both = tokens_by_vocabulary(ENGLISH[::2] + KOREAN[::2], tests, sizes)
    for counts in (by_english[0], by_korean[1], *by_both):
        assert sorted(counts, reverse=True) == counts and len(set(counts)) == 3, "more merges, fewer tokens"
    english, korean = by_english[0][-1], by_english[1][-1]
    assert korean > 3 * english, "what the page says it costs"
    for one, other, both in zip(by_english[0], by_korean[0], by_both[0], strict=True):
        assert one < both < other
    assert 0.8 < by_both[1][-1] / by_both[0][-1] < 1
