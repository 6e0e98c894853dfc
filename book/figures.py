"""Figures: which are out of date, how they are drawn, and how a page takes one in.

A figure is one module ``snippets/figures/PART/NAME.py``, with ``TEXT``, its labels by language, and
``draw(text)``, which returns a matplotlib figure. It is drawn to ``docs/assets/figures/PART/
NAME.LANGUAGE.svg`` whenever the meaning of the code behind it has changed, and a page that says
``![alternative text](../assets/figures/PART/NAME.svg)`` gets the SVG itself, in its own language:
its text is then real text and its colours follow the reader's theme.

``python -m book.figures`` draws those out of date, or those named. A build does so in a process of
its own: nothing at the top of this file imports torch or matplotlib, so a build that has nothing to
draw stays fast, and one that has always runs the code as it stands on disk.
"""

from __future__ import annotations

import importlib
import json
import os
import re
import subprocess
import sys
import time
import traceback
import xml.etree.ElementTree as etree
from pathlib import Path

from markdown import Extension, Markdown
from markdown.treeprocessors import Treeprocessor
from mkdocs.exceptions import BuildError

from book import LANGUAGES, ROOT
from book.pages import near
from snippets.tools import fingerprint as code

MODULES = ROOT / "snippets" / "figures"
DRAWN = ROOT / "docs" / "assets" / "figures"
#: On whose versions it depends what a figure looks like.
LIBRARIES = ("torch", "matplotlib", "numpy")


class FigureError(BuildError):
    """A figure that cannot be drawn, found or shown. MkDocs shows the message of such an error, and no traceback."""


def names() -> list[str]:
    """All figures, ``PART/NAME``."""
    files = (path for path in MODULES.glob("*/*.py") if not path.name.startswith(("_", ".")))
    return sorted(path.relative_to(MODULES).with_suffix("").as_posix() for path in files)


def module_path(name: str) -> Path:
    return MODULES / f"{name}.py"


def svg_path(name: str, language: str) -> Path:
    return DRAWN / f"{name}.{language}.svg"


def sources(name: str) -> list[Path]:
    """The module of a figure and every file of ``snippets`` that it imports, directly or not."""
    return code.sources([module_path(name)], ROOT)


def fingerprint(name: str) -> str:
    """A hash of the code behind a figure and of the libraries that draw it."""
    files = {*sources(name), MODULES / "style.py"}
    return code.fingerprint(sorted(files), ROOT, packages=LIBRARIES)


def _record() -> dict[str, str]:
    try:
        return json.loads((DRAWN / "drawn.json").read_text(encoding="utf-8"))
    except (FileNotFoundError, json.JSONDecodeError):
        return {}


def stale() -> list[str]:
    """Figures that were never drawn, lost a file, or whose code has changed since."""
    record = _record()
    return [
        name
        for name in names()
        if not all(svg_path(name, language).is_file() for language in LANGUAGES)
        or record.get(name) != fingerprint(name)
    ]


def mark_drawn(name: str, drawn_from: str) -> None:
    """Remember the fingerprint of the code from which a figure was drawn."""
    record = {key: value for key, value in _record().items() if key in names()}
    record[name] = drawn_from
    DRAWN.mkdir(parents=True, exist_ok=True)
    (DRAWN / "drawn.json").write_text(json.dumps(record, indent=1, sort_keys=True) + "\n", encoding="utf-8")


def draw_stale() -> None:
    """Draw what is out of date, in a fresh process. Raises ``FigureError`` that names the figure."""
    todo = stale()
    if not todo:
        return
    # No byte code: `mkdocs serve` watches snippets/ and would build again for it.
    environment = {**os.environ, "PYTHONDONTWRITEBYTECODE": "1"}
    command = [sys.executable, "-m", "book.figures", *todo]
    if subprocess.run(command, cwd=ROOT, env=environment).returncode:
        raise FigureError(f"could not draw: {', '.join(stale() or todo)} (the reason stands above)")


