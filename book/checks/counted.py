"""Whole numbers are the same in both languages, paragraph by paragraph: 65 million is 6500만, and "three" may be 3.

Numbers in digits have to have their counterpart, in digits or in words; words need none, since each language counts
in its own way: half a minute is 30초.
"""

from __future__ import annotations

import itertools
import re
from collections.abc import Iterable, Iterator

from book.checks.alike import EXPLAINED, beside, by_edition
from book.problems import Problem
from book.source.page import Page
from book.source.pages import Book
from book.source.prose import Line

KOREAN_UNITS = {
    "백": 100,
    "천": 10**3,
    "만": 10**4,
    "십만": 10**5,
    "백만": 10**6,
    "천만": 10**7,
    "억": 10**8,
    "조": 10**12,
}
ENGLISH_UNITS = {"hundred": 100, "thousand": 10**3, "million": 10**6, "billion": 10**9, "trillion": 10**12}
MONTHS = "january february march april may june july august september october november december"
_SMALL = "zero one two three four five six seven eight nine ten eleven twelve thirteen fourteen fifteen sixteen"
ENGLISH = {
    **{word: number for number, word in enumerate(f"{_SMALL} seventeen eighteen nineteen twenty".split())},
    **{word: 10 * number for number, word in enumerate("thirty forty fifty sixty seventy eighty ninety".split(), 3)},
    **dict.fromkeys("first once".split(), 1),
    **dict.fromkeys("second half halves twice both double doubled doubles halved pair pairs".split(), 2),
    **dict.fromkeys("third thirds triple".split(), 3),
    **dict.fromkeys("fourth fourths quarter quarters".split(), 4),
    **{"fifth": 5, "sixth": 6, "seventh": 7, "eighth": 8, "ninth": 9, "tenth": 10, "twelfth": 12, "dozen": 12},
    **{month: number for number, month in enumerate(MONTHS.split(), 1)},
    **{"tenfold": 10, "hundredth": 100, "thousandth": 1000},
}
KOREAN = {
    **dict.fromkeys("하나 한 첫".split(), 1),
    **dict.fromkeys("둘 두 절반 반".split(), 2),
    **dict.fromkeys("셋 세".split(), 3),
    **dict.fromkeys("넷 네".split(), 4),
    **{
        "다섯": 5,
        "여섯": 6,
        "일곱": 7,
        "여덟": 8,
        "아홉": 9,
        "열": 10,
        "열한": 11,
        "열하나": 11,
        "열두": 12,
        "열둘": 12,
    },
    **{
        "열세": 13,
        "열네": 14,
        "열다섯": 15,
        "열여섯": 16,
        "열일곱": 17,
        "열여덟": 18,
        "열아홉": 19,
        "스물": 20,
        "스무": 20,
    },
    **{"스물네": 24, "서른": 30, "마흔": 40, "쉰": 50, "십억": 10**9, **KOREAN_UNITS},
}
_DIGITS = r"\d[\d,]*(?:\.\d+)?"
_UNIT = "천만|백만|십만|조(?= (?:개|토큰))|억|만(?![큼약])|천|백"
_KOREAN = re.compile(rf"(?<![A-Za-z\d.])(?:{_DIGITS}(?:{_UNIT})?(?:(?<=[억만천]) (?=\d))?)+")
_KOREAN_PART = re.compile(rf"({_DIGITS})(천만|백만|십만|조|억|만|천|백)?")
_ENGLISH = re.compile(rf"(?<![A-Za-z\d.])({_DIGITS})(?:[ -]({'|'.join(ENGLISH_UNITS)}))?")
#: What one language may leave to a word that stands by it: the 213 in "213 and 214 million".
SCALES = (1, 10**3, 10**4, 10**6, 10**8, 10**9)


#: What neither language has to repeat: versions, quotations, Korean number words with what they mean (일 *il* 1).
_LEFT_OUT = {"ko": r"\d+(?:\.\d+){2,}|“[^”]*”"}
_LEFT_OUT["en"] = _LEFT_OUT["ko"] + r"|(?:\*[a-z ]+\*,?|[가-힣],) \d[\d,]*"


def _texts(lines: Iterable[Line], language: str) -> Iterator[str]:
    for line in lines:
        alts = (alt for alt, _ in line.images)
        text = " ".join(
            [line.prose, *alts, *(tex.replace(r"\,", "").replace("{,}", ",") for tex in line.tex), *line.code]
        )
        yield re.sub(_LEFT_OUT[language], " ", text)


