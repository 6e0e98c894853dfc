"""Checks that what Korean pages show of outputs, and of strings in examples, is Korean, but for what is listed.

Names of classes, models and arguments stay as they are, and so do messages of errors, and text that a model reads
or writes. A name in the
code, which has an underscore, a dot or a capital letter within it, is known as one; ``docs/printed.yml`` lists the
other words, and the sections whose outputs are English for a reason. A string of the code may be a single word, as a
name in code is. It is no phrase: what a kept result has for each training or measure is asked for by its place, and
put below a name in the page's language.
"""

from __future__ import annotations

import re
from collections.abc import Iterator
from pathlib import Path

import yaml

from book import LANGUAGES
from book.finish.foreign import HANGUL
from book.problems import Problem
from book.source import catalogs, comments, editions, localized, remarks
from book.source.pages import Book
from book.source.text import read

FILE = "docs/printed.yml"
#: What is a name in some code wherever it stands, a number or an escape: w_q, encoder.norm, GPTConfig, eval(), 0xad6d.
_IN_CODE = re.compile(r"[A-Za-z]\w*_|_[A-Za-z]|[A-Za-z]\.[A-Za-z\d]|\d\.[A-Za-z]|[a-z][A-Z]|\w\(\)|\\|0x")
#: The last line of a traceback: what an error says is English on all pages.
_ERROR = re.compile(r"\w+Error: ")
_WORD = re.compile(r"[A-Za-z]{2,}")
#: Words in a row, which are no name in code.
_PHRASE = re.compile(r"[A-Za-z]{2,},? [A-Za-z]{2,}")


def korean_outputs_are_korean(book: Book) -> Iterator[Problem]:
    """No output on a Korean page has an English word that is not listed, no example a phrase, and what is listed is."""
    words, sections, phrases = listed(book.root)
    unused_words, unused_sections, unused_phrases = dict(words), dict(sections), dict(phrases)
    for target, path, line, output in _outputs(book):
        for number, text in enumerate(output.splitlines(), start=line):
            if found := english(text, words):
                unused_sections.pop(target, None)
                if target not in sections:
                    where = catalogs.catalog_path(path.parent, LANGUAGES[0]).relative_to(book.root).as_posix()
                    yield Problem(path, number, _what_to_do(found, where, target))
            for word in _words(text):
                unused_words.pop(word, None)
    for target, path, line, text in _strings(book):
        if _PHRASE.search(text) and english(text, words):
            unused_sections.pop(target, None)
            unused_phrases.pop(text, None)
            if target not in sections and text not in phrases:
                yield Problem(path, line, _how_to_ask(text, target))
    for name, line in (unused_words | unused_sections | unused_phrases).items():
        yield Problem(book.root / FILE, line, f"no Korean page prints {name} any more: remove it")


def _what_to_do(found: list[str], where: str, target: str) -> str:
    return (
        f"Korean pages show this output with {', '.join(found)}: write the Korean of the string that is printed into "
        f"{where}; what is looked up by its English needs a name beside it, a pair of key and name; a word of the "
        f"field, or section {target} with what a model reads or a library says, belongs into {FILE}"
    )


def _how_to_ask(text: str, target: str) -> str:
    return (
        f"Korean pages show this code with the string {text!r}: unpack a result in its order, as first, *others = "
        f"results().values(); a string of the example's own gets its Korean in the catalog; a field that the code on "
        f"the page names, or section {target} with what a model reads, belongs into {FILE}"
    )


def english(text: str, words: dict[str, int]) -> list[str]:
    """The English words of a line that are not listed, each once."""
    return [word for word in dict.fromkeys(_words(text)) if word not in words]


def _words(text: str) -> list[str]:
    if _ERROR.match(text):
        return []
    chunks = (chunk for chunk in text.split() if not _IN_CODE.search(chunk))
    return [word for chunk in chunks for word in _WORD.findall(chunk)]


def listed(root: Path) -> tuple[dict[str, int], dict[str, int], dict[str, int]]:
    """Return words, sections and phrases of docs/printed.yml, each with its line; none if there is no such file."""
    path = root / FILE
    tree = yaml.compose(read(path)) if path.is_file() else None
    kinds: dict[str, dict[str, int]] = {"words": {}, "sections": {}, "phrases": {}}
    for kind, groups in tree.value if tree else ():
        for _, names in groups.value:
            kinds[kind.value] |= {name.value: name.start_mark.line + 1 for name in names.value}
    return kinds["words"], kinds["sections"], kinds["phrases"]


def _outputs(book: Book) -> Iterator[tuple[str, Path, int, str]]:
    """Each output on Korean pages, as they have it: its section, and where it begins in the file of examples."""
    for name, path, parts in _examples(book):
        outputs = list(comments.outputs(path, LANGUAGES[0]))
        for section, part in parts.items():
            lines = range(part.line, part.line + part.inner.count("\n"))
            yield from ((f"{name}:{section}", path, line, made()) for line, made in outputs if line in lines)


def _strings(book: Book) -> Iterator[tuple[str, Path, int, str]]:
    """Each text without Hangul in the strings of examples on Korean pages: its section, and where it stands."""
    for name, path, parts in _examples(book):
        catalog = catalogs.catalog(path.parent, LANGUAGES[0]).get(path.name, {})

        def own(label: str, catalog: dict[str, tuple[str, int]] = catalog) -> str:
            return catalog.get(remarks.key(label), ("",))[0]

        for section, part in parts.items():
            for first, source in editions.code(part, path):
                for line, text in localized.texts(source, own):
                    if not re.search(HANGUL, text):
                        yield f"{name}:{section}", path, first - 1 + line, text.strip()


def _examples(book: Book) -> Iterator[tuple[str, Path, dict[str, editions.Part]]]:
    """Files of examples that Korean pages show, as these have them, with the sections that they show."""
    language = LANGUAGES[0]
    pages = book.pages.get(language, {}).values()
    shown = {editions.address(target, language, book.snippets_folder) for page in pages for target, *_ in page.includes}
    for name in sorted({target.partition(":")[0] for target in shown}):
        path = book.snippets_folder / name
        if path.suffix == ".md" and path.is_file():
            yield name, path, {s: part for s, part in editions.parts(path).items() if f"{name}:{s}" in shown}


CHECKS = (korean_outputs_are_korean,)
