"""Code that has words in it, in the words of each edition: an overlay beside the file.

Beside ``snippets/before/x.md`` there may be ``x.en.md``, with those of its sections that differ on English pages: the
words that are counted, the language of a corpus, and what that prints. A page includes ``before/x.md:section`` in both
languages, and shows its edition's. Where only comments and docstrings differ, a catalog has them:
book/source/comments.py.

Both forms are one program. A check refuses an overlay whose sections differ in anything but strings, comments, the
names of variables and whole numbers in a list that one is set to (in another text, what is looked at stands elsewhere),
with the place where they do. pytest runs an edition whole, the sections of the overlay and the
other ones: ``pytest snippets/before/x.en.md``. With ``--accept`` it writes the outputs of the overlay, and puts into it
the sections whose output is another one in this edition though nothing in them is. Values (book/source/values.py) are
those of the edition, too.
"""

from __future__ import annotations

import ast
import functools
import linecache
import re
import sys
from collections.abc import Iterator, Sequence
from dataclasses import dataclass
from pathlib import Path
from types import ModuleType
from typing import Any

from book import LANGUAGES, ROOT
from book.problems import Problem

SNIPPETS = ROOT / "snippets"
_SECTION = re.compile(
    r"^[^\n]*--8<-- \[start: *([\w-]+) *\][^\n]*\n(.*?)^[^\n]*--8<-- \[end: *\1 *\][^\n]*$", re.M | re.S
)
PYTHON = re.compile(r"^```python\n(.*?)^```$", re.M | re.S)
#: What one of them prints, as it stands below it.
PRINTED = re.compile(r"^```text\n(.*?)^```$", re.M | re.S)


@dataclass(frozen=True)
class Part:
    """A section of a file with its markers, ``text``, and what is between them, which begins in line ``line``."""

    text: str
    inner: str
    line: int


def language_of(path: Path) -> str:
    """The edition for which an overlay is; nothing for every other file."""
    name = path.stem.rpartition(".")[2] if "." in path.stem else ""
    return name if name in LANGUAGES and path.suffix in (".md", ".py") else ""


def base(path: Path) -> Path:
    """The file beside which an overlay stands."""
    return path.with_name(f"{path.stem.rpartition('.')[0]}{path.suffix}") if language_of(path) else path


def overlay(path: Path, language: str) -> Path:
    """Where the overlay of a file is, if it has one."""
    return path.with_name(f"{path.stem}.{language}{path.suffix}")


def overlays(snippets: Path = SNIPPETS) -> list[Path]:
    return sorted(path for path in snippets.glob("*/*.*.[mp][dy]") if language_of(path))


def parts(path: Path) -> dict[str, Part]:
    """The sections of a file; none if there is no such file."""
    try:
        return _parts(path, path.stat().st_mtime_ns)
    except FileNotFoundError:
        return {}


@functools.cache
def _parts(path: Path, changed: int) -> dict[str, Part]:
    return sections(path.read_text(encoding="utf-8"))


def sections(text: str) -> dict[str, Part]:
    found = _SECTION.finditer(text)
    return {one[1]: Part(one[0] + "\n", one[2], text.count("\n", 0, one.start(2)) + 1) for one in found}


def address(target: str, language: str, snippets: Path = SNIPPETS) -> str:
    """Where a page finds what it includes as ``part/x.md:section``: in the overlay of its edition, if that has it."""
    name, _, section = target.partition(":")
    path = snippets / name
    own = overlay(path, language)
    return f"{own.relative_to(snippets).as_posix()}:{section}" if section and section in parts(own) else target


def code(part: Part, path: Path) -> list[tuple[int, str]]:
    """The pieces of Python of a section, each with the line of its file where it begins."""
    if path.suffix == ".py":
        return [(part.line, part.inner)]
    return [(part.line + part.inner.count("\n", 0, one.start(1)), one[1]) for one in PYTHON.finditer(part.inner)]


def module(path: Path, language: str) -> ModuleType:
    """A module as an edition has it, with the sections of its overlay in the place of its own."""
    text = path.read_text(encoding="utf-8")
    ours, theirs = parts(path), parts(overlay(path, language))
    for name, part in theirs.items():
        text = text.replace(ours[name].text, part.text)
    made = ModuleType(f"{path.stem}_{language}")
    made.__file__ = f"{path}:{language}"
    linecache.cache[made.__file__] = len(text), None, text.splitlines(keepends=True), made.__file__  # for tracebacks
    sys.modules[made.__name__] = made
    exec(compile(text, made.__file__, "exec", dont_inherit=True), vars(made))
    return made


class Differs(Exception):
    """Two forms of a section that are two programs: the line in the second one, and what is there."""

    def __init__(self, line: int, message: str) -> None:
        super().__init__(message)
        self.line = line


def _variables(trees: Sequence[ast.AST]) -> set[str]:
    nodes = [node for tree in trees for node in ast.walk(tree)]
    return {node.id for node in nodes if isinstance(node, ast.Name) and isinstance(node.ctx, ast.Store)} | {
        node.arg for node in nodes if isinstance(node, ast.arg)
    }


