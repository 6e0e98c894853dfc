"""What worked examples print has the words of an edition, and is what the translated program prints."""

from __future__ import annotations

import pytest

from book.artifacts import examples
from book.source import comments, labels, localized
from tests.machinery.little_book import written


def _printed(code: str) -> str:
    return examples.run(code, {}, "x.md", 1)


@pytest.mark.parametrize(
    ("code", "words", "korean", "output"),
    [
        ('print("n  loss")', {"n  loss": "n  손실"}, 'print("n  손실")', "n  손실\n"),
        (
            'n = 3\nprint(f"{n} tokens: {n / 2:.1f}, {n} of all")',
            {"{n} tokens: {n / 2:.1f}, {n} of all": "토큰 {n}개: 모두 가운데 {n}, {n / 2:.1f}"},
            'n = 3\nprint(f"토큰 {n}개: 모두 가운데 {n}, {n / 2:.1f}")',
            "토큰 3개: 모두 가운데 3, 1.5\n",
        ),
        ('print("sum", 3, "in all")', {"sum": "합", "in all": "모두"}, 'print("합", 3, "모두")', "합 3 모두\n"),
        ('print("sum", 3, sep=": ")', {"sum": "합"}, 'print("합", 3, sep=": ")', "합: 3\n"),
        (
            'for k in 1, 2:\n    print("row", k, end=", ")\nprint(f"{k} rows")',
            {"row": "행", "{k} rows": "행 {k}개"},
            'for k in 1, 2:\n    print("행", k, end=", ")\nprint(f"행 {k}개")',
            "행 1, 행 2, 행 2개\n",
        ),
        (
            'for k in 1, 2:\n    print(k, end="")\n    print(f"  of {k}")',
            {"  of {k}": "  전체 {k}"},
            'for k in 1, 2:\n    print(k, end="")\n    print(f"  전체 {k}")',
            "1  전체 1\n2  전체 2\n",
        ),
        (
            'for name, k in ("as it is", 7), ("a", 12):\n    print(f"{name:9} {k:2} times 1")',
            {"{name:9} {k:2} times 1": "{name:9} 1이 {k:2}번"},
            'for name, k in ("as it is", 7), ("a", 12):\n    print(f"{name:9} 1이 {k:2}번")',
            "as it is  1이  7번\na         1이 12번\n",
        ),
        (
            'print("models: " + "".join(f"{k:3}" for k in (1, 2)))',
            {"models: ": "모델: "},
            'print("모델: " + "".join(f"{k:3}" for k in (1, 2)))',
            "모델:   1  2\n",
        ),
        (
            'print(", ".join(f"{k} digits {k / 9:.1%}" for k in (1, 2)))',
            {"{k} digits {k / 9:.1%}": "{k}자리 {k / 9:.1%}"},
            'print(", ".join(f"{k}자리 {k / 9:.1%}" for k in (1, 2)))',
            "1자리 11.1%, 2자리 22.2%\n",
        ),
        (
            'k = 1\nprint(\n    f"{k} is odd, "\n    f"{k + 1} is even"\n)',
            {"{k} is odd, ": "{k}은 홀수, ", "{k + 1} is even": "{k + 1}는 짝수"},
            'k = 1\nprint(\n    f"{k}은 홀수, "\n    f"{k + 1}는 짝수"\n)',
            "1은 홀수, 2는 짝수\n",
        ),
        (
            'k = 1\nprint(f"{k} is odd\\n  and {{more}}")',
            {"{k} is odd\\n  and {{more}}": "{k}은 홀수\\n  그리고 {{더}}"},
            'k = 1\nprint(f"{k}은 홀수\\n  그리고 {{더}}")',
            "1은 홀수\n  그리고 {더}\n",
        ),
        ('가 = 1; print(f"{가} odd")', {"{가} odd": "홀수 {가}"}, '가 = 1; print(f"홀수 {가}")', "홀수 1\n"),
        (
            'for name, k in ("old way", 1), ("new", 2):\n    print(f"{name:8} {k}")',
            {"old way": "옛 방식", "new": "새것       "},
            'for name, k in ("옛 방식", 1), ("새것       ", 2):\n    print(f"{name:8} {k}")',
            "옛 방식     1\n새것        2\n",
        ),
        (
            'of = {"old": 1, "new": 2}\nfor name in of:\n'
            '    print(*(f"{k:4}" for k in (1, 2)), " " + name)\nprint(of["new"])',
            {"old": "옛것", "new": "새것"},
            'of = {"옛것": 1, "새것": 2}\nfor name in of:\n'
            '    print(*(f"{k:4}" for k in (1, 2)), " " + name)\nprint(of["새것"])',
            "   1    2  옛것\n   1    2  새것\n2\n",
        ),
        (
            'print([("old", 1)], {"new": 2})\nprint("new")',
            {"old": "옛것", "new": "새것"},
            'print([("옛것", 1)], {"새것": 2})\nprint("새것")',
            "[('옛것', 1)] {'새것': 2}\n새것\n",
        ),
        (
            "k = 0\nprint(f\"{'all':5}{k or 'none'}\")\nprint(f\"{k} of {'all'}\")",
            {"all": "모두", "none": "없음", "{k} of {'all'}": "{'all'} 가운데 {k}"},
            "k = 0\nprint(f\"{'모두':5}{k or '없음'}\")\nprint(f\"{'모두'} 가운데 {k}\")",
            "모두   없음\n모두 가운데 0\n",
        ),
        ('print("odd")\nprint("even")', {"odd": "홀수"}, 'print("홀수")\nprint("even")', "홀수\neven\n"),
    ],
)
def test_code_and_output_have_the_words_of_the_edition_and_are_one_program(code, words, korean, output):
    def own(label):
        return words.get(label, "")

    assert localized.in_code(code, own) == korean
    assert localized.in_output(_printed(code), [code], own) == output == _printed(korean)