def _number(digits: str) -> float:
    return float(digits.rstrip(",").replace(",", ""))


def digits(lines: Iterable[Line], language: str) -> set[float]:
    """The numbers in digits, with the units behind them."""
    found = set()
    for text in _texts(lines, language):
        if language == "ko":
            for whole in _KOREAN.finditer(text):
                parts = _KOREAN_PART.findall(whole[0])
                found.add(round(sum(_number(part) * KOREAN_UNITS.get(unit, 1) for part, unit in parts), 6))
        else:
            for number, unit in _ENGLISH.findall(text):
                found.add(round(_number(number) * ENGLISH_UNITS.get(unit, 1), 6))
    return found


def words(lines: Iterable[Line], language: str) -> set[float]:
    """What the words of a section may count to, generously."""
    found: set[float] = set()
    for text in _texts(lines, language):
        if language == "ko":
            found |= {number for word, number in KOREAN.items() if word in text}
            found |= {read_out(number) for number in re.findall("[일이삼사오육칠팔구십백천만]{2,}", text)}
            found |= {
                KOREAN[tens] + KOREAN[ones] for tens, ones in re.findall("(스물|서른|마흔|쉰)(한|두|세|네)", text)
            }
            continue
        said = re.findall("[a-z]+", text.lower())
        found |= {30} if "half a minute" in text else set()
        for word, *following in itertools.zip_longest(said, said[1:], said[2:], fillvalue=""):
            plain = re.sub("ieth$", "y", word).removesuffix("th").removesuffix("s")
            number = ENGLISH.get(word, ENGLISH.get(plain, ENGLISH_UNITS.get(plain, 0)))
            found.add(number)
            if number >= 20 and following[0] in ENGLISH:
                number += ENGLISH[following[0]]
            for unit in following:
                if number and unit.rstrip("s") in ENGLISH_UNITS:
                    found.add(number * ENGLISH_UNITS[unit.rstrip("s")])
            found |= {number, ENGLISH.get(word, number)}
    return found


def read_out(number: str) -> float:
    """백오십육, 156; some number, too, for words that happen to be written with these syllables."""
    total, below, digit = 0, 0, 0
    for syllable in number:
        if syllable == "만":
            total, below, digit = (below + digit or 1) * 10**4, 0, 0
        elif syllable in "십백천":
            below, digit = below + (digit or 1) * {"십": 10, "백": 100, "천": 1000}[syllable], 0
        else:
            digit = "일이삼사오육칠팔구".index(syllable) + 1
    return total + below + digit


def lacking(ours: Iterable[Line], theirs: Iterable[Line], languages: tuple[str, str]) -> list[float]:
    """The whole numbers in digits of a section in the first language that the other section has in no form."""
    one, other = languages
    wanted = [number for number in digits(ours, one) if number == int(number) and number > 1]
    if not wanted:
        return []
    known = digits(theirs, other) | words(theirs, other)
    return sorted(number for number in wanted if not any(number * s in known or number / s in known for s in SCALES))


def whole_numbers(book: Book) -> Iterator[Problem]:
    """Each whole number stands in both languages, in its section and in its paragraph, item, row or footnote."""
    for korean, english in book.pairs():
        sections = zip(korean.sections(), english.sections(), strict=False)
        for (name, line, ours), (_, other, theirs) in sections:
            found = list(_lacking(korean, english, (line, ours), (other, theirs), f"section {name}"))
            if not found and not by_edition(book, korean) and (korean.name, name) not in EXPLAINED:
                for one, two in beside(ours, theirs):
                    at = one[0].number, two[0].number
                    found += _lacking(korean, english, (at[0], one), (at[1], two), "what stands here")
            yield from found


def _lacking(
    korean: Page, english: Page, ours: tuple[int, list[Line]], theirs: tuple[int, list[Line]], what: str
) -> Iterator[Problem]:
    """The numbers of lines that the lines beside them lack, in either direction; each with its first line."""
    sides = [(korean, *ours), (english, *theirs)]
    for (page, line, here), (other, start, there) in (sides, sides[::-1]):
        # values are compared by name, and may be others in each language
        here, there = ([one.compared for one in lines] for lines in (here, there))  # noqa: PLW2901
        for number in lacking(here, there, (page.language, other.language)):
            at = next((one.number for one in here if number in digits([one], page.language)), line)
            where = f"docs/{other.language}/{other.name}:{start}"
            message = f"{what} has {number:,.0f}, which {where} lacks: write it in both languages"
            yield Problem(page.path, at, message)


CHECKS = (whole_numbers,)
