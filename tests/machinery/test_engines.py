"""The site in Firefox and in WebKit, the engine of Safari: what readers do on it, and where engines differ.

An engine that is not installed is skipped, and its test says what to install; with REQUIRE_ENGINES=1 it fails instead.
"""

from __future__ import annotations

import os

import pytest

from tests.machinery import engines
from tests.machinery.test_touch_browser import NAMES, ROOTS, address

pytestmark = pytest.mark.thorough

#: Where a heading that a link leads to stands: below the header, in CSS pixels.
BELOW_HEADER = range(40, 110)
#: A long page, and a heading far down in it.
LONG, DEEP = "attention/masks/", "fully-masked"
#: CSS pixels by which a page may differ from how far it was scrolled.
JUMP = 2
TOP = "return Math.round(document.getElementById(arguments[0]).getBoundingClientRect().top)"
#: What one has before one's eyes: the number, among all blocks of the page, of the first below the middle of the view.
IN_VIEW = """return [...document.querySelectorAll("article :is(h2, h3, p, pre, table, figure)")]
    .findIndex(block => block.getBoundingClientRect().height && block.getBoundingClientRect().top > innerHeight / 2)"""
#: Scrolls up by so much, and says by how much that block has moved.
SCROLLED = """const block = document.querySelectorAll("article :is(h2, h3, p, pre, table, figure)")[arguments[0]];
    const top = block.getBoundingClientRect().top;
    scrollBy({top: -arguments[1], behavior: "instant"});
    return new Promise(done => requestAnimationFrame(() => requestAnimationFrame(
        () => done(block.getBoundingClientRect().top - top))))"""
#: CSS pixels of one such step.
STEP = 120


@pytest.fixture(scope="module", params=engines.PROGRAMS)
def tab(request):
    if reason := engines.missing(request.param):
        if os.environ.get("REQUIRE_ENGINES") == "1":
            pytest.fail(reason, pytrace=False)
        pytest.skip(reason)
    with engines.tab(request.param) as tab:
        yield tab


@pytest.mark.parametrize("root", ROOTS.values(), ids=ROOTS)
def test_a_link_leads_to_its_heading(tab, site, root):
    for path in (LONG, "attention/why-sqrt-dk/", "families/real-encoder/"):
        tab.go(f"{site.address}{root}{path}")
        names = tab.run("return [...document.querySelectorAll('article h2[id]')].map(one => one.id)")
        name = names[len(names) // 2]
        tab.go(f"{site.address}{root}reading/")
        tab.go(f"{site.address}{root}{path}#{name}")
        tab.wait(TOP, name, until=BELOW_HEADER.__contains__)


def test_a_page_that_is_scrolled_up_does_not_jump(tab, site):
    """What one looks at moves by what one has scrolled, also where something above it gets its true height."""
    tab.go(f"{site.address}{LONG}#{DEEP}")
    tab.wait("return scrollY > 1000")
    while tab.run("return scrollY") > 1000:
        assert abs(tab.run(SCROLLED, tab.run(IN_VIEW), STEP) - STEP) <= JUMP


@pytest.mark.parametrize("language, question", [("ko", "어텐션은"), ("en", "attention")])
def test_the_search_finds(tab, site, language, question):
    tab.go(site.address + ROOTS[language])
    tab.run(
        """document.querySelector(".search-button").click();
        const box = document.querySelector("dialog.search input");
        box.value = arguments[0];
        box.dispatchEvent(new Event("input", {bubbles: true}));""",
        question,
    )
    ask = "return [...document.querySelectorAll('dialog.search .found a')].map(link => link.href)"
    found = tab.wait(ask, until=lambda links: any("/attention/" in link for link in links))
    assert all(link.startswith(f"{site.address}{ROOTS[language]}") for link in found)


#: Opens a figure: its numbers, once there are any.
SHOWN = """const button = document.querySelector(`button[data-touch="${arguments[0]}"]`);
    const failed = button.parentElement.querySelector(":scope > [role=alert]");
    if (failed) throw new Error(failed.textContent);
    const figure = button.parentElement.querySelector(":scope > .touchable"), root = figure?.shadowRoot;
    if (!root?.querySelector(".picture > *")) return "";
    return [...root.querySelectorAll("dl, .picture")].map(one => one.textContent).join("\\n")"""
#: Moves the first slider, or puts the first box into its other state.
MOVED = """const root = document.querySelector(`button[data-touch="${arguments[0]}"]`).parentElement
        .querySelector(":scope > .touchable").shadowRoot;
    const control = root.querySelector("input[type=range]") ?? root.querySelector("input[type=checkbox]");
    if (!control) return false;
    if (control.type === "checkbox") control.click();
    else {
        control.value = Number(control.value) < Number(control.max) ? Number(control.value) + Number(control.step || 1)
            : Number(control.value) - Number(control.step || 1);
        for (const kind of ["input", "change"]) control.dispatchEvent(new Event(kind, {bubbles: true}));
    }
    return true"""


@pytest.mark.parametrize("name", NAMES)
def test_a_figure_opens_and_answers(tab, site, name):
    tab.go(f"{site.address}en/{address(name)}")
    tab.run('document.querySelector(`button[data-touch="${arguments[0]}"]`).click()', name)
    first = tab.wait(SHOWN, name)
    if tab.run(MOVED, name):
        tab.wait(SHOWN, name, until=lambda shown: shown != first)
