"""The built site, as a reader or a search engine finds it."""

from __future__ import annotations

import collections
import json
import re
from urllib.parse import urljoin
from xml.etree import ElementTree

import pytest
from PIL import Image

from book import LANGUAGES, ROOT
from book.finish import moved, search
from book.source import glossary
from tests.machinery import site_checks
from tests.machinery.site_checks import Site

#: Parts whose pages have a place in the Transformer.
MAPPED = ("attention", "positions", "block", "model", "training")

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


def test_the_glossary_is_complete(site):
    problems = site_checks.missing_terms(site, {term.id for term in glossary.load()})
    assert not problems, "\n" + "\n".join(problems)


@pytest.mark.parametrize("language", ["ko", "en"])
def test_sitemap_lists_the_pages_of_its_language(site, language):
    root = "" if language == "ko" else "en/"
    tree = ElementTree.parse(site.directory / root / "sitemap.xml")
    listed = {element.text for element in tree.findall(".//{*}loc")}
    assert listed == {urljoin(site.address, root + page) for page in site.documents(language)}


def test_robots_are_told_where_the_sitemaps_are(site):
    told = re.findall("Sitemap: (.*)", (site.directory / "robots.txt").read_text())
    assert told == [urljoin(site.address, f"{root}sitemap.xml") for root in ("", "en/")]
    assert all((site.directory / site.target(address)).is_file() for address in told)


def test_a_link_that_is_shared_has_a_picture(site):
    for path, soup in site.pages.items():
        tags = {
            tag.get("property") or tag.get("name"): tag["content"] for tag in soup.head.find_all("meta", content=True)
        }
        language = "en" if path.startswith("en/") else "ko"
        assert tags["og:image"] == urljoin(site.address, f"assets/card.{language}.png"), path
        assert tags["og:image:alt"] and tags["twitter:card"] == "summary_large_image", path
    for language in LANGUAGES:
        with Image.open(site.directory / "assets" / f"card.{language}.png") as card:
            assert card.size == (1200, 630)
            colours = card.convert("RGB").getcolors(1 << 20)
        assert max(count for count, _ in colours) < 0.95 * 1200 * 630, "nothing is on it"


def test_every_page_leads_to_the_feed_of_its_language_and_the_feed_to_pages(site):
    for path, soup in site.pages.items():
        link = soup.head.find("link", type="application/atom+xml")
        root = "en/" if path.startswith("en/") else ""
        assert link["rel"] == ["alternate"] and link["title"], path
        assert urljoin(site.url(path), link["href"]) == urljoin(site.address, f"{root}changes.xml"), path
    for language, root in (("ko", ""), ("en", "en/")):
        tree = ElementTree.parse(site.directory / root / "changes.xml")
        listed = [entry.findtext("{*}id") for entry in tree.findall("{*}entry")]
        page = urljoin(site.address, f"{root}appendix/changes/")
        headings = site.documents(language)["appendix/changes/"].select("article h2[id]")
        assert listed == [f"{page}#{heading['id']}" for heading in headings] and listed


def test_every_page_says_what_it_may_load_and_run(site):
    for path, soup in site.pages.items():
        policies = soup.head.find_all("meta", attrs={"http-equiv": "Content-Security-Policy"})
        assert len(policies) == 1 and "default-src 'self'" in policies[0]["content"], path
        assert "unsafe" not in policies[0]["content"].partition("script-src")[2].partition(";")[0], path
        assert not policies[0].find_previous_siblings(["script", "link", "style"]), "what comes before it is not bound"


def test_the_map_stands_above_pages_that_have_a_place_on_it(site):
    for language in ("ko", "en"):
        for path in site.documents(language):
            soup = site.pages[("" if language == "ko" else "en/") + path + "index.html"]
            maps = soup.select("article svg.where")
            assert len(maps) == (path.partition("/")[0] in MAPPED), path
            if maps:
                assert maps[0].find_next("h1"), f"{path}: it does not stand above the heading"


