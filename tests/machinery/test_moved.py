"""Old addresses, and where they lead."""

from __future__ import annotations

import json
import re
from html import unescape

import pytest

from book.finish import moved
from book.source.pages import Book
from tests.machinery.little_book import LITTLE_BOOK

SETTINGS = "nav: [index.md, page.md, labs/lab.md]\nextra:\n  moved:\n"


@pytest.fixture
def said(tmp_path):
    for name, text in LITTLE_BOOK.items():
        (tmp_path / name).parent.mkdir(parents=True, exist_ok=True)
        (tmp_path / name).write_text(text, encoding="utf-8")

    def of(*lines: str) -> list[tuple[int, str]]:
        (tmp_path / "mkdocs.yml").write_text(SETTINGS + "".join(f"    {line}\n" for line in lines))
        return [(one.line, one.message) for one in moved.moved_pages(Book.read(tmp_path))]

    return of


def test_sections_go_elsewhere_than_their_page():
    given = {"a/old.md": "a/new.md", "a/old.md#x": "b/other.md#y", "c.md": "index.md"}
    found = moved.pages(given)
    assert found == {"a/old.md": moved.Moved("a/new.md", {"x": "b/other.md#y"}), "c.md": moved.Moved("index.md", {})}
    assert moved.pages(None) == moved.pages({}) == {}


@pytest.mark.parametrize(
    ("old", "new", "way"),
    [
        ("a/old.md", "a/new.md", "../new/"),
        ("a/old.md", "b/new.md#x", "../../b/new/#x"),
        ("a/old.md", "a/index.md", "../"),
        ("a/old.md", "index.md", "../../"),
        ("a/old.md", "a/reindex.md", "../reindex/"),
        ("old.md", "a/b/new.md", "../a/b/new/"),
    ],
)
def test_the_way_from_an_old_address(old, new, way):
    assert moved.way(old, new) == way


def test_the_page_at_an_old_address():
    assert moved.file("a/old.md") == "a/old/index.html"
    one = moved.Moved("b/new.md", {"x": "a/other.md#y"})
    text = moved.page("a/old.md", one, "A & B", "ko", "https://book.org/x/", "", served=False)
    assert text.startswith("<!doctype html>") and '<html lang="ko">' in text and moved.SAID["ko"] in text
    assert "<title>A &amp; B</title>" in text and 'content="noindex"' in text
    assert '<link rel="canonical" href="https://book.org/x/b/new/">' in text
    assert 'content="0; url=../../b/new/"' in text and '<a href="../../b/new/">A &amp; B</a>' in text
    assert 'src="../../assets/js/moved.js" data-page="../../b/new/"' in text
    assert json.loads(unescape(re.search('data-sections="(.*?)"', text)[1])) == {"x": "../other/#y"}
    assert "script-src 'self'" in text and text.index("Content-Security-Policy") < text.index("<script")
    english = moved.page("a/old.md", one, "A", "en", "https://book.org/x/en/", "en/", served=True)
    assert 'src="../../../assets/js/moved.js"' in english and "https://book.org/x/en/b/new/" in english
    assert "Content-Security-Policy" not in english and moved.SAID["en"] in english


def test_what_has_moved_leads_to_what_is_there(said):
    assert said("old/a.md: page.md", "old/a.md#b: page.md#sum", "old/c.md: index.md#home") == []


@pytest.mark.parametrize(
    ("lines", "line", "message"),
    [
        (["old.md: pages.md"], 4, "old.md leads to pages.md, and there is none; did you mean page.md?"),
        (["a.md: page.md", "old.md: page.md#some"], 5, "old.md leads to #some, which page.md lacks: correct it"),
        (["page.md: index.md"], 4, "page.md has moved, and is there: remove the page, or this line"),
        (["a.md: page.md", "old.md#x: page.md"], 5, "say where old.md is now: write old.md: part/page.md"),
        (["old: page.md"], 4, "say where old is now: write old: part/page.md"),
        (["part/index.md: page.md"], 4, "an index stays: part/index.md cannot be moved"),
    ],
)
def test_what_leads_nowhere_is_said(said, lines, line, message):
    assert said(*lines) == [(line, message)]


def test_a_book_from_which_nothing_has_moved(said, tmp_path):
    (tmp_path / "mkdocs.yml").write_text("nav: [index.md, page.md, labs/lab.md]\n")
    assert list(moved.moved_pages(Book.read(tmp_path))) == []
