"""Figures that a reader can touch: in Chromium, from the keyboard, and their numbers next to those of Python."""

from __future__ import annotations

import functools
import itertools
import json
import math
import re
import time

import pytest
import torch
from axe_playwright_python.sync_playwright import Axe
from playwright.sync_api import Locator, Page, expect

from book import LANGUAGES, ROOT
from book.markdown import touch
from snippets.attention import why_sqrt_dk
from snippets.attention.masks import causal_mask, padding_mask
from snippets.attention.scaled_dot_product import scaled_dot_product_attention
from snippets.attention.soft_lookup import soft_lookup
from snippets.before import dates
from snippets.before.byte_pair_encoding import BytePairEncoding
from snippets.before.corpus import declaration
from snippets.block.post_pre_ln import gradients_by_layer
from snippets.families.flash_attention import absorb, nothing_seen
from snippets.figures.attention import soft_lookup as drawn_lookup
from snippets.figures.before import joined_word
from snippets.figures.block import gradient_over_depth
from snippets.figures.families import online_softmax as drawn_online
from snippets.figures.positions import rotated_pair as drawn_pair
from snippets.figures.style import readable
from snippets.figures.training import checkpoints
from snippets.labs import post_pre_ln
from snippets.llm.kept_tokenizer import kept_tokenizer
from snippets.positions.distance import similarity
from snippets.positions.fixed_offset import offset_map
from snippets.positions.relative import rotate
from snippets.positions.sinusoidal import frequencies, positional_encoding
from snippets.training import learning_order
from tests.machinery.test_browser import DESKTOP, LARGEST_SHIFT, PHONE, browser, open_page  # noqa: F401
from tests.machinery.test_translator_browser import _said

ROOTS = {"ko": "", "en": "en/"}
NAMES = touch.names()
#: A station of each walk at which all of its controls can be moved.
WALKS = {"model/inside": "d1.cross.weights", "families/inside_gpt": "d2.self.weights"}
#: Bytes of scripts and numbers of a figure that shows more than others: with its weights, no more than 600 kB.
HEAVY = {
    "families/inside_gpt": 125_000,
    "home/translation": 68_000,
    "llm/published_cuts": 290_000,  # 48,900 merges
    "model/inside": 124_000,
    "training/beam_tree": 69_000,
    "training/translation": 64_500,
}
#: CSS pixels below which a label cannot be read.
SMALLEST = 11

ALL_LABELS = [*touch.LABEL.values(), *(label for labels in touch.LABELS.values() for label in labels.values())]
TRY_IT, GO_BACK = (re.compile("|".join(labels)) for labels in zip(*ALL_LABELS, strict=True))

THOROUGH = pytest.mark.thorough


def _shared(*choices):
    """Each figure with each choice; of a figure, all but one are for the thorough run."""
    return [
        pytest.param(name, choice, marks=[THOROUGH] if (place - turn) % len(choices) else [])
        for place, name in enumerate(NAMES)
        for turn, choice in enumerate(choices)
    ]


#: Every third figure, and for the thorough run the others.
SOME = [pytest.param(name, marks=[THOROUGH] if place % 3 else []) for place, name in enumerate(NAMES)]


@functools.cache
def address(name: str) -> str:
    """The page that lets its reader touch a figure."""
    for path in sorted((ROOT / "docs" / "en").rglob("*.md")):
        if f"assets/figures/{name}.svg){touch.MARK}" in path.read_text(encoding="utf-8"):
            name = path.relative_to(ROOT / "docs" / "en").with_suffix("").as_posix()
            return f"{name}/".removeprefix("index/")
    raise AssertionError(f"no page lets its reader touch {name}")


def opened(page: Page, name: str) -> Locator:
    """The figure, once its button has been pressed from the keyboard."""
    button = page.locator(f'button[data-touch="{name}"]')
    button.focus()
    page.keyboard.press("Enter")
    expect(button).to_have_text(GO_BACK)
    figure = page.locator(f'button[data-touch="{name}"] ~ .touchable')
    expect(figure.locator(".picture > *")).to_be_visible()
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


@pytest.fixture
def numbers(site):
    """What the build has written for a figure."""
    return lambda name: json.loads((site.directory / f"assets/js/touch/{name}.json").read_text(encoding="utf-8"))


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


def test_entropy_and_jacobian_are_those_of_the_book(compute):
    for seed in range(10):
        weights = torch.softmax(random(16, seed=seed, scale=5.0), dim=0)
        close(compute("attention", "entropy", weights.tolist()), why_sqrt_dk.entropy(weights))
        jacobian = why_sqrt_dk.softmax_jacobian(weights)
        close(compute("attention", "softmaxJacobian", weights.tolist()), jacobian)
        close(compute("attention", "norm", jacobian.tolist()), jacobian.norm())
    close(compute("attention", "entropy", [1.0, 0.0]), torch.tensor(0.0))


def test_masks_and_the_weights_they_leave_are_those_of_the_book(compute):
    for seed in range(20):
        n = 2 + seed % 5
        query, key = random(n, 4, seed=seed), random(n, 4, seed=50 + seed)
        padding = random(n, seed=99 + seed) > 0.3
        mask = causal_mask(n) & padding_mask((~padding).long().unsqueeze(0), pad_id=0)[0]
        causal = compute("attention", "causalMask", n)
        assert causal == causal_mask(n).tolist()
        found = compute("attention", "both", causal, compute("attention", "paddingMask", padding.tolist()))
        assert found == mask.tolist() and compute("attention", "not", found) == (~mask).tolist()
        scores = compute("attention", "scaledScores", query.tolist(), key.tolist())
        close(scores, query @ key.T / math.sqrt(4))
        _, weights = scaled_dot_product_attention(query, key, key, mask)
        close(compute("attention", "attentionWeights", scores, found), weights)
        masked = torch.softmax(torch.tensor(scores, dtype=torch.float64).masked_fill(~mask, -math.inf), dim=-1)
        assert bool(masked.isnan().any()) == bool((~mask).all(dim=-1).any())
        close(compute("attention", "maskedSoftmax", scores, found), masked)


def test_the_tokens_that_are_masked_are_those_of_the_drawing(open_page):  # noqa: F811
    tokens = open_page("").evaluate("import('/assets/js/touch/attention/masks.js').then(({ TOKENS }) => TOKENS)")
    close(tokens, torch.randn(5, 4, generator=torch.Generator().manual_seed(3)), rtol=0, atol=5.1e-5)


def test_positions_are_those_of_the_book(compute):
    for seed in range(20):
        d_model = 2 * (1 + seed % 8)
        position, offset = (100 * random(2, seed=seed)).tolist()
        here, there = (
            positional_encoding(torch.tensor([p], dtype=torch.float64), d_model)[0]
            for p in (position, position + offset)
        )
        close(compute("positions", "frequencies", d_model), frequencies(d_model))
        close(compute("positions", "positionalEncoding", position, d_model), here)
        found = compute("positions", "offsetMap", offset, d_model)
        close(found, offset_map(offset, d_model))
        close(compute("positions", "times", here.tolist(), found), there, rtol=0, atol=1e-10)
        close(
            compute("attention", "dot", here.tolist(), there.tolist()),
            similarity(torch.tensor([offset], dtype=torch.float64), d_model)[0],
        )


