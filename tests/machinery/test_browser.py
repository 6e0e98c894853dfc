"""The site in a real browser: Chromium, driven by Playwright.

Every fourth page is read on a phone, in one of the languages; with ``--thorough`` every page in both languages,
in all layouts, and without scripts.

Without a browser these tests are skipped, and say so; with REQUIRE_BROWSER=1 they fail instead.
CHROMIUM names the browser where it is not found by itself.
"""

from __future__ import annotations

import collections
import os
import re
from collections.abc import Callable
from concurrent.futures import ThreadPoolExecutor
from dataclasses import dataclass, field
from urllib.parse import quote, urljoin

import pytest
from axe_playwright_python.sync_playwright import Axe
from playwright.sync_api import Browser, Page, expect, sync_playwright

from book.finish.browser import launch, program
from tests.machinery.shards import ours

PHONE = {"width": 360, "height": 740}
DESKTOP = {"width": 1280, "height": 900}
#: The layout in which every page is visited.
FIRST = (PHONE, "light")
#: The others, in an order in which each differs from the next in one thing: to change both takes longer.
OTHERS = [(PHONE, "dark"), (DESKTOP, "dark"), (DESKTOP, "light")]
#: CSS pixels below which a label of a figure cannot be read on a phone.
SMALLEST_LABEL = 11
#: Share of the screen by which what a reader looks at may move while the page comes in.
LARGEST_SHIFT = 0.02


#: What a page does by itself is done.
IDLE = "new Promise(done => requestIdleCallback(done, {timeout: 2000}))"


@pytest.fixture(scope="module")
def browser() -> Browser:
    if program() is None:
        reason = "no browser found: install Chromium or Chrome, or set CHROMIUM to its path"
        if os.environ.get("REQUIRE_BROWSER") == "1":
            pytest.fail(reason, pytrace=False)
        pytest.skip(reason)
    with sync_playwright() as playwright:
        browser = launch(playwright)
        yield browser
        browser.close()


@pytest.fixture
def open_page(browser, site):
    """Open an address of the site in a fresh profile; ``open_page(path, **options of the profile)``."""
    contexts = []

    def open_page(path: str, **options) -> Page:
        contexts.append(browser.new_context(**{"viewport": DESKTOP, "color_scheme": "light", **options}))
        contexts[-1].set_default_timeout(10_000)
        page = contexts[-1].new_page()
        page.goto(urljoin(site.address, path))
        if options.get("java_script_enabled", True):
            page.evaluate(IDLE)
        return page

    yield open_page
    for context in contexts:
        context.close()


def _addresses(site) -> list[str]:
    return [root + page for language, root in (("ko", ""), ("en", "en/")) for page in site.documents(language)]


def _with(site, selector: str) -> str:
    """The address of a Korean page that has the most of ``selector``."""
    pages = site.documents("ko")
    best = max(pages, key=lambda page: len(pages[page].select(selector)))
    assert pages[best].select(selector), f"no page has {selector}"
    return best


# ---- every page, once


@dataclass
class Visit:
    """What a browser noticed on one page."""

    messages: list[str] = field(default_factory=list)
    foreign: list[str] = field(default_factory=list)
    missing: list[str] = field(default_factory=list)
    too_wide: list[str] = field(default_factory=list)
    small_labels: list[str] = field(default_factory=list)
    shifts: list[str] = field(default_factory=list)
    hasty: list[str] = field(default_factory=list)
    abrupt: list[str] = field(default_factory=list)
    cut: list[str] = field(default_factory=list)
    half_seen: list[str] = field(default_factory=list)


LABELS = """smallest => [...document.querySelectorAll(".figure text")].flatMap(text => {
    if (!text.checkVisibility()) return [];
    const m = text.getScreenCTM(), own = [...text.childNodes].some(node => node.nodeType === 3 && node.data.trim());
    const size = parseFloat(getComputedStyle(text).fontSize) * Math.hypot(m.c, m.d);
    return own && size < smallest ? [`${text.textContent.trim()} (${size.toFixed(1)} px)`] : [];
})"""
SHIFTS = """() => new Promise(done => {
    const seen = [], observer = new PerformanceObserver(list => seen.push(...list.getEntries()));
    observer.observe({type: "layout-shift", buffered: true});
    const report = () => done([...seen, ...observer.takeRecords()].map(shift => [
        shift.value, ...shift.sources.map(source => source.node?.outerHTML?.slice(0, 60) ?? "text")]));
    requestAnimationFrame(() => setTimeout(report));
    setTimeout(report, 2000); // a page that nobody paints has no frames
})"""
SCRIPTS = """() => performance.getEntriesByType("resource").filter(one => one.initiatorType === "script")
    .map(one => one.name).filter(name => !name.endsWith("/assets/js/book.js"))"""
