"""Numbers in prose: where their values come from, and what the checks say of the others."""

from __future__ import annotations

from pathlib import Path

import pytest

from book.checks import numbers
from book.checks.every import check_pages
from book.checks.side_by_side import questions_hold
from book.source import questions, values
from book.source.pages import Book
from book.source.parser import parse
from book.source.prose import Line
from tests.machinery import little_book
from tests.machinery.test_snippets import OUTPUT, read, run, section  # noqa: F401 (fixtures)

KO, EN, MD, ASKED = "docs/ko/page.md", "docs/en/page.md", "snippets/part/doubling.md", "docs/questions/labs.yml"
VALUES = section("values", 'print("half = 0.5")\n', "half = 0.5\nlong-one = 2.25\n")


@pytest.fixture
def book(tmp_path) -> Path:
    """The little book with two values, both of which both pages show."""
    little_book.write(tmp_path)
    replace(tmp_path, MD, "# Worked examples: doubling\n", f"# Worked examples: doubling\n\n{VALUES}")
    for page in (KO, EN):
        replace(tmp_path, page, "[^why]: ", "{{part/doubling:half}}, $x = {{part/doubling:long-one}}$.\n\n[^why]: ")
    return tmp_path


def replace(book: Path, file: str, old: str, new: str) -> None:
    text = (book / file).read_text(encoding="utf-8")
    assert old in text, f"{file} has no {old}"
    (book / file).write_text(text.replace(old, new, 1), encoding="utf-8")


def said(book: Path) -> list[str]:
    checks = (*numbers.CHECKS, questions_hold)
    return [f"{problem.line}: {problem.message}" for check in checks for problem in check(Book.read(book))]


# ---- what a page shows


@pytest.mark.parametrize(
    ("line", "shown"),
    [
        ("It is {{part/doubling:half}}.", "It is 0.5."),
        ("{{ part/doubling:long-one }}%, $\\frac{1}{2} = {{part/doubling:half}}$", "2.25%, $\\frac{1}{2} = 0.5$"),
        ("{{cited 28.4}} or {{given 1e-5}}", "28.4 or 1e-5"),
        ("{{half}}, {{part/doubling:halves}}, {{gone/file:half}}", None),
        ("$\\frac{{x}}{2}$ and {} and {{}}", None),
    ],
)
def test_a_line_shows_values_as_they_were_printed_and_leaves_alone_what_it_does_not_know(book, line, shown):
    assert values.resolved(line, "page.md", book / "snippets") == (shown or line)


@pytest.mark.parametrize(
    ("line", "shown"),
    [
        ("{{given 0.73}}가 {{given 0.74}}이 {{given 0.65}}으로, {{given 0.10}}로.", "0.73이 0.74가 0.65로, 0.10으로."),
        ("{{given 7.4}}과 {{given 3.30}}는 {{given 0.71}}으로 {{given 0.6}}를", "7.4와 3.30은 0.71로 0.6을"),
        ("{{given 5}}이고 {{given 2}}이었고 {{given 9}}은행", "5이고 2이었고 9은행"),
        ("{{given 28.4}}%는 {{given a}}이 {{gone}}가", "28.4%는 a이 {{gone}}가"),
    ],
)
def test_a_number_takes_the_particle_with_which_it_is_read(book, line, shown):
    assert values.resolved(line, "page.md", book / "snippets", "ko") == shown


def test_a_page_names_the_values_of_its_own_file_without_it(book):
    (book / "snippets/part/own_page.md").write_text("# W\n\n" + section("values-a", "", "rms = 0.71\n"))
    assert values.resolved("{{rms}}", "part/own-page.md", book / "snippets") == "0.71"


def test_fences_and_front_matter_are_left_alone_and_lines_stay_where_they_are(book):
    fenced = "```sh\n{{given 3}}\n```\n\n~~~~\n~~~\n{{given 4}}\n~~~~"
    page = f"---\ntitle: {{{{given 1}}}}\n---\n{{{{given 2}}}}\n{fenced}\n{{{{given 5}}}}"
    shown = values.resolve(page, "page.md", book / "snippets")
    assert shown == page.replace("{{given 2}}", "2").replace("{{given 5}}", "5")


def test_a_value_that_is_printed_anew_is_read_anew_in_questions_too(book):
    replace(book, ASKED, "By adding", "'By {{part/doubling:half}}'")
    replace(book, ASKED, "더해서", "'{{part/doubling:half}}으로'")
    path = book / ASKED

    def asked() -> str:
        return questions.load(path)[0]["lab"][1][0].answers[0].text["en"].text

    assert asked() == "By 0.5"
    replace(book, MD, "half = 0.5\nlong", "half = 0.75\nlong")
    assert asked() == "By 0.75" and check_pages(book) == []


