"""What both languages count and point at in words: *five boxes* are 상자 다섯 개, and what is on the left is 왼쪽.

Digits are compared in book/checks/counted.py. From three on, a number word of an English section has its counterpart in
the Korean one, in words or in digits, and in the text of a picture either language has that of the other. (One, two,
first and half are said too freely.) Pages whose examples differ by edition speak of other things in each.
"""

from __future__ import annotations

import re
from collections.abc import Iterator

from book.checks import counted
from book.checks.alike import EXPLAINED, by_edition, paragraphs
from book.problems import Problem
from book.source.page import Page
from book.source.pages import Book
from book.source.prose import Line

_UNITS = "one two three four five six seven eight nine ten eleven twelve thirteen fourteen fifteen sixteen"
_ONES = {word: number for number, word in enumerate(f"{_UNITS} seventeen eighteen nineteen".split(), 1)}
_TENS = {
    word: 10 * number for number, word in enumerate("twenty thirty forty fifty sixty seventy eighty ninety".split(), 2)
}
_ENGLISH = re.compile(rf"\b(?:({'|'.join(_TENS)})(?:[ -]({'|'.join([*_ONES][:9])}))?|({'|'.join(_ONES)}))\b")
_KOREAN_ONES = {
    **{"하나": 1, "한": 1, "둘": 2, "두": 2, "셋": 3, "세": 3, "석": 3, "넷": 4, "네": 4, "넉": 4},
    **{"다섯": 5, "여섯": 6, "일곱": 7, "여덟": 8, "아홉": 9},
}
_KOREAN_TENS = {
    **{
        "열": 10,
        "스물": 20,
        "서른": 30,
        "마흔": 40,
        "쉰": 50,
        "예순": 60,
        "일흔": 70,
        "여든": 80,
        "아흔": 90,
        "십": 10,
    },
    "백": 100,
}
#: 세 개, 서른 두 번째, 셋; two words that say "or": 두세 개.
_COUNTED = r"(?= |째|번|배|가지|부분)"
_KOREAN = re.compile(
    rf"(?<![가-힣\d])(?:스무(?= )|(두|서)(세|너)(?= )|((?:십|백)(?= )|{'|'.join([*_KOREAN_TENS][:9])})?"
    rf"((?:한|두|세|석|네|넉){_COUNTED}|하나|둘|셋|넷|다섯|여섯|일곱|여덟|아홉)?)"
)
#: Words that are spoken of are others in each language.
_SPOKEN_OF = re.compile(r"\*[^*]*\*|[“‘\"][^”’\"]*[”’\"]")
#: From so many syllables on, a paragraph has so many English words for each.
LONG, WORDS = 60, (0.3, 0.9)
SIDES = {
    "ko": {"left": re.compile("왼쪽|왼편"), "right": re.compile("오른쪽|오른편")},
    "en": {"left": re.compile(r"\bleft(?:most)?\b", re.I), "right": re.compile(r"\bright(?:most)?\b", re.I)},
}


def _text(lines: list[Line]) -> str:
    return " ".join(_SPOKEN_OF.sub(" ", " ".join([line.prose, *(alt for alt, _ in line.images)])) for line in lines)


def in_words(lines: list[Line], language: str) -> set[int]:
    """The numbers from three on that stand in words: twelve, 열두."""
    text = _text(lines)
    if language == "en":
        parts = _ENGLISH.findall(text.lower())
        numbers = {_TENS.get(ten, 0) + _ONES.get(one or alone, 0) for ten, one, alone in parts}
    else:
        numbers = set()
        for found in _KOREAN.finditer(text):
            few, many, ten, one = found.groups()
            numbers |= {20} if found[0] == "스무" else {3, 4} if many == "너" else {2, 3} if few else set()
            numbers.add(_KOREAN_TENS.get(ten, 0) + _KOREAN_ONES.get(one, 0))
    return {number for number in numbers if number > 2}


