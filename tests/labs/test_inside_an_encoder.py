"""Heads that are off add nothing and come back, and what is found without them is counted."""

from __future__ import annotations

import copy
import random

import pytest
import torch
from torch.testing import assert_close

from snippets.families.encoder_views import SENTENCES
from snippets.families.real_encoder import encode
from snippets.families.sentence_embeddings import embed
from snippets.labs import inside_an_encoder as lab
from snippets.labs.inside_an_encoder import switched_off
from snippets.tools.paraphrases import COMPOUNDS, PARAPHRASES
from tests.families.encoder import little_encoder, needs_encoder

MODEL, TOKENIZER = little_encoder()
IDS = torch.tensor([[101, 5, 8, 3, 102], [101, 1, 2, 102, 0]])


def test_a_head_that_is_off_adds_nothing():
    by_hand = copy.deepcopy(MODEL)
    by_hand.encoder.layers[1].attention.w_o.weight.data[:, 8:] = 0  # head 2 of d_k = 4
    by_hand.encoder.layers[0].attention.w_o.weight.data[:, 4:8] = 0
    with switched_off(MODEL, ((1, 2), (0, 1))):
        assert_close(embed(MODEL, IDS), embed(by_hand, IDS))
    assert (embed(MODEL, IDS) - embed(by_hand, IDS)).abs().max() > 1e-3


def test_everything_comes_back_also_after_an_error():
    before = embed(MODEL, IDS)
    with pytest.raises(KeyError), switched_off(MODEL, ((0, 0), (1, 1))):
        raise KeyError
    assert embed(MODEL, IDS).equal(before)
    assert all(parameter.requires_grad for parameter in MODEL.parameters())


WORDS, RETOLD = ["the cat", "old dog", "a big cat saw"], ["the cat saw", "big dog", "a cat"]
NOUNS = ["old cat", "cat old", "the dog", "saw", "big dog saw", "dog big saw", "a dog", "cats the"]


@pytest.fixture
def little(monkeypatch):
    """The little encoder for the published one, three sentences and two pairs of nouns."""
    monkeypatch.setattr(lab, "real_encoder", lambda: (MODEL, TOKENIZER))
    monkeypatch.setattr(lab, "SENTENCES", WORDS)
    monkeypatch.setattr(lab, "PARAPHRASES", RETOLD)
    monkeypatch.setattr(lab, "in_sentences", lambda: NOUNS)


@pytest.mark.parametrize("heads", [(), ((0, 1), (1, 0))])
def test_what_is_closest_is_counted_and_margins_are_kept(little, heads):
    with switched_off(MODEL, heads):
        one, retold, nouns = (embed(MODEL, encode(TOKENIZER, texts)) for texts in (WORDS, RETOLD, NOUNS))
    cosines = [[(a @ b).item() for b in retold] for a in one]
    found = sum(max(range(3), key=row.__getitem__) == i for i, row in enumerate(cosines))
    assert 0 < found < 3, "this little example tells nothing"
    (x, y, what, other), (x2, y2, what2, other2) = nouns[:4], nouns[4:]
    meant, right = [what, what2, other, other2], [x, x2, y, y2]
    order = [(m @ (r - w)).item() for m, r, w in zip(meant, right, [y, y2, x, x2], strict=True)]
    words = [(m @ (r - w)).item() for m, r, w in zip(meant, right, [y2, x, x2, y], strict=True)]
    assert lab.measure.function(heads) == {
        "found": found,
        "words": pytest.approx(words, abs=1e-5),
        "order": pytest.approx(order, abs=1e-5),
    }
    assert all(margin == round(margin, 5) for margin in lab.measure.function(heads)["order"])  # so they are kept


def test_all_heads_are_asked_for_none_and_three_halves(monkeypatch):
    class Measure:
        def each(self, calls):
            return [heads[0] if heads else () for heads in calls]

    monkeypatch.setattr(lab, "measure", Measure())
    whole, none, *halves = lab.results()
    assert whole == () and none == tuple((i, j) for i in range(6) for j in range(12))
    assert halves == lab.halves() == [tuple(random.Random(i).sample(lab.HEADS, 36)) for i in range(3)]


def test_each_sentence_is_retold_and_each_pair_of_nouns_turned_round():
    assert len(SENTENCES) == len(PARAPHRASES) == 24 and len({*SENTENCES, *PARAPHRASES}) == 48
    found = lab.in_sentences()
    assert len(found) == 4 * len(COMPOUNDS) and len({words for words, *_ in COMPOUNDS}) == 52
    assert found[:2] == ["They talked about the race horse.", "They talked about the horse race."]
    assert found[2:4] == ["They talked about a fast animal.", "They talked about a contest at the track."]
    assert all(
        set(a.strip(".").split()) == set(b.strip(".").split()) and a != b
        for a, b in zip(found[::4], found[1::4], strict=True)
    )


@needs_encoder
@pytest.mark.thorough
@pytest.mark.parametrize("call", [(), (tuple(lab.HEADS),)])
def test_what_is_kept_is_what_the_published_encoder_gives(call):
    kept, now = lab.measure(*call), lab.measure.function(*call)
    for name, value in now.items():
        assert kept[name] == pytest.approx(value, abs=2e-4), name
