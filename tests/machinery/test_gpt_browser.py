"""The small GPT that runs in the page, in Chromium: what it computes is what PyTorch computes.

The page has its matrices in int8, a factor for each row. With the same rounded weights in PyTorch, logits differ by
less than ``CLOSE``; the rounding itself costs less than ``COST`` bits per character.
"""

from __future__ import annotations

import functools
import json

import pytest
import torch
from playwright.sync_api import Page, expect

from book.artifacts import weights
from snippets.before.vocabulary import BOS
from snippets.families.constitution_gpt import CONTEXT, bits_per_character, text_of, trained
from snippets.families.gpt import GPT
from snippets.families.sampling import top_p, with_temperature
from snippets.figures.families.next_character import PROMPTS
from tests.machinery.test_browser import browser, open_page  # noqa: F401
from tests.machinery.test_translator_browser import ROOTS, _said, each_language, page  # noqa: F401

CLOSE, COST = 1e-3, 0.01
LOGITS = """async ([name, lines]) => {
    const small = (globalThis.small ??= {})[name] ??= new t.GPT(await t.load(name));
    return JSON.stringify(lines.map(ids => {
        let step = { state: small.start() };
        return ids.map(id => [...(step = small.next(step.state, id)).logits]);
    }));
}"""


@functools.cache
def _rounded(language: str) -> GPT:
    model = GPT(text_of(language).config)
    model.load_state_dict({name: weights.packed(x, 8)[1] for name, x in trained(language).state_dict().items()})
    return model.eval()


@torch.no_grad()
def _logits(language: str, ids: list[int]) -> torch.Tensor:
    return _rounded(language)(torch.tensor([ids]))[0]


def _lines(language: str, every: int) -> list[list[int]]:
    own = text_of(language)
    return [own.vocab.encode(line, bos=True)[:-1] for line in own.test[::every]]


@pytest.mark.parametrize("every", [20, pytest.param(1, marks=pytest.mark.thorough)], ids=["some", "all"])
@each_language
def test_logits_are_those_of_pytorch(page, language, every):  # noqa: F811
    lines = _lines(language, every)
    assert len(lines) > 1
    for start in range(0, len(lines), 10):
        batch = lines[start : start + 10]
        rows = json.loads(page.evaluate(LOGITS, [f"constitution-{language}", batch]))
        for ids, found in zip(batch, rows, strict=True):
            assert (torch.tensor(found) - _logits(language, ids)).abs().max() < CLOSE


@pytest.mark.thorough
@each_language
def test_the_rounding_costs_next_to_nothing(language):
    own = text_of(language)
    for batches in map(own.batches, (own.validation, own.test)):
        rounded, whole = (bits_per_character(model, batches) for model in (_rounded(language), trained(language)))
        assert abs(rounded - whole) < COST


@pytest.mark.parametrize("temperature", [0.1, 0.7, 1.0, 2.0])
@pytest.mark.parametrize("p", [0.05, 0.5, 0.9, 1.0])
def test_a_temperature_and_top_p_are_those_of_the_book(page, temperature, p):  # noqa: F811
    for seed in range(5):
        logits = 3 * torch.randn(40, generator=torch.Generator().manual_seed(seed), dtype=torch.float64)
        found = page.evaluate("numbers => t.distribution(...numbers)", [logits.tolist(), temperature, p])
        expected = top_p(with_temperature(logits, temperature), p).softmax(dim=-1)
        torch.testing.assert_close(torch.tensor(found, dtype=torch.float64), expected)


def test_each_token_is_drawn_as_often_as_it_is_probable(page):  # noqa: F811
    found = page.evaluate("() => Array.from({length: 100}, (_, i) => t.drawn([0, 0.25, 0, 0.7, 0.05], i / 100))")
    assert found == [1] * 25 + [3] * 70 + [4] * 5
    assert page.evaluate("t.drawn([0.5, 0.499999, 0], 0.9999999)") == 1, "rounding leaves no room for what is cut off"


def test_it_says_where_its_positions_end(page):  # noqa: F811
    said = """async () => {
        const model = new t.GPT(await t.load("constitution-ko"));
        let { state } = { state: { ...model.start(), length: model.longest } };
        try { model.next(state, 1) } catch (error) { return error.message }
    }"""
    assert page.evaluate(said) == f"{CONTEXT} positions have been learned, and no more"


def _opened(page: Page):  # noqa: F811
    button = page.locator('button[data-touch="families/next_character"]')
    button.click()
    figure = page.locator('button[data-touch="families/next_character"] ~ .touchable')
    expect(figure.locator("svg")).to_be_visible()
    return figure


def _seeds(figure) -> list[str]:
    """What it writes with two of them."""
    found = []
    for seed in ("1", "2"):
        figure.locator("#seed").fill(seed)
        found.append(next(iter(_said(figure).values())))
    return found


@each_language
def test_a_text_of_the_reader_is_continued(open_page, language):  # noqa: F811
    figure = _opened(open_page(f"{ROOTS[language]}families/sampling/"))
    bars = figure.evaluate(
        "one => [...one.shadowRoot.querySelectorAll('svg text.small')].map(text => text.textContent)"
        ".filter(text => /^\\d/.test(text))"
    )
    ids = text_of(language).vocab.ids
    logits = _logits(language, [BOS, *(ids[letter] for letter in PROMPTS[language])])[-1]
    p = logits.softmax(dim=-1).sort(descending=True).values
    assert [float(bar) for bar in bars] == pytest.approx([*p[:10].tolist(), p[10:].sum().item()], abs=2e-3)
    prompt = {"ko": "대통령은 ", "en": "No person "}[language]
    figure.locator("#prompt").fill(prompt)
    one, other = _seeds(figure)
    assert one != other and one.startswith(prompt) and len(one) > 20, "drawn, and not only the most probable"
    figure.locator("#temperature").fill("0.1")
    figure.locator("#p").fill("0.05")
    one, other = _seeds(figure)
    assert one == other and len(one) > 20, "next to greedy, so that the seed hardly matters"
    figure.locator("#prompt").fill("#")
    (told,) = _said(figure).values()
    assert (
        told
        == {
            "ko": "‘#’: 어휘에 없는 글자입니다. 모델은 헌법에 나오는 글자만 읽습니다.",
            "en": "“#” is not in the vocabulary: the model reads only characters of the US constitution.",
        }[language]
    )


def test_a_syllable_that_is_being_typed_disturbs_nothing(open_page):  # noqa: F811
    figure = _opened(open_page("families/sampling/"))
    whole = next(iter(_said(figure).values()))
    figure.locator("#prompt").fill("모든 국민은 ㄱ")
    assert next(iter(_said(figure).values())) == whole
    figure.locator("#prompt").fill("모든 국민은 h")
    expect(figure.locator("svg.old")).to_be_visible()
    figure.locator("#prompt-0").click()
    expect(figure.locator("svg.old")).to_have_count(0)
    assert next(iter(_said(figure).values())).startswith("대통령은 ")


def test_the_chosen_place_comes_back_with_a_text_that_is_long_enough(open_page):  # noqa: F811
    figure = _opened(open_page("families/sampling/"))
    figure.locator("#seed").fill("3")
    figure.locator("#place").fill("50")
    chosen = figure.locator("#place").input_value()
    figure.locator("#temperature").fill("2")
    assert int(figure.locator("#place").input_value()) < int(chosen)
    assert next(iter(_said(figure).values())).endswith("[</s>]")
    figure.locator("#temperature").fill("1")
    assert figure.locator("#place").input_value() == chosen
