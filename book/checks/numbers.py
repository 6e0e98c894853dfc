"""Numbers in prose are computed, cited or given (book/source/values.py), and both languages have the same."""

from __future__ import annotations

import re
from collections.abc import Iterator
from pathlib import Path

from book import LANGUAGES
from book.problems import Problem
from book.source import editions, questions, values
from book.source.page import read_sections
from book.source.pages import Book
from book.source.prose import Line
from book.source.text import lines_of, near, read

#: What makes a percentage of a number.
_PERCENT = r"\s?(?:[%％‰]|per ?cent(?:age points?)?\b|per ?mille?\b|퍼센트|퍼밀|프로(?!그램|젝트|세|토|필|브|모))"
#: The same in words.
_WORDS = (
    r"\b(?:one|two|three|four|five|six|seven|eight|nine|ten|eleven|twelve|[a-z]+teen|[a-z]+ty(?:-[a-z]+)?|a hundred)"
    r"\sper ?cent\b|(?<![가-힣])[영일이삼사오육칠팔구십백]+\s?(?:퍼센트|프로(?![가-힣]))"
)
#: Decimals and percentages.
NUMBER = re.compile(
    r"(?<![A-Za-z\d_.])(?<![A-Za-z]-)"
    rf"(?:\d[\d,]*(?:\.\d+)?{_PERCENT}|\d[\d,]*\.\d+(?:e[-+−]?\d+)?|\d+e[-−]\d+)(?!\.?\d)|{_WORDS}"
)
_PLACE = r"\(?[A-Z]?\.?\d+(?:\.\d+)*\)?(?:\s*\([^()]*\))?"
#: Places in a text, and versions: nobody computes these.
NAMES = re.compile(
    rf"\b(?:[Ss]ections?|[Cc]hapters?|[Tt]ables?|[Ff]igures?|[Ee]quations?|[Aa]ppendi(?:x|ces)|표|식|그림|부록)\s"
    rf"*{_PLACE}(?:(?:,| and| to| or|와|과|에서|부터|~)+\s*{_PLACE})*"
    rf"|{_PLACE}(?:(?:,|와|과|·|~|–)\s*{_PLACE})*\s?[절장]"
    r"|\b(?:Python|PyTorch|torch|CUDA|Llama|Qwen|GPT|Gemini|T5|CC BY|version|버전|파이썬은)\s*"
    r"v?[1-9]\d*(?:\.\d+)+(?:,? (?:and |or )?[1-9]\d*\.\d+)*"
    r"|(?<![\d.])\d+(?:\.\d+){2,}"
)
#: What a formula that is but a number may hold besides.
_AROUND = re.compile(r"\\(?:approx|sim|pm|,|;|%|le|ge|times)|[\s=<>≈~%()+,-]")
#: Signs that would be Markdown or HTML in a page.
_SIGNS = re.compile(r"[{}\[\]<>|*`$\\]")


#: A source: who, when, the title as a link.
_SOURCE = re.compile(r"- .*\b(?:19|20)\d\d\b.*\[\*.*\]\(https?://")


def unnamed(line: Line) -> list[str]:
    """The decimals and percentages of a line of which it does not say where they come from."""
    if _SOURCE.match(line.text):
        return []
    rest = line.without_values
    texts = [rest.prose, *(alt for alt, _ in rest.images)]
    texts += [re.sub(r"\\,|\\(?=%)", "", tex) for tex in rest.tex if re.fullmatch(r"[\d.e%]*", _AROUND.sub("", tex))]
    return [found for text in texts for found in NUMBER.findall(NAMES.sub(" ", text))]


def _shown(book: Book, page: str, number: str) -> str:
    """Which example of a page prints a number, if one does, as part of a complaint."""
    if "." not in number:
        return ""
    path, _ = values.file_of("", page, book.snippets_folder)
    plain = re.escape(re.sub(r"[^\d.e,]", "", number))
    for section in read_sections(lines_of(read(path)))[0] if path.is_file() else []:
        output = "\n".join(section.lines).partition("```text\n")[2]
        if not values.SECTION.fullmatch(section.name) and re.search(rf"(?<![\d.]){plain}(?!\d)", output):
            return f" ({section.name} prints it)"
    return ""


def _texts(book: Book) -> Iterator[tuple[Path, str, str, list[Line]]]:
    """What readers read: file, page whose values it names, language, lines."""
    for page in book.every_page():
        meta = [Line(str(page.meta.get(key) or ""), 1, "title") for key in ("title", "description")]
        yield page.path, page.name, page.language, [*meta, *page.lines]
    for path in questions.files(book.root / "docs" / "questions"):
        for name, (_, found) in questions.load(path)[0].items():
            for language in LANGUAGES:
                lines = [line for one in found for line in one.lines(language)]
                yield path, f"{path.stem}/{name}.md", language, lines


