"""Each view is computed as it says, and what is kept is what the published encoder gives."""

from __future__ import annotations

import pytest
import torch
from torch.testing import assert_close

from snippets.families import encoder_views as views
from snippets.families.attention_views import (
    attention_maps,
    effects,
    head_measures,
    projected,
    rollout,
    weighted_norms,
    without_first,
)
from snippets.families.encoder_views import FLIES, PAIR, SENTENCES, SIMILAR, VIEWS, look, looks
from snippets.families.sentence_embeddings import embed
from tests.families.encoder import little_encoder, needs_encoder

MODEL, TOKENIZER = little_encoder()
TEXT, OTHER = "the old dogs saw a cat", "a big dog"
IDS, OTHER_IDS = torch.tensor([[101, 5, 8, 3, 6, 4, 1, 2, 102]]), torch.tensor([[101, 1, 7, 3, 102]])
BOTH = torch.cat([IDS, OTHER_IDS[:, 1:]], dim=1)
SEGMENTS = torch.tensor([[0] * 9 + [1] * 4])


def seen(view: str, *texts: str) -> dict:
    return VIEWS[view](MODEL, TOKENIZER, *texts)


def test_tokens_of_a_text_and_of_a_pair():
    found = seen("tokens", TEXT)
    assert found["tokens"] == ["[CLS]", "the", "old", "dog", "##s", "saw", "a", "cat", "[SEP]"]
    assert found["ids"] == IDS[0].tolist() and found["segments"] == [0] * 9
    assert seen("tokens", TEXT, OTHER)["ids"] == BOTH[0].tolist()


def test_attention_is_that_of_the_text_or_of_the_pair_with_its_segments():
    maps = seen("attention", TEXT)["weights"]["maps"]
    assert maps.shape == (2, 3, 9, 9) and maps.dtype == torch.float16
    assert_close(maps, attention_maps(MODEL, IDS)[:, 0].half())
    assert_close(seen("attention", TEXT, OTHER)["weights"]["maps"], attention_maps(MODEL, BOTH, SEGMENTS)[:, 0].half())


def test_neurons_are_queries_and_keys():
    found = seen("neurons", TEXT)["weights"]
    assert_close(found["queries"], projected(MODEL, IDS, "w_q")[:, 0].half())
    assert_close(found["keys"], projected(MODEL, IDS, "w_k")[:, 0].half())


def test_embeddings_are_those_of_each_text_alone():
    found = seen("embeddings", TEXT, OTHER)["weights"]["embeddings"]
    assert_close(found, torch.cat([embed(MODEL, IDS), embed(MODEL, OTHER_IDS)]))


def test_segments_are_compared_with_a_single_one():
    cosine = embed(MODEL, BOTH)[0] @ embed(MODEL, BOTH, SEGMENTS)[0]
    assert seen("segments", TEXT, OTHER)["cosine"] == pytest.approx(cosine.item()) != pytest.approx(1)


def test_the_sink_is_taken_away_piece_by_piece(monkeypatch):
    asked, on_first = [], torch.tensor([[0.6, 0.5, 0.2], [0.51, 0.9, 0.4]])  # (layers, heads)
    monkeypatch.setattr(views, "head_measures", lambda maps: asked.append(maps) or {"[CLS]": on_first})
    monkeypatch.setattr(views, "ORDINARY", ["cat", "big"])
    found = seen("sink", TEXT)
    assert_close(asked[0], attention_maps(MODEL, IDS)[:, 0])
    expected = {
        "not averaged": without_first(MODEL, IDS, attended=True),
        "not attended to": without_first(MODEL, IDS, averaged=True),
        "neither": without_first(MODEL, IDS),
        "cat": effects(MODEL, IDS[0], 2)[0],
        "big": effects(MODEL, IDS[0], 7)[0],
    }
    norms = projected(MODEL, IDS, "w_v")[:, 0].norm(dim=-1)
    values = [norms[i][0] / norms[i][1:8].mean() for i in ((0, 0), (1, 0), (1, 1))]  # more than half on [CLS]
    assert found == {
        **{name: pytest.approx(x.item()) for name, x in expected.items()},
        "values": pytest.approx([x.item() for x in values]),
    }


