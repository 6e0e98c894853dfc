"""The questions of a page: what their file may hold, what is said of one that is wrong, and the section they become."""

from __future__ import annotations

import os
import re
from pathlib import Path

import pytest
import yaml
from bs4 import BeautifulSoup
from markdown import Markdown

from book import LANGUAGES, ROOT
from book.checks import every
from book.markdown.formulas import FormulaExtension
from book.markdown.quiz import NEAR, REPEATED, WORDS, QuestionExtension, again
from book.markdown.terms import GlossaryExtension
from book.source.questions import everything, files, load
from tests.machinery import little_book

FILE = """\
# Questions of this part.
page:
- id: why-two
  ko: "왜 $2x$일까요?"
  en: "Why is it $2x$?"
  answers:
  - ko: "`double`이 더하므로."
    en: "Because `double` adds."
    why_ko: "더하지 않고 $2$를 곱합니다."
    why_en: "It does not add, it multiplies by $2$."
  - ko: "두 배이므로."
    en: "Because it is double."
    right: true
    why_ko: "두 배란 $x + x$입니다."
    why_en: "Double means $x+x$."
- id: second
  ko: "둘째 질문일까요?"
  en: "Is it the second?"
  answers:
  - {ko: 네, en: Yes it is, why_ko: 둘째입니다., why_en: It is., right: true}
  - {ko: 아니요, en: No, why_ko: 둘째인데요., why_en: "It is, though.", right: false}
"""


def write(folder: Path, text: str, name: str = "part") -> Path:
    path = folder / f"{name}.yml"
    path.parent.mkdir(parents=True, exist_ok=True)
    path.write_text(text, encoding="utf-8")
    return path


def where(text: str, part: str) -> int:
    return next(number for number, line in enumerate(text.splitlines(), 1) if part in line)


def test_what_is_right_is_read_whole(tmp_path):
    found, wrong = load(write(tmp_path, FILE))
    assert wrong == [] and list(found) == ["page"]
    line, (first, second) = found["page"]
    assert (line, first.id, first.line, second.line) == (2, "why-two", 3, where(FILE, "- id: second"))
    assert [answer.right for answer in first.answers] == [False, True]
    assert [answer.right for answer in second.answers] == [True, False]
    assert [line.text for line in first.lines("en")] == [
        "Why is it $2x$?",
        "Because `double` adds.",
        "It does not add, it multiplies by $2$.",
        "Because it is double.",
        "Double means $x+x$.",
    ]
    assert [line.number for line in first.lines("ko")] == [4, 7, 9, 11, 14]


