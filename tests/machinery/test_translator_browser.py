"""The translator that runs in the page, in Chromium: what it computes is what PyTorch computes.

The page has the weights in float16. With the same rounded weights in PyTorch, logits differ by less than ``CLOSE``;
with the weights as they were trained, by less than ``ROUNDED``, which is what the rounding costs.
"""

from __future__ import annotations

import datetime
import functools
import json
import threading
from http.server import SimpleHTTPRequestHandler, ThreadingHTTPServer

import pytest
import torch
from playwright.sync_api import Page

from book import ROOT, weights
from snippets.before import dates
from snippets.before.vocabulary import BOS, EOS
from snippets.labs.broken_translator import CONFIG, WithoutMask, WithoutPositions, WithoutScaling
from snippets.model.transformer import Transformer
from snippets.training.attention_maps import attention_maps
from snippets.training.decoding import beam_search, greedy
from snippets.training.translator import DATE_VOCAB, trained
from tests.machinery.test_browser import browser  # noqa: F401

CLOSE, ROUNDED = 1e-4, 0.03
MOST = 14  # tokens of a translation, and two more
#: What the page has switched off, and the class of the lab in which it is missing.
BROKEN = {"positions": WithoutPositions, "mask": WithoutMask, "scaling": WithoutScaling}
#: Not dates, or not such as the model was trained on: here it hesitates, and a beam has something to do.
STRANGE = [
    "Monday , March 5 , 1 7 8 9",
    "March 5 , 2 0 2 4",
    "2 0 2 4 , March , Tuesday",
    "Friday , February 3 1 , 3 9 9 9",
    "May May May",
    ",",
]


class _Quiet(SimpleHTTPRequestHandler):
    def log_message(self, *arguments):
        pass


@pytest.fixture(scope="module")
def page(browser) -> Page:  # noqa: F811
    """A page of a host that has what is below docs/assets, and nothing else: with a model, and the modules."""
    weights.make_anew(weights.stale())
    handler = functools.partial(_Quiet, directory=str(ROOT / "docs" / "assets"))
    server = ThreadingHTTPServer(("127.0.0.1", 0), handler)
    threading.Thread(target=server.serve_forever, daemon=True).start()
    page = browser.new_page()
    page.goto(f"http://127.0.0.1:{server.server_port}/favicon.svg")
    page.evaluate(
        """async () => {
        const names = ["weights", "layers", "model", "decoding", "dates"];
        const modules = await Promise.all(names.map(name => import(`/js/touch/maths/translator/${name}.js`)));
        globalThis.t = Object.assign({}, ...modules);
        globalThis.loaded = await t.load("dates");
        globalThis.whole = new t.Transformer(loaded);
    }"""
    )
    yield page
    page.close()
    server.shutdown()
    server.server_close()


def _sources(every: int) -> list[list[int]]:
    """Held-out dates, and what is no date at all, as ids."""
    return [DATE_VOCAB.encode(dates.english(date)) for date in dates.HELD_OUT[::every]]


def _strange() -> list[list[int]]:
    words = (" ".join(c if c.isalpha() else " ".join(c) for c in text.split()) for text in STRANGE)
    return [DATE_VOCAB.encode(text.split()) for text in words]


def _model(kind: type[Transformer] = Transformer, *, rounded: bool = True) -> Transformer:
    """The trained weights, rounded as those of the page, in a model that may lack something."""
    model = kind(CONFIG)
    state = trained("dates").model.state_dict()
    model.load_state_dict({name: x.half().float() for name, x in state.items()} if rounded else state)
    return model.eval()


@functools.cache
def _whole() -> Transformer:
    return _model()


def _ended(ids: list[int]) -> list[int]:
    return ids[: ids.index(EOS) + 1] if EOS in ids else ids


def _greedy(model: Transformer, src: list[int]) -> list[int]:
    return _ended(greedy(model, torch.tensor([src]), MOST)[0].tolist())


