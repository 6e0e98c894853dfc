"""A page taken apart: every form that pages have is read, with its line, and every other one is named."""

from __future__ import annotations

from pathlib import Path

import pytest
from hypothesis import given, settings
from hypothesis import strategies as st

from book.source.page import Fence, Item, Page, Section, paragraphs, read_sections, sections
from book.source.pages import Book, SettingsError, navigation
from book.source.parser import parse
from book.source.prose import Line, columns
from book.source.text import lines_of, near, text_files
from book.source.text import read as read_text


@pytest.fixture
def read(tmp_path):
    """A page whose lines are given."""

    def read(*lines: str) -> Page:
        path = tmp_path / "page.md"
        path.write_text("\n".join(lines) + "\n", encoding="utf-8")
        return parse(path, "en", "part/page.md")

    return read


def items(page: Page, *kinds: str) -> list[tuple[str, str, int]]:
    return [(item.kind, item.value, item.line) for item in page.items if not kinds or item.kind in kinds]


def unread(page: Page) -> list[tuple[int, str]]:
    return page.unread


# ---- a line


@pytest.mark.parametrize(
    ("text", "expected"),
    [
        ("see [here](a.md)", [("here", "a.md")]),
        ("[here](a.md#x), [there](../b.md 'title')", [("here", "a.md#x"), ("there", "../b.md")]),
        ("[](a.md)", [("", "a.md")]),
        ("[a [b] c](a.md)", [("a [b] c", "a.md")]),
        ("[a](a.md) and `[no](b.md)`", [("a", "a.md")]),
        ("![image](a.svg)", []),
        ("$f[x](y)$ and [z](a.md)", [("z", "a.md")]),
        ("``a ` [no](b.md)`` [yes](c.md)", [("yes", "c.md")]),
        ("[a] (b.md)", []),
        ("a[^note] [b](c.md)", [("b", "c.md")]),
    ],
)
def test_links_of_a_line(text, expected):
    assert Line(text, 1, "text").links == expected


@pytest.mark.parametrize(
    ("text", "expected"),
    [
        ("![a picture](a.svg)", [("a picture", "a.svg")]),
        ("![](a.svg){ .wide } and ![b](../b.svg 'title')", [("", "a.svg"), ("b", "../b.svg")]),
        ("[link](a.svg)", []),
        ("`![a](b)`", []),
        ("[![a](b.svg)](c.md)", [("a", "b.svg")]),
    ],
)
def test_images_of_a_line(text, expected):
    assert Line(text, 1, "text").images == expected


@pytest.mark.parametrize(
    ("text", "expected"),
    [
        ("$x$ and $y + 1$", ["x", "y+1"]),
        ("$\\text{the words} = 1$", ["\\text{}=1"]),
        ("$\\text{a} \\text{b}$", ["\\text{}\\text{}"]),
        ("costs \\$5, or \\$6", []),
        ("costs $5 and $6", []),
        ("from $ to $", []),
        ("$x $ and $ y$", []),
        ("$a$5", []),
        ("$a \\$ b$", ["a\\$b"]),
        ("`$x$` $y$", ["y"]),
        ("$$x$$", []),
        ("$x$, $y$의 $z$", ["x", "y", "z"]),
        ("${x}$(y)", ["{x}"]),
    ],
)
def test_formulas_of_a_line(text, expected):
    assert Line(text, 1, "text").formulas == expected


def test_references_of_a_line():
    assert Line("one[^a], two[^b-2] and `[^c]`", 1, "text").references == ["a", "b-2"]
    assert Line("[^a]: A note.[^b]", 1, "text").references == ["b"]


@pytest.mark.parametrize(
    ("text", "expected"),
    [
        ("see [here](a.md) now", "see here now"),
        ("an ![image](a.svg) of", "an of"),
        ("so `code` and ``a ` b``, x", "so and , x"),
        ("with $x < y$ and <b>more</b>", "with and more"),
        ("## Title {#id}", "## Title"),
        ("word[^note] and", "word and"),
        ("[^note]: word", "[^note]: word"),
        ("[a](b.md){ .c } [d](e.md)", "a d"),
    ],
)
def test_prose_is_what_is_read_aloud(text, expected):
    assert Line(text, 1, "text").prose.split() == expected.split()


def test_without_code_and_without_formulas():
    line = Line("a `b` $c$ d", 1, "text")
    assert line.without_code.split() == ["a", "$c$", "d"] and line.markup.split() == ["a", "d"]


@pytest.mark.parametrize(
    ("text", "expected"),
    [
        ("a <b>c</b> <br/> d", ["<b>", "</b>", "<br/>"]),
        ("<B x='1'> <!doctype a> <?php b>", ["<B x='1'>", "<!doctype a>", "<?php b>"]),
        ("a <!-- b <i> --> c <!-- d --> e", ["<!-- b <i> -->", "<!-- d -->"]),
        ("a <!-- b", ["<!-- b"]),
        ("a <b and", ["<b and"]),
        ("a <b <c>", ["<b ", "<c>"]),
        ("a <b c> d>", ["<b c>"]),
        ("1 < 2, a<1 and <-- or <!", []),
        ("`<b>` $a <b$ \\`<i>`", ["<i>"]),
        ("<!-- glossary -->", []),
        ("<!-- glossary --> <!--glossary-->", ["<!--glossary-->"]),
    ],
)
def test_html_of_a_line(text, expected):
    assert Line(text, 1, "text").html == expected


