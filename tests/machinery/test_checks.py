"""Every check of book/checks.py, tried on a little book with one thing broken."""

from __future__ import annotations

import subprocess
import sys
from pathlib import Path

import pytest

from book.checks import CHECKS, Problem, check_pages
from book.pages import Book
from tests.machinery.little_book import LITTLE_BOOK, copy_machinery

KO, EN, MD, PY = "docs/ko/page.md", "docs/en/page.md", "snippets/part/doubling.md", "snippets/part/doubling.py"
FENCE = '```python\n--8<-- "part/doubling.py:double"\n```'
EXAMPLE = '--8<-- "part/doubling.md:three"'
NOTE = "[^why]: By"
FIGURE = "![A line through the origin](assets/figures/part/doubled.svg)"

# check, file, what stands there, what is put there instead ("" for neither: the file is removed),
# where the problem is reported (a file, and text of its line), and part of what is said
BROKEN = [
    ("unread_forms", EN, NOTE, "$$x^2$$\n\n" + NOTE, (EN, "$$x^2"), "between two lines that hold $$"),
    ("unread_forms", EN, NOTE, "> ```python\n> print(1)\n> ```\n\n" + NOTE, (EN, "> ```python"), "start a fence"),
    ("unread_forms", EN, NOTE, "- ```python\n  print(1)\n\n" + NOTE, (EN, "- ```python"), "start a fence"),
    ("unread_forms", EN, NOTE, "    print(1)\n\n" + NOTE, (EN, "    print(1)"), "takes this for code"),
    ("unread_forms", EN, EXAMPLE, '-8<- "part/doubling.md:three"', (EN, "-8<- "), "write an include as"),
    ("unread_forms", EN, EXAMPLE, "--8<-- 'part/doubling.md:three'", (EN, "--8<-- '"), "write an include as"),
    ("unread_forms", EN, "## A sum {#sum}", "A sum\n-----", (EN, "-----"), "write a heading as"),
    ("unread_forms", EN, NOTE, "[a]: page.md\n\n" + NOTE, (EN, "[a]: "), "address into the link itself"),
    ("unread_forms", EN, "A line through", "A [long] line through", (EN, "[long]"), "no brackets in an alternative"),
    ("unread_forms", EN, "| 2 | 4 |", "| 2 |", (EN, 39), "this row has 1 cells and the first one 2"),
    (
        "unread_forms",
        EN,
        "| Number | Twice |\n|---|---|",
        "Number | Twice\n---|---",
        (EN, "---|---"),
        "start every row",
    ),
    ("unread_forms", EN, NOTE, "```text\n\n" + NOTE, (EN, "```text"), "this fence never ends"),
    ("unread_forms", EN, "always}\n$$", "always}", (EN, "$$"), "this formula never ends"),
    ("unread_forms", EN, "///\n////", "///", (EN, "//// exercise"), "this block never ends: add a line ////"),
    ("unread_forms", EN, "$4x$.\n///\n////", "$4x$.\n////\n///", (EN, 46), "the last one open is /// solution"),
    ("unread_forms", EN, "title: Twice", "title: [Twice", (EN, "description"), "the front matter is not YAML"),
    ("unread_forms", EN, "exercise.\n---\n", "exercise.\n", (EN, "---"), "the front matter never ends"),
    ("both_languages", EN, "", "", (KO, "---"), "write docs/en/page.md"),
    ("both_languages", KO, "", "", (EN, "---"), "write docs/ko/page.md"),
    ("both_languages", "mkdocs.yml", "page.md, ", "", (KO, "---"), "add page.md to `nav`"),
    (
        "both_languages",
        "mkdocs.yml",
        "labs/lab.md]",
        "labs/lab.md, more.md]",
        ("mkdocs.yml", "nav"),
        "names more.md, which does not",
    ),
    ("unwritten", EN, NOTE, "TODO Say why.\n\n" + NOTE, (EN, "TODO"), "still to be written: do what TODO asks for"),
    ("unwritten", KO, "수 $x$", "TODO 수 $x$", (KO, "TODO"), "still to be written"),
    ("unwritten", PY, "double", "TODO double", (PY, "TODO"), "still to be written, and in line"),
    ("front_matter", EN, "title: Twice\n", "", (EN, "---"), "has no title"),
    (
        "front_matter",
        KO,
        "description: 벡터를 두 배로 만들고 그림을 그리는 페이지입니다.\n",
        "",
        (KO, "---"),
        "has no description",
    ),
    (
        "front_matter",
        EN,
        "A page that doubles a vector, with two figures and an exercise.",
        "Short.",
        (EN, "---"),
        "6 char",
    ),
    ("front_matter", EN, "title: Twice", "title: A little book", (EN, "---"), "has the title of index.md"),
    ("headings", EN, "# Twice {#double}\n", "", (EN, "## A sum"), "exactly the first heading"),
    ("headings", EN, "## A sum", "# A sum", (EN, "# A sum"), "exactly the first heading"),
    ("headings", EN, "## A sum", "### A sum", (EN, "### A sum"), "leave none out"),
    ("headings", KO, "## 더하기 {#sum}", "## 더하기", (KO, "## 더하기"), "needs an id"),
    ("headings", KO, "## 더하기 {#sum}", "## 더하기 {#더하기}", (KO, "## 더하기"), "needs an id in plain letters"),
    ("headings", EN, "## A sum {#sum}", "## A sum {#double}", (EN, "## A sum"), "already stands in line 5"),
    ("typed_code", EN, FENCE, "```python\nprint(2)\n```", (EN, "print(2)"), "Python is typed into a page"),
    ("typed_code", EN, FENCE, '```py title="x"\nprint(2)\n```', (EN, "print(2)"), "Python is typed into a page"),
    ("typed_code", EN, FENCE, "~~~ {.python}\nprint(2)\n~~~", (EN, "print(2)"), "Python is typed into a page"),
    ("typed_code", EN, FENCE, "    ```python\n    print(2)\n    ```", (EN, "print(2)"), "Python is typed into a page"),
    ("typed_code", EN, "```python\n", '```python title="x"\n', (EN, "```python"), "without options"),
    ("typed_code", EN, FENCE, "```\nprint(2)\n```", (EN, "```"), "say what this fence holds"),
    ("typed_code", EN, FENCE, "```numpy\nprint(2)\n```", (EN, "print(2)"), "Python is typed into a page"),
    ("includes", EN, ".py:double", ".py:treble", (EN, ":treble"), "has no section 'treble': it has double"),
    ("includes", EN, '"part/doubling.py:double"', '"part/doubling.py"', (EN, '"part/doubling.py"'), "has no section"),
    (
        "includes",
        KO,
        "part/doubling.md:three",
        "part/trebling.md:three",
        (KO, "trebling"),
        "did you mean part/doubling.md",
    ),
    (
        "includes",
        EN,
        FENCE,
        '--8<-- "part/doubling.py:double"',
        (EN, "doubling.py"),
        "put the include into a ```python fence",
    ),
    ("includes", EN, EXAMPLE, f"```python\n{EXAMPLE}\n```", (EN, "doubling.md"), "take it out of this one"),
    ("includes", EN, FENCE, '```text\n--8<-- "part/doubling.py:gone"\n```', (EN, ":gone"), "has no section 'gone'"),
    ("markers", MD, "<!-- --8<-- [end:three] -->\n", "", (MD, "[start:three]"), "never ends"),
    ("markers", PY, "# --8<-- [start:double]\n", "", (PY, "[end:double]"), "did not start"),
    ("markers", MD, "[start:three]", "[start:four]", (MD, "[end:three]"), "did not start"),
    ("markers", MD, "print(double(3))\n", "# --8<-- [start:inner]\n", (MD, "[start:inner]"), "inside three"),
    ("markers", MD, "three]", "step_1]", (MD, "[start:step_1]"), "say what it computes"),
    (
        "markers",
        PY,
        "# --8<-- [end:double]\n",
        "# --8<-- [end:double]\n# --8<-- [start:double]\n# --8<-- [end:double]\n",
        (PY, 11),
        "already starts in line 4",
    ),
    ("worked_examples", MD, "```python", "```py", (MD, "```py"), "only plain ```python and ```text"),
    ("worked_examples", MD, "```python", "```{.python}", (MD, "```{.python}"), "only plain ```python and ```text"),
    ("worked_examples", MD, "```python", "~~~python", (MD, "~~~python"), "only plain ```python and ```text"),
    ("worked_examples", MD, "<!--pytest-codeblocks:expected-output-->\n", "", (MD, "```text"), "would not be compared"),
    ("worked_examples", MD, "print", "<!--pytest.mark.skip-->\nprint", (MD, "<!--pytest.mark.skip"), "as it stands"),
    (
        "worked_examples",
        MD,
        "<!--pytest-codeblocks:exp",
        "<!--pytest.mark.xfail-->\n\n<!--pytest-codeblocks:exp",
        (MD, "<!--pytest.mark.xfail"),
        "right above the ```python fence that raises",
    ),
    (
        "worked_examples",
        "snippets/labs/lab.md",
        "```python",
        "<!--pytest.mark.xfail-->\n\n```python",
        ("snippets/labs/lab.md", "<!--pytest.mark.xfail"),
        "remove this marker",
    ),
    (
        "worked_examples",
        MD,
        "```python",
        "<!--pytest-codeblocks:skip-->\n```python",
        (MD, "skip"),
        "remove this marker",
    ),
    (
        "worked_examples",
        MD,
        "# Worked examples: doubling\n",
        "# Doubling\n\nSome words.\n",
        (MD, "Some"),
        "in no section",
    ),
    ("worked_examples", MD, "```python", "Some words.\n\n```python", (MD, "Some words"), "prose belongs on the pages"),
    (
        "code_width",
        PY,
        '"""Twice ``x``."""',
        '"""' + 80 * "x" + '"""',
        (PY, "xxx"),
        "wider than a page: break the line at 84",
    ),
    (
        "everything_is_shown",
        KO,
        EXAMPLE,
        "",
        (MD, "[start:three]"),
        'no page in docs/ko shows this: include "part/doubling.md:three"',
    ),
    ("everything_is_shown", EN, FENCE, "", (PY, "[start:double]"), "no page in docs/en shows this"),
    (
        "everything_is_shown",
        EN,
        FIGURE,
        "",
        ("snippets/figures/part/doubled.py", 1),
        "no page in docs/en shows this figure",
    ),
    ("everything_is_shown", PY, "# --8<-- [", "# [", (PY, 1), "has no section, so no page can show it"),
    (
        "everything_is_shown",
        EN,
        EXAMPLE,
        f"```markdown\n{EXAMPLE}\n```",  # shown, but not run
        (MD, "[start:three]"),
        "no page in docs/en shows this",
    ),
    (
        "figures",
        EN,
        "figures/part/plain.svg",
        "figures/part/fancy.svg",
        (EN, "fancy"),
        "no snippets/figures/part/fancy.py",
    ),
    (
        "figures",
        EN,
        "/// figure-caption\nTwice.\n///\n",
        "",
        (EN, "doubled.svg"),
        "figure part/doubled needs a caption",
    ),
    ("alternative_texts", EN, "A line through the origin", "", (EN, "doubled.svg"), "needs an alternative text"),
    (
        "alternative_texts",
        KO,
        "원점을 지나서 올라가는 가파른 직선",
        "직선",
        (KO, "doubled.svg"),
        "needs an alternative text",
    ),
    (
        "alternative_texts",
        KO,
        "원점을 지나서 올라가는 가파른 직선",
        "A line through the origin",
        (KO, "doubled"),
        "in Korean",
    ),
    (
        "other_hosts",
        EN,
        "(assets/figures/part/plain.svg)",
        "(https://host.example/a.png)",
        (EN, "host"),
        "would be loaded from",
    ),
    (
        "other_hosts",
        EN,
        "(assets/figures/part/plain.svg)",
        "(//host.example/a.png)",
        (EN, "host"),
        "would be loaded from",
    ),
    (
        "other_hosts",
        EN,
        "Twice the",
        '<script src="x.js"></script>\nTwice the',
        (EN, "<script"),
        "<script> does not belong",
    ),
    ("other_hosts", KO, "수 $x$", '<iframe src="x"></iframe>\n수 $x$', (KO, "<iframe"), "<iframe> does not belong"),
    (
        "other_hosts",
        EN,
        "Twice the",
        '<p style="background: url(//host.example/a.png)">Twice the</p>',
        (EN, "<p style"),
        "the style would be loaded from //host.example/a.png",
    ),
    ("wording", KO, "벡터(vector)도", "벡터(vector)와 벡타도", (KO, "벡타"), "the book says 벡터"),
    ("wording", KO, "완만한 직선 하나", "완만한 벡타 하나", (KO, "완만한"), "the book says 벡터"),
    ("wording", KO, "description: 벡터를", "description: 벡타를", (KO, "---"), "the book says 벡터"),
    ("first_uses", KO, "벡터(vector)도", "벡터도", (KO, "벡터도"), "write 벡터(vector)"),
    ("first_uses", KO, "수 $x$의", "벡터 $x$의", (KO, "벡터 $x$"), "write 벡터(vector)"),
    (
        "languages",
        KO,
        "벡터(vector)도 마찬가지입니다.",
        "This holds for a 벡터(vector) too. " * 9,
        (KO, "---"),
        "in Korean",
    ),
    ("languages", EN, "The same holds for a vector.", "벡터도 마찬가지입니다. " * 3, (EN, "---"), "in English"),
    ("same_structure", EN, "{#sum}", "{#total}", (KO, "{#sum}"), "docs/en/page.md:27 heading ## {#total}"),
    ("same_structure", EN, "## A sum", "### A sum", (KO, "{#sum}"), "heading ### {#sum}"),
    ("same_structure", EN, "2x = x + x", "2x = x - x", (KO, 32), "docs/en/page.md:32 formula 2x=x-x"),
    (
        "same_structure",
        EN,
        EXAMPLE,
        "",
        (KO, EXAMPLE),
        "include part/doubling.md:three, but in docs/en/page.md:15 image",
    ),
    (
        "same_structure",
        EN,
        FENCE + "\n\n" + EXAMPLE,
        EXAMPLE + "\n\n" + FENCE,
        (KO, "doubling.py"),
        "in the same order",
    ),
    (
        "same_structure",
        KO,
        "figures/part/plain.svg",
        "figures/part/doubled.svg",
        (KO, 21),
        "image assets/figures/part/doubled.svg",
    ),
    ("same_structure", EN, "| 2 | 4 |\n", "", (KO, "| 수 |"), "table 3 × 2, but in docs/en/page.md:36 table 2 × 2"),
    ("same_structure", EN, "| Number | Twice |", "| Number | Twice | |", (KO, "| 수 |"), "table 3 × 3"),
    ("same_structure", EN, "//// exercise |", "//// note |", (KO, "//// exercise"), "block //// note"),
    (
        "same_structure",
        EN,
        "/// solution | Solution\n$4x$.\n///\n",
        "$4x$.\n",
        (KO, "/// solution"),
        "end of block //// exer",
    ),
    (
        "same_structure",
        EN,
        "What is twice the double?\n\n/// solution | Solution\n$4x$.\n///\n////",
        "What is twice the double?\n////\n\n/// solution | Solution\n$4x$.\n///",
        (KO, "/// solution"),
        "end of block //// exercise",
    ),
    ("same_structure", EN, "[^why]: By the definition of a sum.\n", "", (KO, "[^why]: "), "nothing more"),
    (
        "same_details",
        EN,
        "$2x$",
        "$3x$",
        (KO, "# 두 배"),
        "section double has the formula 2x, which docs/en/page.md:5 lacks",
    ),
    ("same_details", EN, "$2x$", "$2x$ or $3x$", (EN, "# Twice"), "has the formula 3x, which docs/ko/page.md:5 lacks"),
    (
        "same_details",
        "docs/en/index.md",
        "page.md#double",
        "page.md#sum",
        ("docs/ko/index.md", "# 작은"),
        "link page.md#double",
    ),
    ("same_details", EN, "$x + x$.[^why]", "$x + x$.", (KO, "## 더하기"), "has the footnote why"),
    (
        "links",
        "docs/en/index.md",
        "page.md#",
        "missing.md#",
        ("docs/en/index.md", "missing"),
        "leads to no page in docs/en",
    ),
    (
        "links",
        "docs/en/index.md",
        "#double",
        "#triple",
        ("docs/en/index.md", "triple"),
        "no anchor #triple: it has double, sum",
    ),
    ("links", "docs/en/index.md", "page.md#", "/page.md#", ("docs/en/index.md", "/page.md"), "leads to no page"),
    (
        "links",
        "docs/en/index.md",
        "page.md#",
        "../ko/page.md#",
        ("docs/en/index.md", "ko/"),
        "leads to no page in docs/en",
    ),
    ("footnotes", EN, "[^why]: By the definition of a sum.\n", "", (EN, "[^why]"), "there is no footnote why"),
    ("footnotes", EN, "$x + x$.[^why]", "$x + x$.", (EN, "[^why]: "), "nothing refers to the footnote why"),
]


