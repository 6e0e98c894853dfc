"""Kernels: the labs are executed in them, each once for both languages.

A cell that shows a figure is run again for the other language, and must change nothing that it uses; what is only
printed is taken over. ``python -m book labs`` comes here.
"""

from __future__ import annotations

import argparse
import asyncio
import copy
import os
import re
import sys
import time

import nbformat
from nbclient import NotebookClient
from nbclient.exceptions import CellExecutionError, CellTimeoutError, DeadKernelError

from book import ROOT
from book.artifacts import labs, store
from book.artifacts.cells import SETUP, assembled, write
from book.processes import end_with_parent
from snippets.tools.kept import NOTHING

#: Seconds that a cell may take.
PATIENCE = 600
#: Characters that a cell may print: more is no output to read.
LONGEST = 20_000


async def _run(client, language: str, book: nbformat.NotebookNode, twins: dict[str, nbformat.NotebookNode]) -> None:
    """Run the cells of a notebook. ``twins``: notebooks with the same cells in other languages. A cell that shows
    a picture is run once more for each of them; what is only printed they take over."""
    for number, cell in enumerate(labs.code_cells(book)):
        await _run_cell(client, book, number)
        for other, twin in twins.items():
            same = labs.code_cells(twin)[number]
            same.outputs, same.execution_count = copy.deepcopy(cell.outputs), cell.execution_count
            if _pictured(cell):
                await _run_cell(client, assembled([_speaking(other)]), 0)
                await _run_cell(client, twin, number)
                await _run_cell(client, assembled([_speaking(language)]), 0)


async def _run_cell(client, book: nbformat.NotebookNode, number: int) -> None:
    """Run a cell of code; what it puts out, and its number, are written into it."""
    client.nb, cell = book, labs.code_cells(book)[number]
    index = [one["id"] for one in book.cells].index(cell["id"])
    await client.async_execute_cell(cell, index, execution_count=number + 1)


def _speaking(language: str) -> nbformat.NotebookNode:
    """A cell after which figures have their labels in this language."""
    (line,) = [line for line in SETUP.splitlines() if "BOOK_LANGUAGE" in line]
    return nbformat.v4.new_code_cell(f"import os\n{line.format(language=language)}")


async def _execute(name: str, languages: list[str]) -> None:
    """In one kernel: what the cells import is loaded once, and what they compute is computed once."""
    # what is edited meanwhile is run again
    keys = {language: labs.fingerprint(name, language) for language in languages}
    books = {language: labs.notebook(name, language) for language in languages}
    client = NotebookClient(
        books[languages[0]],
        timeout=PATIENCE,
        kernel_name="python3",
        resources={"metadata": {"path": str(ROOT)}},
        extra_arguments=["--log-level=ERROR"],  # it warns that other programs of this machine may listen
    )
    first, *others = languages
    code = {language: labs.code_of(name, language) for language in languages}
    same = {language: books[language] for language in others if code[language] == code[first]}
    start = time.perf_counter()
    try:
        async with client.async_setup_kernel():
            await _run(client, first, books[first], same)
            for language in [language for language in others if language not in same]:
                await _run(client, language, books[language], {})
    except (CellExecutionError, CellTimeoutError, DeadKernelError) as error:
        reason = re.sub(r"\x1b\[[\d;]*m", "", str(error)).strip()
        language = next((language for language in languages if client.nb is books[language]), first)
        page, own = _source_of(name, language)
        wrong = [any(output.output_type == "error" for output in cell.outputs) for cell in labs.code_cells(client.nb)]
        line = own[wrong.index(True) - 1].line if any(wrong) else 1
        failed = f"{page}:{line}: a cell of this lab fails; correct it, or what it imports"
        raise labs.LabError(f"{failed}\n{reason}") from None
    for language, book in books.items():
        page, own = _source_of(name, language)
        for cell, source in zip(labs.code_cells(book)[1:], own, strict=True):
            where = f"{page}:{source.line}: this cell"
            for output in cell.outputs:
                if output.get("name") == "stderr":
                    raise labs.LabError(f"{where} writes to stderr, which no page shows:\n{output.text}")
            if (length := sum(map(len, labs.printed(cell)))) > LONGEST:
                raise labs.LabError(f"{where} prints {length:,} characters, and may print {LONGEST:,}: print less")
            cell.outputs = _joined(cell.outputs)
        write(book, path := labs.notebook_path(name, language))
        store.keep(f"labs/{language}/{name}", keys[language], [path])
    print(f"lab  {name}, {' and '.join(languages)}  ({time.perf_counter() - start:.1f} s)", flush=True)


def _source_of(name: str, language: str) -> tuple[str, list[labs.Cell]]:
    """The page of a lab, and its cells of code."""
    page = labs.page_path(name, language).relative_to(ROOT).as_posix()
    return page, [cell for cell in labs.cells(name, language) if cell.kind == "code"]


def _pictured(cell: nbformat.NotebookNode) -> bool:
    """Whether a cell has put out more than text, such as a figure, which has labels in a language."""
    return any(set(output.get("data", ())) - {"text/plain"} for output in cell.outputs)


def _joined(outputs: list[nbformat.NotebookNode]) -> list[nbformat.NotebookNode]:
    """Pieces of one text are one output: it is chance where they are split. (nbclient's own way takes minutes.)"""
    joined: list[nbformat.NotebookNode] = []
    for output in outputs:
        if output.output_type == "stream" and joined and joined[-1].get("name") == output.name:
            joined[-1].text += output.text
        else:
            joined.append(output)
    return joined


def execute_stale() -> None:
    """Execute what is out of date, all labs at once."""
    os.environ.update(OMP_NUM_THREADS="1", TQDM_DISABLE="1")  # for the kernels: one thread each, and no bars
    todo: dict[str, list[str]] = {}
    for name, language in labs.stale():
        todo.setdefault(name, []).append(language)

    async def together() -> None:
        results = await asyncio.gather(*map(_execute, todo, todo.values()), return_exceptions=True)
        for problem in filter(None, results):
            raise problem

    asyncio.run(together())


def main(arguments: list[str]) -> int:
    end_with_parent()
    os.environ[NOTHING] = "1"
    parser = argparse.ArgumentParser(prog="python -m book labs", description="Execute the labs that are out of date.")
    parser.add_argument("--fresh", action="store_true", help="execute all labs, also those that are up to date")
    if parser.parse_args(arguments).fresh:
        for path in (ROOT / ".cache" / "labs").rglob("*.ipynb"):
            path.unlink()
    try:
        execute_stale()
    except labs.LabError as error:
        print(error, file=sys.stderr)
        return 1
    print("all labs are up to date")
    return 0


if __name__ == "__main__":
    sys.exit(main(sys.argv[1:]))
