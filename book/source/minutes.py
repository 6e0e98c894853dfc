"""How long a page takes to read: words and code of its body, at the pace of somebody who follows.

What stands folded counts half. Folded imports, what a reader does instead of reading (questions, exercises) and what is
looked up (sources, footnotes) count nothing. The build writes the minutes under the title; book/checks/outline.py
refuses a page that is long.
"""

from __future__ import annotations

import ast
import functools
import itertools
import math
import re
import sys
from collections.abc import Iterable, Iterator
from dataclasses import dataclass
from pathlib import Path

from book import ROOT, strings
from book.source import editions
from book.source.page import Fence, Page, fences, read_sections
from book.source.pages import Book
from book.source.text import lines_of, read

#: Words (in Korean: what stands between spaces) and lines of code a minute.
WORDS, CODE = {"en": 200, "ko": 130}, 10
#: Words that fill a line on a screen, and the lines that a figure is high.
LINE, FIGURE = {"en": 12, "ko": 8}, 12
#: As mkdocs.yml has them: blocks that are closed until somebody opens them, and how much of them is read.
FOLDED, HALF = {"solution", "listing"}, 0.5
#: Lines of code that nobody minds before what they print.
SHORT = 5
#: Where a page has been opened.
ANSWER = "/// short"
#: Sections that are no reading.
DONE = {"questions", "again", "exercises", "sources"}
#: What is said of the minutes, under the title.
SAID = strings.each("minutes", "to_read")
#: Of a time in words: minutes alone, and hours with minutes.
SPOKEN = strings.each("minutes", "spoken")


@dataclass(frozen=True)
class Listing:
    """Code that a page shows in one piece. ``line``: where the page does; ``share``: how much of it counts."""

    line: int
    code: tuple[str, ...]  # without empty lines
    output: int  # lines that it prints in plain sight
    share: float


@dataclass(frozen=True)
class Length:
    """What there is to read on a page. ``lines``: those on a screen that are neither code nor folded."""

    words: float
    listings: tuple[Listing, ...]
    lines: float
    language: str

    @property
    def minutes(self) -> float:
        code = sum(listing.share * len(listing.code) for listing in self.listings)
        return self.words / WORDS[self.language] + code / CODE

    @property
    def visible(self) -> list[Listing]:
        return [listing for listing in self.listings if listing.share == 1]

    @property
    def code(self) -> float:
        """The share of code in what can be seen."""
        code = sum(len(listing.code) for listing in self.visible)
        return code / (code + self.lines) if code else 0


def rounded(minutes: float) -> int:
    """As a page says it."""
    return max(1, math.ceil(round(minutes, 6)))


def spoken(minutes: int, language: str) -> str:
    """A time as somebody plans it: from an hour on, in steps of five minutes."""
    short, whole, long = SPOKEN[language]
    if minutes < 60:
        return short.format(minutes)
    hours, rest = divmod(5 * math.ceil(minutes / 5), 60)
    return long.format(hours, rest) if rest else whole.format(hours)


def below_title(article: str, read: Length, beside: str = "") -> str:
    """The article of a page, which says under its title how long it takes, and ``beside`` it something else, as HTML.
    The search does not look there."""
    said = SAID[read.language].format(rounded(read.minutes)) + beside
    return article.replace("</h1>", f'</h1>\n<p class="minutes" data-search-exclude>{said}</p>', 1)


#: Up to the next space or bar of a table.
_WORD = re.compile(r"[^\s|]*\w[^\s|]*")


def words(text: str) -> int:
    """What stands between spaces, if there is a letter or a digit in it."""
    return len(_WORD.findall(text))


def length(page: Page, snippets: Path) -> Length:
    """Of a page, whose code is in ``snippets``."""
    share = _shares(page)
    text = [line for line in page.lines if not re.match(r"\[\^[\w-]+\]:", line.text)]
    count = {line.number: words(line.shown) - len(line.images) for line in text}  # each is an x there
    listings = tuple(_listings(page, snippets, share))
    seen = sum(n / LINE[page.language] for number, n in count.items() if share(number) == 1)
    seen += sum(len(lines_of(tex)) for number, tex in page.formulas if share(number) == 1)
    seen += FIGURE * sum(item.kind == "image" and share(item.line) == 1 for item in page.items)
    seen += sum(listing.output for listing in listings)
    return Length(sum(n * share(number) for number, n in count.items()), listings, seen, page.language)


