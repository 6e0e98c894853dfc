"""The glossary: one list of terms, ``docs/glossary.yml``, used three times.

It is the table on the glossary page (which says ``<!-- glossary -->`` where the table goes), in which a term leads to
the page that explains it, an abbreviation to its term, and each letter to where it begins; the tooltip on the first use
of a term in every section; and the list of words that the checks refuse on Korean pages (``avoid``).
"""

from __future__ import annotations

import functools
import re
import xml.etree.ElementTree as etree
from dataclasses import dataclass, field
from pathlib import Path

import yaml
from markdown import Extension, Markdown
from markdown.preprocessors import Preprocessor
from markdown.treeprocessors import Treeprocessor
from markdown.util import AtomicString

from book import ROOT, strings
from book.pipeline import register

PATH = ROOT / "docs" / "glossary.yml"
MARKER = "<!-- glossary -->"

HANGUL = re.compile("[가-힣]")
#: RoPE, GQA: readers look these up under their own letter.
ABBREVIATION = re.compile(r"(?=(?:[^A-Z]*[A-Z]){2})[A-Za-z]{2,6}")
#: The first consonants of syllables, doubled ones with their single ones.
CONSONANTS = "ㄱㄱㄴㄷㄷㄹㅁㅂㅂㅅㅅㅇㅈㅈㅊㅋㅌㅍㅎ"

#: What may follow a Korean noun without making it another word.
PARTICLES = (
    "은|는|이|가|을|를|의|와|과|에|로|으로|도|만|마다|보다|처럼|까지|부터|끼리|들|이란|란|입니다|이고|이며|인|일|하고"
)


class EntryError(ValueError):
    """A file of entries cannot be used; ``line`` says where."""

    def __init__(self, path: Path, line: int, message: str) -> None:
        super().__init__(f"{path.name}:{line}: {message}")
        self.line, self.message = line, message


class GlossaryError(EntryError):
    """``docs/glossary.yml`` cannot be read."""


@dataclass(frozen=True)
class Term:
    """One entry. ``forms`` are further spellings of the English term that count as uses,
    ``names`` what others call the same thing, in either language; ``see`` ids of other terms, opposites and relatives;
    ``formula`` the meaning in TeX; ``page`` what explains it, as ``part/page`` or ``part/page#section``.
    ``marked``: does its first use in a section get a tooltip, and its first use in Korean the English name? Not if it
    has a plain meaning too. ``unless``: words with which it has one, in the sections in which they occur."""

    id: str
    ko: str
    en: str
    mean_ko: str
    mean_en: str
    forms: tuple[str, ...] = ()
    names: tuple[str, ...] = ()
    see: tuple[str, ...] = ()
    avoid: tuple[str, ...] = ()
    unless: tuple[str, ...] = ()
    formula: str = ""
    page: str = ""
    marked: bool = True
    line: int = field(default=0, compare=False)  # where the entry starts

    def name(self, language: str) -> str:
        return self.ko if language == "ko" else self.en

    def other(self, language: str) -> str:
        """Its name in the other language, if that is another one."""
        return "" if self.ko == self.en else self.en if language == "ko" else self.ko

    def meaning(self, language: str) -> str:
        return self.mean_ko if language == "ko" else self.mean_en

    def also(self, language: str) -> list[str]:
        """Other names for a reader of this language: Korean readers meet the English ones too.

        An abbreviation that is the term's own name in one of the languages is in its row already.
        """
        others = [name for name in self.names if name not in (self.ko, self.en)]
        return [name for name in others if language == "ko" or not HANGUL.search(name)]

    def tooltip(self, language: str) -> str:
        other = self.other(language)
        bracket = f"({other})" if language == "ko" else f" ({other})"
        return f"{self.name(language)}{bracket if other else ''}: {self.meaning(language)}"


#: Reads a file ten times as fast, where PyYAML was built with it.
FAST = getattr(yaml, "CSafeLoader", yaml.SafeLoader)

WORDS, LISTS = ("id", "ko", "en", "mean_ko", "mean_en"), ("forms", "names", "see", "avoid", "unless")
FIELDS = (*WORDS, *LISTS, "formula", "page", "marked")


def yaml_fault(error: yaml.YAMLError) -> tuple[int, str]:
    """The line of what is not YAML, counted from 1, and what is wrong with it."""
    mark = getattr(error, "problem_mark", None) or getattr(error, "context_mark", None)
    return (mark.line + 1 if mark else 1), getattr(error, "problem", None) or getattr(error, "reason", str(error))


def composed(path: Path, error: type[EntryError], quotable: str) -> yaml.Node | None:
    """The nodes of a file, which know their lines. Raises ``error`` that says to quote what is quotable."""
    try:
        text = path.read_text(encoding="utf-8")
        try:
            return yaml.compose(text, FAST)
        except yaml.YAMLError:
            return yaml.compose(text, yaml.SafeLoader)  # says more of what is wrong
    except UnicodeDecodeError:
        raise error(path, 1, "this is not UTF-8: save it as UTF-8") from None
    except yaml.YAMLError as fault:
        line, problem = yaml_fault(fault)
        raise error(path, line, f"this is not YAML: {problem}; quote the {quotable}") from None