GREEDY = """([sources, most, switches]) => {
    const model = new t.Transformer(loaded, switches);
    return sources.map(src => [...t.greedy(model, src, most)].map(step => step.id));
}"""
#: Logits and weights of what follows each token, with the cache and all at once, as JSON, which is faster.
FORCED = """([pairs, switches]) => {
    const model = new t.Transformer(loaded, switches);
    return JSON.stringify(pairs.map(([src, tgt]) => {
        const memory = model.encode(src), plain = rows => rows.map(row => [...row]);
        let step = { state: model.start(memory) };
        const steps = tgt.map(id => (step = model.next(step.state, id)));
        return {
            next: plain(steps.map(one => one.logits)),
            once: plain(model.decode(tgt, memory).map(one => one.logits)),
            encoder: memory.weights,
            own: steps.map(one => one.weights.own),
            cross: steps.map(one => one.weights.cross),
        };
    }));
}"""
BEAM = """([src, size, most, alpha, switches]) => {
    const found = t.beamSearch(new t.Transformer(loaded, switches), src, size, most, alpha);
    return {
        ids: found.ids, score: found.score,
        levels: found.levels.map(level => level.map(one => [one.ids, one.total, one.kept, one.score])),
    };
}"""


def test_the_weights_are_those_that_were_trained_in_float16_and_no_more_than_a_page_may_load(page):
    sent = page.evaluate("Object.fromEntries(Object.entries(loaded.tensors).map(([name, x]) => [name, [...x]]))")
    state = trained("dates").model.state_dict()
    assert sent.keys() == state.keys()
    for name, numbers in sent.items():
        assert torch.equal(torch.tensor(numbers), state[name].half().float().flatten()), name
    described, data = weights.MODELS[0].files
    assert data.stat().st_size == 2 * sum(map(len, sent.values())) <= weights.LARGEST
    assert json.loads(described.read_text(encoding="utf-8"))["tokens"] == DATE_VOCAB.tokens


def _run(page: Page, pairs: list, switches: dict) -> list[dict]:
    batches = (pairs[start : start + 100] for start in range(0, len(pairs), 100))
    return [one for batch in batches for one in json.loads(page.evaluate(FORCED, [batch, switches]))]


def _forced(page: Page, pairs: list, model: Transformer, switches: dict, close: float) -> float:
    """The largest difference of logits with right targets, step by step and all at once."""
    largest = 0.0
    for (src, tgt), found in zip(pairs, _run(page, pairs, switches), strict=True):
        with torch.no_grad():
            expected = model(torch.tensor([src]), torch.tensor([tgt]))[0]
        if switches.get("mask", True):  # without it, all at once is another question than one after the other
            largest = max(largest, (torch.tensor(found["next"]) - expected).abs().max().item())
        largest = max(largest, (torch.tensor(found["once"]) - expected).abs().max().item())
    assert largest <= close, largest
    return largest


def _pairs(every: int) -> list[list[list[int]]]:
    held_out = dates.HELD_OUT[::every]
    return [[DATE_VOCAB.encode(dates.english(d)), DATE_VOCAB.encode(dates.korean(d), bos=True)[:-1]] for d in held_out]


@pytest.mark.parametrize("every", [100, pytest.param(1, marks=pytest.mark.thorough)], ids=["some", "all"])
def test_logits_are_those_of_pytorch(page, every):
    pairs = _pairs(every)
    _forced(page, pairs, _whole(), {}, CLOSE)
    assert _forced(page, pairs, _model(rounded=False), {}, ROUNDED) > CLOSE, "rounding costs nothing: say so"


