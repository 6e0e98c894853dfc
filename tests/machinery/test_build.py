"""What a build does and what makes it fail, tried on a little book."""

from __future__ import annotations

import json
import re
import subprocess
import sys
from pathlib import Path

import pytest

from book import LANGUAGES
from tests.conftest import mkdocs
from tests.machinery.site_checks import Site


def _edit(file: Path, old: str, new: str) -> None:
    text = file.read_text(encoding="utf-8")
    assert old in text
    file.write_text(text.replace(old, new), encoding="utf-8")


def _failure(book: Path) -> str:
    """What a strict build says; it has to fail."""
    built = mkdocs(book, "build", "--strict")
    assert built.returncode != 0, f"the build should fail:\n{built.stdout}"
    return built.stdout


@pytest.mark.parametrize("language", LANGUAGES)
def test_broken_formula_fails_the_build(little_book, language):
    page = little_book / "docs" / language / "page.md"
    _edit(page, "$2x$", r"$\frac{2x}{$")
    line = next(n for n, text in enumerate(page.read_text(encoding="utf-8").splitlines(), 1) if r"\frac" in text)
    said = _failure(little_book)
    assert f"docs/{language}/page.md, line {line}" in said and r"\frac{2x}{" in said


def test_broken_display_formula_fails_the_build(little_book):
    _edit(little_book / "docs" / "en" / "page.md", "Twice the number", "$$\na &= \\nonsense b\n$$\n\nTwice the number")
    said = _failure(little_book)
    assert "docs/en/page.md, line 8" in said and "nonsense" in said


def test_what_is_wrong_is_said_in_a_line_and_without_a_traceback(little_book):
    page, glossary = little_book / "docs" / "en" / "page.md", little_book / "docs" / "glossary.yml"
    whole, terms = page.read_text(encoding="utf-8"), glossary.read_text(encoding="utf-8")

    def refused() -> str:
        said = _failure(little_book)
        assert "Traceback" not in said
        return said

    page.write_text(whole.replace("$2x$", r"$\frac{2x}{$"), encoding="utf-8")
    assert "docs/en/page.md, line 7" in refused()
    page.write_text(whole.replace("part/plain.svg", "part/fancy.svg"), encoding="utf-8")
    assert "no snippets/figures/part/fancy.py" in refused()
    page.write_bytes(whole.encode("utf-16"))
    assert "docs/en/page.md:1: this is not UTF-8" in refused()
    page.write_text(whole, encoding="utf-8")
    glossary.write_text(terms.replace("avoid: [벡타]", "avoid: 벡타"), encoding="utf-8")
    assert "docs/glossary.yml:6: avoid is a list" in refused()
    glossary.write_text(terms, encoding="utf-8")
    lab = little_book / "docs" / "en" / "labs" / "lab.md"
    _edit(lab, "title: A lab\n", "")
    assert "docs/en/labs/lab.md:1: has no title" in refused()
    lab.unlink()
    assert "write docs/en/labs/lab.md" in refused()


def test_an_empty_address_of_the_site_is_refused(little_book):
    built = mkdocs(little_book, "build", SITE_URL="")
    assert built.returncode != 0 and "SITE_URL is empty" in built.stdout and "Traceback" not in built.stdout


def test_a_public_site_without_the_address_of_the_repository_is_refused(little_book):
    built = mkdocs(little_book, "build", SITE_URL="https://book.org/x/")
    assert built.returncode != 0 and "set REPO_URL" in built.stdout and "Traceback" not in built.stdout
    assert mkdocs(little_book, "build", SITE_URL="https://book.org/x/", REPO_URL="").returncode != 0
    for language in ("ko", "en"):
        with (little_book / "docs" / language / "page.md").open("a", encoding="utf-8") as page:
            page.write("\n```sh\ngit clone ADDRESS book\n```\n")
    built = mkdocs(little_book, "build", SITE_URL="https://book.org/x/", REPO_URL="https://code.org/book")
    assert built.returncode == 0, built.stdout
    for path in ("index.html", "en/page/index.html"):
        soup = Site(little_book / "site", "https://book.org/x/").pages[path]
        assert ("git clone https://code.org/book book" in soup.text) == ("page" in path)
        assert soup.select_one(".md-footer .repository")["href"] == "https://code.org/book"
    robots = (little_book / "site" / "robots.txt").read_text()
    assert re.findall("Sitemap: (.*)", robots) == [f"https://book.org/x/{root}sitemap.xml" for root in ("", "en/")]


