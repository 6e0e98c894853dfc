"""A listing on a Korean page has Korean comments, and is the same program."""

from __future__ import annotations

import contextlib
import io
import os

import pytest

from book import ROOT
from book.source import catalogs, comments, editions, remarks
from tests.machinery.little_book import LITTLE_BOOK, written
from tests.the_book import without_words

SOURCE = '''"""A module."""


def double(x, *, by=2):
    """Twice x.

    x: (batch, n). Raises ValueError if by is 0.
    """
    # the product is taken
    # only once
    y = x * by  # (batch, n)
    return y  # all of it


def half(x):
    """Half of x."""
    return x / 2  # as a number
'''
WORDS = {
    "Twice x. x: (batch, n). Raises ValueError if by is 0.": "x의 두 배.\n\nx: (batch, n). by가 0이면 ValueError.",
    "the product is taken only once": "곱은 한 번만",
    "all of it": "모두",
    "Half of x.": "x의 절반.",
    "as a number": "아주 " * 40 + "길다",
}


def test_comments_and_docstrings_are_found_where_they_stand():
    found = [(one.kind, remarks.key(one.text), one.line, one.end, one.column) for one in remarks.said(SOURCE)]
    assert found == [
        ("docstring", "A module.", 1, 1, 0),
        ("docstring", "Twice x. x: (batch, n). Raises ValueError if by is 0.", 5, 8, 4),
        ("comment", "the product is taken only once", 9, 10, 4),
        ("trailing", "(batch, n)", 11, 11, 16),
        ("trailing", "all of it", 12, 12, 14),
        ("docstring", "Half of x.", 16, 16, 4),
        ("trailing", "as a number", 17, 17, 18),
    ]
    assert not remarks.said("# --8<-- [start:x]\nimport a  # noqa: E402\n")
    assert [one.text for one in remarks.said("# one\n\n# two\n  # three\nx = 1\n")] == ["one", "two", "three"]


@pytest.mark.parametrize(
    "mark", ["#noqa", "# type: ignore", "# fmt: off", "# pragma: no cover", "#!/bin/sh", "# --8<-- [end:x]", "#--8<-- "]
)
def test_what_speaks_to_programs_is_no_comment(mark):
    assert not remarks.said(f"{mark}\n")


def test_lines_below_each_other_are_one_comment_and_comments_behind_code_are_not():
    assert [one.text for one in remarks.said("# one\n\n# two\n#: xylophone\n")] == ["one", "two\nxylophone"]
    assert [one.text for one in remarks.said("x = 1  # one\ny = 2  #xylophone\n")] == ["one", "xylophone"]
    assert [one.text for one in remarks.said('class A:\n    """It."""\n')] == ["It."]


def test_names_of_the_file_are_no_words_wherever_they_stand_in_a_name():
    assert not remarks.has_words("alpha beta Tensor", "alpha_beta2 = TensorBoard = Tensor\n")
    assert remarks.has_words("alphabet", "alpha = 1\n")
    assert remarks.has_words("for x", "for x in y: pass\n"), "a keyword is a word, too"


@pytest.mark.parametrize(
    ("text", "speaks"),
    [
        ("(words (n)", True),
        ("(n) words)", True),
        ("[words]", False),
        ("[words [n]", True),
        ("[n] words]", True),
        ("ONE", True),
        ("(batch, n)", False),
        ("x: (batch, n, of the words)", False),
        ("by * x", False),
        ("[W_Q | W_K]", False),
        ("`causal_mask`", False),
        ("1 / 2", False),
        ("all of it", True),
        ("x, twice", True),
        ("for x in y", True),
    ],
)
def test_shapes_and_names_need_no_words(text, speaks):
    assert remarks.has_words(text, "def f(x, by, y): pass\n") == speaks


def test_a_listing_has_the_words_of_its_edition_and_is_the_same_program():
    words = {english: (own, 1) for english, own in WORDS.items()}
    shown = comments.translated(SOURCE, words)
    assert shown.startswith('"""A module."""') and "y = x * by  # (batch, n)\n" in shown, "what has no entry stays"
    assert '    """x의 두 배.\n\n    x: (batch, n). by가 0이면 ValueError.\n    """\n    # 곱은 한 번만\n    y' in shown
    assert "    return y  # 모두\n" in shown and '    """x의 절반."""\n' in shown
    assert "    # 아주 아주" in shown and shown.rstrip().endswith("return x / 2"), "too long for the end of a line"
    assert max(map(comments.width, shown.split("\n"))) <= comments.WIDTH
    assert without_words(SOURCE) == without_words(shown)
    assert comments.translated(SOURCE, {}) == SOURCE


