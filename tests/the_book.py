"""This book, read once for all tests of a process that look into it."""

from __future__ import annotations

import ast

from book import ROOT
from book.pages import Book

BOOK = Book.read(ROOT)


def without_words(code: str) -> str:
    """The syntax tree of some code without comments, docstrings and headings, of which each edition has its own."""
    tree = ast.parse(code)
    for node in ast.walk(tree):
        if isinstance(node, ast.ClassDef | ast.FunctionDef | ast.Module) and ast.get_docstring(node) is not None:
            del node.body[0]
        match node:
            case ast.Call(func=ast.Name(id="print"), args=[ast.Constant(value=str()) as heading]):
                heading.value = ""
    return ast.dump(tree)
