"""From the page of a lab to its notebook and back: ``book/artifacts/labs.py`` on a lab made for it."""

from __future__ import annotations

import ast
import importlib.metadata
import io
import os
import re
import zipfile
from contextlib import asynccontextmanager, redirect_stderr, redirect_stdout
from pathlib import Path

import nbformat
import pytest
from markdown import Markdown
from nbclient.exceptions import CellExecutionError

from book import LANGUAGES
from book.artifacts import cells, downloads, kernels, labs, store
from book.artifacts.labs import Cell, LabError
from book.markdown.outputs import LabExtension

PAGE = """\
---
title: {title}
---
# {title} {{#one}}

First $QK\\T$.

```python
x = 2
print("x is", x)
```

--8<-- "part/one.md:draw"

![A picture](../assets/figures/part/one.svg)

/// figure-caption
Below it.
///

```text
no cell
```

See [two](two.md#there).

```python
--8<-- "part/base.py:double"
```
"""
DRAW = """\
<!-- --8<-- [start:draw] -->
```python
from snippets.part.base import double

double(x)
```
<!-- --8<-- [end:draw] -->
"""
BASE = "# --8<-- [start:double]\ndef double(x):\n    return 2 * x\n# --8<-- [end:double]\n"
DOUBLE = "def double(x):\n    return 2 * x"
CODE = ['x = 2\nprint("x is", x)', "from snippets.part.base import double\n\ndouble(x)", DOUBLE]


def write(path: Path, text: str) -> None:
    path.parent.mkdir(parents=True, exist_ok=True)
    path.write_text(text, encoding="utf-8")


@pytest.fixture
def lab(tmp_path, monkeypatch) -> Path:
    """A book with one lab, which is not executed yet."""
    for language, title in (("ko", "하나"), ("en", "One")):
        write(tmp_path / "docs" / language / "labs" / "one.md", PAGE.format(title=title))
        write(tmp_path / "docs" / language / "labs" / "index.md", "# Labs {#labs}\n")
    write(tmp_path / "snippets" / "part" / "one.md", DRAW)
    write(tmp_path / "snippets" / "part" / "base.py", BASE)
    write(tmp_path / "snippets" / "part" / "other.py", "x = 1\n")
    for module in (cells, labs, kernels, downloads):
        monkeypatch.setattr(module, "ROOT", tmp_path)
    monkeypatch.setattr(store, "FOLDER", tmp_path / "store")
    return tmp_path


def change(path: Path, old: str, new: str) -> None:
    text = path.read_text(encoding="utf-8")
    assert old in text
    path.write_text(text.replace(old, new), encoding="utf-8")


# ---- cells


def test_labs_are_the_pages_of_their_folder_but_its_index(lab):
    assert labs.names() == ["one"]
    for language in LANGUAGES:
        write(lab / "docs" / language / "labs" / "a.md", "# A {#a}\n")
    assert labs.names() == ["a", "one"]
    assert labs.page_path("one", "en") == lab / "docs" / "en" / "labs" / "one.md"
    assert labs.notebook_path("one", "en") == lab / ".cache" / "labs" / "en" / "one.ipynb"
    assert labs.name_of("labs/one.md") == labs.name_of("labs/one") == "one"
    assert [labs.name_of(page) for page in ("labs/index.md", "labs/gone.md", "part/one.md", "one.md", "index.md")] == [
        None
    ] * 5


def test_python_fences_and_includes_are_code_and_all_else_is_prose(lab):
    found = labs.cells("one", "en")
    assert [cell.text for cell in found if cell.kind == "code"] == CODE
    assert [cell.line for cell in found if cell.kind == "code"] == [8, 13, 27]
    assert [cell.kind for cell in found] == ["markdown", "code"] * 3 + ["markdown"]
    assert found[0] == Cell("markdown", "# One {#one}\n\nFirst $QK\\T$.\n", 4)
    assert found[2].text.strip() == "" and found[4].text.count("```text\nno cell\n```") == 1
    assert (found[2].line, found[4].line, found[6].line) == (12, 14, 30)


def test_all_lines_of_prose_stand_in_a_cell_in_order(lab):
    source = labs.page_path("one", "en").read_text(encoding="utf-8").splitlines()
    for cell in labs.cells("one", "en"):
        if cell.kind == "markdown" and cell.text:
            lines = cell.text.splitlines()
            assert source[cell.line - 1 : cell.line - 1 + len(lines)] == lines


def test_a_page_without_front_matter_starts_with_its_first_line(lab):
    write(labs.page_path("one", "en"), "Words.\n\n```python\nx\n```\n")
    assert labs.cells("one", "en") == [
        Cell("markdown", "Words.\n", 1),
        Cell("code", "x", 3),
        Cell("markdown", "", 6),
    ]


