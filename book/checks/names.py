"""Checks that the names in `code` on pages, in questions, exercises and guides are names of something.

A name that the book defines has to be in the code that its page shows, in what that code imports, or in a module of
which the page names a function, a class, or the file: so whoever renames an argument is told of each page that still
says the old name. Names of libraries, tools and data that no code of the book has stand in ``docs/names.yml``.
"""

from __future__ import annotations

import ast
import builtins
import keyword
import sys
from collections import defaultdict
from collections.abc import Iterable, Iterator
from pathlib import Path

import yaml

from book.problems import Problem
from book.source import questions
from book.source.names import WORD, joined, names_in, of_file
from book.source.page import Page
from book.source.pages import Book
from book.source.prose import Line
from book.source.text import lines_of, near, read

FILE = "docs/names.yml"
#: What Python itself has, and every tensor.
PYTHON = {*keyword.kwlist, *dir(builtins), *sys.stdlib_module_names, "shape"}


class Known:
    """What the names of a book are, and where each is defined."""

    def __init__(self, book: Book) -> None:
        self.book = book
        taught = [*book.snippets(), *book.tools(), *book.files(), *book.overlays()]
        self.files = [*taught, *(path for path in book.snippets_folder.rglob("*.py") if path not in set(taught))]
        self.modules: dict[str, set[Path]] = defaultdict(set)  # what defines a function or class, or is called so
        self.overlays: dict[Path, list[Path]] = defaultdict(list)
        for path in book.overlays():
            self.overlays[path.with_name(f"{path.stem.partition('.')[0]}{path.suffix}")].append(path)
        self.by_import = {
            ".".join(path.relative_to(book.root).with_suffix("").parts): path
            for path in self.files
            if path.suffix == ".py"
        }
        self.defined: set[str] = set()
        self.anywhere: set[str] = set(PYTHON)
        for path in self.files:
            names = of_file(path)
            self.anywhere |= {*names.used, path.stem, *path.parent.relative_to(book.root).parts}
            if path.suffix == ".py" and path in taught:
                self.defined |= names.defined
                for name in (path.stem, *names.offered):
                    self.modules[name].add(path)
        for folder in ("book", "exercises", "tests"):
            for path in (book.root / folder).rglob("*.py"):
                functions = of_file(path).functions
                # what a test defines for itself is no code that a page could mean
                meant = {name for name in functions if folder != "tests" or name.startswith("test_")}
                self.anywhere |= {path.stem, path.parent.name, *meant}
        self.others = {name for _, name, _ in others(book.root)}

    def with_imports(self, path: Path) -> set[Path]:
        """Return this file, and the modules of the book that it imports itself."""
        return {path, *(self.by_import[name] for name in of_file(path).modules if name in self.by_import)}

    def shown_on(self, page: Page) -> set[Path]:
        """Return the files of which a page shows a part, in either edition."""
        found = set()
        for target, *_ in page.includes:
            path = self.book.snippets_folder / target.partition(":")[0]
            found |= {one for one in (path, *self.overlays[path]) if one.is_file()}
        return found


def others(root: Path) -> list[tuple[str, str, int]]:
    """Return the names of docs/names.yml: whose each is, the name, and its line."""
    path = root / FILE
    if not path.is_file():
        return []
    tree = yaml.compose(read(path))
    return [
        (whose.value, name.value, name.start_mark.line + 1)
        for whose, names in (tree.value if tree else [])
        for name in names.value
    ]


def code_names(book: Book) -> Iterator[Problem]:
    """Whatever is said of code on pages, in questions, in exercises and in guides is said of code that there is."""
    known = Known(book)
    needed: set[str] = set()
    yield from _on_pages(known, needed)
    yield from _in_guides(known, needed)
    yield from _in_exercises(known, needed)
    for whose, name, line in others(book.root):
        if name not in needed:
            message = f"nothing says {name} without having it in its code: remove it from the names of {whose}"
            yield Problem(book.root / FILE, line, message)


