"""The text that the search looks through: pages by sections, the names of terms, and the keys of docs/keywords.yml.

The theme's plugin writes all sections to ``search/search_index.json``, which the theme loads with every page.
``write`` puts what the book's own search needs into ``search/text.json``, which is loaded when a reader wants to
search (docs/assets/js/search), and leaves of the other only the settings.
"""

from __future__ import annotations

import html
import json
import re
from collections import Counter
from collections.abc import Iterable
from dataclasses import dataclass
from pathlib import Path

import yaml

from book import ROOT
from book.source import glossary
from book.source.glossary import Term
from book.source.located import EntryError, composed

KEYWORDS = ROOT / "docs" / "keywords.yml"
GLOSSARY = "appendix/glossary"
#: Of pages that name what other pages explain.
INDEX_WEIGHT, GLOSSARY_WEIGHT = 0.6, 0.6

_CODE = re.compile(r"<pre>(.*?)</pre>", re.DOTALL)
_TAG = re.compile(r"<[^>]*>")
#: A name in code. What is in Hangul there is data, and its page speaks of it in prose.
_NAME = re.compile(r"[A-Za-z]\w+", re.ASCII)
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


def plain(source: str) -> str:
    """HTML as text in one line."""
    text = html.unescape(_TAG.sub("", source)).replace("\u200b", "").replace("\u200c", "").replace("\u2060", "")
    return re.sub(r"\s+", " ", text).strip()


def prose_and_names(source: str) -> tuple[str, str]:
    """The prose of a section, and each other name in its code and outputs once."""
    prose = plain(_CODE.sub(" ", source))
    said = set(_NAME.findall(prose))
    names = (name for block in _CODE.findall(source) for name in _NAME.findall(plain(block)))
    return prose, " ".join(dict.fromkeys(name for name in names if name not in said))


def address(page: str) -> str:
    """Of a page, below the root of its site: ``attention/masks`` is at ``attention/masks/``."""
    return "" if page == "index" else f"{page.removesuffix('/index')}/"


def documents(entries: list[dict], pages: dict[str, dict], language: str, keys: list[Keys], terms: list[Term]) -> dict:
    """What the search loads. ``entries``: of the theme's plugin, in the order of the pages;
    ``pages``: title and description of each page in its source, by the page's path."""
    by_address = {address(page): page for page in pages}
    found: dict[str, dict] = {}
    for entry in entries:
        url, _, anchor = entry["location"].partition("#")
        page = by_address[url]
        if url not in found:
            weight = INDEX_WEIGHT if page.split("/")[-1] == "index" else 1
            meta = pages[page]
            title = str(meta.get("title") or plain(entry["title"]))
            about = str(meta.get("description") or "")
            found[url] = {"url": url, "title": title, "about": about, "weight": weight, "sections": []}
        found[url]["sections"].append(
            [anchor, plain(entry["title"]) if anchor else "", *prose_and_names(entry["text"])]
        )
    sections = [section for page in found.values() for section in page["sections"]]
    times = Counter(name for section in sections for name in section[3].split())
    for section in sections:
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


def write(site: Path, pages: dict[str, dict], language: str) -> None:
    """Into the directory of a site that the theme's plugin has written its index to."""
    index = site / "search" / "search_index.json"
    everything = json.loads(index.read_text(encoding="utf-8"))
    text = documents(everything["docs"], pages, language, keywords(), glossary.terms())
    (index.parent / "text.json").write_text(_compact(text), encoding="utf-8")
    index.write_text(_compact({**everything, "docs": []}), encoding="utf-8")


def _compact(value: object) -> str:
    return json.dumps(value, ensure_ascii=False, separators=(",", ":"))