# what stands there, what is put there instead, part of the line that is named, and part of what is said
WRONG = [
    ("page:\n", "page: [\n", "- id: why-two", "this is not YAML"),
    (FILE, "# none yet\n", "# none yet", "there are no questions"),
    (FILE, "- a\n", "- a", "there are no questions"),
    (FILE, "page:\n", "page:", "page has no list of questions"),
    (FILE, "page: []\n", "page:", "page has no list of questions"),
    (FILE, FILE + "page:\n- x\n", -2, "page stands here twice"),
    (
        "- id: why-two\n",
        "- why\n- id: why-two\n",
        "- why",
        "has the fields id, ko, en, answers: this is none",
    ),
    ("- id: why-two\n  ko", "- ko", '"왜', "a question needs an id"),
    ("why-two", "Why_Two", "Why_Two", "small letters, digits and hyphens"),
    ("id: second", "id: why-two", where(FILE, "- id: second"), "the id why-two already stands in line 3"),
    ('  en: "Is it the second?"\n', "", "- id: second", "en is missing: every text is there in both languages"),
    ('ko: "둘째 질문일까요?"', "ko: ' '", "- id: second", "ko is missing"),
    ('  en: "Is it', '  en: x\n  en: "Is it', '"Is it', "en stands here twice"),
    ('  en: "Is it', '  fr: x\n  en: "Is it', "fr: x", "a question has no field fr: its fields are id, ko, en"),
    ("why_ko: 둘째입니다., ", "", "en: Yes", "why_ko is missing"),
    ("right: false", "wrong: true", "en: No", "an answer has no field wrong"),
    ("right: false", "right: no way", "en: No", "right is true or false, not no way"),
    ("right: false", "right: true", "- id: second", "2 answers are right: exactly one"),
    (", right: true}", "}", "- id: second", "0 answers are right: exactly one"),
    ("  - {ko: 아니요", "  # {ko: 아니요", "- id: second", "a question has 2 to 4 answers"),
    ("  - {ko: 네", "  - {ko: a, en: a, why_ko: a, why_en: a}\n" * 3 + "  - {ko: 네", "- id: second", "2 to 4 answers"),
    ("  - {ko: 네", "  - 네\n  - {ko: 네", "  - 네", "an answer has the fields ko, en, right, why_ko, why_en"),
    ("en: No,", "en: Yes it is,", "en: Yes it is, why_ko: 둘째인데요.", "this answer stands above already"),
    ("ko: 아니요,", "ko: 네,", "ko: 네, en: No", "this answer stands above already"),
    ("Why is it $2x$?", "Why is it $3x$?", '"왜', "has the formula 2x, which line 5 lacks"),
    ("Why is it $2x$?", "Why is it $3x$?", "Why is it", "has the formula 3x, which line 4 lacks"),
    ("`double` adds", "`twice` adds", '"`double`이', "has the code double, which line 8 lacks"),
    ("`double` adds", "`twice` adds", "`twice`", "has the code twice, which line 7 lacks"),
    ("$2x$", r"$2\\frac{x$", "왜", r"the formula 2\frac{x cannot be set: KaTeX parse error"),
    ("Is it the second?", r"Is it the $\frac12$nd?", "nd?", "YAML reads \\ in"),
    ("Is it the second?", r"Is it the $\nabla$ second?", "nabla", "YAML reads \\ in"),
    ("Is it the second?", r"Is it the $\_x$ second?", "_x", "YAML reads \\ in"),
    ("Is it the second?", r"Is it the $\qquad$ second?", "qquad", "'…' if it holds a \\"),
    ("Is it the second?", "Is it *the* second?", "*the*", "holds *: a text has closed"),
    ("Is it the second?", "Is it [the](x.md) second?", "[the]", "holds ](: a text"),
    ("Is it the second?", "Is it <b>the</b> second?", "<b>", "holds <b: a text"),
    ("Is it the second?", "Is it `the second?", "`the", "holds `: a text"),
    ("Is it the second?", "Is it $the second?", "$the", "holds $: a text"),
    ("Is it the second?", "Is it _the_ second?", "_the_", "holds _: a text"),
    ("Is it the second?", "Is it the&nbsp;second?", "&nbsp;", "holds &nbsp;: a text"),
    ("Is it the second?", "Is it the second}?", "second}", "holds }: a text"),
    ("Is it the second?", "Is it the <!-- --> second?", "<!--", "holds <!: a text"),
    ("Is it the second?", "Is it the second</b>?", "</b>", "holds </: a text"),
    ("Is it the second?", "Is it the second[^x]?", "[^x]", "holds [^: a text"),
    ("Is it the second?", "Is it _the second?", "_the", "holds _: a text"),
    ("Is it the second?", "Is it the_ second?", "the_", "holds _: a text"),
    ("Is it the second?", r"Is it the\\ second?", "second?", "holds \\: a text"),
    ("Is it the second?", r"Is it the\N second?", "second?", "YAML reads \\ in"),
    ("Is it the second?", r"Is it the\L second?", "second?", "YAML reads \\ in"),
    ("Is it the second?", r"Is it the\P second?", "second?", "YAML reads \\ in"),
    ("Is it the second?", "Is it the second{.x}?", "{.x}", "holds {: a text"),
    ("Is it the second?", "Is it the 둘째?", "the 둘째", "this is Korean: write it in English"),
    ("Is it the second?", "x" * 201, "xxx", "has 201 characters: say it in 200"),
    ("en: No,", f"en: {'x' * 201},", "xxx", "has 201 characters: say it in 200"),
    ("It is, though.", "x" * 401, "xxx", "has 401 characters: say it in 400"),
    (
        "Is it the second?",
        "Is it the {{first}}?",
        "first",
        "{{first}}: there is no such value in snippets/part/page.md",
    ),
    ("Is it the second?", "Is it the {{a/b:first}}?", "first", "there is no such value in snippets/a/b.md"),
    ("Is it the second?", "Is it “the” 둘째?", "“the”", "this is Korean: write it in English"),
]


