"""Sources are cited alike wherever they are cited: a title has one address, an address one title, and a year that fits.

So a wrong address, wrong in both languages, is found where the paper is cited a second time, or by its year.
"""

from __future__ import annotations

import re
from collections.abc import Iterator

from book.problems import Problem
from book.source.pages import Book

_ARXIV = re.compile(r"arxiv\.org/abs/(\d\d)\d\d\.")
_YEAR = re.compile(r"(?<!\d)(?:19|20)\d\d(?!\d)")
_TITLE = re.compile(r"[“\"]?\*([^*]+)\*[”\"]?")
#: Between the year of a paper and that of its number on arXiv lie at most so many years: earlier, later.
EARLY, LATE = 1, 2
#: Pages of one course, each with an address of its own.
MANY = {"llm course"}


def titles_alike(book: Book) -> Iterator[Problem]:
    """The same title leads to the same place, and a place has one title, which may be cut off behind its beginning."""
    places: dict[str, tuple[str, str]] = {}
    titles: dict[str, tuple[str, str]] = {}
    for page in book.every_page():
        for line in page.lines:
            for text, address in line.links:
                found = _TITLE.fullmatch(text)
                if not found or not address.startswith("https://"):
                    continue
                title = found[1].casefold().strip()
                here = f"{page.path.relative_to(book.root).as_posix()}:{line.number}"
                other, where = places.setdefault(title, (address, here))
                if other != address and title not in MANY:
                    yield Problem(page.path, line.number, f"{title} leads to {address}, and in {where} to {other}")
                other, where = titles.setdefault(address, (title, here))
                translated = re.search("[가-힣]", title + other)
                if not (title.startswith(other) or other.startswith(title) or translated):
                    yield Problem(page.path, line.number, f"{address} is {title} here, and {other} in {where}")


def years_fit(book: Book) -> Iterator[Problem]:
    """The year of a paper in a list of sources is about that of its number on arXiv."""
    for page in book.every_page():
        for line in page.lines:
            for found in _ARXIV.finditer(line.text if line.is_bullet else ""):
                said, began = _YEAR.findall(line.text[: found.start()]), 2000 + int(found[1])
                if said and not began - EARLY <= int(said[-1]) <= began + LATE:
                    message = f"the paper is of {said[-1]}, and its number on arXiv of {began}: correct one of them"
                    yield Problem(page.path, line.number, message)


CHECKS = (titles_alike, years_fit)
