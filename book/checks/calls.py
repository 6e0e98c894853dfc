"""Checks that code imports what modules of the book have, and passes their functions arguments that they take: whoever
renames one is told of each place that still says the old name, before anything runs."""

from __future__ import annotations

import ast
import functools
from collections.abc import Iterator
from pathlib import Path

from book.problems import Problem
from book.source.page import fences
from book.source.pages import Book
from book.source.text import lines_of, near, read

#: Where code of a book stands. The machinery serves other books, too, whose modules are not these.
FOLDERS = ("snippets", "exercises", "tests")


def imported_names(book: Book) -> Iterator[Problem]:
    """Every name that is imported from a module of ``snippets`` is there, and takes what it is called with."""
    for folder in FOLDERS:
        for path in sorted((book.root / folder).rglob("*")):
            own = folder == "exercises" and path.parent != book.root / folder and path.name != "stages.py"
            if path.suffix in (".py", ".md") and not own and "snippets" in (text := read(path)):
                yield from _of_file(book.root, path, text)


def _of_file(root: Path, path: Path, text: str) -> Iterator[Problem]:
    imported: dict[str, tuple[Path, str]] = {}
    bound: set[str] = set()
    calls: list[tuple[int, ast.Call, str]] = []
    for first, code in _pieces(path, text):
        try:
            tree = ast.parse(code)
        except SyntaxError:  # another check, or Python itself, says so
            continue
        for node in ast.walk(tree):
            match node:
                case ast.ImportFrom(module=str(module), level=0) if module.partition(".")[0] == "snippets":
                    there = root.joinpath(*module.split("."))
                    file = there / "__init__.py" if there.is_dir() else there.with_suffix(".py")
                    known = _names(file, file.stat().st_mtime_ns) if file.is_file() else {}
                    for alias in node.names:
                        if alias.name in known:
                            imported[alias.asname or alias.name] = file, alias.name
                        elif not (there / f"{alias.name}.py").is_file() and not (there / alias.name).is_dir():
                            message = f"{module} has no {alias.name}{near(alias.name, known)}"
                            yield Problem(path, first + node.lineno, message)
                case ast.FunctionDef(name=name) | ast.ClassDef(name=name) | ast.Name(id=name, ctx=ast.Store()):
                    bound.add(name)
                case ast.arg(arg=name):
                    bound.add(name)
                case ast.Call(func=ast.Name(id=name)) if node.keywords:
                    calls.append((first + node.lineno, node, name))
    for line, call, name in calls:
        if name in bound or name not in imported:
            continue
        file, function = imported[name]
        takes = _names(file, file.stat().st_mtime_ns)[function]
        for keyword in call.keywords:
            if takes is not None and keyword.arg is not None and keyword.arg not in takes:
                message = f"{function} takes no argument {keyword.arg}{near(keyword.arg, takes)}"
                yield Problem(path, line, message)


def _pieces(path: Path, text: str) -> list[tuple[int, str]]:
    """The Python of a file, and the line before each piece of it."""
    if path.suffix == ".py":
        return [(0, text)]
    return [(fence.line, "\n".join(fence.body)) for fence in fences(lines_of(text)) if fence.info == "python"]


@functools.lru_cache(maxsize=1024)
def _names(path: Path, modified: int) -> dict[str, frozenset[str] | None]:
    """The names that a module has, and which arguments each of its functions takes by name, if that is certain."""
    found: dict[str, frozenset[str] | None] = {}
    left: list[ast.AST] = [*ast.parse(read(path)).body]
    while left:
        node = left.pop()
        match node:
            case ast.FunctionDef(name=name, args=args):
                by_name = frozenset(one.arg for one in [*args.args, *args.kwonlyargs])
                found[name] = None if args.kwarg else by_name
            case ast.ClassDef(name=name):
                found[name] = None
            case ast.Import(names=names) | ast.ImportFrom(names=names):
                found |= dict.fromkeys(alias.asname or alias.name.partition(".")[0] for alias in names)
            case ast.Name(id=name, ctx=ast.Store()):
                found[name] = None
            case _:
                left += ast.iter_child_nodes(node)
    return found


CHECKS = (imported_names,)
