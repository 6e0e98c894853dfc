"""The questions on a page: their section, and what the first page of a part asks again.

Each answer is folded, and says, opened, whether it is right, and why: to read it, no script is needed.
docs/assets/js/book/questions.js remembers which question a reader has answered right at the first attempt. The first
page of a part asks some of the parts before it again; what was answered right there comes back after days, later each
time.
"""

from __future__ import annotations

import re
import xml.etree.ElementTree as etree
from collections.abc import Callable
from pathlib import Path

from markdown import Extension, Markdown
from markdown.treeprocessors import Treeprocessor

from book import strings
from book.markdown.pipeline import register
from book.source.questions import FOLDER, Question, everything

#: The id of the section, and what it says.
ID = "questions"
WORDS = strings.each("questions")
#: Of the section on the first page of a part: its id, how many questions it has, and what they do without, since it
#: stands on their own page.
AGAIN, REPEATED = "again", 6
NEAR = re.compile(
    r"\b(above|below|this page|(the|this|these) (table|figure|listing|output|run|example|experiment)s?)\b"
)
#: Headings that the section stands before: the first of these that a page has.
BEFORE = ("exercises", "sources")


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
        register(md, "questions", _Sections(md, self))