@pytest.mark.parametrize("name", [".#page.md", "._x.svg", "linked.svg"])
def test_files_of_editors_and_links_are_not_published(little_book, name):
    path = little_book / "docs" / ("ko" if name.endswith("md") else "assets") / name
    if name[1] == "_":
        path.write_bytes(b"\xff")
    else:
        path.symlink_to(little_book / "mkdocs.yml" if name[0] != "." else "somebody@somewhere.1234")
    assert mkdocs(little_book, "build").returncode == 0
    assert not [path for path in (little_book / "site").rglob("*") if name in path.name]


@pytest.mark.parametrize(
    "link, said",
    [
        ("missing.md", "missing.md"),
        ("page.md#missing", "missing"),
        ("/page/", "absolute"),
        ("page", "page"),
    ],
)
def test_broken_link_fails_the_build(little_book, link, said):
    _edit(little_book / "docs" / "en" / "index.md", "page.md#double", link)
    output = _failure(little_book)
    assert any("index.md" in line and said in line for line in output.splitlines()), output


@pytest.mark.parametrize(
    "old, new",
    [(".py:double", ".py:treble"), ("doubling.md", "trebling.md")],
)
def test_missing_include_fails_the_build(little_book, old, new):
    _edit(little_book / "docs" / "ko" / "page.md", old, new)
    said = _failure(little_book)
    assert "page.md" in said and new.split(":")[-1] in said


def test_figure_that_raises_fails_the_build(little_book):
    _edit(little_book / "snippets" / "figures" / "part" / "doubled.py", "double(1)", "double(1) / 0")
    said = _failure(little_book)
    assert "could not draw: part/doubled" in said and "ZeroDivisionError" in said and "doubled.py" in said


def test_unknown_figure_fails_the_build(little_book):
    _edit(little_book / "docs" / "ko" / "page.md", "part/plain.svg", "part/fancy.svg")
    said = _failure(little_book)
    assert "page.md" in said and "no snippets/figures/part/fancy.py" in said


def test_page_missing_in_english_fails_the_build(little_book):
    (little_book / "docs" / "en" / "page.md").unlink()
    assert "page.md" in _failure(little_book)


def test_page_missing_in_the_navigation_fails_the_build(little_book):
    _edit(little_book / "mkdocs.yml", "nav: [index.md, page.md, labs/lab.md]", "nav: [index.md, labs/lab.md]")
    assert "page.md" in _failure(little_book)


def test_404_pages_work_below_any_path(little_book):
    """GitHub Pages serves a project below its name."""
    built = mkdocs(little_book, "build", "-d", "out", SITE_URL="https://host.example/book/")
    assert built.returncode == 0, built.stdout
    for root, home in (("", "/book/"), ("en/", "/book/en/")):
        soup = Site(little_book / "out", "https://host.example/book/").pages[f"{root}404.html"]
        links = [
            tag["href"] for tag in soup.find_all(["a", "link"], href=True) if not tag["href"].startswith(("http", "#"))
        ]
        assert home in links and all(link.startswith("/book/") for link in links), links
        assert {text["lang"] for text in soup.select("article .missing")} == {"ko", "en"}, "it is served to both"


def test_a_build_with_nothing_out_of_date_writes_only_the_site_and_does_without_torch(little_book):
    """So it also runs in a directory that cannot be written to."""
    (little_book / "spy.py").write_text(
        "import sys\n\n\ndef on_post_build(config):\n    print('TORCH', 'torch' in sys.modules)\n"
    )
    _edit(little_book / "mkdocs.yml", "  - book/adapters/hooks.py", "  - book/adapters/hooks.py\n  - spy.py")
    assert mkdocs(little_book, "build", "--strict").returncode == 0  # site_url differs from none before: once

    def files() -> dict[Path, int]:
        rest = (path for path in little_book.rglob("*") if path.relative_to(little_book).parts[0] != "site")
        return {path: path.stat().st_mtime_ns for path in rest if "__pycache__" not in path.parts}

    before = files()
    built = mkdocs(little_book, "build", "--strict")
    assert files() == before
    assert re.findall(r"TORCH (\w+)", built.stdout) == ["False", "False"], "in both languages"