@pytest.mark.parametrize(
    ("text", "expected"),
    [
        ("`a` and ``b ` c``", ["a", "b ` c"]),
        ("``` a ` b `` c ```", [" a ` b `` c "]),
        ("\\`a` b", []),
        ("`a`` b`", ["a`` b"]),
        ("`a", []),
    ],
)
def test_code_of_a_line(text, expected):
    assert Line(text, 1, "text").code == expected


@pytest.mark.parametrize("text", ["- a", "* a", "+ a", "1. a", "12) a", "  - a", "      3. a"])
def test_an_item_of_a_list(text):
    assert Line(text, 1, "text").is_bullet


@pytest.mark.parametrize("text", ["-a", "1.a", "a - b", "a 1. b", "1 a", "--- a", "a"])
def test_no_item_of_a_list(text):
    assert not Line(text, 1, "text").is_bullet


@pytest.mark.parametrize(
    ("text", "filled", "shown"),
    [
        ("a `b` c", "a x c", "a x c"),
        ("a $b$ c", "a x c", "a x c"),
        ("a ![b](c) d", "a x d", "a x d"),
        ("a \\* b", "a x b", "a x b"),
        ("[`a`](b) $c$*d*", "[x](b) x*d*", "x x*d*"),
        ("\\`a *b*", "xa *b*", "xa *b*"),
        ("[^a] {#b}", "[^a] {#b}", "   "),
    ],
)
def test_what_is_left_when_code_formulas_and_pictures_are_an_x(text, filled, shown):
    line = Line(text, 1, "text")
    assert (line.filled, line.shown) == (filled, shown)


def test_a_line_of_a_page_stays_as_it_was_read():
    for one in (Line("a", 1, "text"), Item("image", "a", 1), Section("a", 1, 2, ())):
        with pytest.raises(AttributeError):
            one.line = one.number = 3


# ---- files


def test_a_file_is_read_with_one_kind_of_line_ends_and_of_syllables(tmp_path):
    (tmp_path / "a").write_bytes("\ufeffone\r\n\u1100\u1161\n".encode() + b"\xff\n")
    assert read_text(tmp_path / "a") == "one\n가\n\ufffd\n"


def test_lines_are_those_of_an_editor():
    assert lines_of("") == [] and lines_of("a") == lines_of("a\n") == ["a"]
    assert lines_of("a\n\n") == ["a", ""] and lines_of("\n") == [""]
    assert lines_of("a\x0cb\u2028c\nd") == ["a\x0cb\u2028c", "d"]


# ---- front matter


def test_front_matter_is_read_and_the_lines_below_keep_their_numbers(read):
    page = read("---", "title: T", "description: D", "---", "# T {#t}", "", "Words.")
    assert page.meta == {"title": "T", "description": "D"}
    assert [(line.text, line.number) for line in page.lines] == [("# T {#t}", 5), ("Words.", 7)]
    assert (page.language, page.name, unread(page)) == ("en", "part/page.md", [])


def test_a_page_without_front_matter(read):
    page = read("# T {#t}", "---")
    assert page.meta == {} and page.lines[0].number == 1
    page = read("Words", "", "---", "title: T", "---")
    assert page.meta == {}, "what stands in the middle is none"


def test_an_empty_page_and_one_of_front_matter_only(tmp_path, read):
    (tmp_path / "empty.md").write_text("")
    empty = parse(tmp_path / "empty.md", "ko", "empty.md")
    assert (empty.lines, empty.items, empty.meta, empty.unread) == ([], [], {}, [])
    assert read("---", "---").meta == {} and unread(read("---", "---")) == []
    assert read("---", "title: T", "---").meta == {"title": "T"}


@pytest.mark.parametrize(
    ("lines", "line", "said"),
    [
        (["---", "title: T", "# T"], 1, "never ends"),
        (["---"], 1, "never ends"),
        (["---", "title: T", "description: [a", "---", "# T"], 3, "not YAML"),
        (["---", "title: a: b", "---"], 2, "not YAML"),
        (["---", "title: T", "description: a: b", "---"], 3, "not YAML"),
        (["---", "words", "---"], 1, "needs lines"),
        (["---", "- title", "---"], 1, "needs lines"),
    ],
)
def test_broken_front_matter_is_named_with_its_line(read, lines, line, said):
    page = read(*lines)
    assert [(number, said in message) for number, message in page.unread] == [(line, True)]
    assert page.meta in ({}, {"title": "T"})


def test_front_matter_behind_spaces_is_read_and_named(read):
    page = read("--- ", "title: T", "---", "# T {#t}")
    assert page.unread == [(1, "remove the spaces beside ---, or the front matter is not read")]
    assert page.meta == {"title": "T"} and page.headings()[0][3] == 4


# ---- what a page has


