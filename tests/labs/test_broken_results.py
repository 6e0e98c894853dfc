"""What lab 1 says is what was kept. Not among the tests of its module, since of mutants there are no results."""

from __future__ import annotations

from collections import Counter

import pytest

from snippets.before import dates
from snippets.figures.labs.broken_losses import LOOKS
from snippets.labs import broken_translator as broken
from snippets.labs import post_pre_ln, small_language_model


def test_the_results_are_as_the_page_says():
    """Seed by seed, what the page says of one head without scaling, and of the model without warm-up."""
    runs = dict(zip(LOOKS, broken.results().values(), strict=True))
    loss = {name: [sum(one["losses"][-10:]) / 10 for one in seeds] for name, seeds in runs.items()}
    assert all(a > 2 * b for a, b in zip(loss["1 head, no scaling"], loss["1 head"], strict=True))
    assert all(0.4 < a / b < 0.7 for a, b in zip(loss["no warm-up"], loss["baseline"], strict=True))
    early = {
        name: [sum(sum(one["losses"][i : i + 10]) for one in runs[name]) for i in (40, 90)]
        for name in ("baseline", "no warm-up")
    }
    first, second = (a / b for a, b in zip(early["no warm-up"], early["baseline"], strict=True))
    assert 0.4 < first < 0.5 and 1 / 3 < second < 0.4


@pytest.mark.thorough
def test_with_a_calendar_there_is_more_to_be_had_without_order():
    """The chance of the right date, given which tokens there are and how often."""

    def chance(first: int) -> float:
        kinds = [tuple(sorted(dates.english(date)[first:])) for date in dates.DATES]
        held_out = [tuple(sorted(dates.english(date)[first:])) for date in dates.HELD_OUT]
        alike = Counter(kinds)
        return sum(1 / alike[kind] for kind in held_out) / len(held_out)

    assert chance(0) > 3 * chance(1)
    assert abs(broken.longer()["exact match"] - chance(1)) < 0.02


def seconds_of(found: object) -> list[float]:
    """Of all runs in a result."""
    if isinstance(found, dict):
        return [found["seconds"]] if "seconds" in found else seconds_of(list(found.values()))
    return [second for one in found for second in seconds_of(one)]


def test_the_index_says_how_many_runs_there_are_and_how_long_they_take():
    functions = (
        post_pre_ln.results,
        post_pre_ln.new_seeds,
        post_pre_ln.longer,
        post_pre_ln.with_lower_peak,
        post_pre_ln.with_shorter_warm_up,
    )
    labs = [
        (seconds_of([broken.results(), broken.longer()]), 22, 4),
        (seconds_of([function() for function in functions]), 45, 7),
        (seconds_of(small_language_model.results(small_language_model.LINES)), 2, 1),
    ]
    for seconds, runs, minutes in labs:
        assert len(seconds) == runs and minutes / 2 < sum(seconds) / 60 < 2 * minutes
        assert 2 < min(seconds) and max(seconds) < 60
