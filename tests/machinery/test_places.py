"""The numbers of parts and pages."""

from __future__ import annotations

from types import SimpleNamespace

import pytest

from book.finish import places
from book.problems import BookError


def _page(path: str) -> SimpleNamespace:
    return SimpleNamespace(
        file=SimpleNamespace(src_uri=path), is_page=True, is_section=False, is_index=path.endswith("index.md")
    )


def _nav(*items, **options) -> SimpleNamespace:
    """Pages, and lists of pages for parts."""
    items = [
        SimpleNamespace(is_section=True, is_page=False, children=[*map(_page, item)])
        if isinstance(item, list)
        else _page(item)
        for item in items
    ]
    pages = [page for item in items for page in (item.children if item.is_section else [item])]
    nav = SimpleNamespace(items=items, pages=pages)
    places.count_pages(nav, **options)
    return nav


def test_pages_are_numbered_by_part():
    nav = _nav("index.md", ["a/index.md", "a/x.md", "a/y.md"], "between.md", ["b/index.md", "b/z.md"])
    numbers = {page.file.src_uri: page.place and page.place.number for page in nav.pages}
    assert numbers == {
        "index.md": None,
        "a/index.md": "1",
        "a/x.md": "1.1",
        "a/y.md": "1.2",
        "between.md": None,
        "b/index.md": "2",
        "b/z.md": "2.1",
    }


def test_a_part_before_the_others_moves_them():
    nav = _nav(["new/index.md"], ["a/index.md", "a/x.md"])
    assert [page.place.number for page in nav.pages] == ["1", "2", "2.1"]


def test_the_appendix_has_a_letter_and_takes_no_number():
    nav = _nav(["appendix/index.md", "appendix/x.md"], ["b/index.md"])
    assert [page.place.number for page in nav.pages] == ["A", "A.1", "1"]


def test_a_page_knows_its_part_and_how_many_pages_that_has_besides_its_index():
    nav = _nav(["a/index.md", "a/x.md", "a/y.md"])
    assert [(page.place.page, page.place.pages) for page in nav.pages] == [(0, 2), (1, 2), (2, 2)]
    assert nav.pages[2].place.part is nav.items[0] and nav.items[0].index is nav.pages[0]


def test_a_page_knows_how_long_the_rest_of_its_part_takes_itself_included():
    takes = {"a/index.md": 2, "a/x.md": 15, "a/y.md": 9, "b/index.md": 1, "b/z.md": 20}
    nav = _nav("index.md", list(takes)[:3], list(takes)[3:], minutes=lambda page: takes[page.file.src_uri])
    assert [page.place.minutes for page in nav.pages[1:]] == [24, 24, 9, 20, 20]


def test_a_part_without_an_index_is_refused_by_name():
    with pytest.raises(BookError, match="a/x.md has no index.md"):
        _nav(["a/x.md"])
