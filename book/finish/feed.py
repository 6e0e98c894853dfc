"""A feed of what has changed in the book: an Atom file for each language, made of the entries on the page of changes.

An entry is a section whose heading begins with its day, `## 2026-11-22: What is new {#new}`.
"""

from __future__ import annotations

import html
import re
from dataclasses import dataclass
from datetime import date
from urllib.parse import urljoin
from xml.etree import ElementTree

from book import AUTHOR
from book.problems import BookError

#: The page, and the file beside the home page of each language.
PAGE, FILE = "appendix/changes.md", "changes.xml"
ATOM = "http://www.w3.org/2005/Atom"
ElementTree.register_namespace("", ATOM)
HEADING = re.compile(r'<h2 id="([^"]+)">(.*?)(?:<a class="headerlink".*?)?</h2>', re.DOTALL)
DAY = re.compile(r"(\d{4}-\d\d-\d\d): (.+)", re.DOTALL)


@dataclass(frozen=True)
class Entry:
    """``content``: HTML whose links are absolute, like ``address``."""

    address: str
    day: date
    title: str
    content: str


def entries(page: str, address: str) -> list[Entry]:
    """The entries of the page of changes, in its order. ``page``: HTML; ``address``: where it will be published."""
    pieces = HEADING.split(page)[1:]
    found = []
    for name, heading, content in zip(pieces[::3], pieces[1::3], pieces[2::3], strict=True):
        text = html.unescape(re.sub("<[^>]*>", "", heading)).strip()
        try:
            if (begins := DAY.fullmatch(text)) is None:
                raise ValueError(text)
            day, title = date.fromisoformat(begins[1]), begins[2]
        except ValueError:
            message = f"{PAGE}: the heading {text!r} does not begin with a day: write `## 2026-11-22: …`"
            raise BookError(message) from None
        content = re.sub("</?abbr[^>]*>", "", content)  # tooltips
        content = re.sub(
            r'(\s(?:href|src)=")([^"]*)"', lambda link: f'{link[1]}{urljoin(address, link[2])}"', content.strip()
        )
        found.append(Entry(f"{address}#{name}", day, title, content))
    return found


def atom(found: list[Entry], *, home: str, title: str, subtitle: str, language: str) -> str:
    """The feed as XML. ``home``: the address of the site."""
    feed = ElementTree.Element(f"{{{ATOM}}}feed", {"xml:lang": language})

    def add(parent: ElementTree.Element, name: str, text: str | None = None, **attributes: str) -> ElementTree.Element:
        child = ElementTree.SubElement(parent, f"{{{ATOM}}}{name}", attributes)
        child.text = text
        return child

    add(feed, "id", home)
    add(feed, "title", title)
    add(feed, "subtitle", subtitle)
    add(feed, "updated", _moment(max(entry.day for entry in found)))
    add(add(feed, "author"), "name", AUTHOR)
    add(feed, "link", rel="self", href=urljoin(home, FILE), type="application/atom+xml")
    add(feed, "link", rel="alternate", href=home, type="text/html", hreflang=language)
    for entry in found:
        item = add(feed, "entry")
        add(item, "id", entry.address)
        add(item, "title", entry.title)
        add(item, "updated", _moment(entry.day))
        add(item, "link", rel="alternate", href=entry.address, type="text/html")
        add(item, "content", entry.content, type="html")
    ElementTree.indent(feed)
    return f"<?xml version='1.0' encoding='utf-8'?>\n{ElementTree.tostring(feed, encoding='unicode')}\n"


def _moment(day: date) -> str:
    return f"{day.isoformat()}T00:00:00Z"
