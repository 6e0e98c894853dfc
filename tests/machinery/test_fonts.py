"""Which fonts a page asks for before its style sheet does."""

from __future__ import annotations

import re

import pytest

from book.finish import fonts

LETTER = '<span class="katex"><span class="mord mathnormal">x</span></span>'
DIGIT = '<span class="katex"><span class="mord">2</span></span>'
MAIN, ITALIC = "KaTeX_Main-Regular", "KaTeX_Math-Italic"


@pytest.mark.parametrize(
    "article, asked",
    [
        (f"<h1>T</h1><p>{LETTER}</p><h2>A</h2>", [MAIN, ITALIC]),
        (f"<h1>T</h1><p>{DIGIT}</p><h2>A</h2>", [MAIN]),
        (f"<h1>T</h1><h2>A</h2><p>{LETTER}</p>", [MAIN, ITALIC]),
        (f"<h1>T</h1><h2>A</h2><h2>B</h2><p>{LETTER}</p>", []),
        (f"<h1>T</h1><details open><p>{LETTER}</p></details><h2>A</h2>", []),
        (f"<h1>T</h1><details>a</details><p>{DIGIT}</p><details>{LETTER}</details>", [MAIN]),
        ("<h1>T</h1><p>no formula</p>", []),
    ],
)
def test_a_font_comes_early_if_the_start_of_the_page_needs_it(article, asked):
    page = f"<html><head></head><nav>{LETTER}</nav><article>{article}</article></html>"
    links = fonts.early(page, "../assets/")
    assert re.findall(r'href="\.\./assets/katex/fonts/(\S+)\.woff2"', links) == asked
    assert links.count("crossorigin") == len(asked), "without it a browser loads a font twice"
