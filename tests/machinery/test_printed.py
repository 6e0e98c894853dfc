"""Outputs on Korean pages are refused where they have an English word that is not listed."""

from __future__ import annotations

import pytest

from book.checks import printed
from tests.machinery.little_book import written
from tests.machinery.test_snippets import section

INCLUDE = '\n--8<-- "part/told.md:told"\n'
CODE = 'for name, k in ("old way", 1), ("BERT", 2):\n    print(f"{name:8} {k}")\n'
OUTPUT = "old way  1\nBERT     2\n"


@pytest.fixture
def said(tmp_path):
    """What is said of the little book whose pages include an example, with its Korean and a list of words."""

    def of(korean: str = "", listed: str = "", code: str = CODE, output: str = OUTPUT) -> list[tuple[str, int, str]]:
        files = {"docs/ko/page.md": "---\ntitle: 가\n---\n# 가 {#a}\n" + INCLUDE}
        files["docs/ko/labs/lab.md"] = files["docs/ko/index.md"] = "# 가 {#a}\n"
        files["snippets/part/told.md"] = section("told", code, output)
        if korean:
            files["snippets/part/comments.ko.yml"] = korean
        files[printed.FILE] = listed or "words: {}\n"
        problems = printed.korean_outputs_are_korean(written(tmp_path, files))
        return [(problem.path.name, problem.line, problem.message) for problem in problems]

    return of


def test_a_row_with_an_english_name_is_refused_where_it_stands(said):
    first, second, in_code = said()
    assert first[0] == second[0] == "told.md" and second[1] == first[1] + 1
    assert first[2].startswith("Korean pages show this output with old, way: write the Korean of the string")
    assert "snippets/part/comments.ko.yml" in first[2] and "section part/told.md:told" in first[2]
    assert "with BERT:" in second[2] and "the string 'old way'" in in_code[2]


def test_what_the_catalog_translates_and_what_is_listed_is_fine(said):
    korean = "told.md:\n- en: old way\n  ko: 옛 방식\n"
    words = "words:\n  models: [BERT]\nsections: {}\n"
    assert said(korean, words) == []
    ((_, _, message),) = said(korean)
    assert "with BERT:" in message
    assert said(listed="sections:\n  what a model reads: [part/told.md:told]\n") == []


def test_what_is_listed_and_not_printed_is_refused(said):
    korean = "told.md:\n- en: old way\n  ko: 옛 방식\n"
    listed = "words:\n  models: [BERT,\n    GPT]\nsections:\n  what a model reads: [part/told.md:told]\n"
    assert said(korean, listed) == [
        ("printed.yml", 3, "no Korean page prints GPT any more: remove it"),
        ("printed.yml", 5, "no Korean page prints part/told.md:told any more: remove it"),
    ]


@pytest.mark.parametrize(
    ("line", "english"),
    [
        ("w_q.weight (3, 4)", []),
        ("encoder.norm 1", []),
        ("GPTConfig(d_ff=3)", []),
        ("eval() 0xad6d x 7 d_model", []),
        ("층 1: 0.5", []),
        ("first layer 1", ["first", "layer"]),
        ("인코더 norm, norm", ["norm"]),
        ("nearest-row", ["nearest", "row"]),
    ],
)
def test_names_in_code_numbers_and_letters_are_no_english(line, english):
    assert printed.english(line, {}) == english


def test_a_book_without_the_list_has_no_words(tmp_path):
    assert printed.listed(tmp_path) == ({}, {}, {})


def test_a_phrase_in_the_code_is_refused_in_its_line_and_a_word_a_name_or_korean_is_not(said):
    code = 'runs = {"new": 1, "old way": {"w_q x": 2}}\nprint(runs["old way"]["w_q x"])\n'
    first, second = said(code=code, output="2\n")
    assert first[0] == second[0] == "told.md" and (first[1], second[1]) == (3, 4)
    assert first[2].startswith("Korean pages show this code with the string 'old way': unpack a result in its order")
    assert "section part/told.md:told with what a model reads, belongs into docs/printed.yml" in first[2]
    assert said(code='print(len("old 1 way"), len("old 방식 old way"))\n', output="9 16\n") == []


def test_a_phrase_that_is_listed_or_in_the_catalog_or_within_a_listed_section_is_fine(said):
    code, output = 'runs = {"old way": 2}\nprint(f"{runs[\'old way\']}")\n', "2\n"
    assert [line for _, line, _ in said(code=code, output=output)] == [3, 4]
    for listed in (
        "phrases:\n  fields: [old way]\n",
        "sections:\n  what a model reads: [part/told.md:told]\n",
    ):
        assert said(code=code, output=output, listed=listed) == []
    assert said("told.md:\n- en: old way\n  ko: 옛 방식\n", code=code, output=output) == []
    words = "words:\n  methods: [old, way]\n"  # which no output has
    assert [name for name, *_ in said(code=code, output=output, listed=words)] == ["printed.yml"] * 2


def test_a_phrase_that_no_example_has_any_more_is_refused_and_spaces_around_one_do_not_matter(said):
    listed = "phrases:\n  fields: [old way,\n    as long]\n"
    code = 'print(len("  old way "))\n'
    assert said(code=code, output="10\n", listed=listed) == [
        ("printed.yml", 3, "no Korean page prints as long any more: remove it")
    ]


def test_what_an_error_says_is_english_and_a_row_that_only_begins_like_one_is_not(said):
    assert said(code="axis(x)\n", output="ValueError: x needs an axis\n") == []
    ((_, _, message),) = said(code='print("errors: many")\n', output="errors: many\n")
    assert "with errors, many:" in message


@pytest.mark.parametrize(
    "name",
    ["q_,word", "WORD_", "_word", "_WORD", "word.w", "WORD.w", "word.W", "word.1", "1.word", "1.WORD", "wordWord"]
    + ["word()", "word\\n", "0xword"],
)
def test_a_name_in_code_needs_no_korean(name):
    assert printed.english(f"값 {name}", {}) == []


@pytest.mark.parametrize("text", ["word", "Word", "WORD", "word.", "(word)", "word,", "1 word", "word:"])
def test_a_word_beside_signs_is_a_word(text):
    assert [one.lower() for one in printed.english(text, {})] == ["word"]
    assert printed.english(f"{text} {text}", {}) == printed.english(text, {}), "once"