@pytest.mark.parametrize("opening", ['"""', "'''", '"', "'", 'r"""', "R'''", 'u"', "U'"])
def test_a_docstring_keeps_its_quotation_marks(opening):
    closing = opening.lstrip("rRuU")
    source = f"def f():\n    {opening}Half.{closing}\n"
    assert comments.translated(source, {"Half.": ("절반.", 1)}) == source.replace("Half", "절반")


@pytest.mark.parametrize("prefix", ["", "r"])
@pytest.mark.parametrize(
    ("own", "lines"),
    [
        ("aaaa bbbbb", ['aaaa bbbbb"""']),
        ("aaaa bbbbbb", ["aaaa bbbbbb", '"""']),
        ("aaaa bbbbbbbb", ["aaaa bbbbbbbb", '"""']),
        ("aaaa bbbbbbbbb", ["aaaa", "bbbbbbbbb", '"""']),
        ("a\n\nb", ["a", "", "b", '"""']),
    ],
)
def test_a_docstring_is_as_wide_as_a_listing(prefix, own, lines):
    source = f'def f():\n    {prefix}"""Half."""\n'
    first, *others = lines
    expected = ["def f():", f'    {prefix}"""{first}', *(f"    {line}".rstrip() for line in others), ""]
    assert comments.translated(source, {"Half.": (own, 1)}, columns=20).split("\n") == expected


BEHIND, ABOVE = "if x:\n    y = x  # one\n", "if x:\n    #: one\n    y = x\n"


@pytest.mark.parametrize(
    ("source", "own", "lines"),
    [
        (BEHIND, "aa bbbb", ["    y = x  # aa bbbb"]),
        (BEHIND, "aa bbbbb", ["    # aa bbbbb", "    y = x"]),
        (BEHIND, "aaaa bbbbbbbbb", ["    # aaaa bbbbbbbbb", "    y = x"]),
        (BEHIND, "aaaa bbbbbbbbbb", ["    # aaaa", "    # bbbbbbbbbb", "    y = x"]),
        (BEHIND, "a\nb", ["    # a", "    # b", "    y = x"]),
        (ABOVE, "aaaa bbbbbbbb", ["    #: aaaa bbbbbbbb", "    y = x"]),
        (ABOVE, "aaaa bbbbbbbbb", ["    #: aaaa", "    #: bbbbbbbbb", "    y = x"]),
    ],
)
def test_a_comment_is_as_wide_as_a_listing_and_stands_above_what_leaves_it_no_room(source, own, lines):
    assert comments.translated(source, {"one": (own, 1)}, columns=20).split("\n")[1:-1] == lines


def test_hangul_is_as_wide_as_two_letters():
    assert comments.width("가a") == 3 and comments.width("xＡ") == 3
    assert comments.wrapped("가나 다라 마", 9) == ["가나 다라", "마"]
    assert comments.wrapped("  가나 다라", 7) == ["  가나", "  다라"]
    assert comments.wrapped("a\n\nb", 9) == ["a", "", "b"]


def test_korean_pages_include_what_is_translated_and_english_ones_the_file(tmp_path):
    module = "# --8<-- [start:f]\ndef f(x):\n    return x  # all of it\n# --8<-- [end:f]\n"
    catalog = "m.py:\n- en: all of it\n  ko: 모두\n"
    written(tmp_path, {"snippets/part/m.py": module, "snippets/part/comments.ko.yml": catalog})
    snippets, cache = tmp_path / "snippets", tmp_path / "cache"
    assert comments.written(snippets / "part/m.py", "ko", snippets, cache) == "ko/part/m.py"
    assert (cache / "ko/part/m.py").read_text() == module.replace("all of it", "모두")
    assert comments.written(snippets / "part/m.py", "en", snippets, cache) is None
    assert comments.written(snippets / "part/doubling.md", "ko", snippets, cache) is None
    include = '--8<-- "part/doubling.md:three"\n'
    assert comments.addressed(include, "ko", snippets) == include
    page = 'It:\n\n    --8<-- "part/m.py:f"  \n\nnot --8<-- "part/m.py:f"\n--8<-- "part/m.py"\n--8<-- "part/m.py" x\n'
    assert comments.addressed(page, "ko", snippets, cache) == page.replace(
        '    --8<-- "part', '    --8<-- "ko/part'
    ).replace('\n--8<-- "part/m.py"\n', '\n--8<-- "ko/part/m.py"\n')


