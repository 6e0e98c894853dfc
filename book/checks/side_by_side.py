"""Checks of the two languages side by side: what one edition has, the other has too."""

from __future__ import annotations

import itertools
import re
from collections.abc import Callable, Iterator

from book.checks import numbers
from book.finish import search
from book.markdown import quiz, touch
from book.problems import Problem
from book.source import questions
from book.source.pages import Book
from book.source.prose import Line
from book.source.text import near


def keys(book: Book) -> Iterator[Problem]:
    """The keys of the search lead to pages and sections that are there."""
    path = book.root / "docs" / "keywords.yml"
    found = search.keywords(path)
    for pages in book.pages.values():
        ids = {name.removesuffix(".md"): {id for _, id, *_ in page.headings()} for name, page in pages.items()}
        if problems := search.missing(found, ids):
            yield from (Problem(path, line, message) for line, message in problems)
            return  # the other language would say the same


def questions_hold(book: Book) -> Iterator[Problem]:
    """Every question belongs to a page, and is complete, and the same in both languages."""
    names = {name.removesuffix(".md") for pages in book.pages.values() for name in pages}
    parts = {name.partition("/")[0] for name in names if "/" in name}
    asked = set()
    for path in questions.files(book.root / "docs" / "questions"):
        if path.stem not in parts:
            yield Problem(path, 1, f"there is no part {path.stem}{near(path.stem, parts)}; name the file after a part")
            continue
        found, wrong = questions.load(path)
        here = {f"{path.stem}/{page}": asked_there for page, asked_there in found.items()}
        for name in here.keys() - names:
            message = f"there is no page {name}{near(name, names)}; correct it, or remove these"
            yield Problem(path, here[name][0], message)
        yield from (Problem(path, line, message) for line, message in wrong)
        asked |= {f"{name}.md" for name in here}
        if not (wrong or here.keys() - names):
            pages = {name for name in names if name.startswith(f"{path.stem}/")}
            for name in sorted(pages - {f"{path.stem}/index"} - questions.WITHOUT):
                line, these = here.get(name, (1, []))
                if not questions.FEWEST <= len(these) <= questions.MOST:
                    message = f"{name} has {len(these)}, and a page {questions.FEWEST} to {questions.MOST}"
                    yield Problem(path, line, f"questions still to be written: {message}")
    for page in book.every_page():
        for _, id, _, line in page.headings():
            if page.name in asked and (id == quiz.ID or id.startswith("question-")):
                yield Problem(page.path, line, f"the id {id} is for the questions of the page: choose another")


def same_structure(book: Book) -> Iterator[Problem]:
    """Headings, formulas, includes, figures, tables, blocks and footnotes: the same, in the same order."""
    for korean, english in book.pairs():
        for one, two in itertools.zip_longest(korean.items, english.items):
            if one and two and (one.kind, one.value) == (two.kind, two.value):
                continue
            here, there = (f"{item.kind} {item.value}" if item else "nothing more" for item in (one, two))
            last = one or two
            yield Problem(
                korean.path,
                one.line if one else len(korean.path.read_text(encoding="utf-8").splitlines()),
                f"here stands {here}, but in docs/en/{english.name}:{two.line if two else 'end'} {there}: "
                f"both languages have every {last.kind} in the same order",
            )
            break


