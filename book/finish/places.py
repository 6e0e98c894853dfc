"""Where a page stands in the book: parts and pages get the numbers of a book, counted from the navigation.

The pages of the first part are 1.1, 1.2 and so on; the index of a part stands for the part, and has its number.
The appendix has a letter. What stands before the first part has no number.
"""

from __future__ import annotations

from collections.abc import Callable
from dataclasses import dataclass
from itertools import count

from book.problems import BookError

#: The folder whose part has a letter instead of a number.
APPENDIX = "appendix"


@dataclass(frozen=True)
class Place:
    """Of a page: ``number`` as in 2.3, its section, and which of its pages it is (0: the index).

    ``minutes``: how long all that the part has from this page on takes to read."""

    number: str
    part: object
    page: int
    pages: int
    minutes: int = 0


def count_pages(nav, minutes: Callable[[object], int] = lambda page: 0) -> None:
    """Give each part of MkDocs' navigation its ``number`` and ``index``, and each of its pages its ``place``.

    ``minutes``: how long a page takes to read."""
    numbers = count(1)
    for page in nav.pages:
        page.place = None
    for part in filter(lambda item: item.is_section, nav.items):
        index = next((page for page in part.children if page.is_page and page.is_index), None)
        if index is None:
            first = part.children[0].file.src_uri
            raise BookError(f"mkdocs.yml: the part of {first} has no index.md, which names it; put one first")
        pages = [page for page in part.children if page is not index]
        part.index = index
        part.number = "A" if index.file.src_uri == f"{APPENDIX}/index.md" else str(next(numbers))
        left = sum(map(minutes, pages))
        index.place = Place(part.number, part, 0, len(pages), left)
        for position, page in enumerate(pages, 1):
            page.place = Place(f"{part.number}.{position}", part, position, len(pages), left)
            left -= minutes(page)