def test_what_was_edited_is_written_again(tmp_path):
    catalog = "m.py:\n- en: one\n  ko: 하나\nn.py:\n- en: one\n  ko: 하나\n"
    files = {f"snippets/part/{name}.py": "x = 1  # one\n" for name in "mn"}
    written(tmp_path, {**files, "snippets/part/comments.ko.yml": catalog})
    snippets, cache, part = tmp_path / "snippets", tmp_path / "cache", tmp_path / "snippets/part"

    def shown(name: str) -> str:
        return (cache / comments.written(part / f"{name}.py", "ko", snippets, cache)).read_text(encoding="utf-8")

    assert shown("m") == shown("n") == "x = 1  # 하나\n"
    unchanged = (cache / "ko/part/m.py").stat().st_mtime_ns
    (part / "n.py").write_text("x = 2  # one\n")
    os.utime(part / "n.py", ns=(0, 0))
    assert shown("n") == "x = 2  # 하나\n"
    (part / "comments.ko.yml").write_text(catalog.replace("n.py:\n- en: one\n  ko: 하나", "n.py:\n- en: one\n  ko: 일"))
    os.utime(part / "comments.ko.yml", ns=(1, 1))
    assert shown("n") == "x = 2  # 일\n"
    assert shown("m") and (cache / "ko/part/m.py").stat().st_mtime_ns == unchanged, "what stays is not written anew"


def test_a_catalog_is_read_with_the_line_of_each_entry_and_grows_in_the_order_of_its_files(tmp_path):
    new = {"b.py": [{"en": "one\ntwo", "ko": "하나\nmax"}], "a.py": [{"en": "of all", "ko": "모두 " * 30 + "다"}]}
    path = tmp_path / "comments.ko.yml"
    path.write_text(catalogs.with_entries(path, {"b.py": [{"en": "none", "ko": ""}]}), encoding="utf-8")
    text = catalogs.with_entries(path, new)
    assert text == (
        f"a.py:\n- en: of all\n  ko: {'모두 ' * 30}다\n"
        "b.py:\n- en: none\n  ko: ''\n- en: |-\n    one\n    two\n  ko: |-\n    하나\n    max\n"
    )
    path.write_text(text.replace("|-", "|"), encoding="utf-8")
    assert catalogs.catalog(tmp_path, "ko")["b.py"] == {"none": ("", 5), "one two": ("하나\nmax", 7)}


def test_entries_come_below_those_that_somebody_wrote_which_stay_to_the_letter(tmp_path):
    path = tmp_path / "comments.ko.yml"
    written = '# by hand\na.md:\n- en: "one: {n}"\n  ko: >-\n    하나\n    {n}\n# last\nc.md:\n- {en: three, ko: 셋}'
    path.write_text(written, encoding="utf-8")
    text = catalogs.with_entries(path, {"b.md": [{"en": "two", "ko": "둘"}], "a.md": [{"en": "one", "ko": ""}]})
    first, last = written.split("# last\n")
    assert text == f"{first}# last\n- en: one\n  ko: ''\nb.md:\n- en: two\n  ko: 둘\n{last}\n"
    path.write_text(text, encoding="utf-8")
    assert [*catalogs.catalog(tmp_path, "ko")] == ["a.md", "b.md", "c.md"]


def test_only_the_python_of_examples_is_translated(tmp_path):
    text = "# all of it\n\n```python\nx = 1  # all of it\n```\n\n```text\n# all of it\n```\n"
    catalog = "x.md:\n- en: all of it\n  ko: 모두\n"
    written(tmp_path, {"snippets/part/x.md": text, "snippets/part/comments.ko.yml": catalog})
    shown = comments.in_words_of(tmp_path / "snippets/part/x.md", "ko")
    assert shown == text.replace("x = 1  # all of it", "x = 1  # 모두")


def test_a_label_has_its_words_in_the_code_and_in_what_it_prints_and_not_beside_them(tmp_path):
    code = '```python\nx = "n  loss"\nprint("n  loss")\nprint("n   loss")\n```'
    output = "```text\nn  loss\nn   loss\n n  loss\n```\n"
    text = f"{code}\n\nn  loss\n\n{output}"
    catalog = "x.md:\n- en: n  loss\n  ko: n  손실\n- en: n   loss\n  ko: n   손실\n"
    written(tmp_path, {"snippets/part/x.md": text, "snippets/part/comments.ko.yml": catalog})
    shown = comments.in_words_of(tmp_path / "snippets/part/x.md", "ko")
    code, prose, output = shown.split("\n\n")
    assert code == '```python\nx = "n  손실"\nprint("n  손실")\nprint("n   손실")\n```'
    assert prose == "n  loss" and output == "```text\nn  손실\nn   손실\n n  loss\n```\n"