def test_headings_have_level_id_text_and_line(read):
    page = read("# One {#one}", "", "## Two `x` { #two .c }", "### Three", "#### Four {#four} ", "####### no", "#no")
    assert page.headings() == [
        (1, "one", "One", 1),
        (2, "two", "Two `x`", 3),
        (3, "", "Three", 4),
        (4, "four", "Four", 5),
    ]
    assert items(page) == [
        ("heading", "# {#one}", 1),
        ("heading", "## {#two}", 3),
        ("heading", "### {#}", 4),
        ("heading", "#### {#four}", 5),
    ]
    assert [line.place for line in page.lines] == ["heading"] * 4 + ["text"] * 2


def test_sections_are_the_lines_below_each_heading(read):
    page = read("Before.", "# One {#one}", "A.", "", "B.", "## Two", "C.")
    assert [(name, line, [one.text for one in lines]) for name, line, lines in page.sections()] == [
        ("", 1, ["Before."]),
        ("one", 2, ["# One {#one}", "A.", "B."]),
        ("", 6, ["## Two", "C."]),
    ]


def test_anchors_are_the_ids_that_stand_in_the_source(read):
    page = read("# One {#one}", "Words. { .c #two }", "**b**{ #three } and **c**{#four}", "#five and `{#code`")
    assert {"one", "two", "three", "four"} <= page.anchors() and "five" not in page.anchors()


def test_display_formulas_without_what_languages_may_differ_in(read):
    page = read("$$", "a = b", "  + \\text{die Wörter}", "$$", "", "  $$", "c", "  $$", "Text.")
    assert items(page) == [("formula", "a=b+\\text{}", 1), ("formula", "c", 6)]
    assert [line.text for line in page.lines] == ["Text."] and unread(page) == []


def test_display_formulas_are_kept_as_typed(read):
    page = read("", "$$", "a  =", "  b", "$$", "", "$$", "$$")
    assert page.formulas == [(2, "a  =\n  b"), (7, "")]
    assert items(page) == [("formula", "a=b", 2), ("formula", "", 7)]


def test_words_of_a_formula_end_at_their_brace(read):
    page = read("$$", "\\text{a} + \\text{b}  \t c", "$$")
    assert items(page) == [("formula", "\\text{}+\\text{}c", 1)]
    page = read("$$", "{\\text{a} d} \\text{e {b} f}", "$$")
    assert items(page) == [("formula", "{\\text{}d}\\text{e{b}f}", 1)]


def test_a_fence_in_a_formula_and_a_formula_in_a_fence_are_none(read):
    page = read("$$", "```text", "$$", "", "```text", "$$", "```", "", '--8<-- "a:b"', "", "$$", "c", "$$")
    assert [(fence.line, fence.end) for fence in page.fences] == [(5, 7)]
    assert items(page) == [("formula", "```text", 1), ("include", "a:b", 9), ("formula", "c", 11)]


def test_inside_a_formula_nothing_else_is_read(read):
    page = read("$$", "# a", "| b |", "[^c]: d", "![e](f)", "$$", "", "# T {#t}")
    assert items(page, "heading", "table", "footnote", "image") == [("heading", "# {#t}", 8)]
    assert (page.fences, page.includes, len(page.lines)) == ([], [], 1)


def test_includes_stand_alone_or_in_a_fence(read):
    page = read('--8<-- "a.md:x"', "", "```python", '--8<-- "b.py:y"', "```", '  --8<-- "c.md:z"  ')
    assert [(target, line) for target, line, _ in page.includes] == [("a.md:x", 1), ("b.py:y", 4), ("c.md:z", 6)]
    assert [fence for *_, fence in page.includes] == [None, page.fences[0], None]
    assert items(page) == [("include", "a.md:x", 1), ("include", "b.py:y", 4), ("include", "c.md:z", 6)]
    assert page.lines == [] and unread(page) == []


def test_fences_have_language_line_and_body(read):
    page = read(
        "Text.", "```python", "x", "", "  y", "```", "~~~~ text ", "~~~", "```", "~~~~", "  ```sh", "z", "  ```", "End."
    )
    assert [(f.info, f.line, f.marker, f.indent, f.body) for f in page.fences] == [
        ("python", 2, "```", 0, ["x", "", "  y"]),
        ("text", 7, "~~~~", 0, ["~~~", "```"]),
        ("sh", 11, "```", 2, ["z"]),
    ]
    assert [line.text for line in page.lines] == ["Text.", "End."] and unread(page) == []


def test_a_fence_ends_with_as_many_signs_and_nothing_else(read):
    page = read("````", "```", "```` x", "`````", "After.")
    assert page.fences[0].body == ["```", "```` x"] and [line.text for line in page.lines] == ["After."]


@pytest.mark.parametrize(
    ("info", "language"),
    [
        ("python", "python"),
        ("Python", "python"),
        ('py title="x"', "py"),
        ("{.python}", "python"),
        ("{ .python .x }", "python"),
        ("{python}", "python"),
        ("python,x", "python"),
        ("", ""),
    ],
)
def test_the_language_of_a_fence_however_written(info, language):
    assert Fence(info, 1, "```", 0).language == language


def test_inside_a_fence_nothing_but_includes_is_read(read):
    page = read("```text", "# a", "$$", "| b |", "![c](d)", "/// note | e", "[^f]: g", "```", "# T {#t}")
    assert items(page) == [("heading", "# {#t}", 9)] and len(page.lines) == 1 and unread(page) == []


