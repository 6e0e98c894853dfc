"""Numbers that training does not contain: longer ones, and those that end in seven."""

import pytest

from snippets.training import number_splits, numbers
from snippets.training.number_splits import ends_in_seven, held_out, with_more_digits, without_a_seven, without_sevens
from snippets.training.numbers import batch


def test_seventeen_does_not_end_in_seven():
    assert [n for n in (7, 17, 27, 70, 107, 117, 407) if ends_in_seven(n)] == [7, 27, 107, 407]


def test_no_number_that_is_drawn_ends_in_seven_or_is_held_out():
    drawn = [n for n in range(1, 3000) if not numbers.is_held_out(n)]
    left = without_sevens(drawn)
    assert len(left) == len(drawn)
    assert not any(ends_in_seven(n) or numbers.is_held_out(n) for n in left)
    assert all(n == m for n, m in zip(left, drawn, strict=True) if not ends_in_seven(m))


def test_held_out_numbers_have_so_many_digits():
    for digits in (5, 6, 7):
        chosen = held_out(digits)
        assert 400 < len(chosen) < 500
        assert all(numbers.is_held_out(n) and len(str(n)) == digits for n in chosen)


@pytest.mark.thorough
def test_what_is_drawn_has_the_digits_and_the_sevens_that_it_may_have(monkeypatch):
    """One step each: nothing is learned, and what was drawn has no seven at its end."""
    drawn = []
    spy = lambda chosen, vocab: drawn.append(chosen) or batch(chosen, vocab)  # noqa: E731
    monkeypatch.setattr(number_splits.numbers, "batch", spy)
    run = number_splits.no_sevens.function(1, 0)
    assert len(drawn) == 1 and len(drawn[0]) == 64 and not any(map(ends_in_seven, drawn[0]))
    assert run["sevens"] == run["others"] == 0 and max(drawn[0]) < 100_000
    assert number_splits.longer.function(1, 0) == {"5": 0, "6": 0, "7": 0}
    assert len(drawn[1]) == 64 and max(drawn[1]) >= 100_000


def test_longer_numbers_are_learned_if_they_are_in_training():
    assert all(run["6"] > 0.98 and 0.9 < run["7"] < run["6"] for run in with_more_digits())


def test_a_seven_is_understood_in_a_place_where_it_never_stood():
    assert all(run["sevens"] > 0.97 and run["others"] > 0.99 for run in without_a_seven())
