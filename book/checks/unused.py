"""What is published and used by nothing, and style sheets that set what no browser knows."""

from __future__ import annotations

import functools
import re
from collections.abc import Iterator
from pathlib import Path

import material

from book.markdown import touch
from book.problems import Problem
from book.source.pages import Book
from book.source.text import near, read

#: CSS properties besides those of the theme's style sheets.
PROPERTIES = set(
    """align-self anchor-name animation-delay animation-duration animation-timeline appearance border-width break-after
    break-inside clip-path column-gap contain-intrinsic-size content-visibility font font-variant-numeric
    grid-column grid-row grid-template-columns grid-template-areas inset margin-block margin-inline mask orphans
    overscroll-behavior padding-block padding-inline rotate scroll-behavior stroke stroke-width
    table-layout text-decoration-color text-decoration-thickness text-underline-offset text-wrap widows""".split()
)
_PROPERTY = re.compile(r"(?:^|[{;])\s*(-?[a-z][a-z-]*)\s*:\s*[^{};]*(?=[;}])", re.M)


def assets_used(book: Book) -> Iterator[Problem]:
    """Every script, style sheet and picture below docs/assets is named somewhere; none is hidden."""
    folder = book.root / "docs" / "assets"
    own = [path for path in sorted(folder.rglob("*")) if path.is_file() and _by_hand(path, folder)]
    others = [book.root / "mkdocs.yml", *(book.root / "book").rglob("*.html"), *(book.root / "book").rglob("*.py")]
    said = {path: read(path) for path in [*own, *others] if path.suffix in (".js", ".css", ".html", ".py", ".yml")}
    pages = "\n".join(line.text for page in book.every_page() for line in page.lines if line.images or line.links)
    figures = {touch.module_path(name, book.root) for name in touch.names(book.root)}
    for path in own:
        hidden = [name for name in path.relative_to(folder).parts[:-1] if name.startswith(".")]
        if hidden:
            yield Problem(path, 1, f"would be published out of the hidden folder {hidden[0]}: move or remove it")
        if hidden or path.name.startswith(".") or path in figures or path.name == "LICENSE":
            continue
        named = re.compile(rf"(?<![\w.-]){re.escape(path.name)}").search
        if path.suffix == ".css" or any(named(text) for other, text in said.items() if other != path):
            continue  # all style sheets are in use: book/finish/styles.py looks for them
        if not named(pages):
            yield Problem(path, 1, "would be published, and nothing loads it: use it, or remove it")


def _by_hand(path: Path, folder: Path) -> bool:
    return path.relative_to(folder).parts[0] not in ("figures", "weights", "katex")


@functools.cache
def _of_theme() -> set[str]:
    sheets = (Path(material.__file__).parent / "templates" / "assets" / "stylesheets").glob("*.css")
    return {name for sheet in sheets for name in _PROPERTY.findall(read(sheet))}


def properties_known(book: Book) -> Iterator[Problem]:
    """Style sheets set properties that there are: browsers pass over the others without a word."""
    for path in sorted((book.root / "docs" / "assets" / "css").glob("*.css")):
        text = re.sub(r"/\*.*?\*/", lambda found: "\n" * found[0].count("\n"), read(path), flags=re.S)
        for found in _PROPERTY.finditer(text):
            if found[1] not in (known := PROPERTIES | _of_theme()):
                line = text.count("\n", 0, found.start(1)) + 1
                message = f"{found[1]} is no property{near(found[1], known)}; if it is, add it to PROPERTIES"
                yield Problem(path, line, f"{message} in book/checks/unused.py")


CHECKS = (assets_used, properties_known)