@pytest.mark.parametrize("block", [1, 2, 3, 4, 7])
def test_an_online_softmax_is_that_of_the_book_after_each_block(compute, block):
    scores, values = random(7, seed=1, scale=30), random(7, seed=2)
    state, expected = nothing_seen(torch.zeros(1, 1).double(), values.view(-1, 1)), []
    for start in range(0, 7, block):
        state = absorb(state, scores[None, start : start + block], values[start : start + block, None])
        expected.append(torch.cat([part.flatten() for part in state]))
    found = compute("online", "onlineSoftmax", scores.tolist(), values.tolist(), block)
    close([[one["maximum"], one["sum"], one["weighted"]] for one in found], torch.stack(expected))
    close([one["output"] for one in found][-1:], scores.softmax(dim=0)[None] @ values)
    before = [0.0] + [one["sum"] for one in found[:-1]]
    shrunk = [one["shrink"] * sum_before for one, sum_before in zip(found, before, strict=True)]
    close([one["before"] for one in found], torch.tensor(shrunk, dtype=torch.float64))
    assert [one["end"] for one in found] == [*range(block, 7, block), 7]


def test_a_pair_is_turned_as_in_the_book(compute):
    for angle in (0.0, 0.35, 2.0, -40.0):
        vectors = random(3, 2)
        ours = [compute("positions", "rotate", vector, angle) for vector in vectors.tolist()]
        close(ours, rotate(vectors, torch.full((3,), angle, dtype=torch.float64)))


def test_random_numbers_have_the_moments_that_theorem_1_asks_for(compute):
    numbers = torch.tensor(list(compute("random", "normals", 100_001, 7).values()), dtype=torch.float64)
    assert len(numbers) == 100_001 and numbers.isfinite().all()
    assert abs(numbers.mean()) < 0.02 and abs(numbers.var() - 1) < 0.03 and abs(numbers.pow(4).mean() - 3) < 0.15
    assert abs((numbers[1:] * numbers[:-1]).mean()) < 0.02, "neighbours are not independent"
    for d in (1, 64, 512):
        rows = torch.tensor(compute("random", "dotProducts", 64, 16, d, 3), dtype=torch.float64)
        assert rows.shape == (64, 16) and 0.8 < rows.var() / d < 1.25 and rows.mean().abs() < 0.1 * math.sqrt(d)
        assert compute("random", "dotProducts", 64, 16, d, 3) == rows.tolist()
        assert compute("random", "dotProducts", 64, 16, d, 4) != rows.tolist()


def test_what_is_said_of_random_numbers_is_what_torch_says(compute):
    for seed in range(5):
        numbers = random(40 + seed, seed=seed, scale=2.0)
        close(compute("random", "deviation", numbers.tolist()), numbers.std(correction=0))
        close(compute("random", "median", numbers.tolist()), numbers.median())
        counts = torch.histc(numbers.clamp(-3, 3), 12, -3, 3)
        assert compute("random", "histogram", numbers.tolist(), -3, 3, 12) == counts.tolist()


def test_numbers_of_gradients_are_those_of_the_book(numbers):
    found = numbers("block/gradients_at_initialisation")
    assert {order: sorted(depths) for order, depths in found.items()} == {
        order: ["12", "24", "6"] for order in ("post-LN", "pre-LN")
    }
    for order, depths in found.items():
        theirs = gradients_by_layer(6, order == "pre-LN", seed=2)
        close(depths["6"][2], theirs, rtol=0, atol=1e-4)


def norms_one_by_one(depth: int, residual: bool, gain: float | None, seed: int) -> torch.Tensor:
    """Each layer's Jacobian matrix by its formula, multiplied from the output back: rows are vectors, y W."""
    torch.manual_seed(seed)
    y, jacobians = torch.randn(1, 64).double(), []
    for _ in range(depth):
        linear = torch.nn.Linear(64, 64)
        if gain is not None:
            torch.nn.init.xavier_normal_(linear.weight, gain)
        change = torch.tanh(linear.double()(y)).detach()
        jacobian = linear.weight.detach() * (1 - change**2).T  # (output, input)
        jacobians.append(jacobian + torch.eye(64) if residual else jacobian)
        y = y + change if residual else change
    back, found = torch.ones(64, dtype=torch.float64), []
    for jacobian in reversed(jacobians):
        back = back @ jacobian
        found.append(back.norm() / 8)
    return torch.stack(found[::-1])


def test_numbers_of_deep_gradients_are_those_of_the_book(numbers):
    found = numbers("block/gradient_over_depth")
    gains, depths = map(str, gradient_over_depth.GAINS), set(map(str, gradient_over_depth.TOUCHED))
    assert set(found["with"]) == set(found["without"]) == set(gains)
    assert all(set(of) == depths for kind in found.values() for of in kind.values())
    for kind, gain, depth in (
        ("without", None, 50),
        ("with", None, 10),
        ("without", 1.0, 35),
        ("with", 3.0, 50),
        ("without", 0.5, 5),
    ):
        runs = torch.stack([norms_one_by_one(depth, kind == "with", gain, seed) for seed in range(5)])
        expected = torch.stack([runs.mean(dim=0), runs.amin(dim=0), runs.amax(dim=0)])
        close(found[kind][str(gain)][str(depth)], expected, rtol=0.051, atol=0)  # two digits
    printed = (ROOT / "snippets" / "block" / "residual.md").read_text(encoding="utf-8")
    for depth, gain in ((1, "None"), (10, "None"), (50, "None"), (50, "1.0")):
        part = printed.split(f"{depth} layers, {'default' if gain == 'None' else 'Xavier'}\n")[1]
        for kind in ("without", "with"):
            _, least, most = (row[0] for row in found[kind][gain][str(depth)])
            shown = re.search(rf"  {kind} +(\S+) to (\S+) times", part)
            assert [least, most] == [float(number) for number in shown.groups()], "what the page prints"


@pytest.mark.parametrize("language", LANGUAGES)
def test_words_are_joined_as_in_the_book(compute, numbers, language):
    found, learned = numbers("before/joined_word")[language], joined_word.learned(language)
    assert [((left, right), times) for left, right, times in found["merges"]] == learned and len(learned) == 200
    assert found["word"] == joined_word.WORDS[language].strip()
    texts = [joined_word.WORDS[language], " constitutional", " 대통령의 국민은", "a", " ", "", " 🙂은 State,"]
    for text in texts:
        pieces = compute("tokens", "pieces", text)
        assert pieces == re.findall(joined_word.PIECE, text)
        steps = compute("tokens", "joins", pieces, found["merges"])
        for piece, tokens in zip(pieces, zip(*(step["words"] for step in steps), strict=True), strict=True):
            ours = joined_word.joined(piece, learned)
            seen = list(dict.fromkeys(map(tuple, tokens)))  # while the others are joined, this one stays
            assert seen == [one for one, _ in ours], piece
            assert {rank for _, rank in ours[1:]} <= {step["made"] for step in steps[1:]}
        ranks = {pair: rank for rank, (pair, _) in enumerate(learned)}
        for step in steps:
            there = [[ranks.get(pair) for pair in itertools.pairwise(word)] for word in step["words"]]
            assert step["ranks"] == there
            assert step["next"] == min((rank for word in there for rank in word if rank is not None), default=None)


