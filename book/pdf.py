"""The book as a PDF of each language: the pages of the built site in one document, printed by Chromium.

``mkdocs build --strict && python -m book.pdf`` writes each beside its home page; with ``ko`` or ``en``, one of them.
The document is printed twice: only the first print tells on which page a chapter begins, and the second has these
numbers in its table of contents. Its pages are counted from the title page, as programs that show it count them.
"""

from __future__ import annotations

import argparse
import html
import io
import mimetypes
import os
import re
import shutil
import sys
import time
from collections.abc import Iterator
from dataclasses import dataclass
from functools import partial
from pathlib import Path
from urllib.parse import unquote, urljoin, urlsplit

import pikepdf
import yaml
from bs4 import BeautifulSoup
from mkdocs.theme import Theme
from playwright.sync_api import Error, Page, Route, sync_playwright

from book import AUTHOR, LANGUAGES, ROOT, figures, formulas, glossary, inlined, styles, touch
from book.pages import Settings
from book.text import read

STYLE = ROOT / "book" / "pdf.css"
#: Where Chromium finds the document and what it loads, all of it from the directory of the site.
HOST = "http://book.invalid/"
#: In the first print, where the number of a page will be.
UNKNOWN = "000"


class PdfError(Exception):
    """What keeps the book from being printed, and what to do about it."""


def words(language: str) -> dict[str, str]:
    """What mkdocs.yml says in a language."""
    return yaml.load(read(ROOT / "mkdocs.yml"), Loader=Settings)["extra"]["languages"][language]


# ---- one document of all pages


@dataclass(frozen=True)
class Chapter:
    """A page of the site. ``path``: below the root of its language; ``level``: 1 for a part, 2 for a page in it."""

    path: str
    number: str
    title: str
    level: int

    @property
    def id(self) -> str:
        """Of the chapter in the document, where the ids of all that is in it begin with this."""
        return self.path.strip("/").replace("/", "-") or "home"


def chapters(home: str) -> list[Chapter]:
    """All pages of the book in reading order, as the contents on a home page have them."""
    found = []
    for link in BeautifulSoup(home, "html.parser").select(".book-nav li > a:not(.headings a)"):
        number, title = (span.get_text().strip() for span in link.find_all("span", recursive=False))
        path = urljoin(HOST, link["href"]).removeprefix(HOST)
        found.append(Chapter(path, number, title, len(link.find_parents("ol"))))
    return found


#: What nobody can use on paper: where the page is on the site, its buttons, the signs that link to headings.
SCREEN_ONLY = re.compile(
    r'<p class="(?:place|progress|minutes)"[^>]*>.*?</p>|<button\b.*?</button>'
    r'|<p>(?:\s*<a\b[^>]*\bclass="md-button\b[^>]*>[^<]*</a>)+\s*</p>'
    r'|<a\b[^>]*\bclass="(?:headerlink|md-content__button|md-button)\b.*?</a>'
    r'|<section class="again">.*?</section>',
    re.DOTALL,
)
TAG = re.compile(r"<[a-zA-Z][^<>]*>")
HEADING = re.compile(r"(</?h)([1-5])\b")
#: A formula: what comes before its MathML, and its TeX.
FORMULA = re.compile(
    r'(?<=class="formula")>([^/]*?)<span class="katex-mathml"[^>]*><math.*?<annotation[^>]*>(.*?)</annotation>'
    r'</semantics></math></span><span class="katex-html" aria-hidden="true">',
    re.DOTALL,
)
TERM = re.compile(r'<abbr title="([^"]*)">(.*?)</abbr>|<(/?)a\b[^>]*>', re.DOTALL)


def article(page: str, chapter: Chapter, book: list[Chapter], terms: dict[str, str]) -> str:
    """What a page says, as a chapter of the document: ids of its own, links that lead to other chapters, headings
    below those of its part, solutions open. ``terms``: ids in the glossary by tooltip."""
    text = page[page.index(">", page.index("<article")) + 1 : page.rindex("</article>")]
    text = SCREEN_ONLY.sub("", text)
    text = HEADING.sub(lambda found: f"{found[1]}{int(found[2]) + chapter.level - 1}", text)
    if chapter.number:
        text = re.sub(r"(<h[12]\b[^>]*>)", rf'\1<span class="number">{chapter.number}</span> ', text, count=1)
    text = FORMULA.sub(_spoken, text)
    text = _linked_terms(text, {} if chapter.path == GLOSSARY else terms)
    known = {one.path: one.id for one in book}
    text = TAG.sub(lambda tag: _in_document(tag[0], chapter, known), text)
    return f'<article class="md-content__inner md-typeset level-{chapter.level}" id="{chapter.id}">{text}</article>'


