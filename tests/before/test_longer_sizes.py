"""States of other sizes after the long training: both size and training move the curve of the bottleneck."""

from __future__ import annotations

from snippets.before import recurrent_translator
from snippets.before.longer_sizes import size_curves, sized
from snippets.before.longer_training import state_curves
from snippets.before.recurrent_translator import LENGTHS, SEEDS

SHORT, LONG = recurrent_translator.length_curves(), {**size_curves(), "d = 64": state_curves()["2000 steps"]}
SIZES = ("d = 32", "d = 64", "d = 128")


def test_a_translator_has_the_size_it_is_given_whatever_is_asked_for():
    for d in (4, 8):
        weights = sized(d, 11, 64).state_dict()
        assert {d} <= {size for weight in weights.values() for size in weight.shape}
        assert not any(64 in weight.shape for weight in weights.values())
        assert any(weight.size(0) == 11 for weight in weights.values())


def test_after_the_long_training_too_a_larger_state_gets_more_right_whatever_the_seeds():
    assert set(LONG) == set(SIZES) and all(curve.shape == (len(SEEDS), len(LENGTHS)) for curve in LONG.values())
    at = LENGTHS.index(16)
    for smaller, larger in zip(SIZES, SIZES[1:], strict=False):
        assert LONG[smaller][:, at].max() + 0.1 < LONG[larger][:, at].min()


def test_four_times_the_steps_are_worth_about_twice_the_size_or_more():
    for smaller, larger in zip(SIZES, SIZES[1:], strict=False):
        assert (LONG[smaller].double().mean(dim=0) >= SHORT[larger].double().mean(dim=0) - 0.06).all()
        assert (LONG[smaller].double().mean(dim=0) >= SHORT[smaller].double().mean(dim=0)).all()