def test_tables_have_rows_and_columns(read):
    page = read("Text.", "", "| a | b |", "|---|---|", "| 1 | 2 |", "| 3 | 4 |", "", "|x|", "|-|", "", "End.")
    assert items(page) == [("table", "3 × 2", 3), ("table", "1 × 1", 8)]
    assert [line.place for line in page.lines] == ["text"] + ["table"] * 6 + ["text"]
    assert unread(page) == []


def test_a_table_at_the_end_of_a_page_and_one_above_text(read):
    assert items(read("| a |", "|---|", "| b |")) == [("table", "2 × 1", 1)]
    assert items(read("| a |", "|---|", "Text.")) == [("table", "1 × 1", 1)]


def test_a_bar_in_code_or_behind_a_backslash_ends_no_cell(read):
    page = read("| a | b |", "|---|---|", "| `x | y` | 1 \\| 2 |", "| 3 | 4 |")
    assert items(page) == [("table", "3 × 2", 1)] and unread(page) == []


def test_an_uneven_row_is_named(read):
    page = read("", "| a | b |", "|---|---|", "| 1 |", "| 1 | 2 |", "| 1 | 2 | 3 |")
    assert [(line, message.split(";")[0]) for line, message in page.unread] == [
        (4, "this row has 1 cells and the first one 2"),
        (6, "this row has 3 cells and the first one 2"),
    ]


def test_blocks_open_and_close(read):
    page = read(
        "//// exercise | Four times", "Question.", "", "/// solution", "Answer.", "///", "////", "/// note |  ", "///"
    )
    assert items(page) == [
        ("block", "//// exercise", 1),
        ("block", "/// solution", 4),
        ("end of block", "/// solution", 6),
        ("end of block", "//// exercise", 7),
        ("block", "/// note", 8),
        ("end of block", "/// note", 9),
    ]
    titles = [(line.text, line.number) for line in page.lines if line.place == "title"]
    assert titles == [("Four times", 1), ("", 4), ("", 8)] and unread(page) == []


def test_lines_know_whether_they_are_goals_or_a_caption(read):
    page = read(
        "Text.", "/// goals | G", "- You can.", "///", "Text.", "/// figure-caption", "Caption.", "///", "Text.",
        "/// note | N", "/// goals | G", "Both.", "///", "///", "/// figure-captions", "None.", "///",
        "/// short | S", "Answer.", "///", "/// remember | R", "- One.", "///",
    )  # fmt: skip
    assert [(line.text, line.place) for line in page.lines if line.place != "title"] == [
        ("Text.", "text"),
        ("- You can.", "goals"),
        ("Text.", "text"),
        ("Caption.", "caption"),
        ("Text.", "text"),
        ("Both.", "goals"),
        ("None.", "text"),
        ("Answer.", "short"),
        ("- One.", "text"),
    ]


def test_blocks_that_end_wrongly_are_named(read):
    def said(*lines: str) -> list[tuple[int, str]]:
        return [(line, message.split(":", 1)[1].strip()) for line, message in read(*lines).unread]

    assert said("///") == [(1, "the last one open is none")]
    assert said("", "/// note | a", "////", "///") == [(3, "the last one open is /// note")]
    assert said("//// note | a", "/// tip | b", "///") == [(1, "add a line ////")]
    assert said("//// note | a", "", "/// tip | b") == [(1, "add a line ////"), (3, "add a line ///")]


def test_images_and_footnotes_are_items_in_the_order_of_the_page(read):
    page = read("![a](b.svg) and ![c](d.svg)", "word[^n]", "", "[^n]: A note with ![e](f.svg).", "  [^m]: none")
    assert items(page) == [
        ("image", "b.svg", 1),
        ("image", "d.svg", 1),
        ("footnote", "n", 4),
        ("image", "f.svg", 4),
    ]


def test_what_never_ends_is_named_where_it_began(read):
    for lines, line, said in [
        (["", "```text", "a"], 2, "this fence never ends: add a line ```"),
        (["~~~~", "~~~"], 1, "this fence never ends: add a line ~~~~"),
        (["", "", "$$", "a"], 3, "this formula never ends: add a line $$"),
        (["", "/// note | a", "b"], 2, "this block never ends: add a line ///"),
    ]:
        assert read(*lines).unread == [(line, said)]


# ---- forms that a site shows and nobody here would see


