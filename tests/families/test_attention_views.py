"""The views show the attention that the model computes, and the measures measure what they say."""

from __future__ import annotations

import math

import pytest
import torch
from torch.testing import assert_close

from snippets.families.attention_views import (
    attention_maps,
    effects,
    head_measures,
    projected,
    rank_correlation,
    rollout,
    weighted_norms,
    without_first,
)
from snippets.families.sentence_embeddings import embed
from tests.families.encoder import little_encoder

IDS = torch.tensor([[101, 5, 2, 4, 102], [101, 7, 102, 0, 0]])
MODEL, _ = little_encoder()


def test_maps_are_the_softmax_of_scaled_scores_in_every_layer():
    maps = attention_maps(MODEL, IDS)
    assert maps.shape == (2, 2, 3, 5, 5)
    q, k = (projected(MODEL, IDS, name) for name in ("w_q", "w_k"))
    scores = q @ k.transpose(-2, -1) / math.sqrt(4)
    scores = scores.masked_fill((IDS == 0)[:, None, None], -math.inf)
    assert_close(maps, scores.softmax(dim=-1))
    assert (maps[0] - maps[1]).abs().max() > 0.01, "layers differ"


def test_maps_of_a_pair_depend_on_its_segments():
    segments = torch.tensor([[0, 0, 1, 1, 1]] * 2)
    assert (attention_maps(MODEL, IDS, segments) - attention_maps(MODEL, IDS)).abs().max() > 0.01


@pytest.mark.parametrize("name", ["w_q", "w_k", "w_v"])
def test_projections_are_those_of_each_head(name):
    x = MODEL.embed(IDS)
    linear = getattr(MODEL.encoder.layers[0].attention, name)
    found = projected(MODEL, IDS, name)
    assert found.shape == (2, 2, 3, 5, 4)
    assert_close(found[0, 1, 2], x[1] @ linear.weight[8:].T + linear.bias[8:])
    y = MODEL.encoder.layers[0](x, (IDS != 0).unsqueeze(1))
    linear = getattr(MODEL.encoder.layers[1].attention, name)
    assert_close(found[1, 0, 0], y[0] @ linear.weight[:4].T + linear.bias[:4])


def test_measures_of_known_heads():
    eye = torch.eye(5)
    maps = torch.stack([eye, eye.roll(-1, 1), eye.roll(1, 1), torch.full((5, 5), 0.2)])
    found = head_measures(maps)
    assert_close(found["itself"], torch.tensor([1.0, 0, 0, 0.2]))
    assert_close(found["previous"], torch.tensor([0.0, 1, 0, 0.2]))
    assert_close(found["next"], torch.tensor([0.0, 0, 1, 0.2]))
    assert_close(found["entropy"], torch.tensor([0.0, 0, 0, 1]))


def test_only_words_are_asked_where_they_look():
    to_first, to_last = torch.zeros(2, 5, 5), torch.zeros(5, 5)
    to_first[..., 0], to_last[..., -1] = 1.0, 1.0
    to_first[:, 0], to_first[:, -1] = torch.tensor([0, 0, 0, 0.5, 0.5]), torch.tensor([0, 0.5, 0.5, 0, 0])
    found = head_measures(torch.stack([*to_first, to_last]))
    assert_close(found["[CLS]"], torch.tensor([1.0, 1, 0]))
    assert_close(found["[SEP]"], torch.tensor([0.0, 0, 1]))
    assert found["entropy"].abs().max() == 0 and found["previous"].abs().max() == 0
    weights = torch.tensor([0.5, 0.25, 0.25]).expand(3, 3)  # a single word
    assert_close(head_measures(weights)["entropy"], torch.tensor(1.5 * math.log(2) / math.log(3)))


def test_measures_keep_the_axes_of_layers_and_heads():
    maps = attention_maps(MODEL, IDS[:1])[:, 0]
    found = head_measures(maps)
    assert all(measure.shape == (2, 3) for measure in found.values())
    assert_close(found["next"][1, 2], maps[1, 2, [1, 2], [2, 3]].mean())
    assert_close(found["previous"][1, 2], maps[1, 2, [2, 3], [1, 2]].mean())
    assert_close(found["[SEP]"][0, 1], maps[0, 1, 1:4, 4].mean())


