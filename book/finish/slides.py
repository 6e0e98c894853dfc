"""Slides for teachers: for each part of the built site one file of HTML, with a slide for each figure of its pages.

``mkdocs build --strict && python -m book slides`` writes them beside the page on teaching, in both languages, and puts
links to them on that page. On a slide stand the title of the page, the figure with its caption, and a question of the
page with its answers, which open when they are clicked. A file has all that it needs, loads nothing and runs no script,
and prints a slide a page.
"""

from __future__ import annotations

import argparse
import html
import re
import sys
from dataclasses import dataclass
from itertools import zip_longest
from pathlib import Path

from bs4 import BeautifulSoup, Tag

from book import LANGUAGES, ROOT, strings
from book.finish.document import Chapter, PdfError, chapters, words

#: The page beside which they are written.
PAGE = "appendix/teaching"
STYLE = """
@page { size: 297mm 167mm; margin: 8mm }
* { box-sizing: border-box }
html { scroll-snap-type: y mandatory }
body { margin: 0; color: #1f2328; background: #fff; font: 2.6vmin/1.45 system-ui, sans-serif; word-break: keep-all }
section { height: 100vh; padding: 3vmin 5vmin; scroll-snap-align: start; overflow: auto;
  display: flex; flex-direction: column; gap: 1.5vmin; break-after: page }
h1 { margin: auto; font-size: 7vmin }
h2 { margin: 0; font-size: 4vmin; color: #4b2e83 }
h2 small { font-weight: normal; color: #6b737c }
figure { margin: 0 }
figure svg { display: block; width: 100%; height: 56vh }
section:not(:has(.question)) svg { height: 72vh }
figcaption { margin-top: 1vmin }
.caption-prefix::after { content: " " }
p { margin: 0 }
.question { border-top: 1px solid #ccc; padding-top: 1vmin }
summary { cursor: pointer }
code { font-family: ui-monospace, monospace; font-size: 0.92em }
@media print {
  body { font-size: 10.5pt }
  section { height: auto; padding: 0; overflow: visible }
  figure svg { height: 80mm }
  section:not(:has(.question)) svg { height: 110mm }
}
"""


@dataclass(frozen=True)
class Slide:
    """``figure`` and ``question``: HTML; there may be no question."""

    title: str
    figure: str
    question: str


def slides(page: str, chapter: Chapter, language: str) -> list[Slide]:
    """Those of a page: its figures in order, each with one of its questions, as long as there are any.

    What the first page of a part asks is about the parts before.
    """
    article = BeautifulSoup(page, "html.parser").article
    assert article is not None
    for one in article.select(".katex-html, .headerlink, figure input, figure svg.narrow, figure button"):
        one.decompose()  # formulas stay as MathML
    for one in article.select("abbr, a, label"):
        one.unwrap()
    to_try = strings.of(language)["touch"]["to_try"].strip("*")
    for one in article.select("figcaption em"):
        if one.get_text() == to_try:  # on a slide, nothing can be touched
            for rest in [*one.next_siblings, one]:
                rest.extract()
    figures = [_own(one, f"{chapter.id}-{i}") for i, one in enumerate(article.select("figure:has(svg)"))]
    questions = [str(one) for one in article.select(".question") if chapter.level > 1][: len(figures)]
    title = f"{chapter.number} {chapter.title}".strip()
    return [Slide(title, *pair) for pair in zip_longest(figures, questions, fillvalue="")]


def _own(figure: Tag, prefix: str) -> str:
    """The drawing and the caption of a figure, whose ids are its own among those of all others."""
    parts = "".join(str(part) for part in figure.select("svg, figcaption") if not part.find_parent("svg"))
    text = re.sub(r'(\sid=")', rf"\g<1>{prefix}--", f"<figure>{parts}</figure>")
    return re.sub(r'(url\(#|xlink:href="#|aria-labelledby=")', rf"\g<1>{prefix}--", text)


def document(part: Chapter, found: list[Slide], language: str) -> str:
    """The slides of a part, in one file."""
    title = html.escape(part.title)
    body = [f"<section><h1>{title}</h1><p>{html.escape(words(language)['site_name'])}</p></section>"]
    for one in found:
        body.append(f"<section><h2>{html.escape(one.title)}</h2>{one.figure}{one.question}</section>")
    return (
        f'<!doctype html>\n<html lang="{language}"><head><meta charset="utf-8">'
        "<meta http-equiv=\"Content-Security-Policy\" content=\"default-src 'none'; style-src 'unsafe-inline'; "
        'img-src data:"><meta name="viewport" content="width=device-width">'
        f"<title>{title}</title><style>{STYLE}</style></head>\n<body>\n" + "\n".join(body) + "\n</body></html>\n"
    )


#: The section of the page on teaching that is about slides, up to where their links stand or will stand.
_SECTION = re.compile(r'(<h2 id="slides">.*?)(?:<ul class="slides">.*?</ul>\n)?(?=<h2\b)', re.DOTALL)


def linked(page: str, written: list[tuple[Chapter, str, int]], language: str) -> str:
    """The page on teaching, which leads to each file. ``written``: part, name of the file and number of its figures."""
    number = words(language)["slides"]
    rows = [
        f'<li><a href="{name}">{html.escape(part.title)}</a> ({number.format(figures)})</li>'
        for part, name, figures in written
    ]
    links = f'<ul class="slides">{"".join(rows)}</ul>\n'
    return _SECTION.sub(lambda section: section[1] + links, page, count=1)


def write(site: Path, language: str) -> list[Path]:
    """The slides of each part that has figures, with links to them. Raises ``PdfError`` if nothing is built."""
    root = site / words(language)["path"]
    if not (root / "index.html").is_file():
        raise PdfError(f"there is no {root / 'index.html'}: run `mkdocs build --strict` first, or name the site")
    of_parts: list[tuple[Chapter, list[Slide]]] = []
    for chapter in chapters((root / "index.html").read_text(encoding="utf-8")):
        if chapter.level == 1:
            of_parts.append((chapter, []))
        page = (root / chapter.path / "index.html").read_text(encoding="utf-8")
        of_parts[-1][1].extend(slides(page, chapter, language))
    folder, written = root / PAGE, []
    for part, found in of_parts:
        if len(found) > 1:  # a page by itself, with one, is no part
            path = folder / f"slides-{part.id}.html"
            path.parent.mkdir(parents=True, exist_ok=True)
            path.write_text(document(part, found, language), encoding="utf-8")
            written.append((part, path.name, len(found)))
            print(f"{path}: {len(found)} slides")
    if (index := folder / "index.html").is_file():
        index.write_text(linked(index.read_text(encoding="utf-8"), written, language), encoding="utf-8")
    return [folder / name for _, name, _ in written]


def main(arguments: list[str]) -> int:
    parser = argparse.ArgumentParser(prog="python -m book slides", description="Make slides of the built site.")
    parser.add_argument("--site", type=Path, default=ROOT / "site", help="the directory of the built site")
    given = parser.parse_args(arguments)
    try:
        for language in LANGUAGES:
            write(given.site, language)
    except PdfError as error:
        print(error, file=sys.stderr)
        return 1
    return 0


if __name__ == "__main__":
    sys.exit(main(sys.argv[1:]))