@pytest.mark.parametrize(
    ("lines", "line", "said"),
    [
        (["> ```python", "> x", "> ```"], 1, "start a fence at the start"),
        (["- ```python"], 1, "start a fence at the start"),
        (["* ~~~"], 1, "start a fence at the start"),
        (["+ ```"], 1, "start a fence at the start"),
        (["1. ```"], 1, "start a fence at the start"),
        (["12) ```"], 1, "start a fence at the start"),
        (["> - ```"], 1, "start a fence at the start"),
        (["  >```"], 1, "start a fence at the start"),
        (['-8<- "a"'], 1, "write an include as"),
        (['--8<-- "a" b'], 1, "write an include as"),
        (["--8<-- 'a'"], 1, "write an include as"),
        ([';--8<-- "a"'], 1, "write an include as"),
        (['  ---8<--- "a"'], 1, "write an include as"),
        (["--8<--", "a", "--8<--"], 1, "write an include as"),
        (["[a]: b.md"], 1, "address into the link itself"),
        (["  [a b]: <b.md>"], 1, "address into the link itself"),
        (["a | b", "---|---"], 2, "start every row"),
        (["a | b", ":-- | --: | :-:"], 2, "start every row"),
        (["", "So $$x$$ is"], 2, "between two lines that hold $$"),
        (["$$x$$"], 1, "between two lines that hold $$"),
        (["$$ x", "$$", "$$"], 1, "between two lines that hold $$"),
        (["see [a](b", "c.md)"], 1, "in one line, with no brackets"),
        (["![a [b] c](d.svg)"], 1, "in one line, with no brackets"),
        (["see [a", "b](c.md)"], 2, "in one line, with no brackets"),
        (["Title", "====="], 2, "write a heading as"),
        (["Title", "---"], 2, "write a heading as"),
        (["Title", "  -"], 2, "write a heading as"),
        (["Title", "==  "], 2, "write a heading as"),
        (["", "    code"], 2, "Markdown takes this for code"),
        (["", "\tcode"], 2, "Markdown takes this for code"),
        (["Text.", "", "    code", "", "Text."], 3, "Markdown takes this for code"),
        (["- one", "", "Text.", "", "    code"], 5, "Markdown takes this for code"),
        (["- one", "", "text", "", "    code"], 5, "Markdown takes this for code"),
        (["#Title"], 1, "put a space between # and the heading"),
        (["", "######Title"], 2, "put a space between # and the heading"),
        (["-  ```"], 1, "start a fence at the start"),
        (["1.  ~~~"], 1, "start a fence at the start"),
        (["/// note | a", "    open: true", "///"], 2, "a block takes no options"),
        (["/// note", "\topen: true", "///"], 2, "a block takes no options"),
        (["Text.", "- one"], 2, "more of the text above: put an empty line between"),
        (["Text.", "| a |", "|---|"], 2, "more of the text above"),
        (["- one", "| a |", "|---|"], 2, "more of the list above"),
        (["| a |", "|---|", "Text."], 3, "more of the table above"),
        (["| a |", "|---|", "- one"], 3, "more of the table above"),
        (["Text.", "[^a] one"], 2, "more of the text above"),
        (["Text.", '--8<-- "a.md:x"'], 2, "more of the text above"),
        (["a-b", "-8<- 'x'"], 2, "write an include as"),
    ],
)
def test_a_form_that_is_not_known_is_named(read, lines, line, said):
    found = [number for number, message in read(*lines).unread if said in message]
    assert found[:1] == [line], read(*lines).unread


def test_each_line_of_indented_code_is_named(read):
    page = read("", "    one", "    two", "", "    three", "Text.", "    four")
    assert [line for line, _ in page.unread] == [2, 3, 5]


@pytest.mark.parametrize(
    "lines",
    [
        ["Text.", "    that goes on"],
        ["- one", "    two"],
        ["- one", "", "    two", "", "    three"],
        ["* one", "", "    two"],
        ["+ one", "", "    two"],
        ["1. one", "", "    two"],
        ["12) one", "", "\ttwo"],
        ["   - one", "", "    two"],
        ["[^a]: one", "", "    two"],
        ["- one", "still one", "", "    two"],
        ["- one", "  ```text", "    two", "  ```"],
        ["", "   three spaces"],
        ["Text.", "", "---", "", "Text."],
        ["Text.", "", "===="],
        ["Text --- text", "", "- - -"],
        ["Text.", "-- or --- or x-"],
        ["`$$` and `](`"],
        ["$f(x](y)$ and [a](b.md)"],
        ["[a](b.md) ![c](d.svg) [e](f.md 'g')"],
        ["[^a]: b"],
        ["[a] : b"],
        ["a 8<-- b"],
        ["<!-- --8<-- [start:x] -->"],
        ["a -8<- b"],
        ["Text `> ```"],
        ["> quoted", "", "- listed", "", "1. counted"],
        ["-```"],
        ["- - -"],
        ["| a |", "|---|"],
        ["a --- | b"],
        ["\\$\\$"],
    ],
)
def test_what_is_read_as_the_site_shows_it_is_not_named(read, lines):
    assert read(*lines).unread == []


BLOCKS = st.lists(
    st.sampled_from([
        ("heading", ["## T {#t}"]), ("formula", ["$$", "x", "", "$$"]), ("include", ['--8<-- "a:b"']),
        ("include", ["```python", '--8<-- "a:b"', "```"]), (None, ["```text", "x", "$$", "```"]),
        ("table", ["| a |", "|---|", "| b |"]), ("image", ["![a](b)"]), ("footnote", ["[^a]: b"]), (None, ["Text."]),
    ]),
    max_size=8,
)  # fmt: skip