@pytest.fixture
def book(tmp_path) -> Path:
    for name, text in {
        **LITTLE_BOOK,
        "mkdocs.yml": "nav: [index.md, page.md, labs/lab.md]\nsite: !ENV [X, y]\n",
    }.items():
        (tmp_path / name).parent.mkdir(parents=True, exist_ok=True)
        (tmp_path / name).write_text(text, encoding="utf-8")
    return tmp_path


def test_the_little_book_is_sound(book):
    assert check_pages(book) == []


def where(book: Path, file: str, line: str | int) -> int:
    if isinstance(line, int):
        return line
    return next(
        number for number, text in enumerate((book / file).read_text(encoding="utf-8").splitlines(), 1) if line in text
    )


@pytest.mark.parametrize(("check", "file", "old", "new", "place", "said"), BROKEN)
def test_a_broken_book_is_complained_about(book, check, file, old, new, place, said):
    text = (book / file).read_text(encoding="utf-8")
    if old:
        assert old in text
        (book / file).write_text(text.replace(old, new), encoding="utf-8")
    else:
        (book / file).unlink()
    function = next(function for function in CHECKS if function.__name__ == check)
    found = [problem for problem in check_pages(book) if said in problem.message]
    assert found, f"{check} finds nothing; found: {list(map(str, check_pages(book)))}"
    assert (found[0].path.as_posix(), found[0].line) == (place[0], where(book, *place))
    assert any(said in problem.message for problem in function(Book.read(book))), f"another check than {check} found it"


