"""Comments, docstrings and printed labels in the words of an edition: a catalog beside the modules of a part.

``snippets/PART/comments.ko.yml`` has, for each file of the part, what Korean pages show of these (``en``) and their
Korean (``ko``). A page that includes a section of such a file shows it with these; what runs, and what English pages
show, is the file. A label is a string that a worked example prints, ``print(f"{n} layers, loss {loss:.2f}")``, so the
output below has its Korean, too: book/labels.py. A check asks for all that have words, and names those that are no
longer in their file; ``python -m book.comments`` adds what is missing, for somebody to write its ``ko``.
"""

from __future__ import annotations

import ast
import functools
import io
import keyword
import re
import sys
import tokenize
import unicodedata
from collections.abc import Iterator
from dataclasses import dataclass
from pathlib import Path

import yaml

from book import LANGUAGES, ROOT, editions, glossary, labels
from book.pages import Book
from book.problems import Problem

#: Where what pages of an edition include is written; mkdocs.yml names it as a ``base_path`` of includes.
CACHE = ROOT / ".cache" / "editions"
#: Columns of a listing and of a worked example, which may stand in a box; a syllable of Hangul takes two.
WIDTH, WIDTH_OF_EXAMPLES = 84, 74
#: Comments that speak to programs.
MARKS = re.compile(r"#\s*(-*8<-|noqa|type:|fmt:|pragma|!)")
#: What may end or change a docstring.
ENDS = re.compile(r"\\|\"\"\"|'''|[\"']$")
_QUOTES = re.compile(r"[rRuU]*(\"\"\"|'''|\"|')")
_FENCE = re.compile(r"^```(python|text)\n(.*?)^```$", re.M | re.S)
_INCLUDE = re.compile(r'^(\s*--8<-- ")([^"]*)("\s*)$', re.M)
_SHAPE = re.compile(r"\([^()]*\)|\[[^][]*\]|`[^`]*`")


class CatalogError(glossary.EntryError):
    """A catalog cannot be read."""


@dataclass(frozen=True)
class Said:
    """A comment or docstring in the lines ``line`` to ``end`` of a piece of Python, from ``column`` on."""

    kind: str  # comment (lines of its own), trailing (behind code), docstring, label (of an example)
    text: str
    line: int
    end: int
    column: int


def key(text: str) -> str:
    """A text without its line breaks: how it is wrapped does not matter, but the columns of a line do."""
    return text if "  " in text and "\n" not in text else " ".join(text.split())


@functools.cache
def said(source: str) -> list[Said]:
    """All comments and docstrings of a piece of Python; comments on consecutive lines are one."""
    lines = source.splitlines()
    found: list[Said] = []
    for token in tokenize.generate_tokens(io.StringIO(source).readline):
        if token.type != tokenize.COMMENT or MARKS.match(token.string):
            continue
        (line, column), text = token.start, token.string.lstrip("#:").strip()
        kind = "trailing" if lines[line - 1][:column].strip() else "comment"
        last = found[-1] if found else None
        if kind == "comment" and last and (last.kind, last.end, last.column) == (kind, line - 1, column):
            found[-1] = Said(kind, f"{last.text}\n{text}", last.line, line, column)
        else:
            found.append(Said(kind, text, line, line, column))
    for node in ast.walk(ast.parse(source)):
        if isinstance(node, (ast.Module, ast.ClassDef, ast.FunctionDef)) and (text := ast.get_docstring(node)):
            where = node.body[0]
            found.append(Said("docstring", text, where.lineno, where.end_lineno, where.col_offset))
    return sorted(found, key=lambda one: one.line)


def in_example(source: str) -> list[Said]:
    """All comments, docstrings and labels of a piece of Python of a worked example."""
    return sorted([*said(source), *map(_label, labels.labels(source))], key=lambda one: one.line)


def _said_in(path: Path, source: str) -> list[Said]:
    """What a piece of Python of a file says: only worked examples have labels."""
    return in_example(source) if path.suffix == ".md" else said(source)


def _label(one: labels.Label) -> Said:
    return Said("label", one.text, one.line, one.line, one.column)


def has_words(text: str, source: str) -> bool:
    """Does a comment say something in words, not only shapes, code and names of its file?"""
    names = _names(source)
    return any(word not in names for word in re.findall(r"[A-Za-z]{2,}", _SHAPE.sub(" ", text)))


