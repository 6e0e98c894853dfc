"""The text that the search looks through: pages by sections, the names of terms, and the keys of docs/keywords.yml.

``sections`` takes the article of each page apart while the site is built, and ``write`` puts all of them into
``search/text.json``, which is loaded when a reader wants to search (docs/assets/js/search).
"""

from __future__ import annotations

import json
import math
import re
from collections import Counter
from collections.abc import Iterable
from dataclasses import dataclass
from html.parser import HTMLParser
from pathlib import Path
from typing import Any

import yaml

from book import ROOT
from book.source import glossary
from book.source.glossary import Term
from book.source.located import EntryError, composed

KEYWORDS = ROOT / "docs" / "keywords.yml"
GLOSSARY = "appendix/glossary"
#: Of pages that name what other pages explain.
INDEX_WEIGHT, GLOSSARY_WEIGHT = 0.6, 0.6

#: Characters that are nothing to search for: they only say where a line may be broken.
_UNSEEN = re.compile("[\u200b\u200c\u2060]")
#: A name in code. What is in Hangul there is data, and its page speaks of it in prose.
_NAME = re.compile(r"[A-Za-z]\w+", re.ASCII)
#: Elements that have no end.
VOID = {"br", "hr", "img", "input", "wbr"}
#: A name in the code of more sections does little to tell them from others.
COMMON = 2


class SearchError(EntryError):
    """``docs/keywords.yml`` cannot be used."""


@dataclass(frozen=True)
class Keys:
    """Other words that lead to a page, or to one of its sections."""

    page: str
    section: str
    words: tuple[str, ...]
    line: int


def keywords(path: Path = KEYWORDS) -> list[Keys]:
    """The entries of the file. Raises ``SearchError`` for the first that is none."""
    if not path.is_file():
        return []
    tree = composed(path, SearchError, "word")
    if tree is None:
        return []
    if not isinstance(tree, yaml.MappingNode):
        raise SearchError(path, 1, "write each entry as `part/page: [words]`")
    found: dict[str, Keys] = {}
    for key, value in tree.value:
        line = key.start_mark.line + 1
        words = value.value if isinstance(value, yaml.SequenceNode) else []
        if not words or not all(isinstance(word, yaml.ScalarNode) and word.value.strip() for word in words):
            raise SearchError(path, line, f"the words of {key.value} are a list: write {key.value}: [one, two]")
        if key.value in found:
            raise SearchError(path, line, f"{key.value} stands here twice: put its words into one list")
        page, _, section = key.value.partition("#")
        found[key.value] = Keys(page, section, tuple(word.value for word in words), line)
    return list(found.values())


def missing(keys: Iterable[Keys], sections: dict[str, set[str]]) -> list[tuple[int, str]]:
    """What these keys lead to and is not there, with its line. ``sections``: ids of the headings of each page."""
    problems = []
    for key in keys:
        if key.page not in sections:
            problems.append((key.line, f"there is no page {key.page}: correct the path, or remove the entry"))
        elif key.section and key.section not in sections[key.page]:
            message = f"{key.page} has no heading with the id {key.section}: correct it, or remove the entry"
            problems.append((key.line, message))
    return problems


@dataclass
class Section:
    """What stands below a heading, up to the next one; ``anchor``: the heading's id, none before the first below it."""

    anchor: str
    title: str = ""
    prose: str = ""
    code: str = ""
    left_out: bool = False
    depth: float = 0  # how many elements its heading is in, itself included


