"""Letters that look like others or like nothing, and words that stand twice: neither search nor readers find them."""

from __future__ import annotations

import re
import unicodedata
from collections.abc import Iterator

from book.checks.hangul import ABOUT_KOREAN
from book.problems import Problem
from book.source.pages import Book
from book.source.prose import Line
from book.source.text import text_files

#: Spaces and marks that nobody sees, and what to do.
UNSEEN = re.compile(
    "[\u00a0\u2000-\u200a\u202f\u205f\u3000]|[\u115f\u1160\u3164\uffa0]|[\ufe00-\ufe0f\U000e0000-\U000e01ef]|\r(?!\n)"
)
#: Letters of scripts that the book does not use, some of which look like Latin ones.
FOREIGN = re.compile("[\u0400-\u058f\u10a0-\u10ff\u13a0-\u13ff]")
#: Signs of double width, and letters that stand alone behind a syllable: 합니다ㅏ.
WIDE, LOOSE = re.compile("[\uff01-\uff0f\uff1a-\uff20\uff3b-\uff40\uff5b-\uff5e]"), re.compile("[가-힣][\u3131-\u318e]")
JAMO = re.compile("[\u3131-\u318e]")
_QUOTED = re.compile(r"“[^”]*”|‘[^’]*’|\"[^\"]*\"|\*[^*]+\*")
_TWICE = {
    "ko": re.compile(r"(?:^|(?<=\s))([가-힣]+) \1(?=[\s.,:;?!]|$)"),
    "en": re.compile(r"(?:^|(?<=\s))(?!x\b)([A-Za-z]+) \1(?=[\s.,:;?!]|$)", re.I),
}


def letters_seen(book: Book) -> Iterator[Problem]:
    """Every letter is the one that it looks like. (What others wrote, in snippets/PART/texts, stays as it is.)"""
    for path in text_files(book.root):
        if not path.is_file() or path.parent.name == "texts" or path.parent.parent.name == "texts":
            continue
        text = path.read_bytes().decode(errors="replace")
        if text.isascii() and "\r" not in text:
            continue
        for found in [*UNSEEN.finditer(text), *FOREIGN.finditer(text)]:
            name = "a lone carriage return" if found[0] == "\r" else unicodedata.name(found[0], "unnamed").lower()
            what = "type it anew in Latin letters" if FOREIGN.match(found[0]) else "nobody sees what it is: retype it"
            number = text.count("\n", 0, found.start()) + 1
            yield Problem(path, number, f"holds U+{ord(found[0]):04X} ({name}): {what}")
    for page in book.every_page():
        for line in page.lines:
            text = _QUOTED.sub(" ", line.prose)
            if seen := WIDE.search(text):
                plain = unicodedata.normalize("NFKC", seen[0])
                yield Problem(page.path, line.number, f"{seen[0]} has double width: write {plain}")
            if seen := LOOSE.search(text):
                yield Problem(page.path, line.number, f"{seen[0]} ends in a letter that belongs to no syllable")
            elif page.language == "ko" and page.name not in ABOUT_KOREAN and (seen := JAMO.search(text)):
                yield Problem(page.path, line.number, f"{seen[0]} is a letter and no syllable: type the whole one")


def words_once(book: Book) -> Iterator[Problem]:
    """No word stands twice in a row, and no long sentence twice on a page."""
    for page in book.every_page():
        seen: dict[str, int] = {}
        for line in page.lines:
            text = _QUOTED.sub("x", line.shown)
            if found := _TWICE[page.language].search(text):
                yield Problem(page.path, line.number, f"{found[0]}: this word stands twice, take one out")
            for sentence in _sentences(line):
                if sentence in seen:
                    message = f"this sentence already stands in line {seen[sentence]}: take it out: {sentence[:50]}"
                    yield Problem(page.path, line.number, message)
                seen[sentence] = line.number


def _sentences(line: Line) -> list[str]:
    """Those of a paragraph that are long enough to be no formula of words."""
    if line.place in ("heading", "title"):
        return []
    return [one for one in re.split(r"(?<=[.?!])\s+", line.shown.strip()) if len(one) > 40]


CHECKS = (letters_seen, words_once)