@pytest.mark.parametrize("part", BROKEN)
def test_with_a_part_switched_off_logits_are_those_of_the_lab_s_class_with_the_same_weights(page, part):
    pairs, off = _pairs(150), {part: False}
    model = _model(BROKEN[part])
    _forced(page, pairs, model, off, CLOSE)
    for src, _ in pairs:
        assert page.evaluate(GREEDY, [[src], MOST, off]) == [_greedy(model, src)]
    with pytest.raises(AssertionError):
        _forced(page, pairs, _whole(), off, CLOSE)


def test_attention_weights_are_those_of_pytorch(page):
    ((src, tgt),) = pairs = _pairs(1000)
    (found,) = _run(page, pairs, {})
    with torch.no_grad():
        expected = attention_maps(_whole(), torch.tensor([src]), torch.tensor([tgt]))
    for layer in range(CONFIG.num_layers):
        encoder = torch.tensor(found["encoder"][layer]).transpose(0, 1)  # heads first
        assert torch.allclose(encoder, expected[f"encoder.layers.{layer}.attention"][0], atol=1e-5)
        cross = torch.tensor([step[layer] for step in found["cross"]]).transpose(0, 1)
        assert torch.allclose(cross, expected[f"decoder.layers.{layer}.cross_attention"][0], atol=1e-5)
        for place, step in enumerate(found["own"]):
            own = expected[f"decoder.layers.{layer}.self_attention"][0, :, place]
            assert torch.allclose(torch.tensor(step[layer]).float(), own[:, : place + 1], atol=1e-5)
            assert not own[:, place + 1 :].any()


@pytest.mark.parametrize("every", [50, pytest.param(1, marks=pytest.mark.thorough)], ids=["some", "all"])
def test_held_out_dates_are_translated_as_by_pytorch(page, every):
    sources = _sources(every)
    found = page.evaluate(GREEDY, [sources, MOST, {}])
    assert found == [_greedy(_whole(), src) for src in sources]
    original = trained("dates").model
    assert found == [_greedy(original, src) for src in sources], "the rounding has changed a translation: say so"
    assert found == [DATE_VOCAB.encode(dates.korean(date)) for date in dates.HELD_OUT[::every]]


def test_what_is_no_date_is_translated_as_by_pytorch(page):
    assert page.evaluate(GREEDY, [_strange(), MOST, {}]) == [_greedy(_whole(), src) for src in _strange()]


@pytest.mark.parametrize("alpha", [0.0, 0.6, 2.0])
@pytest.mark.parametrize("size", [1, 2, 4, pytest.param(8, marks=pytest.mark.thorough)])
def test_beams_are_those_of_the_book(page, size, alpha):
    kinds = [({}, _whole())]
    if size == 4:
        kinds += [({part: False}, _model(kind)) for part, kind in BROKEN.items()]
    for switches, model in kinds:
        for src in [*_sources(400), *_strange()]:
            found = page.evaluate(BEAM, [src, size, MOST, alpha, switches])
            ids, score = beam_search(model, torch.tensor([src]), size, MOST, alpha)
            assert found["ids"] == ids and found["score"] == pytest.approx(score, abs=CLOSE), (size, src)


def test_a_beam_finds_something_else_than_greedy_decoding(page):
    beams = [page.evaluate(BEAM, [src, 4, MOST, 0.6, {}])["ids"] for src in _strange()]
    assert beams != page.evaluate(GREEDY, [_strange(), MOST, {}]), "the test above says nothing about beams"