def test_curves_of_the_lab_are_those_of_its_results(numbers):
    found = numbers("labs/norm_losses")
    runs = {
        (order, int(steps), seed): one
        for order in found
        for steps in found[order]
        for seed, one in enumerate(found[order][steps])
    }
    kept = {
        ("pre-LN" if norm_first else "post-LN", steps): seeds
        for (norm_first, steps), seeds in {**post_pre_ln.results(), **post_pre_ln.with_shorter_warm_up()}.items()
    }
    assert runs.keys() == {(*setting, seed) for setting, seeds in kept.items() for seed in range(len(seeds))}
    for (order, steps, seed), one in runs.items():
        theirs = kept[order, steps][seed]
        for mine, values in (("losses", theirs["losses"]), ("gradients", theirs["gradients"]["first layer"])):
            close(one[mine], torch.tensor(values).view(-1, 5).mean(dim=1), rtol=1e-3, atol=0)
        assert one["right"] == theirs["exact match"] and one["loss"] == pytest.approx(sum(theirs["losses"][-10:]) / 10)


@pytest.fixture(scope="module")
def tokenizers():
    """The tokenizer of the drawing, learned with so many merges."""
    texts = declaration("ko") + declaration("en")
    return {merges: BytePairEncoding(texts, 256 + merges) for merges in (0, 60, 544)}


