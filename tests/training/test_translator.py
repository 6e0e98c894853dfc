"""The translators learn what they are said to learn, from nothing, in less than a minute."""

from __future__ import annotations

import time

import pytest

from snippets.before import dates
from snippets.tools.in_parallel import in_parallel
from snippets.training import numbers
from snippets.training.translator import (
    DATE_VOCAB,
    NUMBER_VOCAB,
    STEPS,
    date_exact_match,
    date_trainer,
    exact_match,
    trained,
    translate,
)


def from_scratch(seed: int) -> tuple[float, float, float]:
    """Exact match before and after a training, and the seconds of one core that it took."""
    trainer = date_trainer(seed)
    before, start = date_exact_match(trainer.model), time.process_time()
    trainer.run(STEPS["dates"])
    return before, date_exact_match(trainer.model), time.process_time() - start


@pytest.mark.thorough
def test_three_translators_of_dates_are_right_in_99_of_100_and_take_less_than_a_minute():
    trained_now = in_parallel(from_scratch, [(0,), (1,), (2,)])
    for seed, (before, after, _) in enumerate(trained_now):
        assert before == 0 and after >= 0.99, f"seed {seed}"
    assert sum(seconds for *_, seconds in trained_now) < 60


@pytest.mark.thorough
def test_a_kept_model_is_the_trained_one():
    one, two = (trained("dates").model for _ in range(2))
    assert date_exact_match(one) >= 0.99
    for a, b in zip(one.parameters(), two.parameters(), strict=True):
        assert a.equal(b)


@pytest.mark.parametrize(
    ("low", "high", "least", "most"), [(1_000, 10**5, 0.9, 1.0), (10**5, 10**6, 0.0, 0.1), (10**6, 10**7, 0.0, 0.1)]
)
def test_numbers_of_lengths_that_were_trained_are_right_and_longer_ones_are_not(low, high, least, most):
    examined = [n for n in range(low, high, (high - low) // 331) if numbers.is_held_out(n)]
    assert len(examined) > 20
    generated = translate(trained("numbers").model, NUMBER_VOCAB, [numbers.english(n) for n in examined])
    assert least <= exact_match(generated, [numbers.korean(n) for n in examined]) <= most


def test_nothing_held_out_is_trained_on():
    trainer = date_trainer(0)
    held_out = {tuple(dates.english(date)) for date in dates.HELD_OUT}
    for _ in range(20):
        src, _ = trainer.draw_batch(trainer.generator)
        assert not held_out & {tuple(DATE_VOCAB.decode(ids)) for ids in src.tolist()}