@functools.cache
def _names(source: str) -> set[str]:
    """Whatever is a name in a piece of Python, taken apart at its underscores and digits."""
    tokens = tokenize.generate_tokens(io.StringIO(source).readline)
    names = " ".join(token.string for token in tokens if token.type == tokenize.NAME)
    return {word for word in re.findall(r"[A-Za-z]+", names) if not keyword.iskeyword(word)}


# ---- the catalog


def catalog_path(part: Path, language: str) -> Path:
    return part / f"comments.{language}.yml"


def catalog(part: Path, language: str) -> dict[str, dict[str, tuple[str, int]]]:
    """By file and by ``key`` of what it says, the words of the edition and the line of the entry.

    Nothing if the part has no catalog. Raises ``CatalogError``.
    """
    path = catalog_path(part, language)
    return _catalog(path, path.stat().st_mtime_ns) if path.is_file() else {}


@functools.cache
def _catalog(path: Path, changed: int) -> dict[str, dict[str, tuple[str, int]]]:
    try:
        tree = yaml.compose(path.read_text(encoding="utf-8"), glossary.FAST)
    except yaml.YAMLError as fault:
        line, problem = glossary.yaml_fault(fault)
        raise CatalogError(path, line, problem) from None
    if not isinstance(tree, yaml.MappingNode):
        raise CatalogError(path, 1, "write a list of entries, en and ko, below the name of each file")
    found: dict[str, dict[str, tuple[str, int]]] = {}
    for name, entries in tree.value:
        words = found.setdefault(name.value, {})
        for entry in entries.value:
            line = entry.start_mark.line + 1
            fields = {field.value: value.value for field, value in entry.value} if entry.value else {}
            if [*fields] != ["en", path.suffixes[0][1:]]:
                raise CatalogError(path, line, f"an entry has en and {path.suffixes[0][1:]}, in this order")
            english, own = fields.values()
            words[key(english)] = (own.rstrip("\n"), line)
    return found


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
    for one in reversed(said(source)):
        own = words.get(key(one.text), ("", 0))[0]
        if own:
            lines[one.line - 1 : one.end] = _rendered(one, own, lines[one.line - 1 : one.end], columns)
    return "\n".join(lines)


def _rendered(one: Said, own: str, lines: list[str], columns: int) -> list[str]:
    indent = " " * one.column
    if one.kind == "docstring":
        opening = _QUOTES.match(lines[0], one.column)
        flat = wrapped(own, columns - one.column - 2 * len(opening[1]))
        if len(flat) == 1:
            return [f"{indent}{opening[0]}{flat[0]}{opening[1]}"]
        whole = wrapped(own, columns - one.column - len(opening[1]))
        return [
            f"{indent}{opening[0]}{whole[0]}",
            *((indent + line).rstrip() for line in whole[1:]),
            indent + opening[1],
        ]
    mark = re.match(r"#:?", lines[0][one.column :])[0]
    if one.kind == "trailing":
        code = lines[0][: one.column]
        if "\n" not in own and width(f"{code}{mark} {own}") <= columns:
            return [f"{code}{mark} {own}"]
        indent = code[: len(code) - len(code.lstrip())]
        return [*(f"{indent}# {line}" for line in wrapped(own, columns - len(indent) - 2)), code.rstrip()]
    return [f"{indent}{mark} {line}".rstrip() for line in wrapped(own, columns - one.column - len(mark) - 1)]


def in_words_of(path: Path, language: str) -> str | None:
    """The text of a file of ``snippets`` in the words of an edition, or nothing if the edition has none for it."""
    words = catalog(path.parent, language).get(path.name)
    if not words:
        return None
    changed = (file.stat().st_mtime_ns for file in (path, catalog_path(path.parent, language)))
    return _in_words_of(path, language, *changed)


@functools.cache
def _in_words_of(path: Path, language: str, *changed: int) -> str:
    words, text = catalog(path.parent, language)[path.name], path.read_text(encoding="utf-8")
    if path.suffix == ".py":
        return translated(text, words)
    return _example(text, words)


def _example(text: str, words: dict[str, tuple[str, int]]) -> str:
    """A file of worked examples with the words of an edition in its Python, and in what that prints."""
    pieces: list[str] = []

    def own(label: str) -> str:
        return words.get(key(label), ("", 0))[0]

    def fence(one: re.Match) -> str:
        kind, inner = one.groups()
        if kind == "text":
            return f"```text\n{labels.in_output(inner, pieces, own)}```"
        pieces.append(inner)
        return f"```python\n{translated(labels.in_code(inner, own), words, WIDTH_OF_EXAMPLES)}```"

    return _FENCE.sub(fence, text)


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


