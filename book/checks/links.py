"""Checks of links and footnotes: they lead somewhere."""

from __future__ import annotations

import posixpath
import re
from collections.abc import Iterator

from book.checks.code import suggestion
from book.checks.words import terms_of
from book.markdown import touch
from book.problems import Problem
from book.source import glossary
from book.source.pages import Book
from book.source.text import near


def links(book: Book) -> Iterator[Problem]:
    """Internal links lead to pages and headings that exist, by relative path."""
    entries = {f"term-{term.id}" for term in terms_of(book)}
    downloads = {f"assets/onefile/{path.name}" for path in book.files()}  # book/adapters/hooks.py puts them there
    for page in book.every_page():
        for line in page.lines:
            for _, address in line.links:
                if re.match(r"[A-Za-z][\w+.-]*:", address):
                    if not address.startswith("https://"):
                        scheme = address.partition(":")[0]
                        yield Problem(
                            page.path, line.number, f"{scheme}: links lead to pages by https, or into the book"
                        )
                    continue
                target, _, anchor = address.partition("#")
                path = (page.path.parent / target).resolve() if target else page.path.resolve()
                tree = (book.root / "docs" / page.language).resolve()
                name = path.relative_to(tree).as_posix() if path.is_relative_to(tree) else ""
                other = book.pages[page.language].get(name)
                if address.startswith("/"):
                    message = f"the link {address} is absolute: write the way from this file, as ../part/page.md"
                    yield Problem(page.path, line.number, message)
                    continue
                if name in downloads:
                    continue
                if other is None:
                    here = posixpath.dirname(page.name) or "."
                    known = (posixpath.relpath(known, here) for known in book.pages[page.language])
                    instead = near(target, known) or ": correct it"
                    message = f"the link {address} leads to no page in docs/{page.language}{instead}"
                    yield Problem(page.path, line.number, message)
                    continue
                anchors = other.anchors()
                if any(text.text.strip() == glossary.MARKER for text in other.lines):
                    anchors |= entries
                if anchor.startswith(touch.STATE) and any(touch.MARK in text.text for text in other.lines):
                    continue  # the figure there opens with it
                if anchor and anchor not in anchors:
                    message = f"{address}: {name} has no anchor #{anchor}{suggestion(anchor, anchors)}"
                    yield Problem(page.path, line.number, message)


def footnotes(book: Book) -> Iterator[Problem]:
    """Every reference has its footnote, and every footnote is referred to."""
    for page in book.every_page():
        notes: dict[str, int] = {}
        for item in page.items:
            if item.kind == "footnote":
                if item.value in notes:
                    message = f"the footnote {item.value} already stands in line {notes[item.value]}: rename one"
                    yield Problem(page.path, item.line, message)
                notes.setdefault(item.value, item.line)
        used = {name: line.number for line in reversed(page.lines) for name in line.references}
        for name in sorted(used.keys() - notes.keys()):
            yield Problem(page.path, used[name], f"there is no footnote {name}: add `[^{name}]: …`, or correct it")
        for name in sorted(notes.keys() - used.keys()):
            yield Problem(page.path, notes[name], f"nothing refers to the footnote {name}: put [^{name}] into the text")
