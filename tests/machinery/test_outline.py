"""The form of a page: what a page with everything is, and what is said of one that lacks something."""

from __future__ import annotations

from pathlib import Path

import pytest

from book import LANGUAGES, ROOT
from book.checks import outline
from book.checks.every import check_pages
from book.problems import Problem
from book.source import kinds, minutes
from book.source.pages import Book
from tests.machinery.little_book import LITTLE_BOOK

KO, EN = "docs/ko/part/why.md", "docs/en/part/why.md"
LAB = "docs/en/labs/lab.md"
PAGES = {
    "docs/ko/index.md": LITTLE_BOOK["docs/ko/index.md"] + "\n[부](part/index.md)로 갑니다.\n",
    "docs/en/index.md": LITTLE_BOOK["docs/en/index.md"] + "\nGo to [a part](part/index.md).\n",
    "docs/ko/part/index.md": """\
---
title: 부
description: 페이지 하나로 된 부입니다. 시험에 쓰려고 만들었습니다.
---
# 부 {#part}

[왜](why.md)를 읽습니다.
""",
    "docs/en/part/index.md": """\
---
title: A part
description: A part that has a single page, made for the tests to break.
---
# A part {#part}

Read [why](why.md).
""",
    KO: """\
---
title: 왜
description: 두 배가 왜 더한 것과 같은지 묻는 페이지입니다.
---
# 왜 {#why}

두 배는 왜 더한 것과 같을까요?

/// short | 한마디로
곱하기가 더하기이기 때문입니다.
///

## 더하기 {#adding}

```python
--8<-- "part/more.py:more"
```

![원점을 지나서 오른쪽 위로 가는 직선 하나](../assets/figures/part/plain.svg)

/// figure-caption
하나. 둘. 셋.
///

## 실무에서는 {#at-work}

곱하기를 씁니다.

/// remember | 기억할 것
- 하나.
- 둘.
- 셋.
///

[처음](../index.md)으로 갑니다.

## 출처 {#sources}

- 이 책.
""",
    EN: """\
---
title: Why
description: A page that asks why the double of a number is its sum.
---
# Why {#why}

Why is the double a sum?

/// short | In short
To multiply is to add.
///

## Adding {#adding}

```python
--8<-- "part/more.py:more"
```

![One line through the origin](../assets/figures/part/plain.svg)

/// figure-caption
One. Two. Three.
///

## At work {#at-work}

One multiplies.

/// remember | Remember
- One.
- Two.
- Three.
///

Go [home](../index.md).

## Sources {#sources}

- This book.
""",
    "docs/questions/part.yml": """\
why:
- id: twice
  ko: 두 배의 두 배는 왜 네 배일까요?
  en: Why is twice the double four times as much?
  answers:
  - {ko: 더해서, en: By adding, why_ko: 곱합니다., why_en: It is multiplied.}
  - {ko: 곱해서, en: By multiplying, right: true, why_ko: 네 배입니다., why_en: Four times.}
- id: none
  ko: 0의 두 배는 왜 0일까요?
  en: Why is twice nothing still nothing?
  answers:
  - {ko: 작아서, en: It is small, why_ko: 크기와는 관계없습니다., why_en: Size does not matter.}
  - {ko: 0이라서, en: It is zero, right: true, why_ko: 무엇을 곱해도 0입니다., why_en: Any multiple of it is zero.}
""",
    "snippets/part/more.py": '''\
"""More."""


# --8<-- [start:more]
def more(x):
    return x + 1


# --8<-- [end:more]
''',
    "mkdocs.yml": "nav: [index.md, page.md, part/index.md, part/why.md, labs/lab.md]\n",
}
MORE = '```python\n--8<-- "part/more.py:more"\n```\n'
SHORT = "/// short | In short\nTo multiply is to add.\n///\n\n"
REMEMBER = "/// remember | Remember\n- One.\n- Two.\n- Three.\n///\n\n"
WORK = "## At work {#at-work}\n\nOne multiplies.\n\n"


#: Names that hold those of plumbing.
ALMOST = (
    "from a import kept_runs",
    "run_in_parallel(f)",
    "x.in_parallels",
    "a.strain.each(x)",
    "train.eachone",
    "@cachedly",
)


@pytest.fixture
def book(tmp_path) -> Path:
    for name, text in {**LITTLE_BOOK, **PAGES}.items():
        (tmp_path / name).parent.mkdir(parents=True, exist_ok=True)
        (tmp_path / name).write_text(text, encoding="utf-8")
    return tmp_path


def replace(book: Path, file: str, old: str, new: str) -> None:
    text = (book / file).read_text(encoding="utf-8")
    assert old in text, f"{file} has no {old}"
    (book / file).write_text(text.replace(old, new), encoding="utf-8")


def found(book: Path) -> list[Problem]:
    return list(outline.forms_of_pages(Book.read(book)))


def said(book: Path) -> list[tuple[str, int, str]]:
    return [(one.path.relative_to(book).as_posix(), one.line, one.message) for one in found(book)]


def listing(lines: int, line: str = "x = 1") -> str:
    return f"# --8<-- [start:more]\n{lines * (line + chr(10))}# --8<-- [end:more]\n"