def test_a_docstring_and_a_pattern_are_no_names_and_a_name_has_its_words_only_where_it_is_all_of_a_value():
    code = 'def f(x):\n    """old"""\n    return x == "old" or r"old"\n\n\nprint(f("old"), "older")'
    assert [one.text for one in labels.names(code)] == ["old", "old"]
    own = {"old": "옛것"}.get
    assert localized.in_code(code, own) == code.replace('"old" or', '"옛것" or').replace('f("old")', 'f("옛것")')
    printed = "an older one\nolder\nold\n"
    assert (
        localized.in_output(printed, ['print("an", x, "one")', 'y = "old"\nprint(y)'], own) == printed[:-4] + "옛것\n"
    )


def test_labels_of_a_line_and_of_lines_are_in_their_order_with_their_places():
    code = "print('ab', f'cd {1}')\nprint(\n    'ef '\n    F'gh {2} '\n    'ij', 3)\nprint(f'kl')"
    assert [(one.text, one.line, one.column, one.is_formatted) for one in labels.labels(code)] == [
        ("ab", 1, 7, False), ("cd {1}", 1, 14, True), ("ef ", 3, 5, False),
        ("gh {2} ", 4, 6, True), ("ij", 5, 5, False), ("kl", 6, 8, True),
    ]  # fmt: skip
    korean = localized.in_code(code, {"ab": "가", "cd {1}": "나 {1}", "gh {2} ": "다 {2} ", "ij": "라"}.get)
    assert korean == "print('가', f'나 {1}')\nprint(\n    'ef '\n    F'다 {2} '\n    '라', 3)\nprint(f'kl')"


def test_a_quotation_mark_in_a_string_does_not_end_it_and_a_pattern_is_no_label():
    code = 'print("it\'s \\"one\\"", r"two", rf"three {1}")\nx = fr"four"'
    (label,) = labels.labels(code)
    assert label.text == 'it\'s \\"one\\"' and not labels.elsewhere(code)
    own = {label.text: '\\"하나\\"'}.get
    assert localized.in_output('it\'s "one" two three 1\n', [code], own) == '"하나" two three 1\n'


@pytest.mark.parametrize(
    ("text", "parts"),
    [
        ("{n} rows", [("{n}", True), (" rows", False)]),
        ("{x:{w}} is", [("{x:{w}}", True), (" is", False)]),
        ("{{{n}}} ab}}{{", [("{", False), ("{n}", True), ("} ab}{", False)]),
        ("ab\\t{n}{m}\\n", [("ab\t", False), ("{n}", True), ("{m}", True), ("\n", False)]),
        ("ab", [("ab", False)]),
    ],
)
def test_a_label_has_texts_and_values(text, parts):
    assert labels.Label(text, 1, 1, True).parts() == parts


