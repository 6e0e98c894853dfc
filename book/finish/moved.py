"""Pages that are gone, and where their addresses lead: ``extra.moved`` in mkdocs.yml.

    moved:
      part/old.md: part/new.md
      part/old.md#section: part/other.md#section

An old address gets a page that leads on at once, by the browser alone or, where a section has gone elsewhere, by the
script docs/assets/js/moved.js. It is in neither sitemap nor search. mkdocs-redirects does not do this: since 1.2.3 it
brings a second generator of sites along, and the pages it writes are English in both languages, lose their sections
without an inline script, and say nothing of what they may run.
"""

from __future__ import annotations

import html
import json
import posixpath
from collections.abc import Iterator
from dataclasses import dataclass, field
from pathlib import Path

import yaml

from book import strings
from book.finish import assets, policy
from book.problems import Problem
from book.source.pages import Book, Settings
from book.source.text import lines_of, near, read

SAID = strings.each("moved")
PAGE = """\
<!doctype html>
<html lang="{language}">
<head>
{policy}
<meta charset="utf-8">
<meta name="viewport" content="width=device-width, initial-scale=1">
<meta name="robots" content="noindex">
<title>{title}</title>
<link rel="canonical" href="{canonical}">
<script src="{assets}assets/js/moved.js" data-page="{page}" data-sections="{sections}"></script>
<meta http-equiv="refresh" content="0; url={page}">
</head>
<body><p>{said} <a href="{page}">{title}</a></p></body>
</html>
"""


@dataclass
class Moved:
    """Where a page has gone, and those of its sections that have gone elsewhere."""

    to: str = ""
    sections: dict[str, str] = field(default_factory=dict)


def pages(moved: dict[str, str] | None) -> dict[str, Moved]:
    """What mkdocs.yml says, by the old page."""
    found: dict[str, Moved] = {}
    for old, new in (moved or {}).items():
        name, _, section = old.partition("#")
        one = found.setdefault(name, Moved())
        if section:
            one.sections[section] = new
        else:
            one.to = new
    return found


def file(name: str) -> str:
    """Where the site has a page: ``part/old/index.html``."""
    return f"{name.removesuffix('.md')}/index.html"


def way(old: str, new: str) -> str:
    """From the address of an old page to a page or section, as its link has it."""
    name, mark, section = new.partition("#")
    folder, _, page = name.removesuffix(".md").rpartition("/")
    target = posixpath.join(folder, "" if page == "index" else page)
    return posixpath.relpath(target or ".", posixpath.dirname(file(old))) + "/" + mark + section


def page(old: str, moved: Moved, title: str, language: str, site_url: str, path: str, served: bool) -> str:
    """The page at an old address. ``path``: of the language below the root of both sites."""
    to, base = way(old, moved.to), "../" * file(old).count("/")
    sections = json.dumps({section: way(old, new) for section, new in moved.sections.items()})
    text = PAGE.format(
        language=language,
        policy=policy.PLACE,
        title=html.escape(title),
        canonical=html.escape(site_url + posixpath.normpath(posixpath.join(posixpath.dirname(file(old)), to)) + "/"),
        assets=assets.root(base, path),
        page=html.escape(to),
        sections=html.escape(sections),
        said=SAID[language],
    )
    return policy.without(text) if served else policy.written(text)


def _settings(root: Path) -> dict[str, str]:
    config = yaml.load(read(root / "mkdocs.yml"), Loader=Settings) or {}
    return (config.get("extra") or {}).get("moved") or {}


def moved_pages(book: Book) -> Iterator[Problem]:
    """Old addresses belong to no page, and lead to pages and sections that are there."""
    path = book.root / "mkdocs.yml"
    lines = lines_of(read(path))
    settings = _settings(book.root)

    def line(old: str) -> int:
        return next((n for n, text in enumerate(lines, 1) if text.strip().startswith(f"{old}:")), 1)

    for old, one in pages(settings).items():
        if any(old in pages for pages in book.pages.values()):
            yield Problem(path, line(old), f"{old} has moved, and is there: remove the page, or this line")
        first = next(key for key in settings if key.partition("#")[0] == old)
        if old.endswith("index.md"):
            yield Problem(path, line(first), f"an index stays: {old} cannot be moved")
        elif not old.endswith(".md") or not one.to:
            yield Problem(path, line(first), f"say where {old} is now: write {old}: part/page.md")
    for old, new in settings.items():
        name, _, section = str(new).partition("#")
        for there in book.pages.values():
            if name not in there:
                yield Problem(path, line(old), f"{old} leads to {name}, and there is none{near(name, there)}")
            elif section and section not in there[name].anchors():
                yield Problem(path, line(old), f"{old} leads to #{section}, which {name} lacks: correct it")
            else:
                continue
            break


CHECKS = (moved_pages,)
