"""The book without a connection, in a real browser: kept for whoever asks for it, and forgotten again."""

from __future__ import annotations

import pytest
from playwright.sync_api import Page, expect

from tests.machinery.test_browser import browser, open_page  # noqa: F401
from tests.machinery.test_touch_browser import ROOTS
from tests.machinery.test_translator_browser import each_language

pytestmark = pytest.mark.thorough

KEPT = "async () => (await (await caches.open('book')).keys()).map(({ url }) => new URL(url).pathname)"
#: The title of a page, and how many of its pictures could not be loaded.
SEEN = """() => [document.title,
    [...document.images].filter(({ complete, naturalWidth }) => complete && !naturalWidth).length]"""


def _switch(page: Page, *, on: bool) -> None:
    box = page.locator(".offline")
    box.locator("input").set_checked(on)
    said = box.get_attribute("data-done") if on else ""
    expect(box.locator("[role=status]")).to_have_text(said, timeout=180_000)


@each_language
def test_a_reader_who_asks_for_it_has_the_book_without_a_connection(open_page, site, language):  # noqa: F811
    page = open_page(f"{ROOTS[language]}reading/")
    assert page.evaluate("async () => await caches.keys()") == [], "whoever has not asked keeps nothing"
    _switch(page, on=True)
    kept = set(page.evaluate(KEPT))
    pages = {f"/{url}" for url in site.documents(language)}
    assert len(kept & {f"/{ROOTS[language]}positions/sinusoidal/", f"/{ROOTS[language]}llm/heads/"}) == 2
    assert (
        len(pages) > 100
        and any(name.endswith("book.js") for name in kept)
        and any(name.endswith(".svg") for name in kept)
    )
    page.context.set_offline(True)
    for name in ("positions/sinusoidal/", "attention/masks/", "families/vision-transformer/"):
        page.goto(f"{site.address}{ROOTS[language]}{name}")
        title, broken = page.evaluate(SEEN)
        assert title and broken == 0, name
        expect(page.locator("h1")).to_be_visible()
        assert page.evaluate("getComputedStyle(document.querySelector('.md-header')).position") == "sticky", (
            "with its styles"
        )
    page.keyboard.press("/")
    page.locator("dialog.search input").fill("softmax")
    found = page.locator("dialog.search .found a")
    expect(found.first).to_be_visible(timeout=20_000)  # though nobody had searched before
    page.context.set_offline(False)
    page.goto(f"{site.address}{ROOTS[language]}reading/")
    expect(page.locator(".offline input")).to_be_checked()
    _switch(page, on=False)
    page.wait_for_function("async () => !(await caches.keys()).length")
    page.evaluate("async () => (await fetch(location)).text()")  # this page still has its worker
    assert page.evaluate("async () => await caches.keys()") == []
    assert page.evaluate("async () => (await navigator.serviceWorker.getRegistrations()).length") == 0


def test_what_is_published_is_seen_as_long_as_there_is_a_connection(open_page, site):  # noqa: F811
    page = open_page("reading/")
    _switch(page, on=True)
    address = f"{site.address}attention/masks/"
    page.evaluate(
        """async (address) => {
        const cache = await caches.open("book");
        await cache.put(address, new Response("<h1>old</h1>", { headers: { "Content-Type": "text/html" } }));
    }""",
        address,
    )
    page.goto(address)
    expect(page.locator("h1")).not_to_have_text("old")
    page.wait_for_function("async (address) => (await (await caches.match(address)).text()).length > 1000", arg=address)
    page.context.set_offline(True)
    page.reload()
    expect(page.locator("h1")).not_to_have_text("old")  # it was kept anew