def test_front_matter_may_be_empty(lab):
    write(labs.page_path("one", "en"), "---\n---\n# A {#a}\n")
    assert labs.cells("one", "en") == [Cell("markdown", "# A {#a}", 3)]


def test_prose_has_the_values_of_the_examples_of_this_book(lab):
    section = "<!-- --8<-- [start:values] -->\n```text\nshare = {}\n```\n<!-- --8<-- [end:values] -->\n"
    write(lab / "snippets" / "labs" / "one.md", section.format("0.25"))
    write(lab / "snippets" / "part" / "two.md", section.format("0.75"))
    write(labs.page_path("one", "en"), "A share of {{share}}, then {{part/two:share}}.\n")
    assert labs.cells("one", "en") == [Cell("markdown", "A share of 0.25, then 0.75.", 1)]


def test_a_cell_stays_as_it_was_read():
    with pytest.raises(AttributeError):
        Cell("code", "x", 1).text = "y"


def test_a_page_without_title_is_named_like_its_file(lab):
    write(labs.page_path("one", "en"), "# A {#a}\n")
    assert (
        labs.notebook("one", "en", "https://b.example/en/")
        .cells[-1]
        .source.endswith("[one](https://b.example/en/labs/one/).")
    )


def test_a_fence_that_shows_an_include_or_never_ends(lab):
    write(labs.page_path("one", "en"), '```text\n--8<-- "part/one.md:draw"\n```\n')
    assert [cell.kind for cell in labs.cells("one", "en")] == ["markdown"]
    write(labs.page_path("one", "en"), "```text\nx\n")
    assert [cell.text for cell in labs.cells("one", "en")] == ["```text\nx"]


@pytest.mark.parametrize(
    "example",
    [
        "```python\nx\n```\n\n```text\n1\n```\n",
        "```python\nx\n```\n\n```python\ny\n```\n",
        "```text\nx\n```\n",
        "Words.\n",
    ],
)
def test_an_include_that_is_no_single_cell_is_refused_with_its_line(lab, example):
    write(lab / "snippets" / "part" / "one.md", f"<!-- --8<-- [start:draw] -->\n{example}<!-- --8<-- [end:draw] -->\n")
    with pytest.raises(LabError, match=r"^docs/en/labs/one\.md:13: .*one ```python block and no output"):
        labs.cells("one", "en")


def test_includes_are_expanded_as_on_the_site(lab):
    assert cells.expanded(["a", '--8<-- "part/base.py:double"', "b"]) == f"a\n{DOUBLE}\nb\n"
    with pytest.raises(Exception, match="gone"):
        cells.expanded(['--8<-- "part/gone.py:x"'])


# ---- prose in Jupyter


@pytest.mark.parametrize(
    ("page", "jupyter"),
    [
        ("/// goals | Goals\n- One.\n///", "**Goals**\n\n- One."),
        ("/// short | In short\nOne.\n///", "**In short**\n\nOne."),
        ("/// remember | Remember\n- One.\n///", "**Remember**\n\n- One."),
        ("/// note | N\nText.\n///\nAfter.", "**N**\n\nText.\nAfter."),
        ("/// tip | T\nx\n///", "**T**\n\nx"),
        ("/// warning | W\nx\n///", "**W**\n\nx"),
        ("//// exercise | 1. Q\nWhy?\n\n/// solution | S\nSo.\n///\n////", "### 1. Q\nWhy?\n\n**S**\n\nSo."),
        ("/// figure-caption\nA caption.\n///", "A caption."),
        ("![A](../assets/figures/part/one.svg)\n\nText.", "Text."),
        ("![A](photo.png)", "![A](https://b.example/en/labs/photo.png)"),
        ("## Title {#id}\n### More   {#x .c}", "## Title\n### More"),
        ("[a](http://h.example/b) and [c](d-e.md)", "[a](http://h.example/b) and [c](https://b.example/en/labs/d-e/)"),
        ("/ / no block\n// nor this", "/ / no block\n// nor this"),
        ("/// note |   N\n///exercise|Q\n///  solution  |  S", "**N**\n\n### Q\n**S**"),
        ("see ![A](assets/figures/a.svg)", "see ![A](https://b.example/en/labs/assets/figures/a.svg)"),
        ("no # title {#id}", "no # title {#id}"),
        ("#### Deep  {#a-b}", "#### Deep"),
        ("a\n\n\n\n\nb\n\n", "a\n\nb"),
        ("$QK\\T$, $\\R^n$, $\\Text$", "$QK^{\\mathsf T}$, $\\mathbb{R}^n$, $\\Text$"),
        (
            "$\\softmax(x)$ and $\\E[\\Var]$",
            "$\\operatorname{softmax}(x)$ and $\\operatorname{E}[\\operatorname{Var}]$",
        ),
        ("[a](b.md) and [c](d.md#e)", "[a](https://b.example/en/labs/b/) and [c](https://b.example/en/labs/d/#e)"),
        ("[a](mailto:x@y)", "[a](mailto:x@y)"),
        ("see /// note | N", "see /// note | N"),
        ("see /// exercise | Q", "see /// exercise | Q"),
        ("![A line](../assets/figures/part/one.svg)\n\nText.", "Text."),
        ("![A](assets/figures/a.svg) so", "![A](https://b.example/en/labs/assets/figures/a.svg) so"),
        ("## A {#b} c\n## D{#e}", "## A {#b} c\n## D"),
        (
            "[a](http://h.example/b.md) [c](d.md)[e](f.md)",
            ("[a](http://h.example/b.md) [c](https://b.example/en/labs/d/)[e](https://b.example/en/labs/f/)"),
        ),
        ("[a](b c.md)", "[a](b c.md)"),
        ("a / b, http:///// and //", "a / b, http:///// and //"),
    ],
)
def test_prose_without_what_only_the_site_understands(page, jupyter):
    assert cells.jupyter_markdown(page, "https://b.example/en/labs/one/") == jupyter