#: What is off the screen is laid out, too.
ALL_LAID_OUT = """() => document.head.insertAdjacentHTML("beforeend",
    "<style>.md-content__inner > * { content-visibility: visible !important }</style>")"""
#: What follows a formula or code without a space, and begins a line.
PARTED = """() => [...document.querySelectorAll("article span.formula, article :not(pre) > code")].flatMap(box => {
    const text = box.nextSibling, first = text?.nodeType === 3 ? text.data.search(/[^\\u2060]/) : -1;
    if (first < 0 || /\\s/.test(text.data[first])) return [];
    const range = document.createRange();
    range.setStart(text, first);
    range.setEnd(text, first + 1);
    const pieces = [...box.querySelectorAll(".katex-base")], end = pieces.at(-1) ?? box;
    const letter = range.getBoundingClientRect(), last = [...end.getClientRects()].at(-1);
    const parted = letter.width && letter.left < last.left && letter.top > last.top + 4;
    return parted ? [`${box.textContent.slice(-12)}|${text.data.slice(0, 6)}`] : [];
})"""
ABRUPT = """() => [...document.querySelectorAll("article :is(div, span, label, code, table, pre)")]
    .filter(box => box.scrollWidth > box.clientWidth + 1 && /auto|scroll/.test(getComputedStyle(box).overflowX))
    .filter(box => !getComputedStyle(box).backgroundAttachment.includes("local"))
    .map(box => box.outerHTML.slice(0, 80))"""
#: Of what is seen of figures that nobody has enlarged, only drawings for phones promise labels to be read.
NARROW_LABELS = LABELS.replace(".figure text", ".figure > .narrow text")
ENLARGED = """on => document.querySelectorAll(".figure > .enlarge").forEach(box => { box.checked = on })"""
#: A reader who has to scroll sideways takes a drawing for cut.
HALF_SEEN = """() => [...document.querySelectorAll(".figure")].filter(box => box.scrollWidth > box.clientWidth)
    .map(box => `${box.querySelector("svg:not(.narrow)").ariaLabel.slice(0, 40)}: ${box.scrollWidth} px wide`)"""
#: A box that is not painted while it is off the screen cuts off what is wider.
CUT = """() => [...document.querySelectorAll(".md-content__inner > * .figure")].flatMap(figure => {
    const box = figure.closest(".md-content__inner > *").getBoundingClientRect(), own = figure.getBoundingClientRect();
    if (own.left > box.left - 1 && own.right < box.right + 1) return [];
    const name = figure.querySelector("svg:not(.narrow)").ariaLabel.slice(0, 40);
    return [`${name}: from ${own.left} to ${own.right}, and the box from ${box.left} to ${box.right}`];
})"""
WIDEST = """width => [...document.querySelectorAll("article *")]
    .filter(element => element.getBoundingClientRect().right > width)
    .filter(element => !element.closest("pre, svg, table, div.formula, .katex-mathml"))
    .slice(0, 3).map(element => element.outerHTML.slice(0, 80))"""


def _listen(page: Page, site, visit: Visit) -> Callable[[], None]:
    """Note what the page says and loads, until what is returned is called."""

    def on_console(message):
        if message.type in ("error", "warning"):
            visit.messages.append(message.text)

    def on_request(request):
        if site.foreign(request.url):
            visit.foreign.append(request.url)

    def on_response(response):
        if response.status >= 400:
            visit.missing.append(f"{response.status} {response.url}")

    listeners = {
        "console": on_console,
        "pageerror": lambda error: visit.messages.append(str(error)),
        "request": on_request,
        "response": on_response,
        "requestfailed": lambda request: visit.missing.append(f"failed {request.url}"),
    }
    for event, listener in listeners.items():
        page.on(event, listener)

    def forget() -> None:
        for event, listener in listeners.items():
            page.remove_listener(event, listener)

    return forget


