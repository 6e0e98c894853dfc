"""Drawn figures within a page: each is an SVG of its own there, with what enlarges it on a phone.

A phone shows each figure as wide as its column, and larger to whoever taps it: a checkbox, which needs no script. Its
letters are small there, so what matters most has a second drawing: ``draw(text, width=style.WIDTH)`` is asked for one
of ``style.NARROW`` inches, too, which stands beside the other in the page, and docs/assets/css/book.css shows one.
"""

from __future__ import annotations

import re
import xml.etree.ElementTree as etree

from markdown import Extension, Markdown
from markdown.treeprocessors import Treeprocessor

from book import strings
from book.artifacts import figures
from book.markdown import touch
from book.markdown.later import at_once
from book.markdown.pipeline import register

#: What a screen reader says of the box that enlarges a figure.
ENLARGE = strings.each("figures", "enlarge")
#: What stands for a figure of a served book until it is drawn.
WAITS = strings.each("figures", "waits")


def inline_svg(name: str, language: str, alt: str) -> str:
    """The SVG of a figure as an element of a page: named, with ids of its own."""
    return _inlined(name, language, {"role": "img", "aria-label": alt})


def _inlined(name: str, kind: str, attributes: dict[str, str]) -> str:
    if not figures.module_path(name).is_file():
        raise figures.FigureError(f"{figures.no_figure(name)} Write it, or correct the address of the image")
    path = figures.svg_path(name, kind)
    if not path.is_file():
        raise figures.FigureError(f"figure {name!r} has not been drawn; run: python -m book figures {name}")
    svg = path.read_text(encoding="utf-8")
    # ids that nothing refers to go; the others get the drawing's name, since a page holds several SVGs
    used, prefix = set(re.findall(r'(?:url\(#|href="#)([^)"]+)', svg)), _prefix(name, kind)
    svg = re.sub(r'\sid="([^"]+)"', lambda m: f' id="{prefix}-{m.group(1)}"' if m.group(1) in used else "", svg)
    svg = re.sub(r'(url\(#|href="#)', rf"\g<1>{prefix}-", svg)
    opening = etree.tostring(etree.Element("svg", attributes), encoding="unicode", short_empty_elements=False)
    return svg.replace("<svg", opening.removesuffix("></svg>"), 1)


def _prefix(name: str, kind: str) -> str:
    return name.replace("/", "-") + ("-narrow" if kind.endswith(figures.NARROW) else "")


def boxed(name: str, language: str, alt: str) -> str:
    """What is in the box of a figure: what enlarges it on a phone, a drawing for phones, if it has one, and the other,
    which has the alternative text of both."""
    svg = inline_svg(name, language, alt)
    if figures.has_narrow(name):
        own = {"class": "narrow", "role": "img", "aria-labelledby": _prefix(name, language)}
        svg = svg.replace("<svg", f'<svg id="{_prefix(name, language)}"', 1)
        svg = _inlined(name, language + figures.NARROW, own) + svg
    return f'<input class="enlarge" type="checkbox" autocomplete="off" aria-label="{ENLARGE[language]}">{svg}'


class _Figures(Treeprocessor):
    def __init__(self, md: Markdown, extension: FigureExtension) -> None:
        super().__init__(md)
        self.extension = extension

    def run(self, root):
        above = {child: parent for parent in root.iter() for child in parent}
        for parent in list(root.iter()):
            for position, child in enumerate(parent):
                source = re.search(r"assets/figures/([\w/-]+)\.svg$", child.get("src", ""))
                if child.tag != "img" or not source:
                    continue
                if self.extension.waits and not self._is_drawn(source[1]):
                    attributes = {"class": "waits", "role": "img", "aria-label": child.get("alt", "")}
                    parent[position] = box = etree.Element("span", attributes)
                    box.text, box.tail = WAITS[self.extension.language], (child.tail or "").removeprefix(touch.MARK)
                    continue
                inside = boxed(source[1], self.extension.language, child.get("alt", ""))
                box = etree.Element("label", {"class": "figure", "data-search-exclude": ""})
                box.text = self.md.htmlStash.store(self.extension.place(inside))
                box.tail = child.tail
                parent[position] = box
                if (child.tail or "").startswith(touch.MARK):
                    box.tail = child.tail.removeprefix(touch.MARK)
                    figure = above.get(parent, parent)
                    if figure.tag != "figure":  # without a caption
                        parent.append(touch.button(source[1], self.extension.language))
                        continue
                    for caption in figure.iter("figcaption"):
                        touch.mark_parts(caption, self.extension.language)
                    figure.insert(1, touch.button(source[1], self.extension.language))

    @staticmethod
    def _is_drawn(name: str) -> bool:
        """Whether a figure is there; one that no module draws is not waited for, but complained of."""
        return not figures.module_path(name).is_file() or figures.is_drawn(name)


class FigureExtension(Extension):
    """Takes drawn figures into the page; ``language`` chooses the labels."""

    place = staticmethod(at_once)  # what puts an SVG into the page
    waits = False  # whether a figure that is not drawn yet is one that is being drawn, and no error

    def __init__(self, language: str = "en") -> None:
        super().__init__()
        self.language = language

    def extendMarkdown(self, md: Markdown) -> None:
        register(md, "figures", _Figures(md, self))
