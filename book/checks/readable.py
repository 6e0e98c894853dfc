"""Checks of what everything else is read from: if one of these has a problem, no other check is made."""

from __future__ import annotations

from collections.abc import Iterator
from pathlib import Path

from book.finish import search
from book.problems import Problem
from book.source import glossary
from book.source.located import EntryError
from book.source.pages import SettingsError, navigation
from book.source.text import text_files

#: Bytes: a page of more is several pages.
LARGEST_PAGE = 60_000


def encodings(root: Path) -> Iterator[Problem]:
    """Text is UTF-8, and a page is no book."""
    for path in text_files(root):
        try:
            data = path.read_bytes()
            data.decode()
        except FileNotFoundError:  # a link that leads nowhere
            continue
        except UnicodeDecodeError as error:
            yield Problem(path, data[: error.start].count(b"\n") + 1, "this is not UTF-8: save the file as UTF-8")
        if path.suffix == ".md" and len(data) > LARGEST_PAGE:
            yield Problem(path, 1, f"has {len(data) // 1000} kB: more than {LARGEST_PAGE // 1000} kB is several pages")


def settings(root: Path) -> Iterator[Problem]:
    """mkdocs.yml can be read."""
    try:
        navigation(root)
    except SettingsError as error:
        yield Problem(root / "mkdocs.yml", error.line, str(error))


def entries(root: Path) -> Iterator[Problem]:
    """So can the glossary, and the keys of the search."""
    for name, load in (("glossary.yml", glossary.load), ("keywords.yml", search.keywords)):
        try:
            load(root / "docs" / name)
        except EntryError as error:
            yield Problem(root / "docs" / name, error.line, error.message)
