"""What pages are written in: the kinds of blocks, what front matter says, titles, brackets, links and footnotes."""

from __future__ import annotations

import re
from collections.abc import Iterator

from book.pages import Book
from book.problems import Problem
from book.source import paragraphs
from book.text import lines_of, near, read

#: As mkdocs.yml has them.
BLOCKS = {
    *("short", "remember", "goals", "note", "tip", "warning", "theorem", "proof", "exercise", "solution", "listing"),
    "figure-caption",
}
#: What the theme and the book read of the front matter.
KEYS = {"title", "description", "map", "search"}
BRACKETS = ("()", "[]", "“”")


def kinds_known(book: Book) -> Iterator[Problem]:
    """Blocks are of a kind that there is, and have a title, which says what one opens."""
    for page in book.every_page():
        titled = {line.number for line in page.lines if line.place == "title" and line.text.strip()}
        for item in page.items:
            if item.kind != "block":
                continue
            slashes, kind = item.value.split()
            if kind not in BLOCKS:
                yield Problem(page.path, item.line, f"there is no block {kind}{near(kind, BLOCKS)}")
            elif kind != "figure-caption" and item.line not in titled:
                yield Problem(page.path, item.line, f"this block has no title: write {slashes} {kind} | Title")


def keys_known(book: Book) -> Iterator[Problem]:
    """The front matter says title, description and place on the map, and ends at its first line of dashes."""
    for page in book.every_page():
        lines = lines_of(read(page.path))
        end = lines.index("---", 1) if lines[:1] == ["---"] and "---" in lines[1:] else 0
        for number, line in enumerate(lines[:end], 1):
            key = re.match(r"([\w-]+)\s*:", line)
            if line.strip() == "...":
                yield Problem(page.path, number, "MkDocs ends the front matter here: remove this line")
            elif key and key[1] not in KEYS:
                yield Problem(page.path, number, f"the front matter has no {key[1]}{near(key[1], KEYS)}: take it out")
            elif key and key[1] == "search" and page.meta.get("search") != {"exclude": True}:
                yield Problem(page.path, number, "search says `exclude: true`, or is not there")


def brackets_closed(book: Book) -> Iterator[Problem]:
    """Each bracket and quotation mark of a paragraph has its other half."""
    for page in book.every_page():
        for paragraph in paragraphs(page):
            text = " ".join(line.shown for line in paragraph)
            text = re.sub(r"^\s*\(?\d+\)", " ", text)  # of a list
            for opening, closing in BRACKETS:
                here, there = text.count(opening), text.count(closing)
                if here != there:
                    message = f"{here} {opening} and {there} {closing} in this paragraph: close or remove one"
                    yield Problem(page.path, paragraph[0].number, message)


def marks_placed(book: Book) -> Iterator[Problem]:
    """A footnote's mark stands behind the full stop, and an address without words behind it."""
    for page in book.every_page():
        for line in page.lines:
            if re.search(r"\[\^[\w-]+\]\.", line.without_code):
                yield Problem(page.path, line.number, "put the mark of the footnote behind the full stop")
            if found := re.search(r"\]\([^)\s]+\s+[^\s\"')][^)]*\)", line.markup):
                yield Problem(page.path, line.number, f"Markdown makes no link of {found[0]}: write only the address")


CHECKS = (kinds_known, keys_known, brackets_closed, marks_placed)