@settings(deadline=None)
@given(BLOCKS, st.booleans())
def test_of_any_page_everything_is_read_in_order_and_where_it_stands(blocks, front):
    from tempfile import TemporaryDirectory

    lines = ["---", "title: T", "---"] if front else []
    expected = []
    for kind, text in blocks:
        lines.append("")
        if kind:
            inside = kind == "include" and len(text) == 3
            expected.append((kind, len(lines) + 1 + inside))
        lines += text
    with TemporaryDirectory() as folder:
        path = Path(folder) / "page.md"
        path.write_text("\n".join(lines) + "\n", encoding="utf-8")
        page = parse(path, "en", "page.md")
    assert [(item.kind, item.line) for item in page.items] == expected
    assert page.unread == []
    assert all(lines[line.number - 1] == line.text for line in page.lines)


# ---- the book

NAV = """
plugins: [!ENV [X, y]]
nav:
  - index.md
  - First:
      - b/index.md
      - A page: b/two.md
  - a/one.md
other: !relative x
"""


@pytest.fixture
def book(tmp_path) -> Book:
    files = {
        "mkdocs.yml": NAV,
        **{f"docs/ko/{name}": "# 제목\n" for name in ("index.md", "b/two.md", "a/one.md")},
        **{f"docs/en/{name}": "# Title\n" for name in ("index.md", "b/two.md", "more.md")},
        **{f"snippets/{name}": "" for name in (
            "__init__.py", "a/__init__.py", "a/one.py", "a/one.md", "a/.hidden.py", "a/_own.md", "a/data.json",
            "b/two.py", "b/again.py", "z/last.py", "c/early.md", "_private/x.py", ".cache/y.py",
            "tools/tool.py", "tools/notes.md", "figures/style.py", "figures/b/drawn.py", "figures/a/other.py",
            "figures/a/_own.py", "figures/a/x.md",
        )},
    }  # fmt: skip
    for name, text in files.items():
        (tmp_path / name).parent.mkdir(parents=True, exist_ok=True)
        (tmp_path / name).write_text(text, encoding="utf-8")
    return Book.read(tmp_path)


def test_the_navigation_is_flat_and_in_reading_order(book):
    assert navigation(book.root) == book.nav == ["index.md", "b/index.md", "b/two.md", "a/one.md"]


def test_a_configuration_without_navigation(tmp_path):
    (tmp_path / "mkdocs.yml").write_text("site_name: x\n")
    assert navigation(tmp_path) == []


def test_the_pages_of_a_book_by_language_and_name(book):
    assert {language: list(pages) for language, pages in book.pages.items()} == {
        "ko": ["a/one.md", "b/two.md", "index.md"],
        "en": ["b/two.md", "index.md", "more.md"],
    }
    assert all(
        page.language == code and page.name == name for code in book.pages for name, page in book.pages[code].items()
    )
    assert len(book.every_page()) == 6
    assert [(one.language, one.name, two.language, two.name) for one, two in book.pairs()] == [
        ("ko", name, "en", name) for name in ("b/two.md", "index.md")
    ]


def test_parts_come_in_the_order_of_the_navigation_and_others_after_them(book):
    assert book.parts() == ["b", "a", "c", "z"]


def test_what_is_taught_used_and_drawn(book):
    def addresses(paths: list[Path]) -> list[str]:
        return [book.address(path) for path in paths]

    assert addresses(book.snippets()) == [
        "b/again.py", "b/two.py", "a/one.md", "a/one.py", "c/early.md", "z/last.py",
    ]  # fmt: skip
    assert addresses(book.tools()) == ["tools/tool.py"]
    assert addresses(book.figures()) == ["figures/b/drawn.py", "figures/a/other.py"]


def test_a_wrong_name_is_answered_with_the_nearest():
    known = ["attention/masks", "model/cost"]
    assert near("attention/mask", known) == "; did you mean attention/masks?"
    assert near("attention/masks", iter(known)) == "; did you mean attention/masks?"
    assert near("zzz", known) == "" and near("x", []) == ""
    assert near("abcd", ["abxy"]) == "", "half of the letters are not enough"
    assert near("abcde", ["abcxy", "abcdx"]) == "; did you mean abcdx?"
    assert near("abcde", ["abcxy"]) == "; did you mean abcxy?"


def test_the_pages_of_a_part_are_those_of_its_folder_but_its_index(book):
    assert book.pages_of("b/index.md") == ["b/two.md"] and book.pages_of("a/index.md") == ["a/one.md"]
    assert book.pages_of("index.md") == ["b/index.md", "b/two.md", "a/one.md"]


def test_files_of_editors_and_folders_are_no_pages(book):
    for name in (".a.md", ".b/c.md", "b/.d.md"):
        (book.root / "docs" / "ko" / name).parent.mkdir(exist_ok=True)
        (book.root / "docs" / "ko" / name).write_text("# A\n")
    (book.root / "docs" / "ko" / "folder.md").mkdir()
    assert list(Book.read(book.root).pages["ko"]) == list(book.pages["ko"])


def test_kept_results_are_no_part(book):
    (book.root / "snippets" / "results").mkdir()
    (book.root / "snippets" / "results" / "a.py").write_text("")
    assert book.parts() == ["b", "a", "c", "z"]


