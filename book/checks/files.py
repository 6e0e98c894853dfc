"""Checks of files: what is in them besides their text, and what of them is published."""

from __future__ import annotations

import re
import unicodedata
from collections.abc import Iterator

from book import LANGUAGES
from book.problems import Problem
from book.source.pages import Book
from book.source.text import lines_of, read, text_files, visible

#: Files that docs may hold, since whatever stands there is published.
PUBLISHED = {".css", ".js", ".svg", ".png", ".jpg", ".webp", ".woff2"}

#: What no editor shows: control characters, zero widths, changes of direction, separators of lines.
UNSEEN = re.compile(
    "[\x00-\x08\x0b\x0c\x0e-\x1f\x7f-\x9f\xad\u061c\u200b-\u200f\u2028-\u202e\u2060-\u206f\ufeff\ufff9-\ufffb]"
)

#: What Git leaves where it could not merge.
CONFLICT = re.compile(r"^(?:<{7}|={7}|>{7}|\|{7})(?=\s|$)", re.M)

#: Bytes: a reader on a phone waits for a picture.
LARGEST_PICTURE = 400_000


def characters(book: Book) -> Iterator[Problem]:
    """Nothing that an editor does not show, one way to write a syllable, and no trace of a merge."""
    for path in text_files(book.root):
        if not path.is_file():
            continue
        text = path.read_bytes().decode(errors="replace").replace("\r\n", "\n")
        if text.startswith("\ufeff"):
            yield Problem(path, 1, "starts with a byte order mark: save the file as UTF-8 without BOM")
            text = text[1:]

        def line(position: int, text: str = text) -> int:
            return text.count("\n", 0, position) + 1

        for found in UNSEEN.finditer(text):
            name = unicodedata.name(found[0], "a control character")
            yield Problem(
                path, line(found.start()), f"holds U+{ord(found[0]):04X} ({name}), which nobody sees: remove it"
            )
        if not text.isascii() and not unicodedata.is_normalized("NFC", text):
            number = next(n for n, part in enumerate(lines_of(text), 1) if not unicodedata.is_normalized("NFC", part))
            yield Problem(path, number, "letters stand here in pieces (NFD): save the file with whole ones (NFC)")
        for found in CONFLICT.finditer(text):
            yield Problem(
                path, line(found.start()), f"{found[0]} is left of a merge: choose one version, remove the marks"
            )


def published(book: Book) -> Iterator[Problem]:
    """Below docs stands only what may be published, and nothing too large to load."""
    docs = book.root / "docs"
    for path in sorted(docs.rglob("*")):
        if not visible(path, docs):
            continue
        name = path.relative_to(docs).as_posix()
        made = name.startswith(("assets/figures/", "assets/weights/"))  # by the build
        if path.is_symlink():
            yield Problem(path, 1, "is a link, and what it leads to would be published: put the file itself here")
        elif path.is_file() and not made:
            in_language = name.partition("/")[0] in LANGUAGES
            allowed = path.suffix == ".md" if in_language else path.suffix in PUBLISHED or path.name == "LICENSE"
            allowed |= name in ("glossary.yml", "keywords.yml", "names.yml", "printed.yml", "wording.yml")
            allowed |= bool(re.fullmatch(r"questions/[a-z0-9-]+\.yml", name))
            if not allowed:
                what = "pages, .md" if in_language else f"files that end in {', '.join(sorted(PUBLISHED))}"
                yield Problem(path, 1, f"would be published: here stand only {what}; move it, or remove it")
            if in_language and not re.fullmatch(r"\w+/(?:[a-z0-9-]+/)*[a-z0-9-]+\.md", name):
                yield Problem(path, 1, "this name becomes an address: use small letters, digits and hyphens")
        if name.startswith("assets/weights/"):
            continue  # loaded when a reader asks for it; book/artifacts/weights.py sees to its size
        if path.is_file() and path.suffix != ".md" and path.stat().st_size > LARGEST_PICTURE:
            size, most = path.stat().st_size // 1000, LARGEST_PICTURE // 1000
            yield Problem(
                path, 1, f"has {size} kB, and a reader on a phone waits for it: make it smaller than {most} kB"
            )


def style_sheets(book: Book) -> Iterator[Problem]:
    """Every brace is closed: browsers drop the rest of the file without a word."""
    for path in sorted((book.root / "docs" / "assets" / "css").glob("*.css")):
        text = re.sub(
            r"/\*.*?\*/|\"[^\"\n]*\"|'[^'\n]*'", lambda found: "\n" * found[0].count("\n"), read(path), flags=re.S
        )
        began: list[int] = []  # the lines of the braces that are open
        for number, line in enumerate(lines_of(text), start=1):
            if began and re.match(r"[^\s})]", line):
                yield Problem(
                    path, began[-1], f"this brace is still open in line {number}: close it, or indent that line"
                )
                break
            for brace in re.findall(r"[{}]", line):
                if brace == "{":
                    began.append(number)
                elif began:
                    began.pop()
                else:
                    yield Problem(path, number, "this brace closes nothing: remove it, or open one")
        else:
            if began:
                yield Problem(path, began[-1], "this brace is never closed: add a }")