def shown(book: Book, language: str) -> dict[Path, list[tuple[int, Said]]]:
    """What the pages of an edition show of labels, and of comments that have words, by file, with their lines."""
    found: dict[Path, list[tuple[int, Said]]] = {}
    targets = {target for page in book.pages.get(language, {}).values() for target, *_ in page.includes}
    for target in sorted(targets):
        name, _, section = target.partition(":")
        path = book.snippets_folder / name
        part = editions.parts(path).get(section) if path.suffix in (".py", ".md") else None
        for first, source in editions.code(part, path) if part else ():
            for one in _said_in(path, source):
                if one.kind == "label" or has_words(one.text, source):
                    found.setdefault(path, []).append((first - 1 + one.line, one))
    return found


def in_the_words_of_the_page(book: Book) -> Iterator[Problem]:
    """Comments, docstrings and labels on Korean pages are Korean."""
    language = LANGUAGES[0]
    every = shown(book, language)
    for path, comments in sorted(every.items()):
        words = _readable(path.parent, language).get(path.name, {})
        for line, one in comments:
            if key(one.text) not in words:
                where = catalog_path(path.parent, language).name
                message = f"{where} has no Korean for this: run python -m book.comments, and write it there"
                yield Problem(path, line, message)
    for part in sorted({path.parent for path in every}):
        yield from _wrong(part, language)


def _readable(part: Path, language: str) -> dict[str, dict[str, tuple[str, int]]]:
    try:
        return catalog(part, language)
    except CatalogError:
        return {}


def _wrong(part: Path, language: str) -> Iterator[Problem]:
    """What is wrong with a catalog itself."""
    where = catalog_path(part, language)
    try:
        entries = catalog(part, language)
    except CatalogError as error:
        yield Problem(where, error.line, error.message)
        return
    for name, words in entries.items():
        path = part / name
        if not path.is_file():
            line = min((line for _, line in words.values()), default=1)
            yield Problem(where, line, f"there is no {name} beside this: rename or remove its entries")
            continue
        pieces = [source for part in editions.parts(path).values() for _, source in editions.code(part, path)]
        there = {key(one.text): one for source in pieces for one in _said_in(path, source)}
        if path.suffix == ".md":
            there |= {key(one.text): _label(one) for source in pieces for one in labels.elsewhere(source)}
        for english, (own, line) in words.items():
            if english not in there:
                yield Problem(where, line, f"{name} no longer says this: remove the entry, or give it the new words")
            elif not own.strip():
                yield Problem(where, line, f"write what this says, as {language}")
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
        words = catalog(path.parent, language).get(path.name, {})
        texts = {key(one.text): one.text for _, one in comments if key(one.text) not in words}
        if texts:
            missing.setdefault(path.parent, {})[path.name] = [*texts.values()]
    for part, files in missing.items():
        where = catalog_path(part, language)
        new = {name: [{"en": text, language: ""} for text in texts] for name, texts in files.items()}
        where.write_text(with_entries(where, new), encoding="utf-8")
        yield where, sum(map(len, files.values()))


def with_entries(where: Path, new: dict[str, list[dict[str, str]]]) -> str:
    """The text of a catalog, which need not be there yet, with more entries, by the name of their file."""
    entries = yaml.safe_load(where.read_text(encoding="utf-8")) if where.is_file() else {}
    for name, more in new.items():
        entries.setdefault(name, []).extend(more)
    return _dumped(dict(sorted(entries.items())))


class _Dumper(yaml.SafeDumper):
    """Text of several lines as it stands."""


_Dumper.add_representer(
    str,
    lambda dumper, text: dumper.represent_scalar("tag:yaml.org,2002:str", text, style="|" if "\n" in text else None),
)


def _dumped(entries: dict) -> str:
    return yaml.dump(entries, Dumper=_Dumper, allow_unicode=True, sort_keys=False, width=200)


def main() -> int:
    for where, count in add_missing(Book.read(ROOT), LANGUAGES[0]):
        print(f"{where.relative_to(ROOT).as_posix()}: {count} entries added; write their {LANGUAGES[0]}")
    return 0


if __name__ == "__main__":
    sys.exit(main())
