"""The hours of a syllabus: what its weeks read and build takes, in the minutes of those pages and exercises."""

from __future__ import annotations

import functools
import math
import re

from book import ROOT
from book.artifacts import exercises
from book.source import kinds, minutes
from book.source.pages import navigation
from book.source.parser import parse
from book.source.prose import HOURS

_PAGE = re.compile(r"\]\((?:\.\./)*([\w/-]+\.md)\)")
_CODE = re.compile(r"`(\w+)`")


def with_hours(markdown: str, language: str) -> str:
    """The text of a page with the hours of each week, where its row in a table says ``<!-- hours -->``.

    A week reads the pages that its row leads to, all of a part if that is an index, and builds the exercises that it
    names. A row of neither has the sum of the rows above it, as they are shown.
    """
    if HOURS not in markdown:
        return markdown
    lines, summed = [], (0.0, 0.0)
    for line in markdown.split("\n"):
        if not line.startswith("|"):
            summed = (0.0, 0.0)
        elif HOURS in line:
            own = _in_halves(read(line, language)), _in_halves(built(line))
            if any(own):
                summed = summed[0] + own[0], summed[1] + own[1]
            told = "\N{NO-BREAK SPACE}+\N{NO-BREAK SPACE}".join(f"{hours:g}" for hours in (own if any(own) else summed))
            line = line.replace(HOURS, told)
        lines.append(line)
    return "\n".join(lines)


def read(row: str, language: str) -> int:
    """The minutes of the pages that a row leads to, as they say them; those that say none take none."""
    pages = _PAGE.findall(row)
    parts = [page.removesuffix("index.md") for page in pages if page.endswith("/index.md")]
    return sum(
        _minutes(page, language)
        for page in navigation(ROOT)
        if kinds.is_taught(page) and not kinds.is_lab(page) and (page in pages or page.startswith(tuple(parts)))
        if page != f"{exercises.PAGE}.md"  # where a week builds
    )


def built(row: str) -> int:
    """The minutes of the exercises that a row names, of the parts that it leads to."""
    names = {f"{page.partition('/')[0]}/{name}" for page in _PAGE.findall(row) for name in _CODE.findall(row)}
    return sum(one["minutes"] for one in exercises.kept() if one["name"] in names)


@functools.cache
def _minutes(page: str, language: str) -> int:
    source = parse(ROOT / "docs" / language / page, language, page)
    return minutes.rounded(minutes.length(source, ROOT / "snippets").minutes)


def _in_halves(of: int) -> float:
    """Minutes as hours, rounded up to halves."""
    return math.ceil(of / 30) / 2
