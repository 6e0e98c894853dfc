"""Figures: which are out of date, and how a page takes one in.

A figure is one module ``snippets/figures/NAME.py``. It is drawn to ``docs/assets/figures/
NAME.LANGUAGE.svg`` whenever the code behind it has changed, and a page that says
``![alternative text](../assets/figures/NAME.svg)`` gets the SVG itself, in its own language:
its text is then real text and its colours follow the reader's theme.

Nothing here imports torch or matplotlib. Drawing happens in ``python -m snippets.figures``,
in a process of its own, so a build that has nothing to draw stays fast, and one that has
always runs the code as it stands on disk.
"""

from __future__ import annotations

import json
import os
import re
import subprocess
import sys
import xml.etree.ElementTree as etree
from pathlib import Path

from markdown import Extension, Markdown
from markdown.treeprocessors import Treeprocessor

from book import imports

ROOT = Path(__file__).resolve().parent.parent
MODULES = ROOT / "snippets" / "figures"
DRAWN = ROOT / "docs" / "assets" / "figures"
LANGUAGES = ("ko", "en")


class FigureError(RuntimeError):
    """A figure that cannot be drawn, found or shown."""


def names() -> list[str]:
    """All figures, by module name; ``style`` and ``__main__`` are not figures."""
    return sorted(p.stem for p in MODULES.glob("*.py") if p.stem != "style" and not p.stem.startswith("_"))


def svg_path(name: str, language: str) -> Path:
    return DRAWN / f"{name}.{language}.svg"


def sources(path: Path) -> list[Path]:
    """The file itself and every file of ``snippets`` that it imports, directly or not."""
    return imports.sources([path], ROOT)


def fingerprint(name: str) -> str:
    """A hash of the code behind a figure and of the libraries that draw it."""
    files = sources(MODULES / f"{name}.py") + [MODULES / "style.py", MODULES / "__main__.py"]
    return imports.fingerprint(files, ROOT)


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
    (DRAWN / "drawn.json").write_text(json.dumps(record, indent=1, sort_keys=True) + "\n", encoding="utf-8")


def draw_stale() -> None:
    """Draw what is out of date, in a fresh process. Raises ``FigureError`` that names the figure."""
    todo = stale()
    if not todo:
        return
    # No byte code: `mkdocs serve` watches snippets/ and would build again for it.
    environment = {**os.environ, "PYTHONDONTWRITEBYTECODE": "1"}
    command = [sys.executable, "-m", "snippets.figures", *todo]
    if subprocess.run(command, cwd=ROOT, env=environment).returncode:
        raise FigureError(f"could not draw: {', '.join(stale() or todo)} (the reason stands above)")


def inline_svg(name: str, language: str, alt: str) -> str:
    """The SVG of a figure as an element of a page: named, with ids of its own."""
    known = names()
    if name not in known:
        advice = f"add snippets/figures/{name}.py, or use one of: {', '.join(known)}"
        raise FigureError(f"there is no figure {name!r}; {advice}")
    path = svg_path(name, language)
    if not path.is_file():
        raise FigureError(f"figure {name!r} has not been drawn; run: python -m snippets.figures {name}")
    svg = path.read_text(encoding="utf-8")
    # ids that nothing refers to go; the others get the figure's name, since a page holds several SVGs
    used = set(re.findall(r'(?:url\(#|href="#)([^)"]+)', svg))
    svg = re.sub(r'\sid="([^"]+)"', lambda m: f' id="{name}-{m.group(1)}"' if m.group(1) in used else "", svg)
    svg = re.sub(r'(url\(#|href="#)', rf"\g<1>{name}-", svg)
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
                source = re.search(r"assets/figures/([\w-]+)\.svg$", child.get("src", ""))
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
