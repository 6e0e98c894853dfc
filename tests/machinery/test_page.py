"""``python -m book page``: what it makes of a name works, and what it runs finds what is wrong."""

from __future__ import annotations

import functools
import math
import os
import re
import shutil
import subprocess
import sys
from pathlib import Path

import pytest
from pytest_codeblocks import extract_from_file

from book import LANGUAGES, ROOT
from book.artifacts import figures
from book.artifacts.examples import raises, run
from book.authoring.belongings import Belongings, _render
from book.authoring.page import PageError, make_page, make_part
from book.checks.every import check_pages
from book.markdown import touch
from book.source.pages import Book, navigation
from tests.machinery.mutants import Runner, mutants, survivors
from tests.the_book import BOOK

NEW = "attention/new-thing"


def copied(to: Path) -> Path:
    """The pages and snippets of this book, and the code that has the names of which its pages speak."""
    ignore = shutil.ignore_patterns("__pycache__", "assets", "katex")
    for folder in ("docs", "snippets", "book", "exercises", "tests"):
        shutil.copytree(ROOT / folder, to / folder, ignore=ignore)
    shutil.copytree(ROOT / touch.FOLDER, to / touch.FOLDER)
    for name in ("mkdocs.yml", "README.md", "CONTRIBUTING.md"):
        shutil.copy(ROOT / name, to)
    return to


@pytest.fixture
def project(tmp_path) -> Path:
    """A copy of the book to add to."""
    return copied(tmp_path)


@pytest.fixture(scope="module")
def untouched(tmp_path_factory) -> Path:
    """A copy for all that is refused: nothing is written there."""
    project = copied(tmp_path_factory.mktemp("untouched"))
    (project / "tests/block").mkdir(parents=True, exist_ok=True)
    (project / "tests/block/test_encoder_layer.py").touch()
    return project


@functools.cache
def before() -> set[str]:
    """What the checks say of the book as it stands."""
    return set(map(str, check_pages(ROOT)))


def problems(project: Path) -> list[str]:
    """What they say beside that."""
    return [text for problem in check_pages(project) if (text := str(problem)) not in before()]


#: What an author adds to the questions of a part.
QUESTIONS = "".join(
    f"""\
- id: new-{number}
  ko: 왜 새로울까요?
  en: Why is it new?
  answers:
  - {{ko: 새것이라서요., en: It has just come., right: true, why_ko: 새것입니다., why_en: It is new.}}
  - {{ko: 낡아서요., en: It is old., why_ko: 새것입니다., why_en: It is new.}}
"""
    for number in (1, 2)
)


def written(project: Path, files: list[str]) -> None:
    """Take the word TODO out, as an author does who has written what it asks for."""
    for name in files:
        text = (project / name).read_text(encoding="utf-8").replace("| TODO |", "| ? |")
        if name.startswith("docs/ko"):
            text = re.sub(r"TODO (?:New|Long)[\w ]*", "새로운 것", text)
        (project / name).write_text(text.replace("TODO ", ""), encoding="utf-8")
    for name in files:
        if (found := re.match(r"docs/en/(\w+)/([\w-]+)\.md$", name)) and found[2] != "index":
            with (project / "docs" / "questions" / f"{found[1]}.yml").open("a", encoding="utf-8") as file:
                file.write(f"\n{found[2]}:\n" + QUESTIONS)


@pytest.mark.thorough  # each checks the whole book twice
@pytest.mark.parametrize("name", [NEW, "training/long-name-of-many-words", "labs/new-lab"])
def test_of_a_new_page_only_what_its_author_must_write_is_missing(project, name):
    files = make_page(project, name)
    found = problems(project)
    others = [problem for problem in found if "still to be written" not in problem]
    assert found and not others, "\n".join(others)
    assert {problem.partition(":")[0] for problem in found} == {
        *(f"docs/{language}/{name}.md" for language in LANGUAGES),
        *(f"docs/{language}/{name.partition('/')[0]}/index.md" for language in LANGUAGES),
        f"snippets/{name.replace('-', '_')}.py",
        f"snippets/{name.partition('/')[0]}/comments.ko.yml",
        f"docs/questions/{name.partition('/')[0]}.yml",
    }
    written(project, files)
    assert problems(project) == []


