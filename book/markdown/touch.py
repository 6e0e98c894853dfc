"""Figures that a reader can touch: the button below the drawing, and what it loads.

``docs/assets/js/touch/PART/NAME.js`` makes the figure ``PART/NAME`` answer. A page asks for it behind its image,
``![…](…/assets/figures/PART/NAME.svg){.touch}``. What the button needs is loaded when it is pressed, and takes the
place of the drawing and of what the caption says about it; what to try remains. Pressed again, the drawing is back.
Without scripts there is the drawing, no button, and nothing to try.

To write one for snippets/figures/PART/NAME.py (it stands here, since readers load all that stands in scripts):

1. Write what it computes as pure functions in ``maths/*.js``, and compare them with Python in
   tests/machinery/test_touch_browser.py; tests/js says what they mean.
2. Write ``PART/NAME.js``, whose default export is a class that extends ``Touchable`` (``touchable.js``).
3. ``static text = { ko: {…}, en: {…} }``: every word it shows, the same keys in both; ``this.text`` is the page's
   language. ``d_{k}`` has an index.
4. ``controls()`` adds what one moves: this.range, this.choice, this.check, this.field, this.action. Each has a name,
   which is that of its label in ``text``, too; this.state[name] holds its value, a number, a string or a boolean.
5. ``draw(state, width)`` returns { picture, says, numbers }: an SVG as wide as ``width`` pixels, made with ``svg``, and
   what it shows, in words (or an element of HTML, without words); and rows of [label, value], of which the first
   ``static above`` stand between the picture and what is moved. It is called after each change, and a little later
   what has changed in these rows is read out (in the ones above, if anything has changed there).
6. Colours are classes of the SVG (see STYLE); sizes are pixels, and text has 13 of them, or 12 if it is ``small``.
7. Numbers of the book's own code: ``static numbers = true``, and numbers() in the module of the figure returns them, a
   dict; then they are this.numbers there.
8. Behind the figure's image, on the pages of both languages, write {.touch}, and in its caption what to try.
9. The page has the style sheet of none of this: what an element needs beyond STYLE stands in its ``static style``.
10. Where there is room, what one moves stands beside a picture that need not be wide: BESIDE (``beside.js``) in its
    ``static style``, and --wide-room in the page's style sheet for how high it then is.
"""

from __future__ import annotations

import re
import xml.etree.ElementTree as etree
from pathlib import Path

from book import ROOT, strings
from book.source.prose import TO_TRY

#: What stands behind the image of such a figure.
MARK = "{.touch}"
#: What an address ends with that opens the figure of its page in some state: #at=…
STATE = "at="
#: The folder below the root of a book.
FOLDER = Path("docs/assets/js/touch")
#: What the button says beside the drawing, and then beside what has taken its place.
LABEL = strings.each("touch", "button")
#: The same of a figure that says more of what one can do.
LABELS = strings.each("touch", "buttons")
#: What stands above the drawing if what the button needs cannot be loaded.
FAILED = strings.each("touch", "failed")


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


def button(name: str, language: str) -> etree.Element:
    """What docs/assets/js/book/figures.js waits for. The search leaves it out."""
    attributes = {"type": "button", "class": "touch", "data-touch": name, "data-failed": FAILED[language]}
    element = etree.Element("button", {**attributes, "data-search-exclude": ""})
    for label in LABELS[language].get(name, LABEL[language]):
        etree.SubElement(element, "span").text = label
    return element


def mark_parts(caption: etree.Element, language: str) -> None:
    """Put what a caption says about the drawing into a ``span`` of its own, and what to try into another."""
    for said in caption.iter("p"):
        prefix = next((child for child in said if child.get("class") == "caption-prefix"), None)
        start = 0 if prefix is None else 1
        emphasised = (n for n, child in enumerate(said) if child.tag == "em" and f"*{child.text}*" == TO_TRY[language])
        if (try_it := next(emphasised, None)) is None:
            continue
        drawing = etree.Element("span", {"class": "drawing"})
        trying = etree.Element("span", {"class": "trying", "data-search-exclude": ""})
        drawing[:], trying[:] = said[start:try_it], said[try_it:]
        if prefix is None:
            drawing.text, said.text = said.text, None
        else:
            drawing.text, prefix.tail = prefix.tail, " "
        said[start:] = [drawing, trying]


def variables(root: Path = ROOT) -> set[str]:
    """The variables of CSS that a page has to have for them."""
    return {name for path in scripts(root) for name in re.findall(r"var\((--[\w-]+)", path.read_text(encoding="utf-8"))}
