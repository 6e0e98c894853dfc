"""The glossary on pages: its table, and the tooltip on the first use of a term in every section.

The table stands where a page says ``<!-- glossary -->``. In it a term leads to the page that explains it, an
abbreviation to its term, and each letter to where it begins.
"""

from __future__ import annotations

import re
import xml.etree.ElementTree as etree

from markdown import Extension, Markdown
from markdown.preprocessors import Preprocessor
from markdown.treeprocessors import Treeprocessor
from markdown.util import AtomicString

from book import strings
from book.markdown.pipeline import register
from book.source import glossary
from book.source.glossary import MARKER, Term

#: RoPE, GQA: readers look these up under their own letter.
ABBREVIATION = re.compile(r"(?=(?:[^A-Z]*[A-Z]){2})[A-Za-z]{2,6}")
#: The first consonants of syllables, doubled ones with their single ones.
CONSONANTS = "ㄱㄱㄴㄷㄷㄹㅁㅂㅂㅅㅅㅇㅈㅈㅊㅋㅌㅍㅎ"


def letter(name: str) -> str:
    """Under which letter a name stands: A to Z, or the consonant that its first syllable begins with."""
    first = name[0]
    return CONSONANTS[(ord(first) - ord("가")) // 588] if glossary.HANGUL.match(first) else first.upper()


def table(language: str) -> list[str]:
    """Return the glossary as lines of Markdown, in the order of the page's alphabet: its letters, and a table for each,
    of which a browser lays out those that are looked at."""
    entries = {term.id: term for term in glossary.terms()}
    rows = [(term.name(language), f"term-{term.id}", _row(term, entries, language)) for term in entries.values()]
    taken = {name.casefold() for name, *_ in rows}
    for term in entries.values():
        for short in filter(ABBREVIATION.fullmatch, term.names):
            if short.casefold() not in taken:
                taken.add(short.casefold())
                anchor = f"short-{short.lower()}"
                rows.append((short, anchor, f"| **{short}**{{ #{anchor} }} | | → {_link(term, language)} |"))
    rows.sort(key=lambda row: row[0].casefold())
    head = ["", f"| {' | '.join(strings.of(language)['glossary']['head'])} |", "|---|---|---|"]
    letters: dict[str, str] = {}
    tables: list[str] = []
    for name, anchor, row in rows:
        if letter(name) not in letters:
            letters[letter(name)] = anchor
            tables += head
        tables.append(row)
    return [" ".join(f"[{sign}](#{anchor})" for sign, anchor in letters.items()), "{: .letters }", *tables]


def _link(term: Term, language: str) -> str:
    return f"[{term.name(language)}](#term-{term.id})"


def _row(term: Term, entries: dict[str, Term], language: str) -> str:
    words = strings.of(language)["glossary"]
    first = f"**{term.name(language)}**{{ #term-{term.id} }}"
    if term.page:
        page, mark, section = term.page.partition("#")
        first = f"[{first}](../{page}.md{mark}{section})"
    meaning = term.meaning(language) + (f"<br>${term.formula}$" if term.formula else "")
    if names := term.also(language):
        meaning += f"<br>{words['also']}: {', '.join(names)}"
    if term.see:
        meaning += f"<br>{words['see']}: {', '.join(_link(entries[other], language) for other in term.see)}"
    return f"| {first} | {term.other(language)} | {meaning} |"


class _Table(Preprocessor):
    def __init__(self, md: Markdown, language: str) -> None:
        super().__init__(md)
        self.language, self.found = language, False

    def run(self, lines: list[str]) -> list[str]:
        self.found = any(line.strip() == MARKER for line in lines)
        return [new for line in lines for new in (table(self.language) if line.strip() == MARKER else [line])]


class _Tooltips(Treeprocessor):
    """Marks the first use of each term below every heading of level 2."""

    SKIP = {"a", "abbr", "button", "code", "h1", "h2", "h3", "h4", "pre", "script", "style", "svg", "th"}
    SKIP_CLASSES = {"figure", "formula", "questions", "transformer-map"}

    def __init__(self, md: Markdown, language: str, table: _Table) -> None:
        super().__init__(md)
        self.language, self.table = language, table

    def run(self, root):
        if self.table.found:
            return
        self.regex, self.found = glossary.pattern(self.language, glossary.terms())
        self.used: set[Term] = set()
        self.sections = _sections(root)
        self.section = self.sections[None]
        self.visit(root)

    def visit(self, element: etree.Element) -> None:
        if element.tag == "h2":
            self.used.clear()
            self.section = self.sections[element]
        if element.tag in self.SKIP or self.SKIP_CLASSES & set(element.get("class", "").split()):
            return
        children = list(element)
        element.text = self.mark(element, 0, element.text)
        for child in children:
            self.visit(child)
            child.tail = self.mark(element, list(element).index(child) + 1, child.tail)

    def mark(self, parent: etree.Element, position: int, text: str | None) -> str | None:
        """Put an ``abbr`` around each first use in ``text``; returns what stays before them."""
        if not text or isinstance(text, AtomicString):
            return text
        pieces = []
        for match in self.regex.finditer(text):
            term = self.found[match[0] if self.language == "ko" else match[0].casefold()]
            if term not in self.used and not any(word in self.section for word in term.unless):
                self.used.add(term)
                pieces.append((match, term))
        end = len(text)
        for match, term in reversed(pieces):
            abbr = etree.Element("abbr", {"title": term.tooltip(self.language)})
            abbr.text = AtomicString(match[0])
            abbr.tail = text[match.end() : end]
            parent.insert(position, abbr)
            end = match.start()
        return text[:end]


def _sections(root: etree.Element) -> dict[etree.Element | None, str]:
    """The text of each heading of level 2 and behind it; of None, what comes before the first."""
    texts: dict[etree.Element | None, str] = {None: ""}
    heading = None
    for element in root.iter():
        if element.tag == "h2":
            heading = element
        texts[heading] = f"{texts.get(heading, '')} {element.text or ''} {element.tail or ''}"
    return texts


class GlossaryExtension(Extension):
    """Table and tooltips in one language."""

    def __init__(self, language: str = "en") -> None:
        super().__init__()
        self.language = language

    def extendMarkdown(self, md: Markdown) -> None:
        table = _Table(md, self.language)
        register(md, "glossary-table", table)
        register(md, "glossary-tooltips", _Tooltips(md, self.language, table))
