"""The words of the book: what its own pages do not say, ``docs/wording.yml``, and what they say instead.

``python -m book wording`` counts how often such words stand in 10,000 syllables or words of each language.
"""

from __future__ import annotations

import functools
import re
import sys
from collections.abc import Iterator
from dataclasses import dataclass
from pathlib import Path

import yaml

from book import LANGUAGES, ROOT
from book.source.pages import Book

#: What an author says of others, and not in the author's own words.
QUOTED = re.compile(r"“[^”]*”")


@dataclass(frozen=True)
class Word:
    """A wording, what to say instead, and in which words it is right."""

    word: str
    say: str
    fine: tuple[str, ...] = ()


@functools.cache
def load(path: Path) -> dict[str, list[Word]]:
    """The wordings by language. Raises ``ValueError`` that names the entry with an unknown or missing field."""
    found: dict[str, list[Word]] = {}
    for language, entries in yaml.safe_load(path.read_text(encoding="utf-8")).items():
        for number, entry in enumerate(entries, start=1):
            try:
                word = Word(**entry | {"fine": tuple(entry.get("fine", ()))})
            except TypeError as error:
                raise ValueError(f"{path.name}, {language}, entry {number}: {error}") from None
            found.setdefault(language, []).append(word)
    return found


@functools.cache
def _parts(word: str) -> list[str]:
    return word.rstrip("*").casefold().split()


@functools.cache
def _pattern(word: str, language: str) -> re.Pattern[str]:
    """Where a word begins, in English as a whole word, or with whatever follows a ``*``."""
    before, after = (r"(?<![가-힣])", "") if language == "ko" else (r"\b", r"s?\b")
    return re.compile(before + re.escape(word.rstrip("*")) + ("" if word.endswith("*") else after), re.IGNORECASE)


def refused(text: str, language: str, words: list[Word]) -> Iterator[Word]:
    """Each use of a wording that the book does not use."""
    text = QUOTED.sub(" ", text)
    folded = text.casefold()
    for word in words:
        if not all(part in folded for part in _parts(word.word)):  # most lines have none of the words
            continue
        rest = text
        for right in word.fine:
            rest = rest.replace(right, " ")
        yield from (word for _ in _pattern(word.word, language).finditer(rest))


def main() -> int:
    book, words = Book.read(ROOT), load(ROOT / "docs" / "wording.yml")
    for language in LANGUAGES:
        texts = [line.prose for page in book.pages[language].values() for line in page.lines]
        count = sum(1 for text in texts for _ in refused(text, language, words.get(language, [])))
        size = sum(len(re.findall("[가-힣]" if language == "ko" else r"[A-Za-z]+", text)) for text in texts)
        unit = "syllables" if language == "ko" else "words"
        print(f"{language}: {count} in {size:,} {unit}, {10_000 * count / max(size, 1):.1f} in 10,000")
    return 0


if __name__ == "__main__":
    sys.exit(main())
