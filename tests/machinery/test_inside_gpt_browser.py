"""The walk through the small GPT, in Chromium: its numbers are PyTorch's, and so is what a change makes of them."""

from __future__ import annotations

import contextlib
import json
import math
import random
import re

import pytest
import torch
from playwright.sync_api import Locator, Page, expect

from book import ROOT
from book.artifacts import weights
from book.markdown import touch
from snippets.attention.multi_head import split_heads
from snippets.before.vocabulary import BOS, EOS
from snippets.families.constitution_gpt import text_of
from snippets.tools.tracing import outputs
from snippets.training.inside import changed
from tests.machinery.test_browser import DESKTOP, PHONE, browser, open_page  # noqa: F401
from tests.machinery.test_gpt_browser import CLOSE, _rounded
from tests.machinery.test_inside_browser import _numbers, _same
from tests.machinery.test_touch_browser import ROOTS, address, opened
from tests.machinery.test_translator_browser import each_language
from tests.machinery.test_translator_browser import page as models  # noqa: F401
from tests.machinery.walks import check_numbers, check_phone, check_sentences, check_walking, figure_on, scripts_of

NAME = "families/inside_gpt"
THOROUGH = pytest.mark.thorough
MORE = {"ko": 8, "en": 14}  # characters that are generated
STATIONS = 37
PROMPTS = {"ko": ["모든 국민은 ", "대통령은 ", "제1조", ""], "en": ["The President ", "No person ", "ARTICLE", ""]}
CASES = [
    pytest.param(language, prompt, marks=[THOROUGH] if place else [], id=f"{language}-{place}")
    for language, prompts in PROMPTS.items()
    for place, prompt in enumerate(prompts)
]

#: The model of a language, as `small` and a trace of it for a text: all blocks, and what it is continued by.
TRACE = """async ([name, ids, more, off, scores, guess]) => {
    const trace = await import("/js/touch/maths/translator/gpt_trace.js");
    const small = (globalThis.small ??= {})[name] ??= new t.GPT(await t.load(name));
    const changes = { off: new Set(off), scores: new Map(scores) };
    const made = trace.continued(small, ids, more, changes, guess);
    const blocks = trace.passed(small, [t.BOS, ...made.slice(0, -1)], changes);
    const plain = (key, value) => {
        if (["module", "norm", "table"].includes(key)) return undefined; // parts of the model
        return value instanceof Float32Array ? [...value] : value === -Infinity ? "-Infinity" : value;
    };
    return JSON.stringify({ made, blocks }, plain);
}"""


def _ids(language: str, prompt: str) -> list[int]:
    return [text_of(language).vocab.ids[letter] for letter in prompt]


def _traced(models: Page, language: str, ids: list[int], off=(), scores=(), guess=()) -> dict:  # noqa: F811
    arguments = [f"constitution-{language}", ids, MORE[language], list(off), [list(one) for one in scores], list(guess)]
    return json.loads(models.evaluate(TRACE, arguments))


@torch.no_grad()
def _continued(language: str, ids: list[int]) -> list[int]:
    made = list(ids)
    while len(made) < len(ids) + MORE[language] and made[len(ids) :][-1:] != [EOS]:
        made.append(_rounded(language)(torch.tensor([[BOS, *made]]))[0, -1].argmax().item())
    return made


