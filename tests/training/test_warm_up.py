"""The learning rate rises in a line and falls with the inverse root; its peak is where the two meet."""

from __future__ import annotations

import math

import pytest

from snippets.training.warm_up import learning_rate


def test_the_peak_of_the_base_model():
    assert learning_rate(4000, 512) == pytest.approx(6.99e-4, abs=5e-7)
    assert max(range(1, 20_000), key=lambda step: learning_rate(step, 512)) == 4000


@pytest.mark.parametrize(("d_model", "warmup_steps"), [(512, 4000), (64, 100)])
def test_its_two_halves(d_model, warmup_steps):
    def rate(step):
        return learning_rate(step, d_model, warmup_steps)

    peak = 1 / math.sqrt(d_model * warmup_steps)
    for share in (0.25, 0.5, 1.0):
        assert rate(int(share * warmup_steps)) == pytest.approx(share * peak)
    for factor in (2, 4, 9):
        assert rate(factor * warmup_steps) == pytest.approx(peak / math.sqrt(factor))


@pytest.mark.parametrize("step", [0, -1])
def test_steps_are_counted_from_one(step):
    with pytest.raises(ValueError, match=f"not {step}"):
        learning_rate(step, 512)
    assert learning_rate(1, 512) > 0