def _in_two_browsers(addresses: list[str], visit: Callable[[Page, str], object]) -> dict[str, object]:
    """``visit(page, address)`` of all these pages, half of them in each of two browsers."""

    def half(start: int) -> dict[str, object]:
        with sync_playwright() as playwright:
            browser = launch(playwright)
            size, scheme = FIRST
            # reduced motion: nothing is measured in the middle of a transition
            page = browser.new_page(viewport=size, color_scheme=scheme, reduced_motion="reduce")
            found = {}
            for address in addresses[start::2]:
                found[address] = visit(page, address)
                page.goto("about:blank")  # what this page still loads is broken off here, and not noted of the next
            browser.close()
        return found

    with ThreadPoolExecutor(2) as pool:
        first, second = (pool.submit(half, start) for start in range(2))
        found = first.result() | second.result()
    return {address: found[address] for address in addresses}


def _open(page: Page, address: str) -> None:
    """With everything that can be unfolded, and laid out, once the page's scripts have started."""
    page.goto(address)
    page.evaluate(IDLE)
    page.evaluate(ALL_LAID_OUT)
    page.evaluate("document.querySelectorAll('details').forEach(details => { details.open = true })")


def _too_wide(page: Page, width: int) -> list[str]:
    """What makes the page scroll sideways on a screen of this width."""
    wide = page.evaluate("document.scrollingElement.scrollWidth")
    return [f"{wide} px wide on a screen of {width}: {page.evaluate(WIDEST, width)}"] if wide > width else []


def _shares(site) -> list[list[str]]:
    """A fourth of the pages, the first in Korean, the next in English, and so on; and all that is left."""
    pairs = [(page, f"en/{page}") for page in site.documents("ko")]
    first = [pair[place % 2] for place, pair in enumerate(pairs[::4])]
    return [first, [address for pair in pairs for address in pair if address not in first]]


@pytest.fixture(scope="module", params=[0, pytest.param(1, marks=pytest.mark.thorough)], ids=["some", "others"])
def visits(request, browser, site) -> dict[str, Visit]:
    """What each page loads and says on a phone, and how wide it is there."""

    def visit(page: Page, address: str) -> Visit:
        noticed = Visit()
        forget = _listen(page, site, noticed)
        page.goto(urljoin(site.address, address))
        page.evaluate(IDLE)
        shifts = page.evaluate(SHIFTS)
        if sum(shift[0] for shift in shifts) > LARGEST_SHIFT:
            noticed.shifts = [str(shift) for shift in shifts]
        noticed.hasty = page.evaluate(SCRIPTS)
        with page.expect_response("**/bundle.*"):
            page.keyboard.press("Tab")  # a reader has come: the theme's script starts
        page.evaluate(IDLE)
        page.evaluate("document.querySelectorAll('details').forEach(details => { details.open = true })")
        page.evaluate(ALL_LAID_OUT)
        noticed.abrupt = page.evaluate(ABRUPT)
        noticed.cut = page.evaluate(CUT)
        noticed.half_seen = page.evaluate(HALF_SEEN)
        noticed.small_labels = page.evaluate(NARROW_LABELS, SMALLEST_LABEL)
        page.evaluate(ENLARGED, True)
        noticed.small_labels += page.evaluate(LABELS, SMALLEST_LABEL)
        noticed.abrupt += page.evaluate(ABRUPT)
        page.evaluate(ENLARGED, False)
        noticed.too_wide = _too_wide(page, page.viewport_size["width"])
        forget()
        return noticed

    return _in_two_browsers(_shares(site)[request.param], visit)


def _refuse(visits: dict[str, Visit], kind: str, advice: str) -> None:
    found = [f"/{address}: {what}" for address, visit in visits.items() for what in getattr(visit, kind)]
    if found:
        pytest.fail("\n".join([advice, *found]), pytrace=False)


def test_every_page_was_visited(visits, site):
    shares = _shares(site)
    assert list(visits) in shares
    assert set().union(*shares) == {path[: -len("index.html")] for path in site.pages if path.endswith("index.html")}


