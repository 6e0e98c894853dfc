"""English pages prove their points on English text. Hangul stands where Korean is the point, with its meaning.

What an English page shows is its own text and the code and outputs that it includes, in its edition's form
(``book/source/editions.py``). A few letters, such as a name with its meaning behind it, are always fine.
"""

from __future__ import annotations

import re
from collections.abc import Iterator

from book.finish.foreign import HANGUL
from book.problems import Problem
from book.source import editions
from book.source.page import Page
from book.source.pages import Book

#: Pages whose subject is Korean, or text in Korean as one language among others.
ABOUT_KOREAN = {
    "before/batches-of-tokens.md",  # the greetings with which KcBERT's own example begins
    "before/korean-tokens.md",
    "families/kcbert.md",
    "families/pretraining.md",  # what a Korean encoder fills in
    "llm/korean.md",  # what a model knows of Korean
    "training/numbers.md",  # how numbers are said in Korean
}
#: Pages on which a model of the book translates into Korean: each token stands beside its gloss.
TRANSLATED = {
    "before/bottleneck.md",
    "before/recurrent-attention.md",
    "before/recurrent-translator.md",
    "before/why-attention.md",
    "families/t5-tasks.md",
    "inside.md",
    "model/transformer.md",
    "training/alignment.md",
    "training/attention-maps.md",
    "training/decoding.md",
    "training/one-pair.md",
    "training/teacher-forcing.md",
    "training/translator.md",
}
#: Letters that a page may have all the same.
FEW = 25
_WORDS = re.compile(f"{HANGUL}+")
#: A word with its meaning: 월 [month], three -> 삼.
_GLOSSED = re.compile(rf"{HANGUL}+ ?\[[^]]+\]|[A-Za-z]{{2,}} +-> {HANGUL}+")


def english_pages_show_english(book: Book) -> Iterator[Problem]:
    """No English page has more than a few letters of Hangul, but for those listed here, which have some."""
    for name, page in book.pages["en"].items():
        letters = 0
        most, where = 0, 1
        for line, text in _shown(page, book):
            count = len(re.findall(HANGUL, text))
            letters += count
            if count > most:
                most, where = count, line
        if name in ABOUT_KOREAN | TRANSLATED:
            if not letters:
                yield Problem(page.path, 1, "has no Hangul any more: remove it from the lists in book/checks/hangul.py")
        elif letters > FEW:
            yield Problem(
                page.path,
                where,
                f"shows {letters} letters of Hangul, {most} of them here, and English readers read English: "
                "give this edition text of its own (book/source/editions.py), or list the page, with the reason, "
                "in book/checks/hangul.py",
            )


def _shown(page: Page, book: Book) -> Iterator[tuple[int, str]]:
    """Lines of the page with what they include, each with its number."""
    yield from enumerate(page.path.read_text(encoding="utf-8").splitlines(), start=1)
    yield from _included(page, book)


def outputs_have_their_meaning(book: Book) -> Iterator[Problem]:
    """Each Korean word in an output on an English page stands in the text of that page, or has its meaning beside it.

    So a reader who knows no Korean finds there what it means. Pages on Korean have none of this.
    """
    for name, page in book.pages["en"].items():
        if name in ABOUT_KOREAN:
            continue
        told = sorted(set(_WORDS.findall(page.path.read_text(encoding="utf-8"))), key=len, reverse=True)
        for line, section in _included(page, book):
            rest = _GLOSSED.sub("", "".join(editions.PRINTED.findall(section)))
            for word in told:
                rest = rest.replace(word, "")
            if words := list(dict.fromkeys(_WORDS.findall(rest))):
                yield Problem(
                    page.path,
                    line,
                    f"prints {', '.join(words)}, and nothing on the page says what that means: say it in the text, "
                    "as 월 (*month*), or beside it, as 월 [month]",
                )


def _included(page: Page, book: Book) -> Iterator[tuple[int, str]]:
    """Sections that the page includes, in its edition's form, each with the line of the include."""
    for target, line, *_ in page.includes:
        file, _, section = editions.address(target, page.language, book.snippets_folder).partition(":")
        path = book.snippets_folder / file
        if section in (found := editions.parts(path)):
            yield line, found[section].inner


CHECKS = (english_pages_show_english, outputs_have_their_meaning)