@pytest.mark.parametrize("language", ["ko", "en"])
def test_every_page_has_its_number_and_its_place(site, language):
    """In the contents, over its title, and in the links to it from the pages before and after."""
    navigation = (ROOT / "mkdocs.yml").read_text(encoding="utf-8").split("\nnav:\n")[1].split("\n\n")[0]
    listed = re.findall(r"- (\S+)\.md", navigation)
    parts = list(dict.fromkeys(path.split("/")[0] for path in listed if "/" in path))
    numbers = [str(n) for n, part in enumerate((part for part in parts if part != "appendix"), 1)] + ["A"]
    expected, pages = {}, collections.Counter()
    for path in listed:
        part, _, name = path.partition("/")
        number = numbers[parts.index(part)] if name else ""
        if name and name != "index":
            pages[part] += 1
            number += f".{pages[part]}"
        expected[re.sub(r"(^|/)index$", r"\1", path + ("" if path.endswith("index") else "/"))] = number
    documents = site.documents(language)
    assert set(expected) == set(documents)
    for address, soup in documents.items():
        here = soup.select_one(".book-nav [aria-current]")
        assert here.select_one(".number").get_text() == expected[address], address
        place = soup.select_one("article .place")
        if not expected[address]:
            assert place is None, address
        elif "." in expected[address]:
            part, number = address.split("/")[0], expected[address]
            assert place.select_one(".number").get_text() == number
            told = sorted(re.findall(r"\d+", place.select_one(".page").get_text()))
            assert told == sorted([number.split(".")[1], str(pages[part])]), address
            assert soup.select_one(".place a")["href"] == "../"
        else:
            assert re.sub(r"부$|^Part ", "", place.select_one(".number").get_text()) == expected[address]
    order = list(expected)
    for address, neighbour in [*zip(order, order[1:], strict=False), *zip(order[1:], order, strict=False)]:
        kind = "next" if order.index(neighbour) > order.index(address) else "prev"
        (link,) = documents[address].select(f".md-footer__link[rel={kind}]")
        number = link.select_one(".number")
        assert (number.get_text() if number else "") == expected[neighbour], address
        assert f": {expected[neighbour]}" in link["aria-label"]


@pytest.mark.parametrize("language", ["ko", "en"])
def test_search_index_holds_the_pages_of_its_language(site, language):
    root = "" if language == "ko" else "en/"
    entries = json.loads((site.directory / root / "search" / "text.json").read_text(encoding="utf-8"))["pages"]
    pages = site.documents(language)
    left_out = {"appendix/changes/"}  # it names every part, and would be found before the pages that explain
    assert {entry["url"] for entry in entries} == set(pages) - left_out
    for entry in entries:
        for anchor, title, *_ in entry["sections"]:
            place, page = f"{entry['url']}#{anchor}", pages[entry["url"]]
            heading = page.find(id=anchor) if anchor else page.h1
            assert heading is not None, f"{language} search: {place} leads to no heading"
            if heading.name not in ("h2", "h3"):
                continue  # the page itself, or a row of the glossary
            own = [string for string in heading.find_all(string=True) if not string.find_parent(class_="katex")]
            for piece in own:
                if piece.strip() and piece.strip() != "#":
                    assert search.plain(piece) in title, f"{place}: {piece!r} is not its title"


# ---- each check finds what it is there for

