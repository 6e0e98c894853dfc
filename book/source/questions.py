"""The questions of the pages, ``docs/questions/PART.yml``: which there are, and what is wrong with them.

How a page asks them is in ``book/markdown/quiz.py``.
"""

from __future__ import annotations

import functools
import re
from collections.abc import Iterable, Iterator
from dataclasses import dataclass
from pathlib import Path

import yaml

from book import LANGUAGES, ROOT
from book.source import values
from book.source.located import EntryError, composed
from book.source.prose import Line
from book.source.tex import FormulaError, render

FOLDER = ROOT / "docs" / "questions"
#: Characters of a question or an answer, and of an explanation.
LONGEST, LONGEST_WHY = 200, 400
#: Questions of a page, and answers of a question.
FEWEST, MOST = 2, 4
#: Pages that ask in another way.
WITHOUT = {"training/build-it-yourself"}
#: Markdown and HTML, none of which a text has besides code and formulas.
MARKUP = re.compile(r"[*`$\\{}]|\]\(|\[\^|(?<!\w)_|_(?!\w)|<[\w/!]|&#?\w+;")
#: What YAML makes of TeX in double quotes, of the beginning of \\frac or \\text.
ESCAPED = re.compile("[\x00-\x1f\x85\xa0\u2028\u2029]")


class QuestionError(EntryError):
    """A file of questions is not YAML."""


@dataclass(frozen=True)
class Answer:
    """In each language what it says, and why it is right or wrong."""

    text: dict[str, Line]
    why: dict[str, Line]
    right: bool


@dataclass(frozen=True)
class Question:
    """``line``: where it starts in its file."""

    id: str
    line: int
    text: dict[str, Line]
    answers: tuple[Answer, ...]

    def lines(self, language: str) -> Iterator[Line]:
        """Every text of the question in a language."""
        yield self.text[language]
        for answer in self.answers:
            yield from (answer.text[language], answer.why[language])


