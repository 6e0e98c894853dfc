"""A page opens with what was printed: its code is folded below, and counts half."""

from __future__ import annotations

import re

import pytest

from book.markdown.openings import ANSWER, SUMMARY, output_first
from book.source.minutes import SHORT, is_apparatus

LOADS = ["from snippets.before import dates", *(f"x{i} = {i}" for i in range(SHORT))]
TYPED = ["import torch", *LOADS[1:]]
COMMENT = "<!--pytest-codeblocks:expected-output-->"


def _code(lines: list[str]) -> str:
    colored = re.sub(r"\bimport\b", '<span class="kn">import</span>', "\n".join(lines))
    return f'<div class="language-python highlight"><button></button><pre><code>{colored}\n</code></pre></div>'


def _output(text: str) -> str:
    return f'<div class="language-text highlight"><pre><code>{text}\n</code></pre></div>'


def _page(opening: str) -> str:
    return f"<h1>t</h1>\n{opening}\n{ANSWER}<p>so</p></div>\n{_code(LOADS)}\n{COMMENT}\n{_output('later')}"


@pytest.mark.parametrize("language", ["ko", "en"])
def test_the_output_comes_first_and_nothing_is_lost(language):
    page = _page(f"{_code(LOADS)}\n{COMMENT}\n{_output('1.0')}")
    html = output_first(page, language)
    assert html.index(">1.0\n") < html.index(SUMMARY[language]) < html.index(_code(LOADS)) < html.index(ANSWER)
    assert sorted(re.sub("<[^>]*>", "", html).replace(SUMMARY[language], "").split()) == sorted(
        re.sub("<[^>]*>", "", page).split()
    )
    assert html.endswith(page.partition(ANSWER)[2])  # below the answer code comes first


def test_two_examples_are_each_turned():
    html = output_first(_page(f"{_code(LOADS)}{_output('1.0')}<p>and</p>{_code(LOADS)}{_output('2.0')}"), "en")
    places = [html.index(text) for text in (">1.0\n", "<p>and</p>", ">2.0\n")]
    assert places == sorted(places) and html.count("<details") == 2


@pytest.mark.parametrize(
    "opening",
    [
        _code(TYPED) + _output("1.0"),
        _code(LOADS[:SHORT]) + _output("1.0"),
        _code(LOADS) + "<p>between</p>" + _output("1.0"),
        "<details><summary>how</summary>" + _code(LOADS) + _output("1.0") + "</details>",
    ],
    ids=["what a reader would type", "short", "not what it prints", "folded already"],
)
def test_what_stays(opening):
    assert output_first(_page(opening), "en") == _page(opening)


def test_a_page_without_an_answer_stays():
    page = _code(LOADS) + _output("1.0")
    assert output_first(page, "en") == page


def test_what_is_apparatus():
    assert is_apparatus(LOADS) and not is_apparatus(TYPED) and not is_apparatus(LOADS[:SHORT])
    assert is_apparatus([*TYPED, "import snippets.before"]) and not is_apparatus([*TYPED, "# from snippets"])