@pytest.mark.thorough
def test_a_new_part_has_all_that_its_first_page_needs(project):
    files = make_part(project, "another")
    files += make_page(project, "another/new-thing")
    assert Book.read(project).parts()[-3:] == ["another", "labs", "appendix"]
    assert all("still to be written" in problem for problem in problems(project))
    assert "(another/index.md) | TODO |" in (project / "docs" / "en" / "index.md").read_text(encoding="utf-8")
    assert "\n| 1 | [TODO New thing](new-thing.md) | TODO |\n" in (project / "docs/ko/another/index.md").read_text(
        encoding="utf-8"
    )
    written(project, list(dict.fromkeys(files)))
    assert problems(project) == []


@pytest.mark.thorough
def test_entries_are_added_and_nothing_else_is_changed(project):
    settings = project / "mkdocs.yml"
    before = settings.read_text(encoding="utf-8").replace("- attention/additive.md", "- attention/additive.md # last")
    settings.write_text(before, encoding="utf-8")
    indexes = [project / "docs" / language / "attention" / "index.md" for language in LANGUAGES]
    old = [path.read_text(encoding="utf-8") for path in indexes]
    make_page(project, NEW)
    assert settings.read_text(encoding="utf-8").replace("      - attention/new-thing.md\n", "") == before
    nav = navigation(project)
    assert nav[nav.index("attention/additive.md") + 1] == f"{NEW}.md"
    for path, text in zip(indexes, old, strict=True):
        row = "| 9 | [TODO New thing](new-thing.md) | TODO |\n"
        new = path.read_text(encoding="utf-8")
        assert new.replace(row, "") == text
        assert re.search(r"\(additive\.md\).*\n$", new.partition(row)[0]), "it stands below the last page"


@pytest.mark.thorough
def test_its_examples_print_what_stands_below_them(project):
    make_page(project, NEW)
    sys_path, modules = list(sys.path), dict(sys.modules)
    for name in [name for name in sys.modules if name.partition(".")[0] == "snippets"]:
        del sys.modules[name]
    sys.path.insert(0, str(project))
    try:
        namespace: dict = {}
        for block in extract_from_file(project / "snippets/attention/new_thing.md"):
            assert run(block.code, namespace, "example", 1, raises(block)) == block.expected_output
    finally:
        sys.path[:] = sys_path
        for name in [name for name in sys.modules if name.partition(".")[0] == "snippets"]:
            del sys.modules[name]
        sys.modules.update(modules)


@pytest.mark.thorough
def test_its_tests_pass_and_notice_every_mutant(project):
    make_page(project, NEW)
    module, tests = project / "snippets/attention/new_thing.py", project / "tests/attention/test_new_thing.py"
    source = module.read_text(encoding="utf-8")
    assert Runner(module, tests).first_failure(source) is None
    assert Runner(module, tests).first_failure(source.replace("return x - ", "return x + ")).startswith("test_a_known")
    assert len(mutants(module)) >= 5
    assert survivors(module, tests, mutants(module)) == []


@pytest.mark.thorough  # each reads the whole book
@pytest.mark.parametrize(
    ("name", "said"),
    [
        ("masks", "PART/NAME; did you mean attention/masks?"),
        ("atention/new-thing", "there is no part atention; did you mean attention?"),
        ("zoology/new-thing", "python -m book page --part zoology"),
        ("attention/mask", "did you mean masks? If it is a new one: python -m book page --new attention/mask"),
        ("attention/maskes", "did you mean masks?"),
        ("training/adma", "did you mean adam?"),
        ("attention/new_thing", "in words joined by hyphens, such as new-thing"),
        ("attention/import", "choose another"),
        ("appendix/new-thing", "appendix has no code of its own"),
        ("block/encoder-layer", "snippets/block/encoder_layer.py, tests/block/test_encoder_layer.py: there already"),
    ],
)
def test_a_name_that_will_not_do_is_refused_and_nothing_is_written(untouched, name, said):
    before = {path: path.stat().st_mtime_ns for path in untouched.rglob("*")}
    with pytest.raises(PageError, match=re.escape(said)):
        make_page(untouched, name)
    assert {path: path.stat().st_mtime_ns for path in untouched.rglob("*")} == before


