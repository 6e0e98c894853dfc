"""English pages show English: Hangul is counted with what a page includes, and refused where it is not the point."""

from __future__ import annotations

import pytest

from book.checks import hangul
from tests.machinery.little_book import LITTLE_BOOK, written
from tests.machinery.test_snippets import section
from tests.the_book import BOOK

SENTENCE = "모든 국민은 법 앞에 평등하다. "  # 12 letters


@pytest.fixture
def said(tmp_path):
    """What is said of the little book, whose English page ends with these lines, and includes these examples."""

    def of(lines: str, examples: dict[str, str] | None = None) -> list[tuple[str, int, str]]:
        files = {"docs/en/page.md": LITTLE_BOOK["docs/en/page.md"] + lines, **(examples or {})}
        problems = hangul.english_pages_show_english(written(tmp_path, files))
        return [(problem.path.name, problem.line, problem.message) for problem in problems]

    return of


@pytest.fixture
def unexplained(tmp_path):
    """Which words the little English page, whose last lines these are, prints without saying what they mean."""

    def of(output: str, lines: str = "") -> list[tuple[int, str]]:
        page = LITTLE_BOOK["docs/en/page.md"] + lines + '\n--8<-- "part/told.md:told"\n'
        files = {"docs/en/page.md": page, "snippets/part/told.md": section("told", "print('금')\n", output)}
        problems = hangul.outputs_have_their_meaning(written(tmp_path, files))
        return [(problem.line, problem.message.partition(", and nothing")[0]) for problem in problems]

    return of


@pytest.mark.parametrize(
    "output", ["월 [month]\n", "월[month]\n", "month -> 월\n", "to 월 [month] 일[a day]\n", "5 -> 5\n"]
)
def test_a_word_beside_its_meaning_is_fine(unexplained, output):
    assert unexplained(output) == []


@pytest.mark.parametrize(
    ("output", "words"),
    [
        ("월 일\n", "월, 일"),
        ("월 월 [month]\n일\n일\n", "월, 일"),
        ("5 -> 월\n", "월"),
        ("월 []\n", "월"),
        ("a -> 월\n", "월"),
        ("월  [month]\n", "월"),
    ],
)
def test_a_word_that_nothing_explains_is_refused_where_it_is_included(unexplained, output, words):
    assert unexplained(output) == [(LITTLE_BOOK["docs/en/page.md"].count("\n") + 2, f"prints {words}")]


def test_a_word_in_the_text_of_the_page_is_fine_and_a_long_one_is_looked_for_first(unexplained, monkeypatch):
    assert unexplained("2024년3월5일일요일\n", "\n년, 월, 일, 일요일 (*Sunday*)\n") == []
    assert [words for _, words in unexplained("일요일\n", "\n일 (*day*)\n")] == ["prints 요"]
    monkeypatch.setattr(hangul, "ABOUT_KOREAN", {"page.md"})
    assert unexplained("요일\n") == []


def test_a_few_letters_are_fine_and_more_are_refused_where_most_stand(said):
    length = LITTLE_BOOK["docs/en/page.md"].count("\n")
    assert said("\n" + 2 * SENTENCE + "\n") == []
    ((name, line, message),) = said(f"\n{SENTENCE}\n\n{2 * SENTENCE}\n")
    assert (name, line) == ("page.md", length + 4)
    assert message.startswith("shows 36 letters of Hangul, 24 of them here, and English readers read English: give")


def test_what_is_included_counts_in_the_form_of_the_edition(said):
    include = '\n--8<-- "part/told.md:told"\n'
    korean = {"snippets/part/told.md": section("told", f"print('{3 * SENTENCE}')\n", f"{3 * SENTENCE}\n")}
    ((_, line, message),) = said(include, korean)
    assert line == LITTLE_BOOK["docs/en/page.md"].count("\n") + 2 and message.startswith("shows 72 letters")
    english = {"snippets/part/told.en.md": section("told", "print('equal')\n", "equal\n")}
    assert said(include, korean | english) == []


@pytest.mark.parametrize("listed", ["ABOUT_KOREAN", "TRANSLATED"])
def test_a_listed_page_may_have_any_number_and_has_some(said, monkeypatch, listed):
    monkeypatch.setattr(hangul, listed, {"page.md"})
    assert said(f"\n{9 * SENTENCE}\n") == []
    (problem,) = said("")
    assert problem == ("page.md", 1, "has no Hangul any more: remove it from the lists in book/checks/hangul.py")


def test_the_lists_name_pages_of_the_book():
    assert BOOK.pages["en"].keys() >= hangul.ABOUT_KOREAN | hangul.TRANSLATED
    assert not hangul.ABOUT_KOREAN & hangul.TRANSLATED
