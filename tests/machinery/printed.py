"""The printed book, read back: its outline, links, text, and what is on its pages."""

from __future__ import annotations

import io
import os
import re
from dataclasses import dataclass, field
from functools import cached_property

import pikepdf
import pypdfium2
import pytest

from book.finish.browser import program

#: Of A4, in points: what the margins of book/finish/pdf.css leave, without the lines above and below.
LEFT, RIGHT, TOP, BOTTOM = 68, 527, 59, 780


def plain(text: str) -> str:
    """Without spaces and hyphens: a PDF has only pieces of lines, and none that ends with a hyphen."""
    return re.sub(r"[\s\u00ad\ufffe\u200b\u2060-]", "", text)


@dataclass
class Printed:
    pdf: bytes
    _texts: dict[int, str] = field(default_factory=dict, repr=False)

    @cached_property
    def file(self) -> pikepdf.Pdf:
        return pikepdf.open(io.BytesIO(self.pdf))

    @cached_property
    def pages(self) -> pypdfium2.PdfDocument:
        return pypdfium2.PdfDocument(self.pdf)

    def text(self, page: int) -> str:
        """Of a page, counted from 1, as ``plain``."""
        if page not in self._texts:
            self._texts[page] = plain(self.pages[page - 1].get_textpage().get_text_range())
        return self._texts[page]

    def between(self, first: int, last: int) -> str:
        """Without the numbers of pages and the line above, which stand between the text of two pages."""
        return "".join(map(self.text, range(first, last + 1)))

    @cached_property
    def outline(self) -> list[tuple[int, str, int]]:
        """Level, title and page of each bookmark."""
        return [
            (one.level + 1, one.get_title(), one.get_dest().get_index() + 1) for one in self.pages.get_toc(max_depth=9)
        ]

    @cached_property
    def links(self) -> list[tuple[int, str, int | None]]:
        """The page of each link, its address or the name of its destination, and the page that it leads to."""
        numbers = {page.objgen: number for number, page in enumerate(self.file.pages, 1)}
        named = self.file.Root.get("/Dests", {})
        found = []
        for number, page in enumerate(self.file.pages, 1):
            for link in page.get("/Annots", []):
                if link.get("/Subtype") != "/Link":
                    continue
                action = link.get("/A", {})
                if "/URI" in action:
                    found.append((number, str(action["/URI"]), None))
                    continue
                name = link.get("/Dest", action.get("/D"))
                target = numbers[named[name][0].objgen] if name in named else None
                found.append((number, str(name), target))
        return found

    def ink(self, page: int) -> tuple[float, float, float, float] | None:
        """Left, top, right and bottom of what is on a page, in points, without the lines above and below it."""
        drawn = self.pages[page - 1].render(scale=0.5, grayscale=True).to_pil()
        body = drawn.crop((0, TOP // 2, drawn.width, BOTTOM // 2)).point(lambda value: 255 if value < 235 else 0)
        box = body.getbbox()
        return box and (2 * box[0], 2 * box[1] + TOP, 2 * box[2], 2 * box[3] + TOP)

    def used(self, page: int) -> float:
        """The share of a page above the end of what is on it."""
        box = self.ink(page)
        return (box[3] - TOP) / (BOTTOM - TOP) if box else 0.0


def require_browser() -> None:
    if program() is None:
        reason = "no browser found: install Chromium or Chrome, or set CHROMIUM to its path"
        pytest.fail(reason, pytrace=False) if os.environ.get("REQUIRE_BROWSER") == "1" else pytest.skip(reason)
