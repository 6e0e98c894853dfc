"""What is measured of checkpoints, of their mean, and of the way from one model to another."""

from __future__ import annotations

import pytest
import torch

from snippets.training import averaged_runs
from snippets.training.averaged_runs import (
    LAST,
    all_lines,
    between,
    checkpoints,
    copied,
    loss_of,
    loss_together,
    paper_schedule,
    results,
)
from snippets.training.averaging import average
from snippets.training.smoothed import confidence, held_out
from snippets.training.translator import STEPS, number_trainer, schedule


def states(*seeds: int) -> list[dict]:
    return [copied(number_trainer(seed).model) for seed in seeds]


def test_a_copy_does_not_follow_the_training():
    trainer = number_trainer(0)
    before = copied(trainer.model)
    kept = {name: value.clone() for name, value in before.items()}
    trainer.step()
    assert all(torch.equal(before[name], kept[name]) for name in kept)
    assert any(not torch.equal(value, before[name]) for name, value in trainer.model.state_dict().items())


@pytest.mark.thorough
def test_checkpoints_lie_ten_steps_apart_and_end_with_the_last():
    trainer = number_trainer(0)
    found = checkpoints(trainer, 21)  # after steps 1, 11 and 21
    assert len(found) == 3 and len(trainer.losses) == 21
    again = number_trainer(0)
    for step in range(1, 22):
        again.step()
        if step in (1, 11, 21):
            expected = again.model.state_dict()
            assert all(torch.equal(value, expected[name]) for name, value in found[step // 10].items())


@pytest.mark.thorough
def test_no_more_than_the_last_ten_are_kept(monkeypatch):
    monkeypatch.setattr(averaged_runs, "LAST", 2)
    trainer = number_trainer(0)
    found = checkpoints(trainer, 31)
    assert len(found) == 2
    assert all(torch.equal(value, found[-1][name]) for name, value in trainer.model.state_dict().items())


def test_an_ensemble_of_one_is_that_model_and_of_two_lies_between():
    model = number_trainer(0).model
    one, other = states(1, 2)
    assert loss_together(model, [one]) == pytest.approx(loss_of(model, one), rel=1e-4)
    assert loss_of(model, one) == pytest.approx(confidence(model, *held_out(5))["loss"], rel=1e-4)
    mean = (loss_of(model, one) + loss_of(model, other)) / 2
    assert loss_together(model, [one, other]) < mean, "the logarithm of a mean is more than the mean of logarithms"


@pytest.mark.thorough
def test_the_way_from_one_model_to_another_begins_and_ends_with_them():
    model = number_trainer(0).model
    one, other = states(1, 2)
    line = between(model, one, other)
    assert line[0] == pytest.approx(loss_of(model, one), rel=1e-4)
    assert line[-1] == pytest.approx(loss_of(model, other), rel=1e-4)
    assert line[5] == pytest.approx(loss_of(model, average([one, other])), rel=1e-4)


def test_the_papers_schedule_is_the_books_without_its_end():
    for step in (1, 100, 250, 300):
        assert paper_schedule(step) == pytest.approx(schedule(step, STEPS["numbers"]))
    assert paper_schedule(400) == pytest.approx(paper_schedule(100) / 2), "half of its maximum"
    assert schedule(400, STEPS["numbers"]) < 0.02 * paper_schedule(400)


def test_what_the_page_says_of_averaging_holds_with_every_seed():
    paper, to_zero = results()[False], results()[True]
    for factor, runs in paper.items():
        for run, cooled in zip(runs, to_zero[factor], strict=True):
            for one in (run, cooled):
                assert len(one["alone"]) == len(one["averaged"]) == LAST
                assert one["averaged"][0] == pytest.approx(one["alone"][-1])
                assert one["averaged"][-1] < one["together"], "an ensemble is not as good"
            assert cooled["averaged"][-1] > cooled["alone"][-1], "averaging adds nothing there"
            assert cooled["alone"][-1] < 1.8 * run["averaged"][-1], "and is not needed"
    for run in paper[1.0]:
        assert sum(loss < run["averaged"][-1] for loss in run["alone"]) <= 2
        assert run["averaged"][-1] < run["alone"][-1] / 4 and run["averaged"][1] < sum(run["alone"][-2:]) / 4


def test_what_the_page_says_of_lines_holds_with_every_seed():
    for line in all_lines():
        for kind in ("one training", "same start"):
            assert max(line[kind]) <= max(line[kind][0], line[kind][-1])
        apart = line["two trainings"]
        assert max(apart) == apart[5] > 3 and apart[5] > 80 * max(apart[0], apart[-1])
