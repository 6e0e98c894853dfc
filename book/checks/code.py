"""Checks of code on pages: what is typed, what is included, and that all of it is shown."""

from __future__ import annotations

import ast
import builtins
import functools
import re
import symtable
from collections.abc import Collection, Iterator
from typing import NamedTuple

from book.checks.pictures import figure_name, figures_of
from book.problems import Problem
from book.source import minutes, values
from book.source.page import MARKER, NEEDS, OUTPUT, RAISES, read_sections, sections
from book.source.pages import Book
from book.source.parser import INCLUDE, parse
from book.source.text import lines_of, near, read

PYTHON = {"python", "py", "python2", "py2", "python3", "py3", "pycon", "python-console", "ipython", "ipython3"}
PYTHON |= {"pyi", "numpy", "sage", "doctest"}  # further names that the highlighter colours as Python

#: What may be typed into a page: commands. In a fence of Markdown, files are shown, and included as Python is.
TYPED = {"sh", "markdown"}

#: Scopes that Python enters as soon as it meets them.
COMPREHENSIONS = {"listcomp", "setcomp", "dictcomp", "genexpr"}

#: How much code fits beside the two sidebars (docs/assets/css/book.css), and in a solution, which is indented.
COLUMNS, COLUMNS_OF_SOLUTIONS = 84, 74


def typed_code(book: Book) -> Iterator[Problem]:
    """No Python is typed into a page; a Python fence holds includes only."""
    for page in book.every_page():
        for fence in page.fences:
            if not fence.language:
                yield Problem(page.path, fence.line, "say what this fence holds: ```text, or ```sh for commands")
            if fence.language not in PYTHON:
                if fence.language and fence.language not in TYPED:
                    message = (
                        "put what is printed into a worked example, which a page includes: only ```sh is typed here"
                    )
                    yield Problem(page.path, fence.line, message)
                elif fence.language and (fence.info != fence.language or fence.indent):
                    message = f"write this fence as ```{fence.language}, not indented and without options"
                    yield Problem(page.path, fence.line, message)
                elif fence.language == "markdown" and any(line and not INCLUDE.match(line) for line in fence.body):
                    message = "this is typed into a page: put it into a file of snippets, and include it"
                    yield Problem(page.path, fence.line, message)
                continue
            if fence.info != "python" or fence.marker != "```" or fence.indent:
                yield Problem(page.path, fence.line, "write this fence as ```python, not indented and without options")
            for number, line in enumerate(fence.body, start=fence.line + 1):
                if line.strip() and not INCLUDE.match(line):
                    yield Problem(
                        page.path,
                        number,
                        "Python is typed into a page: put it into a section of a file in snippets, "
                        'and include it by `--8<-- "file.py:section"`',
                    )
                    break


def includes(book: Book) -> Iterator[Problem]:
    """Every include names a section that exists, and stands where it belongs."""
    known = {book.address(path): sections(path) for path in [*book.snippets(), *book.tools(), *book.files()]}
    for page in book.every_page():
        for target, line, fence in page.includes:
            source = fence is not None and fence.language not in PYTHON  # may show either
            name, _, section = target.partition(":")
            if name not in known:
                yield Problem(page.path, line, f"there is no snippets/{name}{near(name, known)}")
            elif section not in known[name]:
                yield Problem(
                    page.path, line, f"snippets/{name} has no section {section!r}{suggestion(section, known[name])}"
                )
            elif source:
                continue
            elif name.endswith(".py") and fence is None:
                yield Problem(page.path, line, f"{target} is a definition: put the include into a ```python fence")
            elif name.endswith(".md") and fence is not None:
                yield Problem(
                    page.path, line, f"{target} is a worked example with fences of its own: take it out of this one"
                )


def suggestion(name: str, known: Collection[str]) -> str:
    """The name that was meant, or those that there are, if they are few."""
    return near(name, known) or (f": it has {', '.join(sorted(known)) or 'none'}" if len(known) < 6 else ": correct it")


