"""The book as a PDF of each language: the pages of the built site in one document, printed by Chromium.

``mkdocs build --strict && python -m book pdf`` writes each beside its home page; with ``ko`` or ``en``, one of them.
The document is printed twice: only the first print tells on which page a chapter begins, and the second has these
numbers in its table of contents. Its pages are counted from the title page, as programs that show it count them.
"""

from __future__ import annotations

import argparse
import io
import mimetypes
import sys
import time
from collections.abc import Iterator
from functools import partial
from pathlib import Path
from urllib.parse import unquote, urlsplit

import pikepdf
from playwright.sync_api import Error, Page, Route, sync_playwright

from book import AUTHOR, LANGUAGES, ROOT
from book.finish.browser import launch, program
from book.finish.document import HOST, Chapter, PdfError, document, headings, words


def printed(whole: str, book: list[Chapter], site: Path, say=lambda text: None) -> bytes:
    """The document as a PDF, with the numbers of its pages in the table of contents."""
    if program() is None:
        raise PdfError("no browser found: install Chromium or Chrome, or set CHROMIUM to its path")
    with sync_playwright() as playwright:
        browser = launch(playwright)
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
#: In pixels, what the margins of book/finish/pdf.css leave of A4.
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
        numbers: dict = {page.objgen: number for number, page in enumerate(file.pages, 1)}
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
        _share(file)
        file.save(packed, object_stream_mode=pikepdf.ObjectStreamMode.generate, recompress_flate=True)
    return packed.getvalue()


def _share(file: pikepdf.Pdf) -> None:
    """Let all drawings that have the same resources refer to one dictionary.

    Chromium makes a drawing of each cell that is partly transparent, and writes the same into thousands of them.
    """
    shared: dict[bytes, pikepdf.Object] = {}
    drawings = [one for one in file.objects if isinstance(one, pikepdf.Stream) and one.get("/Subtype") == "/Form"]
    for drawing in drawings:
        for name in {"/Group", "/Resources"} & drawing.keys():
            if not drawing[name].is_indirect:
                key = drawing[name].unparse()
                if key not in shared:
                    shared[key] = file.make_indirect(drawing[name])
                drawing[name] = shared[key]


def _all(items: list[pikepdf.OutlineItem]) -> Iterator[pikepdf.OutlineItem]:
    for item in items:
        yield item
        yield from _all(item.children)


def main(arguments: list[str]) -> int:
    parser = argparse.ArgumentParser(prog="python -m book pdf", description="Print the built site as PDFs.")
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
