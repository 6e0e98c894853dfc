"""Times are medians, of functions that take turns."""

from __future__ import annotations

import itertools

import pytest

from snippets.tools import timing


def measure(durations: dict[str, list[float]], **options):
    """What is measured if calls take these seconds, on a clock of our own, and in which order they ran."""
    clock, order = [100.0], []
    left = {name: itertools.chain(times) for name, times in durations.items()}

    def function(name):
        def run():
            order.append(name)
            clock[0] += next(left[name])

        return run

    found = timing.seconds({name: function(name) for name in durations}, clock=lambda: clock[0], **options)
    return found, order


def test_the_first_round_does_not_count_and_the_median_is_taken():
    found, _ = measure({"a": [50, 1, 9, 2], "b": [70, 4, 4, 5]}, rounds=3)
    assert found == {"a": pytest.approx(2), "b": pytest.approx(4)}


def test_another_of_the_rounds_can_be_chosen():
    found, _ = measure({"a": [1, 7, 9, 5]}, rounds=3, choose=min)
    assert found == {"a": pytest.approx(5)}


def test_functions_take_turns():
    _, order = measure({"a": [1] * 3, "b": [1] * 3}, rounds=2)
    assert order == ["a", "b"] * 3


def test_without_a_number_of_rounds_there_are_seven():
    _, order = measure({"a": [1] * 100})
    assert len(order) == 1 + 7


@pytest.mark.parametrize("rounds", [0, -1])
def test_no_rounds_are_refused(rounds):
    with pytest.raises(ValueError, match=f"of {rounds} rounds"):
        measure({"a": [1] * 9}, rounds=rounds)


def test_one_round_is_enough():
    assert measure({"a": [9, 1]}, rounds=1)[0] == {"a": pytest.approx(1)}