@pytest.mark.parametrize(
    ("text", "line", "said"),
    [
        ("nav: 3\n", 1, "`nav` holds 3"),
        ("nav: [a.md, [b.md, 4]]\n", 1, "`nav` holds 4"),
        ("a: b\nc: d: e\n", 2, "not YAML"),
    ],
)
def test_settings_that_cannot_be_read_are_refused_with_their_line(tmp_path, text, line, said):
    (tmp_path / "mkdocs.yml").write_text(text)
    with pytest.raises(SettingsError, match=said) as error:
        navigation(tmp_path)
    assert error.value.line == line


def test_empty_settings_have_no_navigation(tmp_path):
    (tmp_path / "mkdocs.yml").write_text("")
    assert navigation(tmp_path) == []


START, END = "# --8<-- [start:{}]", "# --8<-- [end:{}]"


def test_sections_have_their_markers_and_what_stands_between(tmp_path):
    lines = ["x", START.format("a"), "1", "", "2", END.format("a"), "y", START.format("b-2"), END.format("b-2")]
    assert read_sections(lines) == ([Section("a", 2, 6, ("1", "", "2")), Section("b-2", 8, 9, ())], [])
    assert read_sections(["<!-- --8<-- [start: a ] -->", "x", "<!-- --8<-- [end: a ] -->"])[0] == [
        Section("a", 1, 3, ("x",))
    ]


def test_a_marker_without_its_other_one_is_named():
    assert read_sections(["x", START.format("a"), "1", "2"]) == (
        [Section("a", 2, 5, ("1", "2"))],
        [(2, "section a never ends: add `--8<-- [end:a]`")],
    )
    assert read_sections(["1", END.format("a"), "2"]) == (
        [],
        [(2, "section a ends here and did not start: add the start, or rename")],
    )
    assert read_sections([START.format("a"), "1", START.format("b"), "2", END.format("b")]) == (
        [Section("a", 1, 3, ("1",)), Section("b", 3, 5, ("2",))],
        [(3, "section b starts inside a: end that one first")],
    )
    assert read_sections([START.format("a"), "1", END.format("b"), "2", END.format("a")]) == (
        [Section("a", 1, 3, ("1",))],
        [
            (3, "section b ends here and did not start: add the start, or rename"),
            (5, "section a ends here and did not start: add the start, or rename"),
        ],
    )


def test_a_section_is_found_where_it_starts_first(tmp_path):
    path = tmp_path / "code.py"
    path.write_text("\n".join(["x", *[START.format("a"), END.format("a")] * 2, START.format("b")]) + "\n")
    assert sections(path) == {"a": 2, "b": 6}


def test_sections_of_a_file_by_name(tmp_path):
    path = tmp_path / "code.py"
    path.write_text(
        "x\n# --8<-- [start:one-1]\nx\n# --8<-- [end:one-1]\n"
        "<!-- --8<-- [start:two] -->\nx\n<!-- --8<-- [end:two] -->\n# 8<-- [start:no]\n",
        encoding="utf-8",
    )
    assert list(sections(path)) == ["one-1", "two"]


# ---- values in the text


VALUES = """# Worked examples

<!-- --8<-- [start:values] -->
```python
print("rms = 0.58")
```

<!--pytest-codeblocks:expected-output-->

```text
rms = 0.58
```
<!-- --8<-- [end:values] -->
"""


def test_a_line_has_its_values_in_it_and_remembers_its_marks(tmp_path):
    (tmp_path / "part").mkdir()
    (tmp_path / "part" / "a_page.md").write_text(VALUES)
    path = tmp_path / "page.md"
    text = [
        "# T {#t}",
        "It is {{rms}}, not {{cited 0.6}}.",
        "",
        "/// listing | The {{rms}}",
        "`{{x}}` nothing",
        "///",
        "",
    ]
    path.write_text("\n".join(text))
    page = parse(path, "en", "part/a-page.md", tmp_path)
    said = [(line.number, line.text, line.marks) for line in page.lines if line.text]
    assert said == [
        (1, "# T {#t}", []),
        (2, "It is 0.58, not 0.6.", ["rms", "cited 0.6"]),
        (4, "The 0.58", ["rms"]),
        (5, "`{{x}}` nothing", ["x"]),
    ]
    by_number = {line.number: line for line in page.lines}
    assert by_number[2].without_values.text == "It is  , not  ." and by_number[2].without_values.number == 2
    assert by_number[2].without_values.place == "text" == by_number[2].place
    assert by_number[1].without_values is by_number[1], "nothing is taken from a line without values"
    assert by_number[4].place == "title" and by_number[4].without_values.text == "The  "


def test_a_block_without_a_title_has_no_words(read):
    page = read("# T {#t}", "", "/// note", "a", "///")
    assert [(line.text, line.written) for line in page.lines if line.number == 3] == [("", "")]


def test_the_snippets_of_a_book_are_below_its_root_and_so_are_its_values(book, tmp_path):
    assert book.snippets_folder == tmp_path / "snippets"
    (tmp_path / "snippets" / "a" / "one.md").write_text(VALUES)
    (tmp_path / "docs" / "ko" / "a" / "one.md").write_text("{{rms}}")
    assert Book.read(tmp_path).pages["ko"]["a/one.md"].lines[0].text == "0.58"


# ---- paragraphs