@pytest.mark.parametrize(
    ("link", "target"),
    [
        ("two.md", "/en/labs/two/"),
        ("two.md#part", "/en/labs/two/#part"),
        ("index.md", "/en/labs/"),
        ("index.md#a", "/en/labs/#a"),
        ("../index.md", "/en/"),
        ("../model/cost.md#a", "/en/model/cost/#a"),
        ("../model/index.md#a", "/en/model/#a"),
        ("reindex.md", "/en/labs/reindex/"),
        ("#here", "/en/labs/one/#here"),
        ("two.mdx", "/en/labs/two.mdx"),
    ],
)
def test_links_lead_to_where_the_page_stands_on_the_site(link, target):
    text = cells.jupyter_markdown(f"[x]({link})", "https://b.example/en/labs/one/")
    assert text == f"[x](https://b.example{target})"


@pytest.mark.parametrize(
    ("page", "jupyter"),
    [
        ("See [two](two.md#there) and [*three*](../a/b.md).", "See two and *three*."),
        ("[a](http://h.example/b.md) and [b](mailto:x@y)", "[a](http://h.example/b.md) and [b](mailto:x@y)"),
        ("[x[0]](two.md), [here](#here)", "x[0], here"),
        ("so ![A](photo.png)", "so A"),
        ("f(x) [no link] (two.md)", "f(x) [no link] (two.md)"),
    ],
)
def test_without_an_address_of_the_site_the_text_of_a_link_is_left(page, jupyter):
    assert cells.jupyter_markdown(page, "") == jupyter


@pytest.mark.parametrize(
    ("address", "known"),
    [
        ("https://transformer-book.example/", ""),
        ("https://transformer-book.example/repository", ""),
        ("", ""),
        (None, ""),
        ("https://github.com/someone/book", "https://github.com/someone/book"),
        ("http://127.0.0.1:8000/en/", "http://127.0.0.1:8000/en/"),
        ("file:///somewhere/book", "file:///somewhere/book"),
        ("https://example.org/", "https://example.org/"),
    ],
)
def test_an_address_that_stands_in_for_one_is_none(address, known):
    assert cells.known(address) == known


def test_colab_opens_a_notebook_of_a_site_whose_repository_is_on_github():
    github = "https://github.com/someone/book"
    link = cells.colab("labs/one", "https://someone.github.io/book/en/", github)
    assert link == "https://colab.research.google.com/#fileId=https%3A//someone.github.io/book/en/labs/one/one.ipynb"
    assert (
        cells.colab("labs/one", "", github)
        == cells.colab("labs/one", "https://b.example/", "https://gitlab.com/a/b")
        == ""
    )
    assert cells.colab("labs/one", "https://b.example/", "") == ""


# ---- the notebook


