"""Figures that a reader can touch: in Chromium, from the keyboard, and their numbers next to those of Python."""

from __future__ import annotations

import functools
import json
import math
import re
import time

import pytest
import torch
from axe_playwright_python.sync_playwright import Axe
from playwright.sync_api import Locator, Page, expect

from book import LANGUAGES, ROOT, touch
from snippets.attention.soft_lookup import soft_lookup
from tests.machinery.test_browser import DESKTOP, LARGEST_SHIFT, PHONE, SHIFTS, browser, open_page  # noqa: F401

ROOTS = {"ko": "", "en": "en/"}
NAMES = touch.names()
#: CSS pixels below which a label cannot be read.
SMALLEST = 11

each_figure = pytest.mark.parametrize("name", NAMES)
each_language = pytest.mark.parametrize("language", LANGUAGES)


@functools.cache
def address(name: str) -> str:
    """The page that lets its reader touch a figure."""
    for path in sorted((ROOT / "docs" / "en").rglob("*.md")):
        if f"assets/figures/{name}.svg){touch.MARK}" in path.read_text(encoding="utf-8"):
            return f"{path.relative_to(ROOT / 'docs' / 'en').with_suffix('').as_posix()}/"
    raise AssertionError(f"no page lets its reader touch {name}")


def opened(page: Page, name: str) -> Locator:
    """The figure, once its button has been pressed from the keyboard."""
    button = page.locator(f'button[data-touch="{name}"]')
    button.focus()
    page.keyboard.press("Enter")
    expect(button).to_have_attribute("aria-expanded", "true")
    figure = page.locator(f'button[data-touch="{name}"] + *')
    expect(figure.locator("svg")).to_be_visible()
    return figure


# ---- numbers


@pytest.fixture
def compute(open_page):  # noqa: F811
    """``compute("attention", "softmax", …)`` calls a function of maths/attention.js."""
    page = open_page("")

    def compute(module: str, function: str, *arguments):
        # JSON knows neither: they go as words
        words = {"Infinity": math.inf, "-Infinity": -math.inf, "NaN": math.nan}
        answer = page.evaluate(
            """async ([module, name, words]) => {
                const read = (key, value) => (/^(-?Infinity|NaN)$/.test(value) ? Number(value) : value);
                const odd = (value) => typeof value === "number" && !Number.isFinite(value);
                const say = (key, value) => (odd(value) ? String(value) : value);
                const functions = await import(`/assets/js/touch/maths/${module}.js`);
                return JSON.stringify(functions[name](...JSON.parse(words, read)), say);
            }""",
            [module, function, re.sub(r"-?Infinity|NaN", lambda word: f'"{word[0]}"', json.dumps(arguments))],
        )
        return _with_numbers(json.loads(answer), words)

    return compute


def _with_numbers(value, words):
    if isinstance(value, list):
        return [_with_numbers(one, words) for one in value]
    if isinstance(value, dict):
        return {key: _with_numbers(one, words) for key, one in value.items()}
    return words.get(value, value) if isinstance(value, str) else value


def close(ours, theirs: torch.Tensor, **tolerance) -> None:
    """The same numbers as those of a tensor in float64; NaN where NaN is."""
    torch.testing.assert_close(
        torch.tensor(ours, dtype=torch.float64),
        theirs.double(),
        equal_nan=True,
        **(tolerance or {"rtol": 1e-9, "atol": 1e-12}),
    )


def random(*size: int, seed: int = 0, scale: float = 1.0) -> torch.Tensor:
    return scale * torch.randn(*size, generator=torch.Generator().manual_seed(seed), dtype=torch.float64)


def test_a_soft_look_up_is_that_of_the_book(compute):
    for seed in range(20):
        scores, values = random(7, seed=seed, scale=10.0), random(7, seed=100 + seed)
        found = compute("attention", "softLookup", scores.tolist(), values.tolist())
        answer, weights = soft_lookup(scores, values)
        close(found["answer"], answer)
        close(found["weights"], weights)


def test_the_softmax_is_that_of_pytorch_even_of_what_is_masked(compute):
    for row in ([1.0, -math.inf, 1000.0], [-math.inf, 0.0], [-math.inf, -math.inf]):
        close(compute("attention", "softmax", row), torch.softmax(torch.tensor(row, dtype=torch.float64), dim=0))


# ---- what a reader does

