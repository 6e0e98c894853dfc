"""Where the rules of book/checks begin and end: what is just allowed, and what is just refused."""

from __future__ import annotations

import io
from contextlib import redirect_stdout
from pathlib import Path

import pytest

from book.checks import __main__ as command
from book.checks import readable
from book.checks.every import CHECKS, Problem, check_pages
from book.source.pages import Book
from tests.machinery import little_book
from tests.machinery.little_book import LITTLE_BOOK

HOME = "docs/en/index.md"
KO, EN, MD, PY = "docs/ko/page.md", "docs/en/page.md", "snippets/part/doubling.md", "snippets/part/doubling.py"
FENCE = '```python\n--8<-- "part/doubling.py:double"\n```'
EXAMPLE = '--8<-- "part/doubling.md:three"'
NOTE = "[^why]: "
SOLUTION = "/// solution | Solution\n$4x$.\n///"
FIGURE = "snippets/figures/part/plain.py"
RAISES_MARK = "<!--pytest.mark.xfail-->"
WORDS, NAME = 99 * "A word ", "a-name-of-some-length"


@pytest.fixture
def book(tmp_path) -> Path:
    little_book.write(tmp_path)
    return tmp_path


def replace(book: Path, file: str, old: str, new: str) -> None:
    text = (book / file).read_text(encoding="utf-8")
    assert old in text, f"{file} has no {old}"
    (book / file).write_text(text.replace(old, new), encoding="utf-8")


def found(book: Path, check: str) -> list[Problem]:
    (function,) = (function for function in CHECKS if function.__name__ == check)
    return list(function(Book.read(book)))


def said(book: Path, check: str) -> list[tuple[int, str]]:
    return [(problem.line, problem.message) for problem in found(book, check)]


