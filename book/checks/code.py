"""Checks of code on pages: what is typed, what is included, and that all of it is shown."""

from __future__ import annotations

import ast
import builtins
import functools
import re
from collections.abc import Collection, Iterator

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
    known = {book.address(path): sections(path) for path in [*book.snippets(), *book.tools()]}
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
    for path in [*book.snippets(), *book.tools(), *book.overlays()]:
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
    for path in [*book.snippets(), *book.tools(), *book.overlays()]:
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
    """What a definition names when Python reads it is known by then to whoever pastes a page from top to bottom."""
    for page in book.every_page():
        known = set(dir(builtins))
        for listing in sorted(minutes.length(page, book.snippets_folder).listings, key=lambda one: one.line):
            for named, bound in _statements("\n".join(listing.code)):
                if unknown := sorted(named - known):
                    names = ", ".join(unknown)
                    message = f"nothing above on this page defines {names}: include the imports of this code before it"
                    yield Problem(page.path, listing.line, message)
                    known |= set(unknown)
                known |= bound


@functools.cache  # both languages show the same code
def _statements(code: str) -> list[tuple[set[str], set[str]]]:
    """Of each statement, the names that it needs at once, and those that it gives a meaning to."""
    try:
        tree = ast.parse(code)
    except SyntaxError:  # no Python, or code that another check refuses
        return []
    return [(_named_at_once(statement), _bound(statement)) for statement in tree.body]


def _named_at_once(statement: ast.stmt) -> set[str]:
    """The names that Python looks up when it reads a definition: of annotations, defaults, decorators and bases."""
    match statement:
        case ast.FunctionDef(args=args, returns=returns, decorator_list=decorators):
            of = [*decorators, *args.defaults, *filter(None, args.kw_defaults), *filter(None, [returns])]
            every = [*args.posonlyargs, *args.args, *args.kwonlyargs, args.vararg, args.kwarg]
            of += [one.annotation for one in every if one is not None and one.annotation is not None]
        case ast.ClassDef(bases=bases, keywords=keywords, decorator_list=decorators, body=body):
            own: set[str] = set()
            names = _names([*bases, *decorators, *(one.value for one in keywords)])
            for part in body:
                names |= _named_at_once(part) - own
                own |= _bound(part)
            return names
        case ast.AnnAssign(annotation=annotation, value=value):
            of = [annotation, *filter(None, [value])]
        case _:
            of = []
    return _names(of)


def _names(nodes: list[ast.expr]) -> set[str]:
    found = [one for node in nodes for one in ast.walk(node)]
    bound = {one.arg for one in found if isinstance(one, ast.arg)}
    return {one.id for one in found if isinstance(one, ast.Name)} - bound


def _bound(statement: ast.stmt) -> set[str]:
    """The names that a statement gives a meaning to."""
    if isinstance(statement, ast.FunctionDef | ast.ClassDef):
        return {statement.name}
    names = {one.id for one in ast.walk(statement) if isinstance(one, ast.Name) and isinstance(one.ctx, ast.Store)}
    for one in ast.walk(statement):
        if isinstance(one, ast.Import | ast.ImportFrom):
            names |= {(alias.asname or alias.name).partition(".")[0] for alias in one.names}
    return names
