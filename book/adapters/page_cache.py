"""What the Markdown of each page has become, kept while the book is served: an edit concerns one page, mostly.

A page depends on its own text, on what its cells printed, and on files that are no pages: what it includes, draws and
links to, and the glossary. When one of those is written, comes or goes, all pages are rendered again.
"""

from __future__ import annotations

import json
import os
from contextlib import suppress
from pathlib import Path
from typing import Any

from mkdocs.structure.files import Files
from mkdocs.structure.pages import Page
from mkdocs.structure.toc import AnchorLink, get_toc

from book import ROOT, files
from book.adapters.serve import SERVED, state_of
from book.artifacts import exercises
from book.markdown.later import Later


def state(files: Files) -> list[str]:
    """Return what all pages depend on: the machinery, the files that are no pages, and the addresses of all files."""
    others = [path for path in (ROOT / "docs").rglob("*") if path.suffix != ".md"]
    addresses = sorted(file.src_uri for file in files)
    return [os.environ[SERVED], state_of([*others, exercises.KEPT, *(ROOT / "snippets").rglob("*")]), *addresses]


def _token(link: AnchorLink) -> dict[str, Any]:
    """Return an entry of a table of contents as the Markdown extension gave it, from which MkDocs makes it again."""
    return {"level": link.level, "id": link.id, "name": link.title, "children": [_token(one) for one in link.children]}


class PageCache:
    """The pages of a build as the one before left them in a file, and leaves them to the next.

    The file is JSON: it stands in the directory that is served, and whatever else could write there must not be able
    to run code here.
    """

    def __init__(self, path: Path, state: list[str], later: Later) -> None:
        self.path, self.state, self.later = path, state, later
        self.before: dict[str, dict[str, Any]] = {}
        self.now: dict[str, dict[str, Any]] = {}
        with suppress(FileNotFoundError, ValueError):  # half a file, or one of an older book
            before = json.loads(path.read_text(encoding="utf-8"))
            if before["state"] == state:
                self.before = before["pages"]

    def render(self, page: Page, config, files: Files) -> None:
        """Render the page, or restore it if its text and the outputs of its cells are as they were."""
        name, source = page.file.src_uri, [page.markdown, config.extra["book"].page.outputs]
        entry = self.before.get(name)
        if entry and entry["source"] == source:
            page.content, page.toc = entry["content"], get_toc(entry["toc"])
            page._title_from_render = entry["title"]
            page.present_anchor_ids = set(entry["anchors"])
            self.later.waiting.update(entry["waiting"])
        else:
            Page.render(page, config, files)
            entry = {
                "source": source,
                "content": page.content,
                "toc": [_token(link) for link in page.toc],
                "title": page._title_from_render,
                "anchors": sorted(page.present_anchor_ids or ()),
                "waiting": self.later.waiting_in(page.content or ""),
            }
        self.now[name] = entry

    def keep(self) -> None:
        """Write the file for the next build."""
        files.write(self.path, json.dumps({"state": self.state, "pages": self.now}))
