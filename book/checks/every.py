"""All checks in order, and what they say of a book."""

from __future__ import annotations

from pathlib import Path

from book.checks import (
    alike,
    calls,
    cited,
    code,
    counted,
    files,
    forms,
    hangul,
    letters,
    links,
    names,
    numbers,
    outline,
    pictures,
    printed,
    readable,
    said,
    side_by_side,
    unused,
    whole_pages,
    words,
)
from book.finish import article, moved
from book.problems import Problem
from book.source import comments, editions
from book.source.pages import Book

FIRST = (readable.encodings, readable.settings, readable.entries)
CHECKS = (
    files.characters,
    files.published,
    files.style_sheets,
    whole_pages.unread_forms,
    whole_pages.both_languages,
    whole_pages.front_matter,
    whole_pages.on_the_map,
    whole_pages.unwritten,
    whole_pages.headings,
    whole_pages.nothing_empty,
    whole_pages.parts_name_their_pages,
    code.typed_code,
    code.includes,
    code.markers,
    code.definitions,
    code.worked_examples,
    code.code_width,
    code.everything_is_shown,
    code.pasted_in_order,
    pictures.figures,
    pictures.touchable_figures,
    pictures.alternative_texts,
    pictures.labels,
    pictures.html,
    pictures.leftovers,
    words.plain_words,
    words.wording,
    words.meanings,
    words.first_uses,
    side_by_side.keys,
    side_by_side.questions_hold,
    words.languages,
    words.unmarked_korean,
    side_by_side.same_structure,
    side_by_side.same_details,
    links.links,
    links.footnotes,
    *numbers.CHECKS,
    *article.CHECKS,
    *alike.CHECKS,
    *calls.CHECKS,
    *cited.CHECKS,
    *comments.CHECKS,
    *counted.CHECKS,
    *editions.CHECKS,
    *forms.CHECKS,
    *hangul.CHECKS,
    *letters.CHECKS,
    *moved.CHECKS,
    *names.CHECKS,
    *outline.CHECKS,
    *printed.CHECKS,
    *said.CHECKS,
    *unused.CHECKS,
)


def unreadable(root: Path) -> list[Problem]:
    """What keeps the book at ``root`` from being read at all, with paths relative to it."""
    return [_relative(problem, root) for check in FIRST for problem in check(root)]


def check_pages(root: Path) -> list[Problem]:
    """All problems of the book at ``root``, with paths relative to it."""
    if problems := unreadable(root):
        return problems
    book = Book.read(root)
    return [_relative(problem, root) for check in CHECKS for problem in check(book)]


def _relative(problem: Problem, root: Path) -> Problem:
    return Problem(problem.path.relative_to(root), problem.line, problem.message)