def test_no_page_logs_an_error_or_a_warning(visits):
    _refuse(visits, "messages", "the console of these pages has to stay empty:")


def test_no_page_asks_another_host_for_anything(visits):
    _refuse(visits, "foreign", "keep a copy of these below docs/assets and use that:")


def test_everything_a_page_loads_is_there(visits):
    _refuse(visits, "missing", "these could not be loaded; correct the address, or add the file:")


def test_no_page_moves_while_it_comes_in(visits):
    _refuse(visits, "shifts", "give what comes late the room that it needs, see contain-intrinsic-size in book.css:")


def test_no_page_starts_the_scripts_of_the_theme_before_a_reader_wants_something(visits):
    _refuse(visits, "hasty", "these run before anybody needs them; see docs/assets/js/book/theme.js:")


def test_what_scrolls_sideways_shows_that_it_does(visits):
    _refuse(visits, "abrupt", "these end without a shadow at the edge; see what is too wide in book.css:")


def test_no_drawing_is_cut_off(visits):
    _refuse(visits, "cut", "the box around these is narrower than they are; see content-visibility in book.css:")


def test_every_figure_is_seen_whole_on_a_phone_until_a_reader_enlarges_it(visits):
    _refuse(visits, "half_seen", "at 360 px these scroll sideways; see what a phone shows in book.css:")


def test_no_page_scrolls_sideways(visits):
    _refuse(visits, "too_wide", "shorten what is too wide, or let it scroll by itself in docs/assets/css/book.css:")


@pytest.mark.thorough
def test_no_page_scrolls_sideways_in_any_other_layout(browser, site):
    def visit(page: Page, address: str) -> list[str]:
        _open(page, urljoin(site.address, address))
        problems = []
        for size, scheme in layouts[page]:
            if size != page.viewport_size:
                page.set_viewport_size(size)
            page.emulate_media(color_scheme=scheme)
            problems += [f"{problem}, {scheme}" for problem in _too_wide(page, size["width"])]
        layouts[page] = layouts[page][::-1]  # the next page begins as this one ends
        return problems

    layouts = collections.defaultdict(lambda: OTHERS)
    wide = {
        address: problems for address, problems in _in_two_browsers(ours(_addresses(site)), visit).items() if problems
    }
    assert not wide, wide


def test_labels_of_figures_are_readable_on_a_phone(visits):
    advice = f"at 360 px, narrow or enlarged, these are below {SMALLEST_LABEL} px; none is smaller than style.SMALL:"
    _refuse(visits, "small_labels", advice)


# ---- what axe finds

#: It reads no MathML, and takes a heading that is a formula for an empty one.
READ = {"exclude": [["th:has(> .formula:only-child)"]]}
#: It looks at the size of what is tapped only if asked, and takes what is laid out when it comes near for an overlap.
WIDE_ENOUGH = {"rules": {"target-size": {"enabled": True}}}
OBSCURED = ("obscured", "partiallyObscured", "partiallyObscuredNonTabbable")


def _faults(page: Page, address: str, layouts: list) -> list[str]:
    """What axe-core finds on a page in each of these layouts."""
    _open(page, address)
    found = []
    for size, scheme in layouts:
        page.set_viewport_size(size)
        page.emulate_media(color_scheme=scheme)
        page.keyboard.press("Tab")  # what scrolls can be reached from the keyboard
        page.evaluate("document.fonts.ready")  # as wide as it is going to be
        faults = Axe().run(page, context=READ, options=WIDE_ENOUGH).response["violations"]
        found += [
            f"{size['width']} px, {scheme}: {fault['help']}: {node['html'][:100]}"
            for fault in faults
            for node in fault["nodes"]
            if not any(check["data"] and check["data"].get("messageKey") in OBSCURED for check in node["any"])
        ]
    return found


#: Of the layouts of a page, that of the Korean one and that of the English one, from page to page.
TURNS = [
    ((PHONE, "light"), (DESKTOP, "dark")),
    ((DESKTOP, "dark"), (PHONE, "light")),
    ((PHONE, "dark"), (DESKTOP, "light")),
    ((DESKTOP, "light"), (PHONE, "dark")),
]


