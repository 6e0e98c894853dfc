"""The one extension of Python-Markdown that makes pages of this book, whatever builds the site.

``Markdown(extensions=[..., BookExtension("ko")])``, or by its name, ``book.markdown.extension``, with the option
``language``. It joins what the modules of its parts do: text that the book puts into a page, outputs of labs, formulas,
figures, glossary, questions, tables and code. ``book/markdown/pipeline.py`` says in which order. Whoever converts a
page says which one it is before (``begin``): ``book/adapters/hooks.py`` for MkDocs, ``book/adapters/zensical.py`` for
Zensical.
"""

from __future__ import annotations

from collections.abc import Callable
from dataclasses import dataclass, field

from markdown import Extension, Markdown
from markdown.preprocessors import Preprocessor

from book import ROOT
from book.artifacts import exercises, syllabus
from book.markdown.boxes import BoxExtension
from book.markdown.formulas import FormulaExtension
from book.markdown.inlined import FigureExtension
from book.markdown.later import at_once
from book.markdown.openings import OpeningExtension
from book.markdown.outputs import LabExtension
from book.markdown.pipeline import register
from book.markdown.quiz import QuestionExtension
from book.markdown.terms import GlossaryExtension
from book.source import comments, values
from book.source.pages import navigation
from book.source.parser import parse


@dataclass(frozen=True)
class Page:
    """What is known of a page: ``name``, PART/NAME; the line of its file in which its text begins, behind the front
    matter; and what the cells of a lab have printed."""

    name: str
    first_line: int = 1
    outputs: list[str] = field(default_factory=list)


class _Text(Preprocessor):
    """Puts in what the book writes into a page: values, tables of exercises, listings of an edition, an address."""

    def __init__(self, md: Markdown, extension: BookExtension) -> None:
        super().__init__(md)
        self.extension = extension

    def run(self, lines: list[str]) -> list[str]:
        return self.extension.text("\n".join(lines)).split("\n")


class BookExtension(Extension):
    """All that the book does to Markdown, in one language.

    ``repository``: the address that pages clone, if it is known; ``place``: what puts formulas and drawings into the
    page, at once or later.
    """

    def __init__(self, language: str = "en", repository: str = "", place: Callable[..., str] = at_once) -> None:
        super().__init__()
        self.language, self.repository = language, repository
        self.formulas, self.figures, self.outputs = FormulaExtension(), FigureExtension(language), LabExtension()
        self.formulas.place = self.figures.place = place
        self.questions = QuestionExtension(language)
        self.questions.order = [name.removesuffix(".md") for name in navigation(ROOT)]
        self.questions.title = lambda page: parse(self._source(page), language, f"{page}.md").meta["title"]
        self.parts: list[Extension] = [
            self.formulas,
            self.outputs,
            self.figures,
            GlossaryExtension(language),
            BoxExtension(language),
            OpeningExtension(language),
            self.questions,
        ]
        self.page = Page("")

    def _source(self, page: str):
        return ROOT / "docs" / self.language / f"{page}.md"

    def begin(self, page: Page) -> None:
        """The page that is converted next."""
        self.page = page
        self.formulas.file = self._source(page.name).relative_to(ROOT).as_posix()
        self.formulas.first_line = page.first_line
        self.questions.page = page.name
        self.outputs.outputs = page.outputs

    def text(self, markdown: str) -> str:
        """The Markdown of the page with what the book puts into it."""
        if self.repository:
            markdown = markdown.replace("git clone ADDRESS ", f"git clone {self.repository} ")
        markdown = values.resolve(markdown, f"{self.page.name}.md", language=self.language)
        markdown = syllabus.with_hours(exercises.on_page(markdown, self.language), self.language)
        return comments.addressed(markdown, self.language)

    def extendMarkdown(self, md: Markdown) -> None:
        register(md, "book-text", _Text(md, self))
        for part in self.parts:
            part.extendMarkdown(md)


def makeExtension(**options) -> BookExtension:
    """What Python-Markdown calls for ``book.markdown.extension``."""
    return BookExtension(**options)