MODULE = "# --8<-- [start:f]\ndef f(x):\n    return x  # all of it\n# --8<-- [end:f]\n\n\n# of no page\n"
PAGE = '\n```python\n--8<-- "part/m.py:f"\n```\n'


@pytest.mark.parametrize(
    ("catalog", "where", "line", "message"),
    [
        (None, "m.py", 3, "comments.ko.yml has no Korean for this"),
        ("m.py:\n- en: all of it\n  ko: ''\n", "comments.ko.yml", 2, "write what this says, as ko"),
        ("m.py:\n- en: all of it\n  ko: 모두\n", None, 0, ""),
        ("m.py:\n- en: all of it\n  ko: 모두\n- en: gone\n  ko: 없다\n", "comments.ko.yml", 4, "no longer says this"),
        ("m.py:\n- en: all of it\n  ko: 모두\nn.py:\n- en: x\n  ko: 가\n", "comments.ko.yml", 5, "there is no n.py"),
        ("m.py:\n- en: all of it\n  ko: '모두\"'\n", "comments.ko.yml", 2, "may end the docstring"),
        ("m.py:\n- en: all of it\n", "comments.ko.yml", 2, "an entry has en and ko"),
        ("m.py: [\n", "comments.ko.yml", 2, ""),
        ("- all of it\n", "comments.ko.yml", 1, "below the name of each file"),
        ("m.py:\n- en: all of it\n  ko: 모두'\n", "comments.ko.yml", 2, "may end the docstring"),
        ("m.py:\n- en: all of it\n  ko: 모\\두\n", "comments.ko.yml", 2, "may end the docstring"),
        ('m.py:\n- en: all of it\n  ko: 모"""두\n', "comments.ko.yml", 2, "may end the docstring"),
        ("m.py:\n- en: all of it\n  ko: 모'''두\n", "comments.ko.yml", 2, "may end the docstring"),
        ('m.py:\n- en: all of it\n  ko: 모"두\n', None, 0, ""),
    ],
)
def test_what_a_korean_page_shows_has_words_and_a_catalog_says_nothing_else(tmp_path, catalog, where, line, message):
    texts = {"snippets/part/m.py": MODULE, "docs/ko/page.md": LITTLE_BOOK["docs/ko/page.md"] + PAGE}
    if catalog is not None:
        texts["snippets/part/comments.ko.yml"] = catalog
    book = written(tmp_path, texts)
    found = [one for one in comments.in_the_words_of_the_page(book) if one.path.name in ("m.py", "comments.ko.yml")]
    if where is None:
        assert not found
    else:
        assert (where, line) in [(one.path.name, one.line) for one in found]
        assert any(message in one.message for one in found)


def test_of_a_file_that_is_gone_and_of_one_that_says_a_quotation_no_more_is_said(tmp_path):
    entries = "n.py:\n- en: one\n  ko: 하나\n- en: two\n  ko: 둘\no.py: []\nm.py:\n- en: say 'it'\n  ko: \"'그것'\"\n"
    module = MODULE.replace("all of it", "say 'it'")
    texts = {"snippets/part/m.py": module, "docs/ko/page.md": LITTLE_BOOK["docs/ko/page.md"] + PAGE}
    book = written(tmp_path, {**texts, "snippets/part/comments.ko.yml": entries})
    found = [one for one in comments.in_the_words_of_the_page(book) if one.path.name == "comments.ko.yml"]
    assert [(one.line, one.message.partition(" beside")[0]) for one in found] == [
        (2, "there is no n.py"),
        (1, "there is no o.py"),
    ]


def test_comments_of_worked_examples_have_words_too(tmp_path):
    example = "<!-- --8<-- [start:e] -->\n```python\nx = 1  # one of all\n```\n<!-- --8<-- [end:e] -->\n"
    page = LITTLE_BOOK["docs/ko/page.md"] + '\n--8<-- "part/m.md:e"\n'
    book = written(tmp_path, {"snippets/part/m.md": example, "docs/ko/page.md": page})
    assert [one.text for _, one in comments.shown(book, "ko")[tmp_path / "snippets/part/m.md"]] == ["one of all"]


def test_what_is_missing_is_added_for_somebody_to_write(tmp_path):
    texts = {"snippets/part/m.py": MODULE, "docs/ko/page.md": LITTLE_BOOK["docs/ko/page.md"] + PAGE}
    book = written(tmp_path, texts)
    path = tmp_path / "snippets/part/comments.ko.yml"
    added = dict(comments.add_missing(book, "ko"))
    assert path in added and "m.py:\n- en: all of it\n  ko: ''\n" in path.read_text()
    assert not list(comments.add_missing(book, "ko")), "once"


