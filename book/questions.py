"""The questions of the pages, ``docs/questions/PART.yml``: which there are, what is wrong with them, and their section.

Each answer is folded, and says, opened, whether it is right, and why: to read it, no script is needed.
docs/assets/js/book.js remembers which question a reader has answered right at the first attempt. The first page of a
part asks some of the parts before it again; what was answered right there comes back after days, later each time.
"""

from __future__ import annotations

import functools
import re
import xml.etree.ElementTree as etree
from collections.abc import Callable, Iterable, Iterator
from dataclasses import dataclass
from pathlib import Path

import yaml
from markdown import Extension, Markdown
from markdown.treeprocessors import Treeprocessor

from book import LANGUAGES, ROOT, formulas, values
from book.glossary import EntryError, composed
from book.prose import Line

FOLDER = ROOT / "docs" / "questions"
#: The id of the section, and what it says.
ID = "questions"
WORDS = {
    "ko": {
        "title": "확인 문제",
        True: "맞습니다.",
        False: "아닙니다.",
        "again": "아직 기억하나요?",
        "why": "며칠 뒤에 다시 떠올린 것이 오래 남습니다. 여기에서 맞힌 문제는 간격을 늘려 가며 다시 묻습니다.",
        "later": "{date}부터 다시 물을 문제: {count}개",
    },
    "en": {
        "title": "Check yourself",
        True: "Right.",
        False: "Wrong.",
        "again": "Do you still remember?",
        "why": "What you recall after days stays longer. A question comes back, later each time you are right.",
        "later": "To come back from {date}: {count}",
    },
}
#: Of the section on the first page of a part: its id, how many questions it has, and what they do without, since it
#: stands on their own page.
AGAIN, REPEATED = "again", 6
NEAR = re.compile(
    r"\b(above|below|this page|(the|this|these) (table|figure|listing|output|run|example|experiment)s?)\b"
)
#: Headings that the section stands before: the first of these that a page has.
BEFORE = ("exercises", "sources")
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
        name = given.get("id")
        if not isinstance(name, yaml.ScalarNode) or not re.fullmatch(r"[a-z0-9]+(-[a-z0-9]+)*", name.value):
            self.say(line, "a question needs an id of small letters, digits and hyphens: write `- id: …`")
        answers = given.get("answers")
        if not isinstance(answers, yaml.SequenceNode) or not FEWEST <= len(answers.value) <= MOST:
            self.say(line, f"a question has {FEWEST} to {MOST} answers: write them as a list below `answers:`")
            return None
        found = [self.answer(one) for one in answers.value]
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
        return None if len(self.wrong) > before else Question(name.value, line, text, tuple(found))

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
                formulas.render(tex)
            except formulas.FormulaError as error:
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


def again(page: str, order: list[str], questions: dict[str, list[Question]]) -> list[tuple[str, Question]]:
    """What the first page of a part asks again: questions from all over the parts before it, each with its page.

    order: all pages, as they are read.
    """
    part, _, name = page.partition("/")
    first = next((place for place, one in enumerate(order) if one.startswith(f"{part}/")), 0)
    if name != "index" or part == "appendix":
        return []
    pool = [
        (one, question)
        for one in order[:first]
        for question in questions.get(one, ())
        if not any(NEAR.search(line.text) for line in question.lines("en"))
    ]
    count = min(REPEATED, len(pool))
    spread = [pool[(2 * i + 1) * len(pool) // (2 * count)] for i in range(count)]
    return spread[1::2] + spread[::2]  # mixed: not in the order in which they were read


def repeated(asked: list[tuple[str, Question]], language: str, title: Callable[[str], str]) -> list[etree.Element]:
    """The section of ``again``: each question has an id of its own, and leads to its page at the end."""
    if not asked:
        return []
    words = WORDS[language]
    heading, box = section([question for _, question in asked], language)
    heading.set("id", AGAIN)
    heading.text = words["again"]
    box.set("data-later", words["later"])
    for group, (page, question) in zip(box, asked, strict=True):
        name, its_title = f"again-{page.replace('/', '-')}-{question.id}", title(page)
        group.set("aria-labelledby", name)
        group[0].set("id", name)
        for answer in group.iter("p"):
            if answer is not group[0]:
                link = etree.SubElement(answer, "a", {"href": f"../{page}.md"})
                answer[0].tail = f"{answer[0].tail} "
                link.text = its_title
    whole = etree.Element("section", {"class": AGAIN})
    why = etree.Element("p", {"data-search-exclude": ""})
    why.text = words["why"]
    whole.extend([heading, why, box])
    return [whole]


def section(questions: list[Question], language: str) -> list[etree.Element]:
    """A heading and a box, with the texts as written: code and formulas are still to be found in them."""
    words = WORDS[language]
    # what is wrong in an answer is nothing to search for
    heading = etree.Element("h2", {"id": ID, "data-search-exclude": ""})
    heading.text = words["title"]
    box = etree.Element("div", {"class": "questions"})
    for number, question in enumerate(questions, 1):
        name = f"question-{question.id}"
        group = etree.SubElement(box, "div", {"class": "question", "role": "group", "aria-labelledby": name})
        asked = etree.SubElement(group, "p", {"id": name})
        mark = etree.SubElement(asked, "span", {"class": "number"})
        mark.text, mark.tail = f"{number}.", f" {question.text[language].text}"
        for answer in question.answers:
            folded = etree.SubElement(group, "details", {"class": "answer right" if answer.right else "answer"})
            etree.SubElement(folded, "summary").text = answer.text[language].text
            verdict = etree.SubElement(etree.SubElement(folded, "p"), "strong")
            verdict.text, verdict.tail = words[answer.right], f" {answer.why[language].text}"
    return [heading, box]


class _Sections(Treeprocessor):
    def __init__(self, md: Markdown, extension: QuestionExtension) -> None:
        super().__init__(md)
        self.extension = extension

    def run(self, root: etree.Element) -> None:
        root.extend(self.extension.repeated())
        if not (questions := self.extension.questions.get(self.extension.page)):
            return
        places = {
            name: place
            for place, element in enumerate(root)
            for name in re.findall(r"\{\s*#([\w-]+)\s*\}$", (element.text or "") if element.tag == "h2" else "")
        }
        place = next((places[name] for name in BEFORE if name in places), len(root))
        for element in reversed(section(questions, self.extension.language)):
            root.insert(place, element)


class QuestionExtension(Extension):
    """Puts its questions into ``page``, which whoever converts a page says, before the exercises."""

    page = ""

    def __init__(self, language: str = "en", folder: Path = FOLDER) -> None:
        super().__init__()
        self.language, self.questions = language, everything(folder)
        self.order: list[str] = []  # all pages, as they are read
        self.title: Callable[[str], str] = str  # of a page

    def repeated(self) -> list[etree.Element]:
        """What the page asks again."""
        return repeated(again(self.page, self.order, self.questions), self.language, self.title)

    @property
    def count(self) -> int:
        """Of all pages."""
        return self.in_part("")

    def in_part(self, folder: str) -> int:
        """Of the pages below a folder."""
        return sum(len(asked) for page, asked in self.questions.items() if page.startswith(folder))

    def extendMarkdown(self, md: Markdown) -> None:
        # before footnotes get their place at the end (50), and code and formulas are found (20)
        md.treeprocessors.register(_Sections(md, self), "questions", 60)