SITE_URL = "https://book.example/"
PAGE = """<!doctype html><html lang="{lang}"><head><title>T</title>
<meta name="description" content="{lang} {path}">
<meta property="og:title" content="T"><meta property="og:description" content="D">
<meta property="og:type" content="article"><meta property="og:locale" content="L">
<link rel="canonical" href="https://book.example/{root}{path}">
<link rel="alternate" hreflang="ko" href="https://book.example/{path}">
<link rel="alternate" hreflang="en" href="https://book.example/en/{path}">
<link rel="alternate" hreflang="x-default" href="https://book.example/{path}">
<style>p {{ background: url("/a.svg") }}</style>
</head><body><article>
<a rel="edit" href="https://host.example/edit/main/docs/{lang}/{source}">edit</a>
<h1 id="top">Top</h1><p><a href="{link}">link</a> <abbr title="entry">term</abbr></p>
<p><img src="/a.svg" alt="A" loading="lazy" width="9" height="9">
<span class="figure"><svg role="img" aria-label="B"></svg></span></p>
<span class="formula"><span class="katex-mathml"><math></math></span><span class="katex-html"></span></span>
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
    old = tmp_path / "site" / "old" / "index.html"
    old.parent.mkdir()
    leads_on = moved.page(
        "old.md", moved.Moved("page.md", {"x": "index.md#top"}), "T", "ko", SITE_URL, "", served=False
    )
    old.write_text(leads_on, encoding="utf-8")
    (tmp_path / "site" / "assets" / "js").mkdir(parents=True)
    (tmp_path / "site" / "assets" / "js" / "moved.js").write_text("")
    return Site(tmp_path / "site", SITE_URL, docs=tmp_path / "docs")


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
    site_checks.duplicate_ids: {"heading": ("<p>", '<p id="top">', '"top"')},
    site_checks.leftover_markup: {
        "dollars": ("<p>", "<p>$$x$$", "$$"),
        "brackets": ("<p>", r"<p>\(x\)", r"\("),
        "include": ("<p>", '<p>--8<-- "x.py"', "--8<--"),
        "block": ("<p>", "<p>/// note", "///"),
        "attribute": ("Top<", "Top {#top}<", "{#top}"),
        "footnote": ("<p>", "<p>x[^why]", "[^"),
        "strong": ("<p>", "<p>**x", "*"),
        "code": ("<p>", "<p>`x", "`"),
        "formula": ("<p>", "<p>$ x$", "$"),
        "emphasis": ("<p>", "<p>_미래_에", "_"),
        "link": ("<p>", "<p>[a] (b)", "] ("),
        "table": ("<p>", "<p>Words\n| a | b |", "|"),
        "comment": ("<p>", "<p>&lt;!-- glossary --", "<!--"),
    },
    site_checks.wrong_tags: {
        "unclosed": ("<p>", "<p><span>x", "unexpected-end-tag"),
        "stray": ("<p>", "<p>x</span>", "unexpected-end-tag span"),
        "unclosed div": ("<p>", "<div><p>", "article"),
    },
    site_checks.scripts: {
        "event": ("<p>", '<p autofocus tabindex=0 onfocus="alert(1)">', "onfocus"),
        "link": ('href="../"', 'href=" java\nscript:alert(1)"', "script:"),
        "data": ('href="../"', 'href="data:text/html,x"', "data:"),
        "script": ("<p>", "<p><script>alert(1)</script>", "<script>"),
        "overlay": ("<p>", "<p><style>*{position:fixed}</style>", "<style>"),
        "frame": ("<p>", '<p><iframe src="/a.svg"></iframe>', "<iframe>"),
    },
    site_checks.incomplete_formulas: {
        "MathML": (MATHML, "", "MathML"),
        "HTML": ('<span class="katex-html"></span>', "", "HTML"),
    },
    site_checks.head_problems: {
        "language": ('<html lang="ko"', '<html lang="fr"', "fr"),
        "title": ("<title>T</title>", "<title></title>", "no title"),
        "description": ('<meta name="description" content="ko page/">', "", "no description"),
        "open graph": ('property="og:title" content="T"', 'property="og:title" content=""', "og:title"),
        "canonical": (CANONICAL, 'href="x"', "x, not"),
        "no hreflang": (f' hreflang="en" {ENGLISH}', "", "hreflang"),
        "one-way hreflang": (ENGLISH, 'href="https://book.example/en/"', "lead back"),
    },
    site_checks.heavy_pages: {
        "style sheet": ("</head>", '<link rel="stylesheet" href="/a.svg"></head>', "waits for /a.svg"),
        "script": ("</head>", '<script src="/a.svg"></script></head>', "waits for /a.svg"),
        "scripts": ("</head>", f"<script>{'x' * 5_000}</script></head>", "bytes of scripts"),
        "styles": ("<style>", f"<style>{'p {} ' * 20_000}", "bytes of styles"),
        "elements": ("<p>", "<p>" + "<i></i>" * 15_000, "elements"),
        "image at once": (' loading="lazy"', "", "loading"),
        "image without a size": (' width="9"', "", "width"),
        "bytes": ("<p>", f"<p>{''.join(map(str, range(60_000)))}", "packed"),
    },
    site_checks.objects_for_words: {
        "method": ("<p>", f'<p aria-label="{str({}.clear).replace("<", "&lt;")}">', "aria-label of <p> is <built-in"),
        "nothing": ("<p>", '<p title="None">', "title of <p> is None"),
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


def test_what_programs_have_drawn_is_left_out_and_nothing_else():
    code = '<pre><span></span><code><span class="k">if</span> x &lt; 1\n</code></pre>'
    formula = '<span class="formula"><math></math><span class="katex-html" aria-hidden="true">{}</span></span>'
    drawn, left = (
        f"<p><span>a</span></p>{code}{formula.format(boxes)}<b>c</b>" for boxes in ("<span>1<i></i></span>", "")
    )
    left = left.replace(code, "<pre><code>if x &lt; 1\n</code></pre>")
    assert site_checks.lean(drawn) == left
    unclosed = '<span class="katex-html"><span>1<p>'
    assert site_checks.lean(drawn + unclosed) == left + unclosed


def test_every_check_has_an_example_that_breaks_it():
    assert {*BROKEN, site_checks.repeated_files, site_checks.moved_nowhere} == set(site_checks.CHECKS)


@pytest.mark.parametrize(
    "old, new, said",
    [
        ('<a href="../page/">', '<a href="../gone/">', "leads to ../gone/"),
        ('data-page="../page/"', 'data-page="../gone/"', "leads to ../gone/"),
        ("../#top", "../#gone", "leads to ../#gone"),
        ('src="../assets/js/moved.js"', 'src="../assets/js/gone.js"', "has no ../assets/js/gone.js"),
        ("https://book.example/page/", "https://book.example/gone/", "leads to https://book.example/gone/"),
    ],
)
def test_an_old_address_that_leads_nowhere_is_found(example, old, new, said):
    file = example.directory / "old" / "index.html"
    html = file.read_text(encoding="utf-8")
    assert old in html
    file.write_text(html.replace(old, new), encoding="utf-8")
    (problem,) = site_checks.moved_nowhere(example)
    assert problem.startswith("old/index.html: ") and said in problem
    assert "old/index.html" not in example.pages


@pytest.mark.parametrize("name, said", [("en/assets/b.svg", "the same as assets/a.svg"), ("x.map", "no page")])
def test_files_that_are_published_for_nobody_are_found(example, name, said):
    for path in ("assets/a.svg", name):
        (example.directory / path).parent.mkdir(parents=True, exist_ok=True)
        (example.directory / path).write_text("<svg/>")
    (problem,) = site_checks.repeated_files(example)
    assert problem.startswith(f"{name}: ") and said in problem


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


def test_terms_that_the_glossary_lacks_are_named(example):
    for root in ("", "en/"):
        page = example.directory / root / "appendix" / "glossary" / "index.html"
        page.parent.mkdir(parents=True)
        page.write_text('<table><td id="term-a">', encoding="utf-8")
    assert site_checks.missing_terms(example, {"a"}) == []
    said = site_checks.missing_terms(example, {"a", "b"})
    assert len(said) == 2 and "lacks b;" in said[0]


def test_tooltips_of_no_entry_are_found(example):
    problems = site_checks.tooltip_problems(example, {"ko": {"another"}, "en": {"entry"}})
    assert len(problems) == 2 and "term" in problems[0]
    for path in example.pages:
        for term in example.pages[path].find_all("abbr"):
            term.decompose()
    assert "single tooltip" in site_checks.tooltip_problems(example, {"ko": set(), "en": set()})[0]