def test_rollout_goes_through_all_layers_and_half_around_each():
    one, two = torch.tensor([[0.0, 1.0], [0.0, 1.0]]), torch.tensor([[1.0, 0.0], [1.0, 0.0]])
    maps = torch.stack([torch.stack([one, one]), torch.stack([two, one])])  # (layers, heads, n, n)
    # layer 0: [[0.5, 0.5], [0, 1]]; layer 1: heads in the mean are [[0.5, 0.5], [0.5, 0.5]]
    assert_close(rollout(maps), torch.tensor([[0.75, 0.25], [0.25, 0.75]]) @ torch.tensor([[0.5, 0.5], [0.0, 1.0]]))
    assert_close(rollout(maps[:1].double()), torch.tensor([[0.5, 0.5], [0.0, 1.0]]).double())


def test_weighted_norms_are_those_of_what_a_key_adds():
    found = weighted_norms(MODEL, IDS)
    maps, values = attention_maps(MODEL, IDS), projected(MODEL, IDS, "w_v")
    for i, layer in enumerate(MODEL.encoder.layers):
        for b, query, key in [(0, 1, 3), (1, 2, 0)]:
            mixed = torch.cat([maps[i, b, h, query, key] * values[i, b, h, key] for h in range(3)])
            assert_close(found[i, b, query, key], (layer.attention.w_o.weight @ mixed).norm())
    assert found.shape == (2, 2, 5, 5) and not found.requires_grad
    assert found[:, 1, :, 3:].max() == 0, "padding adds nothing"


def test_hiding_the_last_token_is_to_leave_it_out():
    found = effects(MODEL, IDS[0], 0)
    whole, shorter = embed(MODEL, IDS[:1])[0], embed(MODEL, IDS[:1, :-1])[0]
    assert_close(found[-1], 1 - whole @ shorter)
    assert found.shape == (5,) and found.min() > 1e-6


def test_a_token_is_replaced_where_it_stands():
    found = effects(MODEL, IDS[0], 7)
    other = torch.tensor([[101, 5, 7, 4, 102]])
    assert_close(found[2], 1 - embed(MODEL, IDS[:1])[0] @ embed(MODEL, other)[0])
    assert effects(MODEL, IDS[0], 2)[2].abs() < 1e-12, "by itself"
    assert IDS[0].tolist() == [101, 5, 2, 4, 102]


def test_rank_correlation_knows_only_the_order():
    x = torch.tensor([0.1, 5.0, 2.0, 7.0])
    assert rank_correlation(x, x.exp()) == pytest.approx(1)
    assert rank_correlation(x, -x) == pytest.approx(-1)
    # ranks 1, 3, 2, 4 and 1, 2, 3, 4: 1 - 6 * 2 / (4 * 15)
    assert rank_correlation(x, torch.arange(4.0)) == pytest.approx(0.8)


def test_equal_numbers_share_their_rank():
    # ranks 1, 2.5, 2.5, 4 and 1, 2, 3, 4
    tied = torch.tensor([1.0, 2.0, 2.0, 3.0])
    assert rank_correlation(tied, torch.arange(4.0)) == pytest.approx(4.5 / math.sqrt(4.5 * 5), abs=1e-6)


def test_without_its_first_token_a_sentence_is_embedded_as_if_by_hand():
    x, is_token = MODEL.embed(IDS), IDS != 0
    for attended in (True, False):
        for averaged in (True, False):
            mask = is_token.unsqueeze(1).repeat(1, 5, 1)
            counted = is_token.clone()
            if not attended:
                mask[:, :, 0] = False
            if not averaged:
                counted[:, 0] = False
            hidden = MODEL.encoder(x, mask) * counted.unsqueeze(2)
            cosine = torch.cosine_similarity(hidden.sum(dim=1), embed(MODEL, IDS))
            found = without_first(MODEL, IDS, attended, averaged)
            assert_close(found, (1 - cosine).detach())
            assert (found.abs().max() < 1e-5) == (attended and averaged)
    assert_close(without_first(MODEL, IDS), without_first(MODEL, IDS, False, False))
