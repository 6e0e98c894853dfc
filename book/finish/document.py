"""All pages of the built site in one document, with a title page and a table of contents: ``book/finish/pdf.py``."""

from __future__ import annotations

import html
import re
import time
from dataclasses import dataclass
from pathlib import Path
from urllib.parse import unquote, urljoin

from bs4 import BeautifulSoup
from mkdocs.theme import Theme

from book import AUTHOR, ROOT, strings
from book.artifacts import figures
from book.finish import styles
from book.markdown import inlined, touch
from book.source import glossary, tex
from book.source.text import read

STYLE = ROOT / "book" / "finish" / "pdf.css"
#: Where Chromium finds the document and what it loads, all of it from the directory of the site.
HOST = "http://book.invalid/"
#: In the first print, where the number of a page will be.
UNKNOWN = "000"


class PdfError(Exception):
    """What keeps the book from being printed, and what to do about it."""


def words(language: str) -> dict[str, str]:
    """What the frame of the site says in a language."""
    return strings.of(language)["site"]


@dataclass(frozen=True)
class Chapter:
    """A page of the site. ``path``: below the root of its language; ``level``: 1 for a part, 2 for a page in it."""

    path: str
    number: str
    title: str
    level: int

    @property
    def id(self) -> str:
        """Of the chapter in the document, where the ids of all that is in it begin with this."""
        return self.path.strip("/").replace("/", "-") or "home"


def chapters(home: str) -> list[Chapter]:
    """All pages of the book in reading order, as the contents on a home page have them."""
    found = []
    for link in BeautifulSoup(home, "html.parser").select(".book-nav li > a:not(.headings a)"):
        number, title = (span.get_text().strip() for span in link.find_all("span", recursive=False))
        path = urljoin(HOST, str(link["href"])).removeprefix(HOST)
        found.append(Chapter(path, number, title, len(link.find_parents("ol"))))
    return found


#: What nobody can use on paper: where the page is on the site, its buttons, the signs that link to headings.
SCREEN_ONLY = re.compile(
    r'<p class="(?:place|progress|minutes)"[^>]*>.*?</p>|<button\b.*?</button>'
    r'|<p>(?:\s*<a\b[^>]*\bclass="md-button\b[^>]*>[^<]*</a>)+\s*</p>'
    r'|<a\b[^>]*\bclass="(?:headerlink|md-content__button|md-button)\b.*?</a>'
    r'|<section class="again">.*?</section>|<ul class="slides">.*?</ul>',
    re.DOTALL,
)
TAG = re.compile(r"<[a-zA-Z][^<>]*>")
HEADING = re.compile(r"(</?h)([1-5])\b")
#: A formula: what comes before its MathML, and its TeX.
FORMULA = re.compile(
    r'(?<=class="formula")>([^/]*?)<span class="katex-mathml"[^>]*><math.*?<annotation[^>]*>(.*?)</annotation>'
    r'</semantics></math></span><span class="katex-html" aria-hidden="true">',
    re.DOTALL,
)
TERM = re.compile(r'<abbr title="([^"]*)">(.*?)</abbr>|<(/?)a\b[^>]*>', re.DOTALL)


def article(page: str, chapter: Chapter, book: list[Chapter], terms: dict[str, str]) -> str:
    """What a page says, as a chapter of the document: ids of its own, links that lead to other chapters, headings
    below those of its part, solutions open. ``terms``: ids in the glossary by tooltip."""
    text = page[page.index(">", page.index("<article")) + 1 : page.rindex("</article>")]
    text = SCREEN_ONLY.sub("", text)
    text = HEADING.sub(lambda found: f"{found[1]}{int(found[2]) + chapter.level - 1}", text)
    if chapter.number:
        text = re.sub(r"(<h[12]\b[^>]*>)", rf'\1<span class="number">{chapter.number}</span> ', text, count=1)
    text = FORMULA.sub(_spoken, text)
    text = _linked_terms(text, {} if chapter.path == GLOSSARY else terms)
    known = {one.path: one.id for one in book}
    text = TAG.sub(lambda tag: _in_document(tag[0], chapter, known), text)
    return f'<article class="md-content__inner md-typeset level-{chapter.level}" id="{chapter.id}">{text}</article>'


def _spoken(formula: re.Match) -> str:
    """In a PDF nothing can be hidden from the eye alone: a formula is a picture, and its TeX says what is on it."""
    tex = formula[2].replace('"', "&quot;")
    return f' role="img" aria-label="{tex}">{formula[1]}<span class="katex-html">'


def _linked_terms(text: str, terms: dict[str, str]) -> str:
    """Paper has no tooltips: the first use of a term leads to its entry in the glossary."""
    linked, inside = set(), False

    def replaced(found: re.Match) -> str:
        nonlocal inside
        tooltip, word, closing = found.groups()
        if tooltip is None:
            inside = not closing
            return found[0]
        if inside or tooltip in linked or tooltip not in terms:
            return word
        linked.add(tooltip)
        return f'<a class="term" href="{HOST}{GLOSSARY}#term-{terms[tooltip]}">{word}</a>'

    return TERM.sub(replaced, text)


#: The page that has the entries.
GLOSSARY = "appendix/glossary/"


