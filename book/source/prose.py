"""Takes a line of prose apart: its code, formulas, links, images and references, and what is left to be read."""

from __future__ import annotations

import re
from dataclasses import dataclass
from functools import cached_property

from book import strings
from book.source import glossary, values

#: What a caption says what to try after; notebooks, in which nothing can be touched, leave that out.
TO_TRY = strings.each("touch", "to_try")

#: Where a page has the table of all exercises, or the files that a capstone asks for (book/artifacts/exercises.py).
EXERCISES, FILES = "<!-- exercises -->", re.compile(r"<!-- exercises (\w+) -->")
#: Where a row of a syllabus has its hours (book/artifacts/syllabus.py).
HOURS = "<!-- hours -->"
IMAGE = re.compile(r"!\[([^\]]*)\]\(([^)\s]*)[^)]*\)")
_LINK = re.compile(r"(?<!!)\[((?:[^\[\]]|\[[^\]]*\])*)\]\(([^)\s]+)[^)]*\)")
_REFERENCE = re.compile(r"\[\^([\w-]+)\](?!:)")
_CODE = re.compile(r"(?<![\\`])(`+)(?!`)(.+?)(?<!`)\1(?!`)")
_INLINE = re.compile(r"(?<![\\$])\$(?![\s$])((?:[^$\\]|\\.)+?)(?<!\s)\$(?!\d)")
_HTML = re.compile(r"<!--.*?(?:-->|$)|<[/!?]?[A-Za-z][^<>]*>?")


@dataclass(frozen=True)
class Line:
    """A line of prose. ``place``: text, heading, title, caption, goals, short or table. What is often asked is kept."""

    text: str
    number: int
    place: str
    written: str = ""  # as typed, before its values were put in

    @property
    def marks(self) -> list[str]:
        """What stands between its {{braces}}."""
        return values.MARK.findall(self.written)

    @property
    def without_values(self) -> Line:
        return Line(values.MARK.sub(" ", self.written), self.number, self.place) if self.marks else self

    @property
    def compared(self) -> Line:
        """What both languages have: without the values of examples, which may be others in each."""
        text = values.MARK.sub(
            lambda mark: typed[2] if (typed := values.TYPED.fullmatch(mark[1])) else " ", self.written
        )
        return Line(text, self.number, self.place) if self.marks else self

    @cached_property
    def without_code(self) -> str:
        return _CODE.sub(" ", self.text)

    @cached_property
    def markup(self) -> str:
        """Without code and formulas: < and ]( mean nothing there."""
        return _INLINE.sub(" ", self.without_code)

    @cached_property
    def prose(self) -> str:
        """Without code, formulas, addresses and mark-up."""
        return _prose(self.markup)

    @property
    def filled(self) -> str:
        """As it stands, with an x for each piece of code, formula, picture and escaped sign."""
        return IMAGE.sub("x", re.sub(r"\\.", "x", _INLINE.sub("x", _CODE.sub("x", self.text))))

    @cached_property
    def shown(self) -> str:
        """As ``prose``, with the same x."""
        return _prose(self.filled)

    @cached_property
    def tex(self) -> list[str]:
        """Its formulas, as typed."""
        return _INLINE.findall(self.without_code)

    @property
    def formulas(self) -> list[str]:
        return [normal(tex) for tex in self.tex]

    @cached_property
    def images(self) -> list[tuple[str, str]]:
        """Alternative text and address of each image."""
        return IMAGE.findall(self.without_code)

    @cached_property
    def links(self) -> list[tuple[str, str]]:
        """Text and address of each link."""
        return _LINK.findall(self.markup)

    @property
    def references(self) -> list[str]:
        return _REFERENCE.findall(self.without_code)

    @property
    def html(self) -> list[str]:
        """Tags and comments, except the marks of tables that the build writes."""
        return [tag for tag in _HTML.findall(self.markup) if not is_mark(tag)]

    @cached_property
    def code(self) -> list[str]:
        return [code for _, code in _CODE.findall(self.text)]

    @property
    def is_bullet(self) -> bool:
        return bool(re.match(r"\s*(?:[-*+]|\d+[.)])\s", self.text))


def is_mark(comment: str) -> bool:
    """Whether the build writes something in the place of a comment."""
    return comment in (glossary.MARKER, EXERCISES, HOURS) or bool(FILES.fullmatch(comment))


def _prose(text: str) -> str:
    text = _LINK.sub(r"\1", IMAGE.sub(" ", text))
    return _REFERENCE.sub(" ", re.sub(r"\{[^}]*\}|<[^>]*>", " ", text))


def normal(tex: str) -> str:
    """A formula without what may differ between languages: spaces and the words in \\text{}."""
    return re.sub(r"\s+", "", re.sub(r"\\text\{[^{}]*\}", r"\\text{}", tex))


def columns(row: str) -> int:
    """How many cells a row of a table has."""
    return len(re.split(r"(?<!\\)\|", _CODE.sub("", row).strip().strip("|")))


def untouched(prose: str) -> str:
    """Captions without what to try."""
    return re.sub(rf" *(?:{'|'.join(map(re.escape, TO_TRY.values()))}).*", "", prose)