def markers(book: Book) -> Iterator[Problem]:
    """In snippets, every section has a start and an end, a name of its own, and something in it."""
    for path in [*book.snippets(), *book.tools(), *book.files(), *book.overlays()]:
        found, wrong = read_sections(lines_of(read(path)))
        for number, message in wrong:
            yield Problem(path, number, message)
        seen: dict[str, int] = {}
        for section in found:
            name = section.name
            if name in seen:
                yield Problem(path, section.line, f"section {name} already starts in line {seen[name]}: rename one")
            if path.suffix == ".md" and not re.fullmatch(r"[a-z][a-z0-9]*(-[a-z0-9]+)*", name):
                yield Problem(path, section.line, f"section {name}: say what it computes, in words joined by hyphens")
            if not "".join(section.lines).strip():
                yield Problem(path, section.line, f"section {name} is empty: fill it in, or remove it")
            seen[name] = section.line


def definitions(book: Book) -> Iterator[Problem]:
    """Everything that a module of a part does stands in a section, so that readers see all of it."""
    for path in book.snippets():
        if path.suffix != ".py":
            continue
        text = read(path)
        shown = [(section.line, section.end) for section in read_sections(lines_of(text))[0]]
        try:
            body = ast.parse(text).body
        except SyntaxError as error:
            yield Problem(path, error.lineno or 1, f"this is not Python: {error.msg}")
            continue
        for number, node in enumerate(body):
            docstring = number == 0 and isinstance(node, ast.Expr) and isinstance(node.value, ast.Constant)
            if not docstring and not any(start < node.lineno and (node.end_lineno or 0) < end for start, end in shown):
                message = "no reader sees this: put it into a section that a page shows, or into snippets/tools"
                yield Problem(path, node.lineno, message)


def worked_examples(book: Book) -> Iterator[Problem]:
    """In snippets/*.md, whatever looks like a test is one: pytest-codeblocks passes over the rest."""
    for path in [*book.snippets(), *book.overlays()]:
        if path.suffix != ".md":
            continue
        text = lines_of(read(path))
        file = parse(path, "en", path.name)
        in_section = {n for part in read_sections(text)[0] for n in range(part.line + 1, part.end)}
        in_fence = {n for fence in file.fences for n in range(fence.line, (fence.end or len(text)) + 1)}
        for line, message in file.unread:
            yield Problem(path, line, message)
        for fence in file.fences:
            if fence.info not in ("python", "text") or fence.marker != "```" or fence.indent:
                yield Problem(
                    path, fence.line, "only plain ```python and ```text are run: remove options and indentation"
                )
            if fence.info == "text":
                before = [above.strip() for above in text[: fence.line - 1] if above.strip()]
                if before[-1:] != [OUTPUT]:
                    yield Problem(
                        path,
                        fence.line,
                        f"this output would not be compared: put {OUTPUT} above it",
                    )
        for number, written in enumerate(text, start=1):
            if number in in_fence and number in in_section or not written.strip() or MARKER.search(written):
                continue
            if NEEDS.fullmatch(written) and number == 3:
                continue
            if written.strip() == RAISES and number in in_section and path.parent.name != "labs":
                if next((below for below in text[number:] if below.strip()), "") != "```python":
                    yield Problem(path, number, "this marker belongs right above the ```python fence that raises")
            elif re.match(r"<!--[-\s]*pytest", written):
                if written.strip() != OUTPUT:
                    yield Problem(path, number, "every example is run as it stands: remove this marker")
            elif number in in_section:
                yield Problem(path, number, "prose belongs on the pages, in both languages: move it there")
            elif not written.startswith("# "):
                yield Problem(path, number, "this stands in no section, so no page can show it: move it into one")


def code_width(book: Book) -> Iterator[Problem]:
    """Code that is shown fits the page: nobody reads what has to be scrolled."""
    for path in [*book.snippets(), *book.tools(), *book.files(), *book.overlays()]:
        for section in read_sections(lines_of(read(path)))[0]:
            if path.suffix == ".md" and values.SECTION.fullmatch(section.name):
                continue
            most = COLUMNS_OF_SOLUTIONS if section.name.startswith("exercise-") else COLUMNS
            for number, line in enumerate(section.lines, start=section.line + 1):
                if len(line) > most:
                    yield Problem(path, number, f"{len(line)} columns are wider than a page: break the line at {most}")


