"""What the pages on the whole model say in words and tables is what the model does."""

from __future__ import annotations

import pytest

from snippets.figures.model import cost_scaling, speed
from snippets.figures.training import cache_time
from snippets.tools import timing
from tests.clocks import own_time

# The figures that measure time, and what is said of them


@pytest.fixture
def own_clock(monkeypatch):
    monkeypatch.setattr(timing.time, "perf_counter", own_time())


def in_one_of_three(measure, check) -> None:
    """A machine may have a slow moment: what was measured has to hold in one of three measurements."""
    for attempt in range(3):
        try:
            check(measure())
            return
        except AssertionError:
            measure.cache_clear()
            if attempt == 2:
                raise


@pytest.mark.thorough
def test_the_fast_forms_are_at_least_as_fast_as_torch_s_and_keep_no_more(own_clock):
    # without dropout both do the same work, and differ by the noise of the machine: the best of three measurements each
    found = []
    for _ in range(3):
        found.append(speed.measure())
        speed.measure.cache_clear()
    for forms, form, allowed in [
        ("attention", "fast", 1.1),
        ("dropout 0.0", "fast_layer", 1.1),
        ("dropout 0.1", "fast_layer", 1.0),
    ]:
        for measured in zip(*(ratios[forms][form] for ratios in found), strict=True):
            share = min(share for share, _ in measured)
            assert share <= allowed, f"{forms} {form}: {share:.2f} of the time of torch.nn"
            assert all(memory <= 1.0 for _, memory in measured), f"{forms} {form}: {measured}"


@pytest.mark.thorough
def test_asking_for_weights_costs_memory():
    for form in ("weights", "loop", "clear"):
        (_, short), (_, long) = speed.measured()["attention"][form]
        assert 1 < short < 2 < long


@pytest.mark.thorough
def test_the_loop_over_heads_saves_as_many_activations_as_one_projection():
    attention = speed.measured()["attention"]
    assert [memory for _, memory in attention["loop"]] == [memory for _, memory in attention["clear"]]


@pytest.mark.thorough
def test_with_dropout_the_book_s_layers_save_fewer_activations():
    for form in ("layer", "fast_layer"):
        assert all(memory < 0.6 for _, memory in speed.measured()["dropout 0.1"][form])


@pytest.mark.thorough
def test_attention_is_faster_than_recurrence_where_the_count_says_so_and_grows_more_steeply(own_clock):
    def check(taken):
        for n, attention, recurrent in zip(cost_scaling.LENGTHS, taken["attention"], taken["recurrent"], strict=True):
            assert n > 512 or attention < recurrent
        growth = {name: times[-1] / times[-3] for name, times in taken.items()}  # four times the length
        assert growth["attention"] > 1.5 * growth["recurrent"]

    in_one_of_three(cost_scaling.measure, check)


@pytest.mark.thorough
def test_the_cache_saves_more_time_with_every_word():
    def check(taken):
        saved = [a / b for a, b in zip(taken["greedy"], taken["cached"], strict=True)]
        assert saved[-1] > 1.5 and saved[-1] > saved[1]

    in_one_of_three(cache_time.measure, check)