@pytest.mark.parametrize("merges", [0, 60, 544])
def test_tokens_are_those_of_the_book(compute, numbers, tokenizers, merges):
    found, tokenizer = numbers("before/ways_to_cut"), tokenizers[merges]
    learned = found["merges"][:merges]
    assert len(found["merges"]) == 544 and found["bytes"] == 256
    assert [(tokenizer.tokens[left], tokenizer.tokens[right]) for left, right, _ in learned] == tokenizer.merges
    assert found["sentences"] == {language: declaration(language)[78].partition(".")[0] + "." for language in LANGUAGES}
    texts = ["", " ", "   two  spaces ", "aaaa aaa", "🙂 e\u0301 각각", "\t줄\n바꿈", *found["sentences"].values()]
    texts += declaration("ko")[:5] + declaration("en")[:5]
    for text in texts:
        assert compute("tokens", "encode", text, learned) == tokenizer.encode(text), text
    for token in list(tokenizer.ids)[:: 1 + merges // 100]:
        assert compute("tokens", "readable", list(token)) == readable(token)
    bytes_of = compute("tokens", "bytesOf", learned)
    assert [bytes(one) for one in bytes_of] == list(tokenizer.ids)


@pytest.mark.parametrize("most", [0, 700, 48_900])
def test_published_tokens_are_those_of_the_book(compute, numbers, most):
    tokenizer = kept_tokenizer(most)
    texts = [
        "",
        " ",
        "  two  spaces 12",
        "It's 1½ 값\t\n\n7",
        "🙂 e\u0301 각각",
        "a\x16b\u00a0\u3000c",
        "the  7 cats",
        "ẞ Ⅷ ٣",
    ]
    texts += declaration("ko")[:5] + declaration("en")[:5]
    found = compute("tokens", "encodePublished", numbers("llm/published_cuts"), texts, most)
    assert found == [tokenizer.encode(text) for text in texts]


# ---- what a reader does

#: From now on, `window.seen` has the shifts that nobody has caused by a key or a tap.
OBSERVE = """() => { window.seen = []; new PerformanceObserver(list => window.seen.push(...list.getEntries()
    .filter(one => !one.hadRecentInput).map(one => one.value))).observe({type: 'layout-shift'}); }"""
SHOWN = """figure => [...figure.shadowRoot.querySelectorAll(".picture, dl")].map(one => one.outerHTML).join("")"""
NUMBERS = """figure => [...figure.shadowRoot.querySelectorAll(".picture text, .picture :not(svg, svg *), dl")]
    .map(one => one.textContent).join(" ")"""


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


@pytest.mark.parametrize("name, language", _shared(*LANGUAGES))
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
        if name in WALKS:  # the first station has no scores
            figure.evaluate("(figure, at) => figure.set({ at })", WALKS[name])
        before = figure.evaluate(NUMBERS)
        move(page, control)
        assert figure.evaluate(NUMBERS) != before, f"nothing answers to {labels[place]}"
        figure.locator("#reset").press("Enter")
        assert figure.evaluate(NUMBERS) == first, f"{labels[place]} is not reset"
    for button in figure.locator(".actions button:not(#reset)").all():
        before = figure.evaluate(SHOWN)
        button.press("Enter")
        assert figure.evaluate(SHOWN) != before, f"nothing answers to {button.inner_text()}"


@pytest.mark.parametrize("name", SOME)
def test_nothing_is_loaded_before_the_reader_asks_and_it_closes_again(open_page, site, name):  # noqa: F811
    page = open_page(address(name))
    loaded = """() => performance.getEntriesByType("resource").map(one => one.name)
        .filter(name => name.includes("/touch/"))"""
    assert page.evaluate(loaded) == []
    figure = opened(page, name)
    page.wait_for_timeout(200)  # a browser may list what it has loaded a little later
    urls = page.evaluate(loaded)
    files = {site.directory / url.removeprefix(site.address) for url in urls}  # fetched, then imported from the cache
    weight = sum(file.stat().st_size for file in files)
    assert weight < HEAVY.get(name, 60_000), f"{weight:,} bytes are loaded for {name}"
    move(page, figure.locator("input:not(:checked[type=radio])").first)
    numbers = figure.evaluate(NUMBERS)
    button = page.locator(f'button[data-touch="{name}"]')
    drawing = page.locator(f'figure:has(> [data-touch="{name}"]) :is(.figure, .drawing)')
    expect(button).to_have_text(GO_BACK)
    assert drawing.count() == 2 and not drawing.first.is_visible() and not drawing.last.is_visible()
    for media in ("print", "screen"):  # on paper nothing answers: there is the drawing
        page.emulate_media(media=media)
        assert [one.is_visible() for one in (*drawing.all(), figure)] == [media == "print"] * 2 + [media != "print"]
    button.click()
    expect(button).to_have_text(TRY_IT)
    expect(figure).to_be_hidden()
    assert drawing.first.is_visible() and drawing.last.is_visible()
    button.click()
    expect(figure).to_be_visible()
    assert figure.evaluate(NUMBERS) == numbers and page.evaluate(loaded) == urls


#: What is to be seen below the header: of the picture, its share; the button; and whether the picture stays while what
#: is moved scrolls.
SEEN = """figure => {
    const picture = figure.shadowRoot.querySelector(".picture");
    const { top, bottom, height } = picture.getBoundingClientRect();
    const header = document.querySelector(".md-header").getBoundingClientRect().bottom;
    const share = (Math.min(bottom, innerHeight) - Math.max(top, header)) / height;
    const button = figure.parentElement.querySelector("button.touch").getBoundingClientRect().top - header;
    return { share, button, stays: picture.classList.contains("stays"), half: height < innerHeight / 2 };
}"""


@pytest.mark.parametrize("size", [PHONE, DESKTOP], ids=["phone", "desktop"])
@pytest.mark.parametrize("name", SOME)
def test_what_has_been_opened_is_in_sight_and_the_button_stays_when_the_drawing_is_back(open_page, name, size):  # noqa: F811
    page = open_page(address(name), viewport=size)
    button = page.locator(f'button[data-touch="{name}"]')
    button.evaluate("one => one.scrollIntoView({ block: 'center', behavior: 'instant' })")
    page.wait_for_timeout(300)
    button.evaluate("one => one.click()")
    figure = page.locator(f'button[data-touch="{name}"] ~ .touchable')
    expect(figure.locator(".picture > *")).to_be_visible(timeout=20_000)
    page.wait_for_timeout(300)
    seen = figure.evaluate(SEEN)
    assert seen["button"] >= 0, "below the header"
    # a walk: a date or a prompt, and a map; on a phone, these come after the matrices, behind the bar of buttons
    least = (0.9 if size == PHONE else 0) if name in WALKS else 0.95
    assert seen["share"] > least, seen
    assert seen["stays"] == seen["half"], "what is lower than half of the screen stays in sight"
    if seen["stays"]:
        figure.locator("#reset").evaluate("one => one.scrollIntoView({ block: 'nearest', behavior: 'instant' })")
        assert figure.evaluate(SEEN)["share"] > 0.95, "beside the last of what is moved"
    place = button.bounding_box()["y"]
    button.evaluate("one => one.click()")
    page.wait_for_timeout(300)
    moved = button.bounding_box()["y"] - place
    # below a drawing at the beginning of a page, there is less to scroll than the drawing was high
    assert abs(moved) <= 1 or (moved < 0 and page.evaluate("scrollY") <= 1), moved


_BESIDE = [name for name in NAMES if "BESIDE" in touch.module_path(name).read_text(encoding="utf-8")]
PLACES = """figure => {
    const box = one => figure.shadowRoot.querySelector(one).getBoundingClientRect();
    const [picture, controls] = [box(".picture"), box(".controls")];
    const above = figure.shadowRoot.querySelector(":host > .above:not(:empty)")?.getBoundingClientRect().bottom;
    const top = controls.top - (above ?? picture.top);
    return { beside: controls.left - picture.right, below: controls.top - picture.bottom, top };
}"""


@pytest.mark.parametrize("name", [*_BESIDE[:2], *(pytest.param(name, marks=THOROUGH) for name in _BESIDE[2:])])
def test_what_is_moved_stands_beside_the_picture_or_below_it_on_a_phone(open_page, name):  # noqa: F811
    assert len(_BESIDE) > 8
    seen = opened(open_page(address(name), viewport=DESKTOP), name).evaluate(PLACES)
    assert 0 < seen["beside"] < 60 and -1 <= seen["top"] < 30, seen
    seen = opened(open_page(address(name), viewport=PHONE), name).evaluate(PLACES)
    assert seen["beside"] < 0 <= seen["below"], seen


def test_what_is_moved_stays_under_the_finger_while_the_picture_above_it_grows(open_page):  # noqa: F811
    page = open_page(address("before/ways_to_cut"), viewport=DESKTOP)
    figure = opened(page, "before/ways_to_cut")
    slider = figure.locator("#merges")
    slider.focus()
    page.wait_for_timeout(300)
    place, height = slider.bounding_box()["y"], figure.evaluate("one => one.picture.offsetHeight")
    slider.press("Home")
    assert figure.evaluate("one => one.picture.offsetHeight") > height + 10
    assert abs(slider.bounding_box()["y"] - place) <= 1


def test_without_javascript_the_drawing_is_there_and_no_button(open_page):  # noqa: F811
    page = open_page(address(NAMES[0]), java_script_enabled=False)
    expect(page.locator("figure:has(> .touch) .figure > svg:not(.narrow)").first).to_be_visible()
    expect(page.locator("button.touch").first).to_be_hidden()
    expect(page.locator("figcaption .drawing").first).to_be_visible()
    expect(page.locator("figcaption .trying").first).to_be_hidden()


def test_a_figure_that_cannot_be_loaded_can_be_asked_for_again(open_page):  # noqa: F811
    page = open_page(address(NAMES[0]))
    page.context.set_offline(True)
    button = page.locator("button.touch").first
    button.click()
    expect(button).to_have_text(TRY_IT)
    failed = page.locator("figure:has(> .touch) > [role=alert]")
    expect(failed).to_have_text(touch.FAILED["ko"])
    assert failed.evaluate("told => told.previousElementSibling.matches('button.touch')"), "where the reader looks"
    expect(page.locator("figure:has(> .touch) .figure > svg:not(.narrow)").first).to_be_visible()
    page.context.set_offline(False)
    button.click()
    expect(page.locator("button.touch ~ .touchable").first).to_be_visible()
    expect(failed).to_have_count(0)


@pytest.mark.parametrize("name, language", _shared(*LANGUAGES[::-1]))
def test_a_figure_fits_a_phone_by_touch(open_page, name, language):  # noqa: F811
    page = open_page(ROOTS[language] + address(name), viewport=PHONE, has_touch=True, is_mobile=True)
    page.locator(f'button[data-touch="{name}"]').tap()
    figure = page.locator(f'button[data-touch="{name}"] ~ .touchable')
    expect(figure.locator(".picture > *")).to_be_visible()
    control = figure.locator("input:not(:checked[type=radio], [type=text])").first
    control.scroll_into_view_if_needed()
    before, box = figure.evaluate(NUMBERS), control.bounding_box()
    for share in (0.05, 0.95):  # the one or the other is not where it is
        page.touchscreen.tap(box["x"] + share * box["width"], box["y"] + box["height"] / 2)
        if figure.evaluate(NUMBERS) != before:
            break
    assert figure.evaluate(NUMBERS) != before
    assert page.evaluate("document.scrollingElement.scrollWidth") == PHONE["width"]
    assert _cut_off(figure) == [] and _small(figure) == []
    assert figure.evaluate(LOW) == [], "a finger is wider"


#: What one taps that is less than 40 pixels high, links in sentences aside.
LOW = """figure => [...figure.shadowRoot.querySelectorAll("button, summary, [type=range], [type=text], .check")]
    .filter(one => one.offsetHeight && one.offsetHeight < 40).map(one => one.outerHTML.slice(0, 80))"""


def _cut_off(figure: Locator) -> list[str]:
    """What reaches beyond the drawing, or beyond the figure. What is folded has no place, and is unfolded."""
    return figure.evaluate("""figure => {
        const root = figure.shadowRoot, edges = one => one.getBoundingClientRect();
        root.querySelectorAll("details").forEach(one => { one.open = true });
        const box = edges(figure), svg = edges(root.querySelector(".picture > *"));
        const beyond = (one, edge) => { const own = edges(one); // nowhere, if it is hidden
            const out = [edge.left - own.left, own.right - edge.right, own.bottom - edge.bottom];
            return own.width && Math.max(...out) > 1; };
        const all = (what) => [...root.querySelectorAll(what)].filter(one => !one.matches(".scrolls *"));
        return all(".picture > * *").filter(one => beyond(one, svg))
            .concat(all("*").filter(one => beyond(one, box)))
            .map(one => one.outerHTML.slice(0, 120));
    }""")


def _small(figure: Locator) -> list[str]:
    return figure.evaluate(
        """(figure, smallest) => [...figure.shadowRoot.querySelectorAll(":not(sub, tspan)")]
            .filter(one => parseFloat(getComputedStyle(one).fontSize) < smallest)
            .map(one => one.outerHTML.slice(0, 80))""",
        SMALLEST,
    )


@pytest.mark.parametrize("size", [PHONE, pytest.param(DESKTOP, marks=THOROUGH)], ids=["phone", "desktop"])
@pytest.mark.parametrize("name", SOME)
def test_nothing_moves_while_a_figure_comes_in(open_page, name, size):  # noqa: F811
    page = open_page(address(name), viewport=size)
    late = iter([0.4, 0.4])  # together longer than a browser forgives, however many files the figure has
    page.route("**/touch/**", lambda route: (time.sleep(next(late, 0)), route.continue_()))
    button = page.locator(f'button[data-touch="{name}"]')
    button.scroll_into_view_if_needed()
    page.mouse.wheel(0, 300)  # what stands below is on the screen
    page.wait_for_timeout(300)
    button.focus()
    page.evaluate(OBSERVE)
    page.keyboard.press("Enter")
    expect(page.locator(f'button[data-touch="{name}"] ~ .touchable .picture > *')).to_be_visible()
    page.wait_for_timeout(200)
    assert sum(page.evaluate("window.seen")) <= LARGEST_SHIFT


def _faults(page: Page) -> list[str]:
    page.keyboard.press("Tab")  # what scrolls can be reached from the keyboard
    faults = Axe().run(page, context={"include": [["figure:has(> .touch)"]]}).response["violations"]
    return [f"{fault['help']}: {node['html'][:100]}" for fault in faults for node in fault["nodes"]]


LAYOUTS = [("ko", PHONE, "light"), ("en", PHONE, "dark"), ("en", DESKTOP, "light"), ("ko", DESKTOP, "dark")]


@pytest.mark.parametrize("layout", [LAYOUTS[0], *(pytest.param(one, marks=THOROUGH) for one in LAYOUTS[1:])])
@pytest.mark.parametrize("name", SOME)
def test_axe_finds_nothing_in_a_figure_that_is_open(open_page, name, layout):  # noqa: F811
    language, size, scheme = layout
    page = open_page(ROOTS[language] + address(name), viewport=size, color_scheme=scheme, reduced_motion="reduce")
    figure = opened(page, name)
    assert _faults(page) == []
    assert _cut_off(figure) == []


def test_figures_say_the_same_in_both_languages(open_page):  # noqa: F811
    page = open_page("")
    shape = """async name => {
        const shape = value => (Array.isArray(value) ? value.map(shape) : value && typeof value === "object"
            ? Object.fromEntries(Object.keys(value).sort().map(key => [key, shape(value[key])])) : typeof value);
        const { text } = (await import(`/assets/js/touch/${name}.js`)).default;
        const shapes = Object.entries(text).map(([language, words]) => [language, JSON.stringify(shape(words))]);
        return Object.fromEntries(shapes);
    }"""
    for name in NAMES:
        shapes = page.evaluate(shape, name)
        assert list(shapes) == list(LANGUAGES) and shapes["ko"] == shapes["en"], name


STATUS = "figure => figure.shadowRoot.querySelector('[role=status]').textContent"


def test_what_has_changed_is_read_out_once_the_reader_pauses(open_page):  # noqa: F811
    page = open_page(f"en/{address('attention/soft_lookup')}")
    figure = opened(page, "attention/soft_lookup")
    page.wait_for_timeout(900)
    assert figure.evaluate(STATUS) == "", "what has been there from the beginning is no news"
    page.clock.install(time=0)
    page.clock.pause_at(60_000)
    slider = figure.locator("#score-0")
    for _ in range(5):
        slider.press("ArrowLeft")
        page.clock.run_for(300)
        assert figure.evaluate(STATUS) == "", "the reader is not done"
    page.clock.run_for(800)
    answer = figure.locator("dd").first.inner_text()
    assert figure.evaluate(STATUS) == f"Answer: {answer}"


def test_korean_is_marked_as_such_on_an_english_page(open_page):  # noqa: F811
    page = open_page(f"en/{address('training/translation')}")
    figure = opened(page, "training/translation")
    values = "one => [...one.shadowRoot.querySelectorAll('dd [lang=ko]')].map(value => value.textContent)"
    marked = figure.evaluate(values)
    assert "2024년 3월 5일 화요일" in marked and "Tuesday, March 5, 2024" not in marked


def test_one_merge_is_one_tap(open_page):  # noqa: F811
    page = open_page(address("before/ways_to_cut"), viewport=PHONE, has_touch=True, is_mobile=True)
    figure = opened(page, "before/ways_to_cut")
    less, more = (figure.locator(".range button").nth(place) for place in (0, 1))
    most = int(figure.locator("#merges").input_value())
    for button, taps, value in ((less, 3, most - 3), (more, 2, most - 1)):
        for _ in range(taps):
            button.tap()
        assert figure.locator("#merges").input_value() == str(value)
        assert figure.locator("output").first.inner_text() == str(value)


def test_a_finger_that_scrolls_moves_no_slider(open_page):  # noqa: F811
    page = open_page(address("positions/offset_map"), viewport=PHONE, has_touch=True, is_mobile=True)
    figure = opened(page, "positions/offset_map")
    slider = figure.locator("#position")
    slider.scroll_into_view_if_needed()
    before, box, top = slider.input_value(), slider.bounding_box(), page.evaluate("scrollY")
    x, y = box["x"] + 0.8 * box["width"], box["y"] + box["height"] / 2
    client = page.context.new_cdp_session(page)
    for moved in range(0, 240, 20):
        kind = "touchMove" if moved else "touchStart"
        client.send("Input.dispatchTouchEvent", {"type": kind, "touchPoints": [{"x": x, "y": y - moved}]})
        page.wait_for_timeout(16)
    client.send("Input.dispatchTouchEvent", {"type": "touchEnd", "touchPoints": []})
    page.wait_for_timeout(300)
    assert page.evaluate("scrollY") > top + 100, "the page was not scrolled: this says nothing"
    assert slider.input_value() == before


def test_a_score_of_the_reader_s_own_is_that_of_no_query(open_page):  # noqa: F811
    page = open_page(address("attention/soft_lookup"))
    figure = opened(page, "attention/soft_lookup")
    query, answer = figure.locator("#query-pen"), figure.locator("dd").first
    expect(query).to_be_checked()
    first = answer.inner_text()
    figure.locator("#score-3").fill("5")
    expect(query).not_to_be_checked()
    assert answer.inner_text() != first
    query.check()
    assert answer.inner_text() == first


def test_a_tap_on_a_column_of_a_mask_pads_its_token(open_page):  # noqa: F811
    figure = opened(open_page(f"en/{address('attention/masks')}"), "attention/masks")
    first = figure.locator("svg rect[style*=cursor]").first
    first.click()
    expect(figure.locator("#pad-0")).to_be_checked()
    assert "nan" in _said(figure)["Their weights: −∞, then softmax / this book's function"]
    first.click()
    expect(figure.locator("#pad-0")).not_to_be_checked()


def test_a_tap_on_a_head_in_small_chooses_it(open_page):  # noqa: F811
    figure = opened(open_page(address("training/reordering")), "training/reordering")
    cells = "figure => [...figure.shadowRoot.querySelectorAll('rect.weight:has(title)')].map(one => one.outerHTML)"
    before = figure.evaluate(cells)
    figure.locator("svg .row:has(.other)", has_text="2").last.click()
    assert figure.locator("#head-1").is_checked()
    after = figure.evaluate(cells)
    figure.locator("#head-all").check()
    assert figure.evaluate(cells) == before != after
    figure.locator("#head-1").check()
    assert figure.evaluate(cells) == after


def test_while_the_position_runs_the_dot_product_stays(open_page):  # noqa: F811
    figure = opened(open_page(f"en/{address('positions/offset_map')}"), "positions/offset_map")
    position, said = figure.locator("#position").input_value(), _said(figure)
    figure.locator("#play").click()
    expect(figure.locator("#position")).not_to_have_value(position)
    figure.locator("#play").click()
    (stays,) = [key for key in said if key.startswith("Dot product")]
    (turns,) = [key for key in said if key.startswith("Pair") and key.endswith("pos")]
    assert _said(figure)[stays] == said[stays] and _said(figure)[turns] != said[turns]
    stopped = figure.locator("#position").input_value()
    figure.page.wait_for_timeout(400)
    assert figure.locator("#position").input_value() == stopped


def test_the_row_of_nan_is_said_as_well_as_drawn(open_page):  # noqa: F811
    page = open_page(f"en/{address('attention/masks')}")
    figure = opened(page, "attention/masks")
    figure.locator("#pad-0").check()
    said = figure.locator("dl > div").all_inner_texts()
    assert any("1: A (padding)" in row for row in said) and any("nan" in row for row in said)


def test_the_histogram_shows_narrow_scores_as_well_as_wide_ones(open_page):  # noqa: F811
    page = open_page(address("attention/softmax_saturation"))
    figure = opened(page, "attention/softmax_saturation")
    bars = """figure => [...figure.shadowRoot.querySelectorAll("svg rect")]
        .map(bar => bar.getBoundingClientRect()).filter(bar => bar.width < 5 && bar.height > 1).length"""
    for divisor in ("one", "root"):
        figure.locator(f"#divisor-{divisor}").check()
        assert figure.evaluate(bars) > 40
    figure.locator("#divisor-full").check()
    assert figure.evaluate(bars) < 10, "these scores have all but gone"


# ---- what the rows say, next to Python


def numbers_in(text: str) -> list[float]:
    return [float(number.replace("−", "-")) for number in re.findall(r"[-−]?\d+(?:\.\d+)?", text)]


@pytest.fixture
def shown(open_page):  # noqa: F811
    """``shown("attention/masks")``: the open figure on the English page."""
    return lambda name: opened(open_page(f"en/{address(name)}"), name)


def test_the_rows_of_a_soft_look_up(shown):
    figure = shown("attention/soft_lookup")
    scores = drawn_lookup.SCORES.double()
    prices = torch.tensor([float(price) for price in drawn_lookup.TEXT["en"]["prices"]]).double()
    for place, score in ((None, None), (3, 4.2)):
        if place is not None:
            figure.locator(f"#score-{place}").fill(str(score))
            figure.locator("#scale").fill("0.5")
            scores[place] = score
            scores = 0.5 * scores
        answer, weights = soft_lookup(scores, prices)
        said = _said(figure)
        assert numbers_in(said["Answer"]) == [pytest.approx(answer.item(), abs=0.051)]
        assert numbers_in(said["Largest weight"])[-1] == pytest.approx(weights.max().item(), abs=5.1e-5)
        drawn = figure.locator("svg").get_attribute("aria-label")
        assert numbers_in(drawn)[1:] == pytest.approx(weights.tolist(), abs=5.1e-5)
        assert said["Temperature"] == ("1.00" if place is None else "2.00")


@pytest.mark.parametrize("divisor", ["one", "root", "full"])
def test_the_rows_of_the_scores(shown, compute, divisor):
    d = 64
    by = {"one": 1, "root": math.sqrt(d), "full": d}[divisor]
    scores = torch.tensor(compute("random", "dotProducts", 64, 16, d, 2), dtype=torch.float64) / by
    weights = scores.softmax(dim=-1)
    norms = torch.stack([why_sqrt_dk.softmax_jacobian(row).norm() for row in weights])
    figure = shown("attention/softmax_saturation")
    figure.locator("#power").fill("6")
    figure.locator(f"#divisor-{divisor}").check()
    figure.locator("#sample").click()
    said = _said(figure)

    def pair(values: torch.Tensor) -> list[float]:
        return [values[0].item(), 64, values.median().item()]

    spread = scores.std(correction=0).item()
    assert numbers_in(said["Std. deviation of the scores"]) == [pytest.approx(spread, abs=6e-4)]
    largest = [said["Largest weight"], said["Its median over 64 queries"]]
    assert [float(one) for one in largest] == pytest.approx(pair(weights.amax(dim=-1))[::2], abs=6e-5)
    (entropies,) = [value for label, value in said.items() if label.startswith("Entropy")]
    assert numbers_in(entropies) == pytest.approx(pair(why_sqrt_dk.entropy(weights)), abs=6e-4)
    assert numbers_in(said["Norm of the Jacobian"]) == pytest.approx(pair(norms), abs=6e-5)
    (gradients,) = [value for label, value in said.items() if label.startswith("Gradient")]
    assert numbers_in(gradients) == pytest.approx([x if x == 64 else x / by for x in pair(norms)], abs=6e-5)


@pytest.mark.parametrize("polarity", ["allowed", "masked"])
@pytest.mark.parametrize("padding", [(), (0,), (1, 4)])
def test_the_rows_of_the_masks(shown, polarity, padding):
    figure = shown("attention/masks")
    ids = torch.ones(1, 5, dtype=torch.long)
    for place in range(5):
        figure.locator(f"#pad-{place}").set_checked(place in padding)
        ids[0, place] = place not in padding
    figure.locator(f"#polarity-{polarity}").check()
    mask = causal_mask(5) & padding_mask(ids, pad_id=0)[0]
    mask = mask if polarity == "allowed" else ~mask
    said = _said(figure)
    assert said["Allowed pairs"] == f"{mask.sum()} / 25"
    assert said["Of these, pairs that look into the future"] == str(mask.triu(1).sum().item())
    empty = [row for row in range(5) if not mask[row].any()]
    named = ", ".join(f"{'ABCDE'[row]}{' (padding)' if row in padding else ''}" for row in empty)
    assert said["Fully masked queries"] == (f"{len(empty)}: {named}" if empty else "none")
    (weights,) = [value for label, value in said.items() if label.startswith("Their weights")]
    assert weights == ("nan / 0" if empty else "—")


def test_the_rows_of_an_online_softmax(shown):
    figure = shown("families/online_softmax")
    scores, values = drawn_online.SCORES.double(), drawn_online.VALUES.double()
    exact = scores.softmax(dim=0) @ values
    assert numbers_in(_said(figure)["Output so far / exact"]) == pytest.approx([6.0, exact.item()], abs=5.1e-5)
    figure.locator("#block-2").check()
    assert figure.locator("#read").input_value() == "2", "keys are read by whole blocks"
    figure.locator("#score-5").fill("8")
    scores[5] = 8.0
    for read in (4, 6):
        figure.locator("#read").fill(str(read))
        said = _said(figure)
        output = scores[:read].softmax(dim=0) @ values[:read]
        expected = [output.item(), (scores.softmax(dim=0) @ values).item()]
        assert numbers_in(said["Output so far / exact"]) == pytest.approx(expected, abs=5.1e-5)
        maximum = scores[:read].max()
        weights = torch.exp(scores[:read] - maximum)
        kept = [maximum.item(), weights.sum().item(), (weights @ values[:read]).item()]
        assert numbers_in(said["The three numbers kept: maximum, sum, weighted sum"]) == pytest.approx(kept, abs=5.1e-5)
        shrink = math.exp(scores[: read - 2].max() - maximum)
        assert numbers_in(said["What the earlier sum was multiplied by"]) == [pytest.approx(shrink, abs=5.1e-5)]


def test_a_bar_follows_the_pointer_as_far_as_it_goes(shown):
    figure = shown("families/online_softmax")
    page = figure.page
    grip = figure.locator("svg [style*='ns-resize']").nth(1)
    grip.scroll_into_view_if_needed()
    box = grip.bounding_box()
    x, y = box["x"] + box["width"] / 2, box["y"]

    def score() -> float:
        return float(figure.locator("#score-1").input_value())

    page.mouse.move(x, y + box["height"] * 0.5)
    page.mouse.down()
    assert score() == 3.0, "half way from -2 to 8"
    page.mouse.move(x, y + box["height"] * 0.2)
    assert score() == 6.0
    page.mouse.move(x + 200, y - 50)
    assert score() == 8.0
    page.mouse.up()
    page.mouse.move(x, y + box["height"])
    assert score() == 8.0, "it has been let go"


def turned(page: Page, grip: Locator, radians: float) -> None:  # noqa: F811
    """Take a circle on its right, and turn it counterclockwise in small steps."""
    grip.scroll_into_view_if_needed()
    box = grip.bounding_box()
    x, y, radius = box["x"] + box["width"] / 2, box["y"] + box["height"] / 2, 0.3 * box["width"]
    page.mouse.move(x + radius, y)
    page.mouse.down()
    for step in range(1, 25):
        angle = radians * step / 24
        page.mouse.move(x + radius * math.cos(angle), y - radius * math.sin(angle))
    page.mouse.up()
    page.mouse.move(x, y + 3 * radius)


def test_a_dial_is_turned_by_hand_and_the_slow_one_moves_the_position_further(shown):
    figure = shown("positions/offset_map")
    dials = figure.locator("svg [style*='grab']")
    for i, radians in ((0, -2 * math.pi), (0, -7.0), (1, -1.0), (2, 0.3)):
        figure.locator("#position").fill("60")
        turned(figure.page, dials.nth(i), radians)
        assert figure.locator("#pair").input_value() == str(i)
        expected = 60 - radians / frequencies(8)[i].item()
        assert float(figure.locator("#position").input_value()) == pytest.approx(expected, abs=1 + 0.02 * abs(expected))
    turned(figure.page, dials.nth(3), -1.0)
    assert figure.locator("#position").input_value() == "200", "the last dial hardly turns at all"


def test_who_turns_the_pair_moves_both(shown):
    figure = shown("positions/rotated_pair")
    before = _said(figure)["q · k"]
    turned(figure.page, figure.locator("svg [style*='grab']"), 3.5)
    assert [figure.locator(f"#{name}").input_value() for name in ("query", "key")] == ["15", "12"]
    assert _said(figure)["q · k"] == before
    turned(figure.page, figure.locator("svg [style*='grab']"), -20.0)
    assert [figure.locator(f"#{name}").input_value() for name in ("query", "key")] == ["3", "0"]


def test_the_rows_of_a_rotated_pair(shown):
    figure = shown("positions/rotated_pair")

    def product(query: int, key: int, omega: float) -> float:
        vectors = torch.tensor([[0.95, 0.31], [0.74, -0.67]], dtype=torch.float64)
        q, k = rotate(vectors, omega * torch.tensor([query, key]))
        return (q @ k).item()

    for query, key, omega in ((5, 2, 0.35), (12, 2, 0.35), (12, 30, 1.0)):
        for name, value in (("query", query), ("key", key), ("frequency", omega)):
            figure.locator(f"#{name}").fill(str(value))
        said = _said(figure)
        assert numbers_in(said["q · k"]) == [pytest.approx(product(query, key, omega), abs=5.1e-7)]
        assert numbers_in(said["Distance from key to query"]) == [query - key]
    assert torch.allclose(drawn_pair.pairs()[1].prod(dim=0).sum(), torch.tensor(product(5, 2, 0.35)).double())
    before = _said(figure)["q · k"]
    figure.locator("#together").check()
    figure.locator("#query").fill("0")
    assert [figure.locator(f"#{name}").input_value() for name in ("query", "key")] == ["0", "18"]
    assert _said(figure)["q · k"] == before, "only the distance counts"
    figure.locator("#key").fill("30")
    assert [figure.locator(f"#{name}").input_value() for name in ("query", "key")] == ["12", "30"]


def test_the_rows_of_an_offset(shown):
    figure = shown("positions/offset_map")
    for name, value in (("position", "37"), ("offset", "-2.5"), ("pair", "1")):
        figure.locator(f"#{name}").fill(value)
    here, there = (positional_encoding(torch.tensor([p], dtype=torch.float64), 8)[0] for p in (37.0, 34.5))
    said = {label.replace("\u2060", ""): numbers_in(value) for label, value in _said(figure).items()}
    assert said["Angle kωi (radians)"] == [pytest.approx(-2.5 * frequencies(8)[1].item(), abs=6e-5)]
    assert said["Pair i of ppos"] == pytest.approx(here[2:4].tolist(), abs=6e-5)
    assert said["Pair i of ppos+k"] == said["Multiplied by Bi"] == pytest.approx(there[2:4].tolist(), abs=6e-5)
    assert said["Dot product ppos · ppos+k"] == [pytest.approx((here @ there).item(), abs=6e-7)]


def test_the_rows_of_the_tokens(shown, tokenizers):
    figure = shown("before/ways_to_cut")
    figure.locator("#merges").fill("60")
    for language, text in (("ko", "각자의 이름"), ("en", "every day, 🙂")):
        figure.locator(f"#{language}").fill(text)
        said = _said(figure)[{"ko": "Korean", "en": "English"}[language]]
        assert numbers_in(said) == [len(tokenizers[60].encode(text)), len(text), len(text.encode())]
        ids = figure.locator(f"ol[lang={language}] li span").all_inner_texts()
        assert list(map(int, ids)) == tokenizers[60].encode(text)


def test_the_rows_and_ranks_of_a_word_that_is_joined(shown):
    figure, learned = shown("before/joined_word"), joined_word.learned("en")
    texts = """figure => [...figure.shadowRoot.querySelectorAll("svg .step")]
        .map(row => [...row.querySelectorAll("text")].map(one => one.textContent))"""
    for word, space in ((joined_word.WORDS["en"].strip(), True), ("representation", True), ("resident", False)):
        figure.locator("#word").fill(word)
        figure.locator("#space").set_checked(space)
        steps = joined_word.joined(f" {word}" if space else word, learned)
        assert figure.locator("#step").get_attribute("max") == str(len(steps) - 1) and len(steps) > 3
        for n, (tokens, _) in enumerate(steps):
            figure.locator("#step").fill(str(n))
            said, rows = _said(figure), figure.evaluate(texts)
            readables = [readable(token) for token in tokens]
            assert said["Tokens now"] == f"{'·'.join(readables)} ({len(tokens)})" and len(rows) == n + 1
            for row, (there, made) in zip(rows, steps, strict=False):
                made_row = [] if made is None else [str(made + 1)]
                assert [text for text in row if text.isdigit()][: len(made_row)] == made_row
                assert [text for text in row if not text.isdigit()] == [readable(token) for token in there]
            if n + 1 < len(steps):
                (left, right), times = learned[steps[n + 1][1]]
                pair = f"{readable(left)} + {readable(right)}"
                assert said["Next merge"] == f"{pair}: merge {steps[n + 1][1] + 1}, {times:,} times"
                assert figure.locator("svg text.rank.strong").first.text_content() == str(steps[n + 1][1] + 1)
            else:
                assert said["Next merge"] == "none of the 200 merges is left to make"
                assert figure.locator("svg text.rank").count() == 0
    figure.locator("#word").fill("")
    assert _said(figure)["Next merge"] == "Type a word."


def test_a_tap_on_the_last_row_joins_and_on_another_row_goes_back(shown):
    figure = shown("before/joined_word")
    step = figure.locator("#step")
    for _ in range(3):
        figure.locator("svg .step").last.click()
    expect(step).to_have_value("4")
    figure.locator("svg .step").nth(1).click()
    expect(step).to_have_value("1")


def numbers_read(text: str) -> list[float]:
    """With commas and exponents."""
    return [float(one.replace(",", "")) for one in re.findall(r"\d[\d,.]*(?:e[-+]\d+)?", text)]


def test_the_rows_of_deep_gradients(shown):
    figure = shown("block/gradient_over_depth")
    gains = sorted(gradient_over_depth.GAINS, key=lambda gain: gain or 3**-0.5)
    for depth, gain, layer in ((10, None, 4), (50, None, 1), (50, 3.0, 20), (35, 1.0, 35), (1, 0.5, 1)):
        figure.locator("#depth").fill(str(gradient_over_depth.TOUCHED.index(depth)))
        figure.locator("#gain").fill(str(gains.index(gain)))
        figure.locator("#layer").fill(str(layer))
        for residual in (True, False):
            figure.locator("#residual").set_checked(residual)
            said = _said(figure)
            rows = {}
            for kind in (True, False):
                runs = torch.stack([norms_one_by_one(depth, kind, gain, seed) for seed in range(5)])
                rows[kind] = torch.stack([runs.mean(dim=0), runs.amin(dim=0), runs.amax(dim=0)])
            for label, kind in (("First layer, with residual connections", True), ("First layer, without", False)):
                assert numbers_read(said[label]) == pytest.approx(rows[kind][:, 0].tolist(), rel=0.051)
            here = numbers_read(said["Layer looked at"])
            assert here == pytest.approx([layer, *rows[residual][:, layer - 1].tolist()], rel=0.051)
            factor = pytest.approx(rows[residual][0, 0].item() ** (1 / depth), rel=0.06)
            assert numbers_read(said["Multiplied at each layer by (geometric mean)"]) == [factor]
            bars = figure.evaluate("""figure => [...figure.shadowRoot.querySelectorAll("svg rect[fill-opacity='0.7']")]
                .map(bar => [bar.getAttribute("class"), bar.getAttribute("y") * 1, bar.getAttribute("height") * 1])""")
            assert len(bars) == depth and {kind for kind, *_ in bars} == {"query" if residual else "key"}
            pixels = (240 - 46) / 24  # of a factor of ten
            for (_, top, height), norm in zip(bars, rows[residual][0].tolist(), strict=True):
                power = math.log10(norm)
                assert height == pytest.approx(max(1, pixels * abs(power)), abs=0.5)
                assert top == pytest.approx(46 + 8 * pixels - max(0, pixels * power), abs=0.5), "up if it grows"


def test_a_finger_on_the_bars_looks_at_a_layer(shown):
    figure = shown("block/gradient_over_depth")
    grip = figure.locator("svg [style*='ew-resize']")
    grip.scroll_into_view_if_needed()
    box, mouse = grip.bounding_box(), figure.page.mouse
    mouse.move(box["x"] + 0.35 * box["width"], box["y"] + 80)
    mouse.down()
    expect(figure.locator("#layer")).to_have_value("4")
    mouse.move(box["x"] + 0.75 * box["width"], box["y"] + 80)
    expect(figure.locator("#layer")).to_have_value("8")
    mouse.move(box["x"] + 2 * box["width"], box["y"])
    expect(figure.locator("#layer")).to_have_value("10")
    mouse.up()


def test_the_rows_of_the_published_tokens(shown):
    figure = shown("llm/published_cuts")
    slider = figure.locator("#merges")
    for stop, most in ((slider.get_attribute("max"), 48_900), ("10", 1000), ("0", 0)):
        slider.fill(stop)
        whole = kept_tokenizer(most)
        for language, text in (("ko", "이름은 둘"), ("en", "every day, 🙂 \x06")):
            figure.locator(f"#{language}").fill(text)
            said = _said(figure)[{"ko": "Korean", "en": "English"}[language]]
            assert numbers_in(said) == [len(whole.encode(text)), len(text), len(text.encode())]
            ids = figure.locator(f"ol[lang={language}] li span").all_inner_texts()
            assert list(map(int, ids)) == whole.encode(text)
        assert numbers_in(_said(figure)["Size of the vocabulary"].replace(",", "")) == [252 + most]
    assert _said(figure)["Token learned last"] == "none"


def test_the_rows_of_the_first_gradients(shown):
    figure = shown("block/gradients_at_initialisation")
    figure.locator("#depth").fill("1")
    figure.locator("#seed").fill("3")
    said = _said(figure)
    for order in ("post-LN", "pre-LN"):
        norms = gradients_by_layer(12, order == "pre-LN", seed=3).tolist()
        found = [float(said[f"{order}, {which}"]) for which in ("first layer", "last layer", "last layer × √L")]
        assert found == pytest.approx([norms[0], norms[-1], norms[-1] * math.sqrt(12)], abs=1e-3)


def test_what_the_translator_has_learned_after_so_many_steps(shown):
    figure = shown("training/checkpoints")
    for step, date in [(0, 0), (100, 1), (250, 2)]:
        figure.locator("#step").fill(str(checkpoints.TOUCHED.index(step)))
        figure.locator("label", has_text=str(learning_order.SHOWN[date].year)).click()
        figure.locator(".row").nth(5).click()
        said = _said(figure)
        one = learning_order.results()[0]["looks"][str(step)]["shown"][date]
        right = [*dates.korean(learning_order.SHOWN[date]), "</s>"]
        assert said["Translation"] == " ".join(one["tokens"])
        equal = sum(a == b for a, b in zip(one["tokens"], right, strict=False))
        assert said["Tokens that are right, each in its place"] == f"{equal} of {len(right)}"
        weights = one["weights"][5]
        source = [*dates.english(learning_order.SHOWN[date]), "</s>"]
        assert said["Attended to most in the chosen row"] == (
            f"{source[weights.index(max(weights))]} {max(weights) / 1000:.3f}"
        )


def test_the_rows_of_the_lab(shown):
    figure = shown("labs/norm_losses")
    figure.locator("#warmup").fill("1")
    figure.locator("#seed").fill("2")
    said = _said(figure)
    for order in ("post-LN", "pre-LN"):
        run = post_pre_ln.with_shorter_warm_up()[order == "pre-LN", 20][2]
        loss = sum(run["losses"][-10:]) / 10
        assert float(said[f"{order}, loss of the last 10 steps"]) == pytest.approx(loss, abs=6e-4)
        assert numbers_in(said[f"{order}, dates translated right"]) == [round(100 * run["exact match"])]
        means = torch.tensor(run["gradients"]["first layer"]).view(-1, 5).mean(dim=1)
        assert float(said[f"{order}, smallest gradient"]) == pytest.approx(means.min().item(), abs=6e-6)


# ---- in use


def test_nothing_moves_while_tokens_are_generated_or_a_date_cannot_be_read(open_page):  # noqa: F811
    page = open_page(f"en/{address('training/translation')}", viewport=PHONE)
    figure = opened(page, "training/translation")
    page.evaluate(OBSERVE)
    figure.locator("#play").click()
    expect(figure.locator("#step")).to_have_value("11", timeout=15_000)
    figure.locator("#date").fill("Tuesday, Mars 5")
    expect(figure.locator("dt").first).to_contain_text("Mars")
    page.wait_for_timeout(300)
    assert sum(page.evaluate("window.seen")) <= LARGEST_SHIFT
