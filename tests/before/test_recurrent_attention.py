"""With attention the same translator does not fail at the same length, and looks where it should."""

from __future__ import annotations

import datetime
from functools import partial

import pytest
import torch

from snippets.before import dates, recurrent_translator
from snippets.before.attentive_translator import AttentiveTranslator, DotScore
from snippets.before.encoder_decoder import RecurrentTranslator
from snippets.before.recurrent_attention import (
    SCORES,
    attentive_on_dates,
    attentive_on_digits,
    date_alignment,
    length_curves,
)
from snippets.before.recurrent_translator import (
    DATE_VOCAB,
    LENGTHS,
    date_exact_match,
    evaluate,
    run,
    translate,
)
from snippets.tools.in_parallel import in_parallel

PLAIN, LONG = recurrent_translator.length_curves()["d = 64"], slice(LENGTHS.index(14), None)


def test_dates_are_translated():
    assert date_exact_match(attentive_on_dates()) >= 0.99


@pytest.mark.parametrize("score", SCORES)
def test_long_numbers_are_right_with_attention_and_wrong_without_it_whatever_the_seeds(score):
    attentive = length_curves()[score]
    assert attentive.shape == PLAIN.shape
    assert attentive[:, LONG].amin(dim=0).min() > PLAIN[:, LONG].amax(dim=0).max() + 0.6
    assert attentive.mean(dim=1).min() > 0.95


def test_a_state_twice_as_large_helps_less():
    larger = recurrent_translator.length_curves()["d = 128"]
    assert length_curves()["dot"][:, LONG].min() > larger[:, LONG].max() + 0.3


def test_both_models_of_the_comparison_have_as_many_parameters():
    sizes = [sum(p.numel() for p in c(23, 64).parameters()) for c in (RecurrentTranslator, AttentiveTranslator)]
    assert sizes[0] == sizes[1]


def test_the_kept_model_is_the_one_whose_curve_is_shown():
    shown = length_curves()["dot"][0, LENGTHS.index(16)]
    assert evaluate(attentive_on_digits(), 16)["exact match"] == pytest.approx(shown.item(), abs=0.03)


def test_each_part_of_a_date_is_predicted_from_where_it_stands_in_the_source():
    """Not the century, which the state at the comma before it tells as well."""
    right, asked = torch.zeros(5), dates.HELD_OUT[::36]
    for date in asked:
        source, target, weights = date_alignment(date)
        assert weights.shape == (len(target), len(source)) and source[-1] == target[-1] == "</s>"
        rows = [target.index("년") + 1, target.index("월") + 1, target.index("일") + 1, 2, 3]
        columns = [2, 3, 0, len(source) - 3, len(source) - 2]
        right += torch.tensor([weights[row].argmax() == column for row, column in zip(rows, columns, strict=True)])
    assert (right / len(asked)).min() > 0.8


def test_without_the_reordering_nothing_is_right():
    """Token i of the target looks at token i of the source instead."""
    model, asked = attentive_on_dates(), dates.HELD_OUT[::20]

    def in_order(hidden, encoded):
        step = in_order.step
        in_order.step += 1
        one_hot = torch.zeros(hidden.size(0), 1, encoded.states.size(1))
        one_hot[:, :, min(step, encoded.states.size(1) - 1)] = 1
        return one_hot

    in_order.step = 0
    sentences, right = [dates.english(date) for date in asked], [dates.korean(date) for date in asked]
    assert translate(model, DATE_VOCAB, sentences) == right
    model.weights = in_order
    assert not any(a == b for a, b in zip(translate(model, DATE_VOCAB, sentences), right, strict=True))


def test_alignments_are_of_the_date_that_is_asked_for():
    source, target, _ = date_alignment(datetime.date(2024, 3, 5))
    assert source == "Tuesday , March 5 , 2 0 2 4 </s>".split() and target[-3:] == ["일", "화요일", "</s>"]


class ScaledScore(DotScore):
    def forward(self, query, key):
        return super().forward(query, key) / query.size(-1) ** 0.5


@pytest.mark.thorough
def test_divided_by_the_root_of_d_the_same_training_does_worse():
    """The states of an LSTM lie between -1 and 1: their dot products are small as they are."""
    scores = [partial(AttentiveTranslator, score=score) for score in (DotScore, ScaledScore)]
    exact = [one["by length"]["20"]["exact match"] for one in in_parallel(run, [(model, 64, 1) for model in scores])]
    assert exact[0] > exact[1] + 0.4


@pytest.mark.thorough
def test_trained_anew_with_other_seeds_it_passes_where_the_other_fails():
    attentive = partial(AttentiveTranslator, score=SCORES["dot"])
    jobs = [(model, 64, seed) for seed in (3, 4) for model in (RecurrentTranslator, attentive)]
    exact = [one["by length"]["16"]["exact match"] for one in in_parallel(run, jobs)]
    assert min(exact[1::2]) > max(exact[::2]) + 0.6
