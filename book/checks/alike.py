"""What else both languages have alike: exercises, paragraphs and their order, and the HTML of the home page."""

from __future__ import annotations

import bisect
import itertools
import re
from collections.abc import Iterator

from book.problems import Problem
from book.source import editions
from book.source.page import Page
from book.source.pages import Book
from book.source.prose import Line

#: `1. Far away (easy, 4 min)`
EXERCISE = {
    "ko": re.compile(r"(\d+)\. .*\((쉬움|보통|어려움), (\d+)분\)"),
    "en": re.compile(r"(\d+)\. .*\((easy|medium|hard), (\d+) min\)"),
}
DIFFICULTIES = {"쉬움": "easy", "보통": "medium", "어려움": "hard"}
#: Sections with more in one language: it explains what the other language does not have to.
EXPLAINED = {
    ("before/language-models.md", "what-comes-next"),  # sentences of an English and of a Korean text
    ("before/language-models.md", "samples"),
    ("families/t5.md", "span-corruption"),  # the text of the figure has other spans in each language
    ("training/numbers.md", "groups"),  # how Korean counts
}


def exercises_alike(book: Book) -> Iterator[Problem]:
    """Exercises have number, difficulty and minutes in their titles, and count from 1."""
    for korean, english in book.pairs():
        titles = {page.language: _exercises(page) for page in (korean, english)}
        for page in (korean, english):
            for number, line in enumerate(titles[page.language], 1):
                found = EXERCISE[page.language].fullmatch(line.text)
                if found and found[1] != str(number):
                    yield Problem(page.path, line.number, f"this is exercise {number}: it says {found[1]}")
                elif not found and any(EXERCISE[page.language].fullmatch(one.text) for one in titles[page.language]):
                    form = "`1. Title (easy, 4 min)`; easy, medium or hard"
                    form = form if page.language == "en" else "`1. 제목 (쉬움, 4분)`; 쉬움, 보통, 어려움"
                    yield Problem(page.path, line.number, f"write the title of an exercise as {form}")
        for one, two in zip(titles["ko"], titles["en"], strict=False):
            ours, theirs = (EXERCISE[lang].fullmatch(line.text) for lang, line in (("ko", one), ("en", two)))
            if ours and theirs and (DIFFICULTIES[ours[2]], ours[3]) != theirs.groups()[1:]:
                message = f"this exercise is {ours[2]}, {ours[3]}분, and docs/en/{english.name}:{two.number} has "
                yield Problem(korean.path, one.number, f"{message}{theirs[2]}, {theirs[3]} min: write the same")


def _exercises(page: Page) -> list[Line]:
    """The titles of the exercises."""
    lines = {item.line for item in page.items if item.kind == "block" and item.value.endswith(" exercise")}
    return [line for line in page.lines if line.number in lines and line.place == "title"]


def paragraphs(lines: list[Line]) -> list[list[Line]]:
    """The paragraphs of a section, without lists, tables, titles and footnotes."""
    found: list[list[Line]] = []
    before = 0
    for line in lines:
        footnote = line.text.startswith(("[^", "    "))
        if line.place in ("heading", "title", "table") or line.is_bullet or footnote:
            before = line.number if line.is_bullet else 0
            continue
        if line.number == before + 1 and before:
            if found and found[-1][-1].number == before:
                found[-1].append(line)
        else:
            found.append([line])
        before = line.number
    return found


def paragraphs_alike(book: Book) -> Iterator[Problem]:
    """As many paragraphs in both languages between one heading, figure, block, include or formula and the next."""
    for korean, english in book.pairs():
        one, two = (_between(page) for page in (korean, english))
        for place in sorted(one.keys() | two.keys()):
            (name, line, ours), (_, other, theirs) = one.get(place, ("", 0, 0)), two.get(place, ("", 0, 0))
            if ours != theirs and (korean.name, name or two[place][0]) not in EXPLAINED:
                at = line or _items_of(korean)[place - 1]
                there = other or _items_of(english)[place - 1]
                message = (
                    f"{ours} paragraphs stand here before what comes next, and {theirs} in docs/en/{english.name}:"
                    f"{there}: both languages have the same"
                )
                yield Problem(korean.path, at, message)
                break