def same_details(book: Book) -> Iterator[Problem]:
    """Section by section, the same formulas, links, footnotes, code and decimals, in any order, and as many items."""
    for korean, english in book.pairs():
        for (name, line, ours), (_, other, theirs) in zip(korean.sections(), english.sections(), strict=False):
            for kind, details in DETAILS.items():
                here, there = (lines if kind == "mark" else _typed(lines) for lines in (ours, theirs))
                one, two = details(here), details(there)
                for value in sorted(one - two):
                    yield Problem(
                        korean.path,
                        _where(here, details, value),
                        f"section {name} has the {kind} {value}, which docs/en/{english.name}:{other} lacks: "
                        "add it there or remove it here",
                    )
                for value in sorted(two - one):
                    yield Problem(
                        english.path,
                        _where(there, details, value),
                        f"section {name} has the {kind} {value}, which docs/ko/{korean.name}:{line} lacks: "
                        "add it there or remove it here",
                    )
            here_are, there_are = (sum(part.is_bullet for part in lines) for lines in (ours, theirs))
            if here_are != there_are:
                yield Problem(
                    korean.path,
                    line,
                    f"section {name} has {here_are} items in its lists, and docs/en/{english.name}:{other} has "
                    f"{there_are}: both languages have the same",
                )
            for row, counterpart in zip(_rows(ours), _rows(theirs), strict=False):
                row, counterpart = _typed([row, counterpart])  # noqa: PLW2901
                if _numbers(row) != _numbers(counterpart):
                    has, lacks = (", ".join(_numbers(part)) or "no number" for part in (row, counterpart))
                    yield Problem(
                        korean.path,
                        row.number,
                        f"this row has {has}, and docs/en/{english.name}:{counterpart.number} has {lacks}: "
                        "both languages have the same rows in the same order",
                    )


def _typed(lines: list[Line]) -> list[Line]:
    """Without their values: those are compared by name, and may be others in each language."""
    return [line.compared for line in lines]


def _where(lines: list[Line], details: Callable[[list[Line]], set[str]], value: str) -> int:
    """The line of a section that has this detail."""
    return next(line.number for line in lines if value in details([line]))


def _formulas(lines: list[Line]) -> set[str]:
    return {formula for line in lines for formula in line.formulas}


#: Of an address that opens a figure, what is behind the station: the text that one typed, and places in it.
TYPED = re.compile(rf"(?<=#{touch.STATE})([^&]+).*")


def _internal(lines: list[Line]) -> set[str]:
    found = {address for line in lines for _, address in line.links if not re.match(r"[a-z]+:", address)}
    return {TYPED.sub(r"\1", address) for address in found}


def _external(lines: list[Line]) -> set[str]:
    """Addresses, apart from the language that they name."""
    return {
        re.sub(r"\b(?:ko|en)\b", "ko|en", address)
        for line in lines
        for _, address in line.links
        if re.match(r"[a-z]+:", address)
    }


def _references(lines: list[Line]) -> set[str]:
    return {name for line in lines for name in line.references}


def _code(lines: list[Line]) -> set[str]:
    """Code without Hangul; `shape` is a word of Korean."""
    return {code for line in lines for code in line.code if code != "shape" and not re.search("[가-힣]", code)}


def _decimals(lines: list[Line]) -> set[str]:
    """Decimals, and sections of papers: 0.0002, 3.2.3."""
    return {number for line in lines for number in re.findall(r"(?<![\w.])\d+(?:\.\d+)+", line.prose)}


DETAILS = {
    "formula": _formulas,
    "link": _internal,
    "external link": _external,
    "footnote": _references,
    "code": _code,
    "number": _decimals,
    "mark": numbers.marks_of,
}


def _rows(lines: list[Line]) -> list[Line]:
    return [line for line in lines if line.place == "table"]


#: 6500만 is 65 million.
UNITS = {"만": 10**4, "억": 10**8, "thousand": 10**3, "million": 10**6, "billion": 10**9}


def _numbers(row: Line) -> list[str]:
    """What a row has in both languages: numbers, formulas, code and addresses."""
    numbers = []
    for digits, unit in re.findall(rf"(\d[\d,]*(?:\.\d+)*) ?({'|'.join(UNITS)})?", row.prose):
        plain = digits.replace(",", "")
        numbers.append(f"{float(plain) * UNITS.get(unit, 1):g}" if plain.count(".") < 2 else plain)
    return [*sorted(numbers), *sorted(_formulas([row]) | _internal([row]) | _code([row]))]
