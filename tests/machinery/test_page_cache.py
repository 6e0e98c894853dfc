"""While the book is served, a page is rendered again if anything that it depends on has changed, and else not."""

from __future__ import annotations

import os
from types import SimpleNamespace

import pytest
from markdown import Extension
from markdown.treeprocessors import Treeprocessor
from mkdocs.config import load_config
from mkdocs.structure.files import get_files
from mkdocs.structure.pages import Page

from book.adapters import page_cache
from book.adapters.page_cache import PageCache
from book.adapters.serve import SERVED
from book.markdown.later import Later


class PutOff(Extension):
    """Puts emphasis off, and notes that something is rendered."""

    def __init__(self, later: Later) -> None:
        super().__init__()
        self.later, self.texts = later, []

    def extendMarkdown(self, md) -> None:
        extension = self

        class Processor(Treeprocessor):
            def run(self, root) -> None:
                extension.texts.append("".join(root.itertext()))
                for element in root.iter("em"):
                    html = f"<i>{element.text}</i>"
                    element.text = md.htmlStash.store(extension.later.put_off(html))

        md.treeprocessors.register(Processor(md), "put-off", 15)


@pytest.fixture
def book(tmp_path, monkeypatch):
    """The directory of a book of two pages."""
    for name, text in {
        "docs/ko/one.md": "# Page one\n\n*first*\n",
        "docs/ko/two.md": "# Page two\n\n*second*\n",
        "docs/glossary.yml": "- id: term\n",
        "docs/questions/part.yml": "one: []\n",
        "docs/assets/figures/part/drawn.ko.svg": "<svg></svg>\n",
        "snippets/part/module.py": "x = 1\n",
        "snippets/part/module.md": "# Examples\n",
    }.items():
        (tmp_path / name).parent.mkdir(parents=True, exist_ok=True)
        (tmp_path / name).write_text(text)
    (tmp_path / "mkdocs.yml").write_text("site_name: two pages\ndocs_dir: docs/ko\nplugins: []\n")
    monkeypatch.setattr(page_cache, "ROOT", tmp_path)
    monkeypatch.setenv(SERVED, "as it is")
    return tmp_path


def build(book, state=("same",), outputs=(), keep=True):
    """The pages by name, finished, and how many of them were rendered."""
    config, later = load_config(config_file=str(book / "mkdocs.yml")), Later()
    put_off = PutOff(later)
    config.markdown_extensions.append(put_off)
    config.extra["book"] = SimpleNamespace(page=SimpleNamespace(outputs=list(outputs)))
    pages, files = PageCache(book / "kept", list(state), later), get_files(config)
    found = {}
    for file in files.documentation_pages():
        page = Page(None, file, config)
        page.read_source(config)
        pages.render(page, config, files)
        found[page.title] = later.put_in(page.content), [item.title for item in page.toc], page.present_anchor_ids
    if keep:
        pages.keep()
    return found, len(put_off.texts)


def test_a_page_that_is_as_it_was_is_not_rendered_and_stays_whole(book):
    first, number = build(book)
    assert number == 2
    assert first["Page one"] == (
        '<h1 id="page-one">Page one</h1>\n<p><em><i>first</i></em></p>',
        ["Page one"],
        {"page-one"},
    )
    assert build(book) == (first, 0)
    (book / "docs" / "ko" / "two.md").write_text("# Page two\n\n*third*\n")
    second, number = build(book)
    assert number == 1 and second["Page one"] == first["Page one"] and "<i>third</i>" in second["Page two"][0]
    assert build(book) == (second, 0), "what was not rendered is kept for the next build, too"


def test_another_state_or_another_output_renders_all_pages(book):
    build(book)
    assert build(book, state=("other",))[1] == 2
    assert build(book)[1] == 2, "only the last state is kept"
    assert build(book, outputs=["1\n"])[1] == 2
    assert build(book, outputs=["2\n"])[1] == 2
    assert build(book, outputs=["2\n"])[1] == 0


def test_a_build_that_fails_leaves_what_there_was(book):
    build(book)
    (book / "docs" / "ko" / "two.md").write_text("# Page two\n\n*third*\n")
    assert build(book, keep=False)[1] == 1
    (book / "docs" / "ko" / "two.md").write_text("# Page two\n\n*second*\n")
    assert build(book)[1] == 0
    assert not list(book.glob("*.part"))


@pytest.mark.parametrize("left", [b"", b'{"state": ["same"]', b"\x80\x04]\x94."])
def test_a_file_that_cannot_be_read_renders_all_pages(book, left):
    build(book)
    (book / "kept").write_bytes(left)
    assert build(book)[1] == 2
    assert build(book)[1] == 0


def test_headings_below_headings_are_restored(book):
    (book / "docs" / "ko" / "one.md").write_text("# Page one\n\n## Part\n\n### Piece\n\n## Last\n")

    def contents(pages) -> list[str]:
        config = load_config(config_file=str(book / "mkdocs.yml"))
        config.extra["book"] = SimpleNamespace(page=SimpleNamespace(outputs=[]))
        files = get_files(config)
        page = Page(None, files.get_file_from_path("one.md"), config)
        page.read_source(config)
        pages.render(page, config, files)
        pages.keep()
        return [str(page.toc), [one.active for one in page.toc if hasattr(one, "active")], page.title]

    first = contents(PageCache(book / "kept", ["same"], Later()))
    kept = PageCache(book / "kept", ["same"], Later())
    assert kept.before and contents(kept) == first
    assert "        Piece - #piece" in first[0] and first[1:] == [[True], "Page one"]


def state(book) -> list[str]:
    return page_cache.state(get_files(load_config(config_file=str(book / "mkdocs.yml"))))


@pytest.mark.parametrize(
    "name",
    [
        "docs/glossary.yml",
        "docs/questions/part.yml",
        "docs/assets/figures/part/drawn.ko.svg",
        "snippets/part/module.py",
        "snippets/part/module.md",
        "snippets/other.py",
        "docs/ko/three.md",  # which a link may lead to
    ],
)
def test_what_pages_depend_on_changes_the_state(book, name):
    before, path = state(book), book / name
    assert state(book) == before
    was = path.stat().st_mtime_ns if path.exists() else 0
    path.write_text("other\n")
    os.utime(path, ns=(was + 1, was + 1))
    written = state(book)
    assert written != before
    path.unlink()
    assert (state(book) == before) is (was == 0), "what is gone changes it, too"


def test_a_change_of_the_machinery_changes_the_state(book, monkeypatch):
    before = state(book)
    monkeypatch.setenv(SERVED, "edited")
    assert state(book) != before


def test_the_text_of_pages_and_what_is_no_source_do_not(book):
    before = state(book)
    (book / "docs" / "ko" / "one.md").write_text("# Page one\n\nother\n")
    (book / "snippets" / "part" / "__pycache__").mkdir()
    (book / "snippets" / "part" / "__pycache__" / "module.pyc").write_text("")
    (book / "snippets" / "part" / "module.py~").write_text("")
    (book / "snippets" / "part" / ".#module.py").symlink_to("somebody@somewhere.1234")
    assert state(book) == before
