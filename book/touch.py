"""Figures that a reader can touch: the button below the drawing, and what it loads.

``docs/assets/js/touch/PART/NAME.js`` makes the figure ``PART/NAME`` answer; the head of ``touchable.js`` says how one
is written. A page asks for it behind its image, ``![…](…/assets/figures/PART/NAME.svg){.touch}``. The drawing stays,
and so does the page without scripts; what the button needs is loaded when it is pressed.
"""

from __future__ import annotations

import re
import xml.etree.ElementTree as etree
from pathlib import Path

from book import ROOT

#: What stands behind the image of such a figure.
MARK = "{.touch}"
#: The folder below the root of a book.
FOLDER = Path("docs/assets/js/touch")
#: What the caption says what to try after; notebooks, in which nothing can be touched, leave that out.
TRY = {"ko": "*움직여 보기:*", "en": "*To try:*"}
#: What the button says.
LABEL = {"ko": "직접 움직여 보기", "en": "Try it"}


def module_path(name: str, root: Path = ROOT) -> Path:
    """What a reader loads to touch the figure ``PART/NAME``."""
    return root / FOLDER / f"{name}.js"


def names(root: Path = ROOT) -> list[str]:
    """All figures that can be touched, ``PART/NAME``. What they compute is in a folder ``maths`` of its own."""
    files = (path for path in (root / FOLDER).glob("*/*.js") if path.parent.name != "maths")
    return sorted(path.relative_to(root / FOLDER).with_suffix("").as_posix() for path in files)


def scripts(root: Path = ROOT) -> list[Path]:
    """Everything that these figures load."""
    return sorted((root / FOLDER).rglob("*.js"))


def untouched(prose: str) -> str:
    """Captions without what to try."""
    return re.sub(rf" *(?:{'|'.join(map(re.escape, TRY.values()))}).*", "", prose)


def button(name: str, language: str) -> etree.Element:
    """What docs/assets/js/book.js waits for. The search leaves it out."""
    attributes = {"type": "button", "class": "touch", "aria-expanded": "false", "data-touch": name}
    element = etree.Element("button", {**attributes, "data-search-exclude": ""})
    element.text = LABEL[language]
    return element


def variables(root: Path = ROOT) -> set[str]:
    """The variables of CSS that a page has to have for them."""
    return {name for path in scripts(root) for name in re.findall(r"var\((--[\w-]+)", path.read_text(encoding="utf-8"))}
