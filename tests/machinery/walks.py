"""What the tests of both walks through a model do: their figure, and what has to hold at each of its stations."""

from __future__ import annotations

import math
import random
import re
from pathlib import Path

import pytest
import torch
from playwright.sync_api import Locator, Page, expect

from book import ROOT
from tests.machinery.test_touch_browser import LARGEST_SHIFT, OBSERVE


def figure_on(page: Page, name: str) -> Locator:
    """The figure of a page that an address has opened."""
    figure = page.locator(f'button[data-touch="{name}"] ~ .touchable')
    expect(figure.locator(".picture > *")).to_be_visible(timeout=20_000)
    return figure


def check_numbers(figure: Locator, stations: int, expected: dict, made: list[int], step: int) -> None:
    """Stations, heads and cells drawn at random: the last number of the line, and the probabilities."""
    draw = random.Random(0)
    set_state = """(figure, state) => { figure.set(state);
        const { block, panels } = figure.station;
        return [block, panels.at(-1), figure.shadowRoot.querySelector(".cell").innerText]; }"""
    for station in range(stations):
        head, row = draw.randrange(4), draw.randrange(10)
        at = {"station": station, "step": step, "head": head, "row": row, "column": draw.randrange(10), "panel": -1}
        block, panel, text = figure.evaluate(set_state, at)
        values = expected[block][panel]
        number = values[head][row][at["column"]] if values.dim() == 3 else values[row][at["column"]]
        if math.isinf(number):
            assert "hides this key" in text
            continue
        before = text.rsplit("Σ =", 1)[0] if "Σ = " in text else text  # its terms follow
        last = float(re.findall(r"[-−]?\d+\.\d+|0(?=\D*$)", before)[-1].replace("−", "-"))
        assert last == pytest.approx(number.item(), abs=1.1e-3), (block, panel, at, text)
    shares = figure.locator(".tokens small:last-child").all_inner_texts()  # behind what it means
    p: torch.Tensor = expected["output"]["probabilities"]
    theirs = [p[i, id].item() for i, id in enumerate(made)]
    assert [float(share) for share in shares] == pytest.approx(theirs, abs=5.1e-3)


def check_sentences(figure: Locator, stations: int, documents: dict, root: str) -> None:
    """Each station says something, and leads to a heading of the book. root: the address of the language."""
    links = figure.evaluate("""figure => figure.way.map(({ at }) => { figure.set({ at });
        const link = figure.shadowRoot.querySelector(".sentence a");
        return [link.href, figure.shadowRoot.querySelector(".picture").innerText]; })""")
    assert len(links) == stations and not any("undefined" in text or "NaN" in text for _, text in links)
    for url, _ in links:
        path, _, anchor = url.removeprefix(root).partition("#")
        assert documents[path].find(id=anchor), url


def check_walking(page: Page, figure: Locator, stations: int, width: int) -> None:
    """From the first station to the last, *Next* stays under the finger, and nothing is too wide."""
    button = figure.locator("#next")
    button.scroll_into_view_if_needed()
    page.wait_for_timeout(300)
    y = button.bounding_box()["y"]
    page.evaluate(OBSERVE)
    for _ in range(stations - 1):
        button.click()
        assert abs(button.bounding_box()["y"] - y) <= 1, page.url
        assert page.evaluate("document.scrollingElement.scrollWidth") == width, page.url
    assert sum(page.evaluate("window.seen")) <= LARGEST_SHIFT


#: In pixels: the picture with the bar of buttons below it, what there is between that and the header, and how wide the
#: page is; what is folded away; and what is selected in rows that scroll but out of sight.
ON_A_PHONE = """figure => {
    const root = figure.shadowRoot, edges = (one) => one.getBoundingClientRect();
    const header = document.querySelector(".md-header").offsetHeight;
    const hidden = [...root.querySelectorAll(".scrolls")].filter((row) => {
        const one = row.querySelector("[aria-current], [aria-pressed=true]"), outer = edges(row);
        return one && (edges(one).left < outer.left - 1 || edges(one).right > outer.right + 1);
    });
    return { high: edges(root.querySelector(".moves")).height + root.querySelector(".picture").offsetHeight,
        room: innerHeight - header, wide: document.scrollingElement.scrollWidth, hidden: hidden.length,
        open: root.querySelectorAll("details[open]").length };
}"""


def check_phone(page: Page, figure: Locator, stations: int, width: int) -> None:
    """Each station fits between the header and the bar of buttons."""
    for station in range(stations):
        figure.evaluate("(figure, station) => figure.set({ station })", station)
        page.wait_for_timeout(50)  # rows scroll with the next frame
        seen = figure.evaluate(ON_A_PHONE)
        assert seen["high"] <= seen["room"] and seen["wide"] == width, (station, seen)
        assert seen["hidden"] == 0 and seen["open"] == 0, (station, seen)


def scripts_of(name: str) -> set[Path]:
    """What a figure loads of JavaScript."""
    scripts = ROOT / "docs" / "assets" / "js" / "touch"
    files, seen = [scripts / "touchable.js", scripts / f"{name}.js"], set()
    while files:
        file = files.pop().resolve()
        if file not in seen:
            seen.add(file)
            files += [file.parent / name for name in re.findall(r'from "(\.[^"]+)"', file.read_text(encoding="utf-8"))]
    return seen