@pytest.mark.parametrize(
    ("code", "output", "own", "expected"),
    [
        # what is printed by nobody, what is printed by two, and what ends within a line
        ('print("row", 1)', "nothing\nrow 1\n", {"row": "행"}, "nothing\n행 1\n"),
        ('print("row", 1)', "row 1", {"row": "행"}, "row 1"),
        ('print("row", end="")', "row", {"row": "행"}, "행"),
        ('print(f"{k} row")\nprint("a row")', "a row\n", {"{k} row": "행 {k}"}, "행 a\n"),
        ('print(f"{k:5} row")', "  a row\nabcdef row\n", {"{k:5} row": "행 {k:5}"}, "  a row\n행 abcdef\n"),
        ('print(f"{k:>5,} row")', "    7 row\n", {"{k:>5,} row": "행 {k:>5,}"}, "행     7\n"),
        ('print(f"{k:.5f} row")', "0.5 row\n", {"{k:.5f} row": "행 {k:.5f}"}, "행 0.5\n"),
        ('print(f"{k!s:5} row")', "ab    row\n", {"{k!s:5} row": "행 {k!s:5}"}, "행 ab   \n"),
        ('x = f"{k} of {n}"\nprint(x)', "b 1 of 2 c\n", {"{k} of {n}": "{n}의 {k}"}, "b 2의 1 c\n"),
    ],
)
def test_only_what_a_call_may_have_printed_has_its_words(code, output, own, expected):
    assert localized.in_output(output, [code], lambda label: own.get(label, "")) == expected


@pytest.mark.parametrize("form", ["4", "12", "<5", ">5", "^5", "*>5", "=5", "+5", "-5", " 5", "05", "#5", "5,", "6.1f"])
def test_where_a_value_ends_is_known_from_the_width_of_its_format(form):
    code = f'a, b = 7, 8\nprint(f"{{a:{form}}}{{b}} rows")'
    words = {f"{{a:{form}}}{{b}} rows": f"행 {{b}}, {{a:{form}}}"}
    korean = localized.in_code(code, lambda label: words.get(label, ""))
    assert localized.in_output(_printed(code), [code], lambda label: words.get(label, "")) == _printed(korean)


@pytest.mark.parametrize(
    ("code", "output", "expected"),
    [
        ('print("row")', " row\nrow\n", " row\n행\n"),
        ('print(1, end=" ")\nprint("row")', "1 row\nrow\n2\n1 row\n", "1 행\n행\n2\n1 행\n"),
        ('print(1, end=" ")\nprint(f"{k}row")', "1 2row\n", "행 1 2\n"),
        ('print("a row", end="")\nprint("row", 1)', "a rowrow 1\n", "한 행행 1\n"),
    ],
)
def test_a_call_goes_on_in_a_line_only_if_another_may_have_begun_it(code, output, expected):
    own = {"row": "행", "{k}row": "행 {k}", "a row": "한 행"}
    assert localized.in_output(output, [code], lambda label: own.get(label, "")) == expected


def test_a_label_has_words_and_is_printed():
    code = 'x = "one"\nprint(x, "two", "  1 =", f"{x} d_k {len(x):>4}")\nf("three")\nprint(of["four"], f"{of["five"]}")'
    assert [one.text for one in labels.labels(code.replace('["five"]', "[5]"))] == ["two"]
    assert not labels.labels("print(1)\nf('one')")


def test_an_f_string_that_is_printed_later_may_have_words_and_needs_none():
    code = 'def f(k):\n    return f"{k:3} of {2 * k}"\n\nprint("half:", f(4))\nprint(f(5))'
    assert [one.text for one in labels.labels(code)] == ["half:"]
    words = {"{k:3} of {2 * k}": "{2 * k} 가운데 {k:3}", "half:": "반:"}
    korean = localized.in_code(code, lambda label: words.get(label, ""))
    assert korean == code.replace("{k:3} of {2 * k}", "{2 * k} 가운데 {k:3}").replace("half", "반")
    assert localized.in_output(_printed(code), [code], lambda label: words.get(label, "")) == _printed(korean)
    del words["{k:3} of {2 * k}"]
    assert (
        localized.in_output(_printed(code), [code], lambda label: words.get(label, "")) == "반:   4 of 8\n  5 of 10\n"
    )


def test_what_a_function_prints_is_that_of_the_piece_that_defines_it():
    sources = ['def f(n):\n    print(f"{n} rows")', "f(2)"]
    assert localized.in_output("2 rows\n", sources, {"{n} rows": "행 {n}개"}.get) == "행 2개\n"
    assert localized.in_output("2 rows\n", sources[1:], {"{n} rows": "행 {n}개"}.get) == "2 rows\n"


