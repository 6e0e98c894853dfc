"""What the Markdown of each page has become, kept while the book is served: an edit concerns one page, mostly.

A page depends on its own text, on what its cells printed, and on files that are no pages: what it includes, draws and
links to, and the glossary. When one of those is written, comes or goes, all pages are rendered again.
"""

from __future__ import annotations

import os
import pickle
from contextlib import suppress
from pathlib import Path

from mkdocs.structure.files import Files
from mkdocs.structure.pages import Page

from book import ROOT, exercises
from book.later import Later
from book.serve import SERVED, state_of

#: What rendering sets of a page.
RESULT = ("content", "toc", "_title_from_render", "present_anchor_ids")


def state(files: Files) -> list[str]:
    """Of everything that pages depend on besides their own text."""
    others = [path for path in (ROOT / "docs").rglob("*") if path.suffix != ".md"]
    addresses = sorted(file.src_uri for file in files)
    return [os.environ[SERVED], state_of([*others, exercises.KEPT, *(ROOT / "snippets").rglob("*")]), *addresses]


class Rendered:
    """The pages of a build as the one before left them in a file, and leaves them to the next."""

    def __init__(self, path: Path, state: list[str], later: Later) -> None:
        self.path, self.state, self.later = path, state, later
        self.before, self.now = {}, {}
        with suppress(FileNotFoundError):
            before, pages = pickle.loads(path.read_bytes())
            if before == state:
                self.before = pages

    def render(self, page: Page, config, files: Files) -> None:
        """As MkDocs does it, unless the page is as it was."""
        name, source = page.file.src_uri, (page.markdown, config.extra["book"].page.outputs)
        before = self.before.get(name)
        if before and before[0] == source:
            _, result, waiting = before
            vars(page).update(result)
            self.later.waiting.update(waiting)
        else:
            Page.render(page, config, files)
            result = {attribute: getattr(page, attribute) for attribute in RESULT}
            waiting = self.later.waiting_in(page.content)
        self.now[name] = source, result, waiting

    def keep(self) -> None:
        part = self.path.with_name(f"{self.path.name}.part")  # a build can be ended while it writes
        part.write_bytes(pickle.dumps((self.state, self.now)))
        part.replace(self.path)