def test_a_notebook_is_set_up_then_page_then_where_it_comes_from(lab):
    notebook = labs.notebook("one", "en", "https://b.example/en/")
    nbformat.validate(notebook)
    kinds = [cell.cell_type for cell in notebook.cells]
    assert kinds == ["code", "markdown", "code", "code", "markdown", "code", "markdown"]
    sources = [cell.source for cell in notebook.cells]
    assert [source for source, kind in zip(sources, kinds, strict=True) if kind == "code"][1:] == CODE
    assert 'os.environ["BOOK_LANGUAGE"] = "en"' in sources[0] and cells.WORDS["en"]["error"] in sources[0]
    assert sources[1] == "# One\n\nFirst $QK^{\\mathsf T}$."
    assert "(https://b.example/en/labs/two/#there)" in sources[4]
    assert sources[-1] == "This notebook belongs to the page [One](https://b.example/en/labs/one/)."
    assert [cell.id for cell in notebook.cells] == [f"cell-{i}" for i in range(len(kinds))]
    assert notebook.metadata.kernelspec.name == "python3" and notebook.metadata.language_info.name == "python"
    assert notebook.metadata.kernelspec.language == "python" and notebook.metadata.kernelspec.display_name


def test_a_notebook_speaks_the_language_of_its_page(lab):
    notebook = labs.notebook("one", "ko", "https://b.example/")
    assert 'os.environ["BOOK_LANGUAGE"] = "ko"' in notebook.cells[0].source
    assert notebook.cells[-1].source.endswith(": [하나](https://b.example/labs/one/)")
    assert labs.notebook("one", "ko").cells[-1].cell_type == "code", "without an address nothing is said of it"


def test_what_is_installed_under_another_name_is_looked_for_under_that_of_its_import():
    source = cells.setup("en", "", ["sklearn", "torch"], cells.WORDS["en"])
    assert "needed = {'sklearn': 'scikit-learn', 'torch': 'torch'}\n" in source


def test_the_first_cell_knows_the_repository_or_that_there_is_none(lab):
    with_one = labs.notebook("one", "en", repository="https://github.com/someone/book").cells[0].source
    without = labs.notebook("one", "en").cells[0].source
    assert 'REPOSITORY = "https://github.com/someone/book"' in with_one and 'REPOSITORY = ""' in without
    for source in (with_one, without):
        ast.parse(source)
        assert f"needed = { {name: name for name in cells.NEEDED} }\n" in source
    assert cells.WORDS["en"]["failed"] in with_one
    assert "two](https" not in labs.notebook("one", "en").cells[4].source


def test_another_repository_is_no_reason_to_execute_a_lab_again(kernel):
    execute()
    downloads.write_download("one", "en", "", "https://github.com/someone/book")
    assert labs.executed("one", "en") is not None and execute() == ([], "")


# ---- executing


class Picture:
    """What a cell shows that is a figure: labels in the language that is spoken in the kernel."""

    def __init__(self, number: int, language: str) -> None:
        self.data = {"image/svg+xml": f"<svg>{language} {number}</svg>", "text/plain": "<SVG>"}


class Kernel:
    """Runs the cells of a notebook as nbclient does, in this process; of the first one, only the language."""

    #: The settings of each, and in which language which code was run.
    started: list[dict] = []
    ran: list[tuple[str, str]] = []

    def __init__(self, notebook, **settings) -> None:
        self.nb, self.settings = notebook, settings

    @asynccontextmanager
    async def async_setup_kernel(self):
        self.started.append(self.settings)
        self.names = {"double": lambda x: 2 * x, "show": lambda number: Picture(number, self.language)}
        yield
        del self.names

    async def async_execute_cell(self, cell, index, execution_count) -> None:
        assert self.nb.cells[index] is cell
        cell.execution_count, cell.outputs = execution_count, []
        if language := re.search(r'^os.environ\["BOOK_LANGUAGE"\] = "(\w+)"$', cell.source, re.M):
            self.language = language[1]
            return
        self.ran.append((self.language, cell.source))
        out, err = io.StringIO(), io.StringIO()
        body = [node for node in ast.parse(cell.source).body if not isinstance(node, ast.ImportFrom)]
        last = body.pop() if isinstance(body[-1], ast.Expr) else ast.Expr(ast.Constant(None))
        ast.fix_missing_locations(last)
        try:
            with redirect_stdout(out), redirect_stderr(err):
                exec(compile(ast.Module(body, []), "cell", "exec"), self.names)
                shown = eval(compile(ast.Expression(last.value), "cell", "eval"), self.names)
        except Exception as error:
            cell.outputs = [nbformat.v4.new_output("error", ename="Error", evalue=str(error), traceback=[])]
            raise CellExecutionError(f"\x1b[0;31m{error}\x1b[0m\n", "Error", str(error)) from None
        for name, text in (("stdout", out.getvalue()), ("stderr", err.getvalue())):
            if text:
                cell.outputs.append(nbformat.v4.new_output("stream", name=name, text=text))
        if isinstance(shown, Picture):
            cell.outputs.append(nbformat.v4.new_output("display_data", data=shown.data))
        elif shown is not None:
            cell.outputs.append(nbformat.v4.new_output("execute_result", data={"text/plain": repr(shown)}))


