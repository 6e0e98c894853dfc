"""The built site, as a reader or a search engine finds it; and what makes a build fail."""

from __future__ import annotations

import json
import re
import subprocess
import sys
from pathlib import Path
from urllib.parse import urljoin
from xml.etree import ElementTree

import pytest

from book import glossary
from tests import site_checks
from tests.conftest import mkdocs
from tests.site_checks import Site

# ---- the site of this repository


def test_strict_build_passes_without_a_warning(site):
    told = [line for line in site.log.splitlines() if re.match(r"(WARNING|ERROR|CRITICAL)", line)]
    assert not told, "\n".join(told)
    assert len(site.documents("ko")) > 1


@pytest.mark.parametrize("check", site_checks.CHECKS, ids=lambda check: check.__name__)
def test_site_has_no(check, site):
    problems = check(site)
    assert not problems, "\n" + "\n".join(problems)


def test_terms_have_tooltips(site):
    entries = {language: {term.tooltip(language) for term in glossary.load()} for language in ("ko", "en")}
    problems = site_checks.tooltip_problems(site, entries)
    assert not problems, "\n" + "\n".join(problems)


@pytest.mark.parametrize("language", ["ko", "en"])
def test_sitemap_lists_the_pages_of_its_language(site, language):
    root = "" if language == "ko" else "en/"
    tree = ElementTree.parse(site.directory / root / "sitemap.xml")
    listed = {element.text for element in tree.findall(".//{*}loc")}
    assert listed == {urljoin(site.address, root + page) for page in site.documents(language)}


@pytest.mark.parametrize("language", ["ko", "en"])
def test_search_index_holds_the_pages_of_its_language(site, language):
    root = "" if language == "ko" else "en/"
    entries = json.loads((site.directory / root / "search" / "search_index.json").read_text(encoding="utf-8"))["docs"]
    pages = site.documents(language)
    assert {entry["location"].split("#")[0] for entry in entries} == set(pages)
    for entry in entries:
        page, _, anchor = entry["location"].partition("#")
        heading = pages[page].find(id=anchor) if anchor else pages[page].h1
        assert heading is not None, f"{language} search index: {entry['location']} leads to no heading"
        own = [string for string in heading.find_all(string=True) if not string.find_parent(class_="katex")]
        for piece in own:
            if piece.strip() and piece.strip() != "#":
                assert piece.strip() in _plain(entry["title"]), f"{entry['location']}: {piece!r} is not its title"


def _plain(markup: str) -> str:
    return site_checks.BeautifulSoup(markup, "html.parser").get_text()


# ---- each check finds what it is there for

PAGE = """<!doctype html><html lang="{lang}"><head><title>T</title>
<meta name="description" content="{lang} {path}">
<meta property="og:title" content="T"><meta property="og:description" content="D">
<meta property="og:type" content="article"><meta property="og:locale" content="L">
<link rel="canonical" href="https://book.example/{root}{path}">
<link rel="alternate" hreflang="ko" href="https://book.example/{path}">
<link rel="alternate" hreflang="en" href="https://book.example/en/{path}">
<link rel="alternate" hreflang="x-default" href="https://book.example/{path}">
</head><body><article>
<a rel="edit" href="https://host.example/edit/main/docs/{lang}/{source}">edit</a>
<h1 id="top">Top</h1><p><a href="{link}">link</a> <abbr title="entry">term</abbr></p>
<p><img src="/a.svg" alt="A"><span class="figure"><svg role="img" aria-label="B"></svg></span></p>
<span class="formula"><span class="katex-mathml"><math></math></span><span class="katex-html"></span></span>
<style>p {{ background: url("/a.svg") }}</style>
</article></body></html>"""


@pytest.fixture
def example(tmp_path) -> Site:
    """A site of four pages in which every check finds nothing to say."""
    for language, root in (("ko", ""), ("en", "en/")):
        for path, source, link in (("", "index.md", "page/#top"), ("page/", "page.md", "../")):
            html = PAGE.format(lang=language, root=root, path=path, source=source, link=link)
            file = tmp_path / "site" / root / path / "index.html"
            file.parent.mkdir(parents=True, exist_ok=True)
            file.write_text(html, encoding="utf-8")
            markdown = tmp_path / "docs" / language / source
            markdown.parent.mkdir(parents=True, exist_ok=True)
            markdown.write_text(f"---\ntitle: T\n---\n# Top {{#top}}\n\n[link]({link})\n", encoding="utf-8")
    (tmp_path / "site" / "a.svg").write_text("<svg/>")
    (tmp_path / "site" / "a.css").write_text('p { background: url("a.svg") }')
    return Site(tmp_path / "site", "https://book.example/", docs=tmp_path / "docs")


def test_checks_accept_the_example(example):
    assert [problem for check in site_checks.CHECKS for problem in check(example)] == []
    assert site_checks.tooltip_problems(example, {"ko": {"entry"}, "en": {"entry"}}) == []