@pytest.mark.parametrize(("old", "new", "line", "said"), WRONG)
def test_what_is_wrong_is_said_with_its_line(tmp_path, old, new, line, said):
    assert old in FILE
    text = FILE.replace(old, new)
    if line == -2:
        line = len(text.splitlines()) - 1
    elif isinstance(line, str):
        line = where(text, line)
    found, wrong = load(write(tmp_path, text))
    assert any(number == line and said in message for number, message in wrong), wrong
    sound = [question for _, page in found.values() for question in page]
    if "already stands in line" not in said and "twice" not in said and "this is none" not in said:
        assert len(sound) < 2, "what is wrong comes on no page"


RIGHT = [
    ("Is it the second?", "x" * 200),
    ("It is, though.", "x" * 400),
    ("Is it the second?", "Is a_b < c > d & e, 100 %?"),
    ("Is it the second?", "Is it called “둘째” in Korean?"),
    ("Is it the second?", "Is it called ‘둘째’ in Korean?"),
    ("id: second", "id: 2nd-of-2"),
    ("둘째 질문일까요?", "`shape`이 `둘째`일까요?"),
    ("$2x$", "$2 x$"),
    ("$2x$", r"$2x\\text{ of}$"),
]


@pytest.mark.parametrize(("old", "new"), RIGHT)
def test_what_is_right_is_not_complained_about(tmp_path, old, new):
    assert old in FILE
    found, wrong = load(write(tmp_path, FILE.replace(old, new)))
    assert wrong == [] and len(found["page"][1]) == 2


def test_a_file_that_changes_is_read_again(tmp_path):
    path = write(tmp_path, FILE)
    assert load(path)[1] == []
    written = path.stat().st_mtime_ns
    write(tmp_path, FILE.replace("right: true\n", ""))
    os.utime(path, ns=(written + 1, written + 1))
    assert load(path)[1]


def test_files_of_editors_are_passed_over_and_a_page_without_questions_is_none(tmp_path):
    write(tmp_path, FILE, ".part")
    write(tmp_path, FILE)
    write(tmp_path, FILE.replace("right: true", "right: false"), "other")
    assert [path.name for path in files(tmp_path)] == ["other.yml", "part.yml"]
    assert list(everything(tmp_path)) == ["part/page"]
    assert everything(tmp_path / "gone") == {}


# ---- the checks of the book


@pytest.fixture
def book(tmp_path) -> Path:
    little_book.write(tmp_path)
    write(tmp_path / "docs" / "questions", FILE.replace("page:", "lab:"), "labs")
    return tmp_path


def told(book: Path) -> list[str]:
    return [str(problem) for problem in every.check_pages(book)]


def test_questions_of_a_page_are_no_problem(book):
    assert told(book) == []


def test_a_page_or_part_that_is_not_there_is_named(book):
    folder = book / "docs" / "questions"
    write(folder, FILE.replace("page:", "lap:"), "labs")
    assert told(book) == [
        "docs/questions/labs.yml:2: there is no page labs/lap; did you mean labs/lab?; correct it, or remove these"
    ]
    write(folder, FILE.replace("page:", "lab:"), "labs")
    write(folder, FILE, "lab")
    assert told(book) == [
        "docs/questions/lab.yml:1: there is no part lab; did you mean labs?; name the file after a part"
    ]


def test_a_page_asks_two_to_four_questions(book):
    folder = book / "docs" / "questions"
    first, second = FILE.replace("page:", "lab:").split("- id: ", 2)[:2]
    write(folder, f"{first}- id: {second}", "labs")
    assert told(book) == ["docs/questions/labs.yml:2: questions still to be written: labs/lab has 1, and a page 2 to 4"]


