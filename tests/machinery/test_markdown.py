"""The extension that makes pages: each step stands where its reason says, and a page is told apart from the next."""

from __future__ import annotations

import pytest
import yaml
from markdown import Markdown

from book import ROOT
from book.markdown.extension import BookExtension, Page
from book.markdown.pipeline import PIPELINE
from book.source import values
from book.source.pages import Settings

#: Of each step, what stands before and behind it, in the order in which Python-Markdown runs them; see the reasons.
NEIGHBOURS = {
    "book-text": ("", "formula-source"),
    "formula-source": ("book-text", "glossary-table"),
    "glossary-table": ("formula-source", "snippet"),
    "labs": ("formula-source", "snippet"),
    "questions": ("", "footnote"),
    "formulas": ("inline", "attr_list"),
    "figures": ("inline", "toc"),
    "glossary-tooltips": ("attr_list", "particles"),
    "particles": ("glossary-tooltips", ""),
    "boxes": ("attr_list", ""),
    "copy-buttons": ("raw_html", "imports"),
    "imports": ("copy-buttons", "openings"),
    "openings": ("imports", ""),
}


def converter(extension: BookExtension) -> Markdown:
    """With the extensions of mkdocs.yml before the book's own."""
    names, options = [], {}
    for one in yaml.load((ROOT / "mkdocs.yml").read_text(encoding="utf-8"), Loader=Settings)["markdown_extensions"]:
        ((name, its),) = one.items() if isinstance(one, dict) else ((one, {}),)
        names.append(name)
        options[name] = its
    options["pymdownx.snippets"]["base_path"] = [str(ROOT / "snippets"), str(ROOT / ".cache" / "editions")]
    return Markdown(extensions=[*names, extension], extension_configs=options)


def order(registry) -> list[str]:
    """The names of the processors of a kind, as they run."""
    return [next(name for name in registry._data if registry[name] is one) for one in registry]


@pytest.mark.parametrize("step", PIPELINE, ids=lambda step: step.name)
def test_each_step_stands_between_what_its_reason_names(step):
    names = order(getattr(converter(BookExtension("en")), step.kind))
    before, behind = NEIGHBOURS[step.name]
    at = names.index(step.name)
    assert not before or names.index(before) < at
    assert not behind or at < names.index(behind)
    assert before or step.name != "book-text" or at == 0


def test_the_pipeline_lists_every_step_of_the_book_in_the_order_in_which_they_run():
    md = converter(BookExtension("en"))
    kinds = ("preprocessors", "treeprocessors", "postprocessors")
    own = [
        (kind, name)
        for kind in kinds
        for name in order(getattr(md, kind))
        if type(getattr(md, kind)[name]).__module__.startswith("book.")
    ]
    assert own == [(step.kind, step.name) for step in PIPELINE]


def test_a_page_has_its_own_values_and_the_address_of_the_repository():
    extension = BookExtension("en", repository="https://example.org/book")
    value = values.text_of("at-12", "before/bottleneck.md", language="en")
    extension.begin(Page("before/bottleneck"))
    assert extension.text("{{at-12}}\ngit clone ADDRESS here") == f"{value}\ngit clone https://example.org/book here"
    extension.begin(Page("block/residual"))
    assert extension.text("{{at-12}}") == "{{at-12}}", "a value belongs to its page"
    assert BookExtension("en").text("git clone ADDRESS textbook") == "git clone ADDRESS textbook"


def test_what_the_steps_are_told_of_a_page_is_that_of_the_page_that_begins():
    extension = BookExtension("ko")
    extension.begin(Page("labs/post-pre-ln", first_line=4, outputs=["1.0"]))
    assert extension.formulas.file == "docs/ko/labs/post-pre-ln.md" and extension.formulas.first_line == 4
    assert extension.outputs.outputs == ["1.0"] and extension.questions.page == "labs/post-pre-ln"
    extension.begin(Page("attention/masks"))
    assert extension.outputs.outputs == [] and extension.formulas.first_line == 1


def test_python_markdown_finds_it_by_its_name():
    name = "book.markdown.extension"
    md = Markdown(extensions=[name], extension_configs={name: {"language": "ko"}})
    own = md.preprocessors["book-text"].extension
    assert isinstance(own, BookExtension) and own.language == "ko"


def test_a_formula_and_a_table_of_a_page_become_what_readers_see():
    extension = BookExtension("en")
    extension.begin(Page("attention/masks"))
    shown = converter(extension).convert("A [key](x.md) of $d_k$.\n\n| a | b |\n|---|---|\n| 1 | 2 |\n")
    assert "<math" in shown and 'class="data"' in shown
