"""What the translator is fine-tuned on, what it is asked for, and what was found."""

from __future__ import annotations

import pytest

from snippets.before import dates
from snippets.training import fine_tuned_translator
from snippets.training.fine_tuned_translator import EARLY, OLD, fine_tune, results, split
from snippets.training.translator import date_trainer


def test_three_parts_have_no_date_in_common_and_are_of_the_years_that_were_not_trained_on():
    days, validation, test = split(0, 100)
    assert [len(days), len(validation), len(test)] == [100, 100, 300]
    assert len({*days, *validation, *test}) == 500
    assert {day.year for day in [*days, *validation, *test]} <= set(range(1000, 1900))
    assert (EARLY[-1] + 1, len(EARLY)) == (dates.FIRST.toordinal(), 328_718)
    assert not set(OLD) & set(dates.TRAINED)


def test_fewer_pairs_are_some_of_the_same_and_another_seed_draws_others():
    few, many = split(1, 20), split(1, 100)
    assert few[0] == many[0][:20] and few[1:] == many[1:]
    assert split(2, 20)[0] != few[0]


@pytest.mark.parametrize(("old", "of_old"), [(0, 0), (16, 16)])
def test_a_batch_has_so_many_old_dates_and_the_others_are_those_given(monkeypatch, old, of_old):
    batches, plain = [], dates.batch

    def noted(days, vocab):
        batches.append(days)
        return plain(days, vocab)

    monkeypatch.setattr(fine_tuned_translator.dates, "batch", noted)
    days, _, _ = split(0, 20)
    model = date_trainer(0).model
    before = [p.clone() for p in model.parameters()]
    fine_tune(model, days, 1e-4, old, 0, 2)
    assert [len(batch) for batch in batches] == [32, 32]
    assert [sum(day in dates.TRAINED for day in batch) for batch in batches] == [of_old] * 2
    assert all(day in days or day in dates.TRAINED for batch in batches for day in batch)
    assert any(not a.equal(b) for a, b in zip(before, model.parameters(), strict=True))


def test_results_are_what_the_page_says_with_every_seed():
    found = results()
    assert all(run["old"] == 1 for run in found["as trained"])
    assert not any(any(run.values()) for run in found["random weights"])
    pairs = zip(found["rate 0.0025"], found["rate 0.0005"], strict=True)
    assert all(high["validation"] < chosen["validation"] for high, chosen in pairs)
    assert min(run["old"] for run in found["half old"]) > 0.98 > max(run["old"] for run in found["rate 0.0025"])