def test_heads_are_measured_on_each_text_and_averaged():
    one, two = (head_measures(attention_maps(MODEL, ids)[:, 0]) for ids in (IDS, OTHER_IDS))
    found = seen("heads", TEXT, OTHER)["weights"]
    assert found.keys() == one.keys()
    for key, mean in found.items():
        assert_close(mean, (one[key] + two[key]) / 2)
        assert_close(seen("heads", OTHER)["weights"][key], two[key])


def test_importance_of_each_token_by_attention_and_by_hiding():
    found = {key: torch.tensor(x).double() for key, x in seen("importance", TEXT).items()}
    maps = attention_maps(MODEL, IDS)[:, 0]  # (2, 3, 9, 9)
    right = {
        "all layers": maps.flatten(0, 2).mean(dim=0),
        "first layer": maps[0].flatten(0, 1).mean(dim=0),
        "last layer": maps[1].flatten(0, 1).mean(dim=0),
        "rollout": rollout(maps).mean(dim=0),
        "with norms": weighted_norms(MODEL, IDS).flatten(0, 2).mean(dim=0),
        "hidden": effects(MODEL, IDS[0], 0),
        "masked": effects(MODEL, IDS[0], 103),
    }
    assert found.keys() == right.keys()
    for key, x in right.items():
        assert_close(found[key], x, atol=1e-6, rtol=1e-5, msg=lambda message, key=key: f"{key}: {message}")


def test_a_view_is_that_of_the_published_encoder(monkeypatch):
    monkeypatch.setattr(views, "real_encoder", lambda: (MODEL, TOKENIZER))
    assert look.function("tokens", TEXT) == seen("tokens", TEXT)


def test_all_that_the_book_shows_is_asked_for(monkeypatch):
    asked = []
    monkeypatch.setattr(views, "look", lambda *call: asked.append(call) or {"number": len(asked)})
    assert len(looks()) == len(asked) and looks()[0].keys() == {"number"}
    for call in [
        ("attention", FLIES),
        ("attention", *PAIR),
        ("neurons", FLIES),
        ("tokens", FLIES),
        ("tokens", *PAIR),
        ("segments", *PAIR),
        ("embeddings", *SIMILAR),
        ("heads", *SENTENCES),
        *(("importance", text) for text in SENTENCES),
        *(("tokens", text) for text in [*views.WORDS, *views.KOREAN, *SENTENCES]),
    ]:
        assert call in asked, call
    assert len(SENTENCES) == len(set(SENTENCES)) == 24


@needs_encoder
@pytest.mark.parametrize(
    "call",
    [
        ("tokens", "어텐션"),
        ("attention", *PAIR),
        ("neurons", FLIES),
        ("embeddings", *SIMILAR),
        ("segments", *PAIR),
        ("importance", SENTENCES[0]),
    ],
    ids=lambda call: call[0],
)
def test_what_is_kept_is_what_the_published_encoder_gives(call):
    kept, now = look(*call), look.function(*call)
    assert kept.keys() == now.keys()
    tensors = kept.pop("weights", {}), now.pop("weights", {})
    for name, x in tensors[0].items():
        assert_close(x.float(), tensors[1][name].float(), rtol=0, atol=0.02 if x.dtype == torch.float16 else 1e-5)
    for name, x in kept.items():
        assert x == pytest.approx(now[name], abs=1e-5) if name not in ("tokens",) else x == now[name]


@needs_encoder
@pytest.mark.thorough
def test_heads_that_are_kept_are_those_of_the_published_encoder():
    kept, now = look("heads", *SENTENCES)["weights"], look.function("heads", *SENTENCES)["weights"]
    for name, x in kept.items():
        assert_close(x, now[name], rtol=0, atol=1e-4)
