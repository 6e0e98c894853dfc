"""Checks of pages as a whole: that they are there, have a title, headings and nothing empty."""

from __future__ import annotations

import itertools
import posixpath
import re
from collections.abc import Iterator

from book import LANGUAGES
from book.finish import minimap
from book.problems import Problem
from book.source.page import Page
from book.source.pages import Book
from book.source.text import lines_of, near, read

#: Characters.
LONGEST_TITLE = {"ko": 40, "en": 60}


def unread_forms(book: Book) -> Iterator[Problem]:
    """Nothing is written in a form that the site shows and the other checks cannot see."""
    for page in book.every_page():
        for line, message in page.unread:
            yield Problem(page.path, line, message)


def both_languages(book: Book) -> Iterator[Problem]:
    """Every page exists in both languages and in the navigation."""
    for language, other in (LANGUAGES, LANGUAGES[::-1]):
        for name, page in book.pages[language].items():
            if name not in book.pages[other]:
                yield Problem(page.path, 1, f"has no counterpart: write docs/{other}/{name}")
            if name not in book.nav:
                yield Problem(page.path, 1, f"is not in the navigation: add {name} to `nav` in mkdocs.yml")
    for number, name in enumerate(book.nav):
        if name in book.nav[:number]:
            yield Problem(book.root / "mkdocs.yml", 1, f"`nav` names {name} twice: take one out")
        if not any(name in pages for pages in book.pages.values()):
            yield Problem(
                book.root / "mkdocs.yml",
                1,
                f"`nav` names {name}, which does not exist: write it, or take it out of `nav`",
            )


def front_matter(book: Book) -> Iterator[Problem]:
    """Title and description of every page, each its own."""
    limits = {"ko": (20, 120), "en": (50, 170)}
    for language, pages in book.pages.items():
        seen: dict[str, Page] = {}
        for page in pages.values():
            for key in ("title", "description"):
                value = str(page.meta.get(key) or "").strip()
                if not value:
                    yield Problem(page.path, 1, f"has no {key}: add `{key}: …` between two lines --- at the top")
                elif value in seen:
                    yield Problem(page.path, 1, f"has the {key} of {seen[value].name}: say what is special about it")
                elif found := re.search(r'[<>"]', value):
                    yield Problem(page.path, 1, f"has {found[0]} in its {key}, which stands in HTML: say it without")
                elif key == "title" and len(value) > LONGEST_TITLE[language]:
                    most = LONGEST_TITLE[language]
                    message = f"has a title of {len(value)} characters: tabs and search engines show {most}"
                    yield Problem(page.path, 1, message)
                seen[value] = page
            for level, _, text, line in page.headings()[:1]:
                title = str(page.meta.get("title") or text).strip()
                if level == 1 and "$" not in text and re.sub(r"[*`]", "", text) != title:
                    yield Problem(page.path, line, f"the heading is not the title, {title}: make them the same")
            length = len(str(page.meta.get("description") or ""))
            low, high = limits[language]
            if length and not low <= length <= high:
                yield Problem(
                    page.path, 1, f"has a description of {length} characters: search engines show {low} to {high}"
                )


def on_the_map(book: Book) -> Iterator[Problem]:
    """What a page calls its place in the Transformer is on the small map, and the same in both languages."""
    for language, other in (LANGUAGES, LANGUAGES[::-1]):
        for name, page in book.pages[language].items():
            if "map" not in page.meta:
                continue
            where, known, twin = str(page.meta["map"]), minimap.NAMES, book.pages[other].get(name)
            if where not in known:
                message = f"map: {where} is not on the map{near(where, known)}; it has {', '.join(known)}"
            elif twin and twin.meta.get("map") != where:
                there = twin.meta.get("map", "nothing")
                message = f"map: {where}, and docs/{other}/{name} has {there}: write the same"
            else:
                continue
            number = next((n for n, line in enumerate(lines_of(read(page.path)), 1) if line.startswith("map:")), 1)
            yield Problem(page.path, number, message)


