"""What the first page of the book says of its pictures holds of the models and the layers behind them."""

from __future__ import annotations

import datetime
import functools
import re

import pytest
import torch

from snippets.before import dates, recurrent_attention, recurrent_translator
from snippets.before.recurrent_attention import date_alignment
from snippets.figures import style
from snippets.figures.before import alignment_lines, who_waits


@functools.cache
def aligned():
    return [date_alignment(date) for date in dates.HELD_OUT[::10]]


def share(looks_right):
    """Of the dates that were held out, those for which this holds of source, target and weights."""
    return sum(bool(looks_right(*one)) for one in aligned()) / len(aligned())


def test_the_weekday_is_always_looked_up_and_the_month_mostly():
    assert share(lambda source, target, weights: weights[-2].argmax() == 0) == 1
    assert 0.8 < share(lambda source, target, weights: weights[target.index("월") - 1].argmax() == 2) < 1


def test_words_that_follow_from_what_was_generated_mostly_look_at_the_end():
    assert share(lambda source, target, weights: weights[target.index("년")].argmax() == len(source) - 1) > 0.9
    assert share(lambda source, target, weights: weights[target.index("월")].argmax() == len(source) - 1) > 0.7


def test_the_weights_of_a_generated_token_sum_to_one():
    _, _, weights = date_alignment(alignment_lines.DATE)
    assert torch.allclose(weights.sum(dim=-1), torch.ones(len(weights)))


@pytest.mark.parametrize("seed", range(3))
def test_the_state_is_a_bottleneck_and_attention_removes_it(seed):
    lengths = list(recurrent_translator.LENGTHS)
    state = dict(zip(lengths, recurrent_translator.length_curves()["d = 64"][seed].tolist(), strict=True))
    attention = dict(zip(lengths, recurrent_attention.length_curves()["dot"][seed].tolist(), strict=True))
    assert min(state[2], state[4], state[6]) > 0.9
    assert state[12] < 0.4
    assert max(state[16], state[18], state[20]) < 0.05
    assert min(attention.values()) > 0.8


def test_a_recurrent_layer_waits_and_self_attention_does_not():
    for n in (1, 2, 9, 30):
        assert who_waits.earliest_recurrent(n) == list(range(1, n + 1))
        assert who_waits.earliest_with_attention(n) == [2] * n


def test_lines_of_an_alignment_join_the_tokens_that_the_weights_say():
    figure = alignment_lines.draw(alignment_lines.TEXT["en"])
    source, target, weights = date_alignment(alignment_lines.DATE)
    ax = figure.axes[0]
    texts = {(round(text.get_position()[0], 3), text.get_text()) for text in ax.texts}
    strongest = max(ax.lines, key=lambda line: line.get_linewidth())
    (above, below), i = strongest.get_xdata(), int(weights.max(dim=1).values.argmax())
    assert (round(above, 3), source[weights[i].argmax()]) in texts
    assert (round(below, 3), target[i]) in texts
    style.plt.close(figure)


def test_the_sentence_is_the_one_that_the_pages_name():
    assert who_waits.DATE == alignment_lines.DATE == datetime.date(2024, 3, 5)
    assert re.sub(r" ,|(?<=\d) (?=\d)", lambda found: found[0].strip(), " ".join(dates.english(who_waits.DATE))) == (
        "Tuesday, March 5, 2024"
    )
