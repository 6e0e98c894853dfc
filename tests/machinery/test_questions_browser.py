"""The questions in the built site and in a real browser: answered by mouse and keyboard, remembered, erased, and read
without scripts.
"""

# ruff: noqa: F811 (fixtures of another module)
from __future__ import annotations

import json
from urllib.parse import urlsplit

import pytest
from axe_playwright_python.sync_playwright import Axe
from bs4 import BeautifulSoup
from playwright.sync_api import Locator, Page, expect

from book import LANGUAGES
from book.finish import document
from book.markdown import quiz
from book.markdown.quiz import WORDS
from book.source.questions import everything
from tests.machinery.test_browser import DESKTOP, PHONE, browser, open_page  # noqa: F401

ASKED = everything()
#: The page with the fewest questions, two at the least.
NAME = min((name for name in ASKED if len(ASKED[name]) > 1), key=lambda name: len(ASKED[name]))
PAGE, QUESTIONS = f"{NAME}/", ASKED[NAME]
ROOTS = {"ko": "", "en": "en/"}
KEPT = "Object.keys(localStorage).filter(key => key.endsWith('.questions'))"


def answers(page: Page, question: int, right: bool) -> Locator:
    """The answers to a question that are right, or those that are wrong."""
    kind = ".answer.right" if right else ".answer:not(.right)"
    return page.locator(".question").nth(question).locator(kind)


def answer(page: Page, question: int, right: bool) -> None:
    answers(page, question, right).first.locator("summary").click()


def in_contents(page: Page) -> Locator:
    """What the contents say of the page."""
    return page.locator(".book-nav [aria-current] .answered")


@pytest.mark.parametrize("language", ROOTS)
def test_answers_can_be_read_without_scripts(open_page, language):
    page = open_page(f"{ROOTS[language]}{PAGE}#questions", java_script_enabled=False)
    for right in (True, False):
        one = answers(page, 0, right).first
        expect(one.locator("p")).to_be_hidden()
        one.locator("summary").click()
        expect(one.locator("p strong")).to_have_text(WORDS[language][right])
        expect(one.locator("p")).to_be_visible()
    reading = open_page(f"{ROOTS[language]}reading/", java_script_enabled=False)
    expect(reading.locator(".progress")).to_be_hidden()  # there is nothing to count or to erase


def test_the_first_answer_counts_and_is_remembered(open_page):
    page = open_page(PAGE)
    sign = page.locator(".question .answered")
    expect(in_contents(page)).to_have_count(0)
    first = answers(page, 0, True).locator("summary")
    first.focus()
    page.keyboard.press("Enter")
    expect(answers(page, 0, True).locator("p strong")).to_have_text(WORDS["ko"][True])
    expect(page.locator(".question").nth(0).locator(".answered")).to_have_text("✓")
    answer(page, 1, False)
    answer(page, 1, True)  # too late
    answer(page, 0, False)  # takes nothing away
    for _ in range(2):
        expect(sign).to_have_text(["✓", "✗"])
        expect(in_contents(page)).to_have_text(f"1/{len(QUESTIONS)}")
        expect(in_contents(page)).to_have_attribute("aria-label", f"한 번에 맞힌 문제: 1/{len(QUESTIONS)}")
        page.reload()
    page.goto(page.url.replace(PAGE, f"en/{PAGE}"))  # both languages have the same questions
    expect(sign).to_have_text(["✓", "✗"])
    expect(in_contents(page)).to_have_text(f"1/{len(QUESTIONS)}")
    expect(page.locator(".book-nav .answered")).to_have_count(2)  # at the page and at its part


def test_a_key_opens_an_answer_and_closes_it(open_page):
    page = open_page(PAGE)
    wrong = answers(page, 0, False).first
    wrong.locator("summary").focus()
    for open_ in (True, False):
        page.keyboard.press("Space")
        assert wrong.evaluate("one => one.open") is open_
    page.keyboard.press("Tab")
    assert page.evaluate("document.activeElement.matches('.answer > summary')"), "the next answer is a Tab away"