# check, file, what stands there, what is put there instead, part of what is said or None if nothing is
EDGES = [
    ("on_the_map", EN, "title: ", "map: attention\ntitle: ", "and docs/ko/page.md has nothing: write the same"),
    ("on_the_map", KO, "title: ", "map: attention\ntitle: ", "and docs/en/page.md has nothing: write the same"),
    ("on_the_map", EN, "title: ", "map: atention\ntitle: ", "not on the map; did you mean attention?"),
    ("on_the_map", EN, "description: ", "maps: attention\ndescription: ", None),
    *(
        ("typed_code", EN, FENCE, f"```{language}\nprint(2)\n```", "Python is typed into a page")
        for language in (
            *("py2", "python2", "py3", "python3", "pycon", "python-console", "ipython", "ipython3"),
            *("pyi", "numpy", "sage", "doctest", "Python", "PY"),
        )
    ),
    ("typed_code", EN, FENCE, "```sh\nprint(2)\n```", None),
    ("typed_code", EN, "```python\n", "```python\n\n", None),
    ("typed_code", EN, FENCE, FENCE.replace("```", "~~~"), "not indented and without options"),
    ("typed_code", EN, FENCE, FENCE.replace("```", "  ```"), "not indented and without options"),
    ("typed_code", EN, FENCE, "```markdown\nprint(2)\n```", "this is typed into a page"),
    ("typed_code", EN, FENCE, "  ```sh\n  print(2)\n  ```", "write this fence as ```sh, not indented"),
    ("typed_code", EN, FENCE, "```sh title=x\nprint(2)\n```", "write this fence as ```sh, not indented"),
    ("typed_code", EN, FENCE, "```text\nprint(2)\n```", "only ```sh is typed here"),
    *(
        ("front_matter", EN, "title: Twice\n", f"title: Twice {sign} Once\n", f"has {sign} in its title")
        for sign in ("<", ">", '"')
    ),
    ("front_matter", EN, "# Twice {", "# Two {", "the heading is not the title, Twice"),
    ("front_matter", EN, "# Twice {", "# *Tw*`ice` {", None),
    ("front_matter", EN, "# Twice {", "# Twice $x$ {", None),
    ("front_matter", EN, "# Twice {", "## Two {", None),
    ("unwritten", EN, "Twice the", "TODOS, aTODO Twice the", None),
    ("unwritten", EN, "Twice the", "TODO\nTODO\nTODO Twice the", "still to be written, and in lines 8, 9: do"),
    ("nothing_empty", EN, "## A sum", "## None {#none}\n\n## A sum", "nothing stands below this heading"),
    ("nothing_empty", EN, "## A sum", "## One {#one}\n\n### None {#none}\n\n## A sum", "nothing stands below"),
    ("nothing_empty", EN, "## A sum", "## One {#one}\n\n### Two {#two}\n\nWords.\n\n## A sum", None),
    ("nothing_empty", EN, "[^why]: By the definition of a sum.", "## Last {#last}", "nothing stands below"),
    *(
        ("nothing_empty", EN, "## A sum", f"## Some {{#some}}\n\n{content}\n\n## A sum", None)
        for content in (FENCE, EXAMPLE, "```sh\nls\n```", "$$\nx\n$$", "$x$", "- `x`", "| a |\n|---|")
    ),
    ("nothing_empty", EN, "Twice.\n///", "\n///", "this figure-caption is empty"),
    ("nothing_empty", EN, f"What is twice the double?\n\n{SOLUTION}", "", "this exercise is empty"),
    ("nothing_empty", EN, SOLUTION, "", "this exercise has no solution"),
    ("nothing_empty", EN, "Solution\n$4x$.", "Solution", "this solution is empty"),
    ("nothing_empty", EN, "Solution\n$4x$.", "Solution\n…", "this solution is empty"),
    ("nothing_empty", EN, "Solution\n$4x$.", "Solution\n…\n...\nYes.", None),
    ("nothing_empty", EN, "/// solution", "/// note", "this exercise has no solution"),
    ("definitions", PY, "# --8<-- [end:double]\n", "# --8<-- [end:double]\nA = 1\n", "no reader sees this"),
    ("definitions", PY, "# --8<-- [end:double]\n", '# --8<-- [end:double]\n"""Words."""\n', "no reader sees this"),
    ("definitions", PY, "def double", "def (", "this is not Python: invalid syntax"),
    ("definitions", PY, '"""Twice as much."""\n', "import math\n", "no reader sees this"),
    ("definitions", PY, '"""Twice as much."""\n', "math.pi\n", "no reader sees this"),
    ("definitions", PY, '"""Twice as much."""\n', "1 + 1\n", "no reader sees this"),
    ("definitions", PY, '"""Twice as much."""\n', "# Words.\n", None),
    ("definitions", PY, "    return 2", "# --8<-- [end:double]\n    return 2", "no reader sees"),
    ("definitions", PY, "def double", "# --8<-- [end:double]\nA = 1\n# --8<-- [start:b]\ndef double", "no reader"),
    ("definitions", PY, "[end:double]", "[end:double]\n# --8<-- [start:b]\nB = 1\n# --8<-- [end:b]", None),
    ("headings", EN, "{#sum}", "{#sum-2-x}", None),
    ("headings", EN, "{#sum}", "{#2}", None),
    ("headings", EN, "{#sum}", "{#sum-}", "needs an id in plain letters"),
    ("headings", EN, "{#sum}", "{#-sum}", "needs an id in plain letters"),
    ("headings", EN, "{#sum}", "{#a--b}", "needs an id in plain letters"),
    ("headings", EN, "{#sum}", "{#Sum}", "needs an id in plain letters"),
    ("headings", EN, "{#sum}", "{#a-long-name}", None),
    ("headings", EN, "## A sum", "## One {#one}\n\n### Two {#two}\n\n## A sum", None),
    ("includes", EN, ":double", ":dubble", "has no section 'dubble'; did you mean double?"),
    ("includes", EN, FENCE, f"```text\n{EXAMPLE}\n```", None),
    ("includes", EN, FENCE, FENCE.replace("python", "markdown"), None),
    ("includes", EN, FENCE, '```python\n--8<-- "tools/fold.py:fold"\n```', None),
    ("markers", MD, "three]", "three-times2]", None),
    ("markers", MD, "three]", "r2d2]", None),
    ("markers", MD, "three]", "2nd]", "say what it computes"),
    ("markers", MD, "three]", "three-]", "say what it computes"),
    ("markers", PY, "double]", "Double_it]", None),
    ("markers", "snippets/tools/fold.py", "# --8<-- [end:fold]\n", "", "section fold never ends"),
    ("worked_examples", MD, "```python", "  ```python", "only plain ```python and ```text"),
    ("worked_examples", MD, "output-->\n\n", "output-->\n", None),
    ("worked_examples", MD, "6\n```\n", "6\n```\n\n    deep\n", "Markdown takes this for code"),
    ("worked_examples", MD, "# Worked", "```text\n6\n```\n\n# Worked", "this stands in no section"),
    ("worked_examples", MD, "print(double(3))", RAISES_MARK, None),
    ("worked_examples", MD, "```python\n", f"{RAISES_MARK}\n\n```python\n", None),
    ("worked_examples", MD, "```python\n", f"{RAISES_MARK}\n```python\n", None),
    ("worked_examples", MD, "# Worked", f"{RAISES_MARK}\n# Worked", "remove this marker"),
    ("worked_examples", MD, "6\n```\n", f"6\n```\n{RAISES_MARK}\n", "right above the ```python fence"),
    ("worked_examples", MD, "<!-- --8<-- [end:three] -->", RAISES_MARK, "right above the ```python"),
    *(
        ("worked_examples", MD, "```python\n", f"<!--{gap}pytest.mark.skip-->\n```python\n", "remove this marker")
        for gap in ("", " ", "  ", "-", "- -")
    ),
    ("worked_examples", MD, "# Worked", "#Worked", "this stands in no section"),
    ("worked_examples", MD, "<!-- --8<-- [start:three]", "<!-- needs model -->\n\n<!-- --8<-- [start:three]", None),
    ("worked_examples", MD, "[end:three] -->\n", "[end:three] -->\n\n<!-- needs model -->\n", "stands in no section"),
    ("code_width", "snippets/tools/fold.py", "    return x + x", 85 * "x", "85 columns"),
    ("figures", EN, "part/plain.svg)", "part/fancy.svg.png)", None),
    ("figures", EN, "/// figure-caption\nOnce", "\n\n/// figure-caption\nOnce", None),
    ("figures", EN, "/// figure-caption\nOnce", "So:\n\n/// figure-caption\nOnce", "part/plain needs a caption"),
    ("figures", EN, "/// figure-caption\nOnce", "// figure-caption\nOnce", "part/plain needs a caption"),
    *(
        ("labels", FIGURE, "ax.set_xlabel(text)", f'ax.{call}', "'a word' is a label: put it into TEXT")
        for call in (
            *('text(0, 0, "a word")', 'annotate("a word", (0, 1))', 'set_title("a word")', 'suptitle("a word")'),
            *('set_xlabel("a word")', 'set_ylabel("a word")', 'set_label("a word")', 'plot([0], [1], label="a word")'),
            *('set(title="a word")', 'set(xlabel="a word")', 'set(ylabel="a word")', 'set_title("a word", "b")'),
        )
    ),
    *(
        ("labels", FIGURE, "ax.set_xlabel(text)", f"ax.{call}", None)
        for call in (
            *('text("a word", 0, text)', 'set_title(text, "a word")', 'set(color="a word")', 'legend("a word")'),
            *('text(0, 0, f"{x:.2f} d_k x1 Q K")', 'text(0, 0, 5)', 'set_label("_nolegend_")', 'set_label("a b c")'),
            *("plot([0, 1, x])", "plot([0, 1])", "plot((0, -x, 2))", "set_xticks([0, 1, 2])", 'text(0, 0, "a_b")'),
        )
    ),
    ("labels", FIGURE, "ax.set_xlabel(text)", 'ax.set_title("h2o 25")', "'h2o 25' holds a number: compute it"),
    ("labels", FIGURE, "ax.set_xlabel(text)", 'ax.set_title("25")', "holds a number"),
    ("labels", FIGURE, "ax.set_xlabel(text)", 'ax.set_title("_a word 5")', "holds a number"),
    *(
        ("labels", FIGURE, "ax.set_xlabel(text)", f"ax.{call}({numbers})", "these numbers are typed in")
        for call in (
            *("plot", "bar", "barh", "scatter", "imshow", "fill_between", "errorbar", "hist", "step", "stem", "cells"),
        )
        for numbers in ("[0, 1, -2.5]", "x, (0, 1, 2, 3)")
    ),
    ("labels", FIGURE, "def draw", "x = 1\ndef (", "this is not Python: invalid syntax"),
    ("code_width", PY, '    """Twice ``x``."""', 84 * "x", None),
    ("code_width", PY, '    """Twice ``x``."""', 85 * "x", "85 columns are wider than a page: break the line at 84"),
    ("figures", EN, "/// figure-caption\nTwice", "///figure-caption\nTwice", None),
    ("figures", EN, "/// figure-caption\nTwice", "////  figure-caption\nTwice", None),
    ("figures", EN, "part/plain.svg", "part/a-line.svg", "no snippets/figures/part/a-line.py"),
    ("figures", EN, "part/plain.svg", "part/plains.svg", "did you mean part/plain?"),
    ("figures", EN, "(assets/figures/part/plain.svg)", "(assets/figures/part/plain.svg.png)", None),
    ("alternative_texts", EN, "A line with half that slope", "Exactly fifteen", None),
    ("alternative_texts", EN, "A line with half that slope", " Only fourteen! ", "needs an alternative text"),
    ("alternative_texts", EN, "![A line through", f"![{NAME}]({NAME}.png) ![A line through", f"{NAME}.png needs"),
    *(
        ("html", HOME, "The [next", f"{start}The [next{end}", None)
        for start, end in [
            ("<div>", "</div>"),
            ('<p class="a b-c d_e" markdown>', "</p>"),
            ("<div markdown><p>", "</p></div>"),
            ("`<script>` $a <b$ 1 < 2 ", ""),
            ("{ .a-b #c } {.d}", ""),
        ]
    ),
    *(
        ("html", HOME, "The [next", f"{tag}The [next", f"{tag} does not belong on a page")
        for tag in ("<DIV>", "<SCRIPT>", "<my-tag>", "<pt>", "<br>", "<div id='a'>", '<p class="a" hidden>', "<pre>")
    ),
    *(
        ("html", EN, "Twice the", f"{tag}Twice the", f"{tag} does not belong on a page")
        for tag in ("<div>", "</div>", "<p>", '<p class="a">')
    ),
    ("html", HOME, "The [next", "</p>The [next", "</p> closes nothing"),
    ("html", HOME, "The [next", "<div></p></div>The [next", "</p> closes nothing"),
    ("html", HOME, "The [next", "<p></p></p>The [next", "</p> closes nothing"),
    ("html", HOME, "The [next", "<p><div></div>The [next", "<p> is never closed: add </p>"),
    ("html", HOME, "The [next", "<div>\n<!-- a -->\n</div>The [next", "no reader sees a comment"),
    *(
        ("html", EN, "Twice the", f"**a**{braces} Twice the", f"{braces} is no id and no class")
        for braces in ("{ style=url(//h.example/a) }", "{a}", "{}", "{ .a style=b }", "{ a.b }", "{ .a; }")
    ),
    *(
        ("html", EN, "(assets/figures/part/plain.svg)", f"({address})", f"loaded from {address}: ")
        for address in ("//h.example/a.png", "http://h.example/a.png", "data:image/png", "ftp://h")
    ),
    ("html", EN, "(assets/figures/part/plain.svg)", "(a//b.png)", None),
    ("html", EN, "(assets/figures/part/plain.svg)", "(a/b:c.png)", None),
    ("wording", KO, "벡터(vector)도", "“벡타”와 “가벡” 벡터(vector)도", None),
    ("wording", KO, "벡터(vector)도", "“가”벡타 벡터(vector)도", "the book says 벡터"),
    ("wording", KO, "벡터(vector)도", "큰벡타는 벡터(vector)도", None),
    ("first_uses", KO, "벡터(vector)도 마찬가지", "벡터(vectors)와 벡터도 마찬가지", None),
    ("first_uses", KO, "벡터(vector)도", "_벡터_(Vector)도", None),
    ("first_uses", KO, "벡터(vector)도", "벡터(matrix)도", "write 벡터(vector)"),
    ("first_uses", KO, "수 $x$의", "[벡터](page.md#sum), `벡터`, $\\text{벡터}$의 수 $x$와 \\$1, 값$x$의", None),
    ("first_uses", KO, "수 $x$의", "[벡터 [a]](page.md#sum)의 수 $x$의", None),
    ("first_uses", KO, "수 $x$의", "(벡터) [수](page.md) $x$의", "write 벡터(vector)"),
    ("first_uses", KO, "| 1 | 2 |", "| 1 | 벡터(vector) |", None),
    ("languages", KO, NOTE, f"- [{WORDS}](https://h.example)\n- [{WORDS}](http://h.example)\n\n{NOTE}", None),
    ("languages", KO, NOTE, NOTE + WORDS, None),
    ("languages", KO, NOTE, f"- {WORDS}\n\n{NOTE}", "in Korean"),
    ("links", EN, "Twice the", "[A](https://h.example) [b](index.md) Twice the", None),
    ("links", EN, "Twice the", "[A](#sum) [b](index.md) [c](index.md#home) Twice the", None),
    ("links", EN, "Twice the", "[A](#sun) Twice the", "#sun: page.md has no anchor #sun; did you mean sum?"),
    ("links", EN, "Twice the", "[A](../../snippets) Twice the", "leads to no page"),
]  # fmt: skip


