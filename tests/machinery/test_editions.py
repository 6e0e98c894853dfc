"""Overlays: a page has the words of its edition, both forms are one program, and both are run."""

from __future__ import annotations

import inspect

import pytest

from book.checks.every import check_pages
from book.source import comments, editions, values
from tests.machinery import little_book
from tests.machinery.test_snippets import read, run, section  # noqa: F401

KOREAN = section("words", "text = '가 나'\nprint(text)\n", "가 나\n") + section("count", "print(len(text))\n", "3\n")
KOREAN += section("same", "print(7)\n", "7\n")
ENGLISH = section("words", "text = 'a bc'\nprint(text)\n", "a bc\n") + section("count", "print(len(text))\n", "4\n")


@pytest.mark.parametrize(
    ("one", "two"),
    [
        ("x = '가'", "x = 'a'  # of a comment"),
        ("단어 = 1\nprint(단어 + 단어)", "word = 1\nprint(word + word)"),
        ("print(f'{x:3}개 {y}')", "print(f'there are {x:10} {y}')"),
        ("print(f'{y}개의 {x:3}')", "print(f'{x:3} of {y}')"),
        ("def f(a):\n    '''가'''\n    return a", "def f(b):\n    '''A.'''\n    return b"),
        ("a = [(3, '가'), (4, '나')]", "b = [(8, 'a'), (9, 'b')]"),
        ("a, b = 'ko', 38", "a, b = 'en', 54"),
        ("for a in '가나':\n    print([a for a in a])", "for b in 'xyz':\n    print([b for b in b])"),
    ],
)
def test_strings_comments_and_variables_may_differ(one, two):
    editions.compare([one], [two])


@pytest.mark.parametrize(
    ("one", "two", "line", "said"),
    [
        ("x = 1\ny = 2", "x = 1\ny = 3", 2, "3 stands here and 2"),
        ("x = [1, 2]", "x = [1, 2, 3]", 1, "has 3 parts here and 2"),
        ("x = [(1, 2), 3]", "x = [1, (2, 3)]", 1, "1 stands here and (1, 2)"),
        ("x = [1, 0.5]", "x = [1, 0.25]", 1, "0.25 stands here and 0.5"),
        ("x = [1, y]", "x = [2, y]", 1, "2 stands here and 1"),
        ("x = f([1, 2])", "x = f([1, 3])", 1, "3 stands here and 2"),
        ("a = b = 1\na + b", "x = b = 1\nx + x", 2, "x stands here for b, and elsewhere for another"),
        ("a = b = 1\na + b", "x = x = 1\nx + x", 1, "x stands here for b"),
        ("print(1)", "len(1)", 1, "len stands here and print in the other edition, and is no variable"),
        ("x = 1\nx.a", "x = 1\nx.b", 2, "'b' stands here and 'a'"),
        ("x = 1 + 2", "x = 1 - 2", 1, "Sub"),
        ("f(a='x')", "f(b='x')", 1, "'b' stands here"),
        ("x = ['가', '나']", "x = ['a']", 1, "has 1 parts here and 2"),
        ("x = 1\n\nx = 2", "x = 1", 1, "has 1 parts here and 2"),
        ("x = '1'", "x = 1", 1, "1 stands here and '1'"),
        ("import a", "import b", 1, "'b' stands here and 'a'"),
        ("print(f'{x}')", "print(f'{x}{x}')", 1, "has 2 parts here and 1"),
    ],
)
def test_another_program_is_refused_with_its_line(one, two, line, said):
    with pytest.raises(editions.Differs, match="stands here|parts here") as raised:
        editions.compare(["first = 0", one], ["first = 0", two])
    assert raised.value.line == line and said in raised.value.args[0] and raised.value.args[1] == 1


@pytest.fixture
def book(tmp_path):
    little_book.write(tmp_path)
    return tmp_path


