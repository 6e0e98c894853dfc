"""The whole book as a PDF of each language, printed and read back: what a reader of paper finds."""

from __future__ import annotations

import re
from dataclasses import dataclass

import pikepdf
import pytest

from book import ROOT
from book.finish import document, pdf
from book.source.pages import navigation
from tests.machinery.printed import LEFT, RIGHT, Printed, plain, require_browser
from tests.machinery.shards import ours

pytestmark = pytest.mark.thorough  # it prints for minutes

#: Bytes: the twenty-five megabytes that large mail services take, as they count them.
LARGEST = 25 * 2**20
#: The share of a page that is used at least, but for the last of a part.
LEAST_USED = 0.15
#: The share of all pages that may be half empty.
MOST_HALF_EMPTY = 0.05


@dataclass
class Book(Printed):
    language: str = ""
    chapters: tuple[document.Chapter, ...] = ()

    def pages_of(self, chapter: document.Chapter) -> tuple[int, int]:
        """First and last; with the next chapter may begin on the last page."""
        starts = {name.lstrip("/"): target for page, name, target in self.links if target}
        first = starts[chapter.id]
        later = [starts[one.id] for one in self.chapters[self.chapters.index(chapter) + 1 :]]
        return first, later[0] if later else len(self.pages)


@pytest.fixture(scope="module", params=ours(["ko", "en"] * 2)[:2])  # one in each shard
def book(request, site) -> Book:
    require_browser()
    whole, chapters = document.document(site.directory, request.param)
    printed = pdf.finished(pdf.printed(whole, chapters, site.directory), whole, request.param)
    return Book(printed, language=request.param, chapters=tuple(chapters))


def heading(soup) -> str:
    """The words of a heading, without formulas and the sign that links to it."""
    words = "".join(text for text in soup.find_all(string=True) if not text.find_parent(class_=["katex", "headerlink"]))
    return plain(words)


def test_every_page_of_the_navigation_is_a_bookmark_in_order(book, site):
    paths = [re.sub(r"(^|/)index\.md$|\.md$", r"\1", path) for path in navigation(ROOT)]
    assert [one.path.rstrip("/") for one in book.chapters] == [path.rstrip("/") for path in paths]
    documents = site.documents(book.language)
    expected = []
    for chapter in book.chapters:
        for tag in documents[chapter.path].select("article :is(h1, h2, h3):not(.again *)"):
            number = chapter.number if tag.name == "h1" else ""
            expected.append((int(tag.name[1]) + chapter.level - 1, number + heading(tag), bool(tag.select(".katex"))))
    found = [(level, plain(title)) for level, title, _ in book.outline][1:]  # after the contents
    assert [level for level, _ in found] == [level for level, _, _ in expected]
    wrong = [(a, b) for (_, a), (_, b, formula) in zip(found, expected, strict=True) if a != b and not formula]
    assert not wrong


def test_the_table_of_contents_tells_the_pages(book):
    """As it stands on paper: a row for each chapter, and on its page the title."""
    bookmarks = [
        (plain(title), page)
        for level, title, page in book.outline[1:]
        if level == 1 or re.match(r"(\d+|A)\.\d+ ", title)
    ]
    rows = ""
    for chapter, (title, page) in zip(book.chapters, bookmarks, strict=True):
        words = chapter.number + re.split("[√_]", plain(chapter.title))[0]
        assert title.startswith(words) and words in book.text(page), chapter
        assert page == book.pages_of(chapter)[0], chapter
        rows += f"{chapter.number}{plain(chapter.title)}{page}"
    first = book.pages_of(book.chapters[0])[0]
    contents = "".join(book.text(page).removeprefix(str(page)) for page in range(2, first))
    assert contents == plain(document.words(book.language)["contents"]) + rows


def test_every_link_leads_to_a_page_of_the_book_or_to_another_host(book):
    assert len(book.links) > 1000
    wrong = [link for link in book.links if link[2] is None and not re.match("https?://(?!book.invalid)", link[1])]
    assert not wrong
    targets = {name for _, name, page in book.links if page}
    assert any("--fn:" in name for name in targets) and any("--term-" in name for name in targets)


def test_all_that_the_pages_say_is_there_and_can_be_copied(book, site):
    missing = []
    for chapter, soup in ((one, site.documents(book.language)[one.path]) for one in book.chapters):
        text = book.between(*book.pages_of(chapter))
        article = soup.select_one("article")
        pieces = [heading(tag) for tag in article.select(":is(h2, h3):not(.again *)") if not tag.select(".katex")]
        # the first words of each, up to a formula
        paragraph = "p:not(.place, .progress, .minutes, :has(> .md-button))"
        for box in article.select(f":is({paragraph}, li, figcaption, pre code, td):not(.again *)"):
            words = next(iter(box.stripped_strings), "")
            pieces.append(plain(words.splitlines()[0])[:12] if words else "")
        missing += [(chapter.path, piece) for piece in pieces if piece not in text]
    assert not missing


def test_no_page_is_nearly_empty_but_at_the_end_of_a_part(book):
    ends = {book.pages_of(one)[0] - 1 for one in book.chapters if one.level == 1} | {len(book.pages)}
    used = {page: book.used(page) for page in range(2, len(book.pages) + 1) if page not in ends}
    assert not [page for page, share in used.items() if share < LEAST_USED]
    half_empty = [page for page, share in used.items() if share < 0.5]
    assert len(half_empty) <= MOST_HALF_EMPTY * len(used), half_empty


def test_nothing_reaches_into_the_margins(book):
    boxes = {page: book.ink(page) for page in range(2, len(book.pages) + 1)}
    assert not [(page, box) for page, box in boxes.items() if box and (box[0] < LEFT - 4 or box[2] > RIGHT + 4)]


def test_it_is_small_enough_to_be_sent(book):
    assert len(book.pdf) < LARGEST


def test_drawings_with_the_same_resources_share_them(book):
    streams = [one for one in book.file.objects if isinstance(one, pikepdf.Stream)]
    drawings = [one for one in streams if one.get("/Subtype") == "/Form"]
    for name in ("/Group", "/Resources"):
        parts = [one[name] for one in drawings if name in one]
        assert len(parts) > 1000 and all(part.is_indirect for part in parts)
        assert len({part.objgen for part in parts}) == len({part.unparse(resolved=True) for part in parts}) < len(parts)


def test_formulas_have_their_fonts(book):
    dictionaries = (one for one in book.file.objects if isinstance(one, pikepdf.Dictionary))
    fonts = {str(one["/BaseFont"]) for one in dictionaries if "/BaseFont" in one}
    for name in ("KaTeX_Main", "KaTeX_Math", "KaTeX_Size1", "KaTeX_AMS"):
        assert any(name in font for font in fonts), name
