"""Faults that were seeded into the book and not found at first: each is said with its line."""

from __future__ import annotations

from pathlib import Path

import pytest

from book.checks import alike, counted, forms, letters, unused
from book.checks.every import check_pages
from book.source.pages import Book
from book.source.prose import Line
from tests.machinery import little_book
from tests.machinery.test_values import replace

KO, EN, HOME = "docs/ko/page.md", "docs/en/page.md", "docs/ko/index.md"
CSS = "docs/assets/css/book.css"
CHECKS = (*alike.CHECKS, *counted.CHECKS, *forms.CHECKS, *letters.CHECKS, *unused.CHECKS)
EXERCISES = {
    KO: "\n//// exercise | 1. 둘 (쉬움, 4분)\n얼마일까요?\n\n/// solution | 풀이\n2입니다.\n///\n////\n",
    EN: "\n//// exercise | 1. Two (easy, 4 min)\nHow much?\n\n/// solution | Solution\nTwo.\n///\n////\n",
}
MORE = {
    KO: """
## 더 {#more}

값은 {{given 12}}%이고 파라미터가 6500만 개이며, 2017년의 논문 3절과 표 2에 나옵니다. 서른 명 가운데 셋입니다.

앞에서 본 $x$를 더하고 [앞 페이지](index.md#home)로 돌아갑니다.

여기에는 `code`를 썼습니다.

- 먼저 $x$입니다.
- 다음은 `code`입니다.
""",
    EN: """
## More {#more}

It is {{given 12}} %, has 65 million parameters, by section 3 and table 2 (2017). Three of 30 are (it says).

The $x$ from above is added, and we go back to the [first page](index.md#home).

Here, `code` was used.

- First $x$.
- Then `code`.
""",
}


@pytest.fixture
def book(tmp_path) -> Path:
    little_book.write(tmp_path)
    for name in (KO, EN):
        kind, title = (
            ("네 배", "1. 네 배 (보통, 5분)") if name == KO else ("Four times", "1. Four times (medium, 5 min)")
        )
        replace(tmp_path, name, f"exercise | {kind}", f"exercise | {title}")
        replace(tmp_path, name, "\n[^why]: ", f"{EXERCISES[name].replace('1. ', '2. ')}{MORE[name]}\n[^why]: ")
    return tmp_path


def test_the_book_without_a_fault(book):
    assert check_pages(book) == []