def _between(page: Page) -> dict[int, tuple[str, int, int]]:
    """By the number of items above: section and line of the first paragraph, and how many there are."""
    above = _items_of(page)
    found: dict[int, tuple[str, int, int]] = {}
    for name, _, lines in page.sections():
        for paragraph in paragraphs(lines):
            place = bisect.bisect(above, paragraph[0].number)
            section, line, count = found.get(place, (name, paragraph[0].number, 0))
            found[place] = section, line, count + 1
    return found


def _items_of(page: Page) -> list[int]:
    return [item.line for item in page.items if item.kind not in ("footnote", "image")]


def beside(ours: list[Line], theirs: list[Line]) -> Iterator[tuple[list[Line], list[Line]]]:
    """What stands in the same place in both languages of a section: paragraphs, items, rows, titles and footnotes.

    Of a kind of which one language has more, nothing.
    """
    kinds = (paragraphs, _items, _rows, _titles)
    for one, two in ((kind(ours), kind(theirs)) for kind in kinds):
        if len(one) == len(two):
            yield from zip(one, two, strict=True)
    notes = {_note(line): line for line in theirs if _note(line)}
    yield from (([line], [notes[_note(line)]]) for line in ours if _note(line) in notes)


def _rows(lines: list[Line]) -> list[list[Line]]:
    return [[line] for line in lines if line.place == "table"]


def _titles(lines: list[Line]) -> list[list[Line]]:
    return [[line] for line in lines if line.place == "title"]


def _note(line: Line) -> str:
    """The name of the footnote that a line begins; nothing of other lines."""
    found = re.match(r"\[\^([\w-]+)\]:", line.text)
    return found[1] if found else ""


def by_edition(book: Book, page: Page) -> bool:
    """Whether a page includes examples that are others in each language: so are the numbers that it speaks of."""
    return any(editions.address(target, "en", book.snippets_folder) != target for target, *_ in page.includes)


def _details(lines: list[Line]) -> tuple[frozenset[str], ...]:
    """What a paragraph has in both languages."""
    return (
        frozenset(formula for line in lines for formula in line.formulas),
        frozenset(address for line in lines for _, address in line.links),
        frozenset(name for line in lines for name in line.references),
        frozenset(code for line in lines for code in line.code if not re.search("[가-힣]", code)),
        frozenset(mark for line in lines for mark in line.marks),
    )


def order_alike(book: Book) -> Iterator[Problem]:
    """Paragraphs and items stand in the same order: none has what another one has in the other language."""
    for korean, english in book.pairs():
        for (_, _, ours), (_, _, theirs) in zip(korean.sections(), english.sections(), strict=False):
            for parts in (paragraphs, _items):
                here, there = parts(ours), parts(theirs)
                if len(here) != len(there):
                    continue
                details = [(_details(one), _details(two)) for one, two in zip(here, there, strict=True)]
                for (i, (one, two)), (j, (three, four)) in itertools.combinations(enumerate(details), 2):
                    if one == four != two == three and any(one) | any(two):
                        message = (
                            f"this stands in line {there[j][0].number} of docs/en/{english.name}, and what is in line "
                            f"{here[j][0].number} here, in line {there[i][0].number} there: keep one order"
                        )
                        yield Problem(korean.path, here[i][0].number, message)


def _items(lines: list[Line]) -> list[list[Line]]:
    return [[line] for line in lines if line.is_bullet]


def html_alike(book: Book) -> Iterator[Problem]:
    """The HTML of the home page, and the classes of its links."""
    for korean, english in book.pairs():
        ours, theirs = ([(tag, line) for line in page.lines for tag in _tags(line)] for page in (korean, english))
        for (one, line), (two, other) in zip(ours, theirs, strict=False):
            if one != two:
                message = f"{one} stands here, and {two} in docs/en/{english.name}:{other.number}: write the same"
                yield Problem(korean.path, line.number, message)
                break


def _tags(line: Line) -> list[str]:
    return [*line.html, *(re.findall(r"\{[^{}#]*\.[^{}#]*\}", line.markup))]


CHECKS = (exercises_alike, paragraphs_alike, order_alike, html_alike)