def _some(site) -> dict[str, list]:
    """The shortest page that has some of everything, in either language, and the page for missing addresses."""
    parts = (".figure svg", "div.formula", "details", ".language-python", "table")
    full = (page for page, soup in site.documents("ko").items() if all(map(soup.select_one, parts)))
    page = min(full, key=lambda page: len(site.documents("ko")[page].find_all()))
    return {page: [FIRST], f"en/{page}": [(DESKTOP, "dark")], "404.html": [FIRST]}


def _all(site) -> dict[str, list]:
    """Each page once on a phone and once on a desktop, once light and once dark, once in either language."""
    found: dict[str, list] = {"404.html": [FIRST, *OTHERS]}
    for place, page in ours(list(enumerate(site.documents("ko")))):
        for root, layout in zip(("", "en/"), TURNS[place % len(TURNS)], strict=True):
            found[root + page] = [layout]
    return found


@pytest.mark.parametrize("chosen", [_some, pytest.param(_all, marks=pytest.mark.thorough)])
def test_axe_finds_nothing(browser, site, chosen):
    layouts = chosen(site)
    found = _in_two_browsers(
        list(layouts), lambda page, address: _faults(page, urljoin(site.address, address), layouts[address])
    )
    assert not any(found.values()), "\n".join(f"/{address}: {one}" for address in found for one in found[address])


# ---- what a reader does


def _largest_part(site) -> list[str]:
    """The addresses of the pages of the part that has the most."""
    pages = [page for page in site.documents("ko") if page.count("/") == 2]
    parts = collections.Counter(page.split("/")[0] for page in pages)
    return [page for page in pages if page.startswith(parts.most_common(1)[0][0])]


def test_every_part_is_in_sight_beside_the_text(open_page, site):
    page = open_page(_largest_part(site)[-1], viewport={"width": 1280, "height": 800})
    boxes = [part.bounding_box() for part in page.locator(".book-nav .part > a").all()]
    assert len(boxes) > 2 and all(box and box["y"] + box["height"] <= 800 for box in boxes), boxes
    # the pages of the part that is open are there too, and the one that is read is marked
    expect(page.locator(".book-nav [open] [aria-current]")).to_be_in_viewport()


def test_the_title_of_a_long_part_stays_above_its_pages_with_its_arrow_and_cuts_none(open_page, site):
    page = open_page(_largest_part(site)[10], viewport={"width": 1280, "height": 800})
    part = page.locator(".book-nav .part:has(> [open])")
    title, arrow = (part.locator(f"> {one}").bounding_box() for one in ("a", "details > summary"))
    assert abs(title["y"] + title["height"] / 2 - arrow["y"] - arrow["height"] / 2) < 2, (title, arrow)
    rows = [row.bounding_box() for row in part.locator("ol a:visible").all()]
    below = title["y"] + title["height"]
    assert not [row for row in rows if row["y"] < below - 1 < below + 1 < row["y"] + row["height"]], (title, rows)


def test_the_contents_of_a_phone_say_which_heading_the_reader_is_at(open_page, site):
    page = open_page(_largest_part(site)[-1], viewport=PHONE)
    here = page.locator("#__contents .headings [aria-current]")
    for place in (2, 0):
        heading = page.locator("article h2").nth(place)
        heading.evaluate("one => one.scrollIntoView({ block: 'start', behavior: 'instant' })")
        page.wait_for_timeout(300)
        page.get_by_role("button", name="책의 차례").click()
        expect(here).to_have_attribute("href", f"#{heading.get_attribute('id')}")
        page.keyboard.press("Escape")


@pytest.mark.parametrize(
    "scripts", [True, pytest.param(False, marks=pytest.mark.thorough)], ids=["scripts", "no scripts"]
)
def test_every_part_is_two_taps_away_on_a_phone(open_page, site, scripts):
    page = open_page(_largest_part(site)[-1], viewport=PHONE, java_script_enabled=scripts)
    contents = page.locator("#__contents")
    expect(contents).to_be_hidden()  # so nothing in it takes the keyboard's focus
    button = page.get_by_role("button", name="책의 차례")
    button.focus()
    page.keyboard.press("Enter")
    expect(contents).to_be_visible()
    page.keyboard.press("Escape")
    expect(contents).to_be_hidden()
    button.click()
    part = page.locator(".book-nav .part > a").last
    address = urljoin(page.url, part.get_attribute("href"))
    part.click()
    expect(page).to_have_url(address)
    expect(page.locator("article .place")).to_be_visible()