@pytest.fixture
def kernel(lab, monkeypatch):
    monkeypatch.setattr(kernels, "NotebookClient", Kernel)
    for name in ("OMP_NUM_THREADS", "TQDM_DISABLE"):
        monkeypatch.setenv(name, "1")  # and set back, whoever else sets it for the kernels
    monkeypatch.setattr(Kernel, "started", [])
    monkeypatch.setattr(Kernel, "ran", [])
    return lab


def execute() -> tuple[list[str], str]:
    """For which languages something was executed, and what was said."""
    Kernel.started.clear()
    Kernel.ran.clear()
    with redirect_stdout(io.StringIO()) as out:
        kernels.execute_stale()
    return re.findall(r"\b(?:ko|en)\b", out.getvalue()), out.getvalue()


def test_what_is_executed_is_kept_until_its_code_changes(kernel):
    languages, said = execute()
    assert languages == ["ko", "en"]
    assert re.fullmatch(r"lab  one, ko and en  \(\d+\.\d s\)\n", said)
    assert execute() == ([], "")
    change(labs.page_path("one", "en"), "First", "Firstly")
    change(kernel / "snippets" / "part" / "other.py", "x = 1", "x = 2")
    assert execute() == ([], ""), "no code has changed"
    change(labs.page_path("one", "en"), "x = 2", "x = 2  # two")
    assert execute() == ([], ""), "it means the same"
    change(labs.page_path("one", "en"), "x = 2", "x = 3")
    assert execute()[0] == ["en"]
    change(kernel / "snippets" / "part" / "base.py", "2 * x", "x + x")
    assert execute()[0] == ["ko", "en"], "a module that a cell imports has changed"
    labs.notebook_path("one", "ko").write_text("{")
    assert execute()[0] == ["ko"]
    labs.notebook_path("one", "ko").write_text("no notebook")
    assert execute()[0] == ["ko"]
    labs.notebook_path("one", "en").unlink()
    assert execute()[0] == ["en"]


@pytest.mark.parametrize("content", ["", "{", "no notebook", "[]", '{"nbformat": 9}', '{"cells": 3}'])
def test_a_notebook_that_is_damaged_says_so_and_is_made_anew(kernel, content):
    execute()
    write(path := labs.notebook_path("one", "en"), content)
    with redirect_stderr(io.StringIO()) as told:
        assert labs.executed("one", "en") is None
    assert told.getvalue() == f"{path} was edited or is damaged, and is made anew\n"
    path.unlink()
    with redirect_stderr(io.StringIO()) as told:
        assert labs.executed("one", "en") is None and told.getvalue() == "", "it is not there"


def test_a_notebook_that_was_edited_says_so_and_is_made_anew(kernel):
    execute()
    change(labs.notebook_path("one", "en"), "x is 2", "x is 3")
    with redirect_stderr(io.StringIO()) as told:
        assert labs.executed("one", "en") is None and labs.executed("one", "ko") is not None
    assert told.getvalue() == f"{labs.notebook_path('one', 'en')} was edited or is damaged, and is made anew\n"
    change(kernel / "snippets" / "part" / "base.py", "2 * x", "x + x")
    with redirect_stderr(io.StringIO()) as told:
        assert labs.executed("one", "en") is None and told.getvalue() == "", "its code has changed"


@pytest.mark.parametrize("package", ["torch", "matplotlib", "numpy"])
def test_with_another_version_of_a_library_labs_are_executed_again(kernel, monkeypatch, package):
    assert labs.executed("one", "ko") is None
    execute()
    assert labs.executed("one", "ko") is not None
    version = importlib.metadata.version
    monkeypatch.setattr(importlib.metadata, "version", lambda name: "0.0" if name == package else version(name))
    assert labs.executed("one", "ko") is None


def test_each_language_is_executed_in_its_own_words(kernel):
    assert labs.fingerprint("one", "ko") != labs.fingerprint("one", "en")
    assert labs.fingerprint("one", "ko") == labs.fingerprint("one", "ko")


def test_a_cell_runs_at_the_root_and_not_for_ever(kernel):
    execute()
    (settings,) = Kernel.started
    assert settings["resources"]["metadata"]["path"] == str(kernel) and settings["kernel_name"] == "python3"
    assert 60 <= settings["timeout"] <= 3600
    assert os.environ["TQDM_DISABLE"] == "1", "a bar would be taken for a complaint"


def test_labs_are_executed_in_a_process_of_their_own_if_there_are_any(lab, monkeypatch):
    started = []

    def run(module, cwd):
        started.append((module, cwd))
        return len(started) - 1

    monkeypatch.setattr(labs, "run", run)
    labs.execute_anew([])
    assert not started
    labs.execute_anew([("one", "ko")])
    assert started == [("book.artifacts.kernels", lab)]
    with pytest.raises(LabError, match="could not execute the labs"):
        labs.execute_anew([("one", "en")])


