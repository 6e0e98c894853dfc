"""Boxes around tables, and buttons beside code."""

from __future__ import annotations

import re
from xml.etree import ElementTree

import markdown
import pytest

from book.markdown.boxes import COPY, BoxExtension, boxed, imports


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


@pytest.mark.parametrize(
    "code, lines",
    [
        ("import torch\n\nx = 1", 1),
        ("import torch\nfrom torch import nn\n\nfrom a.b import c\n\nx = 1\nimport y", 4),
        ("from a import (\n    b,\n    c,\n)\n\nx = (1,\n)", 4),
        ("from a import (b, c)\nx = 1", 1),
        ("x = 1\nimport torch", 0),
        ("imported = 1", 0),
        ("import torch", 1),
    ],
)
def test_imports_at_the_beginning(code, lines):
    assert imports(code) == lines


def test_imports_step_back_behind_what_the_code_does():
    both = _html("```python\nimport torch\nfrom torch import nn\n\nnn.Linear(1, 1)\n```")
    inside = both.partition('<span class="imports">')[2]
    text = [re.sub("<[^>]*>", "", half) for half in inside.split("</span>\n\n")]
    assert text == ["import torch\nfrom torch import nn", "nn.Linear(1, 1)\n"]
    assert "imports" not in _html("```python\nimport torch\n```") + _html("```python\nx = 1\n```")
    assert "imports" not in _html("```text\nimport torch\nx\n```")