def test_the_headings_of_a_page_are_in_its_contents_on_a_phone(open_page, site):
    page = open_page(_largest_part(site)[-1], viewport=PHONE)
    page.locator(".contents-button").click()
    heading = page.locator(".book-nav .headings a").last
    heading.click()
    expect(page.locator("#__contents")).to_be_hidden()
    expect(page.locator(page.evaluate("location.hash"))).to_be_in_viewport()


@pytest.mark.parametrize(
    "path, language, title",
    [("", "ko", "트랜스포머"), pytest.param("en/", "en", "Transformer", marks=pytest.mark.thorough)],
)
def test_each_language_loads(open_page, path, language, title):
    page = open_page(path)
    expect(page.locator("html")).to_have_attribute("lang", language)
    expect(page).to_have_title(re.compile(title))
    expect(page.locator("h1")).to_be_visible()


def _switch(page: Page, language: str) -> None:
    page.locator(".md-select").hover()
    page.locator(f".md-select__link[hreflang={language}]").click()


def test_language_switch_keeps_page_and_heading(open_page, site):
    address = _with(site, "article h2[id]")
    heading = site.documents("ko")[address].select("article h2[id]")[-1]["id"]
    page = open_page(f"{address}#{heading}")
    _switch(page, "en")
    expect(page).to_have_url(f"{site.address}en/{address}#{heading}")
    expect(page.locator("html")).to_have_attribute("lang", "en")
    expect(page.locator(f"#{heading}")).to_be_in_viewport()
    _switch(page, "ko")
    expect(page).to_have_url(f"{site.address}{address}#{heading}")


@pytest.mark.thorough
def test_language_switch_keeps_the_page_without_javascript(open_page, site):
    address = _with(site, "article h2[id]")
    page = open_page(address, java_script_enabled=False)
    _switch(page, "en")
    expect(page).to_have_url(f"{site.address}en/{address}")
    _switch(page, "ko")
    expect(page).to_have_url(f"{site.address}{address}")


@pytest.mark.parametrize(
    "root, language, word",
    [("", "ko", "어텐션"), pytest.param("en/", "en", "attention", marks=pytest.mark.thorough)],
)
def test_search_finds_pages_of_its_own_language(open_page, site, root, language, word):
    page = open_page(root)
    page.locator(".search-button").click()
    page.locator("dialog.search input").fill(word)
    results = page.locator("dialog.search .found a")
    expect(results.first).to_have_attribute("href", re.compile(rf"\?h={quote(word)}(&|#|$)"))
    links = [urljoin(page.url, link) for link in results.evaluate_all("links => links.map(link => link.href)")]
    pages = {urljoin(site.address, root + address) for address in site.documents(language)}
    assert {re.split(r"[?#]", link)[0] for link in links} <= pages
    assert word in results.first.inner_text().lower()
    results.first.click()
    expect(page.locator("html")).to_have_attribute("lang", language)
    expect(page.locator("article mark").first).to_have_text(re.compile(word, re.IGNORECASE))


def test_theme_toggle_goes_round_and_is_remembered(open_page):
    page = open_page("")
    body, toggle = page.locator("body"), page.locator(".palette")
    background = "getComputedStyle(document.body).backgroundColor"
    seen = []
    for _ in range(3):
        toggle.click()
        seen.append((body.get_attribute("data-md-color-media"), body.get_attribute("data-md-color-scheme")))
    assert seen == [
        ("(prefers-color-scheme: light)", "default"),
        ("(prefers-color-scheme: dark)", "slate"),
        ("(prefers-color-scheme)", "default"),
    ]
    light = page.evaluate(background)
    toggle.click()
    toggle.click()
    dark = page.evaluate(background)
    assert light != dark
    page.reload(wait_until="networkidle")
    expect(body).to_have_attribute("data-md-color-scheme", "slate")
    assert page.evaluate(background) == dark


@pytest.mark.thorough
def test_theme_follows_the_system(open_page):
    expect(open_page("", color_scheme="dark").locator("body")).to_have_attribute("data-md-color-scheme", "slate")


