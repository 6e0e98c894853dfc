"""Checks of words: those that the book says otherwise, terms at their first use, and each page in its language."""

from __future__ import annotations

import itertools
import re
from collections.abc import Iterator
from pathlib import Path

from book.checks.hangul import ABOUT_KOREAN, TRANSLATED
from book.markdown import touch
from book.problems import Problem
from book.source import glossary, questions
from book.source.page import Page
from book.source.pages import Book
from book.source.prose import Line
from book.source.text import lines_of, read
from book.source.wording import QUOTED, refused
from book.source.wording import load as private_words

#: Pages without definitions of terms: a reader may come to them before, or long after, the rest.
NO_FIRST_USE = ("index.md", "appendix/")


def plain_words(book: Book) -> Iterator[Problem]:
    """The words are those of the field: ``docs/wording.yml`` says which ones the book does not use."""
    path = book.root / "docs" / "wording.yml"
    words = private_words(path) if path.is_file() else {}
    english = ((page.path, line.number, line.prose) for page in book.pages["en"].values() for line in page.lines)
    for language, texts in (("ko", _korean(book)), ("en", itertools.chain(english, _asked(book, "en")))):
        for where, number, text in texts:
            for word in refused(text, language, words.get(language, [])):
                yield Problem(where, number, f"{word.word}: the book says {word.say} (docs/wording.yml)")


def wording(book: Book) -> Iterator[Problem]:
    """One Korean word for one thing: the glossary says which wordings not to use."""
    avoided = {word: term for term in terms_of(book) for word in term.avoid}
    words = "|".join(re.escape(word) for word in sorted(avoided, key=len, reverse=True))
    if not words:
        return
    form = re.compile(rf"(?<![가-힣])(?:{words})")
    for path, number, text in _korean(book):
        for word in form.findall(QUOTED.sub(" ", text)):
            yield Problem(path, number, f"{word}: the book says {avoided[word].ko} (docs/glossary.yml)")


def _korean(book: Book) -> Iterator[tuple[Path, int, str]]:
    """Every Korean text that a reader sees: pages, labels of figures, what exercises say, the glossary."""
    for page in book.pages["ko"].values():
        yield page.path, 1, f"{page.meta.get('title')} {page.meta.get('description')}"
        for line in page.lines:
            yield page.path, line.number, " ".join([line.prose, *(alt for alt, _ in line.images)])
        for number, tex in _words_in_formulas(page):
            yield page.path, number, tex
    for path in [*book.figures(), *touch.scripts(book.root), *_chrome(book)]:
        for number, text in enumerate(lines_of(read(path)), start=1):
            if not text.isascii():
                yield path, number, text
    for term in terms_of(book):
        yield book.root / "docs" / "glossary.yml", term.line, term.mean_ko
    yield from _asked(book, "ko")


def _chrome(book: Book) -> Iterator[Path]:
    """What else speaks to readers: settings, templates, the words of the site, examples and what exercises say."""
    yield book.root / "mkdocs.yml"
    for pattern in (
        "book/**/*.html",
        "book/**/*.py",
        "book/strings/*.yml",
        "exercises/**/*.py",
        "snippets/*/*.md",
        "snippets/*/*.yml",
    ):
        yield from sorted(book.root.glob(pattern))
    yield from (path for path in sorted(book.root.glob("snippets/*/*.py")) if path.parent.name != "figures")


def _asked(book: Book, language: str) -> Iterator[tuple[Path, int, str]]:
    """Every text of the questions in a language."""
    for path in questions.files(book.root / "docs" / "questions"):
        for _, found in questions.load(path)[0].values():
            yield from ((path, line.number, line.prose) for one in found for line in one.lines(language))


#: Words in a formula: neither an index, d_\text{model}, nor the name of a function, \text{dropout}(x).
_WORDS = re.compile(r"(?<![_^])(?<![_^]\{)\\text\{([^{}]*)\}(?!\s*(?:\\left|\\bigl|\\!)*\()")