CDN = "https://cdn.example/x"
SVG, MATHML = '<svg role="img" aria-label="B">', '<span class="katex-mathml"><math></math></span>'
CANONICAL, ENGLISH = (f'href="https://book.example/{path}"' for path in ("page/", "en/page/"))

#: By check: what is put in the place of what, and a word that the problem then has to name.
BROKEN = {
    site_checks.broken_links: {
        "link": ('href="../"', 'href="../gone/"', "no file"),
        "anchor": ('href="../"', 'href="../#gone"', "no heading"),
        "language switch": ('href="../"', 'href="../../fr/page/"', "no file"),
        "missing slash": ('href="../"', 'href="/en"', "no file"),
        "two slashes": ('href="../"', 'href="//en/"', "two slashes"),
        "image file": ('src="/a.svg"', 'src="/b.svg"', "no file"),
        "clip path": (SVG, SVG.replace("<svg", '<svg clip-path="url(#gone)"'), "#gone"),
        "use": (SVG, SVG + '<use xlink:href="#gone"/>', "no heading"),
        "described by": ("<p>", '<p aria-describedby="gone">', "gone"),
    },
    site_checks.foreign_loads: {
        "image": ('src="/a.svg"', f'src="{CDN}"', CDN),
        "image set": ('src="/a.svg"', 'src="/a.svg" srcset="/a.svg 1x, //cdn.example/x 2x"', "cdn.example"),
        "script": ("</head>", '<script src="//cdn.example/x"></script></head>', "cdn.example"),
        "frame": ("<p>", f'<p><iframe src="{CDN}"></iframe>', CDN),
        "source": ("<p>", f'<p><video><source src="{CDN}"></video>', CDN),
        "style sheet": ("</head>", f'<link rel="stylesheet" href="{CDN}"></head>', CDN),
        "preload": ("</head>", f'<link rel="preload" href="{CDN}"></head>', CDN),
        "icon": ("</head>", f'<link rel="icon" href="{CDN}"></head>', CDN),
        "import": ("<style>", f'<style>@import "{CDN}";', CDN),
        "style": ('url("/a.svg")', f"url({CDN})", CDN),
        "style attribute": ("<p>", f'<p style="background: url({CDN})">', CDN),
    },
    site_checks.missing_alternatives: {
        "image": (' alt="A"', "", "/a.svg"),
        "empty": ('alt="A"', 'alt=" "', "/a.svg"),
        "figure": ('aria-label="B"', 'aria-label=""', "figure 1"),
        "figure without role": (SVG, "<svg>", "figure"),
    },
    site_checks.duplicate_ids: {"heading": ("<p>", '<p id="top">', '"top"')},
    site_checks.leftover_markup: {
        "dollars": ("<p>", "<p>$$x$$", "$$"),
        "brackets": ("<p>", r"<p>\(x\)", r"\("),
        "include": ("<p>", '<p>--8<-- "x.py"', "--8<--"),
        "block": ("<p>", "<p>/// note", "///"),
        "attribute": ("Top<", "Top {#top}<", "{#top}"),
    },
    site_checks.incomplete_formulas: {
        "MathML": (MATHML, "", "MathML"),
        "HTML": ('<span class="katex-html"></span>', "", "HTML"),
    },
    site_checks.head_problems: {
        "language": ('<html lang="ko"', '<html lang="fr"', "fr"),
        "title": ("<title>T</title>", "<title></title>", "no title"),
        "description": ('<meta name="description" content="ko page/">', "", "no description"),
        "same description": ('content="ko page/"', 'content="ko "', "index.html too"),
        "open graph": ('property="og:title" content="T"', 'property="og:title" content=""', "og:title"),
        "canonical": (CANONICAL, 'href="x"', "x, not"),
        "no hreflang": (f' hreflang="en" {ENGLISH}', "", "hreflang"),
        "one-way hreflang": (ENGLISH, 'href="https://book.example/en/"', "lead back"),
    },
    site_checks.heading_differences: {
        "id": ('id="top"', 'id="other"', "other"),
        "one more": ("<p>", '<h2 id="more"></h2><p>', "more"),
    },
    site_checks.edit_link_problems: {"other page": ("docs/ko/page.md", "docs/ko/index.md", "page.md")},
}


@pytest.mark.parametrize(
    "check, old, new, said",
    [
        pytest.param(check, *example, id=f"{check.__name__}-{name}")
        for check, examples in BROKEN.items()
        for name, example in examples.items()
    ],
)
def test_check_finds(check, old, new, said, example):
    file = example.directory / "page" / "index.html"
    html = file.read_text(encoding="utf-8")
    assert old in html
    file.write_text(html.replace(old, new, 1), encoding="utf-8")
    problems = [problem for problem in check(example) if problem.startswith("page/index.html (from docs/ko/page.md")]
    assert problems and any(said in problem for problem in problems), check(example)


def test_every_check_has_an_example_that_breaks_it():
    assert set(BROKEN) == set(site_checks.CHECKS)