def test_formulas_are_there_without_javascript(open_page, site):
    page = open_page(_with(site, ".formula"), java_script_enabled=False)
    boxes = page.locator("article > p .katex-html > .katex-base, article > .formula .katex-html > .katex-base")
    sizes = boxes.evaluate_all("all => all.map(box => [box.offsetWidth, box.offsetHeight])")
    assert sizes and all(width > 0 and height > 0 for width, height in sizes), sizes


@pytest.mark.thorough
def test_no_page_scrolls_sideways_without_javascript(open_page, site):
    page = open_page("", viewport=PHONE, java_script_enabled=False)
    wide = {}
    for address in _addresses(site):
        page.goto(urljoin(site.address, address))
        wide[address] = page.evaluate("document.scrollingElement.scrollWidth")
    assert {address: width for address, width in wide.items() if width > PHONE["width"]} == {}


@pytest.mark.thorough
def test_figures_are_there_without_javascript(open_page, site):
    page = open_page(_with(site, ".figure svg"), java_script_enabled=False)
    for figure in page.locator("article > figure .figure > svg:not(.narrow)").all():
        box = figure.bounding_box()
        assert box["width"] > 200 and box["height"] > 80, box


@pytest.mark.parametrize("how", ["tap", pytest.param("key", marks=pytest.mark.thorough)])
@pytest.mark.parametrize("scripts", [False, pytest.param(True, marks=pytest.mark.thorough)])
def test_a_figure_is_enlarged_on_a_phone_with_and_without_javascript(open_page, site, scripts, how):
    page = open_page(_with(site, ".figure > .narrow"), viewport=PHONE, java_script_enabled=scripts)
    figure = page.locator(".figure:has(> .narrow)").first
    narrow, wide = figure.locator("> .narrow"), figure.locator("> svg:not(.narrow)")
    box = figure.get_by_role("checkbox")
    act = (lambda: figure.click(position={"x": 100, "y": 30})) if how == "tap" else (lambda: box.press("Space"))
    assert (narrow.is_visible(), wide.is_visible()) == (True, False)
    whole = figure.bounding_box()
    assert whole["x"] >= 0 and whole["x"] + whole["width"] <= PHONE["width"]
    act()
    assert (narrow.is_visible(), wide.is_visible()) == (False, True)
    assert wide.bounding_box()["width"] > 1.5 * PHONE["width"] and figure.bounding_box()["width"] == whole["width"]
    place = box.bounding_box()
    figure.evaluate("one => { one.scrollLeft = 200 }")
    assert box.bounding_box() == place, "the sign stays where it is"
    act()
    again = figure.bounding_box()
    assert (again["width"], again["height"]) == (whole["width"], whole["height"]) and narrow.is_visible()


def test_a_large_screen_has_neither_narrow_drawings_nor_a_sign_to_enlarge_them(open_page, site):
    page = open_page(_with(site, ".figure > .narrow"), viewport=DESKTOP)
    figure = page.locator(".figure:has(> .narrow)").first
    seen = [one.is_visible() for one in (figure.locator("> .narrow"), figure.locator("> .enlarge"))]
    assert seen == [False, False] and figure.locator("> svg:not(.narrow)").is_visible()


@pytest.mark.parametrize("how", ["hover", pytest.param("focus", marks=pytest.mark.thorough)])
def test_glossary_entry_shows(open_page, site, how):
    page = open_page(_with(site, "article > p > abbr"))
    term = page.locator("article > p > abbr").first
    entry = term.get_attribute("title")
    term.hover() if how == "hover" else term.focus()
    expect(page.locator(".md-tooltip2--active")).to_have_text(entry)


def test_code_can_be_copied(open_page, site):
    page = open_page(_with(site, "article > .language-python"), permissions=["clipboard-read", "clipboard-write"])
    block = page.locator("article > .language-python").first
    block.locator("button.copy").click()
    expect(block.locator("button.copy")).to_have_class(re.compile("copied"))
    page.wait_for_function("navigator.clipboard.readText().then(text => text.length > 0)")
    assert page.evaluate("navigator.clipboard.readText()").strip() == block.locator("code").inner_text().strip()


