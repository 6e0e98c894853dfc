"""Hostile Markdown: what comes of a page has only tags, attributes and addresses that pages of the book have."""

from __future__ import annotations

from types import SimpleNamespace

import pytest
from mkdocs.exceptions import BuildError

from book.adapters import hooks
from book.finish import article
from book.markdown.later import Later
from book.source.pages import Book
from tests.machinery.test_values import EN, book, replace  # noqa: F401 (fixture)

IMAGE = "<img src=x onerror=alert(1)>"
#: What is written, and a part of what is said, at a line that holds the piece.
HOSTILE = {
    "handler between dollars": ("$$\n<div onfocus=alert(1) autofocus>\n$$", "the attribute onfocus", "<div"),
    "script between dollars": ('$$\n<script src="../assets/js/x.js"></script>\n$$', "<script>", "<script"),
    "image between dollars": (f"$$\n\n{IMAGE}\n\n$$", "the attribute onerror", "<img"),
    "image in a list": (f"- One\n\n    $$\n\n    {IMAGE}\n\n    $$", "the attribute onerror", "<img"),
    "image behind a carriage return": (f"a\r$$\r\r{IMAGE}\r\r$$", "the attribute onerror", "<img"),
    "image behind an open fence": (f"```\n\n{IMAGE}", "the attribute onerror", "<img"),
    "definition in a quotation": ("> [x]: javascript:alert(1)\n\n[a][x]", "leads <a> to javascript:alert(1)", "[x]: "),
    "definition in a list": ("- [x]: javascript:alert(1)\n\n[a][x]", "leads <a> to javascript", "[x]: "),
    "definition in a block": ("/// note | N\n[x]: javascript:alert(1)\n\n[a][x]\n///", "leads <a>", "[x]: "),
    "definition in a footnote": ("[^n]: Note.\n\n    [x]: javascript:alert(1)\n\n[a][x][^n]", "leads <a>", "[x]: "),
    "image from elsewhere": ("> [x]: https://host.example/a.png\n\n![a][x]", "leads <img> to https:", "[x]: "),
    "image from another host": ("![a](//host.example/a.png)", "leads <img> to //host", "![a]"),
    "spaces in an address": ("[a]( javascript:alert(1))", "leads <a> to javascript", "[a]"),
    "entities in an address": ("[a](&#106;avascript:alert)", "leads <a>", None),
    "data": ("[a](DATA:text/html,x)", "leads <a> to DATA:", "[a]"),
    "no https": ("<http://host.example>", "leads <a> to http:", "http:"),
    "a handler in braces": ("Text.\n{: onclick=alert(1) }", "the attribute onclick", "onclick"),
    "a style in braces": ("*a*{style=position:fixed}", "the attribute style", "style"),
    "frame": ('<iframe src="page.md"></iframe>', "<iframe>", "<iframe"),
    "form": ("<form action=x><input></form>", "<form>", "<form"),
    "comment": ("<!-- hidden -->", "no reader sees a comment", "<!--"),
    "cdata": ("<![CDATA[ a ]]>", "a declaration", "<!["),
    "processing": ("<?php x ?>", "a declaration", None),
    "open": ("<section>\n\nText.", "never closed", "<section"),
    "closed twice": ("Text </em></section>.", "closes nothing", None),
}


@pytest.mark.parametrize("name", HOSTILE)
def test_what_is_hostile_is_refused_where_it_stands(book, name):  # noqa: F811
    written, message, piece = HOSTILE[name]
    replace(book, EN, "[^why]: ", f"{written}\n\n[^why]: ")
    told = list(article.articles(Book.read(book)))
    assert any(message in problem.message for problem in told), told
    if piece:
        source = (book / EN).read_bytes().decode().replace("\r", "")
        lines = [number for number, line in enumerate(source.split("\n"), 1) if piece in line]
        assert {problem.line for problem in told} & set(lines), told


@pytest.mark.parametrize(
    "written",
    [
        "`<script>`, `</s>`, a < b, a & b &amp; c, &lt;b&gt;, 1 <2, $a < b$",
        "```sh\n<script>alert(1)</script>\n```",
        "[a](page.md#double) <https://host.example/a?b=c&d> [b](https://host.example 'c')",
        "| a | b |\n|:--|--:|\n| 1 | `<b>` |",
        "try: this, T5: that, javascript: no address",
        "## More {#more .class}\n\n1. a\n2. b\n\n***",
    ],
)
def test_what_is_harmless_passes(book, written):  # noqa: F811
    replace(book, EN, "[^why]: ", f"{written}\n\n[^why]: ")
    assert list(article.articles(Book.read(book))) == []


@pytest.mark.parametrize(
    ("html", "message"),
    [
        ('<p onclick="x">a</p>', "the attribute onclick"),
        ('<p><a href="javascript:x">a</a></p>', "leads <a>"),
        ('<p><a href="vbscript:x">a</a></p>', "leads <a>"),
        ('<p><a href="//host.example">a</a></p>', "leads <a>"),
        ('<p><a href="/page">a</a></p>', "leads <a>"),
        ('<p><img src="https://host.example/a.png"></p>', "leads <img>"),
        ('<td style="position: fixed">a</td>', "style sheets"),
        ("<p>a<", "could take for a tag"),
        ("<object></object>", "<object>"),
        ("<p><em>a</p></em>", "closes nothing"),
        ("<p>a", "never closed"),
    ],
)
def test_each_rule_of_an_article(html, message):
    assert message in article.wrong(html)[0][1]


def test_an_article_as_the_book_has_it():
    html = (
        '<p id="a" class="b c" aria-label="d"><a href="../page/#e" title="f">g</a> <br> <img src="h.svg" alt="i"></p>'
    )
    assert article.wrong(html + '<td style="text-align: right;">1</td><a href="https://host.example/">x</a>') == []


def test_the_build_stops_at_an_article_that_no_page_has():
    page = SimpleNamespace(file=SimpleNamespace(src_uri="index.md"))
    config = SimpleNamespace(theme={"language": "en"}, extra={"feed": "", "later": Later(), "articles": {}})
    kept = config.extra["later"].put_off("<svg onload=x></svg>")
    assert hooks.on_page_content(f"<p>{kept}</p>", page, config, None) == f"<p>{kept}</p>"
    with pytest.raises(BuildError, match=r"^docs/en/index\.md:1: Markdown makes <script> of this"):
        hooks.on_page_content("<script>x</script>", page, config, None)