def everything_is_shown(book: Book) -> Iterator[Problem]:
    """Every section and every figure is on some page, in each language."""
    for path in book.snippets():
        if not sections(path):
            yield Problem(path, 1, "has no section, so no page can show it: put `--8<-- [start:name]` above one")
    for language, pages in book.pages.items():
        shown = {
            target
            for page in pages.values()
            for target, _, fence in page.includes
            if fence is None or fence.language in PYTHON  # elsewhere it is shown as source, and not run
        }
        drawn = {name for page in pages.values() for name, *_ in figures_of(page)}
        for path in book.snippets():
            for section, line in sections(path).items():
                if path.suffix == ".md" and values.SECTION.fullmatch(section):
                    continue
                target = f"{book.address(path)}:{section}"
                if target not in shown:
                    yield Problem(path, line, f'no page in docs/{language} shows this: include "{target}"')
        for path in book.figures():
            if (name := figure_name(path)) not in drawn:
                yield Problem(
                    path, 1, f"no page in docs/{language} shows this figure: ![…](…/assets/figures/{name}.svg)"
                )


def pasted_in_order(book: Book) -> Iterator[Problem]:
    """Whatever a statement needs, itself or in a function that it names, is known by then to whoever pastes a page from
    top to bottom."""
    for page in book.every_page():
        known = set(dir(builtins)) | {"__name__"}
        later: dict[str, frozenset[str]] = {}
        commands = {fence.line for fence in page.fences if fence.language not in PYTHON}
        listings = [one for one in minutes.length(page, book.snippets_folder).listings if one.line not in commands]
        for listing in sorted(listings, key=lambda one: one.line):
            for statement in _statements("\n".join(listing.code)):
                needed = statement.needed if statement.defines else _all_needed(statement.needed, later)
                if unknown := sorted(needed - known):
                    names = ", ".join(unknown)
                    message = f"nothing above on this page defines {names}: include the imports of this code before it"
                    yield Problem(page.path, listing.line, message)
                    known |= set(unknown)
                known |= statement.bound
                for name in statement.bound:
                    later[name] = statement.later if statement.defines else frozenset()


def _all_needed(names: frozenset[str], later: dict[str, frozenset[str]]) -> set[str]:
    """These names, and those that functions and classes among them name when they are called."""
    found, left = set(), [*names]
    while left:
        name = left.pop()
        if name not in found:
            found.add(name)
            left += later.get(name, ())
    return found


class _Statement(NamedTuple):
    """Names that a statement looks up at once, that what it defines looks up when it is called, and that it gives a
    meaning to. ``defines``: it is a function or a class."""

    needed: frozenset[str]
    later: frozenset[str]
    bound: frozenset[str]
    defines: bool


@functools.cache  # both languages show the same code
def _statements(code: str) -> list[_Statement]:
    try:
        tree = ast.parse(code)
    except SyntaxError:  # no Python, or code that another check refuses
        return []
    return [_statement(statement) for statement in tree.body]


def _statement(statement: ast.stmt) -> _Statement:
    table = symtable.symtable(ast.unparse(statement), "statement", "exec")
    bound = {one.get_name() for one in table.get_symbols() if one.is_assigned() or one.is_imported()}
    bound |= {one.get_name() for one in table.get_symbols() if one.is_namespace()}
    needed = {one.get_name() for one in table.get_symbols() if one.is_referenced()}
    if not isinstance(statement, ast.Assign | ast.AugAssign):
        needed -= bound  # of a loop, say, whose body names what it is over
    for child in table.get_children():
        if child.get_name() in COMPREHENSIONS:  # from Python 3.12 on, their variables are among those around them
            needed -= {one.get_name() for one in child.get_symbols() if one.is_assigned()}
    at_once, later = _inside(table)
    defines = isinstance(statement, ast.FunctionDef | ast.ClassDef)
    return _Statement(frozenset(needed | at_once - bound), frozenset(later), frozenset(bound), defines)


def _inside(table: symtable.SymbolTable) -> tuple[set[str], set[str]]:
    """What the scopes in one look up outside all of them: at once, as comprehensions and bodies of classes do, and when
    they are called."""
    at_once, later = set(), set()
    for child in table.get_children():
        names = {one.get_name() for one in child.get_symbols() if one.is_global() and one.is_referenced()}
        now, then = _inside(child)
        immediate = child.get_type() == "class" or child.get_name() in COMPREHENSIONS
        at_once |= names | now if immediate else set()
        later |= then if immediate else names | now | then
    return at_once, later