def _words_in_formulas(page: Page) -> Iterator[tuple[int, str]]:
    r"""What stands in \text{}, with its line."""
    for line in page.lines:
        yield from ((line.number, text) for text in _WORDS.findall(line.without_code))
    for began, tex in page.formulas:
        for number, piece in enumerate(tex.split("\n"), start=began + 1):
            yield from ((number, text) for text in _WORDS.findall(piece))


def meanings(book: Book) -> Iterator[Problem]:
    """What the glossary says goes into a table and into tooltips."""
    path, seen = book.root / "docs" / "glossary.yml", dict[str, int]()
    for term in terms_of(book):
        for value in (term.ko, term.en, term.mean_ko, term.mean_en, *term.forms, *term.names):
            if found := re.search(r'[<>"|`*$\\{}]|\]\s*[(\[]|&#?\w+;', value):
                yield Problem(
                    path, term.line, f"{term.id} holds {found[0]}, which breaks tables or HTML: say it without"
                )
        if term.id in seen:
            yield Problem(path, term.line, f"the id {term.id} already stands in line {seen[term.id]}: choose another")
        if not re.fullmatch(r"[a-z0-9]+(-[a-z0-9]+)*", term.id):
            yield Problem(
                path, term.line, f"the id {term.id} becomes an address: use small letters, digits and hyphens"
            )
        seen[term.id] = term.line
    yield from _leading_nowhere(book, path)


def _leading_nowhere(book: Book, path: Path) -> Iterator[Problem]:
    """Where the entries of the glossary lead, other entries and pages, has to be there; and a name is one of one."""
    terms, named = terms_of(book), dict[str, str]()
    sections = {
        name.removesuffix(".md"): {id for _, id, *_ in page.headings()} for name, page in book.pages["en"].items()
    }
    for term in terms:
        for other in term.see:
            if other == term.id or other not in {one.id for one in terms}:
                yield Problem(path, term.line, f"{term.id} leads to {other}, and there is no such other entry")
        page, _, section = term.page.partition("#")
        if page and (page not in sections or (section and section not in sections[page])):
            yield Problem(path, term.line, f"{term.id} is explained at {term.page}, and there is no such heading")
        for name in {name.casefold() for name in (term.ko, term.en, *term.names)}:
            if name in named:
                message = f"{name} names {named[name]} and {term.id}: leave it to one, and let the other see it"
                yield Problem(path, term.line, message)
            named[name] = term.id


def first_uses(book: Book) -> Iterator[Problem]:
    """In reading order, a Korean term comes first with its English: 쿼리(query)."""
    lines = [
        (page, line)
        for name in book.nav
        if (page := book.pages["ko"].get(name))
        and not name.endswith(NO_FIRST_USE[0])
        and not name.startswith(NO_FIRST_USE[1])
        for line in page.lines
        if line.place in ("text", "table")
    ]
    terms = terms_of(book)
    pattern, found = glossary.pattern("ko", terms)
    introduced: set[str] = set()
    for page, line in lines:
        text = _without_links(line)
        for match in pattern.finditer(text):
            term = found[match[0]]
            if term.id in introduced:
                continue
            introduced.add(term.id)
            after = re.match(r"[*_]*\(([^)]*)\)", text[match.end() :])
            names = {name.casefold() for name in (term.en, term.en + "s", *term.forms, *term.names)}
            given = after[1].casefold().split(", ") if after else []
            if term.en.casefold() != term.ko.casefold() and names.isdisjoint(given):
                yield Problem(
                    page.path, line.number, f"{term.ko} is used here for the first time: write {term.ko}({term.en})"
                )


def _without_links(line: Line) -> str:
    text = re.sub(r"(?<!!)\[((?:[^\[\]]|\[[^\]]*\])*)\]\([^)]*\)", " ", line.without_code)
    return re.sub(r"(?<![\\$])\$[^$]*\$", " ", text)