@pytest.mark.parametrize("file", [PY, FIGURE])
def test_what_is_no_python_is_said_where_python_stops_and_nothing_else_is(book, file):
    write(book, file, "# --8<-- [start:double]\nx = 1\nax.set_title('a word')\ndef (\n# --8<-- [end:double]\n")
    problems = said(book, "definitions" if file == PY else "labels")
    assert [(line, message.partition(":")[0]) for line, message in problems] == [(4, "this is not Python")]


def test_sections_are_named_if_they_are_few(book):
    replace(book, EN, ":double", ":wrong")
    for count, listed in ((5, True), (6, False)):
        names = [f"part{i}" for i in range(count)]
        sections = "".join(f"# --8<-- [start:{name}]\nx = 1\n# --8<-- [end:{name}]\n" for name in reversed(names))
        write(book, PY, sections)
        message = next(message for _, message in said(book, "includes") if "wrong" in message)
        assert message.endswith(f": it has {', '.join(names)}" if listed else ": correct it"), message
    write(book, PY, "")
    assert "has no section 'wrong': it has none" in [m for _, m in said(book, "includes") if "wrong" in m][0]


def test_an_include_in_another_fence_may_be_of_either_kind_and_of_an_unknown_file_is_one_problem(book):
    replace(book, EN, EXAMPLE, '--8<-- "gone/doubling.md:three"')
    assert [message for _, message in said(book, "includes")] == [
        "there is no snippets/gone/doubling.md; did you mean part/doubling.md?"
    ]


def parts(
    book: Path, links: str, nav: str = "index.md, part-1/index.md, part-1/a.md, part-1/b.md, part-2/index.md"
) -> list:
    """What is said about the order of links in the index of a part with two pages."""
    write(book, "mkdocs.yml", f"nav: [{nav}]\n")
    for name in ("part-1/index.md", "part-1/a.md", "part-1/b.md", "part-2/index.md"):
        write(book, f"docs/en/{name}", f"# A {{#a}}\n\n{links}\n")
    replace(book, "docs/en/index.md", "The [", "[A](part-1/index.md) [b](part-2/index.md#a)\nThe [")
    problems = [p for p in found(book, "parts_name_their_pages") if "docs/en" in p.path.as_posix()]
    return [
        (problem.path.relative_to(book / "docs/en").as_posix(), problem.line, problem.message) for problem in problems
    ]


@pytest.mark.parametrize(
    ("links", "line", "message"),
    [
        ("[a](a.md), [b](b.md)", None, ""),
        ("[a](a.md#x)\n\n[out](../page.md)\n[b](../part-1/b.md)", None, ""),
        ("[b](b.md), [a](a.md), [b](b.md)", None, ""),
        ("[a](a.md)\n\nWords.", 3, "does not lead to part-1/b.md: add a link [title](b.md) below this line"),
        ("[b](b.md)", 1, "does not lead to part-1/a.md: add a link [title](a.md) below this line"),
        ("[b](b.md)\n[a](a.md)", 4, "part-1/b.md stands before this, and after it in `nav`: both have one order"),
    ],
)
def test_the_index_of_a_part_leads_to_its_pages_in_their_order(book, links, line, message):
    expected = [("part-1/index.md", line, message)] if line else []
    assert parts(book, links) == expected


def test_the_first_page_leads_to_the_parts(book):
    parts(book, "[a](a.md), [b](b.md)")
    replace(book, "docs/en/index.md", "[b](part-2/index.md#a)", "")
    (problem,) = (p for p in found(book, "parts_name_their_pages") if p.path == book / "docs/en/index.md")
    assert (
        problem.line == 7 and "does not lead to part-2/index.md: add a link [title](part-2/index.md)" in problem.message
    )


@pytest.fixture
def whole(book) -> Path:
    """With a tool, which is not taught."""
    path = book / "snippets" / "tools" / "fold.py"
    path.parent.mkdir(parents=True)
    path.write_text("# --8<-- [start:fold]\ndef fold(x):\n    return x + x\n# --8<-- [end:fold]\n", encoding="utf-8")
    return book


