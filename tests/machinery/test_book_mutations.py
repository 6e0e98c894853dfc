"""Changing any one thing in a module of book/ makes a test on meaning fail, nine times out of ten.

Modules whose tests build sites, read the whole book, run pytest, train or start processes are left out: a mutant would
take too long.
"""

from __future__ import annotations

import time

import pytest

from book import ROOT
from tests.machinery.mutants import LONG, Mutant, Runner, mutants, regex_mutants, survivors
from tests.machinery.shards import ours

pytestmark = pytest.mark.thorough

#: The tests on meaning of each module.
TESTS = {
    **{f"artifacts/{name}": ["test_notebooks.py"] for name in ("cells", "downloads", "kernels", "labs")},
    "artifacts/examples": ["test_examples.py"],
    "artifacts/figures": ["test_drawing.py"],
    "artifacts/made": ["test_made.py"],
    "artifacts/notebooks": ["test_page_notebooks.py"],
    "artifacts/store": ["test_store.py"],
    "artifacts/weights": ["test_weights.py"],
    "adapters/page_cache": ["test_page_cache.py"],
    **{f"checks/{name}": ["test_checks.py", "test_checks_more.py"] for name in ("code", "files", "links", "readable")},
    "checks/pictures": ["test_checks.py", "test_checks_more.py", "test_touch.py"],
    "checks/side_by_side": ["test_checks.py", "test_checks_more.py", "test_questions.py", "test_values.py"],
    "checks/whole_pages": ["test_checks.py", "test_checks_more.py", "test_minimap.py"],
    "checks/words": ["test_checks.py", "test_checks_more.py", "test_glossary.py"],
    "checks/outline": ["test_outline.py"],
    "checks/printed": ["test_printed.py"],
    "finish/assets": ["test_assets.py"],
    "finish/feed": ["test_feed.py"],
    "finish/foreign": ["test_foreign.py"],
    "finish/minimap": ["test_minimap.py"],
    "finish/moved": ["test_moved.py"],
    "finish/places": ["test_places.py"],
    "finish/policy": ["test_policy.py"],
    "finish/script": ["test_joined.py"],
    "finish/search": ["test_search.py"],
    "finish/slides": ["test_slides.py"],
    "finish/styles": ["test_styles.py", "test_touch.py"],
    "markdown/boxes": ["test_boxes.py"],
    "markdown/formulas": ["test_formulas.py"],
    "markdown/inlined": ["test_drawing.py"],
    "markdown/later": ["test_later.py"],
    "markdown/outputs": ["test_notebooks.py"],
    "markdown/quiz": ["test_questions.py"],
    "markdown/terms": ["test_glossary.py"],
    "markdown/touch": ["test_touch.py"],
    **{f"source/{name}": ["test_comments.py"] for name in ("catalogs", "remarks")},
    "source/comments": ["test_comments.py", "test_labels.py"],
    **{f"source/{name}": ["test_glossary.py"] for name in ("glossary", "located")},
    "source/kinds": ["test_outline.py"],
    **{f"source/{name}": ["test_labels.py"] for name in ("labels", "localized")},
    "source/minutes": ["test_minutes.py"],
    **{f"source/{name}": ["test_pages_source.py"] for name in ("page", "pages", "parser", "prose", "text")},
    "source/questions": ["test_questions.py"],
    "source/tex": ["test_formulas.py"],
}
#: Of all mutants of a module, so many are noticed.
SHARE = 0.9
#: Of how many mutants one is tried, where all of them would take minutes.
SAMPLED = {f"checks/{name}": 6 for name in ("code", "files", "pictures", "side_by_side", "whole_pages", "words")}

# Mutants that behave like the module: (module, line, changed line) and why no test can tell them apart.
PARTICLES = (
    '"은|는|이|가|을|를|의|와|과|에|로|으로|도|만|마다|보다|처럼|까지|부터|끼리|들|이란|란|입니다|이고|이며|인|일|하고"'
)
EQUIVALENT = {
    ("source/glossary", PARTICLES, PARTICLES.replace(f"|{word}|", "|").replace('"', "'")): f"{word} starts with 이"
    for word in ("이란", "이고", "이며")
}


each_module = pytest.mark.parametrize("name", TESTS)


def files(name: str) -> tuple:
    return ROOT / "book" / f"{name}.py", [ROOT / "tests" / "machinery" / test for test in TESTS[name]]


def candidates(name: str) -> list[Mutant]:
    """Without those that only register a processor elsewhere: any number between its neighbours does."""
    return [
        mutant
        for mutant in mutants(files(name)[0])
        if ".register(" not in mutant.before and (name, mutant.before, mutant.after) not in EQUIVALENT
    ]


@each_module
def test_the_module_passes_its_own_tests_on_meaning(name):
    path, tests = files(name)
    failure = Runner(path, tests, LONG).first_failure(path.read_text(encoding="utf-8"))
    assert failure is None, f"{', '.join(TESTS[name])} fails when tests/machinery/mutants.py runs it: {failure}"


