"""What the source of a page consists of, and of a file that it includes: lines, fences, sections, and where each is."""

from __future__ import annotations

import re
from collections.abc import Iterator
from dataclasses import dataclass, field
from pathlib import Path

from book.source.prose import Line
from book.source.text import lines_of, read

MARKER = re.compile(r"--8<-- \[(start|end):\s*([\w-]+)\s*\]")

#: What pytest-codeblocks reads in the worked examples: an output stands below, and this one raises (its own
#: ``expect-error`` is deprecated in favour of pytest's marker).
OUTPUT = "<!--pytest-codeblocks:expected-output-->"
RAISES = "<!--pytest.mark.xfail-->"

#: In a file of examples: they need a package that readers may leave out, and perhaps all the weights in it.
NEEDS = re.compile(r"<!-- needs (\w+)(, whole)? -->")
_FENCE = re.compile(r"^(\s*)(`{3,}|~{3,})\s*(.*?)\s*$")
HEADING = re.compile(r"^(#{1,6})\s+(.*?)\s*(?:\{\s*#([^\s}]+)[^}]*\})?\s*$")


@dataclass(frozen=True)
class Item:
    """Something that both languages must have: a heading, a formula, an include, a figure …"""

    kind: str
    value: str
    line: int


@dataclass
class Fence:
    """A block of code as typed into a page, or into a file of worked examples."""

    info: str
    line: int
    marker: str
    indent: int
    body: list[str] = field(default_factory=list)
    end: int = 0  # the line that closes it; 0 if none does

    @property
    def language(self) -> str:
        return re.sub(r"^\{\s*\.?|[\s,}].*$", "", self.info).lower()


@dataclass
class Page:
    """One page in one language. ``name`` is its path below the language, ``attention/masks.md``."""

    path: Path
    language: str
    name: str
    meta: dict
    items: list[Item]
    lines: list[Line]
    fences: list[Fence]
    includes: list[tuple[str, int, Fence | None]]
    unread: list[tuple[int, str]]  # lines that the site shows otherwise than they are read here, and what to do
    formulas: list[tuple[int, str]] = field(default_factory=list)  # the display formulas, as typed

    def headings(self) -> list[tuple[int, str, str, int]]:
        """Level, id (empty if there is none), text and line of each heading."""
        found = []
        for line in self.lines:
            if line.place == "heading":
                marks, text, name = HEADING.findall(line.text)[0]
                found.append((len(marks), name, text, line.number))
        return found

    def anchors(self) -> set[str]:
        """Every id that a link may lead to, as far as it stands in the source."""
        return {name for line in self.lines for name in re.findall(r"\{[^}]*#([^\s}]+)", line.text)}

    def sections(self) -> list[tuple[str, int, list[Line]]]:
        """The lines below each heading, that line included: id, line of the heading, lines."""
        found: list[tuple[str, int, list[Line]]] = [("", 1, [])]
        for line in self.lines:
            if line.place == "heading":
                found.append((HEADING.findall(line.text)[0][2], line.number, []))
            found[-1][2].append(line)
        return found


def fences(lines: list[str]) -> list[Fence]:
    """Every block of code of a page, or of a file of worked examples, in order."""
    found: list[Fence] = []
    fence: Fence | None = None
    in_formula = False
    for number, line in enumerate(lines, start=1):
        mark = _FENCE.match(line)
        if fence is None and line.strip() == "$$":
            in_formula = not in_formula
        elif in_formula:
            continue
        elif fence is None and mark:
            fence = Fence(mark[3], number, mark[2], len(mark[1]))
            found.append(fence)
        elif fence is not None and mark and mark[2].startswith(fence.marker) and not mark[3]:
            fence.end, fence = number, None
        elif fence is not None:
            fence.body.append(line)
    return found


def paragraphs(page: Page) -> Iterator[list[Line]]:
    """The lines that Markdown takes together."""
    found: list[Line] = []
    for line in page.lines:
        alone = line.place in ("heading", "title", "table") or line.is_bullet
        if found and (alone or line.number != found[-1].number + 1 or found[-1].place in ("heading", "title", "table")):
            yield found
            found = []
        found.append(line)
    if found:
        yield found


@dataclass(frozen=True)
class Section:
    """A named section of a file in ``snippets``; ``line`` and ``end`` are those of its markers."""

    name: str
    line: int
    end: int
    lines: tuple[str, ...]  # between the markers


def read_sections(lines: list[str]) -> tuple[list[Section], list[tuple[int, str]]]:
    """The sections of a file, in order, and what is wrong with their markers: line, and what to do."""
    found: list[Section] = []
    wrong: list[tuple[int, str]] = []
    name, began = "", 0  # of the one that is open
    for number, line in enumerate(lines, start=1):
        if not (marker := MARKER.search(line)):
            continue
        if name:  # whatever marker comes next ends it
            found.append(Section(name, began, number, tuple(lines[began : number - 1])))
        if marker[1] == "start":
            if name:
                wrong.append((number, f"section {marker[2]} starts inside {name}: end that one first"))
            name, began = marker[2], number
        else:
            if marker[2] != name:
                wrong.append((number, f"section {marker[2]} ends here and did not start: add the start, or rename"))
            name = ""
    if name:
        found.append(Section(name, began, len(lines) + 1, tuple(lines[began:])))
        wrong.append((began, f"section {name} never ends: add `--8<-- [end:{name}]`"))
    return found, wrong


def sections(path: Path) -> dict[str, int]:
    """The named sections of a file in ``snippets``, with the line where each starts."""
    found: dict[str, int] = {}
    for section in read_sections(lines_of(read(path)))[0]:
        found.setdefault(section.name, section.line)
    return found