@pytest.mark.parametrize(
    ("check", "file", "old", "new", "part"), EDGES, ids=[f"{edge[0]}-{i}" for i, edge in enumerate(EDGES)]
)
def test_what_is_just_refused_and_what_is_just_allowed(whole, check, file, old, new, part):
    replace(whole, file, old, new)
    problems = found(whole, check)
    if part is None:
        assert not problems, list(map(str, problems))
    else:
        assert any(part in problem.message and problem.path == whole / file for problem in problems), problems


def test_a_problem_stays_as_it_was_found():
    with pytest.raises(AttributeError):
        Problem(Path("a"), 1, "b").line = 2


def write(book: Path, name: str, content: str | bytes) -> None:
    (book / name).parent.mkdir(parents=True, exist_ok=True)
    (book / name).write_bytes(content if isinstance(content, bytes) else content.encode())


@pytest.mark.parametrize(
    "suffix", ["css", "html", "js", "json", "md", "py", "sh", "svg", "toml", "txt", "yaml", "yml", ""]
)
def test_every_file_of_text_is_looked_at(book, suffix):
    for name in (
        f"some/name.{suffix}".rstrip("."),
        f".github/a/name.{suffix}".rstrip("."),
        f".ci/name.{suffix}".rstrip("."),
    ):
        write(book, name, "words\n\n<<<<<<< HEAD\n")
        assert [(problem.path, problem.line) for problem in found(book, "characters")] == [(book / name, 3)], name
        write(book, name, b"words\n\xff")
        assert [problem.line for problem in readable.encodings(book)] == [2]
        (book / name).unlink()


@pytest.mark.parametrize(
    "name",
    [
        *("a.png", "a.bin", ".a.md", ".git/a.md", "a/.cache/b.py", "a/__pycache__/b.py", "book/katex/a.js"),
        *("node_modules/a.js", "site/a.html", "docs/assets/figures/part/a.svg"),
    ],
)
def test_what_is_no_text_or_not_the_books_own_is_not_looked_at(book, name):
    write(book, name, b"\xff <<<<<<< \x00")
    assert list(readable.encodings(book)) == [] == found(book, "characters")


def test_a_virtual_environment_and_links_to_nowhere_are_passed_over(book):
    write(book, "env/lib/a.py", b"\xff")
    assert [problem.path.name for problem in readable.encodings(book)] == ["a.py"]
    write(book, "env/pyvenv.cfg", "")
    assert list(readable.encodings(book)) == []
    (book / "a.md").symlink_to("nowhere.md")
    assert list(readable.encodings(book)) == [] == found(book, "characters")


def test_only_a_page_may_be_too_long(book):
    write(book, "a.md", 60_000 * "a")
    write(book, "a.txt", 99_999 * "a")
    assert list(readable.encodings(book)) == []
    write(book, "a.md", 60_001 * "a")
    (problem,) = readable.encodings(book)
    assert problem.line == 1 and problem.message == "has 60 kB: more than 60 kB is several pages"


UNSEEN = [
    0,
    8,
    11,
    12,
    14,
    31,
    127,
    0x9F,
    0xAD,
    0x61C,
    0x200B,
    0x200F,
    0x2028,
    0x202E,
    0x2060,
    0x206F,
    0xFEFF,
    0xFFF9,
    0xFFFB,
]


@pytest.mark.parametrize("code", UNSEEN)
def test_what_no_editor_shows_is_named_with_its_line(book, code):
    write(book, "a.txt", f"{chr(code)}one\r\ntwo{chr(code)}\n{chr(code)}three")
    assert [line for line, _ in said(book, "characters")] == [1, 2, 3]
    assert all(f"U+{code:04X}" in message for _, message in said(book, "characters")[1:])


@pytest.mark.parametrize(
    "text", ["\t\n ~\xa0\xa1가“”–…\u2010\u2027\u202f\u205f\u2070x", "a\r\nb", "a === b\n ======= \n======== a"]
)
def test_what_an_editor_shows_may_stand_anywhere(book, text):
    write(book, "a.txt", text)
    assert said(book, "characters") == []


@pytest.mark.parametrize("sign", "<=>|")
def test_what_is_left_of_a_merge_is_found_at_the_beginning_of_a_line(book, sign):
    for text, lines in (
        (f"a\n{sign * 7} b\n", [2]),
        (f"{sign * 7}", [1]),
        (f"{sign * 7}\n{sign * 7}\n", [1, 2]),
        (f"{sign * 7}b\na {sign * 7} b\n{sign * 8} b\n{sign * 6} b", []),
    ):
        write(book, "a.txt", text)
        assert [line for line, _ in said(book, "characters")] == lines


def test_a_byte_order_mark_is_one_problem_and_letters_in_pieces_have_their_line(book):
    write(book, "a.txt", "\ufeff\u200bone\n가\n가\n")
    assert [(line, message.split()[0]) for line, message in said(book, "characters")] == [(1, "starts"), (1, "holds")]
    write(book, "a.txt", "one\n가\n\u1100\u1161\n")
    assert [(line, message.split()[0]) for line, message in said(book, "characters")] == [(3, "letters")]
    write(book, "a.txt", b"one\n\xff")
    assert said(book, "characters") == [], "another check says that this is not UTF-8"


PUBLISHED = [
    *(f"docs/assets/a.{suffix}" for suffix in ("css", "js", "svg", "png", "jpg", "webp", "woff2")),
    *("docs/assets/LICENSE", "docs/ko/part-2/more-3.md", "docs/en/a/b/c.md", "docs/assets/figures/part/numbers.json"),
    *("docs/assets/weights/a.bin", "docs/assets/weights/a.json", "docs/questions/part-2.yml"),
]


@pytest.mark.parametrize("name", PUBLISHED)
def test_what_may_be_published(book, name):
    write(book, name, "x")
    assert said(book, "published") == []


@pytest.mark.parametrize(
    ("name", "what"),
    [
        ("docs/assets/a.md", "files that end in .css, .jpg, .js, .png, .svg, .webp, .woff2"),
        ("docs/assets/LICENSE.txt", "files that end in"),
        ("docs/ko/a.png", "pages, .md"),
        ("docs/assets/pictures/figures.psd", "files that end in"),
        ("docs/questions/part.yaml", "files that end in"),
        ("docs/questions/part/page.yml", "files that end in"),
    ],
)
def test_what_may_not_be_published(book, name, what):
    write(book, name, "x")
    problem = found(book, "published")[0]
    assert (problem.path, problem.line) == (book / name, 1) and f"here stand only {what}" in problem.message


@pytest.mark.parametrize(
    "name", ["docs/ko/A.md", "docs/ko/a_b.md", "docs/ko/a.b.md", "docs/en/Part/a.md", "docs/en/a b/c.md"]
)
def test_an_address_has_small_letters_digits_and_hyphens(book, name):
    write(book, name, "x")
    assert [message for _, message in said(book, "published")] == [
        "this name becomes an address: use small letters, digits and hyphens"
    ]


def test_of_what_is_published_only_pages_and_folders_may_be_large(book):
    write(book, "docs/assets/figures/a.svg", bytes(400_000))
    write(book, "docs/en/a.md", bytes(500_000))
    assert said(book, "published") == []
    write(book, "docs/assets/figures/a.svg", bytes(400_001))
    write(book, "docs/assets/a.png", bytes(1_234_567))
    assert [message.partition(",")[0] for _, message in said(book, "published")] == ["has 1234 kB", "has 400 kB"]
    assert said(book, "published")[0][1].endswith("smaller than 400 kB")


