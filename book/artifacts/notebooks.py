"""A notebook of each page that has code: its prose between its cells, and below them what they print.

A lab is executed (see book/artifacts/labs.py); the outputs of any other page are those of its worked examples, which
the tests run. The first cell fetches the code of the book and what it needs, so that a notebook runs where nothing is
installed.
"""

from __future__ import annotations

import ast
import functools
import io
import itertools
import re
import sys
from collections.abc import Iterator
from pathlib import Path
from urllib.parse import urljoin

import nbformat
from pytest_codeblocks import CodeBlock, extract_from_buffer

from book import ROOT, strings
from book.artifacts import cells, examples
from book.source import kinds
from book.source.page import Page
from book.source.parser import parse
from book.source.text import read

#: A figure on a page; its name without suffix.
FIGURE = re.compile(r"!\[.*\]\((?:\.\./)+assets/figures/(.+)\.svg\)(?:\{[^}]*\})?")
#: In the heading of a page's exercises.
EXERCISES = "{#exercises}"
#: What the cell of a figure is drawn with.
DRAWING = ("PIL", "matplotlib", "numpy")
#: What stands under the title of a page.
LINKS = strings.each("notebooks", "links")
#: The first cells of a page of a model: what installs it, which is no dependency of the book.
INSTALL = strings.each("notebooks", "install")
_IMPORT = re.compile(r"^\s*(?:from|import) ([\w.]+)(?: import ([^\n#]+))?", re.M)
_PACKAGE = re.compile(r'^PACKAGE = "([^"]+)"', re.M)


def has_one(page: Page) -> bool:
    """Whether a page has a notebook made from its cells: it teaches something, with code, and is no lab."""
    return kinds.is_taught(page.name) and not kinds.is_lab(page.name) and bool(page.includes)


def file_name(page: Page) -> str:
    """Of its notebook, in the directory that a page has on the site."""
    return f"{page.path.stem}.ipynb"


def links(page: Page, site_url: str, repository: str) -> str:
    """What leads from a page to its notebook: HTML, to stand behind something else."""
    notebook, colab = LINKS[page.language]
    found = f' · <a href="{file_name(page)}" download>{notebook}</a>'
    if address := cells.colab(page.name.removesuffix(".md"), site_url, repository):
        found += f' · <a href="{address}">{colab}</a>'
    return f'<span class="its-notebook">{found}</span>'


def notebook(page: Page, site_url: str = "", repository: str = "") -> nbformat.NotebookNode:
    """The notebook of a page. ``site_url``: of its language's site, for links; ``repository``: where the book is."""
    name = page.name.removesuffix(".md")
    address, words = site_url and urljoin(site_url, f"{name}/"), cells.WORDS[page.language]
    parts = list(_parts(page, address))
    body = [cell for cell, _ in parts]
    code = [(cell.source, exercise) for cell, exercise in parts if cell.cell_type == "code"]
    needed, _ = _needed([source for source, _ in code])
    _, packages = _needed([source for source, exercise in code if not exercise])  # what an exercise measured is kept
    setup = cells.setup(page.language, repository, needed, words)
    cell = nbformat.v4.new_code_cell
    head = [cell(setup), *(cell(INSTALL[page.language].format(package=package)) for package in packages)]
    if site_url:
        title = page.meta.get("title", name)
        body.append(nbformat.v4.new_markdown_cell(words["page"].format(title=title, address=address)))
    return cells.assembled([*head, *body])


def _parts(page: Page, address: str) -> Iterator[tuple[nbformat.NotebookNode, bool]]:
    """The cells of a page in order, and whether they stand below its exercises.

    They are prose, code with what it prints, and figures to be drawn.
    """
    exercises = False
    for kind, lines, _ in cells.pieces(page.path, page.name, page.language):
        exercises = exercises or any(EXERCISES in line for line in lines)
        if kind == "code":
            expanded = io.StringIO(cells.expanded(lines, page.language))
            found = (_cell(block) for block in extract_from_buffer(expanded) if block.syntax == "python")
            yield from ((cell, exercises) for cell in found)
            continue
        for is_figure, those in itertools.groupby(lines, lambda line: bool(FIGURE.fullmatch(line))):
            if is_figure:
                for name in (FIGURE.sub(r"\1", line) for line in those):
                    shown = f'import snippets.figures\n\nsnippets.figures.show("{name}")'
                    yield nbformat.v4.new_code_cell(shown), exercises
            elif text := _markdown("\n".join(those), address):
                yield nbformat.v4.new_markdown_cell(text), exercises


