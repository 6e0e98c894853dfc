"""Attention here is what a plain loop says, skips padding, and gives each step a context of its own."""

from __future__ import annotations

import math

import pytest
import torch
from hypothesis import given
from hypothesis import strategies as st
from torch.testing import assert_close

from snippets.attention.additive import AdditiveAttention
from snippets.before.attentive_translator import (
    AdditiveScore,
    AttentiveTranslator,
    DotScore,
    GeneralScore,
    alignment,
)
from snippets.before.encoder_decoder import RecurrentTranslator, greedy
from snippets.before.vocabulary import BOS, EOS, PAD
from tests.properties import tensors

D = 6
SRC = torch.tensor([[8, 4, EOS, PAD, PAD], [4, 5, 6, 7, EOS], [6, EOS, PAD, PAD, PAD]])
TGT = torch.tensor([[BOS, 4, 5, 6], [BOS, 7, 7, 8], [BOS, 8, 6, 4]])
EVERY_SCORE = pytest.mark.parametrize("score", [DotScore, GeneralScore, AdditiveScore])


def model(score=DotScore) -> AttentiveTranslator:
    torch.manual_seed(0)
    return AttentiveTranslator(10, D, score).double()


def by_hand(score, query: list[float], key: list[float]) -> float:
    """The score of one query and one key, in plain Python."""

    def times(linear, x):
        return [sum(w * value for w, value in zip(row, x, strict=True)) for row in linear.weight.tolist()]

    if isinstance(score, DotScore):
        return sum(a * b for a, b in zip(query, key, strict=True))
    if isinstance(score, GeneralScore):
        return sum(a * b for a, b in zip(query, times(score.w, key), strict=True))
    hidden = [math.tanh(a + b) for a, b in zip(times(score.w, query), times(score.u, key), strict=True)]
    return times(score.v, hidden)[0]


@EVERY_SCORE
@given(st.data())
def test_scores_are_those_of_a_plain_loop(score, data):
    query, key = data.draw(tensors(2, 3, D)), data.draw(tensors(2, 4, D))
    torch.manual_seed(0)
    ours = score(D).double()
    looped = [[[by_hand(ours, q, k) for k in key[b].tolist()] for q in query[b].tolist()] for b in range(2)]
    assert_close(ours(query, key).detach(), torch.tensor(looped, dtype=torch.float64))


def test_the_additive_score_is_that_of_additive_attention():
    torch.manual_seed(0)
    ours, theirs = AdditiveScore(D), AdditiveAttention(D, D, D)
    theirs.load_state_dict({name.replace("v.", "v_a."): x for name, x in ours.state_dict().items()})
    query, key = torch.randn(2, 3, D), torch.randn(2, 4, D)
    assert_close(ours(query, key).softmax(dim=-1), theirs(query, key, key)[1])


def test_the_scores_have_the_parameters_of_their_formulas():
    assert [sum(p.numel() for p in score(D).parameters()) for score in (DotScore, GeneralScore, AdditiveScore)] == [
        0,
        D * D,
        2 * D * D + D,
    ]


def test_with_the_dot_product_the_translator_has_no_parameter_more():
    plain = RecurrentTranslator(10, D)
    assert {n: p.shape for n, p in plain.named_parameters()} == {n: p.shape for n, p in model().named_parameters()}


def test_dot_products_are_not_divided():
    one = model()
    encoded = one.encoder(SRC)
    hidden = torch.randn(3, 2, D, dtype=torch.float64)
    logs = one.weights(hidden, encoded)[1].log()
    bare = hidden[1] @ encoded.states[1].T
    assert_close(logs - logs[:, :1], bare - bare[:, :1])


@EVERY_SCORE
def test_weights_are_positive_sum_to_one_and_are_exactly_zero_on_padding(score):
    weights = alignment(model(score), SRC, TGT)
    assert weights.shape == (3, 4, 5)
    assert_close(weights.sum(dim=-1), torch.ones(3, 4, dtype=torch.float64))
    padding = (SRC == PAD).unsqueeze(1).expand_as(weights)
    assert (weights[padding] == 0).all() and (weights[~padding] > 0).all()


@EVERY_SCORE
def test_padding_changes_nothing(score):
    one = model(score)
    for row in range(3):
        alone = SRC[row : row + 1, : (SRC[row] != PAD).sum()]
        assert_close(one(SRC, TGT)[row], one(alone, TGT[row : row + 1])[0])


def test_the_context_is_the_mean_of_the_states_by_these_weights():
    one = model()
    encoded = one.encoder(SRC)
    hidden = torch.randn(3, 2, D, dtype=torch.float64)
    weights, contexts = one.weights(hidden, encoded), one.context(hidden, encoded)
    for b in range(3):
        for t in range(2):
            expected = sum(weights[b, t, j] * encoded.states[b, j] for j in range(5))
            assert_close(contexts[b, t], expected)
    assert (contexts[:, 0] - contexts[:, 1]).abs().amax(dim=-1).min() > 1e-3, "each step has its own"


def test_the_weights_are_those_that_predictions_are_made_with():
    """Let every state be the same but one: where its weight is, the context changes."""
    one = model()
    encoded = one.encoder(SRC)
    hidden, _ = one.lstm(one.embedding(TGT), (encoded.h, encoded.c))
    both = torch.cat([alignment(one, SRC, TGT) @ encoded.states, hidden], dim=-1)
    assert_close(one.output(torch.tanh(one.combine(both))), one(SRC, TGT))


def test_the_decoder_is_the_query_and_the_encoder_key_and_value():
    one = model(GeneralScore)
    encoded = one.encoder(SRC)
    hidden = torch.randn(3, 2, D, dtype=torch.float64)
    assert one.weights(hidden, encoded).shape == (3, 2, 5), "a row for each query, a column for each key"
    twice = encoded._replace(states=encoded.states * 2)
    assert (one.weights(hidden, twice) - one.weights(hidden, encoded)).abs().max() > 1e-4
    assert_close(one.weights(hidden * 2, encoded), one.weights(hidden, twice))


def test_the_state_that_is_handed_over_is_no_longer_all_there_is():
    one = model()
    encoded = one.encoder(SRC)
    state = (encoded.h, encoded.c)
    scrambled = encoded._replace(states=encoded.states.flip(-1))
    assert (one.decode(TGT, scrambled, state)[0] - one.decode(TGT, encoded, state)[0]).abs().max() > 1e-3


def test_greedy_takes_it_as_it_is():
    one = model()
    generated = greedy(one, SRC, 5)
    inputs = torch.cat([torch.full((3, 1), BOS), generated], dim=1)[:, :-1]
    assert torch.equal(one(SRC, inputs).argmax(dim=-1), generated)


def test_alignments_are_numbers_to_look_at():
    assert not alignment(model(), SRC, TGT).requires_grad
