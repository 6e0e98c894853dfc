"""Cells with Hangul are as wide as they were printed, in every font."""

from __future__ import annotations

import re

from book.finish import columns
from tests.machinery.test_browser import DESKTOP, PHONE, browser, open_page  # noqa: F401


def page(output: str) -> str:
    return f'<p>층  손실</p><div class="language-text highlight"><pre><span></span><code>{output}</code></pre></div>'


def test_headings_are_flush_right_but_for_the_first_and_those_that_stand_over_words():
    shown = columns.aligned(page("층     손실  이름\n 0     0.31  abcde\n"))
    assert '<span class="cell w2">층</span>     <span class="cell end w4">손실</span>  ' in shown
    assert '<span class="cell w4">이름</span>\n 0     0.31  abcde\n' in shown
    assert shown.startswith("<p>층  손실</p>")


def test_words_with_single_spaces_are_one_cell_and_sentences_stay():
    assert '<span class="cell end w9">번역한 것</span>' in columns.aligned(page("  번역한 것\n"))
    for output in ("모든 국민은 법률로\n", "3월  \n", "a  b\n"):
        assert columns.aligned(page(output)) == page(output)


def test_an_entity_is_one_letter_wide():
    assert '<span class="cell w6">가&lt; 나</span>  <span class="cell end w2">나</span>' in columns.aligned(
        page("가&lt; 나  나")
    )


def test_among_rows_of_words_each_run_of_words_starts_where_it_was_printed():
    shown = columns.aligned(page("base 여기  63.1 M, 논문 65\nbig  여기 214.2 M, 논문 213\n"))
    assert shown.count('<span class="cell w4">여기</span>') == 2 and "end" not in shown
    shown = columns.aligned(page("as it is  1이 41번, 2가 10번\nfirst     1이  3번, 2가 38번\n"))
    assert "1이 41번, 2가 10번</span>" in shown and '<span class="cell w3">1이</span>  <span' in shown


def test_rules_are_for_the_widths_of_a_page():
    shown = columns.aligned(page("층     손실\n 0   0.31\n"))
    assert columns.rules(shown).endswith(".w2{width:2ch}.w4{width:4ch}") and columns.rules(page("a  b")) == ""


def test_outputs_that_a_phone_has_no_room_for_say_how_wide_they_are():
    shown = columns.aligned(page("a" * 25 + "\n") + page("a" * 24 + "\n") + page("short\n" + "가" * 20 + "&lt;"))
    assert re.findall(r' n(\d+)"', shown) == ["25", "41"]
    rules = columns.rules(shown)
    assert ".n25 code{--fits:17.5}.n41 code{--fits:27.2}" in rules and rules.startswith("@media screen and (max-width")


#: Of outputs, how many columns are hidden, and how large the letters are.
ROOM = """() => [...document.querySelectorAll(".language-text pre code")].map((code) =>
    [code.scrollWidth - code.clientWidth, parseFloat(getComputedStyle(code).fontSize)])"""


def test_on_a_phone_an_output_is_whole_as_long_as_it_can_be_read(open_page):  # noqa: F811
    for path in ("en/families/attention-sinks/", "families/attention-sinks/", "en/training/adam/"):
        shown = open_page(path, viewport=PHONE, is_mobile=True).evaluate(ROOM)
        assert shown and all(hidden <= 1 or size <= 10 for hidden, size in shown), (path, shown)
        assert all(10 <= size <= 13 for _, size in shown)
    on_paper = open_page("en/families/attention-sinks/", viewport=DESKTOP).evaluate(ROOM)
    assert {size for _, size in on_paper} == {13}


#: Where each cell that ends with others ends, in letters from the left, by output.
ENDS = """() => [...document.querySelectorAll(".language-text pre code")].map((code) => {
    const cells = [...code.querySelectorAll(".cell.end")];
    const letter = document.createElement("span");
    letter.textContent = "0".repeat(100);
    code.append(letter);
    const one = letter.getBoundingClientRect().width / 100, first = document.createRange();
    letter.remove();
    first.selectNodeContents(code);
    const start = Math.min(...[...first.getClientRects()].map((line) => line.left));
    return cells.map((cell) => (cell.getBoundingClientRect().right - start) / one);
})"""


def test_headings_end_where_they_were_printed(open_page):  # noqa: F811
    shown = open_page("llm/logit-lens/", viewport=DESKTOP)
    ends = shown.evaluate(ENDS)
    every = [end for one in ends for end in one]
    assert len(every) >= 5
    assert all(abs(end - round(end)) < 0.05 for end in every), ends
    texts = shown.locator(".language-text pre code").all_text_contents()
    place, text = next((place, text) for place, text in enumerate(texts) if "렌즈" in text)
    heading = next(line for line in text.split("\n") if "렌즈" in line)
    printed = [columns.width(heading[: cell.end()]) for cell in re.finditer(r"\S+(?: \S+)*", heading)]
    assert [round(end) for end in ends[place]][-len(printed[1:]) :] == printed[1:]  # the lines above have some, too