def compare(one: list[str], two: list[str]) -> None:
    """See that two lists of pieces of Python are one program.

    Strings may differ, the names of variables, and the whole numbers of a list or tuple that variables are set to.

    A variable has one name in a form, and no two have the same. Raises ``Differs``, with a line within its piece; its
    ``args`` hold the position of the piece, too.
    """
    ours, theirs = ([ast.parse(piece) for piece in pieces] for pieces in (one, two))
    renamed = _variables(ours), _variables(theirs)
    names: tuple[dict[str, str], dict[str, str]] = {}, {}
    for position, (here, there) in enumerate(zip(ours, theirs, strict=True)):
        try:
            _same(here, there, renamed, names, 1)
        except Differs as error:
            error.args = (*error.args, position)
            raise


def _same(one: Any, two: Any, renamed, names, line: int) -> None:
    line = getattr(two, "lineno", line)
    if isinstance(one, list) and isinstance(two, list):
        # the text of an f-string between its values may be none
        texts = [[x for x in part if not (isinstance(x, ast.Constant) and x.value == "")] for part in (one, two)]
        if len(texts[0]) != len(texts[1]):
            raise Differs(line, f"has {len(texts[1])} parts here and {len(texts[0])} in the other edition")
        for first, second in zip(*texts, strict=True):
            _same(first, second, renamed, names, line)
    elif type(one) is not type(two):
        raise Differs(line, f"{_shown(two)} stands here and {_shown(one)} in the other edition")
    elif isinstance(one, ast.Constant) and isinstance(one.value, str) and isinstance(two.value, str):
        return
    elif isinstance(one, ast.Assign) and (form := _written_out(one.value)) and form == _written_out(two.value):
        _same(one.targets, two.targets, renamed, names, line)
    elif isinstance(one, ast.JoinedStr):
        values = [[part for part in text.values if not isinstance(part, ast.Constant)] for text in (one, two)]
        here, there = (sorted(map(ast.dump, parts)) for parts in values)
        if here != there:  # words may want the same values in another order
            _same(values[0], values[1], renamed, names, line)
    elif isinstance(one, (ast.Name, ast.arg)):
        field = "id" if isinstance(one, ast.Name) else "arg"
        first, second = getattr(one, field), getattr(two, field)
        known = first in renamed[0] and second in renamed[1]
        if names[0].setdefault(first, second) != second or names[1].setdefault(second, first) != first:
            raise Differs(line, f"{second} stands here for {first}, and elsewhere for another name")
        if first != second and not known:
            raise Differs(line, f"{second} stands here and {first} in the other edition, and is no variable")
        if isinstance(one, ast.arg):
            _same(one.annotation, two.annotation, renamed, names, line)
    elif isinstance(one, ast.AST):
        for field in one._fields:
            _same(getattr(one, field), getattr(two, field), renamed, names, line)
    elif one != two:
        raise Differs(line, f"{two!r} stands here and {one!r} in the other edition")


def _written_out(value: ast.expr) -> str:
    """The form of a list or tuple written out in whole numbers and strings, as ``[(3, "a"), (4, "b")]``; else ""."""
    if not isinstance(value, (ast.Tuple, ast.List)):
        return ""
    parts = [
        type(part.value).__name__
        if isinstance(part, ast.Constant) and type(part.value) in (int, str)
        else _written_out(part)
        for part in value.elts
    ]
    return f"{type(value).__name__}({', '.join(parts)})" if all(parts) else ""


def _shown(node: object) -> str:
    return (ast.unparse(node) or type(node).__name__) if isinstance(node, ast.AST) else repr(node)


def one_program(book) -> Iterator[Problem]:
    """An overlay stands beside a file, has sections of it in their order, and the same program in them."""
    for path in overlays(book.snippets_folder):
        its = base(path)
        if not its.is_file():
            yield Problem(path, 1, f"there is no {its.name} beside this: rename it, or remove it")
            continue
        ours, theirs = parts(its), parts(path)
        order = [name for name in ours if name in theirs]
        if order != [name for name in theirs if name in ours]:
            yield Problem(path, 1, f"the sections stand in another order than in {its.name}: {', '.join(order)}")
        for name, part in theirs.items():
            if name not in ours:
                yield Problem(path, part.line - 1, f"{its.name} has no section {name}: rename it, or remove it")
            elif part.inner == ours[name].inner:
                yield Problem(path, part.line - 1, f"section {name} is the same in {its.name}: remove it here")
        pieces = {name: (code(ours[name], its), code(theirs[name], path)) for name in order}
        if uneven := [name for name, (one, two) in pieces.items() if len(one) != len(two)]:
            for name in uneven:
                one, two = map(len, pieces[name])
                message = f"section {name} has {two} pieces of Python, and {one} in {its.name}: write as many"
                yield Problem(path, theirs[name].line, message)
            continue
        here, there = ([piece for pair in pieces.values() for piece in pair[which]] for which in (0, 1))
        try:
            compare([piece for _, piece in here], [piece for _, piece in there])
        except Differs as error:
            line = there[error.args[1]][0] + error.line - 1
            may = "strings, comments, names of variables and whole numbers in lists that these are set to"
            message = f"{error.args[0]}: only {may} may differ from {its.name}"
            yield Problem(path, line, message)
        except SyntaxError as error:
            yield Problem(path, 1, f"this or {its.name} is not Python: {error.msg}")


CHECKS = (one_program,)