def _on_pages(known: Known, needed: set[str]) -> Iterator[Problem]:
    book = known.book
    asked = {path: questions.load(path)[0] for path in questions.files(book.root / "docs" / "questions")}
    of_page = {
        f"{path.stem}/{name}.md": (path, some) for path, pages in asked.items() for name, (_, some) in pages.items()
    }
    for page in book.every_page():
        said = [(page.path, line) for line in page.lines]
        path, some = of_page.get(page.name, (page.path, []))
        said += [(path, line) for one in some for line in one.lines(page.language)]
        yield from _unknown(known, page, said, needed)


def _unknown(known: Known, page: Page, said: list[tuple[Path, Line]], needed: set[str]) -> Iterator[Problem]:
    found = [(path, line.number, *names_in(code)) for path, line in said for code in line.code]
    files = set().union(*map(known.with_imports, known.shown_on(page)))
    for *_, names, _ in found:
        files |= set().union(*(known.modules.get(name, ()) for name in names))
    here = PYTHON.union(known.book.parts(), *(of_file(path).used for path in files), *({path.stem} for path in files))
    accepts = _accepted(files)
    for path, number, names, calls in found:
        needed |= names - here
        for name in sorted(names - here - known.others):
            if name not in known.anywhere:
                message = f"`{name}`: no code has this name{near(name, here)}; if it is one of others, {FILE} lists it"
                yield Problem(path, number, message)
            elif name in known.defined:
                yield Problem(
                    path,
                    number,
                    f"`{name}` is in no code of this page{near(name, here)}, nor in a module that it names: "
                    "correct it, or say whose it is, as in `function(argument=…)`",
                )
        for call, function in ((call, call.func.id) for call in calls if isinstance(call.func, ast.Name)):
            takes = accepts.get(function)  # nothing of a library's function
            for argument in call.keywords:
                if not takes or argument.arg is None or argument.arg in takes:
                    continue
                needed.add(argument.arg)
                if argument.arg not in known.others:
                    message = f"`{function}` takes no argument `{argument.arg}`{near(argument.arg, takes)}"
                    yield Problem(path, number, message)


def _accepted(files: Iterable[Path]) -> dict[str, frozenset[str]]:
    """Return what the functions and classes in some files accept by name; those that accept anything are left out."""
    found: dict[str, set[str]] = defaultdict(set)
    anything = set()
    for path in files:
        for name, arguments in of_file(path).calls:
            found[name] |= arguments or set()
            if arguments is None:
                anything.add(name)
    return {name: frozenset(arguments) for name, arguments in found.items() if name not in anything}


def _in_guides(known: Known, needed: set[str]) -> Iterator[Problem]:
    book = known.book
    said = [book.root / "mkdocs.yml", *(book.root / "book" / "strings").glob("*.yml")]
    settings = {word for path in said for word in WORD.findall(read(path))}
    for path in sorted(book.root.glob("*.md")):
        for number, line in enumerate(lines_of(read(path)), start=1):
            for code in Line(line, number, "text").code:
                strange = names_in(code)[0] - known.anywhere - settings
                needed |= strange
                for name in sorted(strange - known.others):
                    yield Problem(path, number, f"`{name}`: no code has this name{near(name, known.anywhere)}")


def _in_exercises(known: Known, needed: set[str]) -> Iterator[Problem]:
    folder = known.book.root / "exercises"
    for path in sorted(folder.rglob("*.py")):
        if path.parent != folder and path.name != "stages.py":
            continue  # a learner's own
        text = read(path)
        strange = set(joined(text)) - known.anywhere - of_file(path).used
        needed |= strange
        strange -= known.others
        for node in ast.walk(ast.parse(text)) if strange else ():
            if isinstance(node, ast.Constant) and isinstance(node.value, str) and " " in node.value:
                for name in sorted(strange & set(joined(node.value))):
                    yield Problem(path, node.lineno, f"{name}: no code has this name{near(name, known.anywhere)}")


CHECKS = (code_names,)
