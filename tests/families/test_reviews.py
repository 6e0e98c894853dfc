"""Reviews: of each label as many, none in two parts, and written as people write."""

from __future__ import annotations

import unicodedata

import pytest

from snippets.families.reviews import PARTS, reviews

SIZES = {"training": 1000, "validation": 400, "test": 1000}


def test_each_part_has_as_many_that_praise_as_blame():
    assert list(PARTS) == list(SIZES)
    for part, size in SIZES.items():
        labels = [label for _, label in reviews(part)]
        assert len(labels) == size and sum(labels) == size / 2
        assert 0.4 < sum(labels[: size // 2]) / (size // 2) < 0.6, "in no order"


def test_no_review_is_in_two_parts_or_twice_in_one():
    everything = [text for part in PARTS for text, _ in reviews(part)]
    assert len(set(everything)) == sum(SIZES.values())


def test_they_are_short_korean_and_their_syllables_are_whole():
    for part in PARTS:
        for text, _ in reviews(part):
            assert 10 <= len(text) <= 60 and text == text.strip()
            assert text == unicodedata.normalize("NFC", text)
            assert sum("가" <= character <= "힣" for character in text) >= 0.6 * len(text)


@pytest.mark.parametrize(("word", "label"), [("최고", 1), ("지루", 0)])
def test_words_of_praise_and_of_blame_go_with_their_labels(word, label):
    found = [own for part in PARTS for text, own in reviews(part) if word in text]
    assert len(found) > 20
    assert found.count(label) / len(found) > 0.75


def test_what_is_not_there_is_said():
    with pytest.raises(ValueError, match="the parts are .*, not 'all'"):
        reviews("all")