class _Article(HTMLParser):
    """Takes an article apart. What has ``data-search-exclude`` is left out, with all below a heading that has it."""

    def __init__(self) -> None:
        super().__init__()
        self.sections = [Section("")]
        self.section = self.sections[0]
        self.open: list[str] = []  # elements, from the outermost
        self.heading = 0  # how many elements are open in a heading, and in what is left out: none outside
        self.left_out = 0

    def handle_starttag(self, tag: str, attributes: list[tuple[str, str | None]]) -> None:
        if tag in VOID:
            return
        self.open.append(tag)
        if tag == "pre":
            self.section.code += " "
        given = dict(attributes)
        exclude = "data-search-exclude" in given
        if re.fullmatch("h[1-6]", tag) and given.get("id"):
            if tag == "h1":
                self.section = self.sections[0]
            else:
                self.section = Section(given["id"] or "", left_out=exclude, depth=len(self.open))
                self.sections.append(self.section)
            self.heading = len(self.open)
        if not self.left_out and (exclude or given.get("class") == "headerlink"):
            self.left_out = len(self.open)

    def handle_endtag(self, tag: str) -> None:
        if self.open[-1:] != [tag]:
            return
        depth = len(self.open)
        if depth == self.heading:
            self.heading = 0
        if depth == self.left_out:
            self.left_out = 0
        self.open.pop()
        if self.section.depth > depth:  # its heading stood in what ends here: what follows belongs to the one before
            self.section.depth = math.inf
            self.section = next(one for one in reversed(self.sections) if one.depth <= depth)

    def handle_data(self, data: str) -> None:
        if self.left_out:
            return
        if self.heading:
            self.section.title += data
        elif "pre" in self.open:
            self.section.code += data
            self.section.prose += " "
        else:
            self.section.prose += data


def sections(article: str) -> list[Section]:
    """Return the sections of an article, given as HTML; the first is what stands before the first heading."""
    reader = _Article()
    reader.feed(article)
    reader.close()
    return [one for one in reader.sections if not one.left_out]


def plain(text: str) -> str:
    """Return text in one line, as it is searched."""
    return re.sub(r"\s+", " ", _UNSEEN.sub("", text)).strip()


def prose_and_names(section: Section) -> tuple[str, str]:
    """Return the prose of a section, and each other name in its code and outputs once."""
    prose = plain(section.prose)
    said = set(_NAME.findall(prose))
    return prose, " ".join(dict.fromkeys(name for name in _NAME.findall(plain(section.code)) if name not in said))


def address(page: str) -> str:
    """Of a page, below the root of its site: ``attention/masks`` is at ``attention/masks/``."""
    return "" if page == "index" else f"{page.removesuffix('/index')}/"


def documents(
    articles: dict[str, list[Section]], pages: dict[str, dict], language: str, keys: list[Keys], terms: list[Term]
) -> dict:
    """Return what the search loads. ``articles``: the sections of each page; ``pages``: what the front matter of each
    says, title and description; both by the page's path."""
    found: dict[str, dict[str, Any]] = {}
    for page, parts in articles.items():
        meta = pages[page]
        if meta.get("search"):  # exclude: true, says book/checks/forms.py
            continue
        found[address(page)] = {
            "url": address(page),
            "title": str(meta.get("title") or plain(parts[0].title)),
            "about": str(meta.get("description") or ""),
            "weight": INDEX_WEIGHT if page.split("/")[-1] == "index" else 1,
            "sections": [
                [part.anchor, plain(part.title) if part.anchor else "", *prose_and_names(part)] for part in parts
            ],
        }
    everything = [section for page in found.values() for section in page["sections"]]
    times = Counter(name for section in everything for name in section[3].split())
    for section in everything:
        section[3] = " ".join(name for name in section[3].split() if times[name] <= COMMON)
    if table := found.get(address(GLOSSARY)):
        table["weight"] = GLOSSARY_WEIGHT
        table["sections"] = [["", "", "", ""], *(_row(term, language) for term in terms)]
    return {
        "pages": list(found.values()),
        "terms": [_names(term, language) for term in terms],
        "keys": [[address(key.page), key.section, list(key.words)] for key in keys if address(key.page) in found],
    }


def _row(term: Term, language: str) -> list[str]:
    other = term.other(language)
    title = f"{term.name(language)} ({other})" if other else term.name(language)
    return [f"term-{term.id}", title, term.meaning(language), ""]  # its other names are among the terms


def _names(term: Term, language: str) -> list[str]:
    first, second = (term.ko, term.en) if language == "ko" else (term.en, term.ko)
    return list(dict.fromkeys([first, second, *term.forms, *term.names]))


def write(site: Path, articles: dict[str, list[Section]], pages: dict[str, dict], language: str) -> None:
    """Write the text of a site into its directory."""
    text = documents(articles, pages, language, keywords(), glossary.terms())
    path = site / "search" / "text.json"
    path.parent.mkdir(exist_ok=True)
    path.write_text(json.dumps(text, ensure_ascii=False, separators=(",", ":")), encoding="utf-8")