def test_every_check_has_an_example_that_breaks_it():
    assert {function.__name__ for function in CHECKS} == {check for check, *_ in BROKEN}


@pytest.mark.parametrize(
    ("file", "old", "new"),
    [
        (EN, "$2x$", "$2 x$"),  # spaces mean nothing in a formula
        (KO, "수 $x$의 두 배는 $2x$입니다.", "$2x$는 수 $x$의 두 배입니다."),  # Korean has another word order
        (EN, FENCE, FENCE + "\n\n```text\nprint(2)\n```"),  # not Python
        (KO, "벡터(vector)도", "벡터(vector)는 “벡타”가 아니고, `벡타`도"),  # quoted wordings are not used
        (KO, "벡터(vector)도", "**벡터**(vectors)도"),
        (EN, "The same holds", "- One.\n\n    Still one: `$$`, `](`.\n\nThe same holds"),
        (EN, NOTE, "[^why]: Twice.\n\n    By"),
    ],
    ids=["spaces", "word order", "text", "quoted", "plural", "list", "long footnote"],
)
def test_what_is_right_is_not_complained_about(book, file, old, new):
    text = (book / file).read_text(encoding="utf-8")
    (book / file).write_text(text.replace(old, new), encoding="utf-8")
    if "```text" in new:  # the same fence in both languages
        (book / KO).write_text((book / KO).read_text(encoding="utf-8").replace(old, new), encoding="utf-8")
    assert check_pages(book) == []


