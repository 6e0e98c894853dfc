"""What pages show of the published encoder is what is kept of it, each by its own name."""

from __future__ import annotations

import torch
from torch.testing import assert_close

from snippets.families.encoder_shown import (
    all_maps,
    head_means,
    importance,
    pieces,
    queries_and_keys,
    sentence_vectors,
    sink,
    without_segments,
)
from snippets.families.encoder_views import FLIES, PAIR, SENTENCES, SIMILAR


def test_a_text_and_a_pair_have_tokens_ids_and_segments():
    tokens, ids, segments = pieces(FLIES)
    assert tokens == ["[CLS]", *FLIES.split(), "[SEP]"] and ids[0] == 101 and ids[-1] == 102
    assert segments == [0] * 7
    assert set(pieces(*PAIR)[2]) == {0, 1}


def test_vectors_have_norm_one_and_are_in_order():
    e = sentence_vectors(*SIMILAR)
    assert e.shape == (11, 384)
    assert_close(e.norm(dim=-1), torch.ones(11))
    assert e[0] @ e[1] > 0.9 > e[0] @ e[7]


def test_queries_and_keys_of_a_head_make_its_weights():
    maps = all_maps(FLIES)
    assert maps.shape == (6, 12, 7, 7) and maps.dtype == torch.float32
    for layer, head in ((0, 2), (3, 7)):
        q, k = queries_and_keys(FLIES, layer, head)
        weights = (q @ k.T / 32**0.5).softmax(dim=-1)
        assert_close(weights, maps[layer, head], atol=0.02, rtol=0)


def test_the_head_that_looks_back_is_found_on_the_sentences():
    means = head_means(*SENTENCES)
    assert means["previous"].shape == (6, 12)
    assert means["previous"].argmax() == 2 and means["previous"][0, 2] > 0.95


def test_measures_have_a_number_for_each_token():
    found, tokens = importance(SENTENCES[0]), pieces(SENTENCES[0])[0]
    assert all(len(numbers) == len(tokens) for numbers in found.values())
    assert found["hidden"][0] == max(found["hidden"])
    assert sink(SENTENCES[0])["not attended to"] > 10 * sink(SENTENCES[0])["not averaged"]
    assert 0.9 < without_segments(*PAIR) < 1