def test_a_page_with_everything(book):
    assert check_pages(book) == []


@pytest.mark.parametrize(
    ("name", "taught", "lab"),
    [
        ("attention/masks.md", True, False),
        ("attention/index.md", False, False),
        ("index.md", False, False),
        ("reading.md", False, False),
        ("appendix/changes.md", False, False),
        ("training/build-it-yourself.md", False, False),
        ("labs/index.md", False, True),
        ("labs/lab.md", True, True),
    ],
)
def test_which_pages_answer_a_question(name, taught, lab):
    assert kinds.is_taught(name) == taught and kinds.is_lab(name) == lab


# what stands there, what is put there instead, where the line begins of which it is said, and part of what is said
BROKEN = [
    ("Why is the double a sum?", "The double is a sum.", "The double", "asks nothing: begin with the question of"),
    ("Why is the double a sum?", "It is.\n\nWhy is it?", "It is.", "asks nothing"),
    ("Why is the double a sum?", "- Why is it?\n- So it is.", None, ""),
    ("Why is the double a sum?", "It is a sum.\nWhy is it?", None, ""),
    ("Why is the double a sum?", "It is `a?b`.", "It is `", "asks nothing"),
    ("Why is the double a sum?", "", "/// short", "asks nothing"),
    (SHORT, "", "# Why", "the answer stands once, before the first section: write /// short | In short"),
    (SHORT + "## Adding {#adding}\n\n", "## Adding {#adding}\n\n" + SHORT, "/// short", "the answer stands once"),
    (SHORT, SHORT + 200 * "word " + "\n\n", None, ""),
    ("Why is the double a sum?", "| Why? |\n|---|\n| So. |", "| Why?", "asks nothing"),
    (SHORT, SHORT + SHORT, "/// short", "the answer stands once"),
    ("## Adding {#adding}\n\n", "", None, ""),
    ("short | In short", "short | Short", "/// short", "this block is called Short: write /// short | In short"),
    ("short | In short", "goals | After this page", "/// goals", "goals are replaced by the answer: write /// short"),
    ("Why is the", 144 * "word " + "Why is the", None, ""),
    ("Why is the", 145 * "word " + "Why is the", "/// short", "151 words stand above the answer"),
    ("Why is the double a sum?", "Why?\n\n| a |\n|---|\n" + 200 * "| a |\n", None, ""),
    (WORK, "", "## Sources", "has no ending: write ## At work {#at-work} before questions, exercises"),
    ("## At work {", "## Work {", "## Work", "this section is called Work: write At work"),
    ("## Sources {#sources}", "## More {#more}", "## More", "More stands after the ending: only questions, exercises"),
    ("## Sources {#sources}", "## Exercises {#exercises}", None, ""),
    ("\n## Sources {#sources}\n\n- This book.\n", "", None, ""),
    (REMEMBER, "", "## At work", "what to remember stands once, at the end of this section: write /// rem"),
    (REMEMBER, REMEMBER + REMEMBER, "## At work", "what to remember stands once"),
    (WORK + REMEMBER, REMEMBER + WORK, "## At work", "what to remember stands once"),
    ("remember | Remember", "remember | Keep", "/// remember", "called Keep: write /// remember | Remember"),
    ("- Two.\n", "", "/// remember", "has 2 lines to remember: write 3"),
    ("- Two.\n", "- Two.\n- And.\n", "/// remember", "has 4 lines to remember"),
    ("Go [home](../index.md).", "Go home.", "///\n\nGo", "nothing leads on from here"),
    ("Go [home](../index.md).", "Go [home](https://book.org).", "///\n\nGo", "nothing leads on from here"),
    ("Go [home](../index.md).", "Go [home](#why).", "///\n\nGo", "nothing leads on from here"),
    ("- This book.", "- [This](../index.md).", None, ""),
    ("One. Two. Three.", "One. Two? Three! Four.", "/// figure-caption", "this caption has 4 sentences, and one has"),
    ("One. Two. Three.", "One. (Two.) “Three.” Four.", "/// figure-caption", "this caption has 4 sentences"),
    ("One. Two. Three.", "One 1.5, f.x, two (a.). Three.", None, ""),
    ("One. Two. Three.", "One.\nTwo. Three. “Four.”", "/// figure-caption", "this caption has 4 sentences"),
    ("One multiplies.", 3000 * "word ", "---", "15.3 minutes to read (3026 words, 2 lines of code), and a page at"),
    ("One multiplies.", 2900 * "word ", None, ""),
    ("One multiplies.", 3000 * "word " + "\n\n/// proof | P\nSo.\n///", None, ""),
    ("One multiplies.", 3000 * "word " + "\n\n/// theorem | T\nSo.\n///", None, ""),
    ("One multiplies.", 4000 * "word " + "\n\n/// theorem | T\nSo.\n///", "---", "and a page at most 20:"),
    (MORE, f"/// listing | L\n{MORE}///\n", None, ""),
]  # fmt: skip


