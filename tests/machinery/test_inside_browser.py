"""The walk through the translator, in Chromium: its numbers are PyTorch's, and so is what a change makes of them."""

from __future__ import annotations

import functools
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
from snippets.before import dates
from snippets.before.vocabulary import BOS
from snippets.tools.tracing import outputs
from snippets.training.inside import changed
from snippets.training.translator import DATE_VOCAB
from tests.machinery.test_browser import DESKTOP, PHONE, browser, open_page  # noqa: F401
from tests.machinery.test_touch_browser import address, opened
from tests.machinery.test_translator_browser import CLOSE, MOST, _greedy, _strange, _whole
from tests.machinery.test_translator_browser import page as models  # noqa: F401
from tests.machinery.walks import check_numbers, check_phone, check_sentences, check_walking, figure_on, scripts_of

NAME = "model/inside"
THOROUGH = pytest.mark.thorough
DATES = [DATE_VOCAB.encode(dates.english(date)) for date in dates.HELD_OUT[::300]]

#: All blocks of the page for a source, with the tokens that it has generated, as JSON.
TRACE = """async ([src, most, off, scores, guess]) => {
    const trace = await import("/js/touch/maths/translator/trace.js");
    const changes = { off: new Set(off), scores: new Map(scores) };
    const { memory, made } = trace.translated(whole, src, most, changes, guess);
    const blocks = { ...memory, ...trace.decoded(whole, [t.BOS, ...made.slice(0, -1)], memory, changes) };
    const plain = (key, value) => {
        if (["module", "norm", "table"].includes(key)) return undefined; // parts of the model
        return value instanceof Float32Array ? [...value] : value === -Infinity ? "-Infinity" : value;
    };
    return JSON.stringify({ made, blocks }, plain);
}"""


def _traced(models: Page, src: list[int], off=(), scores=(), guess=()) -> dict:  # noqa: F811
    arguments = [src, MOST, list(off), [list(one) for one in scores], list(guess)]
    return json.loads(models.evaluate(TRACE, arguments))


def _numbers(values) -> torch.Tensor:
    return torch.tensor([[-math.inf if x == "-Infinity" else x for x in row] for row in values])


def _attention(name: str):
    """The module that the page calls e0.self, d1.self or d1.cross."""
    stack, kind = name.split(".")
    layer = getattr(_whole(), {"e": "encoder", "d": "decoder"}[stack[0]]).layers[int(stack[1])]
    return layer.attention if stack[0] == "e" else getattr(layer, f"{kind}_attention")


@torch.no_grad()
def _expected(src: list[int], made: list[int]) -> dict[str, dict]:
    """What PyTorch computes for each block of the page: panels by name."""
    model = _whole()
    tgt = torch.tensor([[BOS, *made[:-1]]])
    seen = dict(outputs(model, torch.tensor([src]), tgt))
    inputs = {"e.input": model.embed(torch.tensor([src]))[0], "d.input": model.embed(tgt)[0]}
    found = {name: {"passed": rows} for name, rows in inputs.items()}
    for stack in ("encoder", "decoder"):
        for layer in range(2):
            path, short = f"{stack}.layers.{layer}", f"{stack[0]}{layer}"
            names = {"self": "self_attention", "cross": "cross_attention"}
            if stack == "encoder":
                names = {"self": "attention"}
            for place, (kind, module) in enumerate(names.items(), 1):
                q, k, v = (split_heads(seen[f"{path}.{module}.{w}"][0], 4)[0] for w in ("w_q", "w_k", "w_v"))
                output, weights = seen[f"{path}.{module}"]
                scores = q @ k.transpose(-2, -1) / math.sqrt(q.size(-1))
                if stack == "decoder" and kind == "self":
                    scores = scores.masked_fill(torch.ones_like(scores).triu(1).bool(), -math.inf)
                heads = weights[0] @ v
                found[f"{short}.{kind}"] = {
                    "queries": q, "keys": k, "values": v, "scores": scores, "weights": weights[0], "head": heads,
                    "concatenated": heads.transpose(0, 1).flatten(1), "output": output[0],
                    "passed": seen[f"{path}.residual_{place}"][0][0],
                }  # fmt: skip
            hidden = seen[f"{path}.feed_forward.w_1"][0][0].relu()
            (output,) = seen[f"{path}.feed_forward"]
            found[f"{short}.ffn"] = {"hidden": hidden, "output": output[0]}
            found[f"{short}.ffn"]["passed"] = seen[f"{path}.residual_{len(names) + 1}"][0][0]
    logits = seen[""][0][0]
    allowed = logits.clone()
    allowed[:, 0] = -math.inf  # padding is no next token
    found["output"] = {"logits": logits, "probabilities": allowed.softmax(dim=-1)}
    return found


