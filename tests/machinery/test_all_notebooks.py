"""The notebooks of all pages, and that they run where nothing of the book is."""

from __future__ import annotations

import re

import pytest
from nbclient import NotebookClient

from book import ROOT
from book.artifacts import cells, notebooks
from tests.machinery.test_labs import alone, repository  # noqa: F401 (alone is a fixture)
from tests.machinery.test_page_notebooks import PAGES, check_whole, code, page_of, printed

pytestmark = pytest.mark.thorough


def test_all_notebooks_have_the_cells_of_their_pages():
    for page in PAGES:
        check_whole(page)


def test_all_that_notebooks_install_is_pinned():
    pinned = re.findall(r"^([\w.-]+)==", (ROOT / "constraints.txt").read_text(encoding="utf-8"), re.M)
    pinned += re.findall(r"^([\w.-]+)==", (ROOT / "requirements.txt").read_text(encoding="utf-8"), re.M)
    for page in PAGES:
        needed, _ = notebooks._needed([cell.source for cell in code(notebooks.notebook(page))])
        unknown = {cells.INSTALLED_AS.get(name, name) for name in needed} - {name.lower() for name in pinned}
        assert not unknown, f"{page.path}: {unknown} is not in requirements.txt"


@pytest.mark.parametrize("name", ["attention/masks", "positions/sinusoidal"])
def test_a_notebook_runs_in_an_empty_folder_with_what_it_gets_from_the_repository(tmp_path, alone, name):  # noqa: F811
    (folder := tmp_path / "empty").mkdir()
    book = notebooks.notebook(page_of(name, "ko"), repository=repository(tmp_path))
    expected = [printed(cell) for cell in code(book) if not cell.metadata.get("tags")]
    NotebookClient(book, timeout=600, kernel_name="python3", resources={"metadata": {"path": str(folder)}}).execute()
    assert (folder / "transformer-book" / "snippets" / "labs").is_dir()
    assert [printed(cell) for cell in code(book) if not cell.metadata.get("tags")] == expected
    pictures = [cell for cell in book.cells if "snippets.figures.show" in cell.source]
    drawn = [any("image/svg+xml" in output.get("data", {}) for output in cell.outputs) for cell in pictures]
    assert drawn and all(drawn)
