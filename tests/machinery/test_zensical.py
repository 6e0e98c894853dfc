"""The experiment with another site generator: what stands on a page is the same."""

from __future__ import annotations

import importlib.util
import os
import re
from pathlib import Path

import pytest
from bs4 import BeautifulSoup

from book import LANGUAGES, ROOT
from book.adapters import zensical
from book.processes import run
from book.source.pages import navigation

#: What templates put round and into an article, and not Markdown.
FRAME = (
    ".place, .minutes, .where, .headerlink, .notebook, .archive, .colab, .progress, .feed, .md-content__button, "
    ".md-source-file, form, nav"
)

pytestmark = pytest.mark.thorough


@pytest.fixture(scope="module")
def theirs(tmp_path_factory) -> Path:
    if not importlib.util.find_spec("zensical"):
        (pytest.fail if os.environ.get("REQUIRE_ZENSICAL") else pytest.skip)(
            f"Zensical is not installed; get it by: pip install -c constraints.txt {zensical.PACKAGE}"
        )
    directory = tmp_path_factory.mktemp("zensical")
    with pytest.MonkeyPatch.context() as patch:
        patch.setenv("REPO_URL", "https://transformer-book.example/repository")  # as mkdocs.yml has it
        assert run("book.adapters.zensical", str(directory)) == 0
    return directory


def article(path: Path) -> str:
    """The text of a page, without its spaces: cells of outputs stand in elements of their own in one of the two."""
    whole = re.sub(r"<svg\b.*?</svg>", "", path.read_text(encoding="utf-8"), flags=re.S)  # most of a page
    found = BeautifulSoup(whole, "html.parser").find("article")
    for element in found.select(FRAME):
        element.decompose()
    return "".join(found.get_text().split())


@pytest.mark.parametrize("language", LANGUAGES)
def test_each_page_says_the_same_from_both_generators(site, theirs, language):
    root = "" if language == LANGUAGES[0] else f"{language}/"
    told = []
    for name in navigation(ROOT):
        path = f"{root}{name.removesuffix('.md').removesuffix('index')}/index.html".replace("//", "/").lstrip("/")
        here, there = article(site.directory / path), article(theirs / path)
        if here != there:
            first = len(os.path.commonprefix([here, there]))
            told.append(f"{path}: {here[first : first + 40]!r}, and from Zensical {there[first : first + 40]!r}")
    assert not told, "\n".join(told)


@pytest.mark.parametrize("language", LANGUAGES)
def test_formulas_drawings_tooltips_and_the_language_of_words_are_there(theirs, language):
    page = theirs / ("" if language == LANGUAGES[0] else language) / "attention/scaled-dot-product/index.html"
    found = BeautifulSoup(page.read_text(encoding="utf-8"), "html.parser").find("article")
    assert found.select("math") and found.select("svg[role=img]") and found.select("abbr[title]")
    assert found.select("table.data") and found.select("button.copy") and found.select(".question")
    other = "ko" if language == "en" else "en"
    assert found.select(f"[lang={other}]") or language == "en"