class _Reader:
    """Reads a file, and notes what is wrong in it: the line, and what to do."""

    def __init__(self, part: str, snippets: Path) -> None:
        self.wrong: list[tuple[int, str]] = []
        self.part, self.snippets = part, snippets
        self.page = ""  # whose questions are being read

    def say(self, line: int, message: str) -> None:
        self.wrong.append((line, message))

    def pages(self, tree: yaml.Node | None) -> dict[str, tuple[int, list[Question]]]:
        found: dict[str, tuple[int, list[Question]]] = {}
        if not isinstance(tree, yaml.MappingNode):
            self.say(1, "there are no questions: write the name of a page, and its questions below it")
            return found
        for key, value in tree.value:
            line = key.start_mark.line + 1
            if key.value in found:
                self.say(line, f"{key.value} stands here twice: put its questions into one list")
            elif not isinstance(value, yaml.SequenceNode) or not value.value:
                self.say(line, f"{key.value} has no list of questions: start each with `- id: …`")
            else:
                self.page = f"{self.part}/{key.value}.md"
                found[key.value] = line, list(filter(None, map(self.question, value.value)))
                self.ids(found[key.value][1])
        return found

    def ids(self, questions: list[Question]) -> None:
        seen: dict[str, int] = {}
        for one in questions:
            if one.id in seen:
                self.say(one.line, f"the id {one.id} already stands in line {seen[one.id]}: choose another")
            seen[one.id] = one.line

    def question(self, node: yaml.Node) -> Question | None:
        line, before = node.start_mark.line + 1, len(self.wrong)
        given = self.fields(node, ("id", *LANGUAGES, "answers"), "a question")
        if given is None:
            return None
        text = self.both(given, line, "{}", LONGEST)
        given_id = given.get("id")
        name = given_id.value if isinstance(given_id, yaml.ScalarNode) else ""
        if not re.fullmatch(r"[a-z0-9]+(-[a-z0-9]+)*", name):
            self.say(line, "a question needs an id of small letters, digits and hyphens: write `- id: …`")
        answers = given.get("answers")
        if not isinstance(answers, yaml.SequenceNode) or not FEWEST <= len(answers.value) <= MOST:
            self.say(line, f"a question has {FEWEST} to {MOST} answers: write them as a list below `answers:`")
            return None
        found = [one for one in map(self.answer, answers.value) if one]
        if len(self.wrong) > before:
            return None
        if (right := sum(one.right for one in found)) != 1:
            self.say(line, f"{right} answers are right: exactly one has `right: true`")
        for language in LANGUAGES:
            said: set[str] = set()
            for one in found:
                if one.text[language].text in said:
                    self.say(one.text[language].number, "this answer stands above already: write another")
                said.add(one.text[language].text)
        return None if len(self.wrong) > before else Question(name, line, text, tuple(found))

    def answer(self, node: yaml.Node) -> Answer | None:
        line, whys = node.start_mark.line + 1, [f"why_{language}" for language in LANGUAGES]
        given = self.fields(node, (*LANGUAGES, "right", *whys), "an answer")
        if given is None:
            return None
        text, why = self.both(given, line, "{}", LONGEST), self.both(given, line, "why_{}", LONGEST_WHY)
        right = given.get("right")
        if right is not None and right.value not in ("true", "false"):
            self.say(right.start_mark.line + 1, f"right is true or false, not {right.value}")
        return Answer(text, why, right is not None and right.value == "true")

    def fields(self, node: yaml.Node, names: Iterable[str], what: str) -> dict[str, yaml.Node] | None:
        line = node.start_mark.line + 1
        if not isinstance(node, yaml.MappingNode):
            self.say(line, f"{what} has the fields {', '.join(names)}: this is none")
            return None
        found: dict[str, yaml.Node] = {}
        for key, value in node.value:
            here = key.start_mark.line + 1
            if key.value not in names:
                self.say(here, f"{what} has no field {key.value}: its fields are {', '.join(names)}")
            elif key.value in found:
                self.say(here, f"{key.value} stands here twice: remove one")
            found[key.value] = value
        return found

    def both(self, given: dict[str, yaml.Node], line: int, name: str, most: int) -> dict[str, Line]:
        """A text in all languages, under the fields that ``name`` makes of them."""
        found = {}
        for language in LANGUAGES:
            node = given.get(name.format(language))
            if not isinstance(node, yaml.ScalarNode) or not node.value.strip():
                self.say(line, f"{name.format(language)} is missing: every text is there in both languages")
                continue
            if node.style == '"' and ESCAPED.search(node.value):
                self.say(
                    node.start_mark.line + 1, "YAML reads \\ in \"…\" as an escape: write '…', or \\\\ for each \\"
                )
                continue
            written = " ".join(node.value.split())
            text = values.resolved(written, self.page, self.snippets, language)
            found[language] = Line(text, node.start_mark.line + 1, "text", written)
            self.text(found[language], language, most)
        if len(found) == len(LANGUAGES):
            self.same(*(found[language] for language in LANGUAGES))
        return found

    def text(self, line: Line, language: str, most: int) -> None:
        if len(line.text) > most:
            self.say(line.number, f"has {len(line.text)} characters: say it in {most}")
        if found := values.MARK.search(line.text):
            self.say(line.number, f"{found[0]}: there is no such value in {self.file_of(found[1])}")
        elif found := MARKUP.search(line.markup):
            self.say(line.number, f"holds {found[0]}: a text has closed `code` and $formulas$, and no other mark-up")
        if language == "en" and re.search("[가-힣]", re.sub("[“‘][^”’]*[”’]", "", line.markup)):
            self.say(line.number, "this is Korean: write it in English")
        for tex in line.tex:
            try:
                render(tex)
            except FormulaError as error:
                self.say(line.number, f"the formula {tex} cannot be set: {error}")

    def file_of(self, mark: str) -> str:
        return values.file_of(mark, self.page, Path("snippets"))[0].as_posix()

    def same(self, korean: Line, english: Line) -> None:
        """Both languages have the same formulas and the same code, unless Hangul is in it."""
        for kind, one, two in (
            ("formula", set(korean.compared.formulas), set(english.compared.formulas)),
            ("code", _code(korean.compared), _code(english.compared)),
        ):
            for value in sorted(one - two):
                self.say(korean.number, f"has the {kind} {value}, which line {english.number} lacks: write it in both")
            for value in sorted(two - one):
                self.say(english.number, f"has the {kind} {value}, which line {korean.number} lacks: write it in both")


def _code(line: Line) -> set[str]:
    """`shape` is a word of Korean."""
    return {code for code in line.code if code != "shape" and not re.search("[가-힣]", code)}


def load(path: Path) -> tuple[dict[str, tuple[int, list[Question]]], list[tuple[int, str]]]:
    """By page, its line and those of its questions with which nothing is wrong; and what is wrong with the others."""
    return _cached(path, path.stat().st_mtime_ns, values.changed(path.parents[2] / "snippets"))


@functools.cache
def _cached(path: Path, *changed: int) -> tuple[dict[str, tuple[int, list[Question]]], list[tuple[int, str]]]:
    reader = _Reader(path.stem, path.parents[2] / "snippets")
    try:
        return reader.pages(composed(path, QuestionError, "text, with '…' if it holds a \\")), reader.wrong
    except QuestionError as error:
        return {}, [(error.line, error.message)]


def files(folder: Path = FOLDER) -> list[Path]:
    return sorted(path for path in folder.glob("*.yml") if not path.name.startswith("."))


def everything(folder: Path = FOLDER) -> dict[str, list[Question]]:
    """The questions of each page, by its path: ``attention/masks``."""
    return {
        f"{path.stem}/{page}": questions
        for path in files(folder)
        for page, (_, questions) in load(path)[0].items()
        if questions
    }