def numbers_of_lines(page: Page) -> list[list[int]]:
    found = [[line.number for line in paragraph if line.text] for paragraph in paragraphs(page)]
    return [one for one in found if one]


def test_a_paragraph_ends_where_markdown_ends_it(read):
    text = ["# T {#t}", "one", "goes on", "and on", "", "two", "- item", "  goes on", "- another", "", "a", "## U {#u}"]
    assert numbers_of_lines(read(*text)) == [[1], [2, 3, 4], [6], [7, 8], [9], [11], [12]]
    table = ["above", "| a | b |", "|---|---|", "| c | d |", "", "end"]
    assert numbers_of_lines(read(*table)) == [[1], [2], [3], [4], [6]]
    block = ["a", "/// note | Title", "three", "goes on", "///", "four"]
    assert numbers_of_lines(read(*block)) == [[1], [2], [3, 4], [6]]
    nothing = read("# T {#t}")
    nothing.lines.clear()
    assert list(paragraphs(nothing)) == []
    assert all(paragraphs(read(*text))), "none is empty"


# ---- text written by hand


def test_all_that_is_written_by_hand_and_nothing_that_is_made(tmp_path):
    by_hand = ["a.md", "b/c.py", "b/d.js", "Makefile", ".github/w.yml", ".ci/run", "docs/assets/own.css", "x/y.svg"]
    made = [
        "a.png",
        ".hidden",
        "b/.hidden.md",
        ".venv/a.py",
        "env/pyvenv.cfg",
        "env/a.py",
        "b/__pycache__/c.txt",
        "docs/assets/katex/k.css",
        "node_modules/n.js",
        "site/index.html",
        "docs/assets/figures/part/f.svg",
        "docs/assets/weights/w.json",
    ]
    for name in [*by_hand, *made]:
        (tmp_path / name).parent.mkdir(parents=True, exist_ok=True)
        (tmp_path / name).touch()
    found = [path.relative_to(tmp_path).as_posix() for path in text_files(tmp_path)]
    assert sorted(found) == sorted(by_hand)
    assert found == [*sorted(n for n in by_hand if "/" not in n), *sorted(n for n in by_hand if "/" in n)]


@pytest.mark.parametrize("ending", "css html js json md py sh svg toml txt yaml yml".split())
def test_endings_of_text(tmp_path, ending):
    (tmp_path / f"a.{ending}").touch()
    (tmp_path / f"a.x{ending}").touch()
    assert [path.name for path in text_files(tmp_path)] == [f"a.{ending}"]


def test_what_editions_compare_of_a_line_is_without_the_values_of_examples():
    line = Line("the rms is 0.71, cited 28.4", 7, "caption", "the rms is {{rms}}, cited {{cited 28.4}}")
    assert (line.compared.text, line.compared.number, line.compared.place) == (
        "the rms is  , cited 28.4",
        7,
        "caption",
    )
    plain = Line("no values", 1, "text", "no values")
    assert plain.compared is plain


def test_marks_of_tables_are_no_tags():
    assert Line("<!-- exercises --> <b> <!-- glossary -->", 1, "text").html == ["<b>"]


@pytest.mark.parametrize(
    ("text", "links"),
    [
        ("[a [b] c](d.md)", [("a [b] c", "d.md")]),
        ("[a [](d.md)", [("", "d.md")]),
        ("[[bc]](d.md)", [("[bc]", "d.md")]),
    ],
)
def test_a_link_may_have_brackets_in_its_text_if_they_end(text, links):
    assert Line(text, 1, "text").links == links


@pytest.mark.parametrize(
    ("text", "code", "tex"),
    [
        (r"costs \$5 and \$6$", [], []),
        ("$a$ and $b$", [], ["a", "b"]),
        ("$$a$ b$", [], []),
        ("``a`b`` c`", ["a`b"], []),
    ],
)
def test_code_and_formulas_end_where_markdown_ends_them(text, code, tex):
    line = Line(text, 1, "text")
    assert (line.code, line.tex) == (code, tex)


def test_the_files_of_a_book_are_those_of_its_parts_and_whole_models_without_editions(tmp_path):
    names = ["one/b.py", "one/a.md", "one/a.en.md", "figures/one/f.py", "figures/home/h.py", "onefile/whole.py"]
    for name in [*names, "onefile/notes.md", "tools/kept.py", "one/__init__.py", "results/x.py"]:
        (tmp_path / "snippets" / name).parent.mkdir(parents=True, exist_ok=True)
        (tmp_path / "snippets" / name).touch()
    book = Book(tmp_path, {}, ["one/index.md"])
    assert book.parts() == ["one"]
    assert [book.address(path) for path in book.snippets()] == ["one/a.md", "one/b.py"]
    assert [book.address(path) for path in book.files()] == ["onefile/whole.py"]
    assert [book.address(path) for path in book.figures()] == ["figures/one/f.py", "figures/home/h.py"]
    assert [book.address(path) for path in book.tools()] == ["tools/kept.py"]


def test_a_row_has_its_cells_whatever_is_in_code():
    assert columns("| a | `b|c` | d\\|e |") == 3 and columns("a | b") == 2 and columns("|`x`|") == 1
