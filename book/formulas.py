r"""Formulas, set at build time: a Python-Markdown extension around KaTeX.

``pymdownx.arithmatex`` finds ``$...$`` and ``$$...$$``; this extension replaces what it
found by KaTeX's HTML (for the eye) and MathML (for screen readers), so that a page needs no
script to show its mathematics. TeX that does not parse raises ``FormulaError``.
"""

from __future__ import annotations

import atexit
import functools
import html
import re
import xml.etree.ElementTree as etree
from pathlib import Path

from markdown import Extension, Markdown
from markdown.preprocessors import Preprocessor
from markdown.treeprocessors import Treeprocessor
from py_mini_racer import JSEvalException, MiniRacer

from book.later import at_once
from book.pipeline import register
from book.problems import BookError

KATEX = Path(__file__).parent / "katex" / "katex.min.js"

#: The book's own TeX commands. Everything else is plain KaTeX.
MACROS = {
    r"\R": r"\mathbb{R}",
    r"\E": r"\operatorname{E}",
    r"\Var": r"\operatorname{Var}",
    r"\Cov": r"\operatorname{Cov}",
    r"\softmax": r"\operatorname{softmax}",
    r"\Attention": r"\operatorname{Attention}",
    r"\MultiHead": r"\operatorname{MultiHead}",
    r"\head": r"\operatorname{head}",
    r"\Concat": r"\operatorname{Concat}",
    r"\T": r"^{\mathsf T}",
}


#: A piece of a formula, as KaTeX writes it, but for the first: a line can start with it.
BASE = re.compile(r'(?<=</span>)<span class="katex-base">')


class FormulaError(BookError):
    """A formula that KaTeX refuses."""


@functools.cache
def _engine() -> MiniRacer:
    engine = MiniRacer()
    # Left to the end of the interpreter, it can wait for ever for a thread that no longer runs.
    atexit.register(engine.close)
    engine.eval(KATEX.read_text(encoding="utf-8"))
    # KaTeX warns about Hangul inside \text, for which it has no metrics; it is set all the same.
    engine.eval("var console = {warn: function () {}, error: function () {}}")
    return engine


@functools.cache
def render(tex: str, display: bool = False) -> str:
    """HTML and MathML of one formula. Raises ``FormulaError`` with KaTeX's own message."""
    options = {
        "displayMode": display,
        "throwOnError": True,
        "strict": "ignore",
        "trust": False,
        "macros": dict(MACROS),
    }
    try:
        out = _engine().call("katex.renderToString", tex, options)
    except JSEvalException as error:
        message = re.search(r"ParseError: (KaTeX parse error: .*)", str(error))
        raise FormulaError(message.group(1) if message else str(error)) from None
    # The search index would otherwise hold each formula twice.
    return out.replace('<span class="katex-mathml">', '<span class="katex-mathml" data-search-exclude>')


#: Letters that exist raised or lowered, and how they look then.
RAISED = dict(zip("0123456789+−-=()inT", "⁰¹²³⁴⁵⁶⁷⁸⁹⁺⁻⁻⁼⁽⁾ⁱⁿᵀ", strict=True))
LOWERED = dict(zip("0123456789+−-=()aehijklmnoprstuvx", "₀₁₂₃₄₅₆₇₈₉₊₋₋₌₍₎ₐₑₕᵢⱼₖₗₘₙₒₚᵣₛₜᵤᵥₓ", strict=True))


def words(rendered: str) -> str:
    """A formula as escaped text in one line, √dₖ: for the search, and for tables of contents."""
    math = etree.fromstring(rendered[rendered.index("<math") : rendered.index("</math>") + len("</math>")])
    return html.escape(_line(math).replace("\xa0", " "), quote=False)


def _line(element) -> str:
    """MathML as it is said in one line."""
    kind = element.tag.rpartition("}")[2]
    if kind == "annotation":  # the TeX
        return ""
    parts = [_line(child) for child in element]
    if kind == "msqrt":
        root = "".join(parts)
        return f"√{root if root.isalnum() else f'({root})'}"
    if kind in ("msub", "munder"):
        return parts[0] + _moved(parts[1], LOWERED, "_")
    if kind in ("msup", "mover"):
        return parts[0] + _moved(parts[1], RAISED, "^")
    if kind in ("msubsup", "munderover"):
        return parts[0] + _moved(parts[1], LOWERED, "_") + _moved(parts[2], RAISED, "^")
    if kind == "mfrac":
        return "/".join(parts)
    return re.sub("[\u200b\u2061]", "", element.text or "") + "".join(parts)


def _moved(part: str, letters: dict[str, str], sign: str) -> str:
    if part and all(letter in letters for letter in part):
        return "".join(letters[letter] for letter in part)
    return sign + part


class _Source(Preprocessor):
    """Keeps the page as written, to say in which line a broken formula stands."""

    def run(self, lines: list[str]) -> list[str]:
        self.md.source_lines = list(lines)
        return lines


class _Formulas(Treeprocessor):
    def __init__(self, md: Markdown, extension: FormulaExtension) -> None:
        super().__init__(md)
        self.extension = extension

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
        for number, line in enumerate(self.md.source_lines, self.extension.first_line):
            if first in line:
                return number
        return "?"


class FormulaExtension(Extension):
    """Registers the two processors; goes after ``pymdownx.arithmatex``."""

    file = "?"  # that the text is from, for error messages
    first_line = 1  # of the text within its file: whoever cuts off the front matter says so
    place = staticmethod(at_once)  # what puts a rendered formula into the page

    def extendMarkdown(self, md: Markdown) -> None:
        md.source_lines = []
        register(md, "formula-source", _Source(md))
        register(md, "formulas", _Formulas(md, self))
