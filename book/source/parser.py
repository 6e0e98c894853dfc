"""Takes the source of a page apart line by line, and keeps the line of everything, so that a complaint can say where.

This is no Markdown parser. It knows the forms that pages of this book use (CONTRIBUTING.md lists them); what the site
would show otherwise than it is read here is listed in ``Page.unread``, with what to do about it.
"""

from __future__ import annotations

import re
from pathlib import Path

import yaml

from book.source import located, values
from book.source.page import HEADING, Fence, Item, Page, fences
from book.source.prose import IMAGE, Line, columns, normal
from book.source.text import lines_of, read

INCLUDE = re.compile(r'^\s*--8<-- "([^"]*)"\s*$')
_BLOCK = re.compile(r"^(/{3,})\s*(?:([\w-]+)\s*(?:\|\s*(.*?))?)?\s*$")
_FOOTNOTE = re.compile(r"^\[\^([\w-]+)\]:")
_LISTED = re.compile(r"^ {0,3}(?:[-*+]\s|\d+[.)]\s|\[\^)")
_RULE = re.compile(r" {0,3}(?:[-*_]\s*){3,}")
_UNDERLINE = re.compile(r" {0,3}(?:=+|-+)\s*")

#: Markdown that the site would show and ``parse`` would miss, so that no check would see it.
_UNREAD = (
    (re.compile(r"^\s*(?:>\s*|[-*+]\s+|\d+[.)]\s+)+(?:`{3,}|~{3,})"), "start a fence at the start of a line"),
    (re.compile(r"^\s*;*-+8<-+(?!-)"), 'write an include as `--8<-- "file:section"`, in a line of its own'),
    (re.compile(r"^\s*\[[^\]^][^\]]*\]:"), "put the address into the link itself, [text](address)"),
    (re.compile(r"^\s*:?-+:?\s*(?:\|\s*:?-+:?\s*)+$"), "start every row of a table with |"),
    (re.compile(r"^#{1,6}[^#\s]"), "put a space between # and the heading"),
)


def parse(path: Path, language: str, name: str, snippets: Path = values.SNIPPETS) -> Page:
    """Read one page. Whatever is written in a form not known here is listed in ``unread``."""
    source = read(path)
    written, text = lines_of(source), lines_of(values.resolve(source, name, snippets, language))
    page = Page(path, language, name, {}, [], [], fences(text), [], [])
    parser = _Parser(page, written, len(text))
    first = _front_matter(page, text)
    for number, line in enumerate([*text[first:], ""], start=first + 1):
        parser.read(number, line)
    parser.finish()
    return page


def _front_matter(page: Page, text: list[str]) -> int:
    """Read what is between two lines of dashes at the top; how many lines that are."""
    if text and text[0] != "---" and text[0].strip() == "---":
        page.unread.append((1, "remove the spaces beside ---, or the front matter is not read"))
        text[0] = "---"
    if not text or text[0] != "---":
        return 0
    end = text.index("---", 1) if "---" in text[1:] else len(text)
    _read_meta(page, text[1:end])
    if end == len(text):
        page.unread.append((1, "the front matter never ends: put a line --- below it"))
    return min(end + 1, len(text))


def _read_meta(page: Page, lines: list[str]) -> None:
    try:
        meta = yaml.safe_load("\n".join(lines)) or {}
    except yaml.YAMLError as error:
        line, problem = located.yaml_fault(error)
        page.unread.append((line + 1, f"the front matter is not YAML: {problem}; quote the value"))
        return
    if isinstance(meta, dict):
        page.meta = meta
    else:
        page.unread.append((1, "the front matter needs lines `title: …` and `description: …`"))


