"""What tables and code need to be used: a Python-Markdown extension.

A table stands in a box that scrolls where it is too wide, and its empty corner is no heading. Code gets a button that
copies it; docs/assets/js/book/code.js sees to that.
"""

from __future__ import annotations

import re
import xml.etree.ElementTree as etree

from markdown import Extension, Markdown
from markdown.postprocessors import Postprocessor
from markdown.treeprocessors import Treeprocessor

from book import strings
from book.markdown.pipeline import register

#: What the button says.
COPY = strings.each("code", "copy")


class _Tables(Treeprocessor):
    def run(self, root):
        for parent in list(root.iter()):
            for position, child in enumerate(list(parent)):
                if child.tag == "table":
                    parent[position] = boxed(child)


def boxed(table: etree.Element) -> etree.Element:
    """The table in the boxes that the theme's script would put around it, if it had no class."""
    outer = etree.Element("div", {"class": "md-typeset__scrollwrap"})
    outer.tail, table.tail = table.tail, None
    inner = etree.SubElement(outer, "div", {"class": "md-typeset__table"})
    inner.append(table)
    table.set("class", "data")
    for cell in table.iter("th"):
        if not len(cell) and not (cell.text or "").strip():
            cell.tag = "td"
    return outer


class _Particles(Treeprocessor):
    """A long name in code may be broken, but no line starts with the Korean particle that belongs to it."""

    def run(self, root):
        for element in root.iter("code"):
            if re.match("[가-힣]", element.tail or ""):
                element.tail = "\u2060" + element.tail  # word joiner


class _Buttons(Postprocessor):
    def __init__(self, md: Markdown, language: str) -> None:
        super().__init__(md)
        self.button = (
            f'<button type="button" class="copy" title="{COPY[language]}" aria-label="{COPY[language]}"></button>'
        )

    def run(self, text: str) -> str:
        return re.sub(r'<div class="language-(?!text )[\w -]+ highlight"[^>]*>', rf"\g<0>{self.button}", text)


class BoxExtension(Extension):
    """``language``: that of the page."""

    def __init__(self, language: str = "en") -> None:
        super().__init__()
        self.language = language

    def extendMarkdown(self, md: Markdown) -> None:
        register(md, "boxes", _Tables(md))
        register(md, "particles", _Particles(md))
        register(md, "copy-buttons", _Buttons(md, self.language))
