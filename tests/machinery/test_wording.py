"""What the book's own pages do not say is refused, where it is not right, quoted, or a part of another word."""

from __future__ import annotations

from pathlib import Path

import pytest

from book import ROOT
from book.source.wording import Word, load, refused

STEP, LIKELY = Word("걸음", "스텝", ("한 걸음",)), Word("likeliest", "most probable")


@pytest.mark.parametrize(
    ("text", "language", "times"),
    [
        ("100걸음은 길다. 걸음마다", "ko", 2),
        ("첫걸음과 발걸음", "ko", 0),  # parts of other words
        ("한 걸음 더, 그리고 걸음 하나", "ko", 1),
        ("“걸음”이라고 쓴다", "ko", 0),
        ("The likeliest, and the LIKELIEST one", "en", 2),
        ("unlikeliest", "en", 0),
    ],
)
def test_uses_are_counted_where_they_are_uses(text, language, times):
    assert len(list(refused(text, language, [STEP, LIKELY]))) == times


def test_an_entry_that_is_none_is_named(tmp_path):
    path = tmp_path / "wording.yml"
    path.write_text("ko:\n- {word: 걸음, say: 스텝}\n- {word: 낱말, instead: 단어}\n", encoding="utf-8")
    with pytest.raises(ValueError, match="wording.yml, ko, entry 2: .*instead"):
        load(path)


def test_the_list_of_the_book_can_be_read():
    words = load(Path(ROOT, "docs", "wording.yml"))
    assert {"낱말", "걸음"} <= {word.word for word in words["ko"]} and words["en"]
