"""More faults that were seeded and passed at first: what languages count and cite, and what is typed into a page."""

from __future__ import annotations

from pathlib import Path

import pytest

from book.checks import alike, cited, counted, forms, letters, said, words
from book.source.pages import Book
from book.source.prose import Line
from tests.machinery import little_book
from tests.machinery.test_values import replace

KO, EN = "docs/ko/page.md", "docs/en/page.md"
PAPER = "- Someone {year}, [*{title}*](https://arxiv.org/abs/{number}), section 1."


def seeded(root: Path, korean: str, english: str) -> Book:
    """The little book with these paragraphs more, each in its language."""
    little_book.write(root)
    for name, text in ((KO, korean), (EN, english)):
        replace(root, name, "\n[^why]: ", f"\n{text.removesuffix(NOTES)}\n\n[^why]: ")
        if text.endswith(NOTES):
            (root / name).write_text((root / name).read_text(encoding="utf-8") + NOTES, encoding="utf-8")
    return Book.read(root)


def papers(*of: tuple[int, str, str]) -> tuple[str, str]:
    return ("\n".join(PAPER.format(year=year, title=title, number=number) for year, title, number in of),) * 2


IMAGE = "![{}](assets/figures/part/plain.svg)"
LONG_KO = "두 배는 한 번 더 더한 것과 같고 네 배는 두 배의 두 배와 같습니다. " * 3
LONG_EN = "Twice is the same as adding once more, and four times is the same as twice the double. " * 3
NOTES = "[^a]: A.\n[^b]: B."

# check, Korean, English, file and text of the line, part of what is said; nothing if it is fine
SEEDED = [
    (
        *(counted.whole_numbers, "먼저 12개.\n\n다음 15개.", "First 15 of them.\n\nThen 12 of them."),
        *((KO, "먼저"), "what stands here has 12, which docs/en/page.md:49"),
    ),
    (counted.whole_numbers, "- 먼저 12\n- 다음 15", "- First 15\n- Then 12", (EN, "- First"), "stands here has 15"),
    (counted.whole_numbers, "값[^n].\n\n[^n]: 3절, 5.", "It[^n].\n\n[^n]: Section 5.", (KO, "[^n]: 3"), "has 3, which"),
    (counted.whole_numbers, "먼저 12개.\n\n다음 15개.", "First 12 of them.\n\nThen fifteen.", None, ""),
    (said.number_words, "상자는 넷입니다.", "There are five boxes.", (EN, "five boxes"), "the number word for 5"),
    (said.number_words, "상자는 5개입니다.", "There are five boxes.", None, ""),
    (said.number_words, "스물네 줄이나 두세 줄이다.", "Twenty-four or three lines.", None, ""),
    (said.number_words, "상자는 많습니다.", "There are *five boxes*, one or two.", None, ""),
    (said.number_words, IMAGE.format("상자 여섯 개"), IMAGE.format("Some boxes"), (KO, "여섯"), "for 6 has no"),
    (said.number_words, IMAGE.format("상자 네 개"), IMAGE.format("Three of 4 boxes"), (EN, "Three of"), "for 3 has no"),
    (said.number_words, IMAGE.format("네트워크의 열"), IMAGE.format("A column of a network"), None, ""),
    (
        said.sides,
        IMAGE.format("왼쪽이 크다"),
        IMAGE.format("On the right, it grows"),
        (KO, "왼쪽"),
        "left here, and right",
    ),
    (said.sides, IMAGE.format("왼쪽이 크다"), IMAGE.format("Left of the right one"), None, ""),
    (
        *(said.sides, "/// figure-caption\n오른쪽 끝.\n///", "/// figure-caption\nOn the left.\n///"),
        *((KO, "오른쪽"), "right here, and left in docs/en/page.md:"),
    ),
    (said.lengths, LONG_KO, LONG_EN[:87], (KO, "두 배는 한"), "one of them lacks something"),
    (said.lengths, LONG_KO, LONG_EN * 3, (KO, "두 배는 한"), "one of them lacks something"),
    (said.lengths, LONG_KO, LONG_EN, None, ""),
    (
        cited.titles_alike,
        *papers((2017, "A", "1706.03762"), (2018, "B", "1706.03762")),
        (KO, "*B*"),
        "is b here, and a",
    ),
    (cited.titles_alike, *papers((2017, "A", "1706.03762"), (2017, "A", "1801.00001")), (KO, "1801"), "a leads to"),
    (cited.titles_alike, *papers((2017, "A", "1706.03762"), (2017, "A: B", "1706.03762")), None, ""),
    (cited.years_fit, *papers((2014, "A", "1706.03762")), (KO, "2014"), "is of 2014, and its number on arXiv of 2017"),
    (cited.years_fit, *papers((2020, "A", "1706.03762")), (KO, "2020"), "is of 2020"),
    (cited.years_fit, *papers((2016, "A", "1706.03762"), (2019, "B", "1706.03763")), None, ""),
    (
        forms.notes_in_order,
        f"가[^b] 나[^a].\n\n{NOTES}",
        f"C[^b] D[^a].\n\n{NOTES}",
        (KO, "[^a]: A"),
        "refers to b first",
    ),
    (forms.notes_in_order, f"가[^a] 나[^b] 다[^a].\n\n{NOTES}", f"C[^a] D[^b].\n\n{NOTES}", None, ""),
    (forms.commands_only, "", "```sh\ncd x\nimport torch\n```", (EN, "import torch"), "this is Python"),
    (forms.commands_only, "", "```sh\nprint(2)\n```", (EN, "print(2)"), "this is Python"),
    (forms.commands_only, "", "```sh\nx = 2\n```", (EN, "x = 2"), "this is Python"),
    (forms.commands_only, "", "```sh\n>>> 1 +\n```", (EN, ">>> 1"), "this is Python"),
    (forms.commands_only, "", "```sh\npytest\nX=2 pytest -q\nX=2\ncd ..\nname: x\n# all\n```", None, ""),
    (forms.outputs_included, "", "`tensor([[0.1, 2.0]])`", (EN, "`tensor"), "looks like an output"),
    (forms.outputs_included, "`0.1234`", "", (KO, "`0.12"), "looks like an output"),
    (forms.outputs_included, "", "`[0.25, 0.75]`", (EN, "`[0.25"), "looks like an output"),
    (forms.outputs_included, "`torch.tensor([1.0])`", "`0.98` `[1, 2]` `x[0.5]` `p=0.1234`", None, ""),
    (letters.letters_seen, "옵티마이저 ㄹ은", "x", (KO, "ㄹ은"), "is a letter and no syllable"),
    (letters.letters_seen, "글자 “ㄹ”과 *ㅏ*", "x", None, ""),
    (words.languages, "여기서 the weights of the others 커집니다.", "x", (KO, "the weights"), "this clause is English"),
    (words.languages, "여기서 low rank adaptation 커집니다(as it is said here).", "x", None, ""),
    (words.unmarked_korean, "가", "It is 아무것도 here.", (EN, "아무것도"), "stands in an English sentence"),
    (words.unmarked_korean, "가", "It is *아무것도*, “화요일” or 년 (월요일).", None, ""),
]