# ---- formulas and figures come in last

SPY = """
def on_page_context(context, page, config, nav):
    print("CONTENT", len(page.content), "katex" in page.content, "<svg" in page.content)
"""


def test_formulas_and_figures_come_into_a_page_when_plugins_have_parsed_it(little_book):
    (little_book / "spy.py").write_text(SPY, encoding="utf-8")
    _edit(little_book / "mkdocs.yml", "  - book/adapters/hooks.py", "  - book/adapters/hooks.py\n  - spy.py")
    _edit(little_book / "docs" / "en" / "page.md", "## A sum {#sum}", "## A sum of $x + y$ {#sum}")
    _edit(little_book / "docs" / "ko" / "page.md", "## 더하기 {#sum}", "## 더하기 $x + y$ {#sum}")
    built = mkdocs(little_book, "build", "--strict")
    assert built.returncode == 0, built.stdout
    parsed = [line.split()[2:] for line in built.stdout.splitlines() if line.startswith("CONTENT")]
    assert parsed and set(map(tuple, parsed)) == {("False", "False")}
    page = Site(little_book / "site", "https://host.example/").pages["en/page/index.html"]
    assert len(page.select(".formula .katex math")) == 6 and len(page.select(".figure svg[aria-label] text")) > 4
    assert "x-later" not in str(page) and "wzxhzdk" not in str(page)
    (entry,) = {link.get_text(" ", strip=True) for link in page.select('nav a[href="#sum"]')}
    assert entry == "A sum of x+y", "a table of contents has the words of a formula, once"

    index = json.loads((little_book / "site" / "en" / "search" / "text.json").read_text(encoding="utf-8"))
    texts = {f"{one['url']}#{anchor}": text for one in index["pages"] for anchor, _, text, _ in one["sections"]}
    assert "Twice the number x is 2x." in texts["page/#"]
    assert "added to itself, x+x." in texts["page/#sum"] and "2x=x+x always" in texts["page/#sum"]
    everything = json.dumps(index)
    assert not any(markup in everything for markup in ("katex", "mord", "annotation", "x-later", "svg"))
    drawing = (little_book / "docs" / "assets" / "figures" / "part" / "plain.en.svg").read_text(encoding="utf-8")
    assert ">0.75</text>" in drawing or ">0.8</text>" in drawing, "a label that the pages do not have"
    assert "0.75" not in everything and "0.8" not in everything


# ---- figures


def _draw(book: Path) -> str:
    command = [sys.executable, "-m", "book.artifacts.figures"]
    drawn = subprocess.run(command, cwd=book, capture_output=True, text=True, encoding="utf-8")
    assert drawn.returncode == 0, drawn.stderr
    return drawn.stdout


def _times(book: Path) -> dict[str, int]:
    return {
        path.name: path.stat().st_mtime_ns for path in (book / "docs" / "assets" / "figures" / "part").glob("*.svg")
    }


def test_figures_are_drawn_only_when_their_code_has_changed(little_book):
    before = _times(little_book)
    assert set(before) == {f"{name}.{language}.svg" for name in ("doubled", "plain") for language in ("ko", "en")}
    assert "up to date" in _draw(little_book)
    assert mkdocs(little_book, "build", "--strict").returncode == 0
    assert _times(little_book) == before, "a figure was drawn although nothing had changed"

    _edit(little_book / "snippets" / "part" / "doubling.py", "2 * x", "x + x")
    said = _draw(little_book)
    changed = {name for name, time in _times(little_book).items() if time != before[name]}
    assert changed == {"doubled.ko.svg", "doubled.en.svg"} and "doubled" in said and "plain" not in said

    (little_book / "docs" / "assets" / "figures" / "part" / "plain.en.svg").unlink()
    built = mkdocs(little_book, "build", "--strict")
    assert built.returncode == 0 and "plain" in built.stdout, "a figure that is gone is drawn again"
    assert set(_times(little_book)) == set(before)