def test_weights_may_be_larger_than_pictures(book):
    write(book, "docs/assets/weights/a.bin", bytes(500_000))
    assert said(book, "published") == []


# what stands in a style sheet, and the lines and first words of what is said
STYLES = [
    (".a {\n  b: c;\n}\n@media x {\n  .d {\n    e: f;\n  }\n}\n", []),
    (".a {\n  b: c;\n\n.d {\n  e: f;\n}\n", [(1, "is still open in line 4")]),
    ("@media {\n  .a {\n    b: c;\n\n.d {\n}\n", [(2, "is still open in line 5")]),
    (".a {\n  b: c;\n", [(1, "never closed")]),
    ("@media {\n  .a {\n", [(2, "never closed")]),
    (".a {\n}\n}\n", [(3, "closes nothing")]),
    (".a {\n  b: url(\n) c\n}\n", []),
    ("/* { */ .a {}\n/* } */\n", []),
    ("/* a\n} */ .a {\n  b: '}';\n  c: \"}\";\n}\n", []),
    ("/* a\n\n*/ .a }\n", [(3, "closes nothing")]),
    (".a { b: 'it{'; c: \"it's {\" }\n.d { e: 'a\"{' }", []),
    ("/* it's */ .a {\n}\n/* don't } */", []),
    ('.a { b: "x" } } .c { d: "y" }', [(1, "closes nothing")]),
    (".a { b: 'x' } } .c { d: 'y' }", [(1, "closes nothing")]),
    ("/* a */ } /* b */", [(1, "closes nothing")]),
    (".a { b: it's }\n}\n.c { d: it's }", [(2, "closes nothing")]),
    ('.a { b: 1" }\n}\n.c { d: 1" }', [(2, "closes nothing")]),
]


@pytest.mark.parametrize(("text", "expected"), STYLES)
def test_the_braces_of_a_style_sheet(book, text, expected):
    write(book, "docs/assets/css/book.css", text)
    problems = said(book, "style_sheets")
    assert [line for line, _ in problems] == [line for line, _ in expected]
    assert all(part in message for (_, message), (_, part) in zip(problems, expected, strict=True)), problems


@pytest.mark.parametrize(("language", "most"), [("ko", 40), ("en", 60)])
def test_a_title_is_as_long_as_tabs_show(book, language, most):
    for length in (most, most + 1):
        write(book, f"docs/{language}/page.md", f"---\ntitle: {length * 'a'}\n---\n# {length * 'a'} {{#a}}\n")
        told = [message for _, message in said(book, "front_matter") if "title" in message]
        assert told == [f"has a title of {length} characters: tabs and search engines show {most}"] * (length > most)


def test_each_language_has_its_own_titles_and_a_broken_one_is_said_once(book):
    replace(book, EN, "title: Twice\n", "title: 두 배\n")
    assert [message.partition(":")[0] for _, message in said(book, "front_matter")] == [
        "the heading is not the title, 두 배"
    ]


@pytest.mark.parametrize(("language", "low", "high"), [("ko", 20, 120), ("en", 50, 170)])
def test_a_description_is_as_long_as_search_engines_show(book, language, low, high):
    path = f"docs/{language}/page.md"
    old = next(line for line in (book / path).read_text(encoding="utf-8").splitlines() if line.startswith("desc"))
    for length, allowed in ((low - 1, False), (low, True), (high, True), (high + 1, False)):
        new = "description: " + length * "a"
        replace(book, path, old, new)
        assert (said(book, "front_matter") == []) == allowed, length
        old = new


def test_a_page_without_description_has_one_problem(book):
    line = LITTLE_BOOK[EN].splitlines()[2]
    replace(book, EN, line + "\n", "")
    assert [message.split(":")[0] for _, message in said(book, "front_matter")] == ["has no description"]


def test_a_page_without_headings_says_so_in_its_first_line(book):
    (book / EN).write_text("---\ntitle: T\n---\nWords.\n", encoding="utf-8")
    assert (1, "has no heading: start with `# Title {#id}`") in said(book, "headings")


def test_each_page_that_the_navigation_names_is_asked_for_in_one_language_at_least(book):
    (book / EN).unlink()
    assert not any("names" in message for _, message in said(book, "both_languages"))


def test_first_uses_count_where_a_reader_comes_first(book):
    replace(book, KO, "벡터(vector)도", "벡터도")
    assert [line for line, _ in said(book, "first_uses")] == [30], "an index page introduces nothing"
    replace(book, KO, "벡터도", "벡터도, 벡터도")
    assert len(said(book, "first_uses")) == 1, "a term is introduced once"
    for place in ("/// goals | 목표\n- 벡터.\n///\n\n", "## 벡터 {#v}\n\n"):
        replace(book, KO, "수 $x$의", place + "수 $x$의")
        assert len(said(book, "first_uses")) == 1 and "벡터도" in line_of(book, KO, said(book, "first_uses")[0][0])


def line_of(book: Path, file: str, number: int) -> str:
    return (book / file).read_text(encoding="utf-8").splitlines()[number - 1]


def test_first_uses_in_a_table_and_in_the_appendix(book):
    replace(book, KO, "| 1 | 2 |", "| 1 | 벡터 |")
    replace(book, KO, "벡터(vector)도", "그것도")
    assert [line_of(book, KO, line) for line, _ in said(book, "first_uses")] == ["| 1 | 벡터 |"]
    (book / "docs" / "ko" / "appendix").mkdir()
    (book / KO).rename(book / "docs" / "ko" / "appendix" / "page.md")
    replace(book, "mkdocs.yml", "page.md, ", "appendix/page.md, ")
    assert said(book, "first_uses") == []


def test_a_term_with_the_same_name_in_both_languages_needs_no_english(book):
    entry = "- id: bleu\n  ko: BLEU\n  en: BLEU\n  mean_ko: 점수.\n  mean_en: A score.\n  forms: [Bleus]\n"
    replace(book, "docs/glossary.yml", "- id: vector", entry + "- id: vector")
    replace(book, KO, "수 $x$의", "BLEU는 수 $x$의")
    assert said(book, "first_uses") == []
    replace(book, "docs/glossary.yml", "  avoid: [벡타]", "  avoid: [벡타]\n  forms: [vectored]")
    replace(book, KO, "벡터(vector)도", "벡터(vectored)도")
    assert said(book, "first_uses") == []


def test_a_sentence_is_judged_by_its_hangul_and_its_words(book):
    """In Korean, a fifth of a sentence is Hangul; in English, at most three times as much as its words."""
    for hangul, words, allowed in (
        (2, "abcde fghij", True),
        (1, "abcde fghij", False),
        (0, "abcde", True),  # one name may stand alone
        (0, "abcde X Y2 f.g h-i", True),  # only words count
        (0, "abcde fg", False),
    ):
        for text in (f"{'가' * hangul} {words}", f"가나다. {'가' * hangul} {words}. 가나다."):
            (book / KO).write_text(f"# 가 {{#x}}\n\n{text}\n", encoding="utf-8")
            assert [line for line, _ in said(book, "languages")] == [3] * (not allowed), text
    for hangul, words, allowed in ((6, "is", True), (7, "is", False), (1, "", False), (1, "X", False), (0, "", True)):
        for text in (f"{'가' * hangul} {words}", f"It is. {'가' * hangul} {words}. It is."):
            (book / EN).write_text(f"# It {{#x}}\n\n{text}\n", encoding="utf-8")
            (book / KO).write_text("# 가 {#x}\n", encoding="utf-8")
            assert bool(said(book, "languages")) == (not allowed), text


