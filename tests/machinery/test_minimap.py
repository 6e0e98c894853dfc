"""The small map above a page: which boxes are filled in, on which pages it is, and what is said of a wrong name."""

from __future__ import annotations

import re
from pathlib import Path
from xml.etree import ElementTree

import pytest

from book import LANGUAGES, ROOT
from book.checks import whole_pages
from book.finish import minimap
from book.source.pages import Book
from tests.machinery import little_book

KO, EN = "docs/ko/page.md", "docs/en/page.md"
PARTS = ("attention", "positions", "block", "model", "training")


def boxes(name: str) -> tuple[set[tuple[str, str]], int]:
    """Upper left corners of the boxes filled in, and how many there are in all."""
    plain, here = (
        path.get("d") for path in ElementTree.fromstring(minimap.svg(name, "en")).iter() if path.tag == "path"
    )
    return set(re.findall(r"M(\d+) (\d+)h18", here)), len(re.findall("h18", plain + here))


@pytest.mark.parametrize(
    ("name", "left", "right"),
    [
        ("attention", 1, 2),
        ("self-attention", 1, 1),
        ("masked-attention", 0, 1),
        ("decoder-attention", 0, 2),
        ("add-norm", 2, 3),
        ("input", 2, 2),
        ("output", 0, 1),
        ("encoder-layer", 4, 0),
        ("decoder-layer", 0, 6),
        ("layers", 4, 6),
        ("decoder", 0, 9),
        ("model", 6, 9),
    ],
)
def test_the_boxes_of_a_name_are_filled_in(name, left, right):
    here, most = boxes(name)
    assert most == len(minimap.ENCODER) + len(minimap.DECODER) == 15
    assert [sum(x == str(minimap.LEFT[stack]) for x, _ in here) for stack in "ed"] == [left, right]


def test_the_map_as_it_stands_in_a_page():
    assert minimap.svg("masked-attention", "en") == (
        '<svg class="where" role="img" aria-label="Where this page is on the map of the Transformer: masked '
        'self-attention" viewBox="0 0 48 58"><path d="M2 51h18v4h-18zM2 45h18v4h-18zM2 39h18v4h-18zM2 33h18v4h-18z'
        "M2 27h18v4h-18zM2 21h18v4h-18zM28 51h18v4h-18zM28 45h18v4h-18zM28 33h18v4h-18zM28 27h18v4h-18z"
        'M28 21h18v4h-18zM28 15h18v4h-18zM28 9h18v4h-18zM28 3h18v4h-18zM11 21V17H24V29H28"/>'
        '<path class="here" d="M28 39h18v4h-18z"/></svg>'
    )


def test_every_name_has_boxes_of_its_own():
    filled = [frozenset(boxes(name)[0]) for name in minimap.NAMES]
    assert all(filled) and len(set(filled)) == len(filled)


def test_attention_stands_where_it_runs():
    """From below: self-attention comes third, the encoder's and the decoder's on one line."""
    below = sorted(int(y) for _, y in boxes("self-attention")[0])
    assert below == [(len(minimap.DECODER) - 3) * minimap.STEP + 3] * 2
    assert all(int(y) < below[0] for _, y in boxes("feed-forward")[0] | boxes("output")[0])


@pytest.mark.parametrize("language", LANGUAGES)
def test_the_map_has_a_name_and_is_light(language):
    for name in minimap.NAMES:
        root = ElementTree.fromstring(minimap.svg(name, language))
        assert root.get("role") == "img"
        assert root.get("aria-label").endswith(f": {minimap.CALLED[language][name]}")
        assert bool(re.search("[가-힣]", root.get("aria-label"))) == (language == "ko")
        assert len(minimap.svg(name, language)) < 600
        assert not list(root.iter("text")), "too small to be read on a phone"


def test_every_page_of_these_parts_says_where_it_is():
    for language in LANGUAGES:
        for path in sorted((ROOT / "docs" / language).glob("*/*.md")):
            if path.parent.name in PARTS:
                text = path.read_text(encoding="utf-8")
                assert re.search(r"\A---\n(?:.+\n)*map: [\w-]+\n", text), (
                    f"{path}: add `map: …`, see book/finish/minimap.py"
                )


@pytest.fixture
def book(tmp_path) -> Path:
    little_book.write(tmp_path)
    return tmp_path


def said(book: Path, korean: str, english: str) -> list[str]:
    for name, line in ((KO, korean), (EN, english)):
        text = (book / name).read_text(encoding="utf-8")
        (book / name).write_text(text.replace("\ntitle:", f"\n{line}\ntitle:", 1) if line else text, encoding="utf-8")
    problems = whole_pages.on_the_map(Book.read(book))
    return [f"{problem.path.relative_to(book).as_posix()}:{problem.line}: {problem.message}" for problem in problems]


def test_a_page_may_have_a_place_or_none(book):
    assert said(book, "", "") == []
    assert said(book, "map: attention", "map: attention") == []


def test_an_unknown_place_is_refused_with_file_and_line(book):
    korean, english = said(book, "map: attention", "map: atention")
    assert korean == f"{KO}:2: map: attention, and docs/en/page.md has atention: write the same"
    assert english.startswith(f"{EN}:2: map: atention is not on the map; did you mean attention?; it has embedding, ")


def test_both_languages_name_the_same_place(book):
    assert said(book, "map: output", "") == [f"{KO}:2: map: output, and docs/en/page.md has nothing: write the same"]