def test_the_tree_of_hypotheses_is_whole(page):
    """Each stands below the one that it continues, its score is that of its tokens, and the best are kept."""
    src, size = _strange()[0], 3
    found = page.evaluate(BEAM, [src, size, MOST, 0.6, {}])
    levels, model = found["levels"], _whole()
    for before, level in zip(levels, levels[1:], strict=False):
        open_ones = [ids for ids, _, kept, _ in before if kept and ids[-1:] != [EOS]]
        assert [kept for _, _, kept, _ in level] == [True] * size + [False] * (len(level) - size)
        assert len(level) == size * len(open_ones) and [one[1] for one in level] == sorted(
            (one[1] for one in level), reverse=True
        )
        for ids, total, _, score in level:
            assert ids[:-1] in open_ones
            with torch.no_grad():
                logits = model(torch.tensor([src]), torch.tensor([[BOS, *ids[:-1]]]))[0]
            logits[:, 0] = -torch.inf
            log_p = logits.log_softmax(-1).gather(1, torch.tensor(ids)[:, None]).sum().item()
            assert total == pytest.approx(log_p, abs=10 * CLOSE)
            if score is not None:
                assert score == pytest.approx(log_p / ((5 + len(ids)) / 6) ** 0.6, abs=10 * CLOSE)
    scores = [score for level in levels for _, _, _, score in level if score is not None]
    assert found["score"] == max(scores)


# ---- what a reader types

READ = """texts => texts.map(text => {
    try { return t.read(text).join(" "); } catch (error) { return [error.reason, error.what]; }
})"""


def test_a_date_is_read_in_the_forms_that_people_write(page):
    sentence = "Tuesday , March 5 , 2 0 2 4"
    forms = ["Tuesday, March 5, 2024", " tuesday,MARCH 5 , 2024 ", "2024-03-05", "2024/3/5", "2024. 3. 5.", "2024.3.5"]
    forms += ["2024년 3월 5일", "2024년 3월 5일 화요일", "2024.3.5(화)", "2024년 3월 5일".encode().decode()]
    assert page.evaluate(READ, forms) == [sentence] * len(forms)
    assert page.evaluate(READ, ["2024년 3월 5일 월요일", "March 5"]) == ["Monday , March 5 , 2 0 2 4", "March 5"]


def test_every_date_in_numbers_gets_the_day_of_the_week_that_it_had(page):
    found = page.evaluate(READ, [date.isoformat() for date in dates.HELD_OUT])
    assert found == [" ".join(dates.english(date)) for date in dates.HELD_OUT]
    early = datetime.date(33, 4, 3)
    assert page.evaluate(READ, [early.isoformat()]) == [f"{early:%A} , April 3 , 0 0 3 3"]


def test_what_cannot_be_read_is_named(page):
    cases = {
        "": ["empty", ""],
        "  ": ["empty", ""],
        "Tuesday, Mars 5": ["unknown", "Mars"],
        "내일": ["unknown", "내일"],
        "March 5!": ["unknown", "!"],
        "2023-02-29": ["noSuchDay", "2023-02-29"],
        "1" * 25: ["tooLong", "25"],
    }
    assert page.evaluate(READ, list(cases)) == list(cases.values())


def test_tokens_are_shown_as_people_write_them(page):
    date = datetime.date(2024, 3, 5)
    show = "tokens => t.shown(tokens)"
    assert page.evaluate(show, dates.english(date)) == "Tuesday, March 5, 2024"
    assert page.evaluate(show, dates.korean(date)) == "2024년 3월 5일 화요일"


def test_files_of_two_kinds_are_refused(page):
    said = """() => {
        try { t.unpacked({tensors: {a: [2, 3], b: [1]}}, new ArrayBuffer(6)) } catch (error) { return error.message }
    }"""
    assert page.evaluate(said) == "6 bytes of weights, and not 14"


@pytest.mark.thorough
def test_one_date_takes_less_than_a_fifth_of_a_second(page):
    """In the processor time of this machine; the first one, too, with weights that have just come."""
    took = """([src, most]) => {
        const model = new t.Transformer(loaded), times = [];
        for (let i = 0; i < 9; i++) {
            const start = performance.now();
            [...t.greedy(model, src, most)];
            times.push(performance.now() - start);
        }
        return times.sort((a, b) => a - b);
    }"""
    times = page.evaluate(took, [_sources(100)[0], MOST])
    print(f"median {times[4]:.1f} ms, slowest {times[-1]:.1f} ms")
    assert times[4] < 200