def shown(language: str) -> list[list[dict]]:
    """What the cells of a notebook have put out, and their numbers."""
    cells = [cell for cell in labs.executed("one", language).cells if cell.cell_type == "code"]
    assert [cell.execution_count for cell in cells] == [1, 2, 3, 4]
    return [[output.get("data", output.get("text")) for output in cell.outputs] for cell in cells]


def test_what_a_cell_prints_is_computed_once_and_a_figure_is_shown_in_each_language(kernel):
    change(kernel / "snippets" / "part" / "one.md", "double(x)\n", "x += 1\nshow(x)\n")
    assert execute()[0] == ["ko", "en"]
    (first, figure, last) = labs.code_of("one", "en")
    assert Kernel.ran == [("ko", first), ("ko", figure), ("en", figure), ("ko", last)]
    korean, english = shown("ko"), shown("en")
    assert korean[:2] == english[:2] == [[], ["x is 2\n"]]
    assert [korean[2][0]["image/svg+xml"], english[2][0]["image/svg+xml"]] == ["<svg>ko 3</svg>", "<svg>en 4</svg>"]
    assert korean[2][0]["text/plain"] == "<SVG>" and korean[3] == english[3] == []


def test_outputs_that_two_notebooks_share_are_each_ones_own(kernel):
    execute()
    assert shown("ko") == shown("en") == [[], ["x is 2\n"], [{"text/plain": "4"}], []]
    assert labs.fingerprint("one", "ko") != labs.fingerprint("one", "en")


def test_where_the_cells_of_a_language_differ_all_of_them_are_run(kernel):
    change(labs.page_path("one", "en"), "x = 2", "x = 3")
    execute()
    assert [language for language, _ in Kernel.ran] == ["ko"] * 3 + ["en"] * 3
    assert labs.outputs(labs.notebook_path("one", "en"), "en") == ["x is 3\n", "6\n", ""]
    assert labs.outputs(labs.notebook_path("one", "ko"), "ko") == ["x is 2\n", "4\n", ""]


def test_what_is_run_anew_of_one_language_is_run_in_that(kernel):
    execute()
    labs.notebook_path("one", "en").unlink()
    assert execute()[0] == ["en"] and {language for language, _ in Kernel.ran} == {"en"}


def test_what_the_cells_printed(kernel):
    execute()
    assert labs.outputs(labs.notebook_path("one", "ko"), "ko") == ["x is 2\n", "4\n", ""]


def test_pictures_and_what_stands_for_them_are_not_printed(lab):
    cell = nbformat.v4.new_code_cell("x")
    cell.outputs = [
        nbformat.v4.new_output("stream", text="one\n"),
        nbformat.v4.new_output("display_data", data={"image/svg+xml": "<svg/>", "text/plain": "<Figure>"}),
        nbformat.v4.new_output("execute_result", data={"text/plain": "two"}),
        nbformat.v4.new_output("display_data", data={"text/html": "<b>"}),
    ]
    cells = [nbformat.v4.new_code_cell("set up"), nbformat.v4.new_markdown_cell("Text."), cell]
    cell.execution_count = 2
    nbformat.write(nbformat.v4.new_notebook(cells=cells), lab / "x.ipynb")
    assert labs.outputs(lab / "x.ipynb", "en") == ["one\ntwo\n\n"]


@pytest.mark.parametrize(
    ("code", "line", "said"),
    [
        ("x = 1 / 0", 8, r"a cell of this lab fails.*\ndivision by zero$"),
        ("import sys; x = 2; print('careful', file=sys.stderr)", 8, r"writes to stderr.*\ncareful"),
    ],
)
def test_a_cell_that_fails_or_complains_is_refused_with_its_line(kernel, code, line, said):
    change(labs.page_path("one", "ko"), "x = 2", code)
    with pytest.raises(LabError, match=rf"^docs/ko/labs/one\.md:{line}: .*{said}"):
        kernels.execute_stale()
    assert labs.executed("one", "ko") is None
    change(labs.page_path("one", "ko"), code, "x = 2")
    change(kernel / "snippets" / "part" / "one.md", "double(x)", "double(y)")
    with pytest.raises(LabError, match=r"^docs/ko/labs/one\.md:13: a cell of this lab fails"):
        kernels.execute_stale()


def test_a_cell_that_fails_in_the_second_language_is_refused_on_its_page(kernel):
    change(labs.page_path("one", "en"), "x = 2", "x = 1 / 0")
    with pytest.raises(LabError, match=r"^docs/en/labs/one\.md:8: a cell of this lab fails.*\ndivision by zero$"):
        kernels.execute_stale()
    assert all(labs.executed("one", language) is None for language in LANGUAGES)