def _spoken(formula: re.Match) -> str:
    """In a PDF nothing can be hidden from the eye alone: a formula is a picture, and its TeX says what is on it."""
    tex = formula[2].replace('"', "&quot;")
    return f' role="img" aria-label="{tex}">{formula[1]}<span class="katex-html">'


def _linked_terms(text: str, terms: dict[str, str]) -> str:
    """Paper has no tooltips: the first use of a term leads to its entry in the glossary."""
    linked, inside = set(), False

    def replaced(found: re.Match) -> str:
        nonlocal inside
        tooltip, word, closing = found.groups()
        if tooltip is None:
            inside = not closing
            return found[0]
        if inside or tooltip in linked or tooltip not in terms:
            return word
        linked.add(tooltip)
        return f'<a class="term" href="{HOST}{GLOSSARY}#term-{terms[tooltip]}">{word}</a>'

    return TERM.sub(replaced, text)


#: The page that has the entries.
GLOSSARY = "appendix/glossary/"


def _in_document(tag: str, chapter: Chapter, known: dict[str, str]) -> str:
    """A tag of a chapter as it is among those of all the others."""
    if tag.startswith("<details") and " open" not in tag:
        tag = tag.replace("<details", "<details open", 1)
    tag = re.sub(r'(\sid=")', rf"\g<1>{chapter.id}--", tag)
    tag = re.sub(r'(url\(#|xlink:href="#|aria-labelledby=")', rf"\g<1>{chapter.id}--", tag)
    if tag.startswith("<img"):  # there at once, wherever it is
        tag = tag.replace(' loading="lazy"', "")
        tag = re.sub(r'(\ssrc=")([^"]*)', lambda found: found[1] + urljoin(HOST + chapter.path, found[2]), tag)
    if tag.startswith("<a "):
        tag = re.sub(r'\shref="([^"]*)"', lambda found: _address(found[1], chapter, known), tag)
    return tag


def _address(href: str, chapter: Chapter, known: dict[str, str]) -> str:
    """Of a link, as an attribute. What is in the book is in the document; what else is on the site is left out."""
    url = urljoin(HOST + chapter.path, html.unescape(href))
    if not url.startswith(HOST):
        return f' href="{html.escape(url)}"'
    path, _, fragment = url.removeprefix(HOST).partition("#")
    if path not in known:
        return ""
    if fragment.startswith(touch.STATE):  # on paper, no figure opens
        fragment = ""
    return f' href="#{known[path]}{"--" if fragment else ""}{unquote(fragment)}"'


def document(site: Path, language: str) -> tuple[str, list[Chapter]]:
    """All pages of the built site in one language, with a title page and a table of contents."""
    own = words(language)
    root = site / own["path"]
    if not (root / "index.html").is_file():
        raise PdfError(f"there is no {root / 'index.html'}: run `mkdocs build --strict` first, or name the site")
    book = chapters((root / "index.html").read_text(encoding="utf-8"))
    terms = {html.escape(term.tooltip(language)): term.id for term in glossary.load()}
    parts: list[str] = []
    for chapter in book:
        page = (root / chapter.path / "index.html").read_text(encoding="utf-8")
        if chapter.level == 1:
            parts.append("")
        parts[-1] += article(page, chapter, book, terms)
    tops = [chapter for chapter in book if chapter.level == 1]
    body = "".join(
        [
            _cover(own, language),
            _contents(own, book),
            *(f'<div class="part of-{top.id}">{part}</div>' for top, part in zip(tops, parts, strict=True)),
        ]
    )
    whole = (
        f'<!doctype html><html lang="{language}" dir="ltr"><head><meta charset="utf-8">'
        f"<title>{html.escape(own['site_name'])}</title><style></style></head>"
        f'<body dir="ltr" data-md-color-scheme="default" data-md-color-primary="custom" data-md-color-accent="custom">'
        f"{body}</body></html>"
    )
    theme = next(Path(path) for path in Theme(name="material").dirs if (Path(path) / "assets").is_dir())
    style = styles.of_theme(theme).of(whole, f"{HOST}assets/")
    style += read(STYLE) + "".join(map(_running_head, tops))
    return whole.replace("<style></style>", f"<style>{style}</style>", 1), book