# ---- labs


def _build(book) -> str:
    built = mkdocs(book, "build", "--strict")
    return f"{built.returncode}\n{built.stdout}"


def test_a_lab_is_executed_again_when_its_code_changes_and_only_then(little_book):
    page = little_book / "site" / "labs" / "lab" / "index.html"
    said = _build(little_book)
    assert said.startswith("0") and "lab  " not in said, "nothing has changed"
    assert "2 x = 42" in page.read_text(encoding="utf-8")

    prose = little_book / "docs" / "ko" / "labs" / "lab.md"
    prose.write_text(prose.read_text(encoding="utf-8").replace("하는 일", "하던 일"), encoding="utf-8")
    said = _build(little_book)
    assert said.startswith("0") and "lab  " not in said, "prose is no code"
    assert "하던 일" in page.read_text(encoding="utf-8")
    notebook = little_book / "site" / "labs" / "lab" / "lab.ipynb"
    assert "하던 일" in notebook.read_text(encoding="utf-8")

    module = little_book / "snippets" / "part" / "doubling.py"
    module.write_text(module.read_text(encoding="utf-8").replace("2 * x", "3 * x"), encoding="utf-8")
    said = _build(little_book)
    assert said.startswith("0") and "lab  lab, ko and en" in said
    assert "2 x = 63" in page.read_text(encoding="utf-8")
    assert "2 x = 63" in notebook.read_text(encoding="utf-8")


def test_where_the_repository_is_on_github_colab_opens_the_notebook_that_fetches_it(little_book):
    where = {"SITE_URL": "https://someone.github.io/little/", "REPO_URL": "https://github.com/someone/little"}
    assert mkdocs(little_book, "build", "--strict", **where).returncode == 0
    for root in ("", "en/"):
        page = (little_book / "site" / root / "labs" / "lab" / "index.html").read_text(encoding="utf-8")
        (link,) = re.findall(r'<a class="md-button colab" href="([^"]*)">', page)
        address = f"https%3A//someone.github.io/little/{root}labs/lab/lab.ipynb"
        assert link == f"https://colab.research.google.com/#fileId={address}"
        notebook = (little_book / "site" / root / "labs" / "lab" / "lab.ipynb").read_text(encoding="utf-8")
        assert 'REPOSITORY = \\"https://github.com/someone/little\\"' in notebook
        assert "https://someone.github.io/little/" in notebook
    assert mkdocs(little_book, "build", "--strict").returncode == 0
    notebook = (little_book / "site" / "labs" / "lab" / "lab.ipynb").read_text(encoding="utf-8")
    assert 'REPOSITORY = \\"\\"' in notebook and ".example" not in notebook


@pytest.mark.parametrize(
    ("old", "new"),
    [
        ("2 x = 42", "2 x = 43"),
        ('"nbformat"', '"nbforma'),
    ],
)
def test_an_executed_notebook_that_was_edited_or_damaged_is_made_anew(little_book, old, new):
    _edit(little_book / ".cache" / "labs" / "ko" / "lab.ipynb", old, new)
    told = _build(little_book)
    assert told.startswith("0") and "was edited or is damaged" in told and "lab  lab, ko  (" in told
    assert "2 x = 42" in (little_book / "site" / "labs" / "lab" / "index.html").read_text(encoding="utf-8")


@pytest.mark.parametrize(
    ("cell", "reason"),
    [
        ("1 / 0", "ZeroDivisionError"),
        ("import sys; print('careful', file=sys.stderr)", "careful"),
        ("import os; os._exit(3)", "lab"),
        ("print('x' * 3_000_000)", "3,000,001 characters"),
    ],
)
def test_a_cell_that_fails_fails_the_build(little_book, cell, reason):
    file = little_book / "snippets" / "labs" / "lab.md"
    file.write_text(file.read_text(encoding="utf-8").replace('print("2 x =", double(21))', cell), encoding="utf-8")
    said = _build(little_book)
    assert not said.startswith("0")
    assert re.search(r"docs/(ko|en)/labs/lab\.md:\d+: ", said) and reason in said