def test_a_broken_link_is_named_with_its_line(example):
    file = example.directory / "page" / "index.html"
    file.write_text(file.read_text(encoding="utf-8").replace('href="../"', 'href="../#gone"'), encoding="utf-8")
    source = example.docs / "ko" / "page.md"
    source.write_text(source.read_text(encoding="utf-8").replace("../", "index.md#gone"), encoding="utf-8")
    assert [problem.split(": ")[0] for problem in site_checks.broken_links(example)] == [
        "page/index.html (from docs/ko/page.md:6)"
    ]


def test_relative_links_of_a_404_page_are_refused(example):
    (example.directory / "404.html").write_text('<a href="page/">link</a>')
    assert "404.html" in site_checks.broken_links(example)[0]


def test_foreign_loads_of_style_sheets_are_found(example):
    (example.directory / "a.css").write_text('@import "//cdn.example/x"; p { background: url(gone.png) }')
    problems = site_checks.foreign_loads(example)
    assert len(problems) == 2 and "cdn.example" in problems[1] + problems[0] and "gone.png" in problems[0] + problems[1]


def test_a_page_in_one_language_only_is_found(example):
    (example.directory / "en" / "page" / "index.html").unlink()
    assert "page/ is in ko only" in site_checks.heading_differences(example)[0]


def test_tooltips_of_no_entry_are_found(example):
    problems = site_checks.tooltip_problems(example, {"ko": {"another"}, "en": {"entry"}})
    assert len(problems) == 2 and "term" in problems[0]
    for path in example.pages:
        for term in example.pages[path].find_all("abbr"):
            term.decompose()
    assert "single tooltip" in site_checks.tooltip_problems(example, {"ko": set(), "en": set()})[0]


# ---- what makes a build fail, tried on a little book


def _edit(file: Path, old: str, new: str) -> None:
    text = file.read_text(encoding="utf-8")
    assert old in text
    file.write_text(text.replace(old, new), encoding="utf-8")


def _failure(book: Path) -> str:
    """What a strict build says; it has to fail."""
    built = mkdocs(book, "build", "--strict")
    assert built.returncode != 0, f"the build should fail:\n{built.stdout}"
    return built.stdout


@pytest.mark.parametrize("language", ["ko", "en"])
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


@pytest.mark.parametrize(
    "link, said",
    [("missing.md", "missing.md"), ("page.md#missing", "missing"), ("/page/", "absolute"), ("page", "page")],
)
def test_broken_link_fails_the_build(little_book, link, said):
    _edit(little_book / "docs" / "en" / "index.md", "page.md#double", link)
    output = _failure(little_book)
    assert any("index.md" in line and said in line for line in output.splitlines()), output


@pytest.mark.parametrize("old, new", [(".py:double", ".py:treble"), ("doubling.md", "trebling.md")])
def test_missing_include_fails_the_build(little_book, old, new):
    _edit(little_book / "docs" / "ko" / "page.md", old, new)
    said = _failure(little_book)
    assert "page.md" in said and new.split(":")[-1] in said


def test_figure_that_raises_fails_the_build(little_book):
    _edit(little_book / "snippets" / "figures" / "doubled.py", "double(1)", "double(1) / 0")
    said = _failure(little_book)
    assert "could not draw: doubled" in said and "ZeroDivisionError" in said and "doubled.py" in said


def test_unknown_figure_fails_the_build(little_book):
    _edit(little_book / "docs" / "ko" / "page.md", "figures/plain.svg", "figures/fancy.svg")
    said = _failure(little_book)
    assert "page.md" in said and "'fancy'" in said and "snippets/figures/fancy.py" in said


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
        assert soup.find("article").find(lang="en" if root == "" else "ko"), "the line in the other language is missing"


# ---- figures


def _draw(book: Path) -> str:
    command = [sys.executable, "-m", "snippets.figures"]
    drawn = subprocess.run(command, cwd=book, capture_output=True, text=True, encoding="utf-8")
    assert drawn.returncode == 0, drawn.stderr
    return drawn.stdout


def _times(book: Path) -> dict[str, int]:
    return {path.name: path.stat().st_mtime_ns for path in (book / "docs" / "assets" / "figures").glob("*.svg")}


def test_figures_are_drawn_only_when_their_code_has_changed(little_book):
    before = _times(little_book)
    assert set(before) == {f"{name}.{language}.svg" for name in ("doubled", "plain") for language in ("ko", "en")}
    assert "up to date" in _draw(little_book)
    assert mkdocs(little_book, "build", "--strict").returncode == 0
    assert _times(little_book) == before, "a figure was drawn although nothing had changed"

    _edit(little_book / "snippets" / "doubling.py", "2 * x", "x + x")
    said = _draw(little_book)
    changed = {name for name, time in _times(little_book).items() if time != before[name]}
    assert changed == {"doubled.ko.svg", "doubled.en.svg"} and "doubled" in said and "plain" not in said

    (little_book / "docs" / "assets" / "figures" / "plain.en.svg").unlink()
    built = mkdocs(little_book, "build", "--strict")
    assert built.returncode == 0 and "plain" in built.stdout, "a figure that is gone is drawn again"
    assert set(_times(little_book)) == set(before)