def _running_head(part: Chapter) -> str:
    """Over the pages of a part stands which part it is."""
    text = f"{part.number}\u2002{part.title}".strip().replace("\\", "\\\\").replace('"', '\\"')
    return f'@page {part.id}{{@top-left{{content:"{text}"}}}}.of-{part.id}{{page:{part.id}}}'


def _cover(own: dict[str, str], language: str) -> str:
    drawn = figures.svg_path(figures.ON_CARD, language).is_file()
    picture = inlined.inline_svg(figures.ON_CARD, language, own["card"]) if drawn else ""
    return (
        f'<div class="cover md-typeset"><p class="title">{html.escape(own["site_name"])}</p>'
        f"<p>{html.escape(own['site_description'])}</p>"
        f'<span class="figure">{picture}</span>'
        f"<p>{AUTHOR}<br>{time.strftime('%Y-%m-%d')}</p><p>{html.escape(own['license'])}</p></div>"
    )


def _contents(own: dict[str, str], book: list[Chapter]) -> str:
    rows = "".join(
        f'<li class="level-{chapter.level}"><a href="#{chapter.id}"><span class="number">{chapter.number}</span> '
        f'<span>{html.escape(chapter.title)}</span> <span class="leader"></span> '
        f'<span class="page" data-of="{chapter.id}">{UNKNOWN}</span></a></li>'
        for chapter in book
    )
    return f'<div class="toc md-typeset"><h1>{html.escape(own["contents"])}</h1><ol>{rows}</ol></div>'


# ---- Chromium


def program() -> str | None:
    """Chromium or Chrome: ``CHROMIUM``, or the first that is found."""
    found = map(shutil.which, ("chromium", "chromium-browser", "google-chrome"))
    return os.environ.get("CHROMIUM") or next(filter(None, found), None)


def printed(whole: str, book: list[Chapter], site: Path, say=lambda text: None) -> bytes:
    """The document as a PDF, with the numbers of its pages in the table of contents."""
    if program() is None:
        raise PdfError("no browser found: install Chromium or Chrome, or set CHROMIUM to its path")
    with sync_playwright() as playwright:
        browser = playwright.chromium.launch(
            executable_path=program(), args=["--no-sandbox", "--disable-gpu", "--no-first-run"]
        )
        try:
            page = browser.new_page(viewport={"width": WIDTH, "height": 900}, color_scheme="light")
            page.set_default_timeout(600_000)
            page.route("**/*", partial(_answer, whole, site))
            page.emulate_media(media="print")
            page.goto(HOST)
            page.evaluate("document.fonts.ready")
            say("loaded")
            if wide := page.evaluate(WIDE):
                raise PdfError(f"wider than a page, so that Chromium would print all of the book smaller: {wide}")
            made = _pdf(page)
            say("printed once")
            for _ in range(MOST):
                first = starts(made, book)
                page.evaluate(NUMBER, first)
                made = _pdf(page)
                say("printed with the numbers of its pages")
                if not (moved := [one for one, number in starts(made, book).items() if number != first[one]]):
                    return made
        finally:
            browser.close()
    raise PdfError(f"with the numbers of pages in the table of contents, chapters began elsewhere each time: {moved}")


#: How often the numbers are put in: as wide as they are, they can move the end of a page far behind them.
MOST = 3
#: In pixels, what the margins of book/pdf.css leave of A4.
WIDTH = 612
#: The chapters and the words of what reaches over the edge: text within a line by more than the space at its end and
#: the edge around code, which hang there and make nothing wider, all else by more than a hair.
WIDE = """() => [...document.querySelectorAll("article :not(svg *)")].filter(one => {
    const over = one.getBoundingClientRect().right - one.closest("article").getBoundingClientRect().right;
    const { display, fontSize } = getComputedStyle(one);
    return over > (display === "inline" ? 0.75 * parseFloat(fontSize) : 4);
}).map(one => `${one.closest("article").id}: ${one.textContent.trim().slice(0, 60)}`)"""
NUMBER = """numbers => document.querySelectorAll("[data-of]").forEach(one => {
    one.textContent = numbers[one.dataset.of];
})"""