def terms_of(book: Book) -> list[glossary.Term]:
    return glossary.terms(book.root / "docs" / "glossary.yml")


def languages(book: Book) -> Iterator[Problem]:
    """Korean pages are in Korean, and English pages in English, sentence by sentence."""
    for page in book.every_page():
        texts = [(1, str(page.meta.get(key) or ""), "text") for key in ("title", "description")]
        for line in page.lines:
            if not _is_source(line):
                texts += [(line.number, line.prose, line.place)]
                texts += [(line.number, alt, "picture") for alt, _ in line.images]
        texts += [(number, text, "formula") for number, text in _words_in_formulas(page)]
        korean = " ".join(text for _, text, _ in texts if re.search("[가-힣]", text)).casefold()
        for number, text, place in texts:
            if "TODO" in text:
                continue  # still to be written, which another check says
            # words that are spoken of, and names of blocks: Add & Norm
            quoted = re.sub(r"\*[^*]*\*|[“‘\"][^”’\"]*[”’\"]|[A-Z]\w+ & [A-Z]\w+", " ", text)
            found = _CLAUSE.search(re.sub(r"\([^)]*\)", " ", quoted))
            if page.language == "ko" and found and place not in ("formula", "picture"):
                yield Problem(page.path, number, f"this clause is English: write it in Korean: {found[0][:60]}")
            for sentence in re.split(r"(?<=[.!?:;])\s+|\|", quoted):
                if page.language == "ko" and _is_english(sentence, place, korean):
                    yield Problem(page.path, number, f"this is English: write it in Korean: {sentence.strip()[:60]}")
                    break
                if page.language == "en" and _hangul(sentence) > 3 * len("".join(_words(sentence))):
                    yield Problem(page.path, number, f"this is Korean: write it in English: {sentence.strip()[:60]}")
                    break


#: Words of an English sentence in a row, on a Korean page. One or two may be a term.
_CLAUSE = re.compile(r"(?<![\w.{/-])(?:[a-z]{2,} ){3,}[a-z]{2,}(?![\w/}.-])")
#: A Korean word in an English sentence. A syllable alone is spoken of: 년.
_KOREAN_WORD = re.compile(r"[가-힣]{2,}")


def unmarked_korean(book: Book) -> Iterator[Problem]:
    """Where Korean is not the point, a Korean word of an English page is marked as one that is spoken of."""
    for name, page in book.pages["en"].items():
        for line in page.lines:
            if name in ABOUT_KOREAN | TRANSLATED or _is_source(line):
                continue
            text = re.sub(r"\*[^*]*\*|[“‘\"][^”’\"]*[”’\"]|\([^)]*\)", " ", line.prose)
            if found := _KOREAN_WORD.search(text):
                message = f"{found[0]} stands in an English sentence: write it in English, or as a word, *{found[0]}*"
                yield Problem(page.path, line.number, message)


def _hangul(text: str) -> int:
    return len(re.findall("[가-힣]", text))


def _words(text: str) -> list[str]:
    return re.findall(r"(?<![\w.-])[A-Za-z][a-z]+(?![\w-]|\.\w)", text)


def _is_english(sentence: str, place: str, korean: str) -> bool:
    """Does this sentence of a Korean page, whose Korean text is ``korean``, belong on the English one?"""
    hangul, words = _hangul(sentence), _words(sentence)
    if place == "formula":
        return not hangul and bool(re.search(r"(?<![\w-])[a-z]{2,}(?![\w-])", sentence))
    if place in ("heading", "title", "caption") and not hangul:
        # a name, Adam or pre-LN, may stand alone where the Korean text uses it too
        return any(word.casefold() not in korean for word in re.findall(r"[A-Za-z-]{3,}", sentence))
    return len(words) > 1 and hangul < 0.2 * len("".join(words))


def _is_source(line: Line) -> bool:
    """Papers keep their titles in both languages."""
    return bool(re.match(r"- .*\]\(https?://|\[\^", line.text))