def _same(block: dict, expected: dict, name: str) -> None:
    for panel, values in expected.items():
        if panel in ("queries", "keys", "values", "scores", "weights", "head"):
            own = torch.stack([_numbers(one["output" if panel == "head" else panel]) for one in block["heads"]])
        else:
            own = _numbers(block[panel])
        form = {"rtol": 0, "atol": CLOSE, "msg": lambda message, panel=panel: f"{name} {panel}: {message}"}
        torch.testing.assert_close(own.float(), values.float(), **form)


@pytest.mark.parametrize("src", [DATES[0], *(pytest.param(one, marks=THOROUGH) for one in [*DATES[1:], *_strange()])])
def test_every_matrix_is_that_of_pytorch(models, src):  # noqa: F811
    found = _traced(models, src)
    assert found["made"] == _greedy(_whole(), src)
    expected = _expected(src, found["made"])
    assert found["blocks"].keys() == expected.keys() and len(expected) == 13
    for name, panels in expected.items():
        _same(found["blocks"][name], panels, name)


def test_a_guess_changes_nothing(models):  # noqa: F811
    src = DATES[0]
    made = _traced(models, src)["made"]
    wrong = [made[:3] + [5] + made[4:], [*made[::-1]], made + made, [2], [7] * MOST]
    assert [_traced(models, src, guess=guess)["made"] for guess in [made, *wrong]] == [made] * (1 + len(wrong))


#: By station and panel: how far its cells are from what is said of them, and how many there are.
EXPLAINED = """async (src) => {
    const trace = await import("/js/touch/maths/translator/trace.js");
    const { explained } = await import("/js/touch/maths/translator/blocks.js");
    const { attends, stations, translatorBlocks } = await import("/js/touch/maths/translator/stations.js");
    const { memory, made } = trace.translated(whole, src, 14);
    const blocks = { ...memory, ...trace.decoded(whole, [t.BOS, ...made.slice(0, -1)], memory) };
    const names = ["queries", "keys", "values", "scores", "weights"];
    const of = { ...Object.fromEntries(names.map(name => [name, name])), head: "output" };
    const again = (cell) => {
        if (cell.pairs) return (cell.pairs.reduce((sum, [a, b]) => sum + a * b, 0) + cell.bias) / cell.divisor;
        if (cell.gamma !== undefined) return cell.gamma * (cell.x + cell.f - cell.mean) / cell.deviation + cell.beta;
        const powers = cell.scores?.map(Math.exp);
        if (powers) return powers[cell.column] / powers.reduce((sum, one) => sum + one, 0);
        if (cell.table !== undefined) return cell.table * cell.factor;
        const angle = cell.position / 10000 ** (cell.pair / cell.size);
        if (cell.position !== undefined) return Math[cell.cosine ? "cos" : "sin"](angle);
        return cell.f === undefined ? cell.result : cell.x + cell.f;
    };
    const found = {};
    for (const { block, step, panels } of stations(translatorBlocks(2))) for (const panel of panels) {
        const one = blocks[block], isOfHead = attends(block) && panel in of;
        const sums = found[`${block} ${panel}`] ??= [0, 0, 0];
        for (const head of isOfHead ? [0, 1, 2, 3] : [0]) {
            const values = isOfHead ? one.heads[head][of[panel]] : one[panel];
            values.forEach((row, i) => row.forEach((value, j) => {
                const cell = explained(one, panel, head, i, j);
                if (value === -Infinity) { sums[2] += cell.shown === value ? 1 : NaN; return; }
                const said = panel === "hidden" ? Math.max(0, again(cell)) : again(cell);
                sums[0] = Math.max(sums[0], Math.abs(value - said), Math.abs(value - (cell.shown ?? cell.result)));
                sums[1]++;
            }));
        }
    }
    return found;
}"""