def draw(name: str) -> dict[str, str]:
    """One figure as SVG text, by language."""
    from snippets.figures import style

    module = importlib.import_module(f"snippets.figures.{name.replace('/', '.')}")
    return {language: style.drawn(module, language) for language in LANGUAGES}


def no_figure(name: str) -> str:
    """What to say about a figure that there is not."""
    return f"there is no snippets/figures/{name}.py{near(name, names())}"


def inline_svg(name: str, language: str, alt: str) -> str:
    """The SVG of a figure as an element of a page: named, with ids of its own."""
    if not module_path(name).is_file():
        raise FigureError(f"{no_figure(name)} Write it, or correct the address of the image")
    path = svg_path(name, language)
    if not path.is_file():
        raise FigureError(f"figure {name!r} has not been drawn; run: python -m book.figures {name}")
    svg = path.read_text(encoding="utf-8")
    # ids that nothing refers to go; the others get the figure's name, since a page holds several SVGs
    used, prefix = set(re.findall(r'(?:url\(#|href="#)([^)"]+)', svg)), name.replace("/", "-")
    svg = re.sub(r'\sid="([^"]+)"', lambda m: f' id="{prefix}-{m.group(1)}"' if m.group(1) in used else "", svg)
    svg = re.sub(r'(url\(#|href="#)', rf"\g<1>{prefix}-", svg)
    opening = etree.Element("svg", {"role": "img", "aria-label": alt})
    attributes = etree.tostring(opening, encoding="unicode", short_empty_elements=False)[len("<svg") : -len("></svg>")]
    return svg.replace("<svg", f"<svg{attributes}", 1)


class _Figures(Treeprocessor):
    def __init__(self, md: Markdown, language: str) -> None:
        super().__init__(md)
        self.language = language

    def run(self, root):
        for parent in root.iter():
            for position, child in enumerate(parent):
                source = re.search(r"assets/figures/([\w/-]+)\.svg$", child.get("src", ""))
                if child.tag != "img" or not source:
                    continue
                svg = inline_svg(source[1], self.language, child.get("alt", ""))
                box = etree.Element("span", {"class": "figure", "data-search-exclude": ""})
                box.text = self.md.htmlStash.store(svg)
                box.tail = child.tail
                parent[position] = box


class FigureExtension(Extension):
    """Takes drawn figures into the page; ``language`` chooses the labels."""

    def __init__(self, language: str = "en") -> None:
        super().__init__()
        self.language = language

    def extendMarkdown(self, md: Markdown) -> None:
        # after the inline patterns (20), before MkDocs checks relative links (0)
        md.treeprocessors.register(_Figures(md, self.language), "figures", 14)


def main(arguments: list[str]) -> int:
    if unknown := [name for name in arguments if not module_path(name).is_file()]:
        print("\n".join(map(no_figure, unknown)), file=sys.stderr)
        return 2
    todo = arguments or stale()
    # taken before the code is read: what is edited while it is being drawn will be drawn again
    fingerprints = {name: fingerprint(name) for name in todo}
    failed = []
    for number, name in enumerate(todo, start=1):
        print(f"figure {number}/{len(todo)}  {name}", end=" ", flush=True)
        start = time.perf_counter()
        try:
            drawn = draw(name)
        except Exception:
            failed.append(name)
            print("FAILED", flush=True)
            traceback.print_exc()
            continue
        for language, svg in drawn.items():
            path = svg_path(name, language)
            path.parent.mkdir(parents=True, exist_ok=True)
            path.write_text(svg, encoding="utf-8")
        mark_drawn(name, fingerprints[name])
        print(f"({time.perf_counter() - start:.1f} s)", flush=True)
    if failed:
        print(f"could not draw: {', '.join(failed)}", file=sys.stderr)
    elif not todo:
        print("all figures are up to date")
    return 1 if failed else 0


if __name__ == "__main__":
    sys.exit(main(sys.argv[1:]))