@pytest.mark.parametrize(("old", "new", "where", "message"), BROKEN)
def test_what_is_said_of_a_page(book, old, new, where, message):
    replace(book, EN, old, new)
    told = said(book)
    if where is None:
        assert told == []
    else:
        text = (book / EN).read_text(encoding="utf-8")
        line = text[: text.rindex(where) if where.startswith("///") else text.index(where)].count("\n") + 1
        assert (EN, line) in [one[:2] for one in told], told
        assert any(message in one[2] for one in told if one[1] == line), told
        assert {one[0] for one in told} == {EN}


def test_only_one_thing_is_said_of_one_fault(book):
    for old, new in (("Why is the double a sum?", "It is a sum."), ("- Two.\n", ""), ("In short", "Short")):
        before = (book / EN).read_text(encoding="utf-8")
        replace(book, EN, old, new)
        assert len(said(book)) == 1
        (book / EN).write_text(before, encoding="utf-8")


def test_korean_pages_have_korean_titles_and_limits(book):
    for old, new, message in (
        ("short | 한마디로", "short | 짧게", "write /// short | 한마디로"),
        ("## 실무에서는", "## 실무", "write 실무에서는"),
        ("remember | 기억할 것", "remember | 요약", "write /// remember | 기억할 것"),
        ("두 배는 왜", 95 * "말 " + "두 배는 왜", "101 words stand above the answer"),
        ("곱하기를 씁니다.", 1950 * "말 ", "minutes to read"),
    ):
        before = (book / KO).read_text(encoding="utf-8")
        replace(book, KO, old, new)
        ((file, _, told),) = said(book)
        assert file == KO and message in told
        (book / KO).write_text(before, encoding="utf-8")
    replace(book, KO, "두 배는 왜", 94 * "말 " + "두 배는 왜")
    assert said(book) == []


def test_listings_are_short_and_no_plumbing_shows(book):
    module = book / "snippets" / "part" / "more.py"
    for file in (EN, KO):
        replace(book, file, "One multiplies." if file == EN else "곱하기를 씁니다.", 800 * "word ")
    module.write_text(listing(25))
    assert said(book) == []
    module.write_text(listing(26))
    assert [one[:2] for one in said(book)] == [(KO, 15), (EN, 15)]
    assert all("this listing has 26 lines that can be seen, and one has at most 25" in one[2] for one in said(book))
    for plumbing in (
        *("from snippets.tools.kept import kept", "from a import b, kept", "x = kept(1)", "@cached", "cached(1)"),
        *("look(model)", "x = in_parallel(f)", "from a import in_parallel", "train.each(a)"),
    ):
        module.write_text(listing(1, plumbing))
        assert [one[:2] for one in said(book)] == [(KO, 15), (EN, 15)], plumbing
        assert all("is plumbing" in one[2] and "load what was kept with one call" in one[2] for one in said(book))
    for fine in (
        *ALMOST,
        "kept = scores.topk(k)",
        "x = kept[0]",
        "is_cached",
        "looks(x)",
        "x.lookup(1)",
        "unkept(1)",
        "each(a)",
    ):
        module.write_text(listing(1, fine))
        assert said(book) == [], fine
    module.write_text(listing(1) + listing(1, "kept(1)").replace("more", "other"))
    assert said(book) == []


def test_code_takes_a_third_of_what_can_be_seen(book):
    replace(book, EN, "![One line through the origin](../assets/figures/part/plain.svg)\n\n", "")
    replace(book, EN, "/// figure-caption\nOne. Two. Three.\n///\n\n", "")
    replace(book, EN, "One multiplies.", 50 * "word ")
    module = book / "snippets" / "part" / "more.py"
    module.write_text(listing(3))
    assert EN not in [one[0] for one in said(book)]
    module.write_text(listing(5))
    assert (EN, 1) in [one[:2] for one in said(book)]
    assert any("45% of what can be seen is code, and of a page at most a third" in one[2] for one in said(book))
    replace(book, EN, MORE, f"/// listing | L\n{MORE}///\n")
    assert EN not in [one[0] for one in said(book)]


def test_a_lab_asks_and_answers_and_has_as_much_code_as_it_wants(book):
    cells = listing(40, "look(1)").replace("more", "twice").replace("# --8<--", "<!-- --8<--").replace("]\n", "] -->\n")
    (book / "snippets/labs/lab.md").write_text(cells.replace("look(1)", "```python\nlook(1)\n```"))
    replace(book, LAB, "The double is", 4000 * "word " + "The double is")
    assert said(book) == []
    replace(book, LAB, "What is the double of a number?", "The double of a number.")
    replace(book, LAB, "/// short | In short", "/// goals | Goals")
    assert [one[:2] for one in said(book)] == [(LAB, 7), (LAB, 9), (LAB, 5)]


def test_the_one_listing_that_is_longer_is_there_and_needs_it():
    book = Book.read(ROOT)
    for name, most in outline.LONGER.items():
        for language in LANGUAGES:
            length = minutes.length(book.pages[language][name], book.snippets_folder)
            longest = max(len(listing.code) for listing in length.visible)
            assert outline.LISTING < longest <= most, f"docs/{language}/{name}: its longest listing has {longest} lines"