@pytest.mark.parametrize(
    ("heading", "korean", "allowed"),
    [
        ("Adam", "Adam은 옵티마이저입니다.", True),
        ("Adam", "ADAM은 옵티마이저입니다.", True),
        ("pre-LN", "pre-LN입니다.", True),
        ("Adam", "옵티마이저입니다.", False),
        ("Adam optimizer", "Adam은 옵티마이저입니다.", False),
        ("Adam", "Adam.", False),
        ("Q K", "옵티마이저입니다.", True),
        ("Adam 옵티마이저", "그렇습니다.", True),
    ],
)
def test_a_korean_heading_in_latin_letters_is_a_name_that_the_page_uses(book, heading, korean, allowed):
    (book / KO).write_text(f"# {heading} {{#x}}\n\n{korean}\n", encoding="utf-8")
    assert (said(book, "languages") == []) == allowed


def test_what_is_spoken_of_and_what_is_still_to_be_written_may_be_in_another_language(book):
    for text in ("*one two*", "“one two”", "‘one two’", '"one two"', "TODO one two", "- [One two](https://h.example)"):
        (book / KO).write_text(f"# 가 {{#x}}\n\n{text}\n", encoding="utf-8")
        assert said(book, "languages") == [], text


def about(book: Path, check: str, language: str, *lines: str) -> list[tuple[int, str]]:
    """What is said about a page of these lines, the first of which is line 1."""
    write(
        book, f"docs/{language}/page.md", "\n".join(["# T {#t}" if language == "en" else "# 가 {#t}", "", *lines, ""])
    )
    return [(p.line - 2, p.message) for p in found(book, check) if p.path == book / f"docs/{language}/page.md"]


# lines of a page, and in which of them something is left over, and what
LEFT = [
    (["a *b* **c** *d **e** f* **g *h* i**"], None, ""),
    (["* one", "* two"], None, ""),
    (["+ one", "  - two"], None, ""),
    (["a \\* b \\` c \\$ d"], None, ""),
    (["*a", "b* and **c", "d**"], None, ""),
    (["a_b_c d_ e _ f _ g"], None, ""),
    (["[a](b.md) [c] d"], None, ""),
    (["one", "[a]  (b.md)"], 2, "no space between the ] and ("),
    (["[a]", "(b.md)"], 1, "no space between the ] and ("),
    (["one", "[](b.md)"], 2, "this link has no text"),
    (["[  ](b.md)"], 1, "this link has no text"),
    (["a [  ] b"], 1, "this link has no text"),
    (["a", "b ` c", "d"], 2, "this ` has no second one"),
    (["a * b"], 1, "this * has no second one"),
    (["a", "b *c", "d"], 2, "this * has no second one"),
    (["a * b* c"], 1, "this * has no second one"),
    (["a *b * c"], 1, "this * has no second one"),
    (["a **b* c"], 1, "this * has no second one"),
    (["*a", "", "b*"], 1, "this * has no second one"),
    (["one", "", "- *a", "- b*"], 3, "this * has no second one"),
    (["| *a | b |", "|---|---|", "| c* | d |"], 1, "this * has no second one"),
    (["## *A {#a}", "b*"], 1, "this * has no second one"),
    (["b*a", "## A* {#a}"], 1, "this * has no second one"),
    (["/// note | *A", "b*", "///"], 1, "this * has no second one"),
    (["a $5 b"], 1, "this $ has no second one"),
    (["a", "b _c d_ e"], 2, "write *…*"),
    (["(_a_)"], 1, "write *…*"),
    (["a", "b", "", "c", "d *e"], 5, "this * has no second one"),
]


@pytest.mark.parametrize(("lines", "line", "part"), LEFT)
def test_marks_that_are_left_over(book, lines, line, part):
    problems = about(book, "leftovers", "en", *lines)
    assert [number for number, _ in problems][:1] == ([line] if line else []), problems
    assert all(part in message for _, message in problems[:1])


@pytest.mark.parametrize(
    ("text", "allowed"),
    [
        ("abcd 2efgh", True),
        ("abcd .efgh", True),
        ("abcd -efgh", True),
        ("abcd efgh2", True),
        ("abcd efgh-", True),
        ("abcd efgh.i", True),
        ("abcd E", True),
        ("abcd efgh", False),
        ("abcd efgh.", False),
        ("abcd, Efgh!", False),
        *((f"가나다라마바사{sign} one two", False) for sign in ".!?:;"),
        ("가나다라마바사.  one two", False),
        ("가나다라마바사, one two", True),
        ("| 가나다라마바사 | one two |", False),
        ('“one two” ‘one two’ "one two" 가나', True),
        ("“one” two three", False),
        ("‘one’ two three", False),
        ('"one" two three "four"', False),
        ("*one* two three *four*", False),
    ],
)
def test_english_on_a_korean_page(book, text, allowed):
    assert bool(about(book, "languages", "ko", text)) != allowed


@pytest.mark.parametrize(
    ("formula", "allowed"),
    [
        *(
            (rf"x \text{{ {words} }}", True)
            for words in ("x", "K", "if 가", "k-th", "th-k", "d2model", "model2", "Kab")
        ),
        *((rf"x \text{{ {words} }}", False) for words in ("if", "otherwise", "if x", "x if")),
        *(
            (rf"d{index}", True)
            for index in (r"_\text{model}", r"^\text{model}", r"_{\text{model}}", r"^{\text{model}}")
        ),
        *(
            (rf"\text{{drop}}{after}", True)
            for after in ("(x)", " (x)", r"\left(x\right)", r"\bigl(x)", r"\!(x)", r"\!\!(")
        ),
        *(
            (text, False)
            for text in (r"{\text{drop}}", r"\text{drop} x (y)", r"\text{drop} \text{가}", r"\text{가} \text{drop}")
        ),
        (r"\text{가} \text{x} \text{나} x", True),
    ],
)
def test_english_in_a_formula_of_a_korean_page(book, formula, allowed):
    assert bool(about(book, "languages", "ko", f"가나다 ${formula}$")) != allowed
    assert [line for line, _ in about(book, "languages", "ko", "$$", "x =", formula, "$$")] == [3] * (not allowed)


@pytest.mark.parametrize("name", ["Adam", "pre-LN"])
def test_a_name_may_stand_alone_in_a_title_and_a_caption_if_the_text_uses_it(book, name):
    for block in (f"/// note | {name}", "/// figure-caption"):
        lines = [block, name if "caption" in block else "가나다.", "///"]
        assert len(about(book, "languages", "ko", *lines)) == 1
        assert not about(book, "languages", "ko", *lines, "", f"{name}입니다.")
    assert len(about(book, "languages", "ko", "## pre-LN {#a}", "", "pre와 ln입니다.")) == 1


@pytest.mark.parametrize(
    "field", ["ko: 벡터", "en: vector", "mean_ko: 수를 늘어놓은 것.", "mean_en: Numbers in a row."]
)
@pytest.mark.parametrize("sign", '<>"|`')
def test_a_sign_that_breaks_the_table_of_the_glossary(book, field, sign):
    name, value = field.split(": ")
    replace(book, "docs/glossary.yml", f"  {field}\n", f"  {name}: '{value} {sign} a'\n")
    assert said(book, "meanings") == [(1, f"vector holds {sign}, which breaks tables or HTML: say it without")]


