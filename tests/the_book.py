"""This book, read once for all tests of a process that look into it."""

from __future__ import annotations

import ast

from book import ROOT
from book.source.pages import Book

BOOK = Book.read(ROOT)


def without_words(code: str) -> str:
    """The syntax tree of some code without comments, docstrings and printed words: each edition has its own.

    The values of an f-string are in one order.
    """
    tree = ast.parse(code)
    for node in ast.walk(tree):
        if isinstance(node, ast.ClassDef | ast.FunctionDef | ast.Module) and ast.get_docstring(node) is not None:
            del node.body[0]
        match node:
            case ast.JoinedStr(values=values):
                node.values = sorted((one for one in values if isinstance(one, ast.FormattedValue)), key=ast.dump)
            case ast.Call(func=ast.Name(id="print"), args=arguments):
                for text in [getattr(one, "left", one) for one in arguments]:
                    if isinstance(text, ast.Constant) and isinstance(text.value, str):
                        text.value = ""
    return ast.dump(tree)
