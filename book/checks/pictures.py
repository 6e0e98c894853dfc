"""Checks of figures, of HTML, and of what would be loaded from other hosts."""

from __future__ import annotations

import ast
import re
from collections.abc import Iterator
from pathlib import Path

from book import LANGUAGES
from book.markdown import touch
from book.problems import Problem
from book.source.page import Page, paragraphs
from book.source.pages import Book
from book.source.prose import TO_TRY
from book.source.text import lines_of, near, read
from book.source.values import MARK


def figure_name(path: Path) -> str:
    """What a page calls the figure of a module: ``attention/masks``."""
    return f"{path.parent.name}/{path.stem}"


def figures_of(page: Page) -> Iterator[tuple[str, str, str, int]]:
    """Name, alternative text, address and line of each figure."""
    for line in page.lines:
        for alt, address in line.images:
            if found := re.search(r"assets/figures/([\w/-]+)\.svg$", address):
                yield found[1], alt, address, line.number


def figures(book: Book) -> Iterator[Problem]:
    """Each figure has a module, and a caption below it."""
    known = {figure_name(path) for path in book.figures()}
    for page in book.every_page():
        source = lines_of(read(page.path))
        for name, _, _, line in figures_of(page):
            if name not in known:
                yield Problem(page.path, line, f"there is no snippets/figures/{name}.py{near(name, known)}")
            below = next((text for text in source[line:] if text.strip()), "")
            if not re.match(r"/{3,}\s*figure-caption", below):
                yield Problem(
                    page.path, line, f"figure {name} needs a caption: add `/// figure-caption` … `///` below it"
                )


def touchable_figures(book: Book) -> Iterator[Problem]:
    """What is to be touched has a script, and a script a figure, in both languages."""
    known, figures = touch.names(book.root), {figure_name(path) for path in book.figures()}
    marked: dict[str, set[str]] = {language: set() for language in LANGUAGES}
    for page in book.every_page():
        captions = [line for line in page.lines if line.place == "caption"]
        for line in page.lines:
            for name, mark in re.findall(r"assets/figures/([\w/-]+)\.svg\)\s*(\{[^}]*\}?)?", line.without_code):
                if not mark:
                    continue
                if mark != touch.MARK or f"svg){mark}" not in line.text:
                    message = f"behind an image stands {touch.MARK} and nothing else, without a space: not {mark}"
                    yield Problem(page.path, line.number, message)
                elif name not in known:
                    message = f"there is no {touch.FOLDER.as_posix()}/{name}.js{near(name, known)}"
                    yield Problem(page.path, line.number, f"{message}; write it, or remove {mark}")
                elif not any(TO_TRY[page.language] in one.text for one in captions if one.number > line.number):
                    message = f"say at the end of the caption what to try: {TO_TRY[page.language]} …"
                    yield Problem(page.path, line.number, message)
                marked[page.language].add(name)
    for name in known:
        path = touch.module_path(name, book.root)
        if name not in figures:
            yield Problem(path, 1, f"there is no snippets/figures/{name}.py{near(name, figures)} that it belongs to")
            continue
        for language, found in marked.items():
            if name not in found:
                message = f"nobody can touch this in docs/{language}: put {touch.MARK} behind the image of {name}"
                yield Problem(path, 1, message)


def alternative_texts(book: Book) -> Iterator[Problem]:
    """Every image says what it shows, in the language of the page."""
    for page in book.every_page():
        for line in page.lines:
            for alt, address in line.images:
                if len(alt.strip()) < 15 or alt.strip() == Path(address).stem:
                    yield Problem(
                        page.path, line.number, f"{address} needs an alternative text that says what it shows"
                    )
    for korean, english in book.pairs():
        texts = {alt for line in english.lines for alt, _ in line.images if alt.strip()}
        for line in korean.lines:
            for alt, _ in line.images:
                if alt in texts:
                    yield Problem(
                        korean.path, line.number, "this alternative text is the English one: write it in Korean"
                    )


#: Calls that write something into a figure: where among the arguments it stands.
WRITES = {"text": 2, "annotate": 0, "set_title": 0, "suptitle": 0, "set_xlabel": 0, "set_ylabel": 0, "set_label": 0}
#: Calls that draw numbers.
DRAWS = {"plot", "bar", "barh", "scatter", "imshow", "fill_between", "errorbar", "hist", "step", "stem", "cells"}