@pytest.mark.parametrize(
    ("name", "allowed"),
    [
        ("a-2b", True),
        ("2", True),
        ("a2", True),
        ("a-bc-d", True),
        ("a-", False),
        ("A", False),
        ("a--b", False),
        ("a_b", False),
    ],
)
def test_the_id_of_a_term_is_an_address(book, name, allowed):
    replace(book, "docs/glossary.yml", "id: vector", f"id: '{name}'")
    assert (said(book, "meanings") == []) == allowed


def test_the_longest_wording_is_named_and_a_glossary_may_refuse_none(book):
    replace(book, "docs/glossary.yml", "avoid: [벡타]", "avoid: [벡타, 벡타량]")
    problems = about(book, "wording", "ko", "이 벡타량은 $\\text{벡타}$보다 크다.")
    assert sorted(message.partition(":")[0] for _, message in problems) == ["벡타", "벡타량"]
    replace(book, "docs/glossary.yml", "  avoid: [벡타, 벡타량]\n", "")
    assert said(book, "wording") == []


def test_what_the_exercises_say_in_korean_is_in_the_words_of_the_book(book):
    write(book, "exercises/korean.py", 'KOREAN = {\n    "벡타":\n        "벡터의 곱절",\n}\n')
    assert [number for number, _ in said(book, "wording")] == [2]
    assert [number for number, _ in said(book, "plain_words")] == [3]


@pytest.mark.parametrize(
    ("text", "used"),
    [
        ("![벡터](a.svg)", True),
        ("[a [벡터] b](c.md)", False),
        ("[a] 벡터 [b](c.md)", True),
        ("[a]벡터[b](c.md)", True),
        ("값 $\\text{벡터}$", False),
        ("\\$1 벡터 \\$2", True),
        ("`벡터`", False),
        ("**벡터**(vector)", False),
        ("*벡터*(vector)", False),
        ("벡터 (vector)", True),
        ("벡터(vector", True),
        ("$x$ 벡터(vector) $y$", False),
    ],
)
def test_what_counts_as_the_first_use_of_a_term(book, text, used):
    assert bool(about(book, "first_uses", "ko", text)) == used


def both(book: Path, korean: str, english: str) -> list[str]:
    """What is said of the details when these stand on the two pages."""
    for language, text in (("ko", korean), ("en", english)):
        write(book, f"docs/{language}/page.md", f"# A {{#a}}\n\n{text}\n")
    return [message for _, message in said(book, "same_details")]


SAME = [
    ("[a](https://h.example/ko/a)", "[a](https://h.example/en/a)"),
    ("[a](https://ko.h.example)", "[a](https://en.h.example)"),
    ("x0.5, v1.5, v1.5.2, 5", "6"),
    ("0.5, 12.5와 1.2.3", "In 1.2.3, 12.5 and 0.5"),
    ("`shape`, `가`", "`나`"),
    ("- 하나\n- 둘", "- One\n- Two"),
    ("| a |\n|---|\n| 하나 |\n| 둘 |", "| a |\n|---|\n| One |"),
    ("가\n\n## B {#b}\n\n0.5", "One"),
    ("[a](b.md#at=x.y&text=가&row=1)", "[a](b.md#at=x.y&text=b)"),  # a figure, with what is typed in this language
]
OTHER = [
    ("[a](https://h.example/kot)", "[a](https://h.example/ent)", "external link https://h.example/kot"),
    ("[a](https://h.example/tko)", "[a](https://h.example/ten)", "external link https://h.example/tko"),
    ("가", "12.5", "has the number 12.5, which docs/ko"),
    ("1.2.3", "1.2.4", "has the number 1.2.3, which docs/en"),
    ("가", "a-1.5", "has the number 1.5"),
    ("[^a]", "[^b]", "has the footnote a"),
    ("[가](b.md#c)", "[a](b.md#d)", "has the link b.md#c"),
    ("[가](b.md#at=xa&row=1)", "[a](b.md#at=xb&row=1)", "has the link b.md#at=xa,"),
    ("[가](b.md#c&d)", "[a](b.md#c&e)", "has the link b.md#c&d,"),  # no figure: nothing is typed there
    ("[a](https://h.example/ko/a)", "[a](https://h.example/en/b)", "external link https://h.example/ko|en/a"),
    ("$x$", "$y$", "has the formula x"),
    ("- 하나", "- One\n- Two", "has 1 items in its lists, and docs/en/page.md:1 has 2"),
]


@pytest.mark.parametrize(("korean", "english"), SAME)
def test_details_that_are_the_same_in_both_languages(book, korean, english):
    assert both(book, korean, english) == []


@pytest.mark.parametrize(("korean", "english", "part"), OTHER)
def test_details_that_differ(book, korean, english, part):
    assert any(part in message for message in both(book, korean, english))


def test_a_formula_that_differs_around_a_value_is_found_in_its_line(book):
    for language, sign in (("ko", "="), ("en", "<")):
        write(book, f"docs/{language}/page.md", f"# A {{#a}}\n\nB\n\n$x {sign} {{{{given 2}}}}$\n")
    assert {line for line, _ in said(book, "same_details")} == {5}


def test_a_key_of_the_search_that_leads_nowhere_is_one_problem_for_both_languages(book):
    write(book, "docs/keywords.yml", "page: [doubling]\npage#summ: [adding]\n")
    assert [line for line, _ in said(book, "keys")] == [2]


ROWS = [
    ("3만", "30 thousand", None),
    ("2억", "200 million", None),
    ("20억", "2 billion", None),
    ("1만 5천", "10,000 5", None),
    ("1,500", "1500", None),
    ("1.50과 2", "2 of 1.5", None),
    ("1.2.3", "1.2.3", None),
    ("1.5만", "15 thousand", None),
    ("12.25", "12.2", "has 12.25, and docs/en/page.md:5 has 12.2"),
    ("1.2.3", "1.2.4", "has 1.2.3, and docs/en/page.md:5 has 1.2.4"),
    ("1.20.3", "1.2.3", "has 1.20.3"),
    ("5", "a", "has 5, and docs/en/page.md:5 has no number"),
    ("가", "5", "has no number, and docs/en/page.md:5 has 5"),
    ("$x$", "$y$", "has x, and"),
    ("`x`", "`y`", "has x, and"),
    ("[a](b.md)", "[a](c.md)", "has b.md, and"),
    ("$x$ [a](b.md)", "$x$ a", "has b.md, x, and"),
]


@pytest.mark.parametrize(("korean", "english", "part"), ROWS)
def test_the_numbers_of_a_row(book, korean, english, part):
    told = [
        message
        for message in both(book, *(f"| a |\n|---|\n| {row} |" for row in (korean, english)))
        if "row" in message
    ]
    assert len(told) == (part is not None) and all(part in message for message in told), told


@pytest.mark.parametrize("address", ["a+b:c", "a.b:c", "a-b:c", "a2:c", "mailto:a"])
def test_a_link_with_another_scheme_is_refused(book, address):
    scheme = address.partition(":")[0]
    assert about(book, "links", "en", f"[a]({address})") == [
        (1, f"{scheme}: links lead to pages by https, or into the book")
    ]