def test_what_is_said_of_a_cell_gives_the_number_that_stands_there(models):  # noqa: F811
    found = models.evaluate(EXPLAINED, DATES[0])
    # panels of all blocks: an attention has 10, a feed-forward 5, an input 3, the output 3
    assert len(found) == 6 * 10 + 4 * 5 + 2 * 3 + 3
    assert {key: off for key, (off, *_) in found.items() if not off < 2e-5} == {}
    m = len(dates.korean(dates.HELD_OUT[0])) + 1  # tokens in the decoder, of which each hides the later ones
    hidden = {key: count for key, (*_, count) in found.items() if count}
    # shown at two stations, for four heads
    assert hidden == {f"d{layer}.self scores": 2 * 4 * m * (m - 1) // 2 for layer in (0, 1)}


def _heads() -> list[str]:
    names = ("e0.self", "e1.self", "d0.self", "d0.cross", "d1.self", "d1.cross")
    return [f"{name}.{head}" for name in names for head in range(4)]


@torch.no_grad()
def _forced(src: list[int], made: list[int]) -> torch.Tensor:
    return _whole()(torch.tensor([src]), torch.tensor([[BOS, *made[:-1]]]))[0]


def _with_change(models: Page, src: list[int], off: str | None, scores: list) -> list[int]:  # noqa: F811
    """The translation with a head off, or with scores of one attention: the same tokens and logits in Python."""
    found = _traced(models, src, [off] if off else [], scores)
    name = (off or scores[0][0]).split(".")
    edits = {tuple(map(int, one.split(".")[2:])): score for one, score in scores}
    with changed(_attention(".".join(name[:2])), off=[int(off.split(".")[2])] if off else [], scores=edits):
        assert found["made"] == _greedy(_whole(), src)
        logits = _forced(src, found["made"])
    own = _numbers(found["blocks"]["output"]["logits"])
    torch.testing.assert_close(own, logits, rtol=0, atol=CLOSE)
    return found["made"]


@pytest.mark.parametrize("src", [DATES[0], *(pytest.param(one, marks=THOROUGH) for one in DATES[1:])])
def test_a_head_that_is_off_changes_what_it_changes_in_python(models, src):  # noqa: F811
    plain = _greedy(_whole(), src)
    found = [_with_change(models, src, head, []) for head in _heads()]
    assert any(made != plain for made in found) or src != DATES[0]


@pytest.mark.parametrize("seed", [0, *(pytest.param(seed, marks=THOROUGH) for seed in range(1, 6))])
def test_a_score_that_is_another_changes_what_it_changes_in_python(models, seed):  # noqa: F811
    draw = random.Random(seed)
    src = draw.choice(DATES)
    for head in _heads():
        cells = [(draw.randrange(10), draw.randrange(9)) for _ in range(2)]
        scores = {f"{head}.{i}.{j}": draw.choice([-12.0, -3.5, 4.0, 12.0]) for i, j in cells}
        if head[0] == "d" and "self" in head:  # what is masked has no score
            scores = {f"{head}.{max(i, j)}.{min(i, j)}": 12.0 for i, j in cells}
        _with_change(models, src, None, list(scores.items()))


def test_the_score_that_the_page_proposes_makes_another_month(models):  # noqa: F811
    src = DATE_VOCAB.encode(["Tuesday", ",", "March", "5", ",", *"2024"])
    found = _with_change(models, src, None, [("d1.cross.0.5.8", 12.0)])
    assert "".join(DATE_VOCAB.decode(found)) == "2024년4월5일화요일" and found != _greedy(_whole(), src)


def test_addresses_are_read_as_they_were_written(models):  # noqa: F811
    both = """async ([state, first]) => {
        const { written, readFrom } = await import("/js/touch/maths/translator/stations.js");
        return [written(state, first), readFrom(`#${written(state, first)}`, first)];
    }"""
    first = {"at": "d1.cross.weights", "date": "", "step": 6, "row": -1, "off": "", "scores": ""}
    state = {**first, "date": "2024년 3월 5일 (화)", "step": 2, "off": "d1.cross.1,e0.self.3"}
    state["scores"] = "d1.cross.0.5.8:-12.5"
    address, found = models.evaluate(both, [state, first])
    assert found == state and re.fullmatch(r"[\w.=&%:,+()-]+", address) and "row" not in address
    assert models.evaluate(both, [first, first]) == ["at=d1.cross.weights", first]
    read = """async hash => (await import("/js/touch/maths/translator/stations.js"))
        .readFrom(hash, { at: "x", step: 6, off: "" })"""
    assert models.evaluate(read, "#moves") is None
    assert models.evaluate(read, "#at=e.input.input&step=many&other=1") == {"at": "e.input.input", "step": 6, "off": ""}


# ---- what a reader does


@functools.cache
def _links() -> list[tuple[str, str]]:
    """Pages and addresses, behind the #, that lead to a state of the figure."""
    found = []
    for path in sorted((ROOT / "docs" / "en").rglob("*.md")):
        text = path.read_text(encoding="utf-8")
        found += [(path.name, state) for state in re.findall(rf"inside\.md#({touch.STATE}[^)]+)\)", text)]
    return found


STATE = """figure => ({ at: figure.state.at, step: figure.state.step, head: figure.state.head, row: figure.state.row,
    column: figure.state.column, off: figure.state.off, scores: figure.state.scores, date: figure.state.date })"""


def _figure(page: Page) -> Locator:  # noqa: F811
    return figure_on(page, NAME)


def _translation(figure) -> str:
    return figure.locator(".above > div").nth(1).locator("dd").inner_text().replace(" ", "")


@THOROUGH
def test_each_link_opens_the_figure_at_its_place(open_page):  # noqa: F811
    assert len({name for name, _ in _links()}) >= 4, "pages lead here"
    for _, state in _links():
        page = open_page(f"en/{address(NAME)}#{state}")
        shown = _figure(page).evaluate(STATE)
        for name, value in (pair.split("=") for pair in state.split("&")):
            assert str(shown[name]) == value.replace("+", " "), (state, name)
        page.context.close()


@THOROUGH
def test_a_link_of_the_page_changes_what_is_shown_and_the_other_language_shows_the_same(open_page):  # noqa: F811
    page = open_page(f"en/{address(NAME)}")
    page.locator("article a[href*='off=']").click()
    figure = _figure(page)
    expect(figure.locator(".above")).to_contain_text("2044년")
    page.locator("article a[href*='scores=']").click()
    expect(figure.locator(".above")).to_contain_text("4월")
    expect(figure.locator(".above")).to_contain_text("2024년")
    figure.locator("[data-key=undo]").click()
    assert _translation(figure) == "2024년3월5일화요일"
    page = open_page(f"{address(NAME)}#{_links()[0][1]}")
    assert _figure(page).evaluate(STATE)["at"] == dict(pair.split("=") for pair in _links()[0][1].split("&"))["at"]


@THOROUGH
def test_from_the_keyboard_a_head_goes_off_and_a_score_moves_as_in_python(open_page):  # noqa: F811
    page = open_page(f"en/{address(NAME)}#at=d1.cross.weights")
    figure = figure_on(page, NAME)
    src = DATE_VOCAB.encode(["Tuesday", ",", "March", "5", ",", *"2024"])

    def said() -> str:
        return "".join(DATE_VOCAB.decode(_greedy(_whole(), src)))

    assert _translation(figure) == said()
    figure.locator("#on").press("Space")
    with changed(_attention("d1.cross"), off=[1]):
        assert _translation(figure) == said() != "2024년3월5일화요일"
    assert "off=d1.cross.1" in page.url
    figure.locator("#on").press("Space")
    figure.locator("[data-key=head-0]").press("Enter")
    canvas = figure.locator("canvas[role]").last
    for _ in range(6):
        canvas.press("ArrowRight")  # from March to the last digit of the year
    figure.locator("#score").fill("12")
    assert "scores=d1.cross.0.5.8:12" in page.url
    with changed(_attention("d1.cross"), scores={(0, 5, 8): 12.0}):
        assert _translation(figure) == said() != "2024년3월5일화요일"


def test_what_comes_out_has_its_numbers_and_korean_tokens_their_meaning(open_page):  # noqa: F811
    page = open_page(f"en/{address(NAME)}#at=d0.self.scores&step=6", viewport=DESKTOP)
    figure = _figure(page)
    widths = figure.locator("canvas[role]").evaluate_all("all => all.map(one => one.getBoundingClientRect().width)")
    assert len(widths) == 3 and widths[2] / 6 >= 30 > widths[0] / 16, "six keys, and sixteen components of a query"
    tokens, glosses = (figure.locator(f".tokens button > {one}").all_inner_texts() for one in ("span", "span + small"))
    meant = dict(zip(tokens, glosses, strict=True))
    assert {meant[token] for token in ("년", "월", "일", "화요일")} == {"year", "month", "day", "Tuesday"}
    assert not meant["3"].strip()


@THOROUGH
def test_what_is_said_below_the_matrices_is_what_pytorch_computes(open_page):  # noqa: F811
    figure = opened(open_page(f"en/{address(NAME)}"), NAME)
    src = DATE_VOCAB.encode(["Tuesday", ",", "March", "5", ",", *"2024"])
    made = _greedy(_whole(), src)
    check_numbers(figure, 52, _expected(src, made), made, step=11)


@THOROUGH
def test_every_station_has_its_sentence_and_a_page_that_explains_it(open_page, site):  # noqa: F811
    for language, root in (("ko", ""), ("en", "en/")):
        figure = opened(open_page(root + address(NAME)), NAME)
        check_sentences(figure, 52, site.documents(language), site.address + root)


@THOROUGH
@pytest.mark.parametrize("size", [PHONE, DESKTOP], ids=["phone", "desktop"])
def test_whoever_walks_finds_next_under_the_finger_and_nothing_is_too_wide(open_page, size):  # noqa: F811
    page = open_page(f"en/{address(NAME)}#at=e.input.input&step=11", viewport=size)
    figure = _figure(page)
    check_walking(page, figure, 52, size["width"])
    assert page.url.endswith("#at=output.next&step=11")


@pytest.mark.parametrize("root", ["", pytest.param("en/", marks=THOROUGH)], ids=["ko", "en"])
def test_each_station_fits_a_phone_between_the_header_and_the_bar_of_buttons(open_page, root):  # noqa: F811
    page = open_page(f"{root}{address(NAME)}#at=e.input.input&step=11", viewport=PHONE, has_touch=True, is_mobile=True)
    figure = _figure(page)
    check_phone(page, figure, 52, PHONE["width"])


def test_on_a_phone_the_picture_comes_first_and_what_is_typed_and_chosen_below_it(open_page):  # noqa: F811
    page = open_page(f"en/{address(NAME)}#at=d1.cross.weights&step=6", viewport=PHONE, has_touch=True, is_mobile=True)
    figure = _figure(page)
    parts = [".touch", ".sentence", ".panels canvas", ".heads", ".tokens", "#date", "#next"]
    tops = [(page if part == ".touch" else figure).locator(part).first.bounding_box()["y"] for part in parts[:-1]]
    assert tops == sorted(tops), dict(zip(parts, tops, strict=False))
    button = page.locator("button.touch").bounding_box()
    picture = figure.locator(".picture").bounding_box()
    assert picture["y"] - button["y"] - button["height"] < 30, "nothing stands between the button and the picture"
    assert figure.locator("#next").bounding_box()["y"] > PHONE["height"] - 60, "under the thumb"


#: Of a canvas: the largest difference between red, green and blue in any of its pixels.
HUE = """canvas => { const { data } = canvas.getContext("2d").getImageData(0, 0, canvas.width, canvas.height);
    let most = 0;
    for (let i = 0; i < data.length; i += 4) if (data[i + 3] > 60)
        most = Math.max(most, Math.max(...data.slice(i, i + 3)) - Math.min(...data.slice(i, i + 3)));
    return most; }"""


@pytest.mark.parametrize("scheme", ["light", pytest.param("dark", marks=THOROUGH)])
def test_a_color_is_a_role_and_vectors_have_none(open_page, scheme):  # noqa: F811
    page = open_page(f"en/{address(NAME)}#at=e0.ffn.hidden", viewport=DESKTOP, color_scheme=scheme)
    figure = _figure(page)
    for at, hues in {"e0.ffn.hidden": [0, 0], "d0.ffn.add": [0, 1, 0], "e0.self.project": [1, 1, 1]}.items():
        figure.evaluate("(figure, at) => figure.set({ at })", at)
        seen = figure.locator(".panels canvas").evaluate_all(f"all => all.map({HUE})")
        assert [int(hue > 60) for hue in seen] == hues, (at, seen)
        strips = figure.locator(".map canvas").evaluate_all(f"all => all.map({HUE})")
        assert [hue > 60 for hue in strips] == [*[False] * (len(strips) - 1), True], "but for probabilities"


def test_a_negative_number_fills_the_lower_half_of_its_cell(models):  # noqa: F811
    filled = models.evaluate(
        """async () => { const { paint } = await import("/js/touch/matrices.js");
            document.documentElement.style.cssText = "--figure-ink: #000";
            const canvas = document.createElementNS("http://www.w3.org/1999/xhtml", "canvas");
            paint(document.documentElement, canvas, [[1, -1]], "ink", 20, 20);
            const pen = canvas.getContext("2d"), scale = canvas.width / 20;
            const at = (x, y) => pen.getImageData(x * scale, y * scale, 1, 1).data[3] > 128;
            return [at(4, 3), at(4, 16), at(14, 3), at(14, 16)]; }"""
    )
    assert filled == [True, True, False, True]


def test_the_address_keeps_what_is_seen_while_the_reader_scrolls(open_page):  # noqa: F811
    page = open_page(f"en/{address(NAME)}#at=d1.cross.weights&step=3", viewport=DESKTOP)
    _figure(page)
    page.mouse.wheel(0, 1500)
    page.wait_for_timeout(600)  # the theme's script follows the headings with a delay
    page.mouse.wheel(0, -300)
    page.wait_for_timeout(600)
    assert page.url.endswith("#at=d1.cross.weights&step=3")


def test_on_a_phone_what_is_unfolded_stays_so_and_says_how_the_number_comes_about(open_page):  # noqa: F811
    page = open_page(f"en/{address(NAME)}#at=d1.cross.weights&step=6", viewport=PHONE, has_touch=True, is_mobile=True)
    figure = _figure(page)
    figure.locator(".cell summary").tap()
    expect(figure.locator(".cell details")).to_contain_text("e")
    assert "/" in figure.locator(".cell details > p").first.inner_text()
    figure.locator("#next").tap()
    expect(figure.locator(".cell .terms")).to_be_visible()  # the weighted mean is a sum
    figure.locator("[data-key=choose-0]").tap()
    expect(figure.locator("[data-key=choose-0]")).to_have_attribute("aria-pressed", "true")
    expect(figure.locator(".panels canvas")).to_have_count(1)
    figure.locator(".stage > details summary").first.tap()
    figure.locator("[data-key='map-output']").tap()
    assert "at=output." in page.url


def test_the_figure_weighs_less_than_600_kilobytes():
    weights.make_anew([name for name in weights.stale() if name == "dates"])
    seen = scripts_of(NAME)
    loaded = next(one.files for one in weights.MODELS if one.name == "dates")
    assert len(seen) == 18 and sum(file.stat().st_size for file in [*seen, *loaded]) < 600_000