@pytest.mark.parametrize(("count", "allowed"), [(4, True), (5, False)])
def test_a_page_asks_no_more_than_four(book, count, allowed):
    first, second, _ = FILE.replace("page:", "lab:").split("- id: ", 2)
    name, rest = second.split("\n", 1)
    more = [f"- id: {name}-{i}\n{rest}".replace("질문", f"질문 {i}") for i in "abcde"[:count]]
    write(book / "docs" / "questions", first + "".join(more), "labs")
    assert [one for one in told(book) if "still to be written" in one] == (
        []
        if allowed
        else [f"docs/questions/labs.yml:2: questions still to be written: labs/lab has {count}, and a page 2 to 4"]
    )


def test_a_page_of_the_part_that_asks_nothing_is_named_in_the_first_line(book):
    for language in LANGUAGES:
        folder = book / "docs" / language / "labs"
        (folder / "more.md").write_text((folder / "lab.md").read_text(encoding="utf-8"), encoding="utf-8")
    (said,) = (one for one in told(book) if "labs/more" in one and "questions" in one)
    assert said.startswith("docs/questions/labs.yml:1: questions still to be written: labs/more has 0")


def test_a_problem_of_a_question_is_one_of_the_book(book):
    write(book / "docs" / "questions", FILE.replace("page:", "lab:").replace("right: false", "right: true"), "labs")
    assert told(book) == ["docs/questions/labs.yml:16: 2 answers are right: exactly one has `right: true`"]


@pytest.mark.parametrize(
    ("old", "new", "said"),
    [
        ("둘째 질문일까요?", "곱절일까요?", "17: 곱절: the book says 두 배 (docs/wording.yml)"),
        ("Is it the second?", "Is it twofold?", "18: twofold: the book says double (docs/wording.yml)"),
        ("둘째인데요.", "벡타입니다.", "21: 벡타: the book says 벡터 (docs/glossary.yml)"),
    ],
)
def test_words_that_the_book_does_not_use_are_refused(book, old, new, said):
    write(book / "docs" / "questions", FILE.replace("page:", "lab:").replace(old, new), "labs")
    assert told(book) == [f"docs/questions/labs.yml:{said}"]


@pytest.mark.parametrize("name", ["questions", "question-why-two"])
def test_a_page_with_questions_leaves_them_their_ids(book, name):
    for language in LANGUAGES:
        path = book / "docs" / language / "labs" / "lab.md"
        path.write_text(path.read_text(encoding="utf-8").replace("{#lab}", f"{{#{name}}}"), encoding="utf-8")
    said = told(book)
    message = f"the id {name} is for the questions of the page: choose another"
    assert said == [f"docs/{language}/labs/lab.md:5: {message}" for language in LANGUAGES]
    (book / "docs" / "questions" / "labs.yml").unlink()
    assert told(book) == []


# ---- the section


def page(folder: Path, source: str, language: str = "en", name: str = "part/page") -> BeautifulSoup:
    asked = QuestionExtension(language, folder)
    asked.page = name
    configs = {"pymdownx.arithmatex": {"generic": True, "inline_syntax": ["dollar"]}}
    extensions = ["attr_list", "footnotes", "toc", "pymdownx.arithmatex", FormulaExtension(), asked]
    md = Markdown(extensions=[*extensions, GlossaryExtension(language)], extension_configs=configs)
    soup = BeautifulSoup(md.convert(source), "html.parser")
    soup.contents_of_page = [token["id"] for token in md.toc_tokens]
    return soup


SOURCE = (
    "## One {#one}\n\nText.[^a]\n\n## Exercises {#exercises}\n\nDo.\n\n## Sources {#sources}\n\nA.\n\n[^a]: Note.\n"
)