def test_who_builds_along_finds_code_folded_on_all_pages(open_page):
    page = open_page("attention/masks/")
    code, box = page.locator(".to-write").first, page.locator("article .fold input")
    expect(code).to_be_visible()
    box.check()
    expect(page.locator("details.folded > .to-write").first).to_be_hidden()
    page.goto(page.url.replace("/attention/masks/", "/en/attention/multi-head/"))
    folded = page.locator("details.folded").first
    expect(folded.locator(".to-write")).to_be_hidden()
    expect(folded.locator("summary")).to_have_text("Write it yourself first: exercises/attention/multi_head.py")
    folded.locator("summary").click()
    expect(folded.locator(".to-write")).to_be_visible()
    page.go_back()
    page.locator("article .fold input").uncheck()
    expect(page.locator("details.folded")).to_have_count(0)
    expect(page.locator(".to-write").first).to_be_visible()


@pytest.mark.parametrize(
    "root, language, other", [pytest.param("", "ko", "en", marks=pytest.mark.thorough), ("en/", "en", "ko")]
)
def test_a_missing_page_is_told_in_the_language_of_its_address(open_page, site, root, language, other):
    page = open_page(f"{root}there/is/no/such/page/")
    expect(page.locator("html")).to_have_attribute("lang", language)
    expect(page.locator(".md-header").first).to_contain_text({"ko": "트랜스포머", "en": "Transformer"}[language])
    expect(page).to_have_url(f"{site.address}{root}there/is/no/such/page/")
    expect(page.locator(f".missing[lang={other}]")).to_be_hidden()
    heading = page.locator(f".missing[lang={language}] h1")
    expect(heading).to_be_visible()
    expect(page).to_have_title(heading.inner_text())
    page.locator(f".missing[lang={language}] a").first.click()
    expect(page).to_have_url(f"{site.address}{root}")


@pytest.mark.thorough
def test_a_missing_page_is_told_in_both_languages_without_javascript(open_page):
    page = open_page("there/is/no/such/page/", java_script_enabled=False)
    assert [text.get_attribute("lang") for text in page.locator(".missing:visible").all()] == ["ko", "en"]


@pytest.mark.thorough
def test_the_colours_follow_the_system_without_javascript(open_page, site):
    address = _with(site, ".figure svg")
    styles = [
        [
            page.locator(selector).first.evaluate(f"element => getComputedStyle(element).{name}")
            for selector, name in seen
        ]
        for scheme in ("dark", "light")
        for scripts in (True, False)
        for page in [open_page(address, color_scheme=scheme, java_script_enabled=scripts)]
        for seen in [[("body", "backgroundColor"), ("article p", "color"), ("article .figure text", "fill")]]
    ]
    assert styles[0] == styles[1] != styles[2] == styles[3]


@pytest.mark.thorough
def test_paper_is_used_and_what_belongs_together_stays_together(open_page, site):
    page = open_page(_with(site, ".language-python + .language-text"), viewport={"width": 680, "height": 1010})
    margins = {"top": "15mm", "bottom": "15mm", "left": "15mm", "right": "15mm"}
    printed = page.pdf(format="A4", margin=margins)
    page.emulate_media(media="print")
    height = page.evaluate("document.querySelector('article').scrollHeight")
    pages = len(re.findall(rb"/Type\s*/Page\b", printed))
    assert pages <= 1.25 * height / 1010 + 1, f"{pages} pages for {height} px: many are half empty"
    style = "element => [getComputedStyle(element).breakAfter, getComputedStyle(element).breakInside]"
    assert page.locator("article > .language-python:has(+ .language-text)").first.evaluate(style)[0] == "avoid"
    assert page.locator("article > .language-text").first.evaluate(style)[1] == "avoid"
    assert page.locator("article h2").first.evaluate(style)[0] == "avoid"
    solution = page.locator("article details:not([open]) > :not(summary)").first
    assert solution.evaluate("element => element.getBoundingClientRect().height") > 0, "solutions are open on paper"
    assert not page.locator("#__contents").is_visible()


def test_no_line_starts_with_a_particle(open_page, site):
    """Nor with the stop after a formula, on the pages that have most of both."""
    parted = []
    for address in (_with(site, "p > .unbroken"), _with(site, "article p > code")):
        page = open_page(address, viewport=PHONE)
        page.evaluate(ALL_LAID_OUT)
        parted += page.evaluate(PARTED)
    assert not parted, parted
