"""Columns of an output that has Hangul in it, in line whatever font a reader has.

What a snippet prints counts two columns for a syllable (``comments.width``). Fonts of code have no Hangul, and those
that stand in for it are narrower, so each later column of a heading would stand too far left. A cell with Hangul gets
the width that it was given: an inline block of so many ``ch``.
"""

from __future__ import annotations

import html
import re

from book.comments import width
from book.foreign import HANGUL

OUTPUT = re.compile(r'(<div class="language-text highlight"><pre>(?:<span></span>)?<code>)(.*?)(</code>)', re.S)
#: Words with single spaces between them.
CELL = re.compile(r"\S+(?: \S+)*")
_USED = re.compile(r'<span class="cell(?: end)? w(\d+)">')


def aligned(page: str) -> str:
    """The page, with each cell with Hangul as wide as it was printed."""
    return OUTPUT.sub(lambda one: one[1] + _aligned(one[2]) + one[3], page)


def rules(page: str) -> str:
    """The style rules that these cells need."""
    if not (used := sorted({*map(int, _USED.findall(page))})):
        return ""
    widths = "".join(f".w{columns}{{width:{columns}ch}}" for columns in used)
    return f".cell{{display:inline-block}}.cell.end{{text-align:right}}{widths}"


def _aligned(output: str) -> str:
    lines = output.split("\n")
    return "\n".join(
        _line(line, below) if "  " in line.rstrip() else line
        for line, below in zip(lines, [*lines[1:], ""], strict=True)
    )


def _cells(line: str) -> list[tuple[int, int, re.Match]]:
    """Each cell of a line, with the columns where it starts and ends."""
    plain = html.unescape
    return [(width(plain(line[: one.start()])), width(plain(line[: one.end()])), one) for one in CELL.finditer(line)]


def _line(line: str, below: str) -> str:
    """A heading ends where the cell below it ends. What stands at the left, or over what starts there, starts there."""
    starts, ends = ({cell[n] for cell in _cells(below)} for n in (0, 1))
    pieces, done = [], 0
    for start, end, cell in _cells(line):
        if re.search(HANGUL, cell[0]) and "<" not in cell[0]:
            flush = "" if start == 0 or (start in starts and end not in ends) else " end"
            pieces += [line[done : cell.start()], f'<span class="cell{flush} w{end - start}">', cell[0], "</span>"]
            done = cell.end()
    return "".join([*pieces, line[done:]])
