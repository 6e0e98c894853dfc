"""In which order the book's steps run within Python-Markdown, and why each stands where it does.

Python-Markdown runs its preprocessors on the lines of a page, then its tree processors on the elements it has made of
them, then its postprocessors on the finished text; within each kind, what has the higher priority comes first. The
book's steps stand between those of Python-Markdown and of its extensions, whose priorities the reasons name.
"""

from __future__ import annotations

from dataclasses import dataclass

from markdown import Markdown
from markdown.util import Processor


@dataclass(frozen=True)
class Step:
    """A processor by its name; ``kind``: the registry of Python-Markdown that it goes into."""

    kind: str
    name: str
    priority: int
    why: str


PIPELINE = (
    Step("preprocessors", "book-text", 250, "what the book writes into a page stands there before anything reads it"),
    Step("preprocessors", "formula-source", 200, "keeps the lines as written, to say where a formula is broken"),
    Step("preprocessors", "glossary-table", 150, "its table is Markdown: code and links are still to be found in it"),
    Step("preprocessors", "labs", 100, "below each include stands its output, so before snippets (32) puts it in"),
    Step("treeprocessors", "questions", 60, "before footnotes (50) go to the end, and inline patterns (20) find code"),
    Step("treeprocessors", "formulas", 15, "inline patterns (20) have found them, attr_list (8) is still to come"),
    Step("treeprocessors", "figures", 14, "inline patterns (20) made images, whose addresses MkDocs looks at last (0)"),
    Step("treeprocessors", "glossary-tooltips", 7, "code, formulas and links are elements by now, and get no tooltip"),
    Step("treeprocessors", "particles", 4, "what follows code stays as it is now: tooltips (7) are in it"),
    Step("treeprocessors", "boxes", 3, "attributes (8) have come to the tables that are put into boxes"),
    Step("postprocessors", "copy-buttons", 5, "coloured code, which is raw HTML, has come back in (30)"),
    Step("postprocessors", "imports", 4, "behind the button (5), which stands before the code"),
    Step("postprocessors", "openings", 3, "the button (5) and the imports (4) move with their code"),
)
_BY_NAME = {step.name: step for step in PIPELINE}


def register(md: Markdown, name: str, processor: Processor) -> None:
    """Put a step of PIPELINE into its place."""
    step = _BY_NAME[name]
    getattr(md, step.kind).register(processor, name, step.priority)