@pytest.mark.filterwarnings("ignore::pytest.PytestUnhandledThreadExceptionWarning")  # a mutant's thread may fail
@pytest.mark.parametrize("name", ours(list(TESTS)))
def test_nine_of_ten_mutants_fail_a_test_on_meaning(name):
    path, tests = files(name)
    everyone = candidates(name)[:: SAMPLED.get(name, 1)]
    start = time.perf_counter()
    Runner(path, tests, LONG).first_failure(path.read_text(encoding="utf-8"))
    patience = max(
        3, 4 * (time.perf_counter() - start)
    )  # seconds: one that runs for ever may fill the memory meanwhile
    alive = survivors(path, tests, everyone, patience)
    report = "\n".join([f"book/{name}.py: {len(alive)} of {len(everyone)} changes go unnoticed", *map(str, alive)])
    print(report)
    assert len(everyone) - len(alive) >= SHARE * len(everyone), (
        f"{report}\nAdd tests to {TESTS[name][-1]} that fail on them."
    )


@pytest.mark.parametrize(("name", "before", "after"), EQUIVALENT)
def test_every_mutant_listed_as_equivalent_exists_and_survives(name, before, after):
    path, tests = files(name)
    listed = [mutant for mutant in mutants(path) if (mutant.before, mutant.after) == (before, after)]
    assert len(listed) == 1, f"book/{name}.py has no such mutant any more: take it out of EQUIVALENT"
    assert survivors(path, tests, listed, LONG), f"a test does notice it: take it out of EQUIVALENT\n{listed[0]}"


# The harness itself


def changes(folder, source: str) -> set[str]:
    path = folder / "book" / "toy.py"
    path.parent.mkdir(exist_ok=True)
    path.write_text(source + "\n", encoding="utf-8")
    return {mutant.after for mutant in mutants(path)}


@pytest.mark.parametrize(
    ("line", "expected"),
    [
        ("y = [a, b]", {"y = ([b])", "y = ([a])"}),
        ("y = {a, b}", {"y = ({b})", "y = ({a})"}),
        ('y = {"a": b, **c}', {"y = ({**c})", "y = ({'a': b})"}),
        ('y = x == "a"', {"y = (x != 'a')", "y = x == 'ax'"}),
        ('y = f("a", k="b", encoding="c")', {
            "y = f('ax', k=\"b\", encoding=\"c\")", "y = f(\"a\", k='bx', encoding=\"c\")",
        }),
        ('y = f("words of a message")', set()),
        ('y = "a|b|c"', {"y = 'b|c'", "y = 'a|c'", "y = 'a|b'"}),
        ("y = a if b else c", {"y = a if (not b) else c"}),
        ("y = [a for a in b if a]", {"y = [a for a in b if (not a)]"}),
        ("x.y = z", {"pass"}),
        ("x[y] = z", {"pass"}),
        ("y = z", set()),
        ("if a:\n    b", {"if (not a):"}),
        ('if __name__ == "__main__":\n    f(1)', set()),
        ("for a in b:\n    continue", {"pass"}),
        ('y = re.compile("a|b")', {"y = re.compile('b')", "y = re.compile('a')"}),
        ('y = re.escape(rf"{a}+$")', {"y = re.escape((f'{a}$'))", "y = re.escape((f'{a}+'))"}),
    ],
)  # fmt: skip
def test_what_is_changed_in_code_about_text(line, expected, tmp_path):
    assert changes(tmp_path, line) == expected


@pytest.mark.parametrize(
    ("pattern", "expected"),
    [
        ("ab", set()),
        ("a|b|c", {"b|c", "a|c", "a|b"}),
        ("(?:a|b)c", {"(?:b)c", "(?:a)c"}),
        ("(?<!a)b(?=c|d)", {"b(?=c|d)", "(?<!a)b", "(?<!a)b(?=d)", "(?<!a)b(?=c)"}),
        ("a+b*?c{2,}", {"ab*?c{2,}", "a+bc{2,}", "a+b*c{2,}", "a+b*?c"}),
        ("^a$", {"a$", "^a"}),
        (r"\ba\B", {r"a\B", r"\ba"}),
        (r"[^\]a-z-]", {r"[\]a-z-]", r"[^a-z-]", r"[^\]-]", r"[^\]a-z]"}),
        (r"\(\|\[+", {r"\(\|\["}),
    ],
)
def test_what_is_changed_in_a_regular_expression(pattern, expected):
    assert set(regex_mutants(pattern)) == expected


def test_a_test_may_have_fixtures_of_files_and_of_its_own(tmp_path):
    module = tmp_path / "book" / "toy.py"
    module.parent.mkdir()
    module.write_text("PATH = 1\n\ndef read():\n    return PATH.read_text()\n")
    tests = tmp_path / "test_toy.py"
    tests.write_text("""
import pytest
from book import toy

@pytest.fixture
def path(tmp_path, monkeypatch):
    monkeypatch.setattr(toy, "PATH", tmp_path / "x")
    yield tmp_path / "x"
    assert toy.read() == "written"

@pytest.fixture
def written(path):
    path.write_text("written")

@pytest.mark.parametrize("end", ["n", ""])
def test_toy(end, written, path):
    assert path.exists() and toy.read().endswith(end)
""")
    runner = Runner(module, [tests])
    assert runner.first_failure(module.read_text()) is None
    assert runner.first_failure("PATH = 1\n\ndef read():\n    return 'x'\n").startswith("test_toy: AssertionError")
    tests.write_text("def test_toy(other):\n    pass\n")
    assert "the fixture other is not to be had here" in Runner(module, [tests]).first_failure("")
