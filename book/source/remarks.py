"""What code says in words: comments, docstrings, and the labels that a worked example prints
(``book/source/labels.py``).
"""

from __future__ import annotations

import ast
import functools
import io
import keyword
import re
import tokenize
from dataclasses import dataclass
from pathlib import Path

from book.source import labels

#: Comments that speak to programs.
MARKS = re.compile(r"#\s*(-*8<-|noqa|type:|fmt:|pragma|!)")
_SHAPE = re.compile(r"\([^()]*\)|\[[^][]*\]|`[^`]*`")


@dataclass(frozen=True)
class Said:
    """A comment or docstring in the lines ``line`` to ``end`` of a piece of Python, from ``column`` on."""

    kind: str  # comment (lines of its own), trailing (behind code), docstring, label (of an example)
    text: str
    line: int
    end: int
    column: int


def key(text: str) -> str:
    """A text without its line breaks: how it is wrapped does not matter, but the columns of a line do."""
    return text if "  " in text and "\n" not in text else " ".join(text.split())


@functools.cache
def said(source: str) -> list[Said]:
    """All comments and docstrings of a piece of Python; comments on consecutive lines are one."""
    lines = source.splitlines()
    found: list[Said] = []
    for token in tokenize.generate_tokens(io.StringIO(source).readline):
        if token.type != tokenize.COMMENT or MARKS.match(token.string):
            continue
        (line, column), text = token.start, token.string.lstrip("#:").strip()
        kind = "trailing" if lines[line - 1][:column].strip() else "comment"
        last = found[-1] if found else None
        if kind == "comment" and last and (last.kind, last.end, last.column) == (kind, line - 1, column):
            found[-1] = Said(kind, f"{last.text}\n{text}", last.line, line, column)
        else:
            found.append(Said(kind, text, line, line, column))
    for node in ast.walk(ast.parse(source)):
        if isinstance(node, (ast.Module, ast.ClassDef, ast.FunctionDef)) and (docstring := ast.get_docstring(node)):
            where = node.body[0]
            end = where.end_lineno or where.lineno
            found.append(Said("docstring", docstring, where.lineno, end, where.col_offset))
    return sorted(found, key=lambda one: one.line)


def in_example(source: str) -> list[Said]:
    """All comments, docstrings and labels of a piece of Python of a worked example."""
    return sorted([*said(source), *map(of_label, labels.labels(source))], key=lambda one: one.line)


def said_in(path: Path, source: str) -> list[Said]:
    """What a piece of Python of a file says: only worked examples have labels."""
    return in_example(source) if path.suffix == ".md" else said(source)


def of_label(one: labels.Label) -> Said:
    return Said("label", one.text, one.line, one.line, one.column)


def has_words(text: str, source: str) -> bool:
    """Does a comment say something in words, not only shapes, code and names of its file?"""
    names = _names(source)
    return any(word not in names for word in re.findall(r"[A-Za-z]{2,}", _SHAPE.sub(" ", text)))


@functools.cache
def _names(source: str) -> set[str]:
    """Whatever is a name in a piece of Python, taken apart at its underscores and digits."""
    tokens = tokenize.generate_tokens(io.StringIO(source).readline)
    names = " ".join(token.string for token in tokens if token.type == tokenize.NAME)
    return {word for word in re.findall(r"[A-Za-z]+", names) if not keyword.iskeyword(word)}