def test_the_checks_read_a_page_as_it_is_shown(book):
    page = parse(book / EN, "en", "page.md", book / "snippets")
    (line,) = (line for line in page.lines if "0.5" in line.text)
    assert line.text == "0.5, $x = 2.25$." and line.formulas == ["x=2.25"]
    assert line.marks == ["part/doubling:half", "part/doubling:long-one"]


# ---- what the checks say


def test_values_that_are_printed_and_shown_are_right(book):
    assert check_pages(book) == []


@pytest.mark.parametrize(
    "text",
    [
        "Section 3.2.1, section 3.5, sections 3.1 (mask), 3.2 and 5.3, table 2, equation (4.2), chapter 4.1.",
        "논문의 3.5절, 3.1절(마스크), 3.2, 5.3절, 표 4.2, 4.1장.",
        "Python 3.11, PyTorch 2.13, torch 2.13.0, GPT-3.5, Llama 3.1, CC BY 4.0, v1.5 and 파이썬은 3.11.",
        "By how many per cent, the percentage, a per cent sign, 프로그램 3개, 프로젝트 5, 몇 퍼센트, 12 프로그램.",
        "`0.5`, 1,000 of 12 and 1/2, 3-4, $p = 0.5$, $e^{0.4}$, and {{given 0.1}} % of {{cited 28.4}}.",
        "- Vaswani et al. 2017, [*Attention*](https://host.example/1706.03762): 28.4 in table 2.",
    ],
)
def test_places_versions_whole_numbers_and_formulas_are_not_computed(text):
    assert numbers.unnamed(Line(values.resolved(text, "page.md"), 1, "text", text)) == []


@pytest.mark.parametrize(
    ("text", "found"),
    [
        ("0.5, −0.25 and -0.75; .5 is none", ["0.5", "0.25", "0.75"]),
        ("58 %, 3%, 12.5 per cent, 7 percent, 40 퍼센트, 1,000.5", ["58 %", "3%", "12.5 per cent", "7 percent"]),
        ("0.07이고 97.9%에서 1e-5까지 1.5e-3, 0.1–0.9", ["0.07", "97.9%", "1e-5", "1.5e-3", "0.1", "0.9"]),
        ("$0.71$, $\\approx 0.25$, $97.5\\,\\%$, $(1.5, 2)$", ["0.71", "0.25", "97.5%", "1.5"]),
        ("12 percentage points, 3 ‰, 12프로입니다, 5퍼밀", ["12 percentage points", "3 ‰", "12프로", "5퍼밀"]),
        ("Forty-one, or forty-one percent, and 사십일 퍼센트", ["forty-one percent", "사십일 퍼센트"]),
        ("In T5 0.7 of them, in GPT 0.71, in Llama 3.1 0.8", ["0.7", "0.71", "0.8"]),
        ("- It is 0.37 by [that](https://host.example/1706.03762) of 2017.", ["0.37"]),
        ("{{given 0.5}} and 0.5, [see 0.6](page.md), ![A curve at 0.7](a.svg)", ["0.5", "0.6", "0.7"]),
    ],
)
def test_decimals_and_percentages_say_where_they_come_from(text, found):
    typed = numbers.unnamed(Line(values.resolved(text, "page.md"), 1, "text", text))
    assert [one.replace(",", "") for one in typed][: len(found)] == [one.replace(",", "") for one in found]


# file, what stands there, what is put there instead, part of what is said
BROKEN = [
    (EN, "always}", "always}\n$$\n\nSo 6.5 is twice 3.25.\n\n$$\n1", "6.5 is typed in: name it in a section `values`"),
    (EN, "A line through the origin", "A line to 0.8 through the origin", "0.8 is typed in"),
    (EN, "{{part/doubling:half}}", "{{part/doubling:hall}}", "prints no such value; did you mean half?"),
    (EN, "{{part/doubling:half}}", "{{part/double:half}}", "there is no snippets/part/double.md"),
    (EN, "{{part/doubling:half}}", "{{given often}}", "holds no number: write it without braces"),
    (EN, "title: Twice", "title: 1.5 times", "1.5 is typed in"),
    (ASKED, "By adding", "By 0.25", "0.25 is typed in"),
    (ASKED, "By adding", "'By {{halves}}'", "{{halves}}: there is no such value in snippets/labs/lab.md"),
    (MD, "half = 0.5\nlong", "half = 0.5\nhalf-more = 0.7\nlong", "no page shows this value: write {{half-more}}"),
    (MD, "half = 0.5\nlong", "half = 0.5\nhalf = 0.5\nlong", "half already stands in line 11"),
    (MD, "half = 0.5\nlong", "half: 0.5\nlong", "values are lines `name = text`"),
    (MD, "half = 0.5\nlong", "Half = 0.5\nlong", "values are lines `name = text`"),
    (MD, "half = 0.5\nlong", "half = [0.5]\nlong", "a value goes into Markdown: print it without ["),
    (MD, OUTPUT.format("half = 0.5\nlong-one = 2.25\n"), "", "these values are not written down"),
    (EN, '"part/doubling.md:three"', '"part/doubling.md:values"', "is not for readers: write {{name}}"),
    ("docs/en/index.md", "doubles a vector.", "doubles {{cited 28.4}}.", None),
    (EN, "Twice the number", "{{cited 28.4}} times the number", "nothing in the section says from where"),
]