class _Parser:
    """Reads the lines of a page one after the other, and knows what each of them is in."""

    def __init__(self, page: Page, written: list[str], count: int) -> None:
        """written: the lines as typed, before values were put in; count: how many lines there are with them."""
        self.page, self.written = page, written
        self.inside = {number: fence for fence in page.fences for number in range(fence.line, (fence.end or count) + 1)}
        self.blocks: list[tuple[str, str, int]] = []  # slashes, kind and line of those that are open
        self.formula: list[str] | None = None  # the lines of the one that is open, and where it began
        self.began = 0
        self.table: list[str] = []  # the rows of the one that is open
        self.previous, self.listed, self.indented = "", False, False
        self.flow = ""  # of what the line above is a part: text, list, table or none of them

    def read(self, number: int, line: str) -> None:
        fence = self.inside.get(number)
        if fence is not None and number > fence.line:
            self._in_fence(number, line, fence)
        elif self.formula is not None:
            self._in_formula(number, line)
        else:
            if self.table and not line.lstrip().startswith("|"):
                self._end_table(number)
            if line.strip():
                self._indentation(number, line)
            above, self.flow, self.previous = self.flow, "", line
            if fence is None:
                self._outside(number, line, above)

    def finish(self) -> None:
        """Name whatever has begun and never ends."""
        self.page.unread += [
            (fence.line, f"this fence never ends: add a line {fence.marker}")
            for fence in self.page.fences
            if not fence.end
        ]
        if self.formula is not None:
            self._complain(self.began, "this formula never ends: add a line $$")
        self.page.unread += [(line, f"this block never ends: add a line {slashes}") for slashes, _, line in self.blocks]

    def _complain(self, number: int, message: str) -> None:
        self.page.unread.append((number, message))

    def _add(self, kind: str, value: str, number: int) -> None:
        self.page.items.append(Item(kind, value, number))

    def _include(self, target: str, number: int, fence: Fence | None) -> None:
        self.page.includes.append((target, number, fence))
        self._add("include", target, number)

    def _in_fence(self, number: int, line: str, fence: Fence) -> None:
        if number != fence.end and (found := INCLUDE.match(line)):
            self._include(found[1], number, fence)

    def _in_formula(self, number: int, line: str) -> None:
        if line.strip() != "$$":
            self.formula = [*(self.formula or ()), line]
            return
        typed = "".join(self.written[self.began : number - 1])  # a value may be another one in each language
        self._add("formula", normal(values.MARK.sub(" ", typed)), self.began)
        self.page.formulas.append((self.began, "\n".join(self.formula or ())))
        self.formula = None

    def _end_table(self, number: int) -> None:
        rows, self.table = self.table, []
        wide = columns(rows[0])
        self._add("table", f"{len(rows) - 1} × {wide}", number - len(rows))  # without the line of dashes
        for below, row in enumerate(rows, start=number - len(rows)):
            if columns(row) != wide:
                message = f"this row has {columns(row)} cells and the first one {wide}; write \\| for a |"
                self._complain(below, message)

    def _indentation(self, number: int, line: str) -> None:
        """See that Markdown does not take a line for code, or the line above for a heading."""
        deep = line.startswith(("    ", "\t"))
        if deep and (found := _BLOCK.match(self.previous)) and found[2]:
            self._complain(number, "a block takes no options: remove this, or do not indent it")
        if not deep:
            self.listed = bool(_LISTED.match(line)) or (self.listed and bool(self.previous.strip()))
        self.indented = deep and not self.listed and (self.indented or not self.previous.strip())
        if self.indented:
            self._complain(number, "Markdown takes this for code: do not indent it, or write a fence")
        if _UNDERLINE.fullmatch(line) and self.previous.strip():
            self._complain(number, "write a heading as `## Title {#id}`, and a rule below an empty line")

    def _outside(self, number: int, line: str, above: str) -> None:
        """A line that is neither code nor in a formula. above: of what the line above it is a part."""
        if line.strip() == "$$":
            self.formula, self.began = [], number
        elif found := INCLUDE.match(line):
            self._include(found[1], number, None)
            if above:
                self._runs_on(number, above)
        elif found := _BLOCK.match(line):
            self._block(number, *found.groups())
        elif line.strip():
            self._prose(number, line, above)

    def _runs_on(self, number: int, above: str) -> None:
        self._complain(number, f"Markdown takes this for more of the {above} above: put an empty line between")

    def _block(self, number: int, slashes: str, kind: str | None, title: str | None) -> None:
        if kind:
            self.blocks.append((slashes, kind, number))
            self._add("block", f"{slashes} {kind}", number)
            written = _BLOCK.match(self.written[number - 1])
            self.page.lines.append(Line(title or "", number, "title", (written and written[3]) or ""))
        elif self.blocks and self.blocks[-1][0] == slashes:
            self._add("end of block", f"{slashes} {self.blocks.pop()[1]}", number)
        else:
            last = " ".join(self.blocks[-1][:2]) if self.blocks else "none"
            self._complain(number, f"{slashes} ends no block: the last one open is {last}")

    def _prose(self, number: int, line: str, above: str) -> None:
        self.flow = "table" if line.lstrip().startswith("|") else "list" if self.listed else "text"
        place, footnote = self._place(number, line), _FOOTNOTE.match(line)
        if _RULE.fullmatch(line):
            self.flow = ""
        elif above not in ("", self.flow) and not footnote:
            self._runs_on(number, above)
        if place == "table":
            self.table.append(line)
        elif place == "heading":
            self.flow = ""
        if footnote:
            self._add("footnote", footnote[1], number)
        read = Line(line, number, place, self.written[number - 1])
        self.page.lines.append(read)
        self.page.items += [Item("image", address, number) for _, address in read.images]
        self.page.unread += [(number, message) for message in _unread(read)]

    def _place(self, number: int, line: str) -> str:
        """What a line of prose is a part of: see ``Line``."""
        kinds = [kind for _, kind, _ in self.blocks]
        if self.flow == "table":
            return "table"
        if found := HEADING.match(line):
            self._add("heading", f"{found[1]} {{#{found[3] or ''}}}", number)
            return "heading"
        if "figure-caption" in kinds:
            return "caption"
        return next((kind for kind in kinds if kind in ("goals", "short")), "text")


def _unread(line: Line) -> list[str]:
    """What to do about the forms in a line that ``parse`` does not know."""
    found = [message for form, message in _UNREAD if form.match(line.text)]
    if "$$" in line.without_code:
        found.append("write a display formula between two lines that hold $$ and nothing else")
    if line.markup.count("](") != len(IMAGE.findall(line.markup)) + len(line.links):
        found.append("write a link or image in one line, with no brackets in an alternative text")
    return found