@pytest.mark.parametrize(
    ("source", "order"),
    [
        (SOURCE, ["one", "questions", "exercises", "sources"]),
        (SOURCE.replace("{#exercises}", "{#more}"), ["one", "more", "questions", "sources"]),
        (
            SOURCE.replace("{#exercises}", "{#more}").replace("{#sources}", "{#end}"),
            ["one", "more", "end", "questions"],
        ),
    ],
)
def test_questions_stand_before_the_exercises_or_at_the_end(tmp_path, source, order):
    write(tmp_path, FILE)
    html = page(tmp_path, source)
    assert [heading["id"] for heading in html.find_all("h2")] == order == html.contents_of_page
    assert html.find(id="questions").find_next_sibling()["class"] == ["questions"]
    assert html.find(class_="footnote").find_previous_sibling(), "footnotes stay at the end"
    assert not html.find(class_="footnote").find_next(class_="questions")


@pytest.mark.parametrize(
    ("language", "title", "asked", "answers", "verdicts"),
    [
        ("ko", "확인 문제", "왜", ["double이 더하므로.", "두 배이므로."], ["아닙니다.", "맞습니다."]),
        ("en", "Check yourself", "Why is it", ["Because double adds.", "Because it is double."], ["Wrong.", "Right."]),
    ],
)
def test_each_answer_is_folded_and_says_whether_it_is_right_and_why(
    tmp_path, language, title, asked, answers, verdicts
):
    write(tmp_path, FILE)
    html = page(tmp_path, SOURCE, language)
    heading = html.find(id="questions")
    assert heading.get_text() == title and heading.has_attr("data-search-exclude")
    first, second = html.select(".question")
    said = html.find(id=first["aria-labelledby"])
    assert said.parent is first and said.get_text().startswith(f"1. {asked}") and said.select_one(".formula math")
    assert second.p.get_text().startswith("2. ") and second["aria-labelledby"] == "question-second"
    found = first.find_all("details", recursive=False)
    assert [one.summary.get_text().replace("\u2060", "") for one in found] == answers
    assert [one.p.strong.get_text() for one in found] == verdicts
    assert [one["class"] for one in found] == [["answer"], ["answer", "right"]]
    assert not any(one.has_attr("open") for one in html.find_all("details"))
    assert found[0].summary.code.get_text() == "double" and found[0].p.select_one(".formula math")
    assert found[1].p.get_text().startswith(f"{verdicts[1]} {'두 배란' if language == 'ko' else 'Double means'}")


def test_terms_have_no_tooltips_in_questions(tmp_path):
    write(tmp_path, FILE.replace("Is it the second?", "Is it the softmax?"))
    html = page(tmp_path, SOURCE.replace("Text.", "The softmax."))
    assert [term.get_text() for term in html.find_all("abbr")] == ["softmax"] and not html.select(".questions abbr")


def test_a_page_without_questions_stays_as_it_is(tmp_path):
    write(tmp_path, FILE)
    html = page(tmp_path, SOURCE, name="part/other")
    assert [heading["id"] for heading in html.find_all("h2")] == ["one", "exercises", "sources"]
    assert QuestionExtension("en", tmp_path).count == 2 and QuestionExtension("en", tmp_path / "gone").count == 0


# ---- those of this book


def test_the_server_watches_the_questions():
    text = (ROOT / "mkdocs.yml").read_text(encoding="utf-8")
    assert "docs/questions" in yaml.safe_load(text.partition("\nwatch:\n")[2].partition("\n\n")[0])


# ---- what the first page of a part asks again


def _asked(count: int, text: str = "Is it number {}?") -> str:
    """A file with so many questions of one page."""
    entry = """\
- id: n{0}
  ko: "{0}번일까요?"
  en: "{1}"
  answers:
  - {{ko: 네, en: Yes, why_ko: 그렇습니다., why_en: It is., right: true}}
  - {{ko: 아니요, en: No, why_ko: 그렇습니다., why_en: It is not.}}
"""
    return "p:\n" + "".join(entry.format(n, text.format(n)) for n in range(count))


ORDER = ["index", "one/index", "one/p", "two/index", "two/p", "three/index", "appendix/index"]


@pytest.fixture
def asked(tmp_path) -> dict:
    write(tmp_path, _asked(40), "one")
    write(tmp_path, _asked(20), "two")
    return everything(tmp_path)


