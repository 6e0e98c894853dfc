"""What a page opens with: the numbers first, and the code that has printed them folded below.

A page begins with something to look at, which is what was printed, and not a dozen lines that load a trained model and
format a table. Code that a reader would type, with nothing of the book in it, stays where it is, and so does a short
one. Everywhere else on a page code comes first.
"""

from __future__ import annotations

import re

from markdown import Extension, Markdown
from markdown.postprocessors import Postprocessor

from book import strings
from book.markdown.pipeline import register
from book.source.minutes import is_apparatus

#: What the fold is called.
SUMMARY = strings.each("code", "printed_this")
#: Where a page has been opened: its answer.
ANSWER = '<div class="admonition short">'
#: Code, and what it has printed.
PAIR = re.compile(
    r'(<div class="language-python highlight">(?:(?!</div>).)*</div>)\s*(?:<!--[^>]*-->\s*)?'
    r'(<div class="language-text highlight">(?:(?!</div>).)*</div>)',
    re.DOTALL,
)


def output_first(article: str, language: str) -> str:
    """The article with its opening turned round."""
    opening, answer, rest = article.partition(ANSWER)
    if not answer:
        return article

    def turned(pair: re.Match) -> str:
        before = opening[: pair.start()]
        folded = before.count("<details") > before.count("</details>")
        lines = re.sub("<[^>]*>", "", pair[1]).splitlines()
        if folded or not is_apparatus(lines):
            return pair[0]
        fold = f'<details class="listing">\n<summary>{SUMMARY[language]}</summary>\n{pair[1]}\n</details>'
        return f'<div class="printed">\n{pair[2]}\n{fold}\n</div>'

    return PAIR.sub(turned, opening) + answer + rest


class _Openings(Postprocessor):
    def __init__(self, md: Markdown, language: str) -> None:
        super().__init__(md)
        self.language = language

    def run(self, text: str) -> str:
        return output_first(text, self.language)


class OpeningExtension(Extension):
    """``language``: that of the page."""

    def __init__(self, language: str = "en") -> None:
        super().__init__()
        self.language = language

    def extendMarkdown(self, md: Markdown) -> None:
        register(md, "openings", _Openings(md, self.language))
