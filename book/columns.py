"""Columns of an output: in line where there is Hangul in it, whatever font a reader has, and all of them on a phone.

What a snippet prints counts two columns for a syllable (``comments.width``). Fonts of code have no Hangul, and those
that stand in for it are narrower, so each later column of a heading would stand too far left. A cell with Hangul gets
the width that it was given: an inline block of so many ``ch``.

On a phone, the last columns of a table would be hidden, and nothing would tell what is missing. So an output that has
no room there gets smaller letters, down to a size that can still be read; what is wider than that scrolls.
"""

from __future__ import annotations

import html
import re

from book.comments import width
from book.foreign import HANGUL

OUTPUT = re.compile(r'(<div class="language-text highlight"><pre>(?:<span></span>)?<code>)(.*?)(</code>)', re.S)
#: Words with single spaces between them.
CELL = re.compile(r"\S+(?: \S+)*")
#: Columns that every box has room for on the smallest phones. More of them are counted in a class.
ROOM = 24
_WIDE = re.compile(r'<div class="language-text highlight n(\d+)">')
_USED = re.compile(r'<span class="cell(?: end)? w(\d+)">')


def aligned(page: str) -> str:
    """The page, with each cell with Hangul as wide as it was printed, and outputs that say how wide they are."""

    def shown(one: re.Match) -> str:
        columns = max(width(html.unescape(line)) for line in re.sub(r"<[^>]*>", "", one[2]).split("\n"))
        opening = one[1].replace('highlight"', f'highlight n{columns}"', 1) if columns > ROOM else one[1]
        return opening + _aligned(one[2]) + one[3]

    return OUTPUT.sub(shown, page)


def rules(page: str) -> str:
    """The style rules that these cells and outputs need."""
    found = ""
    if used := sorted({*map(int, _USED.findall(page))}):
        widths = "".join(f".w{columns}{{width:{columns}ch}}" for columns in used)
        found = f".cell{{display:inline-block}}.cell.end{{text-align:right}}{widths}"
    if wide := sorted({*map(int, _WIDE.findall(page))}):
        # a letter of code is 0.602 of its size wide, and there are padding and a border
        sizes = "".join(f".n{columns} code{{--fits:{0.602 * columns + 2.5:.1f}}}" for columns in wide)
        size = "clamp(.5rem,calc((100cqw - .2rem)/var(--fits)),.65rem)"
        box = ".md-typeset .language-text[class*=' n']"
        rules = f"{box}{{container-type:inline-size}}{box} pre>code{{font-size:{size}}}{sizes}"
        found += f"@media screen and (max-width:45em){{{rules}}}"
    return found


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