def test_a_kernel_that_dies_is_a_lab_that_fails(kernel, monkeypatch):
    from nbclient.exceptions import CellTimeoutError, DeadKernelError

    for error in (DeadKernelError("dead"), CellTimeoutError("late")):

        async def fail(self, cell, index, execution_count, error=error):
            raise error

        monkeypatch.setattr(Kernel, "async_execute_cell", fail)
        with pytest.raises(LabError, match=rf"^docs/ko/labs/one\.md:1: a cell of this lab fails.*\n{error}$"):
            kernels.execute_stale()


def test_one_lab_that_fails_does_not_keep_others_from_being_executed(kernel):
    for language in LANGUAGES:
        write(kernel / "docs" / language / "labs" / "bad.md", "---\ntitle: B\n---\n\n```python\nx = y\n```\n")
    with pytest.raises(LabError, match=r"docs/ko/labs/bad\.md:5:"):
        execute()
    assert labs.executed("one", "ko") is not None and labs.executed("bad", "ko") is None


def test_what_is_edited_while_it_is_executed_is_executed_again(kernel, monkeypatch):
    run = Kernel.async_execute_cell

    async def edit(self, cell, index, execution_count):
        base = kernel / "snippets" / "part" / "base.py"
        base.write_text(base.read_text().replace("2 * x", "x + x"))
        await run(self, cell, index, execution_count)

    monkeypatch.setattr(Kernel, "async_execute_cell", edit)
    execute()
    for language in LANGUAGES:
        assert labs.notebook_path("one", language).exists() and labs.executed("one", language) is None


# ---- the download, and the command


def test_the_download_has_todays_prose_and_the_outputs_of_its_execution(kernel):
    with pytest.raises(LabError, match="the lab one.*ko.*has not been executed; run: python -m book labs"):
        downloads.write_download("one", "ko", "https://b.example/")
    execute()
    change(labs.page_path("one", "ko"), "First", "Firstly")
    for _ in range(2):
        path = downloads.write_download("one", "ko", "https://b.example/")
    assert path == kernel / ".cache" / "labs" / "ko" / "download" / "one.ipynb"
    notebook = nbformat.read(path, as_version=4)
    nbformat.validate(notebook)
    assert "Firstly" in notebook.cells[1].source and "https://b.example/labs/one/" in notebook.cells[-1].source
    code = [cell for cell in notebook.cells if cell.cell_type == "code"]
    assert [cell.execution_count for cell in code] == [1, 2, 3, 4]
    assert code[1].outputs[0].text == "x is 2\n" and code[2].outputs[0].data["text/plain"] == "4"
    assert labs.notebook_path("one", "ko").exists(), "what was executed stays as it is"
    assert labs.outputs(path, "ko") == labs.outputs(labs.notebook_path("one", "ko"), "ko")


def test_a_server_shows_a_lab_before_it_has_been_executed(kernel):
    path = downloads.write_download("one", "en", "https://b.example/", waits=True)
    assert labs.outputs(path, "en") == ["(being executed: what it prints will stand here)\n"] * 3
    assert all(not cell.outputs for cell in nbformat.read(path, as_version=4).cells if cell.cell_type == "code")
    execute()
    path = downloads.write_download("one", "en", "https://b.example/", waits=True)
    assert labs.outputs(path, "en") == labs.outputs(labs.notebook_path("one", "en"), "en")


def test_an_archive_has_the_notebook_and_what_it_needs(kernel):
    for name in ("__init__.py", "part/__init__.py", "results/little.json", "results/other.json"):
        write(kernel / "snippets" / name, "{}" if name.endswith("json") else "")
    write(kernel / "LICENSE", "Free.")
    write(kernel / "requirements.txt", "torch\n")
    write(kernel / "constraints.txt", "six\n")
    cached = '@cached("little")\ndef train():\n    return {}\n'
    write(kernel / "snippets" / "part" / "base.py", BASE + f"# --8<-- [start:train]\n{cached}# --8<-- [end:train]\n")
    for language in LANGUAGES:
        change(labs.page_path("one", language), "base.py:double", "base.py:train")
    monkeyed = "def cached(name):\n    return lambda function: function\n\n\n"
    change(kernel / "snippets" / "part" / "base.py", "# --8<-- [start:train]\n", f"# --8<-- [start:train]\n{monkeyed}")
    execute()
    downloads.write_download("one", "ko", "")
    path = downloads.write_archive("one", "ko")
    assert path == kernel / ".cache" / "labs" / "ko" / "download" / "one.zip"
    with zipfile.ZipFile(path) as archive:
        assert set(archive.namelist()) == {
            "one/one.ipynb",
            "one/LICENSE",
            "one/constraints.txt",
            "one/requirements.txt",
            "one/snippets/__init__.py",
            "one/snippets/part/__init__.py",
            "one/snippets/part/base.py",
            "one/snippets/results/little.json",
        }
        assert archive.read("one/one.ipynb") == path.with_suffix(".ipynb").read_bytes()
        assert archive.read("one/LICENSE") == b"Free."
        assert {item.compress_type for item in archive.infolist()} == {zipfile.ZIP_DEFLATED}
    before, content = path.stat().st_mtime_ns, path.read_bytes()
    downloads.write_archive("one", "ko")
    assert path.stat().st_mtime_ns == before, "nothing has changed"
    write(kernel / "LICENSE", "Free!")
    downloads.write_archive("one", "ko")
    assert path.read_bytes() != content