def _cell(block: CodeBlock) -> nbformat.NotebookNode:
    """A cell with what stands below its example as its output; one that is to raise does not stop the others."""
    cell = nbformat.v4.new_code_cell(block.code.rstrip("\n"))
    if block.expected_output:
        cell.outputs = [nbformat.v4.new_output("stream", name="stdout", text=block.expected_output)]
    if examples.raises(block):
        cell.metadata["tags"] = ["raises-exception"]
    return cell


def _markdown(text: str, address: str) -> str:
    """Prose as Jupyter understands it: without footnotes, which it does not know; their sources stand at the end."""
    text = re.sub(r"^\[\^[\w-]+\]:.*\n?", "", text, flags=re.M)
    text = re.sub(r"\[\^[\w-]+\]", "", text)
    text = re.sub(r"^/{3,}\s*(?:listing|theorem|proof)\s*\|\s*(.*)$", r"**\1**\n", text, flags=re.M)
    return cells.jupyter_markdown(text, address)


# ---- what the cells need


def _needed(cells: list[str]) -> tuple[list[str], list[str]]:
    """The libraries that cells and the modules behind them import, and the models that are packages of their own."""
    libraries, packages, seen = {"torch"}, set[str](), set()
    if any("snippets.figures.show(" in cell for cell in cells):
        libraries.update(DRAWING)
    todo = [_imported(_outside_functions(cell)) for cell in cells]
    while todo:
        for name in todo.pop():
            root = name.partition(".")[0]
            path = ROOT.joinpath(*name.split(".")).with_suffix(".py")
            if root != "snippets":
                libraries.add(root)
            elif path not in seen and path.is_file():
                seen.add(path)
                names, package = _of_module(path, path.stat().st_mtime_ns)
                todo.append(names)
                packages.update(package)
    return sorted(libraries - set(sys.stdlib_module_names) - {"IPython"}), sorted(packages)


def _outside_functions(cell: str) -> str:
    """A cell without the imports in its functions, which are for whoever calls them: the page does not, and the book
    may not even pin what they import."""
    lines = cell.split("\n")
    python = re.sub(r"^[%!].*", "", cell, flags=re.M)  # a notebook also has commands
    for function in (node for node in ast.walk(ast.parse(python)) if isinstance(node, ast.FunctionDef)):
        for node in ast.walk(function):
            if isinstance(node, ast.Import | ast.ImportFrom):
                lines[node.lineno - 1 : node.end_lineno] = [""] * ((node.end_lineno or node.lineno) - node.lineno + 1)
    return "\n".join(lines)


def _imported(code: str) -> frozenset[str]:
    """The modules that some code imports, and what may be modules of a package."""
    found = set()
    for match in _IMPORT.finditer(code):
        found.add(match[1])
        found.update(f"{match[1]}.{one}" for one in re.findall(r"\w+", match[2] or ""))
    return frozenset(found)


@functools.lru_cache(maxsize=1024)
def _of_module(path: Path, _: int) -> tuple[frozenset[str], tuple[str, ...]]:
    code = read(path)
    return _imported(code), tuple(_PACKAGE.findall(code))


# ---- on the site


def write(site: Path, language: str, site_url: str, repository: str) -> None:
    """The notebooks of all pages of an edition, each beside its page in the directory of a site."""
    for path in sorted((ROOT / "docs" / language).glob("*/*.md")):
        write_one(site, f"{path.parent.name}/{path.stem}", language, site_url, repository)


def write_one(site: Path, name: str, language: str, site_url: str, repository: str) -> None:
    """The notebook of one page, part/name, if it has one and the site has the page."""
    path, folder = ROOT / "docs" / language / f"{name}.md", site / name
    if path.is_file() and folder.is_dir() and has_one(page := parse(path, language, f"{name}.md")):
        text = nbformat.writes(notebook(page, site_url, repository)) + "\n"
        (folder / file_name(page)).write_text(text, encoding="utf-8")