# check, file, what stands there, what is put there instead, text of the line, part of what is said
SEEDED = [
    ("exercises_alike", EN, "(easy, 4 min)", "(hard, 4 min)", (KO, "(쉬움, 4분)"), "has hard, 4 min: write the same"),
    ("exercises_alike", EN, "(easy, 4 min)", "(easy, 5 min)", (KO, "(쉬움, 4분)"), "has easy, 5 min: write the same"),
    ("exercises_alike", EN, "| 2. Two", "| 3. Two", (EN, "3. Two"), "this is exercise 2: it says 3"),
    ("exercises_alike", KO, "(쉬움, 4분)", "(쉬움)", (KO, "(쉬움)"), "write the title of an exercise as `1. 제목"),
    (
        "paragraphs_alike",
        EN,
        "Here, `code` was used.\n\n",
        "",
        (KO, "값은"),
        "3 paragraphs stand here before what comes",
    ),
    ("paragraphs_alike", EN, "Solution\nTwo.\n///\n", "Solution\n///\nTwo.\n", (KO, "2입니다"), "1 paragraphs stand"),
    (
        "order_alike",
        EN,
        "The $x$ from above is added, and we go back to the [first page](index.md#home).\n\nHere, `code` was used.",
        "Here, `code` was used.\n\nThe $x$ from above is added, and we go back to the [first page](index.md#home).",
        (KO, "앞에서 본"),
        "keep one order",
    ),
    (
        "order_alike",
        EN,
        "- First $x$.\n- Then `code`.",
        "- First `code`.\n- Then $x$.",
        (KO, "- 먼저"),
        "keep one order",
    ),
    ("whole_numbers", EN, "{{given 12}} %", "{{given 21}} %", (EN, "given 21"), "section more has 21, which docs/ko/"),
    ("whole_numbers", EN, "65 million", "56 million", (EN, "56 million"), "has 56,000,000, which docs/ko/page.md"),
    ("whole_numbers", KO, "6500만", "650만", (KO, "650만"), "has 6,500,000, which docs/en/page.md"),
    ("whole_numbers", EN, "(2017)", "(2018)", (EN, "(2018)"), "has 2,018"),
    ("whole_numbers", EN, "section 3", "section 4", (EN, "section 4"), "has 4"),
    ("whole_numbers", KO, "표 2", "표 7", (KO, "표 7"), "has 7"),
    ("whole_numbers", EN, "Three of 30", "Three of 40", (EN, "of 40"), "has 40"),
    (
        "kinds_known",
        EN,
        "/// solution | Solution\n$4x$",
        "/// answer | Solution\n$4x$",
        (EN, "/// answer"),
        "no block answer",
    ),
    ("kinds_known", EN, "/// solution | Solution\n$4x$", "/// solution\n$4x$", (EN, 44), "this block has no title"),
    ("keys_known", EN, "title: Twice", "titel: A\ntitle: Twice", (EN, "titel"), "no titel; did you mean title?"),
    ("keys_known", EN, "title: Twice", "template: home.html\ntitle: Twice", (EN, "template"), "no template"),
    ("keys_known", EN, "title: Twice", "...\ntitle: Twice", (EN, "..."), "MkDocs ends the front matter here"),
    ("brackets_closed", EN, "(it says)", "(it says", (EN, "(it says"), "2 ( and 1 ) in this paragraph"),
    ("brackets_closed", EN, "(it says)", "it says”", (EN, "it says”"), "0 “ and 1 ” in this paragraph"),
    ("marks_placed", EN, "$x + x$.[^why]", "$x + x$[^why].", (EN, "[^why]."), "behind the full stop"),
    ("marks_placed", EN, "(index.md#home)", "(index.md#home and on)", (EN, "and on"), "Markdown makes no link of"),
    ("letters_seen", EN, "Here,", "H\u0435re,", (EN, "H\u0435re"), "cyrillic small letter ie"),
    ("letters_seen", EN, "Here,", "Here,\u3164", (EN, "Here,\u3164"), "holds U+3164"),
    ("letters_seen", EN, "Here, ", "Here,\u00a0", (EN, "Here,\u00a0"), "no-break space"),
    ("letters_seen", EN, "Here,", "Here\U000e0041,", (EN, "Here\U000e0041"), "holds U+E0041"),
    ("letters_seen", EN, "Here,", "Here\ufe0f,", (EN, "Here\ufe0f"), "variation selector"),
    ("letters_seen", EN, "Here,", "Here\r", (EN, "`code` was used"), "a lone carriage return"),
    ("letters_seen", EN, "Here,", "Here\uff1a", (EN, "Here\uff1a"), "has double width: write :"),
    ("letters_seen", KO, "썼습니다", "썼습니다\u314f", (KO, "썼습니다\u314f"), "belongs to no syllable"),
    ("words_once", EN, "code` was used", "code` was was used", (EN, "was was"), "this word stands twice"),
    ("words_once", KO, "여기에는 `", "여기에는 여기에는 `", (KO, "여기에는 여기에는"), "this word stands twice"),
    (
        "words_once",
        EN,
        "Here, `code`",
        "It holds for what this sentence says at length. It holds for what this sentence says at length. `c`",
        (EN, "It holds for what"),
        "this sentence already stands in line",
    ),
    ("properties_known", CSS, "color: red", "colour: red", (CSS, "colour"), "no property; did you mean color?"),
    ("assets_used", "docs/assets/js/a.js", "import", "imports", ("docs/assets/js/a.js", ".a {"), "nothing loads it"),
    ("html_alike", HOME, "page.md#double)", "page.md#double){ .norm }", None, None),
]


