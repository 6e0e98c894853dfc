"""More steps move the curve of the bottleneck, and attention needs fewer of them."""

from __future__ import annotations

from snippets.before import recurrent_attention, recurrent_translator
from snippets.before.longer_training import state_curves
from snippets.before.recurrent_translator import LENGTHS, SEEDS

FEW, MANY = recurrent_translator.length_curves()["d = 64"], state_curves()["2000 steps"]


def test_four_times_as_many_steps_help_more_than_twice_the_state_whatever_the_seeds():
    larger = recurrent_translator.length_curves()["d = 128"]
    middle = slice(LENGTHS.index(12), LENGTHS.index(16) + 1)
    assert MANY.shape == FEW.shape == (len(SEEDS), len(LENGTHS))
    assert (MANY[:, middle].amin(dim=0) > FEW[:, middle].amax(dim=0) + 0.2).all()
    assert (MANY.mean(dim=0) >= larger.mean(dim=0) - 0.02).all()


def test_attention_needs_fewer_steps_for_the_longest_numbers():
    at_20, dot = LENGTHS.index(20), recurrent_attention.length_curves()["dot"]
    assert MANY[:, at_20].max() + 0.4 < dot[:, at_20].min()
