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

from book.finish.foreign import HANGUL
from book.source.comments import width

OUTPUT = re.compile(r'(<div class="language-text highlight"><pre>(?:<span></span>)?<code>)(.*?)(</code>)', re.S)
#: Words with single spaces between them.
CELL = re.compile(r"\S+(?: \S+)*")
#: Columns that every box has room for on the smallest phones. More of them are counted in a class.
ROOM = 24
_WORD = re.compile(r"\S+")
#: Such words with Hangul in each of them.
_RUN = re.compile(rf"\S*{HANGUL}\S*(?: \S*{HANGUL}\S*)*")
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
        _line(line, above, below) if "  " in line.rstrip() else line
        for above, line, below in zip(["", *lines[:-1]], lines, [*lines[1:], ""], strict=True)
    )


def _found(pattern: re.Pattern, line: str) -> list[tuple[int, int, re.Match]]:
    """What a pattern finds in a line, with the columns where it starts and ends."""
    return [(*_columns(line, one), one) for one in pattern.finditer(line)]


def _columns(line: str, one: re.Match) -> tuple[int, int]:
    plain = html.unescape
    return width(plain(line[: one.start()])), width(plain(line[: one.end()]))


def _line(line: str, above: str, below: str) -> str:
    """A heading ends where the number below it ends. What stands at the left, or where another begins, starts there.

    So does each run of words with Hangul in a cell with other words: between the runs, numbers stand where they were.
    """
    around = _found(CELL, above) + _found(CELL, below)
    words = {start for other in (above, below) for start, _, one in _found(_WORD, other) if re.search(HANGUL, one[0])}
    numbers = {end for _, end, cell in _found(CELL, below) if not re.search(HANGUL, cell[0])}
    pieces, done = [], 0
    for start, end, cell in _found(CELL, line):
        if not re.search(HANGUL, cell[0]) or "<" in cell[0]:
            continue
        begins = start == 0 or start in words or start in {first for first, last, _ in around if last != end}
        if (start and end in numbers) or (not begins and _RUN.fullmatch(cell[0])):
            runs, flush = [cell], " end"
        else:
            runs, flush = list(_RUN.finditer(line, cell.start(), cell.end())), ""
        for run in runs:
            first, last = _columns(line, run)
            pieces += [line[done : run.start()], f'<span class="cell{flush} w{last - first}">', run[0], "</span>"]
            done = run.end()
    return "".join([*pieces, line[done:]])
