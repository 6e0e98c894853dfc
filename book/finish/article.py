"""What Markdown has made of a page: only tags, attributes and addresses from a list, whatever was written.

The checks of book/checks read a page line by line, and what they take for a formula or a fence may be none to
Markdown. So ``wrong`` looks at the finished article: the build at that of every page, before formulas and drawings
come in, and the checks at those that hold anything of which Markdown could make more than text.
"""

from __future__ import annotations

import functools
import re
from collections.abc import Iterator
from html.parser import HTMLParser

import yaml
from markdown import Markdown

from book import ROOT
from book.problems import Problem
from book.source import values
from book.source.page import OUTPUT, RAISES
from book.source.pages import Book, Settings
from book.source.prose import is_mark
from book.source.text import lines_of, read

#: Everywhere: names, what screen readers say, and what the search and the scripts of the book look for.
COMMON = {"id", "class", "title", "lang", "role", "hidden", "tabindex"}
#: Tags, and what they have besides.
TAGS: dict[str, set[str]] = {
    **dict.fromkeys("article b blockquote code dd div dl dt em figcaption figure h1 h2 h3 h4".split(), set()),
    **dict.fromkeys(
        "hr i kbd label li p pre section span strong sub summary sup table tbody thead tr u ul br wbr".split(), set()
    ),
    "a": {"href", "rel", "download"},
    "abbr": set(),
    "button": {"type"},
    "details": {"open"},
    "img": {"src", "alt", "loading", "width", "height"},
    "ol": {"start"},
    "td": {"style", "colspan"},
    "th": {"style", "scope"},
}
VOID = {"br", "hr", "img", "wbr"}
#: A column of a table.
ALIGNED = re.compile(r"text-align: (?:left|right|center);")
#: Into the book, or to another site by https; an image is the book's own.
HREF, SRC = re.compile(r"https://[^\s]+|(?![A-Za-z][\w+.-]*:|//|/)\S*"), re.compile(r"(?![A-Za-z][\w+.-]*:|//|/)\S+")
#: Of what Markdown makes tags, addresses and attributes. A page without it has none but those of plain Markdown.
SUSPICIOUS = re.compile(
    r"<[A-Za-z/!?]|(?i:(?<![\w\"/.-])(?!https:)[a-z][\w+.-]*:(?=[^\s)])|\]\(\s*(?!https:)[a-z][\w+.-]*\s*:)|&#|&\w+;|\{[^}\n]*\w\w\s*="
    r"|\[[^\]^\n][^\]\n]*\]:|(?<!https:)(?<!/)//(?=\w)"
)


class _Reader(HTMLParser):
    def __init__(self) -> None:
        super().__init__(convert_charrefs=False)
        self.wrong: list[tuple[str, str]] = []  # what to look for in the source, and what is said of it
        self.opened: list[str] = []

    def say(self, sought: str, message: str) -> None:
        self.wrong.append((sought, message))

    def handle_starttag(self, tag: str, attributes: list[tuple[str, str | None]]) -> None:
        if tag not in TAGS:
            self.say(f"<{tag}", f"Markdown makes <{tag}> of this, which no page has: write it in another way")
        for name, value in attributes:
            if name.startswith(("aria-", "data-")) or name in COMMON:
                continue
            if name not in TAGS.get(tag, set()):
                if tag in TAGS:
                    self.say(name, f"Markdown gives <{tag}> the attribute {name}, which no page has: remove it")
            elif form := {"href": HREF, "src": SRC, "style": ALIGNED}.get(name):
                if not form.fullmatch(value or ""):
                    message = f"leads <{tag}> to {value}: only pages of the book and https have links"
                    self.say(value or "", message if name != "style" else f"styles <{tag}>, which style sheets do")
        if tag not in VOID:
            self.opened.append(tag)

    def handle_startendtag(self, tag: str, attributes: list[tuple[str, str | None]]) -> None:
        self.handle_starttag(tag, attributes)
        if tag not in VOID:
            self.opened.pop()

    def handle_endtag(self, tag: str) -> None:
        if self.opened[-1:] == [tag]:
            self.opened.pop()
        elif tag not in VOID:
            self.say(f"</{tag}", f"</{tag}> closes nothing: close what is open in its order")

    def handle_data(self, data: str) -> None:
        if "<" in data:
            self.say(
                data[data.index("<") :][:20], "Markdown leaves a < that a browser could take for a tag: write &lt;"
            )

    def handle_comment(self, data: str) -> None:
        comment = f"<!--{data}-->"
        if comment not in (OUTPUT, RAISES) and not is_mark(comment):
            self.say("<!--", "no reader sees a comment: say it, or remove it")

    def handle_decl(self, declaration: str) -> None:
        self.say("<!", "Markdown leaves a declaration, which no page has: remove it")

    unknown_decl = handle_decl  # type: ignore[assignment]  # what they are given has other names
    handle_pi = handle_decl  # type: ignore[assignment]


def wrong(article: str) -> list[tuple[str, str]]:
    """What in the HTML of an article no page has: a piece of it to look for in the page, and what to do."""
    reader = _Reader()
    reader.feed(article)
    reader.close()
    for tag in reader.opened[-1:]:
        reader.say(f"<{tag}", f"<{tag}> is never closed: add </{tag}>")
    return reader.wrong


def line_of(sought: str, source: str) -> int:
    """Where a page has this, or 1."""
    return next((number for number, line in enumerate(lines_of(source), 1) if sought in line), 1)


@functools.cache
def _markdown() -> Markdown:
    """As the site reads a page, without what comes from elsewhere: includes, colours, formulas, figures."""
    settings = yaml.load(read(ROOT / "mkdocs.yml"), Loader=Settings)
    extensions: dict[str, dict] = {}
    for entry in settings["markdown_extensions"]:
        extensions |= (
            {name: options or {} for name, options in entry.items()} if isinstance(entry, dict) else {entry: {}}
        )
    del extensions["pymdownx.snippets"]
    extensions["pymdownx.highlight"] = {"use_pygments": False}
    return Markdown(extensions=list(extensions), extension_configs=extensions)


def articles(book: Book) -> Iterator[Problem]:
    """Whatever is written, Markdown makes only what a page of the book may have."""
    for page in book.every_page():
        source = read(page.path)
        text = values.resolve(source, page.name, book.snippets_folder, page.language)
        body = text.split("\n---\n", 1)[1] if text.startswith("---\n") and "\n---\n" in text else text
        body = re.sub(r'^--8<-- ".*"$', "", body, flags=re.M)
        if not SUSPICIOUS.search(body):
            continue
        markdown = _markdown()
        markdown.reset()
        for sought, message in wrong(markdown.convert(body)):
            yield Problem(page.path, line_of(sought, source), message)


CHECKS = (articles,)