def _in_document(tag: str, chapter: Chapter, known: dict[str, str]) -> str:
    """A tag of a chapter as it is among those of all the others."""
    if tag.startswith("<details") and " open" not in tag:
        tag = tag.replace("<details", "<details open", 1)
    tag = re.sub(r'(\sid=")', rf"\g<1>{chapter.id}--", tag)
    tag = re.sub(r'(url\(#|xlink:href="#|aria-labelledby=")', rf"\g<1>{chapter.id}--", tag)
    if tag.startswith("<img"):  # there at once, wherever it is
        tag = tag.replace(' loading="lazy"', "")
        tag = re.sub(r'(\ssrc=")([^"]*)', lambda found: found[1] + urljoin(HOST + chapter.path, found[2]), tag)
    if tag.startswith("<a "):
        tag = re.sub(r'\shref="([^"]*)"', lambda found: _address(found[1], chapter, known), tag)
    return tag


def _address(href: str, chapter: Chapter, known: dict[str, str]) -> str:
    """Of a link, as an attribute. What is in the book is in the document; what else is on the site is left out."""
    url = urljoin(HOST + chapter.path, html.unescape(href))
    if not url.startswith(HOST):
        return f' href="{html.escape(url)}"'
    path, _, fragment = url.removeprefix(HOST).partition("#")
    if path not in known:
        return ""
    if fragment.startswith(touch.STATE):  # on paper, no figure opens
        fragment = ""
    return f' href="#{known[path]}{"--" if fragment else ""}{unquote(fragment)}"'


def document(site: Path, language: str) -> tuple[str, list[Chapter]]:
    """All pages of the built site in one language, with a title page and a table of contents."""
    own = words(language)
    root = site / own["path"]
    if not (root / "index.html").is_file():
        raise PdfError(f"there is no {root / 'index.html'}: run `mkdocs build --strict` first, or name the site")
    book = chapters((root / "index.html").read_text(encoding="utf-8"))
    terms = {html.escape(term.tooltip(language)): term.id for term in glossary.load()}
    parts: list[str] = []
    for chapter in book:
        page = (root / chapter.path / "index.html").read_text(encoding="utf-8")
        if chapter.level == 1:
            parts.append("")
        parts[-1] += article(page, chapter, book, terms)
    tops = [chapter for chapter in book if chapter.level == 1]
    body = "".join(
        [
            _cover(own, language),
            _contents(own, book),
            *(f'<div class="part of-{top.id}">{part}</div>' for top, part in zip(tops, parts, strict=True)),
        ]
    )
    whole = (
        f'<!doctype html><html lang="{language}" dir="ltr"><head><meta charset="utf-8">'
        f"<title>{html.escape(own['site_name'])}</title><style></style></head>"
        f'<body dir="ltr" data-md-color-scheme="default" data-md-color-primary="custom" data-md-color-accent="custom">'
        f"{body}</body></html>"
    )
    theme = next(Path(path) for path in Theme(name="material").dirs if (Path(path) / "assets").is_dir())
    style = styles.of_theme(theme).of(whole, f"{HOST}assets/")
    style += read(STYLE) + "".join(map(_running_head, tops))
    return whole.replace("<style></style>", f"<style>{style}</style>", 1), book


def _running_head(part: Chapter) -> str:
    """Over the pages of a part stands which part it is."""
    text = f"{part.number}\u2002{part.title}".strip().replace("\\", "\\\\").replace('"', '\\"')
    return f'@page {part.id}{{@top-left{{content:"{text}"}}}}.of-{part.id}{{page:{part.id}}}'


def _cover(own: dict[str, str], language: str) -> str:
    drawn = figures.svg_path(figures.ON_CARD, language).is_file()
    picture = inlined.inline_svg(figures.ON_CARD, language, own["card"]) if drawn else ""
    return (
        f'<div class="cover md-typeset"><p class="title">{html.escape(own["site_name"])}</p>'
        f"<p>{html.escape(own['site_description'])}</p>"
        f'<span class="figure">{picture}</span>'
        f"<p>{AUTHOR}<br>{time.strftime('%Y-%m-%d')}</p><p>{html.escape(own['license'])}</p></div>"
    )


def _contents(own: dict[str, str], book: list[Chapter]) -> str:
    rows = "".join(
        f'<li class="level-{chapter.level}"><a href="#{chapter.id}"><span class="number">{chapter.number}</span> '
        f'<span>{html.escape(chapter.title)}</span> <span class="leader"></span> '
        f'<span class="page" data-of="{chapter.id}">{UNKNOWN}</span></a></li>'
        for chapter in book
    )
    return f'<div class="toc md-typeset"><h1>{html.escape(own["contents"])}</h1><ol>{rows}</ol></div>'


def headings(whole: str) -> list[str]:
    """What the headings of the document say, formulas in one line as in the site's own tables of contents."""
    found = []
    for heading in re.findall(r"<h[1-6]\b.*?</h[1-6]>", whole, re.DOTALL):
        text = BeautifulSoup(heading, "html.parser")
        for box in text.select(".formula"):
            box.replace_with(html.unescape(tex.words(tex.render(str(box["aria-label"])))))
        found.append(" ".join(text.get_text().split()))
    return found