def test_the_record_is_counted_and_erased(open_page):
    page = open_page(PAGE)
    for number in range(len(QUESTIONS)):
        answer(page, number, True)
    expect(in_contents(page)).to_have_text("✓")
    page.goto(page.url.replace(PAGE, "reading/"))
    total = sum(map(len, ASKED.values()))
    progress = page.locator(".progress")
    expect(progress).to_contain_text(f"한 번에 맞힌 문제: {len(QUESTIONS)} / {total}")
    expect(page.locator(".book-nav .answered")).to_have_count(2)  # at the page and at its part
    assert len(page.evaluate(KEPT)) == 1
    page.once("dialog", lambda dialog: dialog.dismiss())
    page.get_by_role("button", name="기록 지우기").click()
    expect(progress).to_contain_text(f"한 번에 맞힌 문제: {len(QUESTIONS)} / {total}")
    page.on("dialog", lambda dialog: dialog.accept())
    page.get_by_role("button", name="기록 지우기").click()
    for _ in range(2):
        expect(progress).to_contain_text(f"한 번에 맞힌 문제: 0 / {total}")
        expect(page.locator(".book-nav .answered")).to_have_count(0)
        assert page.evaluate(KEPT) == []
        page.reload()


@pytest.mark.parametrize("language", ROOTS)
def test_the_contents_count_by_part_and_the_home_page_leads_back(open_page, language):
    page = open_page(ROOTS[language])
    home, begin = page.url, page.locator(".begin")
    first = begin.inner_text(), begin.get_attribute("href")
    links = page.locator(".book-nav li > a").evaluate_all("all => all.map(one => one.href)")
    next_page = links[links.index(home + PAGE) + 1]
    part = NAME.partition("/")[0] + "/"
    of = sum(len(asked) for name, asked in ASKED.items() if name.startswith(part))
    for number in range(len(QUESTIONS)):
        page.goto(home + PAGE)
        answer(page, number, number > 0)
        expect(page.locator(".book-nav .part > a .answered")).to_have_text([f"{number}/{of}"])
        page.goto(home)
        expect(begin).to_contain_text({"ko": "이어서 읽기: ", "en": "Continue reading: "}[language])
        whole = number == len(QUESTIONS) - 1
        assert begin.evaluate("one => one.href") == (next_page if whole else f"{home}{PAGE}#questions")
    page.goto(home + "reading/")
    page.on("dialog", lambda dialog: dialog.accept())
    page.locator("button.erase").click()
    page.goto(home)
    assert (begin.inner_text(), begin.get_attribute("href")) == first


def test_a_question_that_is_gone_is_forgotten(open_page):
    page = open_page(PAGE)
    page.evaluate(
        "([page]) => __md_set('questions', {[page]: {of: 9, first: {'question-gone': true}}}, null, __md_scope)", [PAGE]
    )
    page.reload()
    answer(page, 0, True)
    expect(in_contents(page)).to_have_text(f"1/{len(QUESTIONS)}")


REFUSED = """Object.defineProperty(window, "localStorage", {
    get() { throw new DOMException("refused", "SecurityError") },
})"""


@pytest.mark.parametrize("script", [REFUSED, "localStorage.setItem('/.questions', '{')"], ids=["refused", "damaged"])
def test_storage_that_is_refused_breaks_nothing(open_page, script):
    page = open_page("")
    errors = []
    page.on("pageerror", lambda error: errors.append(str(error)))
    page.add_init_script(script)
    page.goto(page.url + PAGE)
    answer(page, 0, True)
    expect(in_contents(page)).to_have_text(f"1/{len(QUESTIONS)}")  # while the page is open
    page.goto(page.url.replace(PAGE, "reading/"))
    page.on("dialog", lambda dialog: dialog.accept())
    page.get_by_role("button", name="기록 지우기").click()
    expect(page.locator(".progress")).to_contain_text("0 /")
    assert not errors


def test_nothing_leaves_the_browser(open_page, site):
    page = open_page(PAGE)
    asked = []
    page.on("request", lambda request: asked.append((request.method, request.url, request.post_data)))
    for number in range(len(QUESTIONS)):
        answer(page, number, True)
    page.wait_for_load_state("networkidle")
    for method, url, sent in asked:  # the theme's scripts, which come with the reader's first move
        assert method == "GET" and not sent and not site.foreign(url) and not urlsplit(url).query, url
    assert page.context.cookies() == []