def test_the_first_page_of_a_part_asks_what_earlier_parts_have_asked(asked):
    found = again("three/index", ORDER, asked)
    assert len(found) == REPEATED == len({(page, one.id) for page, one in found})
    assert [page for page, _ in found].count("two/p") == REPEATED // 3, "from all over: a third of all stand there"
    places = [ORDER.index(page) * 100 + int(one.id[1:]) for page, one in found]
    assert places != sorted(places), "not in the order in which they were read"
    assert {page for page, _ in again("two/index", ORDER, asked)} == {"one/p"}


@pytest.mark.parametrize("page", ["one/index", "two/p", "index", "appendix/index"])
def test_other_pages_and_the_first_part_ask_nothing_again(asked, page):
    assert again(page, ORDER, asked) == []


def test_what_hangs_on_its_own_page_is_not_asked_elsewhere(tmp_path):
    write(tmp_path, _asked(30, text="What does the table show of {}?"), "one")
    write(tmp_path, _asked(3), "two")
    found = again("three/index", ORDER, everything(tmp_path))
    assert sorted((page, one.id) for page, one in found) == [("two/p", f"n{n}") for n in range(3)], "and each once"


@pytest.mark.parametrize(
    "words",
    [
        *("above", "below", "this page", "the table", "the figures", "this listing", "these outputs", "the run"),
        *("this example", "these experiments", "the tables", "this figure", "the listings", "these runs"),
        *("the example", "this experiment", "the output"),
    ],
)
def test_words_that_point_at_a_page_are_known(words):
    assert NEAR.search(f"What does it say {words}?")


@pytest.mark.parametrize("words", ["tabove", "belowing", "this pages", "a table", "these paged", "bathe table", "runs"])
def test_words_that_only_look_like_it_are_not(words):
    assert not NEAR.search(f"What does {words} say?")


@pytest.mark.parametrize("language", ["ko", "en"])
def test_the_section_says_in_its_language_why_one_is_asked_again(tmp_path, language):
    write(tmp_path, _asked(9), "one")
    extension = QuestionExtension(language, tmp_path)
    extension.page, extension.order = "two/index", ORDER
    html = BeautifulSoup(Markdown(extensions=["toc", extension]).convert("## One\n\nText."), "html.parser")
    heading, why, box = html.select_one("section.again").find_all(recursive=False)
    assert (heading.get_text(), why.get_text()) == (WORDS[language]["again"], WORDS[language]["why"])
    assert why.name == "p" and why.has_attr("data-search-exclude") and box.name == "div"
    assert box["data-later"] == WORDS[language]["later"] and "{date}" in box["data-later"]
    assert len(box.select(".question")) == 6, "as many as one answers at a sitting"
    assert bool(re.search("[가-힣]", f"{heading} {why} {box['data-later']}")) == (language == "ko")
    for group in box.find_all(recursive=False):
        number = group.p.find("span", class_="number")
        assert group.name == "div" and group["role"] == "group" and number.get_text().rstrip(".").isdigit()


def test_the_section_leads_to_the_pages_and_has_ids_of_its_own(tmp_path):
    write(tmp_path, _asked(9), "one")
    extension = QuestionExtension("en", tmp_path)
    extension.page, extension.order, extension.title = "two/index", ORDER, lambda page: f"Title of {page}"
    html = BeautifulSoup(Markdown(extensions=["toc", extension]).convert("## One\n\nText."), "html.parser")
    section = html.select_one("section.again")
    assert section.h2["id"] == "again" and section.h2.get_text() == WORDS["en"]["again"]
    assert section.h2.has_attr("data-search-exclude"), "what is wrong in an answer is nothing to search for"
    groups = section.select(".questions > .question")
    assert len(groups) == REPEATED and len({group.p["id"] for group in groups}) == REPEATED
    for group in groups:
        assert group.p["id"].startswith("again-one-p-n") and group["aria-labelledby"] == group.p["id"]
        for answer in group.select("details"):
            assert answer.a["href"] == "../one/p.md" and answer.p.get_text().endswith(". Title of one/p")
    assert "{date}" in section.select_one(".questions")["data-later"]
