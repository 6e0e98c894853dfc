"""Comments, docstrings and printed labels in the words of an edition: a catalog beside the modules of a part.

``snippets/PART/comments.ko.yml`` has, for each file of the part, what Korean pages show of these (``en``) and their
Korean (``ko``). A page that includes a section of such a file shows it with these; what runs, and what English pages
show, is the file. A label is a string that a worked example prints, ``print(f"{n} layers, loss {loss:.2f}")``, so the
output below has its Korean, too: book/source/labels.py. A check asks for all that have words, and names those that are
no longer in their file; ``python -m book comments`` adds what is missing, for somebody to write its ``ko``.
"""

from __future__ import annotations

import functools
import re
import sys
import unicodedata
from collections.abc import Callable, Iterator
from pathlib import Path

from book import LANGUAGES, ROOT
from book.problems import Problem
from book.source import catalogs, editions, labels, localized, remarks
from book.source.pages import Book

#: Where what pages of an edition include is written; mkdocs.yml names it as a ``base_path`` of includes.
CACHE = ROOT / ".cache" / "editions"
#: Columns of a listing and of a worked example, which may stand in a box; a syllable of Hangul takes two.
WIDTH, WIDTH_OF_EXAMPLES = 84, 74
#: What may end or change a docstring.
ENDS = re.compile(r"\\|\"\"\"|'''|[\"']$")
_QUOTES = re.compile(r"[rRuU]*(\"\"\"|'''|\"|')")
_FENCE = re.compile(r"^```(python|text)\n(.*?)^```$", re.M | re.S)
_INCLUDE = re.compile(r'^(\s*--8<-- ")([^"]*)("\s*)$', re.M)


# ---- a file in the words of an edition


def width(text: str) -> int:
    """Columns of a line."""
    return sum(2 if unicodedata.east_asian_width(letter) in "WF" else 1 for letter in text)


def wrapped(text: str, columns: int) -> list[str]:
    """Lines of at most so many columns, where spaces allow that; what goes on is as far in as its line."""
    found = []
    for line in text.split("\n"):
        inner = line[: len(line) - len(line.lstrip())]
        first, *words = line.split() or [""]
        now = inner + first
        for word in words:
            if width(f"{now} {word}") > columns:
                found.append(now)
                now = inner + word
            else:
                now = f"{now} {word}"
        found.append(now)
    return found


def translated(source: str, words: dict[str, tuple[str, int]], columns: int = WIDTH) -> str:
    """A piece of Python with the words of an edition where it has any for a comment or docstring."""
    lines = source.split("\n")
    for one in reversed(remarks.said(source)):
        own = words.get(remarks.key(one.text), ("", 0))[0]
        if own:
            lines[one.line - 1 : one.end] = _rendered(one, own, lines[one.line - 1 : one.end], columns)
    return "\n".join(lines)


def _rendered(one: remarks.Said, own: str, lines: list[str], columns: int) -> list[str]:
    indent = " " * one.column
    if one.kind == "docstring":
        opening = _QUOTES.match(lines[0], one.column)
        assert opening is not None  # Python has read it as a docstring
        flat = wrapped(own, columns - one.column - 2 * len(opening[1]))
        if len(flat) == 1:
            return [f"{indent}{opening[0]}{flat[0]}{opening[1]}"]
        whole = wrapped(own, columns - one.column - len(opening[1]))
        return [
            f"{indent}{opening[0]}{whole[0]}",
            *((indent + line).rstrip() for line in whole[1:]),
            indent + opening[1],
        ]
    mark = "#:" if lines[0].startswith("#:", one.column) else "#"
    if one.kind == "trailing":
        code = lines[0][: one.column]
        if "\n" not in own and width(f"{code}{mark} {own}") <= columns:
            return [f"{code}{mark} {own}"]
        indent = code[: len(code) - len(code.lstrip())]
        return [*(f"{indent}# {line}" for line in wrapped(own, columns - len(indent) - 2)), code.rstrip()]
    return [f"{indent}{mark} {line}".rstrip() for line in wrapped(own, columns - one.column - len(mark) - 1)]


def in_words_of(path: Path, language: str) -> str | None:
    """The text of a file of ``snippets`` in the words of an edition, or nothing if the edition has none for it."""
    words = catalogs.catalog(path.parent, language).get(path.name)
    if not words:
        return None
    changed = (file.stat().st_mtime_ns for file in (path, catalogs.catalog_path(path.parent, language)))
    return _in_words_of(path, language, *changed)


@functools.cache
def _in_words_of(path: Path, language: str, *changed: int) -> str:
    words, text = catalogs.catalog(path.parent, language)[path.name], path.read_text(encoding="utf-8")
    if path.suffix == ".py":
        return translated(text, words)
    return _example(text, words)


def _example(text: str, words: dict[str, tuple[str, int]]) -> str:
    """A file of worked examples with the words of an edition in its Python, and in what that prints."""
    pieces: list[str] = []

    def own(label: str) -> str:
        return words.get(remarks.key(label), ("", 0))[0]

    def fence(one: re.Match) -> str:
        kind, inner = one.groups()
        if kind == "text":
            return f"```text\n{localized.in_output(inner, pieces, own)}```"
        pieces.append(inner)
        return f"```python\n{translated(localized.in_code(inner, own), words, WIDTH_OF_EXAMPLES)}```"

    return _FENCE.sub(fence, text)