@pytest.mark.parametrize(("check", "korean", "english", "place", "message"), SEEDED)
def test_a_seeded_fault_is_said_in_its_line_and_what_is_right_is_not(tmp_path, check, korean, english, place, message):
    found = list(check(seeded(tmp_path, korean, english)))
    if place is None:
        assert found == []
        return
    problem = next((one for one in found if message in one.message), None)
    assert problem, list(map(str, found))
    lines = (tmp_path / place[0]).read_text(encoding="utf-8").split("\n")
    assert problem.path == tmp_path / place[0] and place[1] in lines[problem.line - 1], problem


@pytest.mark.parametrize(
    ("english", "fine"),
    [("To be done.", False), ("Later.", False), ("Left to the reader.", False), ("Later tokens see more.", True)],
)
def test_a_promise_is_no_solution(tmp_path, english, fine):
    little_book.write(tmp_path)
    replace(tmp_path, EN, "$4x$.\n", f"{english}\n" if not fine else f"{english} So it has {'x ' * 40}.\n")
    found = list(forms.solutions_said(Book.read(tmp_path)))
    assert bool(found) != fine and all("this solution says nothing yet" in one.message for one in found)


@pytest.mark.parametrize(
    ("name", "text"),
    [
        ("mkdocs.yml", "nav: [index.md, page.md, labs/lab.md]\nsite_name: 곱절\n"),
        ("book/theme/main.html", "<p>곱절</p>\n"),
        ("book/finish/minimap.py", 'NAME = "곱절"\n'),
        ("snippets/labs/lab.md", little_book.LITTLE_BOOK["snippets/labs/lab.md"].replace('"2 x ="', '"곱절"')),
        ("snippets/part/doubling.py", little_book.LITTLE_BOOK["snippets/part/doubling.py"].replace("Twice as", "곱절")),
        ("exercises/korean.py", 'WORDS = {"twice": "벡타"}\n'),
    ],
)
def test_the_words_of_the_book_are_used_wherever_readers_see_them(tmp_path, name, text):
    little_book.write(tmp_path, {name: text})
    checks = (words.plain_words, words.wording)
    (problem,) = (problem for check in checks for problem in check(Book.read(tmp_path)))
    assert problem.path == tmp_path / name and "the book says" in problem.message
    assert any(word in text.split("\n")[problem.line - 1] for word in ("곱절", "벡타"))


@pytest.mark.parametrize(
    ("language", "text", "numbers"),
    [
        ("ko", "두세 개, 서른두 개와 서른일곱 개, 십 초, 스무 줄, 열여섯이든", {3, 32, 37, 10, 20, 16}),
        ("ko", "스무딩과 네트워크, 세계와 서로, 하나 둘, *넷*, 2열", set()),
        ("ko", "백 스텝, 여덟, 서너 번, 다섯째, 네 번째", {100, 8, 3, 4, 5}),
        ("en", "Thirty-two, twenty-four, sixteen, seventy, one hundred, someone, often", {32, 24, 16, 70}),
    ],
)
def test_number_words_of_both_languages(language, text, numbers):
    assert said.in_words([Line(text, 1, "text")], language) == numbers


def test_pages_whose_examples_differ_by_edition_count_other_things(tmp_path):
    little_book.write(tmp_path)
    section = little_book.LITTLE_BOOK["snippets/part/doubling.md"].partition("\n\n")[2]
    (tmp_path / "snippets/part/doubling.en.md").write_text(section.replace("double(3)", "double(5)"), encoding="utf-8")
    for name, text in ((KO, "12개.\n\n넷.\n\n15개."), (EN, "Of 15.\n\nFive.\n\nOf 12.")):
        replace(tmp_path, name, "\n[^why]: ", f"\n{text}\n\n[^why]: ")
    book = Book.read(tmp_path)
    assert alike.by_edition(book, book.pages["ko"]["page.md"])
    assert not alike.by_edition(book, book.pages["ko"]["index.md"])
    assert not [*counted.whole_numbers(book), *said.number_words(book)]