def _shares(page: Page):
    """How much of a line counts, by its number."""
    factors: list[tuple[float, float, float]] = []  # from a line to a line, and by how much
    opened: list[int] = []
    for item in page.items:
        if item.kind == "block":
            opened.append(item.line)
        elif item.kind == "end of block" and opened:
            kind, began = item.value.split()[1], opened.pop()
            if kind == "exercise" or kind in FOLDED:
                factors.append((began, item.line, HALF if kind in FOLDED else 0))
    tops: list[tuple[float, str]] = [(line, name) for level, name, _, line in page.headings() if level == 2]
    tops.append((math.inf, ""))
    factors += [(line, tops[place][0] - 1, 0) for place, (line, name) in enumerate(tops[:-1], 1) if name in DONE]
    return lambda number: min((by for began, end, by in factors if began <= number <= end), default=1)


def _listings(page: Page, snippets: Path, share) -> Iterator[Listing]:
    """All code of a page, typed or included, in order."""
    included: dict[int, list[str]] = {}
    answer = min((item.line for item in page.items if item.value == ANSWER), default=0)
    for target, number, fence in page.includes:
        lines = _included(snippets, editions.address(target, page.language, snippets))
        if fence is not None:
            included.setdefault(fence.line, []).extend(lines)
            continue
        for one, output in _examples(lines):
            turned = number < answer and output and is_apparatus(one.body)  # book/markdown/openings.py folds it
            its = share(number)
            yield Listing(number, _filled(one.body), output if its == 1 else 0, HALF if turned and its == 1 else its)
    for fence in page.fences:
        typed = [line for line in fence.body if "--8<--" not in line]
        code = _filled([*typed, *included.get(fence.line, [])])
        its = share(fence.line)
        yield Listing(fence.line, code, 0, 0 if its < 1 and _only_imports(code) else its)


def is_apparatus(code: Iterable[str]) -> bool:
    """Whether it is there to get at what it prints: it is long, and has something of the book in it."""
    lines = [line for line in code if line.strip()]
    return len(lines) > SHORT and any(re.match(r"\s*(from|import) snippets\b", line) for line in lines)


def _only_imports(code: tuple[str, ...]) -> bool:
    """Nobody reads those: they are there to be copied."""
    try:
        statements = ast.parse("\n".join(code)).body
    except SyntaxError:
        return False
    return bool(statements) and all(isinstance(one, ast.Import | ast.ImportFrom) for one in statements)


def _examples(lines: list[str]) -> Iterator[tuple[Fence, int]]:
    """Each piece of code of a section, and how many lines of output come below it."""
    found = fences(lines)
    for fence, below in itertools.zip_longest(found, found[1:]):
        if fence.language != "text":
            yield fence, len(below.body) if below is not None and below.language == "text" else 0


def _filled(lines: list[str]) -> tuple[str, ...]:
    return tuple(line for line in lines if line.strip())


def _included(snippets: Path, target: str) -> list[str]:
    """The lines that an include brings; none if it leads nowhere, which the checks say."""
    name, _, section = target.partition(":")
    path = snippets / name
    if not path.is_file():
        return []
    everything = _sections(path, path.stat().st_mtime_ns)
    return everything.get(section, [])


@functools.cache
def _sections(path: Path, changed: int) -> dict[str, list[str]]:
    """By name; under no name the whole file, without the marks of its sections."""
    lines = lines_of(read(path))
    named = {section.name: list(section.lines) for section in reversed(read_sections(lines)[0])}
    return {**named, "": [line for line in lines if "--8<-- [" not in line]}


def main(names: list[str]) -> None:
    """Say of pages, PART/NAME, how long they take, and what makes them long."""
    book = Book.read(ROOT)
    for name in names or [name.removesuffix(".md") for name in book.nav]:
        for page in (pages[f"{name}.md"] for pages in book.pages.values() if f"{name}.md" in pages):
            read = length(page, book.snippets_folder)
            lines = sum(listing.share * len(listing.code) for listing in read.listings)
            longest = max((len(listing.code) for listing in read.visible), default=0)
            print(f"{page.language} {name}: {read.minutes:.1f} minutes", end=" ")
            print(f"({read.words:.0f} words, {lines:.0f} lines of code);", end=" ")
            print(f"{read.code:.0%} of what can be seen is code, the longest listing has {longest} lines")


if __name__ == "__main__":
    main(sys.argv[1:])