def numbers_named(book: Book) -> Iterator[Problem]:
    """Each decimal and percentage in prose is named, cited or given."""
    for path, page, _, lines in _texts(book):
        for line in lines:
            for number in unnamed(line):
                shown = _shown(book, page, number)
                message = f"{number} is typed in{shown}: name it in a section `values` of the examples, and write"
                plain = re.sub(r"[^\d.]", "", number)
                message += (
                    f" {{{{name}}}}; a number of others is {{{{cited {plain}}}}}, a setting {{{{given {plain}}}}}"
                )
                yield Problem(path, line.number, message)


def marks_known(book: Book) -> Iterator[Problem]:
    """Every mark is a value, or a number with its source, and every value is used."""
    used: set[tuple[Path, str]] = set()
    for path, page, mark, number in _marks(book):
        typed = values.TYPED.fullmatch(mark)
        file, name = values.file_of(mark, page, book.snippets_folder)
        there = [value.name for value in values.printed(file)]
        if not typed and name not in there:
            where = file.relative_to(book.root).as_posix() if file.is_relative_to(book.root) else mark
            message = f"{{{{{mark}}}}}: {where} prints no such value{near(name, there)}"
            yield Problem(path, number, message if file.is_file() else f"{{{{{mark}}}}}: there is no {where}")
        elif typed and not re.search(r"\d", typed[2]):
            yield Problem(path, number, f"{{{{{mark}}}}} holds no number: write it without braces")
        used.add((file, name))
    for path in book.snippets():
        if path.suffix == ".md":
            for value in values.printed(path):
                if (path, value.name) not in used:
                    message = f"no page shows this value: write {{{{{value.name}}}}}, or print it no more"
                    yield Problem(path, value.line, message)


def _marks(book: Book) -> Iterator[tuple[Path, str, str, int]]:
    """File, page, text and line of each mark."""
    for page in book.every_page():
        lines = lines_of(read(page.path))
        for position in values.in_prose(lines):
            for mark in values.MARK.findall(lines[position]):
                yield page.path, page.name, mark, position + 1
    for path, name, _, said in _texts(book):
        if path.suffix == ".yml":
            yield from ((path, name, mark, line.number) for line in said for mark in line.marks)


def values_printed(book: Book) -> Iterator[Problem]:
    """A section of values prints lines ``name = text``, each name once, and nobody shows it."""
    for path in book.snippets():
        if path.suffix != ".md":
            continue
        for section in read_sections(lines_of(read(path)))[0]:
            if values.SECTION.fullmatch(section.name) and "```text" not in section.lines:
                message = "these values are not written down: run `pytest --accept` with this file"
                yield Problem(path, section.line, message)
        seen: dict[str, int] = {}
        for value in values.printed(path):
            if not re.fullmatch(r"[a-z][a-z0-9]*(-[a-z0-9]+)*", value.name) or not value.text.strip():
                yield Problem(path, value.line, "values are lines `name = text`, the name in words joined by hyphens")
            elif found := _SIGNS.search(value.text):
                yield Problem(path, value.line, f"a value goes into Markdown: print it without {found[0]}")
            elif value.name in seen:
                yield Problem(path, value.line, f"{value.name} already stands in line {seen[value.name]}: rename one")
            seen[value.name] = value.line
    for path in book.overlays():
        known = [value.name for value in values.printed(editions.base(path))]
        for value in values.printed(path):
            if value.name not in known:
                message = f"{editions.base(path).name} prints no value {value.name}{near(value.name, known)}"
                yield Problem(path, value.line, message)
    for page in book.every_page():
        for target, line, _ in page.includes:
            if values.SECTION.fullmatch(target.partition(":")[2]):
                yield Problem(page.path, line, f"{target} is not for readers: write {{{{name}}}} for one of its values")


def sourced(book: Book) -> Iterator[Problem]:
    """What is cited stands in a section that says where it is from."""
    for page in book.every_page():
        for _, _, lines in page.sections():
            cited = [line for line in lines for mark in line.marks if mark.startswith("cited ")]
            if cited and not any(_has_source(line) for line in lines):
                message = "this number is cited, and nothing in the section says from where: add a footnote or a link"
                yield Problem(page.path, cited[0].number, message)


def _has_source(line: Line) -> bool:
    return bool(line.references or line.links or NAMES.search(line.prose))


def marks_of(lines: list[Line]) -> set[str]:
    """What both languages have section by section."""
    return {f"{{{{{mark}}}}}" for line in lines for mark in line.marks}


CHECKS = (numbers_named, marks_known, values_printed, sourced)
