r"""Formulas, set at build time: a Python-Markdown extension around KaTeX.

``pymdownx.arithmatex`` finds ``$...$`` and ``$$...$$``; this extension replaces what it
found by KaTeX's HTML (for the eye) and MathML (for screen readers), so that a page needs no
script to show its mathematics. TeX that does not parse raises ``FormulaError``.
"""

from __future__ import annotations

import html
import re
import xml.etree.ElementTree as etree

from markdown import Extension, Markdown
from markdown.preprocessors import Preprocessor
from markdown.treeprocessors import Treeprocessor

from book.markdown.later import at_once
from book.markdown.pipeline import register
from book.source.tex import FormulaError, render, words

#: A piece of a formula, as KaTeX writes it, but for the first: a line can start with it.
BASE = re.compile(r'(?<=</span>)<span class="katex-base">')


class _Source(Preprocessor):
    """Keeps the page as written, to say in which line a broken formula stands."""

    def __init__(self, md: Markdown) -> None:
        super().__init__(md)
        self.lines: list[str] = []

    def run(self, lines: list[str]) -> list[str]:
        self.lines = list(lines)
        return lines


class _Formulas(Treeprocessor):
    def __init__(self, md: Markdown, extension: FormulaExtension, source: _Source) -> None:
        super().__init__(md)
        self.extension, self.source = extension, source

    def run(self, root):
        found = [(parent, child) for parent in root.iter() for child in parent if child.get("class") == "arithmatex"]
        for parent, element in found:
            display = element.tag == "div"
            # arithmatex leaves \(...\) or \[...\] as text; block formulas come escaped once
            tex = element.text[2:-2].strip()
            if display:
                tex = html.unescape(tex)
            try:
                rendered = render(tex, display)
            except FormulaError as error:
                where = f"{self.extension.file}, line {self.line_of(tex)}"
                raise FormulaError(f"{where}: {error}\n  in the formula: {tex}") from None
            follows = "" if display else re.match(r"\S*", element.tail or "")[0]
            if follows:  # what keeps the two together leaves the formula these places to be broken at
                rendered = BASE.sub(r"<wbr>\g<0>", rendered)
            element.text = self.md.htmlStash.store(self.extension.place(rendered, words(rendered)))
            element.set("class", "formula")
            if follows:
                self.keep_together(parent, element, follows)

    @staticmethod
    def keep_together(parent, element, follows: str) -> None:
        """No line starts with the comma or the Korean particle that belongs to a formula."""
        position = list(parent).index(element)
        together = etree.Element("span", {"class": "unbroken"})
        together.tail = element.tail[len(follows) :]
        element.tail = follows
        parent[position] = together
        together.append(element)

    def line_of(self, tex: str) -> int | str:
        first = tex.splitlines()[0].strip()
        for number, line in enumerate(self.source.lines, self.extension.first_line):
            if first in line:
                return number
        return "?"


class FormulaExtension(Extension):
    """Registers the two processors; goes after ``pymdownx.arithmatex``."""

    file = "?"  # that the text is from, for error messages
    first_line = 1  # of the text within its file: whoever cuts off the front matter says so
    place = staticmethod(at_once)  # what puts a rendered formula into the page

    def extendMarkdown(self, md: Markdown) -> None:
        source = _Source(md)
        register(md, "formula-source", source)
        register(md, "formulas", _Formulas(md, self, source))