def lacking(ours: list[Line], theirs: list[Line], languages: tuple[str, str]) -> list[int]:
    """The number words of the lines in the first language that those of the other have in no form."""
    one, other = languages
    counted_here = in_words(ours, one) - ({10} if one == "ko" else set())  # 열 is a column, too
    if not counted_here:  # as in most paragraphs
        return []
    # either language may say a number in English: the title of a paper
    known = counted.digits(theirs, other) | counted.words(theirs, other) | in_words(theirs, other)
    if other == "ko":  # where counted.words takes every syllable that could be a number
        known = counted.digits(theirs, other) | in_words(theirs, other) | in_words(theirs, "en") | _read_out(theirs)
    return sorted(
        number
        for number in counted_here
        if not any(number * scale in known or number / scale in known for scale in counted.SCALES)
    )


def _read_out(lines: list[Line]) -> set[float]:
    return {counted.read_out(word) for word in re.findall("[일이삼사오육칠팔구십백천만]{2,}", _text(lines))}


def number_words(book: Book) -> Iterator[Problem]:
    """A number word of an English section stands in the Korean one; one of a picture's text, in the other text."""
    for korean, english in book.pairs():
        if by_edition(book, korean):
            continue
        for (name, _, ours), (_, _, theirs) in zip(korean.sections(), english.sections(), strict=False):
            if (korean.name, name) in EXPLAINED:
                continue
            for line in theirs:
                if not line.images:
                    yield from _said(english, [line.compared], korean, [one.compared for one in ours])
            for one, two in _texts_of_pictures(ours, theirs):
                yield from _said(korean, [one], english, [two])
                yield from _said(english, [two], korean, [one])


def _said(page: Page, here: list[Line], other: Page, there: list[Line]) -> Iterator[Problem]:
    for number in lacking(here, there, (page.language, other.language)):
        where = f"docs/{other.language}/{other.name}:{there[0].number}"
        yield Problem(page.path, here[0].number, f"the number word for {number} has no counterpart in {where}")


def _texts_of_pictures(ours: list[Line], theirs: list[Line]) -> Iterator[tuple[Line, Line]]:
    """Alternative texts, each beside that of the other language."""
    one, two = (
        [Line(alt, line.number, "text") for line in lines for alt, _ in line.compared.images]
        for lines in (ours, theirs)
    )
    yield from zip(one, two, strict=False)


def sides(book: Book) -> Iterator[Problem]:
    """What a picture's text or caption has on the left only is not on the right only in the other language."""
    for korean, english in book.pairs():
        captions = [[line for line in page.lines if line.place == "caption"] for page in (korean, english)]
        for ours, theirs in [*_texts_of_pictures(korean.lines, english.lines), *zip(*captions, strict=False)]:
            one, two = (
                {side for side, form in SIDES[language].items() if form.search(_text([line]))}
                for line, language in ((ours, "ko"), (theirs, "en"))
            )
            if len(one) == len(two) == 1 and one != two:
                where = f"docs/en/{english.name}:{theirs.number}"
                yield Problem(korean.path, ours.number, f"{one.pop()} here, and {two.pop()} in {where}: look again")


def lengths(book: Book) -> Iterator[Problem]:
    """No paragraph is so much shorter than the same one in the other language that a part of it must be missing."""
    for korean, english in book.pairs():
        for (name, _, ours), (_, _, theirs) in zip(korean.sections(), english.sections(), strict=False):
            here, there = paragraphs(ours), paragraphs(theirs)
            if len(here) != len(there) or (korean.name, name) in EXPLAINED:
                continue
            for one, two in zip(here, there, strict=True):
                syllables = sum(len(re.findall("[가-힣]", line.prose)) for line in one)
                words = sum(len(re.findall("[A-Za-z]+", line.prose)) for line in two)
                if syllables >= LONG and not WORDS[0] * syllables <= words <= WORDS[1] * syllables:
                    message = (
                        f"this paragraph has {syllables} syllables, and docs/en/{english.name}:{two[0].number} {words} "
                        "words: one of them lacks something"
                    )
                    yield Problem(korean.path, one[0].number, message)


CHECKS = (number_words, sides, lengths)
