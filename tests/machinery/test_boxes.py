"""Boxes around tables, and buttons beside code."""

from __future__ import annotations

from xml.etree import ElementTree

import markdown
import pytest

from book.markdown.boxes import COPY, BoxExtension, boxed


def _html(text: str, language: str = "en") -> str:
    extensions = ["tables", "pymdownx.superfences", "pymdownx.highlight", BoxExtension(language)]
    settings = {"pymdownx.highlight": {"pygments_lang_class": True}}
    return markdown.markdown(text, extensions=extensions, extension_configs=settings)


def test_a_table_stands_in_a_box_and_its_empty_corner_is_no_heading():
    html = _html("before\n\n|  | b |\n|---|---|\n| 1 | 2 |\n\nafter")
    box = '<div class="md-typeset__scrollwrap"><div class="md-typeset__table"><table class="data">'
    assert html.count(box) == 1 and html.index("before") < html.index(box) < html.index("after")
    assert html.count("<th>") == 1 and "<th>b</th>" in html and html.count("<td>") == 3


@pytest.mark.parametrize(
    "cell, tag", [("<th/>", "td"), ("<th> </th>", "td"), ("<th>x</th>", "th"), ("<th><b/></th>", "th")]
)
def test_only_a_cell_with_nothing_in_it_is_empty(cell, tag):
    table = ElementTree.fromstring(f"<table><tr>{cell}</tr></table>")
    table.tail = "then"
    outer = boxed(table)
    assert outer.tail == "then" and table.tail is None
    assert outer[0][0] is table and table[0][0].tag == tag


def test_each_of_several_tables_has_its_box():
    assert _html("| a |\n|---|\n| 1 |\n\n| b |\n|---|\n| 2 |").count("scrollwrap") == 2


@pytest.mark.parametrize("language", ["ko", "en"])
def test_code_has_a_button_and_output_has_none(language):
    html = _html("```python\nx = 1\n```\n\n```text\n1\n```\n\n```sh\nls\n```", language)
    button = f'<button type="button" class="copy" title="{COPY[language]}" aria-label="{COPY[language]}"></button><pre>'
    assert html.count(button) == 2 and html.count("<button") == 2
    assert html.index('<div class="language-python highlight">' + button) == 0
    marked = _html("```{.python .to-write}\nx = 1\n```", language)
    assert marked.startswith(f'<div class="language-python to-write highlight">{button}')


def test_a_particle_stays_with_the_code_before_it():
    assert _html("`shape`은 `x` 은, `y`.") == "<p><code>shape</code>\u2060은 <code>x</code> 은, <code>y</code>.</p>"