@pytest.mark.parametrize(("file", "old", "new", "message"), BROKEN)
def test_what_is_wrong_with_a_number_is_said(book, file, old, new, message):
    replace(book, file, old, new)
    told = said(book)
    assert any(message in one for one in told) if message else told == [], told


def test_a_typed_number_is_found_where_it_is_printed_and_by_its_line(book):
    (book / "snippets/page.md").write_text(section("curve", "", "a loss of 0.75\n"))
    replace(book, EN, "Twice the number", "It is\nso 0.75 of the number")
    assert said(book)[0].startswith("8: 0.75 is typed in (curve prints it)")


def test_both_languages_show_the_same_values_in_each_section(book):
    replace(book, EN, "{{part/doubling:half}}", "{{given 0.5}}")
    told = [problem.message for problem in check_pages(book)]
    assert any("has the mark {{part/doubling:half}}, which docs/en/page.md" in one for one in told)
    assert any("has the mark {{given 0.5}}, which docs/ko/page.md" in one for one in told)


def test_a_value_that_nothing_prints_is_said_to_be_that_and_no_attribute(book):
    for file in (EN, EN.replace("/en/", "/ko/")):
        replace(book, file, "{{part/doubling:half}}", "{{part/doubling:hall}}")
    told = [problem.message for problem in check_pages(book) if "hall" in problem.message]
    assert len(told) == 2 and all("prints no such value" in one for one in told), told


# ---- how they are printed


def test_values_see_what_was_computed_and_printed_and_change_nothing_below(run):  # noqa: F811
    first = section("losses", "x = 3\nprint('step 10: loss 0.31, right 97.9%')\n", "step 10: loss 0.31, right 97.9%\n")
    code = "x = x + 1\nprint(f'x = {x}')\n"
    code += "print('loss =', shown('losses', 'step', 1))\nprint('right =', shown('losses', '%'))\n"
    last = section("below", "print(x, 'shown' in globals())\n", "3 False\n")
    done = run({"good.md": first + section("values", code, "x = 4\nloss = 0.31\nright = 97.9\n") + last})
    assert "3 passed" in done.stdout, done.stdout


@pytest.mark.thorough
def test_values_draw_no_random_numbers_from_the_examples_below(run):  # noqa: F811
    draw = "print(f'{torch.rand(1).item():.4f}')\n"
    first = section("drawn", "import torch\n\ntorch.manual_seed(0)\n", None) + section("next", draw, "0.4963\n")
    second = section("drawn", "import torch\n\ntorch.manual_seed(0)\n", None)
    second += section("values", "print(f'a = {torch.rand(1).item():.4f}')\n", "a = 0.4963\n")
    done = run({"one.md": first, "two.md": second + section("next", draw, "0.4963\n")})
    assert "5 passed" in done.stdout, done.stdout


def test_values_of_a_lab_are_compared_though_its_cells_are_not(run):  # noqa: F811
    cell, wrong = section("cell", "print(2)\n"), section("values", "print('a = 2')\n", "a = 3\n")
    done = run({"labs/one.md": cell + wrong})
    assert "1 failed, 1 passed" in done.stdout and "-a = 3\n+a = 2\n" in done.stdout


def test_accepting_writes_values(run, read):  # noqa: F811
    assert run({"labs/one.md": section("values", "print('a = 2')\n")}, "--accept").returncode == 0
    assert read("labs/one.md") == section("values", "print('a = 2')\n", "a = 2\n")


@pytest.mark.parametrize(
    ("line", "told"),
    [("line", "2 lines contain 'line'"), ("three", "0 lines contain 'three'")],
)
def test_a_number_stands_in_one_line(line, told):
    with pytest.raises(LookupError, match=told):
        values.numbers("line one 0.5\nline two 0.6\n", line)


def test_what_no_example_above_has_printed_is_no_value(run):  # noqa: F811
    done = run({"bad.md": section("values", "shown('below', '1')\n") + section("below", "print(1)\n", "1\n")})
    assert done.returncode == 1 and "no section below above has printed anything" in done.stdout


@pytest.mark.parametrize(
    ("line", "found"),
    [
        ("a-1 0.5, −2 and 1,000.25 or 1e-05.", ["-1", "0.5", "−2", "1,000.25", "1e-05"]),
        ("[[1.  0.25]] 97.9%; x0.5", ["1", "0.25", "97.9", "0.5"]),
    ],
)
def test_the_numbers_of_a_line_are_as_printed(line, found):
    assert values.numbers(line, "1") == found