def _answer(whole: str, site: Path, route: Route) -> None:
    """What Chromium asks for: the document, or an asset of the site. Nothing comes from elsewhere."""
    url = route.request.url
    path = site / unquote(urlsplit(url).path).lstrip("/")
    if url == HOST:
        route.fulfill(body=whole, content_type="text/html; charset=utf-8")
    elif url.startswith(HOST) and path.is_file():
        route.fulfill(path=path, content_type=mimetypes.guess_type(path.name)[0])
    else:
        route.abort()


def _pdf(page: Page) -> bytes:
    return page.pdf(prefer_css_page_size=True, print_background=True, outline=True, tagged=True)


def starts(pdf: bytes, book: list[Chapter]) -> dict[str, int]:
    """The page on which each chapter begins, from 1."""
    with pikepdf.open(io.BytesIO(pdf)) as file:
        numbers = {page.objgen: number for number, page in enumerate(file.pages, 1)}
        return {chapter.id: numbers[file.Root.Dests[f"/{chapter.id}"][0].objgen] for chapter in book}


def finished(pdf: bytes, whole: str, language: str) -> bytes:
    """The PDF with its author and subject, which Chromium does not write; with the words of headings in its outline,
    where Chromium loses spaces and formulas; and packed, in less than half the space."""
    own, packed = words(language), io.BytesIO()
    pikepdf.settings.set_flate_compression_level(9)
    with pikepdf.open(io.BytesIO(pdf)) as file:
        with file.open_outline() as outline:
            items = list(_all(outline.root))
            for item, title in zip(items, headings(whole), strict=True):
                item.title = title
        file.docinfo["/Author"] = AUTHOR
        file.docinfo["/Subject"] = own["site_description"]
        file.save(packed, object_stream_mode=pikepdf.ObjectStreamMode.generate, recompress_flate=True)
    return packed.getvalue()


def _all(items: list[pikepdf.OutlineItem]) -> Iterator[pikepdf.OutlineItem]:
    for item in items:
        yield item
        yield from _all(item.children)


def headings(whole: str) -> list[str]:
    """What the headings of the document say, formulas in one line as in the site's own tables of contents."""
    found = []
    for heading in re.findall(r"<h[1-6]\b.*?</h[1-6]>", whole, re.DOTALL):
        text = BeautifulSoup(heading, "html.parser")
        for box in text.select(".formula"):
            box.replace_with(html.unescape(formulas.words(formulas.render(box["aria-label"]))))
        found.append(" ".join(text.get_text().split()))
    return found


def main(arguments: list[str]) -> int:
    parser = argparse.ArgumentParser(prog="python -m book.pdf", description="Print the built site as PDFs.")
    parser.add_argument("languages", nargs="*", metavar="language", help=f"{' or '.join(LANGUAGES)}; without, all")
    parser.add_argument("--site", type=Path, default=ROOT / "site", help="the directory of the built site")
    given = parser.parse_args(arguments)
    if unknown := set(given.languages) - set(LANGUAGES):
        parser.error(f"no such language: {', '.join(unknown)}; the book has {', '.join(LANGUAGES)}")
    for language in given.languages or LANGUAGES:
        begun = time.monotonic()

        def say(text: str, language=language, begun=begun) -> None:
            print(f"{language}: {text} ({time.monotonic() - begun:.0f} s)", flush=True)

        try:
            whole, book = document(given.site, language)
            say(f"{len(book)} pages of the site put together")
            pdf = finished(printed(whole, book, given.site, say), whole, language)
        except (PdfError, Error) as error:
            print(error, file=sys.stderr)
            return 1
        path = given.site / words(language)["path"] / words(language)["pdf"]
        path.write_bytes(pdf)
        with pikepdf.open(io.BytesIO(pdf)) as file:
            say(f"{path}, {len(file.pages)} pages, {len(pdf) / 1e6:.1f} MB")
    return 0


if __name__ == "__main__":
    sys.exit(main(sys.argv[1:]))
