"""Dropout on dates that are repeated, and on new ones."""

from __future__ import annotations

import pytest

from snippets.training import repeated_dates as experiment
from snippets.training.repeated_dates import DROPOUTS, FEW, PEAKS, SEEDS, results


def test_each_probability_has_each_rate_and_the_middle_one_new_dates(monkeypatch):
    class Asked:
        each = staticmethod(list)

    monkeypatch.setattr(experiment, "train", Asked)
    asked = results()
    expected = {(FEW, p, peak) for p in DROPOUTS for peak in PEAKS} | {(None, p, PEAKS[1]) for p in DROPOUTS}
    assert set(asked) == expected
    assert all(calls == [(*setting, seed) for seed in SEEDS] for setting, calls in asked.items())


@pytest.mark.thorough
def test_few_dates_are_the_same_with_each_probability_and_their_number_is_few(monkeypatch):
    drawn = []
    monkeypatch.setattr(experiment, "STEPS", 3)
    batch = experiment.dates.batch
    monkeypatch.setattr(experiment.dates, "batch", lambda some, vocab: drawn.append(some) or batch(some, vocab))
    for p in (0.0, 0.3):
        experiment.train.function(5, p, 0.003, 1)
    first, second = drawn[:5], drawn[5:]
    assert first == second and [len(some) for some in first[:3]] == [experiment.BATCH] * 3
    known = {date for some in first[:3] for date in some}
    assert len(known) == 5 and set(first[3]) == known
    assert not known & set(first[4]) and set(first[4]) <= set(experiment.dates.HELD_OUT)


def test_dropout_helps_on_few_dates_and_costs_on_new_ones():
    found = results()
    for peak in PEAKS:
        for none, *some in zip(*(found[FEW, p, peak] for p in DROPOUTS), strict=True):
            assert all(run["held out"] < none["held out"] for run in some)
    for none, some in zip(found[None, 0.0, PEAKS[1]], found[None, 0.3, PEAKS[1]], strict=True):
        assert some["held out"] > 3 * none["held out"]