def unwritten(book: Book) -> Iterator[Problem]:
    """Nothing is left of what the scaffold of ``python -m book page`` asks the author to write."""
    snippets = book.root / "snippets"
    for path in [
        *(page.path for page in book.every_page()),
        *sorted(path for path in snippets.rglob("*.[mp][dy]") if not path.name.startswith(".")),
        *sorted(snippets.rglob("comments.*.yml")),
    ]:
        text = lines_of(read(path))
        if lines := [number for number, line in enumerate(text, start=1) if re.search(r"\bTODO\b", line)]:
            others = f", and in lines {', '.join(map(str, lines[1:]))}" if lines[1:] else ""
            yield Problem(path, lines[0], f"still to be written{others}: do what TODO asks for, and take TODO out")


def headings(book: Book) -> Iterator[Problem]:
    """One heading of level 1, first; no level left out; an id of its own for each."""
    for page in book.every_page():
        found = page.headings()
        if not found:
            yield Problem(page.path, 1, "has no heading: start with `# Title {#id}`")
        previous, ids = 0, dict[str, int]()
        for level, name, text, line in found:
            if (level == 1) != (previous == 0):
                yield Problem(page.path, line, f"`{text}`: exactly the first heading of a page has level 1")
            elif level > previous + 1:
                yield Problem(page.path, line, f"`{text}` has level {level} below level {previous}: leave none out")
            if not re.fullmatch(r"[a-z0-9]+(-[a-z0-9]+)*", name):
                yield Problem(
                    page.path, line, f"`{text}` needs an id in plain letters, the same in both languages: {{#…}}"
                )
            elif name in ids:
                yield Problem(page.path, line, f"the id {name} already stands in line {ids[name]}: choose another")
            previous, ids[name] = level, line


def nothing_empty(book: Book) -> Iterator[Problem]:
    """Every heading and every block has something below it, and every exercise a solution in it."""
    for page in book.every_page():
        filled = {  # dots alone say nothing
            line.number for line in page.lines if line.place != "title" and re.search(r"[\w$]", line.prose + line.text)
        }
        filled |= {fence.line for fence in page.fences} | {line for _, line, _ in page.includes}
        filled |= {line for line, _ in page.formulas}
        heads = [(level, line) for level, _, _, line in page.headings()]
        for (level, line), (deeper, following) in itertools.pairwise([*heads, (0, 10**9)]):
            if deeper <= level and not any(line < number < following for number in filled):
                yield Problem(page.path, line, "nothing stands below this heading: write the section, or remove it")
        opened: list[tuple[str, int]] = []
        solved: set[int] = set()  # the lines of the exercises that have a solution
        for item in page.items:
            if item.kind == "block":
                kind = item.value.split()[1]
                if kind == "solution":
                    solved |= {line for above, line in opened if above == "exercise"}
                opened.append((kind, item.line))
            elif item.kind == "end of block":
                kind, line = opened.pop()
                if not any(line < number < item.line for number in filled):
                    yield Problem(page.path, line, f"this {kind} is empty: fill it in, or remove it")
                elif kind == "exercise" and line not in solved:
                    yield Problem(page.path, line, "this exercise has no solution: put a block `/// solution` into it")


def parts_name_their_pages(book: Book) -> Iterator[Problem]:
    """The index page of a part leads to each of its pages, in their order; the first page leads to the parts."""
    for page in book.every_page():
        if posixpath.basename(page.name) != "index.md":
            continue
        expected = (
            book.pages_of(page.name)
            if "/" in page.name
            else [name for name in book.nav if re.fullmatch(r"[\w-]+/index\.md", name)]
        )
        folder = posixpath.dirname(page.name)
        led = [
            (posixpath.normpath(posixpath.join(folder, address.partition("#")[0])), line.number)
            for line in page.lines
            for _, address in line.links
        ]
        place, here = 0, 1
        for name in expected:
            later = next((n for n, (target, _) in enumerate(led[place:], place) if target == name), None)
            if later is not None:
                place, here = later + 1, led[later][1]
            elif name in dict(led):
                message = f"{name} stands before this, and after it in `nav`: both have one order"
                yield Problem(page.path, here, message)
                break
            else:
                link = posixpath.relpath(name, folder or ".")
                yield Problem(page.path, here, f"does not lead to {name}: add a link [title]({link}) below this line")