@pytest.mark.parametrize("scheme", ["light", "dark"])
def test_axe_finds_nothing_in_questions(open_page, scheme):
    page = open_page(PAGE, viewport=PHONE, color_scheme=scheme, reduced_motion="reduce")
    for opened in (False, True):
        if opened:
            for number in range(len(QUESTIONS)):
                for right in (True, False):
                    answer(page, number, right)
        faults = Axe().run(page, context={"include": [[".questions"]]}).response["violations"]
        assert not faults, [(fault["help"], node["html"][:100]) for fault in faults for node in fault["nodes"]]
        assert page.evaluate("document.scrollingElement.scrollWidth") <= PHONE["width"]
    page.set_viewport_size(DESKTOP)
    faults = Axe().run(page, context={"include": [[".book-nav"]]}).response["violations"]
    assert not faults, [(fault["help"], node["html"][:100]) for fault in faults for node in fault["nodes"]]
    page.goto(page.url.replace(PAGE, "reading/"))
    faults = Axe().run(page, context={"include": [[".progress"]]}).response["violations"]
    assert not faults, [(fault["help"], node["html"][:100]) for fault in faults for node in fault["nodes"]]


# ---- what the first page of a part asks again


AGAIN = "Object.keys(localStorage).filter(key => key.endsWith('.again'))"
DAY = 86_400  # seconds


def shown(page: Page) -> int:
    return page.locator(".again .question:visible").count()


def test_what_was_right_comes_back_later_each_time_and_what_was_wrong_the_next_day(open_page):
    page = open_page("training/")
    page.clock.install(time=0)
    page.reload()
    assert shown(page) == quiz.REPEATED
    first, second = (page.locator(".again .question").nth(place) for place in (0, 1))
    for group, kind in ((first, ".answer.right"), (second, ".answer:not(.right)"), (second, ".answer.right")):
        group.locator(kind).first.locator("summary").click()
    assert shown(page) == quiz.REPEATED, "they stay while one looks at them"
    expect(page.locator(".book-nav .answered")).to_have_count(0)  # they count on their own pages
    hidden = {1.5: 1, 2.9: 1, 3.1: 0}  # days: the wrong one is back on the next, the right one on the third
    page.reload()
    assert shown(page) == quiz.REPEATED - 2
    expect(page.locator(".again .later")).to_contain_text("2")
    for days, count in hidden.items():
        page.clock.set_fixed_time(days * DAY)
        page.reload()
        assert shown(page) == quiz.REPEATED - count, days
    first.locator(".answer.right summary").click()  # at 3.1 days
    for days, count in {9: 1, 10.2: 0}.items():
        page.clock.set_fixed_time(days * DAY)
        page.reload()
        assert shown(page) == quiz.REPEATED - count, days


@pytest.mark.parametrize("language", ROOTS)
def test_all_of_them_are_there_without_scripts(open_page, language):
    page = open_page(f"{ROOTS[language]}training/", java_script_enabled=False)
    assert shown(page) == quiz.REPEATED
    answer = page.locator(".again .answer.right").first
    answer.locator("summary").click()
    expect(answer.locator("p strong")).to_have_text(WORDS[language][True])
    assert answer.locator("p a").evaluate("link => new URL(link.href).pathname").endswith("/")


def test_their_record_is_erased_with_the_other(open_page):
    page = open_page("training/")
    page.locator(".again .answer summary").first.click()
    assert page.evaluate(AGAIN)
    page.goto(page.url.replace("training/", "reading/"))
    page.on("dialog", lambda dialog: dialog.accept())
    page.locator("button.erase").click()
    assert not page.evaluate(AGAIN)


# ---- the built site


def test_questions_are_open_on_paper_and_their_ids_are_of_their_chapter(site):
    html = (site.directory / NAME / "index.html").read_text(encoding="utf-8")
    chapter = document.Chapter(PAGE, "1", "Title", 2)
    found = BeautifulSoup(document.article(html, chapter, [chapter], {}), "html.parser")
    assert found.select(".answer") and all(one.has_attr("open") for one in found.select(".answer"))
    for one in found.select(".question"):
        assert found.find(id=one["aria-labelledby"]).parent is one


