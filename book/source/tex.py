"""TeX, set by KaTeX: the HTML and MathML of a formula, and a formula as it is said in one line.

TeX that does not parse raises ``FormulaError``.
"""

from __future__ import annotations

import atexit
import functools
import html
import re
import xml.etree.ElementTree as etree

from py_mini_racer import JSEvalException, MiniRacer

from book import ROOT
from book.problems import BookError

KATEX = ROOT / "book" / "katex" / "katex.min.js"

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
