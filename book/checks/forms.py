"""What pages are written in: the kinds of blocks, what front matter says, titles, brackets, links and footnotes."""

from __future__ import annotations

import ast
import re
from collections.abc import Iterator

from book.problems import Problem
from book.source.page import paragraphs
from book.source.pages import Book
from book.source.text import lines_of, near, read

#: As mkdocs.yml has them.
BLOCKS = {
    *("short", "remember", "goals", "note", "tip", "warning", "theorem", "proof", "exercise", "solution", "listing"),
    "figure-caption",
}
#: What the theme and the book read of the front matter.
KEYS = {"title", "description", "map", "search"}
BRACKETS = (("(", ")"), ("[", "]"), ("“", "”"))
#: `tensor([0.1`, `[0.25, 0.75]`, `0.1234`; settings are shorter.
_PRINTED = re.compile(r"(?<!torch\.)tensor\(\[*\s*-?\d+\.|^[\[(]-?\d+\.\d*(?:[, ]+-?\d+\.\d*)+[\])]$|^-?\d+\.\d{3,}$")
#: What is promised where something is still to be written, in few letters.
_LATER = re.compile(
    r"(?i)^\W*(?:see )?(?:later|to be (?:done|written|added)|coming soon|tbd|fixme|xxx|wip|left to the reader)\b"
    r"|나중에 (?:쓰|씁|적|추가)|추후|작성 예정|준비 중|생략"
)
SHORT = 60


def kinds_known(book: Book) -> Iterator[Problem]:
    """Blocks are of a kind that there is, and have a title, which says what one opens."""
    for page in book.every_page():
        titled = {line.number for line in page.lines if line.place == "title" and line.text.strip()}
        for item in page.items:
            if item.kind != "block":
                continue
            slashes, kind = item.value.split()
            if kind not in BLOCKS:
                yield Problem(page.path, item.line, f"there is no block {kind}{near(kind, BLOCKS)}")
            elif kind != "figure-caption" and item.line not in titled:
                yield Problem(page.path, item.line, f"this block has no title: write {slashes} {kind} | Title")


def keys_known(book: Book) -> Iterator[Problem]:
    """The front matter says title, description and place on the map, and ends at its first line of dashes."""
    for page in book.every_page():
        lines = lines_of(read(page.path))
        end = lines.index("---", 1) if lines[:1] == ["---"] and "---" in lines[1:] else 0
        for number, line in enumerate(lines[:end], 1):
            key = re.match(r"([\w-]+)\s*:", line)
            if line.strip() == "...":
                yield Problem(page.path, number, "MkDocs ends the front matter here: remove this line")
            elif key and key[1] not in KEYS:
                yield Problem(page.path, number, f"the front matter has no {key[1]}{near(key[1], KEYS)}: take it out")
            elif key and key[1] == "search" and page.meta.get("search") != {"exclude": True}:
                yield Problem(page.path, number, "search says `exclude: true`, or is not there")


def brackets_closed(book: Book) -> Iterator[Problem]:
    """Each bracket and quotation mark of a paragraph has its other half."""
    for page in book.every_page():
        for paragraph in paragraphs(page):
            text = " ".join(line.shown for line in paragraph)
            text = re.sub(r"^\s*\(?\d+\)", " ", text)  # of a list
            for opening, closing in BRACKETS:
                here, there = text.count(opening), text.count(closing)
                if here != there:
                    message = f"{here} {opening} and {there} {closing} in this paragraph: close or remove one"
                    yield Problem(page.path, paragraph[0].number, message)


def marks_placed(book: Book) -> Iterator[Problem]:
    """A footnote's mark stands behind the full stop, and an address without words behind it."""
    for page in book.every_page():
        for line in page.lines:
            if re.search(r"\[\^[\w-]+\]\.", line.without_code):
                yield Problem(page.path, line.number, "put the mark of the footnote behind the full stop")
            if found := re.search(r"\]\([^)\s]+\s+[^\s\"')][^)]*\)", line.markup):
                yield Problem(page.path, line.number, f"Markdown makes no link of {found[0]}: write only the address")


def notes_in_order(book: Book) -> Iterator[Problem]:
    """Footnotes are written in the order in which the text refers to them, which is that of their numbers."""
    for page in book.every_page():
        notes = {item.value: item.line for item in page.items if item.kind == "footnote"}
        named = [name for line in page.lines if not line.text.startswith("[^") for name in line.references]
        order = [name for name in dict.fromkeys(named) if name in notes]
        for found, expected in zip((name for name in notes if name in order), order, strict=False):
            if found != expected:
                message = f"the text refers to {expected} first: write its footnote before {found}"
                yield Problem(page.path, notes[found], message)
                break


def commands_only(book: Book) -> Iterator[Problem]:
    """What is typed into a fence of commands is no Python."""
    for page in book.every_page():
        for fence in page.fences:
            for number, line in enumerate(fence.body, fence.line + 1):
                if fence.language == "sh" and _is_python(line.strip()):
                    message = "this is Python: put it into snippets, and include it; a fence of commands holds commands"
                    yield Problem(page.path, number, message)
                    break


def _is_python(line: str) -> bool:
    """Whether a line can only be Python: a call, an import, an assignment."""
    try:
        statements = ast.parse(line).body
    except SyntaxError:
        return line.startswith((">>> ", "... "))
    if re.match(r"\w+[=:]", line):  # a setting of the shell, or YAML
        return False
    calls = (ast.Call, ast.Subscript, ast.List, ast.Dict)
    return any(not isinstance(one, ast.Expr) or isinstance(one.value, calls) for one in statements)


def outputs_included(book: Book) -> Iterator[Problem]:
    """What code prints is an output of an example, and nothing typed: no tensor, and no number of many digits."""
    for page in book.every_page():
        for line in page.lines:
            for code in filter(_PRINTED.search, line.code):
                message = f"{code} looks like an output: include the example that prints it, or name its {{{{value}}}}"
                yield Problem(page.path, line.number, message)


def solutions_said(book: Book) -> Iterator[Problem]:
    """A solution says something: no promise to write it later."""
    for page in book.every_page():
        opened: list[tuple[str, int]] = []
        for item in page.items:
            if item.kind == "block":
                opened.append((item.value.split()[1], item.line))
            elif item.kind == "end of block" and opened:
                kind, began = opened.pop()
                inside = range(began + 1, item.line)
                shown = any(line in inside for _, line, _ in page.includes)
                words = " ".join(one.text for one in page.lines if one.number in inside)
                if kind == "solution" and not shown and len(words) < SHORT and _LATER.search(words):
                    yield Problem(page.path, began, f"this solution says nothing yet: {words}: write it, or remove it")


CHECKS = (
    *(kinds_known, keys_known, brackets_closed, marks_placed),
    *(notes_in_order, commands_only, outputs_included, solutions_said),
)
