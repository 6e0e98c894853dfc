"""What tables and code need to be used: a Python-Markdown extension.

A table stands in a box that scrolls where it is too wide, and its empty corner is no heading. Code gets a button that
copies it; docs/assets/js/book/code.js sees to that. What it imports steps back behind what it does.
"""

from __future__ import annotations

import html
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


#: The inside of Python code that has been coloured.
PYTHON = re.compile(
    r'(<div class="language-python[\w -]* highlight"[^>]*>(?:<button[^>]*></button>)?<pre><span></span><code>)'
    r"(.*?)(?=</code></pre>)",
    re.DOTALL,
)
#: What an import begins with; it goes on as long as a parenthesis is open.
IMPORT = re.compile(r"(?:from [\w.]+ )?import ")


def imports(code: str) -> int:
    """How many lines of code, from the first one, do nothing but import."""
    lines, end, inside = code.splitlines(), 0, False
    for number, line in enumerate(lines, start=1):
        if inside or IMPORT.match(line):
            inside = (inside or "(" in line) and ")" not in line
            end = number
        elif line.strip():
            break
    return end


class _Imports(Postprocessor):
    def run(self, text: str) -> str:
        return PYTHON.sub(lambda found: found[1] + _stepped_back(found[2]), text)


def _stepped_back(code: str) -> str:
    """Coloured code whose first imports are one element, unless there is nothing else."""
    plain = html.unescape(re.sub("<[^>]*>", "", code))
    end, lines = imports(plain), code.split("\n")
    if not end or not "".join(plain.splitlines()[end:]).strip():
        return code
    return "\n".join(['<span class="imports">' + "\n".join(lines[:end]) + "</span>", *lines[end:]])


class BoxExtension(Extension):
    """``language``: that of the page."""

    def __init__(self, language: str = "en") -> None:
        super().__init__()
        self.language = language

    def extendMarkdown(self, md: Markdown) -> None:
        register(md, "boxes", _Tables(md))
        register(md, "particles", _Particles(md))
        register(md, "copy-buttons", _Buttons(md, self.language))
        register(md, "imports", _Imports(md))