def test_a_page_has_the_sections_of_its_edition_and_the_others(tmp_path):
    part = tmp_path / "part"
    part.mkdir()
    (part / "x.md").write_text("# W\n\n" + KOREAN)
    (part / "x.en.md").write_text("# W\n\n" + ENGLISH)
    page = 'a\n--8<-- "part/x.md:words"\n--8<-- "part/x.md:same"\n'
    assert comments.addressed(page, "ko", tmp_path) == page
    assert comments.addressed(page, "en", tmp_path) == page.replace("x.md:words", "x.en.md:words")
    assert editions.overlays(tmp_path) == [part / "x.en.md"]
    assert [editions.language_of(part / name) for name in ("x.en.md", "x.md", "x.fr.md", "x.ko.py", "x.en.txt")] == [
        "en", "", "", "ko", "",
    ]  # fmt: skip
    assert editions.base(part / "x.en.md") == part / "x.md" == editions.base(part / "x.md")


def test_values_are_those_of_the_edition(tmp_path):
    part = tmp_path / "part"
    part.mkdir()
    (part / "x.md").write_text("# W\n\n" + section("values", "", "share = 0.5\nrest = 1\n"))
    (part / "x.en.md").write_text("# W\n\n" + section("values", "", "share = 0.7\n"))
    shown = [values.resolved("{{share}} {{rest}}", "part/x.md", tmp_path, language) for language in ("ko", "en")]
    assert shown == ["0.5 1", "0.7 1"]


@pytest.mark.thorough
def test_an_edition_is_run_whole(run):  # noqa: F811
    result = run({"x.md": KOREAN, "x.en.md": ENGLISH}, "snippets/x.en.md")
    assert "3 passed" in result.stdout, result.stdout


@pytest.mark.thorough
def test_what_an_edition_prints_otherwise_has_to_be_in_it(run, read):  # noqa: F811
    first = ENGLISH[: ENGLISH.index("<!-- --8<-- [start:count")]
    result = run({"x.md": KOREAN, "x.en.md": first}, "snippets/x.en.md")
    assert "1 failed, 2 passed" in result.stdout
    assert "put section count into x.en.md, with what it prints in this edition" in result.stdout
    result = run({}, "--accept", "snippets/x.en.md")
    assert result.returncode == 0, result.stdout
    assert read("x.en.md").rstrip() == ENGLISH.rstrip() and read("x.md") == KOREAN
    run({"x.en.md": ENGLISH.replace("4\n", "5\n")}, "--accept", "snippets/x.en.md")
    assert read("x.en.md") == ENGLISH


@pytest.mark.parametrize(
    ("change", "line", "said"),
    [
        (lambda text: text, 3, "section three is the same in doubling.md: remove it here"),
        (lambda text: text.replace("[start:three]", "[start:gone]").replace("[end:three]", "[end:gone]"), 3,
         "doubling.md has no section gone"),
        (lambda text: text.replace("double(3)", "double(4)"), 7, "4 stands here and 3"),
    ],
)  # fmt: skip
def test_the_checks_name_the_file_and_the_line(book, change, line, said):
    part = editions.parts(book / "snippets/part/doubling.md")["three"]
    (book / "snippets/part/doubling.en.md").write_text("# W\n\n" + change(part.text))
    found = [one for one in check_pages(book) if one.path.name == "doubling.en.md"]
    assert [(one.line, said in one.message) for one in found] == [(line, True)]


def test_an_overlay_of_nothing_is_refused(book):
    (book / "snippets/part/gone.en.md").write_text("# W\n")
    assert any("there is no gone.md beside this" in one.message for one in check_pages(book))


def test_a_module_has_the_sections_of_its_edition(tmp_path):
    """What its functions use of a section, and where a traceback finds their lines, are those of the edition."""
    section = "# --8<-- [start:{0}]\n{1}\n# --8<-- [end:{0}]\n"
    code = section.format("words", 'WORD = "둘"') + "\n\n" + section.format("say", "def say() -> str:\n    return WORD")
    (tmp_path / "lab.py").write_text(code, encoding="utf-8")
    (tmp_path / "lab.en.py").write_text(section.format("words", 'MORE = 1\nWORD = "two"'), encoding="utf-8")
    english, korean = (editions.module(tmp_path / "lab.py", language) for language in ("en", "ko"))
    assert (english.say(), korean.say()) == ("two", "둘") and english.MORE == 1
    assert inspect.getsource(english.say) == "def say() -> str:\n    return WORD\n"
    assert english.say.__annotations__ == {"return": str}, "no future of this file is that of the module"
