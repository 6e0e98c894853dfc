"""This book, read once for all tests of a process that look into it."""

from __future__ import annotations

import ast

from book import ROOT
from book.pages import Book

BOOK = Book.read(ROOT)


def without_words(code: str) -> str:
    """The syntax tree of some code without comments, docstrings and printed words: each edition has its own."""
    tree = ast.parse(code)
    for node in ast.walk(tree):
        if isinstance(node, ast.ClassDef | ast.FunctionDef | ast.Module) and ast.get_docstring(node) is not None:
            del node.body[0]
        match node:
            case ast.Call(func=ast.Name(id="print")):
                _drop_words(node)
    return ast.dump(tree)


def _drop_words(node: ast.AST) -> None:
    """Take the texts out of the strings in what is printed, and put the values of f-strings into one order."""
    for inner in ast.walk(node):
        if isinstance(inner, ast.JoinedStr):
            values = [one for one in inner.values if isinstance(one, ast.FormattedValue)]
            inner.values = sorted(values, key=ast.dump)
        elif isinstance(inner, ast.Call):
            for one in inner.args:
                match one:
                    case ast.Constant(value=str()):
                        one.value = ""
                    case ast.BinOp(left=ast.Constant(value=str()) as text):
                        text.value = ""
