"""Each page holds together with its sister, and does what it says when a reader pastes it."""

from __future__ import annotations

import io
import multiprocessing
import os
from concurrent.futures import ProcessPoolExecutor

import pytest
from pytest_codeblocks import extract_from_buffer

from book import ROOT
from book.artifacts import cells, examples, labs
from book.checks.code import PYTHON
from book.checks.every import check_pages
from book.source import editions, glossary
from book.source.page import Page
from book.source.tex import FormulaError, render
from tests.the_book import BOOK, without_words

#: Labs are executed as notebooks when the site is built, and print what a training makes of it: tests/test_labs.py.
LABS = {f"labs/{name}.md" for name in labs.names()}
CODE = {name: page for name, page in BOOK.pages["ko"].items() if page.includes and name not in LABS}


def test_the_book_holds_together():
    problems = check_pages(ROOT)
    assert not problems, "\n" + "\n".join(map(str, problems))


def test_every_formula_can_be_set():
    """A build says so too, and takes longer."""
    failed = []
    for term in glossary.terms():
        try:
            render(term.formula, False)
        except FormulaError as error:
            failed.append(f"docs/glossary.yml:{term.line}: {error}")
    for page in BOOK.every_page():
        inline = [(line.number, tex, False) for line in page.lines for tex in line.tex]
        for number, tex, display in [*inline, *((number, tex, True) for number, tex in page.formulas)]:
            try:
                render(tex, display)
            except FormulaError as error:
                failed.append(f"{page.path.relative_to(ROOT)}:{number}: {error}")
    assert not failed, "\n" + "\n".join(failed)


def blocks(page: Page) -> list[dict]:
    """The Python blocks of a page in order, with the place where each stands or is included."""
    source = page.path.read_text(encoding="utf-8").splitlines()
    found = []
    parts = [(fence.line, source[fence.line - 1 : fence.line + len(fence.body) + 1]) for fence in page.fences]
    parts += [(line, [source[line - 1]]) for _, line, fence in page.includes if fence is None]
    for line, part in sorted(parts):
        for block in extract_from_buffer(io.StringIO(cells.expanded(part, page.language))):
            if block.syntax in PYTHON:
                where = f"docs/{page.language}/{page.name}:{line} ({part[0].strip()})"
                found.append(
                    {
                        "code": block.code,
                        "expected": block.expected_output,
                        "raises": examples.raises(block),
                        "filename": where,
                        "line": 1,
                    }
                )
    return found


@pytest.fixture(scope="module")
def fresh_process():
    """Runs each task in a process of its own at the root of the repository, where a reader starts Python.

    Where processes can be forked, they come from one that has loaded the libraries, which is most of their work.
    """
    context = multiprocessing.get_context("forkserver" if hasattr(os, "fork") else "spawn")
    if hasattr(os, "fork"):
        loaded = ["torch", "torch._dynamo", "sympy", "tokenizers"]  # what optimizers need of torch takes a second
        context.set_forkserver_preload([*loaded, "book.artifacts.examples"])
    with ProcessPoolExecutor(1, context, initializer=os.chdir, initargs=(ROOT,), max_tasks_per_child=1) as pool:
        yield pool


@pytest.mark.thorough  # what stands on a page is run in any case, with the other examples of its file
@pytest.mark.parametrize("name", CODE)
def test_a_page_pasted_into_a_fresh_process_prints_what_it_shows(name, fresh_process):
    korean, english = (BOOK.pages[language][name] for language in ("ko", "en"))
    assert blocks(korean)
    programs = [[without_words(block["code"]) for block in blocks(page)] for page in (korean, english)]
    outputs = [[block["expected"] for block in blocks(page)] for page in (korean, english)]
    apart = any(
        editions.address(target, page.language) != target for page in (korean, english) for target, *_ in page.includes
    )
    assert programs[0] == programs[1] or apart, (
        f"docs/ko/{name} and docs/en/{name} show different code: `python -m book checks` says where"
    )
    same = programs[0] == programs[1] and outputs[0] == outputs[1]  # so that running one is running both
    for file in {target.partition(":")[0] for target, _, _ in korean.includes if ".md:" in target}:
        if why := examples.missing(ROOT / "snippets" / file):
            pytest.skip(why)
    # no function of this file, which each process would have to load
    for page in [korean] if same else [korean, english]:
        problem = fresh_process.submit(examples.run_blocks, blocks(page)).result()
        assert problem is None, problem


def test_every_other_page_has_no_code_to_run():
    for page in BOOK.every_page():
        if page.name not in CODE and page.name not in LABS:
            assert not blocks(page), page.path


def test_every_include_is_among_the_blocks():
    """Nothing that a page includes is passed over when the page is run."""
    for page in CODE.values():
        fences = [fence for fence in page.fences if fence.language in PYTHON]
        examples = [target for target, _, fence in page.includes if fence is None]
        assert len(blocks(page)) >= len(fences) + len(examples), page.path