def labels(book: Book) -> Iterator[Problem]:
    """What a figure says comes from TEXT, and what it shows is computed."""
    for path in book.figures():
        try:
            tree = ast.parse(read(path))
        except SyntaxError as error:
            yield Problem(path, error.lineno or 1, f"this is not Python: {error.msg}")
            continue
        for call in ast.walk(tree):
            if not isinstance(call, ast.Call) or not isinstance(call.func, ast.Attribute):
                continue
            name = call.func.attr
            written = call.args[WRITES[name] :][:1] if name in WRITES else []
            written += [word.value for word in call.keywords if word.arg in ("label", "title", "xlabel", "ylabel")]
            for node in written:
                parts = node.values if isinstance(node, ast.JoinedStr) else [node]
                typed = [part.value for part in parts if isinstance(part, ast.Constant) and isinstance(part.value, str)]
                for text in typed:
                    if re.search(r"\b[^\W\d_]{2,}\b", text) and not text.startswith("_"):
                        yield Problem(path, node.lineno, f"{text!r} is a label: put it into TEXT, in both languages")
                    elif re.search(r"(?<![\w])\d", text):
                        yield Problem(path, node.lineno, f"{text!r} holds a number: compute it, and format it in")
            for node in call.args if name in DRAWS else []:
                numbers = node.elts if isinstance(node, (ast.List, ast.Tuple)) else []
                if len(numbers) > 2 and all(isinstance(_unsigned(number), ast.Constant) for number in numbers):
                    yield Problem(path, node.lineno, "these numbers are typed in: compute what is drawn")


def _unsigned(node: ast.expr) -> ast.expr:
    return node.operand if isinstance(node, ast.UnaryOp) else node


def html(book: Book) -> Iterator[Problem]:
    """HTML could load, run and hide anything: only the map of the home page needs some. So could attributes."""
    for page in book.every_page():
        opened: list[tuple[str, int]] = []
        for line in page.lines:
            for tag in line.html:
                if found := re.match(r"<(div|p)\b", tag):
                    opened.append((found[1], line.number))
                elif found := re.match(r"</(div|p)\b", tag):
                    if not opened or opened.pop()[0] != found[1]:
                        yield Problem(page.path, line.number, f"{tag} closes nothing: remove it, or open one")
                known = re.fullmatch(r'</(?:div|p)>|<(?:div|p)(?: class="[\w -]+")?(?: markdown)?>', tag)
                if tag.startswith("<!--"):
                    yield Problem(page.path, line.number, "no reader sees a comment: say it, or remove it")
                elif not known or page.name != "index.md":
                    yield Problem(page.path, line.number, f"{tag} does not belong on a page: use Markdown")
            for braces in re.findall(r"\{[^{}]*\}?", MARK.sub("", line.markup)):  # of a value, numbers.py says it
                if not re.fullmatch(r"\{\s*(?:[.#][\w-]+\s*)+\}", braces):
                    yield Problem(
                        page.path, line.number, f"{braces} is no id and no class: nothing else stands in braces"
                    )
            for _, address in line.images:
                if re.match(r"(?:[a-z]+:)?//|[a-z]+:", address):
                    yield Problem(
                        page.path, line.number, f"the image would be loaded from {address}: keep it in the book"
                    )
        for name, number in opened:
            yield Problem(page.path, number, f"<{name}> is never closed: add </{name}>")


#: Marks that Markdown takes out of a text, and what to do where it does not.
LEFT = (
    (re.compile(r"\]\s+\("), "put no space between the ] and ( of a link"),
    (re.compile(r"\[\s*\]"), "this link has no text: say where it leads"),
    (re.compile(r"`"), "this ` has no second one: close the code in the same line, or write \\`"),
    (re.compile(r"\*"), "this * has no second one: close it in the same paragraph, without a space inside"),
    (re.compile(r"\$"), "this $ has no second one: a formula has no spaces beside its two $, and a price is \\$"),
    (re.compile(r"(?<!\w)_(?=\S)[^_]*_"), "write *…*: Markdown takes _…_ for emphasis only between spaces"),
)


def leftovers(book: Book) -> Iterator[Problem]:
    """No mark-up is left in the text, because its other half is missing or a space too many."""
    for page in book.every_page():
        for paragraph in paragraphs(page):
            text = "\n".join(line.shown for line in paragraph)
            text = re.sub(r"^\s*[*+-]\s", " ", text, flags=re.M)
            for marks in (r"\*\*", r"\*"):
                text = re.sub(rf"{marks}(?=\S)((?:[^*]|(?<!\*)\*(?!\*))*?\S){marks}", r"\1", text)
            for form, message in LEFT:
                if found := form.search(text):
                    line = paragraph[text.count("\n", 0, found.start())]
                    yield Problem(page.path, line.number, message)
                    break
            for line in paragraph:
                if re.search(r"\[\s*\]\(", line.filled):
                    yield Problem(page.path, line.number, "this link has no text: say where it leads")
