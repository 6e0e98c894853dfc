"""Labs: pages that are notebooks as well. ``python -m book labs`` executes those out of date.

The source of a lab is a page like any other, ``docs/LANGUAGE/labs/NAME.md``. Its Python fences and
included examples are the cells of a notebook, its prose is what stands between them (``book/artifacts/cells.py``). The
build executes the notebook (``book/artifacts/kernels.py``), keeps it in ``.cache/labs/LANGUAGE/NAME.ipynb`` until the
code of the cells changes, or a module that they import, shows what the cells printed, and offers the notebook for
download (``book/artifacts/downloads.py``). A picture that a cell shows must stand below it as a figure.
"""

from __future__ import annotations

import re
import sys
from dataclasses import dataclass
from pathlib import Path
from urllib.parse import urljoin

import nbformat

from book import LANGUAGES, ROOT
from book.artifacts import store
from book.artifacts.cells import NEEDED, SETUP, WORDS, assembled, expanded, jupyter_markdown, pieces, setup
from book.problems import BookError
from book.processes import run
from book.source.parser import parse
from snippets.tools.fingerprint import fingerprint as of_code
from snippets.tools.fingerprint import imported, sources
from snippets.tools.meaning import meaning

#: On whose versions it depends what a cell shows.
LIBRARIES = ("torch", "matplotlib", "numpy")


class LabError(BookError):
    """A lab that cannot be read or executed; the message says where, and what to do."""


@dataclass(frozen=True)
class Cell:
    """A piece of a lab: ``kind`` is markdown or code, ``line`` where it starts in the page."""

    kind: str
    text: str
    line: int


def names() -> list[str]:
    """All labs, by the name of their page. One that lacks a language is none yet: the checks ask for it."""
    first, *others = ({path.stem for path in (ROOT / "docs" / code / "labs").glob("[!.]*.md")} for code in LANGUAGES)
    return sorted(first.intersection(*others) - {"index"})


def name_of(page: str) -> str | None:
    """The lab that a page is, ``labs/NAME.md`` or ``labs/NAME``, if it is one."""
    folder, _, name = page.removesuffix(".md").partition("/")
    return name if folder == "labs" and name in names() else None


def page_path(name: str, language: str) -> Path:
    return ROOT / "docs" / language / "labs" / f"{name}.md"


def notebook_path(name: str, language: str) -> Path:
    return ROOT / ".cache" / "labs" / language / f"{name}.ipynb"


def cells(name: str, language: str) -> list[Cell]:
    """The cells of a lab. Raises ``LabError`` for code that is no single cell."""
    path = page_path(name, language)
    found: list[Cell] = []
    for kind, lines, before in pieces(path, f"labs/{name}.md", language):
        text = "\n".join(lines)
        if kind == "code":
            text = expanded(lines, language)
            code = re.findall(r"^```python\n(.*?)^```$", text, re.S | re.M)
            if len(code) != 1 or text.count("```") != 2:
                where = f"{path.relative_to(ROOT).as_posix()}:{before + 1}"
                raise LabError(f"{where}: in a lab, an include is one ```python block and no output")
            text = code[0].rstrip("\n")
        found.append(Cell(kind, text, before + 1))
    return found


def notebook(name: str, language: str, site_url: str = "", repository: str = "") -> nbformat.NotebookNode:
    """The notebook of a lab, not executed yet.

    ``site_url``: of this language's site, for links; ``repository``: from which the first cell gets the book.
    """
    address = site_url and urljoin(site_url, f"labs/{name}/")
    title = parse(page_path(name, language), language, f"labs/{name}.md").meta.get("title", name)
    words = WORDS[language]
    parts = [nbformat.v4.new_code_cell(setup(language, repository, NEEDED, words))]
    for cell in cells(name, language):
        if cell.kind == "code":
            parts.append(nbformat.v4.new_code_cell(cell.text))
        elif text := jupyter_markdown(cell.text, address):
            parts.append(nbformat.v4.new_markdown_cell(text))
    if site_url:
        parts.append(nbformat.v4.new_markdown_cell(words["page"].format(title=title, address=address)))
    return assembled(parts)


def fingerprint(name: str, language: str) -> str:
    """A hash of the code of the cells, of the modules behind it, and of the libraries."""
    # behind something else, a string is no docstring: it is what a cell shows
    cells = (meaning(f"None\n{text}") for text in code_of(name, language))
    return of_code(modules(name, language), ROOT, SETUP, language, *cells, packages=LIBRARIES)


def code_of(name: str, language: str) -> list[str]:
    """The text of each cell of code."""
    return [cell.text for cell in cells(name, language) if cell.kind == "code"]


def modules(name: str, language: str) -> list[Path]:
    """What the cells import, directly or not."""
    return sources([file for text in code_of(name, language) for file in imported(text, ROOT)], ROOT)


def executed(name: str, language: str) -> nbformat.NotebookNode | None:
    """The executed notebook, if its code has not changed since."""
    path, key, made_from = notebook_path(name, language), f"labs/{language}/{name}", fingerprint(name, language)
    if store.is_current(key, made_from, [path]):
        return nbformat.read(path, as_version=4)
    if path.is_file() and store.is_known(key, made_from):
        print(f"{path} was edited or is damaged, and is made anew", file=sys.stderr, flush=True)
    return None


def stale() -> list[tuple[str, str]]:
    """Labs, and in which language, that were never executed or whose code has changed since."""
    return [(name, language) for language in LANGUAGES for name in names() if executed(name, language) is None]


def code_cells(book: nbformat.NotebookNode) -> list[nbformat.NotebookNode]:
    """The code cells, of which the first is the set-up."""
    return [cell for cell in book.cells if cell.cell_type == "code"]


def outputs(path: Path, language: str) -> list[str]:
    """What each cell of the page printed, or that it has yet to; pictures stand on the page as figures."""
    cells, waits = code_cells(nbformat.read(path, as_version=4))[1:], WORDS[language]["waits"]
    return ["".join(printed(cell)) if cell.execution_count else waits for cell in cells]


def printed(cell: nbformat.NotebookNode) -> list[str]:
    """What a cell has put out as text."""
    texts = []
    for output in cell.outputs:
        if output.output_type == "stream":
            texts.append(output.text)
        elif "image/svg+xml" not in output.data:
            texts.append(output.data.get("text/plain", "") + "\n")
    return texts


def execute_anew(todo: list[tuple[str, str]]) -> None:
    """Execute labs in a process of its own. Raises ``LabError``."""
    if todo and run("book.artifacts.kernels", cwd=ROOT):
        raise LabError("could not execute the labs (the reason stands above)")