@pytest.mark.parametrize("language", LANGUAGES)
def test_questions_are_in_the_built_pages(site, language):
    asked, documents = ASKED, site.documents(language)
    assert asked
    for name, of_page in asked.items():
        html = documents[f"{name}/"]
        assert html.select_one(f'.md-nav a[href="#{quiz.ID}"]'), f"{name}: not in the table of contents"
        found = html.select("article .question")
        assert [one.p["id"] for one in found] == [f"question-{one.id}" for one in of_page]
        right = [[answer.right for answer in one.answers] for one in of_page]
        assert [["right" in answer["class"] for answer in one.select("details")] for one in found] == right
        following = html.select_one(".questions").find_next_sibling("h2")
        if html.find("h2", id="exercises"):
            assert following["id"] == "exercises", name
    path = site.directory / ("" if language == "ko" else "en") / "search" / "text.json"
    pages = json.loads(path.read_text(encoding="utf-8"))["pages"]
    found = {page["url"].rstrip("/"): [anchor for anchor, *_ in page["sections"]] for page in pages}
    for name in asked:
        assert len(found[name]) > 2 and quiz.ID not in found[name], "the search would find what is wrong"
    counted = documents["reading/"].select_one(".progress").get_text()
    assert f"/ {sum(map(len, asked.values()))}" in counted


# ---- where one stopped, for whoever wants that kept

LONG = "attention/masks/"
STOPPED = "localStorage.getItem('/.stopped')"


def _scroll_to(page: Page, name: str) -> None:
    page.locator(f"#{name}").evaluate("one => { one.scrollIntoView({behavior: 'instant'}); scrollBy(0, -90) }")
    page.wait_for_function(
        "name => Math.abs(document.getElementById(name).getBoundingClientRect().top) < 200", arg=name
    )


def _asked_to_remember(open_page, language: str) -> tuple[Page, str]:
    page = open_page(f"{ROOTS[language]}reading/")
    page.locator(".remembering input").check()
    return page, page.url.removesuffix("reading/")


@pytest.mark.parametrize("language", ROOTS)
def test_who_asks_for_it_is_led_back_to_where_reading_stopped(open_page, language):
    page, home = _asked_to_remember(open_page, language)
    page.goto(home + LONG)
    heading = page.locator("article h2[id]").nth(2).get_attribute("id")
    expect(page.locator(".stopped-at")).to_have_count(0)
    _scroll_to(page, heading)
    page.goto(home)
    assert page.locator(".begin").evaluate("one => one.href") == f"{home}{LONG}#{heading}"
    assert page.locator(f".book-nav a[href$='{LONG}'] .seen").text_content() == "◐"
    page.goto(home + LONG)
    back = page.locator(".stopped-at")
    title = page.locator(f".md-sidebar a[href='#{heading}']").first.inner_text()
    expect(back).to_have_text({"ko": f"이어서 읽기: {title}", "en": f"Continue reading: {title}"}[language])
    assert not Axe().run(page, options={"runOnly": ["wcag2a", "wcag2aa"]}).response["violations"]
    back.click()
    expect(back).to_have_count(0)
    expect(page.locator(f"#{heading}")).to_be_in_viewport()
    _scroll_to(page, "questions")
    page.goto(home)
    links = page.locator(".book-nav li > a").evaluate_all("all => all.map(one => one.href)")
    assert page.locator(".begin").evaluate("one => one.href") == links[links.index(home + LONG) + 1], "it was read"
    assert page.locator(f".book-nav a[href$='{LONG}'] .seen").text_content() == "●"
    page.goto(home + LONG)
    expect(page.locator(".stopped-at")).to_have_count(0)


def test_what_is_read_is_kept_for_nobody_else_and_is_deleted_by_the_switch(open_page):
    page = open_page(LONG)
    _scroll_to(page, "questions")
    home = page.url.removesuffix(LONG)
    page.goto(home + "reading/")
    assert page.evaluate(STOPPED) is None
    switch = page.locator(".remembering input")
    expect(switch).not_to_be_checked()
    switch.check()
    page.goto(home + LONG)
    _scroll_to(page, "questions")
    page.goto(home + "reading/")
    expect(page.locator(f".book-nav a[href$='{LONG}'] .seen")).to_have_count(1)
    page.on("dialog", lambda dialog: dialog.accept())
    page.locator("button.erase").click()
    expect(page.locator(".book-nav .seen")).to_have_count(0)
    expect(switch).to_be_checked()
    switch.uncheck()
    page.goto(home)
    assert page.evaluate(STOPPED) is None


def test_keys_lead_to_the_pages_before_and_after(open_page):
    page = open_page(LONG)
    here = page.url.split("#")[0]
    links = page.locator(".book-nav li > a").evaluate_all("all => all.filter(one => !one.hash).map(one => one.href)")
    place = links.index(here)
    page.keyboard.press("n")
    page.wait_for_url(links[place + 1])
    page.keyboard.press("p")
    page.wait_for_url(f"{here}*")
