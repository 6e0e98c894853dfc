"""The glossary: one list of terms, ``docs/glossary.yml``, used three times.

Pages show it as a table and as tooltips (``book/markdown/terms.py``), and the checks refuse on Korean pages what its
entries ``avoid``.
"""

from __future__ import annotations

import functools
import re
from dataclasses import dataclass, field
from pathlib import Path

import yaml

from book import ROOT
from book.source.located import EntryError, composed

PATH = ROOT / "docs" / "glossary.yml"
MARKER = "<!-- glossary -->"

HANGUL = re.compile("[가-힣]")

#: What may follow a Korean noun without making it another word.
PARTICLES = (
    "은|는|이|가|을|를|의|와|과|에|로|으로|도|만|마다|보다|처럼|까지|부터|끼리|들|이란|란|입니다|이고|이며|인|일|하고"
)


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
WORDS, LISTS = ("id", "ko", "en", "mean_ko", "mean_en"), ("forms", "names", "see", "avoid", "unless")
FIELDS = (*WORDS, *LISTS, "formula", "page", "marked")


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