SHOWN = """figure => [...figure.shadowRoot.querySelectorAll("dl, svg")].map(one => one.outerHTML).join("")"""
NUMBERS = (
    """figure => [...figure.shadowRoot.querySelectorAll("dl, svg text, table")].map(one => one.textContent).join(" ")"""
)


def move(page: Page, control: Locator) -> None:
    """From the keyboard, away from where it is."""
    control.focus()
    kind = control.get_attribute("type")
    if kind == "range":
        at_end = float(control.input_value()) >= float(control.get_attribute("max"))
        page.keyboard.press("ArrowLeft" if at_end else "ArrowRight")
    elif kind == "text":
        page.keyboard.press("End")
        page.keyboard.press("Backspace")
    else:
        page.keyboard.press("Space")


@each_language
@each_figure
def test_each_control_moves_from_the_keyboard_and_numbers_answer(open_page, name, language):  # noqa: F811
    page = open_page(ROOTS[language] + address(name))
    figure = opened(page, name)
    first = figure.evaluate(NUMBERS)
    assert re.search(r"\d", first)
    controls = figure.locator("input:not(:checked[type=radio])")
    labels = controls.evaluate_all("all => all.map(one => one.labels[0].textContent.trim())")
    assert all(labels) and len(labels) >= 2
    for place in range(len(labels)):
        # a radio that is checked now was not there to be counted: a page that is reset counts the same
        control = controls.nth(place)
        move(page, control)
        assert figure.evaluate(NUMBERS) != first, f"nothing answers to {labels[place]}"
        figure.locator("#reset").press("Enter")
        assert figure.evaluate(NUMBERS) == first, f"{labels[place]} is not reset"
    for button in figure.locator(".actions button:not(#reset)").all():
        before = figure.evaluate(SHOWN)
        button.press("Enter")
        assert figure.evaluate(SHOWN) != before, f"nothing answers to {button.inner_text()}"


@each_figure
def test_nothing_is_loaded_before_the_reader_asks_and_it_closes_again(open_page, site, name):  # noqa: F811
    page = open_page(address(name))
    loaded = """() => performance.getEntriesByType("resource").map(one => one.name)
        .filter(name => name.includes("/touch/"))"""
    assert page.evaluate(loaded) == []
    figure = opened(page, name)
    urls = page.evaluate(loaded)
    assert {path.relative_to(ROOT / touch.FOLDER).as_posix() for path in touch.scripts()} >= {
        url.split("/js/touch/")[1] for url in urls
    }
    weight = sum((site.directory / url.removeprefix(site.address)).stat().st_size for url in urls)
    assert weight < 48_000, f"{weight:,} bytes are loaded for {name}"
    changed = figure.locator("input[type=range]").first
    changed.press("ArrowLeft")
    value = changed.input_value()
    button = page.locator(f'button[data-touch="{name}"]')
    button.click()
    expect(button).to_have_attribute("aria-expanded", "false")
    expect(figure).to_be_hidden()
    button.click()
    expect(figure).to_be_visible()
    assert changed.input_value() == value and page.evaluate(loaded) == urls


def test_without_javascript_the_drawing_is_there_and_no_button(open_page):  # noqa: F811
    page = open_page(address(NAMES[0]), java_script_enabled=False)
    expect(page.locator("figure:has(> .touch) .figure svg").first).to_be_visible()
    expect(page.locator("button.touch").first).to_be_hidden()


def test_a_figure_that_cannot_be_loaded_can_be_asked_for_again(open_page):  # noqa: F811
    page = open_page(address(NAMES[0]))
    page.context.set_offline(True)
    button = page.locator("button.touch").first
    button.click()
    expect(button).to_have_attribute("aria-expanded", "false")
    page.context.set_offline(False)
    button.click()
    expect(page.locator("button.touch + *").first).to_be_visible()


@each_language
@each_figure
def test_a_figure_fits_a_phone_by_touch(open_page, name, language):  # noqa: F811
    page = open_page(ROOTS[language] + address(name), viewport=PHONE, has_touch=True, is_mobile=True)
    page.locator(f'button[data-touch="{name}"]').tap()
    figure = page.locator(f'button[data-touch="{name}"] + *')
    expect(figure.locator("svg")).to_be_visible()
    slider = figure.locator("input[type=range]").first
    slider.scroll_into_view_if_needed()
    before, box = figure.evaluate(NUMBERS), slider.bounding_box()
    for share in (0.05, 0.95):  # the one or the other is not where it is
        page.touchscreen.tap(box["x"] + share * box["width"], box["y"] + box["height"] / 2)
        if figure.evaluate(NUMBERS) != before:
            break
    assert figure.evaluate(NUMBERS) != before
    assert page.evaluate("document.scrollingElement.scrollWidth") == PHONE["width"]
    assert _cut_off(figure) == [] and _small(figure) == []


