"""Words of the other language in a finished page: they get its ``lang``, so that they are read aloud as they sound.

On English pages these are runs of Hangul, on Korean ones what is emphasised without a Hangul letter: titles of papers.
"""

from __future__ import annotations

import re

HANGUL = "[가-힣ㄱ-ㆎ]"
#: From the first to the last Hangul letter of a text, with what stands between.
RUN = re.compile(rf"{HANGUL}(?:[^<>]*{HANGUL})?")
TITLE = re.compile(r"<em>(?=[^<]*[A-Za-z]{2})([^<가-힣]*)</em>")
#: Elements that hold text alone: they get the attribute themselves. SVG and MathML have no ``span``.
PLAIN = ("text", "tspan", "mtext", "annotation")
#: What nobody reads aloud.
SILENT = ("script", "style", "title")


def marked(page: str, language: str) -> str:
    """The page, with ``lang`` on what is in the other language."""
    start = page.find("<body")
    if start < 0:
        return page
    head, body = page[:start], page[start:]
    if language == "ko":
        return head + TITLE.sub(r'<em lang="en">\1</em>', body)
    return head + _with_hangul_marked(body)


def _with_hangul_marked(body: str) -> str:
    pieces, done = [], 0
    for found in RUN.finditer(body):
        opening, closing = body.rfind("<", 0, found.start()), body.rfind(">", 0, found.start())
        if opening > closing:
            continue  # within a tag: the value of an attribute
        tag = body[opening : closing + 1]
        name = re.sub(r"</?([\w-]*).*", r"\1", tag, flags=re.DOTALL)
        if name in SILENT or " lang=" in tag:
            continue
        if name in PLAIN and not tag.startswith("</"):
            pieces += [body[done:closing], ' lang="ko"', body[closing : found.end()]]
        else:
            pieces += [body[done : found.start()], '<span lang="ko">', found[0], "</span>"]
        done = found.end()
    return "".join([*pieces, body[done:]])
