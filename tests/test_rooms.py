"""Which room may look into which: imports go one way, from later parts to earlier ones."""

from __future__ import annotations

import ast
import itertools
import subprocess
import sys
from pathlib import Path

import pytest

from book import ROOT
from snippets.tools.fingerprint import imported
from tests.the_book import BOOK

MODULES = [path for path in [*BOOK.snippets(), *BOOK.tools()] if path.suffix == ".py"]
EVERYTHING = sorted((ROOT / "snippets").rglob("*.py"))


def imports(path: Path) -> list[Path]:
    return imported(path.read_text(encoding="utf-8"), ROOT, path.relative_to(ROOT).with_suffix("").parts)


def part(path: Path) -> str:
    return path.relative_to(ROOT / "snippets").parts[0]


def test_the_rooms_are_the_parts_of_the_book_in_its_order():
    in_navigation = dict.fromkeys(name.partition("/")[0] for name in BOOK.nav if "/" in name)
    assert [name for name in in_navigation if name in BOOK.parts()] == BOOK.parts()
    with_modules = {part(path) for path in MODULES} - {"tools"}  # the appendix has examples only
    beside = {"tools", "figures", "onefile", "__init__.py"}  # onefile: models to download, which import torch alone
    assert {part(path) for path in EVERYTHING} == with_modules | beside
    assert with_modules == {*BOOK.parts()} - {"appendix"}


@pytest.mark.parametrize("path", MODULES, ids=BOOK.address)
def test_a_module_imports_its_own_part_earlier_ones_and_tools(path):
    allowed = {"tools"} if part(path) == "tools" else {*BOOK.parts()[: BOOK.parts().index(part(path)) + 1], "tools"}
    for other in imports(path):
        assert part(other) in allowed, f"{BOOK.address(path)} imports {BOOK.address(other)}, which comes later"


def test_no_two_modules_import_each_other():
    above = {path: set(imports(path)) for path in MODULES}
    while leaves := {path for path, needed in above.items() if not needed & above.keys()}:
        above = {path: needed for path, needed in above.items() if path not in leaves}
    assert not above, f"these import each other in a circle: {', '.join(map(BOOK.address, above))}"


def test_nothing_imports_a_figure_or_a_test_and_nothing_below_snippets_the_machinery():
    for path in EVERYTHING:
        names = set()
        for node in ast.walk(ast.parse(path.read_text(encoding="utf-8"))):
            if isinstance(node, ast.Import):
                names |= {alias.name.partition(".")[0] for alias in node.names}
            elif isinstance(node, ast.ImportFrom) and not node.level:
                names.add(node.module.partition(".")[0])
        assert not names & {"book", "tests", "docs"}, f"{path.relative_to(ROOT)} imports {names & {'book', 'tests'}}"
        for other in imports(path):
            shared = other.parent == ROOT / "snippets" / "figures"
            assert part(other) != "figures" or (shared and part(path) == "figures"), BOOK.address(path)


def test_a_build_needs_of_the_snippets_their_tools_alone_and_no_torch():
    """A book that somebody has begun has other parts; and torch takes seconds to import."""
    code = "import sys, book.adapters.hooks; print(*sys.modules)"
    loaded = subprocess.run([sys.executable, "-c", code], cwd=ROOT, text=True, capture_output=True, check=True)
    found = {".".join(name.split(".")[:2]) for name in loaded.stdout.split() if name.startswith(("snippets.", "torch"))}
    assert found == {"snippets.tools"}, f"book.adapters.hooks imports {sorted(found)}: import them where they are used"


def needs_a_package(example: str) -> bool:
    """Examples that need a package which is optional stand in a file of their own: the mark is for a whole file."""
    path = ROOT / "snippets" / example
    return path.is_file() and "<!-- needs " in path.read_text(encoding="utf-8")


def has_no_page(example: str) -> bool:
    """One of two files of a page, of which the other needs a package that this one does not, or the other way round."""
    shows = (
        name.replace("-", "_")
        for name, page in BOOK.pages["ko"].items()
        if any(target.partition(":")[0] == example for target, *_ in page.includes)
    )
    return needs_a_package(example) or any(needs_a_package(own) for own in shows if own != example)


def is_in_a_part(name: str) -> bool:
    """A page beside the parts has no room of its own, and shows examples of the part that it is about."""
    return "/" in name


@pytest.mark.parametrize("name", [name for name in BOOK.nav if BOOK.pages["ko"][name].includes and is_in_a_part(name)])
def test_the_examples_of_a_page_stand_in_the_file_of_its_name(name):
    own = name.replace("-", "_")
    for language in BOOK.pages:
        page = BOOK.pages[language][name]
        elsewhere = {
            target.partition(":")[0]
            for target, _, fence in page.includes
            if fence is None and (file := target.partition(":")[0]) != own and not has_no_page(file)
        }
        assert not elsewhere, f"docs/{language}/{name} shows {elsewhere}: its examples belong into snippets/{own}"


def test_names_of_modules_are_not_used_twice_in_a_part_and_its_pages_have_theirs():
    for name, following in itertools.pairwise(sorted(BOOK.address(path) for path in MODULES)):
        assert name != following
    for path in BOOK.snippets():
        if path.suffix == ".md":
            page = f"{part(path)}/{path.stem.replace('_', '-')}.md"
            beside = page.partition("/")[2]
            shown = {page, beside} & {*BOOK.nav} or has_no_page(BOOK.address(path))
            assert shown, f"{BOOK.address(path)} holds the examples of {page}, which does not exist"