def replace(path: Path, old: str, new: str) -> None:
    text = path.read_text(encoding="utf-8")
    assert old in text
    path.write_text(text.replace(old, new), encoding="utf-8")


def test_less_than_in_a_formula_is_no_html(book):
    for name in (KO, EN):
        replace(book / name, "$2x$", "$2x$ ($i<j$, $i < j$)")
    assert check_pages(book) == []


def test_an_entry_of_the_glossary_can_be_linked_to(book):
    for language in ("ko", "en"):
        replace(book / "docs" / language / "index.md", "#double", "#term-vector")
    assert ["no anchor #term-vector" in problem.message for problem in check_pages(book)] == [True, True]
    for name in (KO, EN):
        replace(book / name, "[^why]: ", "<!-- glossary -->\n\n[^why]: ")
    assert check_pages(book) == []
    for language in ("ko", "en"):
        replace(book / "docs" / language / "index.md", "#term-vector", "#term-gone")
    assert ["no anchor #term-gone" in problem.message for problem in check_pages(book)] == [True, True]


def test_front_matter_without_fields_is_a_problem(book):
    page = book / EN
    page.write_text("---\nwords\n---\n" + page.read_text(encoding="utf-8").split("---\n", 2)[2], encoding="utf-8")
    assert f"{EN}:1: the front matter needs lines `title: …` and `description: …`" in map(str, check_pages(book))


def test_a_problem_is_printed_with_file_and_line():
    assert str(Problem(Path("docs/ko/page.md"), 7, "say what to do")) == "docs/ko/page.md:7: say what to do"


def test_the_command_prints_the_problems_and_fails(book):
    copy_machinery(book)

    def run():
        return subprocess.run([sys.executable, "-m", "book.checks"], cwd=book, capture_output=True, text=True)

    assert run().returncode == 0
    (book / EN).unlink()
    failed = run()
    assert failed.returncode == 1
    assert "docs/ko/page.md:1: has no counterpart: write docs/en/page.md" in failed.stdout