def load(path: Path = PATH) -> list[Term]:
    """The entries in the order of the file. Raises ``GlossaryError`` for the first that is no entry."""
    tree = composed(path, GlossaryError, "value")
    if not isinstance(tree, yaml.SequenceNode) or not tree.value:
        raise GlossaryError(path, 1, "there are no entries: start each with `- id: …`")
    return [_entry(node, path) for node in tree.value]


def _entry(node: yaml.Node, path: Path) -> Term:
    line, found = node.start_mark.line + 1, {}
    if not isinstance(node, yaml.MappingNode):
        raise GlossaryError(path, line, f"an entry has the fields {', '.join(WORDS)}; this is none")
    for key, value in node.value:
        here, name = key.start_mark.line + 1, key.value
        if name not in FIELDS:
            raise GlossaryError(path, here, f"there is no field {name}; the fields are {', '.join(FIELDS)}")
        if name in found:
            raise GlossaryError(path, here, f"{name} stands twice in this entry: remove one")
        if name == "marked":
            if value.value not in ("true", "false"):
                raise GlossaryError(path, here, f"marked is true or false, not {value.value}")
            found[name] = value.value == "true"
            continue
        values = value.value if name in LISTS and isinstance(value, yaml.SequenceNode) else [value]
        if name in LISTS and not isinstance(value, yaml.SequenceNode):
            raise GlossaryError(path, here, f"{name} is a list: write {name}: [{value.value}]")
        if any(word.tag != "tag:yaml.org,2002:str" or not word.value.strip() for word in values):
            raise GlossaryError(
                path, here, f"{name} needs words: fill it in, and quote what YAML takes for something else"
            )
        found[name] = tuple(word.value for word in values) if name in LISTS else value.value
    if missing := [name for name in WORDS if name not in found]:
        raise GlossaryError(path, line, f"this entry lacks {', '.join(missing)}")
    return Term(**found, line=line)


@functools.cache
def _cached(path: Path, changed: float) -> list[Term]:
    return load(path)


def terms(path: Path = PATH) -> list[Term]:
    """As ``load``, read again only when the file has changed."""
    return _cached(path, path.stat().st_mtime)


def letter(name: str) -> str:
    """Under which letter a name stands: A to Z, or the consonant that its first syllable begins with."""
    first = name[0]
    return CONSONANTS[(ord(first) - ord("가")) // 588] if HANGUL.match(first) else first.upper()


def table(language: str) -> list[str]:
    """The glossary as lines of Markdown: its letters, and a table in the order of the page's alphabet."""
    entries = {term.id: term for term in terms()}
    rows = [(term.name(language), f"term-{term.id}", _row(term, entries, language)) for term in entries.values()]
    taken = {name.casefold() for name, *_ in rows}
    for term in entries.values():
        for short in filter(ABBREVIATION.fullmatch, term.names):
            if short.casefold() not in taken:
                taken.add(short.casefold())
                anchor = f"short-{short.lower()}"
                rows.append((short, anchor, f"| **{short}**{{ #{anchor} }} | | → {_link(term, language)} |"))
    rows.sort(key=lambda row: row[0].casefold())
    letters: dict[str, str] = {}
    for name, anchor, _ in rows:
        letters.setdefault(letter(name), anchor)
    return [
        " ".join(f"[{sign}](#{anchor})" for sign, anchor in letters.items()),
        "{: .letters }",
        "",
        f"| {' | '.join(strings.of(language)['glossary']['head'])} |",
        "|---|---|---|",
        *(row for *_, row in rows),
    ]


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


def pattern(language: str, entries: list[Term]) -> tuple[re.Pattern[str], dict[str, Term]]:
    """A pattern that finds uses of any term, the longest first, and the terms by what it finds."""
    found: dict[str, Term] = {}
    for term in entries:
        if not term.marked:
            continue
        if language == "ko":
            found[term.ko] = term
        else:
            for form in (term.en, term.en + "s", *term.forms):
                found[form.casefold()] = term
    words = "|".join(re.escape(word) for word in sorted(found, key=len, reverse=True))
    if language == "ko":
        return re.compile(rf"(?<![가-힣\w])(?:{words})(?=[^가-힣]|$|(?:{PARTICLES}))"), found
    return re.compile(rf"(?<![\w-])(?:{words})(?![\w-])", re.IGNORECASE), found


class _Table(Preprocessor):
    def __init__(self, md: Markdown, language: str) -> None:
        super().__init__(md)
        self.language = language

    def run(self, lines: list[str]) -> list[str]:
        self.md.has_glossary_table = any(line.strip() == MARKER for line in lines)
        return [new for line in lines for new in (table(self.language) if line.strip() == MARKER else [line])]


class _Tooltips(Treeprocessor):
    """Marks the first use of each term below every heading of level 2."""

    SKIP = {"a", "abbr", "button", "code", "h1", "h2", "h3", "h4", "pre", "script", "style", "svg", "th"}
    SKIP_CLASSES = {"figure", "formula", "questions", "transformer-map"}

    def __init__(self, md: Markdown, language: str) -> None:
        super().__init__(md)
        self.language = language

    def run(self, root):
        if self.md.has_glossary_table:
            return
        self.regex, self.found = pattern(self.language, terms())
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
    texts, heading = {None: ""}, None
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
        md.has_glossary_table = False
        register(md, "glossary-table", _Table(md, self.language))
        register(md, "glossary-tooltips", _Tooltips(md, self.language))