def test_a_line_is_that_of_the_call_that_says_most_of_it():
    code = 'print(f"{a} of {b}")\nprint(f"{a} of {b} rows")'
    own = {"{a} of {b}": "{b} 가운데 {a}", "{a} of {b} rows": "행 {b}개 가운데 {a}개"}.get
    assert localized.in_output("1 of 2 rows\n1 of 2\n", [code], own) == "행 2개 가운데 1개\n2 가운데 1\n"


@pytest.mark.parametrize(
    ("text", "own", "fault"),
    [
        ("{n} rows", "행 {n}개", ""),
        ("{n:3} of {m}", "{m}개 가운데 {n:3}개", ""),
        ("{n:3} rows", "행 {n}개", "write its values as they are, each once: {n:3}"),
        ("{n} rows", "행", "write its values as they are, each once: {n}"),
        ("{n} rows", "{n}, {n}", "write its values as they are, each once: {n}"),
        ("rows", '"행"', "ends or changes the string"),
        ("rows", "행\n", "ends or changes the string"),
        ("rows", "행\\n", "ends or changes the string"),
        ("rows\\n", "행\\n", ""),
        ("rows {", "행 {", ""),
    ],
)
def test_words_have_the_values_of_their_label(text, own, fault):
    said = labels.fault(text, own)
    assert fault in said and bool(said) == bool(fault)


def test_a_check_refuses_words_with_other_values(tmp_path):
    example = '<!-- --8<-- [start:e] -->\n```python\nprint(f"{1} rows")\n```\n<!-- --8<-- [end:e] -->\n'
    catalog = "m.md:\n- en: '{1} rows'\n  ko: 행\n"
    page = '\n--8<-- "part/m.md:e"\n'
    texts = {"snippets/part/m.md": example, "snippets/part/comments.ko.yml": catalog}
    book = written(tmp_path, {**texts, "docs/ko/page.md": page})
    (problem,) = (one for one in comments.in_the_words_of_the_page(book) if one.path.name == "comments.ko.yml")
    assert (problem.path.name, problem.line) == ("comments.ko.yml", 2)
    assert problem.message == "write its values as they are, each once: {1}"


def test_a_name_within_an_f_string_is_known_with_its_place():
    code = "k = 1\nprint('a', f\"x {'all':8} {k or 'none'} {f'some':5}\")\nprint(dict(one='two'))"
    found = sorted(labels.names(code), key=lambda one: (one.line, one.column))
    assert [(one.text, one.line, one.is_formatted) for one in found] == [
        ("all", 2, False),
        ("none", 2, False),
        ("some", 2, True),
        ("two", 3, False),
    ]
    for one in found:
        assert code.splitlines()[one.line - 1][one.column :].startswith(one.text)
    with pytest.raises(AttributeError):
        found[0].text = "another"


def test_two_strings_in_a_line_are_two():
    assert [one.text for one in labels.names('of = ["a", "b"]\nodd = [r"c", "it\'s"]')] == ["a", "b", "it's"]


def test_what_all_strings_say_is_told_with_their_lines_in_the_words_of_the_edition():
    code = '"""Doc."""\nruns = {"old": 1}\nprint(f"a {runs[\'old\']} b",\n      "c")\n'
    words = {"old": "옛", "c": "다"}
    said = [(2, "옛"), (3, "a "), (3, " b"), (3, "옛"), (4, "다")]
    assert sorted(localized.texts(code, lambda text: words.get(text, ""))) == sorted(said)


@pytest.mark.parametrize("said", ["", '"see", '], ids=["names alone", "names and a word"])
@pytest.mark.parametrize(
    "values",
    ['"big dog", "so very", "old house"', '"big dog", "so very"', '"so very", "old house"', '"big dog", 8, "big"'],
)
def test_names_of_several_words_among_other_values_are_told_apart(said, values):
    """Two of the values are names, or one, and another has spaces, too; one name is the beginning of another."""
    words = {"see": "보라", "big dog": "개", "old house": "헌 집", "big": "커다란 동물"}
    variables = ", ".join("abc"[: values.count(",") + 1])
    code = f"for {variables} in [({values})]:\n    print({said}{variables})"
    korean = code
    for english in sorted(words, key=len, reverse=True):
        korean = korean.replace(f'"{english}"', f'"{words[english]}"')
    assert localized.in_output(_printed(code), [code], lambda label: words.get(label, "")) == _printed(korean)


def test_a_string_without_words_is_told_as_it_is():
    assert list(localized.texts("print(f\"{n} rows of {'x'}\")", {}.get)) == [(1, " rows of "), (1, "x")]