@torch.no_grad()
def _expected(language: str, made: list[int]) -> dict[str, dict]:
    """What PyTorch computes for each block of the page: panels by name."""
    model, x = _rounded(language), torch.tensor([[BOS, *made[:-1]]])
    seen = {name: [one[0] for one in found] for name, found in outputs(model, x)}
    found = {
        "d.input": {
            "embedded": model.tokens.weight[x[0]], "positions": model.positions.table[: x.size(1)],
            "passed": model.embed(x)[0],
        }
    }  # fmt: skip
    for layer in range(len(model.stack.layers)):
        path = f"stack.layers.{layer}"
        q, k, v = (split_heads(seen[f"{path}.attention.{w}"][0][None], 4)[0] for w in ("w_q", "w_k", "w_v"))
        output, attended = seen[f"{path}.attention"]
        scores = q @ k.transpose(-2, -1) / math.sqrt(q.size(-1))
        heads = attended @ v
        found[f"d{layer}.self"] = {
            "inner": seen[f"{path}.residual_1.norm"][0], "queries": q, "keys": k, "values": v,
            "scores": scores.masked_fill(torch.ones_like(scores).triu(1).bool(), -math.inf), "weights": attended,
            "head": heads, "concatenated": heads.transpose(0, 1).flatten(1), "output": output,
            "passed": seen[f"{path}.residual_1"][0],
        }  # fmt: skip
        hidden = torch.nn.functional.gelu(seen[f"{path}.feed_forward.w_1"][0], approximate="tanh")
        found[f"d{layer}.ffn"] = {
            "inner": seen[f"{path}.residual_2.norm"][0], "hidden": hidden,
            "output": seen[f"{path}.feed_forward"][0], "passed": seen[f"{path}.residual_2"][0],
        }  # fmt: skip
    logits = seen[""][0]
    found["output"] = {"inner": seen["stack.norm"][0], "logits": logits, "probabilities": logits.softmax(dim=-1)}
    return found


@pytest.mark.parametrize(("language", "prompt"), CASES)
def test_every_matrix_is_that_of_pytorch(models, language, prompt):  # noqa: F811
    ids = _ids(language, prompt)
    found = _traced(models, language, ids)
    assert found["made"] == _continued(language, ids)
    expected = _expected(language, found["made"])
    assert found["blocks"].keys() == expected.keys() and len(expected) == 8
    for name, panels in expected.items():
        _same(found["blocks"][name], panels, name)


@each_language
def test_a_guess_changes_nothing(models, language):  # noqa: F811
    ids = _ids(language, PROMPTS[language][0])
    made = _traced(models, language, ids)["made"]
    new = made[len(ids) :]
    wrong = [new[:3] + [5] + new[4:], new[::-1], new + new, [EOS], [7] * MORE[language]]
    assert [_traced(models, language, ids, guess=guess)["made"] for guess in [new, *wrong]] == [made] * 6


#: By block and panel: how far its cells are from what is said of them, and how many there are, and how many are masked.
EXPLAINED = """async ([name, ids]) => {
    const { passed } = await import("/js/touch/maths/translator/gpt_trace.js");
    const { explained } = await import("/js/touch/maths/translator/blocks.js");
    const { attends, decoderBlocks, stations } = await import("/js/touch/maths/translator/stations.js");
    const small = (globalThis.small ??= {})[name] ??= new t.GPT(await t.load(name));
    const blocks = passed(small, [t.BOS, ...ids]);
    const names = ["queries", "keys", "values", "scores", "weights"];
    const of = { ...Object.fromEntries(names.map(name => [name, name])), head: "output" };
    const again = (cell) => {
        const products = cell.pairs?.reduce((sum, [a, b]) => sum + a * b, 0);
        if (cell.pairs) return cell.activation((products + cell.bias) / cell.divisor);
        if (cell.gamma !== undefined) return cell.gamma * (cell.x - cell.mean) / cell.deviation + cell.beta;
        const powers = cell.scores?.map(Math.exp);
        if (powers) return powers[cell.column] / powers.reduce((sum, one) => sum + one, 0);
        return cell.f === undefined ? cell.result : cell.x + cell.f;
    };
    const found = {};
    for (const { block, panels } of stations(decoderBlocks(3), true)) for (const panel of panels) {
        const one = blocks[block], isOfHead = attends(block) && panel in of;
        const sums = found[`${block} ${panel}`] = [0, 0, 0];
        for (const head of isOfHead ? [0, 1, 2, 3] : [0]) {
            const values = isOfHead ? one.heads[head][of[panel]] : one[panel];
            values.forEach((row, i) => row.forEach((value, j) => {
                const cell = explained(one, panel, head, i, j);
                if (value === -Infinity) { sums[2] += cell.shown === value ? 1 : NaN; return; }
                const said = [again(cell), cell.shown ?? cell.result];
                sums[0] = Math.max(sums[0], ...said.map(one => Math.abs(value - one)));
                sums[1]++;
            }));
        }
    }
    return found;
}"""