@pytest.mark.parametrize(("check", "file", "old", "new", "place", "said"), SEEDED)
def test_a_seeded_fault_is_said(book, check, file, old, new, place, said):
    (function,) = (function for function in CHECKS if function.__name__ == check)
    if check == "html_alike":  # the same in both first, then another class in one of them
        for home, mark in ((HOME, ".norm"), ("docs/en/index.md", ".ffn")):
            replace(book, home, "(page.md#double)", f"(page.md#double){{ {mark} }}")
        (problem,) = function(Book.read(book))
        assert problem.path == book / HOME and "{ .norm } stands here, and { .ffn } in" in problem.message
        return
    if file.startswith("docs/assets"):
        (book / file).parent.mkdir(parents=True)
        (book / file).write_text(f".a {{\n  {old}: red;\n}}\n".replace(": red: red", ": red"), encoding="utf-8")
    replace(book, file, old, new)
    problem = next((one for one in function(Book.read(book)) if said in one.message), None)
    assert problem, list(map(str, check_pages(book)))
    lines = (book / place[0]).read_bytes().decode().split("\n")
    number = place[1] if isinstance(place[1], int) else next(n for n, one in enumerate(lines, 1) if place[1] in one)
    assert (problem.path, problem.line) == (book / place[0], number), problem


@pytest.mark.parametrize(
    ("korean", "english"),
    [
        (
            "1억 2000만 개, 2억 6800만, 8천만, 15조 개, 1만.",
            "120 million, 268 million, 80 million, 15 trillion, 10,000.",
        ),
        (
            "14분의 1, 15번째, 30초, 6월에 서른네 줄, 20분의 1.",
            "A fourteenth, the fifteenth, half a minute, June, 34, a twentieth.",
        ),
        ("1000배, 100개, 12개.", "A thousand times, a hundred, twelve."),
        (
            "백오십육, 이십일만, 45만큼 크고 헌법 제26조의 “99를 보라”.",
            "156, 210,000, 45 more, and article 26, “of 12”.",
        ),
        ("$50{,}176$쌍과 213 대 214.", "50,176 pairs, and 213 against 214 million."),
    ],
)
def test_numbers_that_each_language_writes_in_its_own_way_are_the_same(korean, english):
    ours, theirs = [Line(korean, 1, "text")], [Line(english, 1, "text")]
    assert counted.lacking(ours, theirs, ("ko", "en")) == [] == counted.lacking(theirs, ours, ("en", "ko"))


@pytest.mark.parametrize(
    "text", ["“by by by”", "*의하여 의하여*", "x and `x` and `x`", "had, had", "the The-x", "$x$ $x$"]
)
def test_words_that_may_stand_twice(book, text):
    for name in (KO, EN):
        replace(book, name, "\n[^why]: ", f"\n{text}\n\n[^why]: ")
    assert not list(letters.words_once(Book.read(book)))


def test_what_is_loaded_is_used_and_what_is_hidden_is_not_published(book):
    folder = book / "docs" / "assets" / "js"
    for name, text in (("b.js", 'import "./a.js";'), ("a.js", ""), (".x/c.js", ""), (".#a.js", ""), ("d.svg", "")):
        (folder / name).parent.mkdir(parents=True, exist_ok=True)
        (folder / name).write_text(text)
    (book / "book" / "theme").mkdir(parents=True)
    (book / "book" / "theme" / "main.html").write_text('<script src="assets/js/b.js"></script>')
    told = {problem.path.name: problem.message for problem in unused.assets_used(Book.read(book))}
    assert told.keys() == {"c.js", "d.svg"} and "hidden folder .x" in told["c.js"]
