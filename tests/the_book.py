"""This book, read once for all tests of a process that look into it."""

from __future__ import annotations

import ast

from book import ROOT
from book.source.pages import Book

BOOK = Book.read(ROOT)


def without_words(code: str) -> str:
    """The syntax tree of some code without comments, docstrings and strings: each edition has its own.

    The values of an f-string are in one order. That what is looked up by a string is found shows when the code runs.
    """
    tree = ast.parse(code)
    for node in ast.walk(tree):
        if isinstance(node, ast.ClassDef | ast.FunctionDef | ast.Module) and ast.get_docstring(node) is not None:
            del node.body[0]
        if isinstance(node, ast.Constant) and isinstance(node.value, str):
            node.value = ""
    for node in ast.walk(tree):
        if isinstance(node, ast.JoinedStr):
            node.values = sorted((one for one in node.values if isinstance(one, ast.FormattedValue)), key=ast.dump)
    return ast.dump(tree)