@pytest.mark.thorough
@pytest.mark.parametrize(
    ("name", "said"),
    [("model", "is there already"), ("models", "did you mean model?"), ("tools", "choose another"), ("a/b", "hyphens")],
)
def test_a_part_that_will_not_do_is_refused(untouched, name, said):
    with pytest.raises(PageError, match=re.escape(said)):
        make_part(untouched, name)


@pytest.mark.thorough
def test_what_is_only_like_an_existing_name_may_be_made(project):
    make_page(project, "block/rms-norm")  # not layer-norm
    make_page(project, "attention/mask", new=True)
    assert {"block/rms-norm.md", "attention/mask.md"} <= set(navigation(project))


def test_a_module_belongs_to_the_first_page_that_shows_it():
    first = Belongings.of(BOOK, "block/residual.md")
    assert first.modules == ["block/residual.py", "families/deep_network.py"]
    assert first.examples == ["snippets/block/residual.md"]
    assert Belongings.of(BOOK, "attention/why-sqrt-dk.md").figures == [
        "attention/gradient_by_divisor",
        "attention/weights_by_divisor",
        "attention/score_variance",
        "attention/softmax_saturation",
    ]
    shown = [module for name in BOOK.nav for module in Belongings.of(BOOK, name).modules]
    assert sorted(shown) == sorted(set(shown)), "each belongs to one page"


@pytest.mark.thorough
@pytest.mark.parametrize("language", LANGUAGES)
def test_one_page_is_rendered_as_the_site_does_it(language):
    drawn = Belongings.of(BOOK, "positions/tokens.md").figures
    figures.draw_anew([name for name in figures.stale() if name in drawn])  # as the command does before
    html = _render("positions/tokens.md", language)
    assert 'class="katex-mathml"' in html
    assert "RuntimeError: Class values must be smaller than num_classes." in html


def test_what_contributors_read_fits_on_a_screen():
    lines = (ROOT / "CONTRIBUTING.md").read_text(encoding="utf-8").splitlines()
    assert sum(max(1, math.ceil(len(line) / 100)) for line in lines) <= 60


@pytest.mark.thorough
def test_a_page_from_the_first_command_to_the_last(tmp_path):
    """As a new contributor makes it, in a copy of the whole repository."""
    project = tmp_path / "book"
    ignore = shutil.ignore_patterns(".git", ".venv", ".cache", "site", "__pycache__", ".*_cache", ".hypothesis")
    shutil.copytree(ROOT, project, ignore=ignore)

    def page(*arguments: str) -> subprocess.CompletedProcess[str]:
        return subprocess.run(
            [sys.executable, "-m", "book.authoring.page", *arguments],
            cwd=project,
            env={**os.environ, "PYTHONPATH": ""},
            capture_output=True,
            text=True,
            encoding="utf-8",
        )

    made = page(NEW)
    assert made.returncode == 0, made.stderr
    written(project, re.findall(r"^wrote (.*)$", made.stdout, re.M))
    done = page(NEW)
    assert done.returncode == 0, done.stdout
    assert f"{NEW}: everything is right" in done.stdout
    for title in ("checks", "style", "worked examples", "tests", "mutants", "figures", "pasted whole", "rendered"):
        assert re.search(rf"(?m)^{title} +\d+\.\d s  ", done.stdout), title
    assert re.findall(r"(?m)^(?:mutants|pasted whole) .* s  (\d+) passed", done.stdout) == ["2", "1"], done.stdout

    english = project / f"docs/en/{NEW}.md"
    english.write_text(english.read_text(encoding="utf-8").replace("y_i =", r"\nothing ="), encoding="utf-8")
    module = project / "snippets/attention/new_thing.py"
    module.write_text(module.read_text(encoding="utf-8").replace("return x - ", "return x + "), encoding="utf-8")
    broken = page(NEW)
    assert broken.returncode == 1
    assert "checks, worked examples, tests, mutants, pasted whole, rendered failed" in broken.stdout, broken.stdout
    assert "Undefined control sequence: \\nothing" in broken.stdout
    assert "snippets/attention/new_thing.md:4: the example prints something else" in broken.stdout