def test_the_command_says_where_it_has_added_how_many(tmp_path, monkeypatch):
    texts = {"snippets/part/m.py": MODULE, "docs/ko/page.md": LITTLE_BOOK["docs/ko/page.md"] + PAGE}
    written(tmp_path, texts)
    monkeypatch.setattr(comments, "ROOT", tmp_path)
    with contextlib.redirect_stdout(io.StringIO()) as said:
        assert comments.main() == 0
    assert "snippets/part/comments.ko.yml: " in said.getvalue()
    assert said.getvalue().endswith("entries added; write their ko\n")
    with contextlib.redirect_stdout(io.StringIO()) as said:
        assert comments.main() == 0
    assert not said.getvalue(), "once"


@pytest.mark.thorough
def test_every_listing_of_the_book_is_the_same_program_in_korean():
    for path in sorted(path for suffix in ("py", "md") for path in (ROOT / "snippets").glob(f"*/*.{suffix}")):
        if shown := comments.in_words_of(path, "ko"):
            texts = path.read_text(encoding="utf-8"), shown
            one, two = texts if path.suffix == ".py" else map("".join, map(editions.PYTHON.findall, texts))
            assert without_words(one) == without_words(two), path


def test_a_label_has_words_even_where_all_of_them_are_names_of_the_code(tmp_path):
    code = 'loss = 1  # loss\nprint("loss")'
    example = f"<!-- --8<-- [start:e] -->\n```python\n{code}\n```\n<!-- --8<-- [end:e] -->\n"
    page = LITTLE_BOOK["docs/ko/page.md"] + '\n--8<-- "part/m.md:e"\n'
    book = written(tmp_path, {"snippets/part/m.md": example, "docs/ko/page.md": page})
    ((_, said),) = comments.shown(book, "ko")[tmp_path / "snippets/part/m.md"]
    assert (said.kind, said.text) == ("label", "loss")


EXAMPLE = """<!-- --8<-- [start:e] -->
```python
n = 2
print(f"loss of {n}")
```

```text
loss of 2
```

```python
print("loss of", {"all": n}["all"])
```

```text
loss of 2
```
<!-- --8<-- [end:e] -->
"""


def test_each_output_of_an_example_is_found_by_its_line_with_its_words_by_the_code_above_it(tmp_path):
    entries = "x.md:\n- en: loss of {n}\n  ko: '{n}의 손실'\n- en: loss of\n  ko: 손실\n"
    written(tmp_path, {"snippets/part/x.md": EXAMPLE, "snippets/part/comments.ko.yml": entries})
    path = tmp_path / "snippets/part/x.md"
    assert [(line, own()) for line, own in comments.outputs(path, "ko")] == [(8, "2의 손실\n"), (16, "손실 2\n")]
    assert [own() for _, own in comments.outputs(path, "en")] == 2 * ["loss of 2\n"], "it has no catalog"
    (tmp_path / "snippets/part/comments.ko.yml").write_text("y.md:\n- en: a\n  ko: 가\n")
    assert [own() for _, own in comments.outputs(path, "ko")] == 2 * ["loss of 2\n"], "nor an entry"


@pytest.mark.parametrize(
    ("entry", "message"),
    [
        ("{en: 'loss of {n}', ko: '{n}의 손실'}", ""),
        ("{en: 'loss of {n}', ko: 손실}", "write its values as they are, each once: {n}"),
        ("{en: loss of, ko: '손실\"'}", "a double quotation mark or a backslash here"),
        ("{en: loss of, ko: '손실'''}", ""),
        ("{en: all, ko: 모두}", ""),
        ("{en: none, ko: 없음}", "x.md no longer says this"),
    ],
)
def test_a_catalog_names_the_labels_of_examples_and_keeps_their_values(tmp_path, entry, message):
    page = LITTLE_BOOK["docs/ko/page.md"] + '\n--8<-- "part/x.md:e"\n'
    texts = {
        "snippets/part/x.md": EXAMPLE,
        "docs/ko/page.md": page,
        "snippets/part/comments.ko.yml": f"x.md:\n- {entry}\n",
    }
    book = written(tmp_path, texts)
    found = [one for one in comments.in_the_words_of_the_page(book) if one.path.name == "comments.ko.yml"]
    assert [one.line for one in found] == ([2] if message else [])
    assert all(message in one.message for one in found)