@pytest.mark.parametrize(
    ("page", "address", "message"),
    [
        ("page.md", "/page.md", "the link /page.md is absolute: write the way from this file, as ../part/page.md"),
        ("page.md", "zzzz.md", "the link zzzz.md leads to no page in docs/en: correct it"),
        ("page.md", "labs/lb.md", "the link labs/lb.md leads to no page in docs/en; did you mean labs/lab.md?"),
        ("labs/lab.md", "../pag.md", "the link ../pag.md leads to no page in docs/en; did you mean ../page.md?"),
        ("labs/lab.md", "la.md", "the link la.md leads to no page in docs/en; did you mean lab.md?"),
    ],
)
def test_a_link_that_leads_nowhere_is_one_problem(book, page, address, message):
    write(book, f"docs/en/{page}", f"# A {{#home}}\n\n[a]({address})\n")
    assert [p.message for p in found(book, "links") if p.path == book / "docs/en" / page] == [message]


def test_the_page_that_goes_on_is_compared_with_nothing_more(book):
    replace(book, KO, NOTE + "더하기를 정의하면 따라 나옵니다.\n", "")
    assert [message.split(":")[0] for _, message in said(book, "same_structure")] == [
        "here stands nothing more, but in docs/en/page.md"
    ]
    assert "every footnote in" in said(book, "same_structure")[0][1]


def test_what_no_page_shows_is_named_by_its_first_line(book):
    (book / "snippets" / "part" / "more.py").write_text("x = " + 99 * "1" + "\n")
    assert said(book, "everything_is_shown") == [
        (1, "has no section, so no page can show it: put `--8<-- [start:name]` above one")
    ]
    assert said(book, "code_width") == [], "nothing of it is shown"


@pytest.mark.parametrize(
    ("code", "names"),
    [
        ("def double(x: A = B, *y: C, z: D = E, **w: F) -> G:\n    return H", "A, B, C, D, E, F, G"),
        ("def double(x: int, /, y: A | None) -> list[int]:\n    z: B = 1", "A"),
        ("@A.b(C)\ndef double(x):\n    return 2 * x", "A, C"),
        ("@A\nclass B(C, metaclass=D):\n    e: F = G\n    h: int\n    def i(s, j: K): ...", "A, C, D, F, G, K"),
        ("class A:\n    B = int\n\n    def c(self, d: B): ...", ""),
        ("import a\nfrom b import C as D, E\ndef f(x: a.G, y: D, z: E): ...", ""),
        ("import a.b\ndef f(x: a.c): ...", ""),
        ("A = B = int\nfor C in []: pass\ndef f(x: A, y: B, z: C): ...", ""),
        ("def f(x: A): ...\ndef g(x: A): ...", "A"),
        ("def f(x=lambda y: y + A): ...", ""),
        ("def f(x=lambda y: y + A): ...\nf()", "A"),
        ("class A: ...\ndef f(x: A): ...", ""),
        ("A: B = C", "B, C"),
        ("print(A)", "A"),
        ("print([B for B in C])", "C"),
        ("x = [B for B in C]", "C"),
        ("x = {B: [D for D in B] for B in C}", "C"),
        ("for x in A:\n    print(x, B)", "A, B"),
        ("with A as b:\n    c = b", "A"),
        ("x = x + 1", "x"),
        ("def f():\n    return A + g()", ""),
        ("def f():\n    return A\nf()", "A"),
        ("def f():\n    return A\ndef g():\n    return f()\nmap(g, [1])", "A"),
        ("def f():\n    return A\nA = 1\nf()", ""),
        ("def f():\n    return A\nf = len\nf([])", ""),
        ("class B:\n    c = A", "A"),
        ("class B:\n    def c(self):\n        return A", ""),
        ("class B:\n    def c(self):\n        return A\nB()", "A"),
        ("f = lambda: A", ""),
    ],
)
def test_what_a_statement_needs_is_known_on_the_page_by_then(book, code, names):
    replace(book, PY, LITTLE_BOOK[PY].split("double]\n")[1].split("\n\n\n# --8<-- [end")[0], code)
    message = f"nothing above on this page defines {names}: include the imports of this code before it"
    assert [told for _, told in said(book, "pasted_in_order")][:1] == ([message] if names else [])


def test_a_name_that_is_missing_is_said_once_a_page(book):
    twice = "```python\nprint(double(missing))\nprint(missing)\n```\n\n<!-- --8<-- [end:three] -->"
    replace(book, MD, "<!-- --8<-- [end:three] -->", twice)
    assert len([told for _, told in said(book, "pasted_in_order") if "missing" in told]) == len(Book.read(book).pages)


def test_the_examples_of_an_edition_are_read_as_those_of_the_book(book):
    text = (book / MD).read_text(encoding="utf-8")
    other = book / MD.replace(".md", ".en.md")
    other.write_text(text.replace("```python", "Some words.\n\n```python"), encoding="utf-8")
    assert {problem.path for problem in found(book, "worked_examples")} == {other}


def test_a_page_may_define_a_name_in_any_listing_above(book):
    replace(book, PY, "def double(x)", "def double(x: Number)")
    more = "# --8<-- [start:more]\nNumber = int\n# --8<-- [end:more]\n"
    replace(book, PY, "# --8<-- [start:double]", f"{more}# --8<-- [start:double]")
    for page in (KO, EN):
        replace(book, page, FENCE, FENCE.replace(":double", ":more") + "\n\n" + FENCE)
    assert said(book, "pasted_in_order") == []


def test_code_in_a_solution_is_narrower(book):
    for width, allowed in ((74, True), (75, False)):
        replace(book, PY, "double]", "exercise-one]")
        replace(book, PY, '    """Twice ``x``."""', width * "x")
        assert ([line for line, _ in said(book, "code_width")] == []) == allowed
        (book / PY).write_text(LITTLE_BOOK[PY], encoding="utf-8")


def test_a_figure_at_the_end_of_a_page_needs_a_caption(book):
    with (book / EN).open("a", encoding="utf-8") as file:
        file.write("\n![A line through the origin](assets/figures/part/doubled.svg)\n")
    assert [message.split(":")[0] for _, message in said(book, "figures")] == ["figure part/doubled needs a caption"]


def test_the_command_says_each_problem_and_how_many_there_are(book, monkeypatch):
    monkeypatch.setattr(command, "ROOT", book)

    def run() -> tuple[int, str]:
        with redirect_stdout(io.TextIOWrapper(io.BytesIO(), encoding="utf-8")) as out:
            code = command.main()
        out.seek(0)
        return code, out.read()

    assert run() == (0, "the book holds together\n")
    with redirect_stdout(io.StringIO()) as out:
        assert command.main() == 0 and out.getvalue() == run()[1]
    replace(book, KO, "## 더하기 {#sum}", "## 더하기")
    with redirect_stdout(io.TextIOWrapper(io.BytesIO(), encoding="ascii")) as out:
        command.main()
    out.seek(0)
    assert "\\ub354\\ud558\\uae30" in out.read(), "on a console that knows no Hangul"
    replace(book, KO, "## 더하기", "## 더하기 {#sum}")
    (book / EN).unlink()
    code, out = run()
    problems = [str(problem) for problem in check_pages(book)]
    assert code == 1 and out.splitlines() == [*problems, f"{len(problems)} problems"]