def main(*arguments: str) -> tuple[int, str, str]:
    with redirect_stdout(io.StringIO()) as out, redirect_stderr(io.StringIO()) as err:
        return kernels.main(list(arguments)), out.getvalue(), err.getvalue()


def test_the_command_executes_what_is_out_of_date(kernel):
    code, out, err = main()
    assert (code, err) == (0, "") and "lab  one, ko and en" in out and out.endswith("all labs are up to date\n")
    assert main() == (0, "all labs are up to date\n", "")


def test_the_command_says_which_lab_fails(kernel):
    change(labs.page_path("one", "ko"), "x = 2", "x = y")
    code, out, err = main()
    assert code == 1 and err.startswith("docs/ko/labs/one.md:8: ") and "up to date" not in out


def test_everything_can_be_executed_and_trained_anew(kernel):
    main()
    for name in ("labs/ko/old.ipynb", "labs/notes.txt"):
        write(kernel / ".cache" / name, "")
    code, out, _ = main("--fresh")
    assert code == 0 and "lab  one, ko and en" in out
    left = {path.relative_to(kernel / ".cache").as_posix() for path in (kernel / ".cache").rglob("*") if path.is_file()}
    assert left == {"labs/ko/one.ipynb", "labs/en/one.ipynb", "labs/notes.txt"}


# ---- on the page


def lines(outputs: list[str], *source: str) -> list[str]:
    extension = LabExtension()
    extension.outputs = outputs
    return Markdown(extensions=[extension]).preprocessors["labs"].run(list(source))


def test_what_a_cell_printed_stands_below_it():
    source = ["Text.", "```python", "x", "```", "", '--8<-- "a.md:x"', "Text.", "```python", '--8<-- "b.py:y"', "```"]
    assert lines(["1\n2\n\n", "", "3"], *source) == [
        *source[:4], "", "```text", "1", "2", "```", *source[4:], "", "```text", "3", "```",
    ]  # fmt: skip
    assert lines(["", "two\n", ""], *source) == [*source[:6], "", "```text", "two", "```", *source[6:]]


def test_other_fences_print_nothing():
    source = ["```text", '--8<-- "a.md:x"', "```", "```python title", "x", "```", "```python", "x", "```"]
    assert lines(["1\n"], *source) == [*source, "", "```text", "1", "```"]


def test_a_page_that_is_no_lab_is_left_alone():
    source = ["```python", "x", "```"]
    assert lines([], *source) == source
    assert Markdown(extensions=[LabExtension()]).convert("Text.") == "<p>Text.</p>"


def test_a_page_can_be_shown_twice():
    extension = LabExtension()
    extension.outputs = ["1\n"]
    md = Markdown(extensions=["fenced_code", extension])
    assert md.convert("```python\nx\n```") == md.convert("```python\nx\n```")
    assert 'language-text">1' in md.convert("```python\nx\n```")


def stream(text: str, name: str = "stdout") -> nbformat.NotebookNode:
    return nbformat.v4.new_output("stream", name=name, text=text)


def test_pieces_of_one_text_are_joined_and_nothing_else():
    picture = nbformat.v4.new_output("display_data", data={"text/plain": "<SVG>"})
    outputs = [
        stream("a"),
        stream("b\n"),
        picture,
        stream("c"),
        stream("d", "stderr"),
        stream("e", "stderr"),
        stream("f"),
    ]
    joined = kernels._joined(outputs)
    texts = [(output.get("name"), output.get("text")) for output in joined]
    assert texts == [("stdout", "ab\n"), (None, None), ("stdout", "c"), ("stderr", "de"), ("stdout", "f")]
    assert joined[1] is picture and kernels._joined([]) == []
    two = [picture, picture]
    assert kernels._joined(two) == two
