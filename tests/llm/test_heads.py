"""Heads are found by where they look, and removed by what they output; without all of them, a sublayer is gone."""

from __future__ import annotations

import pytest
import torch
from torch.nn.functional import cross_entropy
from torch.testing import assert_close

from snippets.attention.masks import causal_mask
from snippets.llm import heads as module
from snippets.llm.heads import attention_weights, in_order, induction_scores, losses, mean_outputs, repeated, without
from tests.llm.test_logit_lens import little, some_ids

ALL = [(1, head) for head in range(6)]


@pytest.mark.parametrize("rope_theta", [10_000.0, 100.0])
def test_the_weights_are_those_with_which_the_model_mixes_values(rope_theta):
    model, ids = little(), some_ids()
    for layer in model.layers:
        layer.attention.rope_theta = rope_theta
    weights = attention_weights(model, ids)
    assert weights.shape == (3, 2, 6, 7, 7)
    assert_close(weights.sum(dim=-1), torch.ones(3, 2, 6, 7))
    of, x = model.layers[0].attention, model.layers[0].norm_1(model.tokens(ids))
    values = of.w_v(x).unflatten(-1, (2, 4)).transpose(1, 2).repeat_interleave(3, dim=1)
    mixed = (weights[0] @ values).transpose(1, 2).flatten(2)
    assert_close(of.w_o(mixed), of(x, causal_mask(7)))


def test_the_second_half_is_the_first():
    ids = repeated(3, 5)
    assert ids.shape == (3, 10) and ids[:, :5].equal(ids[:, 5:])
    assert ids.equal(repeated(3, 5)) and not ids.equal(repeated(3, 5, seed=1))
    drawn = torch.randint(1_000, 40_000, (3, 5), generator=torch.Generator().manual_seed(0))
    assert ids[:, :5].equal(drawn), "no special tokens, and none of the rarest"
    assert ids.min() >= 1_000 and ids.max() < 40_000
    assert len(set(ids[:, :5].flatten().tolist())) == 15


def test_a_head_that_looks_at_what_followed_has_score_1(monkeypatch):
    """Position 5 repeats position 1 of four tokens, so an induction head looks at position 2."""
    weights = torch.zeros(1, 2, 2, 8, 8)
    for query in range(8):
        weights[0, :, 0, query, max(query - 3, 0)] = 1  # looks at what followed
        weights[0, :, 1, query, max(query - 4, 0)] = 1  # at the same token
    weights[0, 1, 0, 7] = 0  # in one text, nothing at the end
    monkeypatch.setattr(module, "attention_weights", lambda model, ids: weights if model == "model" else None)
    scores = induction_scores("model", torch.zeros(2, 8))
    assert_close(scores, torch.tensor([[7 / 8, 0.0]]))


def test_without_all_heads_of_a_layer_its_sublayer_adds_nothing():
    model, ids = little(), some_ids()
    with without(model, ALL):
        now = model(ids)
    model.layers[1].attention.w_o.weight.zero_()
    assert_close(now, model(ids))


def test_without_no_head_the_logits_are_bit_for_bit_the_same():
    model, ids = little(), some_ids()
    before = model(ids)
    with without(model, []):
        assert model(ids).equal(before)
    with without(model, [(0, 2), (1, 5)]):
        assert not model(ids).equal(before)
    assert model(ids).equal(before)
    with pytest.raises(RuntimeError, match="in between"), without(model, ALL):
        raise RuntimeError("in between")
    assert model(ids).equal(before), "no hook is left"


def test_one_head_is_d_k_columns_of_its_output_matrix():
    model, ids = little(), some_ids()
    with without(model, [(0, 2), (2, 0), (2, 5)]):
        now = model(ids)
    for layer, head in [(0, 2), (2, 0), (2, 5)]:
        model.layers[layer].attention.w_o.weight[:, 4 * head : 4 * head + 4] = 0
    assert_close(now, model(ids))


def test_a_head_outputs_what_stands_instead():
    model, ids = little(), some_ids()
    instead = torch.randn(3, 6, 4, generator=torch.Generator().manual_seed(0))
    with without(model, [(1, 4)], instead):
        now = model(ids)
    of = model.layers[1].attention.w_o
    with without(model, [(1, 4)]):
        hook = of.register_forward_hook(lambda w, x, y: y + instead[1, 4] @ of.weight[:, 16:20].T)
        assert_close(now, model(ids))
        hook.remove()


def test_means_are_over_texts_and_positions():
    model, ids = little(), some_ids()
    mean = mean_outputs(model, ids)
    assert mean.shape == (3, 6, 4)
    weights, x = attention_weights(model, ids)[0], model.layers[0].norm_1(model.tokens(ids))
    values = model.layers[0].attention.w_v(x).unflatten(-1, (2, 4)).transpose(1, 2).repeat_interleave(3, dim=1)
    assert_close(mean[0], (weights @ values).mean(dim=(0, 2)))
    before = model(ids)
    assert model(ids).equal(before), "no hook is left"


def test_a_head_whose_output_never_changes_is_replaced_by_itself():
    model, ids = little(), some_ids(batch=1, n=1)
    with without(model, ALL, mean_outputs(model, ids)):
        now = model(ids)
    assert_close(now, model(ids))


def test_losses_are_of_the_next_token():
    model, ids = little(), some_ids()
    found = losses(model, ids)
    assert found.shape == (2, 6)
    assert_close(found[1, 3], cross_entropy(model(ids)[1, 3], ids[1, 4]))


def test_heads_are_in_the_order_of_their_scores():
    scores = torch.tensor([[0.1, 0.5, 0.2], [0.9, 0.5, 0.3]])
    assert in_order(scores) == [(1, 0), (0, 1), (1, 1), (1, 2), (0, 2), (0, 0)]