def _cut_off(figure: Locator) -> list[str]:
    """What reaches beyond the drawing, or beyond the figure."""
    return figure.evaluate("""figure => {
        const root = figure.shadowRoot, edges = one => one.getBoundingClientRect();
        const box = edges(figure), svg = edges(root.querySelector("svg"));
        const beyond = (one, edge) => { const own = edges(one);
            return own.left < edge.left - 1 || own.right > edge.right + 1 || own.bottom > edge.bottom + 1; };
        return [...root.querySelectorAll("svg *")].filter(one => beyond(one, svg))
            .concat([...root.querySelectorAll("*")].filter(one => beyond(one, box)))
            .map(one => one.outerHTML.slice(0, 120));
    }""")


def _small(figure: Locator) -> list[str]:
    return figure.evaluate(
        """(figure, smallest) => [...figure.shadowRoot.querySelectorAll("*")]
            .filter(one => parseFloat(getComputedStyle(one).fontSize) < smallest)
            .map(one => one.outerHTML.slice(0, 80))""",
        SMALLEST,
    )


@pytest.mark.parametrize("size", [PHONE, pytest.param(DESKTOP, marks=pytest.mark.thorough)], ids=["phone", "desktop"])
@each_figure
def test_nothing_moves_while_a_figure_comes_in(open_page, name, size):  # noqa: F811
    page = open_page(address(name), viewport=size)
    page.route("**/touch/**", lambda route: (time.sleep(0.4), route.continue_()))  # longer than a browser forgives
    button = page.locator(f'button[data-touch="{name}"]')
    button.scroll_into_view_if_needed()
    page.mouse.wheel(0, 300)  # what stands below is on the screen
    page.wait_for_timeout(300)
    button.focus()
    page.evaluate(
        "() => { window.seen = []; new PerformanceObserver(list => window.seen.push(...list.getEntries()"
        ".filter(one => !one.hadRecentInput).map(one => one.value))).observe({type: 'layout-shift'}); }"
    )
    page.keyboard.press("Enter")
    expect(page.locator(f'button[data-touch="{name}"] + * svg')).to_be_visible()
    page.wait_for_timeout(200)
    assert sum(page.evaluate("window.seen")) <= LARGEST_SHIFT


def _faults(page: Page) -> list[str]:
    page.keyboard.press("Tab")  # what scrolls can be reached from the keyboard
    faults = Axe().run(page, context={"include": [["figure:has(> .touch)"]]}).response["violations"]
    return [f"{fault['help']}: {node['html'][:100]}" for fault in faults for node in fault["nodes"]]


#: The cheapest way to see each of both once; the other layouts are for the thorough run.
LAYOUTS = [
    ("ko", PHONE, "light"),
    pytest.param("en", DESKTOP, "dark", marks=pytest.mark.thorough),
    pytest.param("en", PHONE, "dark", marks=pytest.mark.thorough),
    pytest.param("ko", DESKTOP, "light", marks=pytest.mark.thorough),
]


@pytest.mark.parametrize("language, size, scheme", LAYOUTS)
@each_figure
def test_axe_finds_nothing_in_a_figure_that_is_open(open_page, name, language, size, scheme):  # noqa: F811
    page = open_page(ROOTS[language] + address(name), viewport=size, color_scheme=scheme, reduced_motion="reduce")
    figure = opened(page, name)
    assert _faults(page) == []
    assert _cut_off(figure) == []


@each_figure
def test_a_figure_says_the_same_in_both_languages(open_page, name):  # noqa: F811
    page = open_page("")
    shape = """async name => {
        const shape = value => (Array.isArray(value) ? value.map(shape) : value && typeof value === "object"
            ? Object.fromEntries(Object.keys(value).sort().map(key => [key, shape(value[key])])) : typeof value);
        const { text } = (await import(`/assets/js/touch/${name}.js`)).default;
        const shapes = Object.entries(text).map(([language, words]) => [language, JSON.stringify(shape(words))]);
        return Object.fromEntries(shapes);
    }"""
    shapes = page.evaluate(shape, name)
    assert list(shapes) == list(LANGUAGES) and shapes["ko"] == shapes["en"]