def outputs(path: Path, language: str) -> Iterator[tuple[int, Callable[[], str]]]:
    """Of each output of a file of worked examples, its first line, and what makes it in an edition's words."""
    text, words = path.read_text(encoding="utf-8"), catalogs.catalog(path.parent, language).get(path.name, {})
    pieces: list[str] = []

    def korean(label: str) -> str:
        return words.get(remarks.key(label), ("",))[0]

    for one in _FENCE.finditer(text):
        kind, inner = one.groups()
        if kind == "python":
            pieces.append(inner)
        else:
            own = functools.partial(localized.in_output, inner, [*pieces], korean)
            yield text.count("\n", 0, one.start(2)) + 1, own


def written(path: Path, language: str, snippets: Path, cache: Path = CACHE) -> str | None:
    """Where a page finds a file in the words of its edition, below the cache; nothing if there are none for it."""
    text = in_words_of(path, language)
    if text is None:
        return None
    there = cache / language / path.relative_to(snippets)
    if not there.is_file() or there.read_text(encoding="utf-8") != text:
        there.parent.mkdir(parents=True, exist_ok=True)
        there.write_text(text, encoding="utf-8")
    return there.relative_to(cache).as_posix()


def addressed(text: str, language: str, snippets: Path = editions.SNIPPETS, cache: Path = CACHE) -> str:
    """A page with all that it includes as its edition has it: its overlays, and its words in comments."""

    def include(one: re.Match) -> str:
        name, colon, section = editions.address(one[2], language, snippets).partition(":")
        return f"{one[1]}{written(snippets / name, language, snippets, cache) or name}{colon}{section}{one[3]}"

    return _INCLUDE.sub(include, text)


# ---- checks


def shown(book: Book, language: str) -> dict[Path, list[tuple[int, remarks.Said]]]:
    """What the pages of an edition show of labels, and of comments that have words, by file, with their lines."""
    found: dict[Path, list[tuple[int, remarks.Said]]] = {}
    targets = {target for page in book.pages.get(language, {}).values() for target, *_ in page.includes}
    for target in sorted(targets):
        name, _, section = target.partition(":")
        path = book.snippets_folder / name
        part = editions.parts(path).get(section) if path.suffix in (".py", ".md") else None
        for first, source in editions.code(part, path) if part else ():
            for one in remarks.said_in(path, source):
                if one.kind == "label" or remarks.has_words(one.text, source):
                    found.setdefault(path, []).append((first - 1 + one.line, one))
    return found


def in_the_words_of_the_page(book: Book) -> Iterator[Problem]:
    """Comments, docstrings and labels on Korean pages are Korean."""
    language = LANGUAGES[0]
    every = shown(book, language)
    for path, comments in sorted(every.items()):
        words = _readable(path.parent, language).get(path.name, {})
        for line, one in comments:
            if remarks.key(one.text) not in words:
                where = catalogs.catalog_path(path.parent, language).name
                message = f"{where} has no Korean for this: run python -m book comments, and write it there"
                yield Problem(path, line, message)
    for part in sorted({path.parent for path in every}):
        yield from _wrong(part, language)


def _readable(part: Path, language: str) -> dict[str, dict[str, tuple[str, int]]]:
    try:
        return catalogs.catalog(part, language)
    except catalogs.CatalogError:
        return {}


def _wrong(part: Path, language: str) -> Iterator[Problem]:
    """What is wrong with a catalog itself."""
    where = catalogs.catalog_path(part, language)
    try:
        entries = catalogs.catalog(part, language)
    except catalogs.CatalogError as error:
        yield Problem(where, error.line, error.message)
        return
    for name, words in entries.items():
        path = part / name
        if not path.is_file():
            line = min((line for _, line in words.values()), default=1)
            yield Problem(where, line, f"there is no {name} beside this: rename or remove its entries")
            continue
        pieces = [source for part in editions.parts(path).values() for _, source in editions.code(part, path)]
        there = {remarks.key(one.text): one for source in pieces for one in remarks.said_in(path, source)}
        if path.suffix == ".md":
            others = [one for source in pieces for one in (*labels.elsewhere(source), *labels.names(source))]
            there |= {remarks.key(one.text): remarks.of_label(one) for one in others}
        for english, (own, line) in words.items():
            if english not in there:
                yield Problem(where, line, f"{name} no longer says this: remove the entry, or give it the new words")
            elif not own.strip():
                yield Problem(where, line, f"{name}: write what this says, as {language}")
            elif there[english].kind == "label":
                if problem := labels.fault(there[english].text, own):
                    yield Problem(where, line, problem)
            elif ENDS.search(own) and not ENDS.search(english):
                yield Problem(where, line, "a backslash or a quotation mark here may end the docstring: leave it out")


CHECKS = (in_the_words_of_the_page,)


# ---- what is missing


def add_missing(book: Book, language: str) -> Iterator[tuple[Path, int]]:
    """Put an entry without words into the catalogs for each comment that has none; how many, by catalog."""
    missing: dict[Path, dict[str, list[str]]] = {}
    for path, comments in sorted(shown(book, language).items()):
        words = catalogs.catalog(path.parent, language).get(path.name, {})
        texts = {remarks.key(one.text): one.text for _, one in comments if remarks.key(one.text) not in words}
        if texts:
            missing.setdefault(path.parent, {})[path.name] = [*texts.values()]
    for part, files in missing.items():
        where = catalogs.catalog_path(part, language)
        new = {name: [{"en": text, language: ""} for text in texts] for name, texts in files.items()}
        where.write_text(catalogs.with_entries(where, new), encoding="utf-8")
        yield where, sum(map(len, files.values()))


def main() -> int:
    for where, count in add_missing(Book.read(ROOT), LANGUAGES[0]):
        print(f"{where.relative_to(ROOT).as_posix()}: {count} entries added; write their {LANGUAGES[0]}")
    return 0


if __name__ == "__main__":
    sys.exit(main())