@each_language
def test_what_is_said_of_a_cell_gives_the_number_that_stands_there(models, language):  # noqa: F811
    ids = _ids(language, PROMPTS[language][0])
    found = models.evaluate(EXPLAINED, [f"constitution-{language}", ids])
    # panels of all blocks: an attention has 11, a feed-forward 5, the input 3, the output 4
    assert len(found) == 3 * (11 + 5) + 3 + 4 and all(count for _, count, _ in found.values())
    assert {key: off for key, (off, *_) in found.items() if not off < 2e-5} == {}
    n = len(ids) + 1
    hidden = {key: count for key, (*_, count) in found.items() if count}
    assert hidden == {f"d{layer}.self scores": 4 * n * (n - 1) // 2 for layer in range(3)}


def _with_change(models: Page, language: str, ids: list[int], off: list[str], scores: list) -> list[int]:  # noqa: F811
    """What comes out with heads off, or with scores set: the same tokens and logits in Python."""
    found = _traced(models, language, ids, off, scores)
    layers = [layer.attention for layer in _rounded(language).stack.layers]
    with contextlib.ExitStack() as changes:
        for layer in range(3):
            heads = [int(name[-1]) for name in off if name[1] == str(layer)]
            edits = {tuple(map(int, name.split(".")[2:])): score for name, score in scores if name[1] == str(layer)}
            if heads or edits:
                changes.enter_context(changed(layers[layer], off=heads, scores=edits))
        assert found["made"] == _continued(language, ids)
        with torch.no_grad():
            logits = _rounded(language)(torch.tensor([[BOS, *found["made"][:-1]]]))[0]
    own = _numbers(found["blocks"]["output"]["logits"])
    torch.testing.assert_close(own, logits, rtol=0, atol=CLOSE)
    return found["made"]


HEADS = [f"d{layer}.self.{head}" for layer in range(3) for head in range(4)]


@pytest.mark.parametrize(("language", "prompt"), CASES)
def test_heads_that_are_off_change_what_they_change_in_python(models, language, prompt):  # noqa: F811
    ids = _ids(language, prompt)
    plain = _continued(language, ids)
    found = [_with_change(models, language, ids, [head], []) for head in HEADS]
    found.append(_with_change(models, language, ids, HEADS[:4], []))
    assert any(made != plain for made in found)


@pytest.mark.parametrize("seed", [0, *(pytest.param(seed, marks=THOROUGH) for seed in range(1, 4))])
@each_language
def test_a_score_that_is_another_changes_what_it_changes_in_python(models, language, seed):  # noqa: F811
    draw = random.Random(seed)
    ids = _ids(language, draw.choice(PROMPTS[language][:2]))
    for head in HEADS:
        i = draw.randrange(len(ids) + 1)
        _with_change(
            models, language, ids, [], [(f"{head}.{i}.{draw.randrange(i + 1)}", draw.choice([-8.0, 4.0, 8.0]))]
        )


def test_a_block_without_a_head_means_all_four(models):  # noqa: F811
    read = """async text => [...(await import("/js/touch/maths/translator/stations.js")).headsIn(text)]"""
    assert models.evaluate(read, "d1.self,d2.self.3") == [*(f"d1.self.{head}" for head in range(4)), "d2.self.3"]
    assert models.evaluate(read, "d0.self.3.2.1,d9.ffn,nothing") == []


# ---- what a reader does


def _links(language: str) -> list[str]:
    """States to which the page itself leads."""
    text = (ROOT / "docs" / language / "inside-gpt.md").read_text(encoding="utf-8")
    return re.findall(rf"inside-gpt\.md#({touch.STATE}[^)]+)\)", text)


def _figure(page: Page) -> Locator:  # noqa: F811
    return figure_on(page, NAME)


@THOROUGH
@each_language
def test_what_the_page_says_of_a_link_is_what_one_sees_there(open_page, language):  # noqa: F811
    suffix = "" if language == "ko" else ".en"
    printed = (ROOT / "snippets" / "families" / f"inside_gpt{suffix}.md").read_text(encoding="utf-8")
    said = dict(re.findall(r"^([\w-]+) = (.*)$", printed, re.M))
    _, later, first, score = _links(language)
    for state, text in ((later, said["without-later"]), (first, said["without-first"])):
        page = open_page(f"{ROOTS[language]}{address(NAME)}#{state}")
        expect(_figure(page).locator(".above dd")).to_have_text(text)
        page.context.close()
    page = open_page(f"{ROOTS[language]}{address(NAME)}#{score}")
    figure = _figure(page)
    shown = figure.evaluate("""figure => ({ panel: figure.station.panels.at(-1), cell: figure.cellName,
        first: figure.shadowRoot.querySelector(".next i").previousSibling.textContent,
        p: figure.shadowRoot.querySelector(".next i").nextSibling.textContent })""")
    assert shown["panel"] == "scores" and f"{shown['cell']}:8" in score
    assert shown["first"] == said["becomes"]
    assert float(shown["p"].split()[0]) == pytest.approx(float(said["becomes-p"]), abs=0.02)  # int8


@THOROUGH
@each_language
def test_every_station_has_its_sentence_and_a_page_that_explains_it(open_page, site, language):  # noqa: F811
    figure = opened(open_page(ROOTS[language] + address(NAME)), NAME)
    check_sentences(figure, STATIONS, site.documents(language), site.address + ROOTS[language])


@THOROUGH
def test_what_is_said_below_the_matrices_is_what_pytorch_computes(open_page):  # noqa: F811
    figure = opened(open_page(f"en/{address(NAME)}"), NAME)
    made = _continued("en", _ids("en", "The President "))
    check_numbers(figure, STATIONS, _expected("en", made), made, step=12)


@each_language
def test_another_prompt_begins_with_its_first_new_character_and_an_unknown_letter_is_named(open_page, language):  # noqa: F811
    page = open_page(f"{ROOTS[language]}{address(NAME)}#at=d0.self.scores&scores=d0.self.1.2.1:8", viewport=DESKTOP)
    figure = _figure(page)
    prompt = PROMPTS[language][1]
    figure.locator("#prompt").fill(prompt)
    shown = figure.evaluate("figure => [figure.state.step, figure.state.scores, figure.state.row]")
    assert shown == [len(prompt) + 1, "", -1], "a score was that of other characters"
    written = figure.locator(".above dd").inner_text()
    vocab = text_of(language).vocab
    assert written == "".join(vocab.decode(_continued(language, _ids(language, prompt)))).strip()
    figure.locator("#prompt").fill(f"{prompt}#")
    expect(figure.locator(".above dd")).to_contain_text("#")
    expect(figure.locator(".picture > .old")).to_be_visible()
    figure.locator("#prompt").fill("")
    expect(figure.locator(".picture > .old")).to_have_count(0)
    assert figure.evaluate("figure => figure.state.step") == 1


@THOROUGH
@pytest.mark.parametrize("size", [PHONE, DESKTOP], ids=["phone", "desktop"])
def test_whoever_walks_finds_next_under_the_finger_and_nothing_is_too_wide(open_page, size):  # noqa: F811
    page = open_page(f"en/{address(NAME)}#at=d.input.input&step=12", viewport=size)
    figure = _figure(page)
    check_walking(page, figure, STATIONS, size["width"])
    assert page.url.endswith("#at=output.next&step=12")


@each_language
def test_each_station_fits_a_phone_between_the_header_and_the_bar_of_buttons(open_page, language):  # noqa: F811
    prompt = {"ko": "모든+국민은+법률이+정하", "en": "The+President+"}[language]
    state = f"#at=d.input.input&prompt={prompt}&step=22"
    root = ROOTS[language]
    page = open_page(f"{root}{address(NAME)}{state}", viewport=PHONE, has_touch=True, is_mobile=True)
    figure = _figure(page)
    check_phone(page, figure, STATIONS, PHONE["width"])


@each_language
def test_the_figure_weighs_less_than_600_kilobytes(language):
    name = f"constitution-{language}"
    weights.make_anew([one for one in weights.stale() if one == name])
    seen = scripts_of(NAME)
    loaded = next(one.files for one in weights.MODELS if one.name == name)
    assert len(seen) == 17 and sum(file.stat().st_size for file in [*seen, *loaded]) < 600_000
