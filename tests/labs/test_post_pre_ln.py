"""The experiment with both orders is the one that its page describes."""

from __future__ import annotations

import itertools
from collections.abc import Callable
from dataclasses import replace
from functools import partial

import pytest
import torch
from torch import nn

from snippets.labs import post_pre_ln as experiment
from snippets.labs.post_pre_ln import CONFIG, PEAK, SETTINGS, gradient_norm, schedule
from snippets.model.transformer import Transformer
from snippets.training.translator import DATE_VOCAB


def test_four_settings_with_at_least_three_seeds_and_six_layers():
    assert sorted(SETTINGS) == [(False, 0), (False, 60), (True, 0), (True, 60)]
    assert len(experiment.SEEDS) >= 3 and CONFIG.num_layers == 6


def test_the_rate_rises_in_a_line_or_is_there_at_once_and_goes_down_to_zero():
    for steps, peak in ((150, 0.003), (600, 0.5)):

        def rate(step, warmup_steps, steps=steps, peak=peak):
            return schedule(step, steps, warmup_steps, peak) / peak

        assert [rate(step, 60) for step in (1, 30, 60, 100)] == pytest.approx([1 / 60, 1 / 2, 1, 1])
        assert [rate(step, 0) for step in (1, 30, 60, 100)] == [1] * 4
        for warmup_steps in (0, 60):
            assert rate(steps, warmup_steps) == pytest.approx(1 / 40)
            assert rate(steps - 19, warmup_steps) == pytest.approx(1 / 2)
            assert rate(steps - 39, warmup_steps) == pytest.approx(1)
            assert rate(steps - 38, warmup_steps) == pytest.approx(39 / 40)
            assert rate(steps + 1, warmup_steps) == rate(steps + 9, warmup_steps) == 0


def test_the_gradient_is_one_long_vector():
    model = nn.Sequential(nn.Linear(2, 3), nn.Linear(3, 1))
    model(torch.randn(5, 2)).sum().backward()
    whole = torch.cat([parameter.grad.flatten() for parameter in model.parameters()])
    assert gradient_norm(model) == pytest.approx(whole.norm().item())


def test_batches_hold_32_dates_and_none_that_is_held_out():
    src, tgt = experiment.draw_batch(torch.Generator().manual_seed(0))
    assert src.size(0) == tgt.size(0) == 32
    assert set(experiment.TEST_SET) <= set(experiment.dates.HELD_OUT) and len(experiment.TEST_SET) == 92


def test_the_examination_has_every_day_of_the_week_and_others_have_other_days_and_years():
    days = experiment.TEST_SET
    assert {day.weekday() for day in days} == set(range(7))
    third = len(days) // 3
    for day, other in zip(days, [*days[-third:], *days[:-third]], strict=True):
        assert day.weekday() != other.weekday() and abs(day.year - other.year) > 60


@pytest.fixture
def short(monkeypatch):
    """``short(steps, dates)``: runs of so many steps, evaluated on so many dates."""

    def short(steps: int, dates: int) -> Callable[..., dict]:
        monkeypatch.setattr(experiment, "TEST_SET", experiment.TEST_SET[:dates])
        return partial(experiment.train.function, steps=steps)

    return short


@pytest.mark.thorough
def test_a_run_trains_with_its_setting_and_measures_each_step(short, monkeypatch):
    run = short(steps=2, dates=9)
    clock = itertools.count()  # a real one may tick more slowly than a training of two steps
    monkeypatch.setattr(experiment.time, "process_time", lambda: next(clock))
    runs = {key: run(*key) for key in itertools.product((False, True), (0, 60), (0, 1))}
    slower = run(False, 0, 0, peak=PEAK / 100)
    first = run(False, 0, 0)
    for one in runs.values():
        assert len(one["losses"]) == 2
        assert {name: len(norms) for name, norms in one["gradients"].items()} == {
            "model": 2,
            "first layer": 2,
            "last layer": 2,
        }
        assert one["gradients"]["model"][0] > max(one["gradients"][part][0] for part in ("first layer", "last layer"))
        assert one["exact match"] == 0 and one["seconds"] == 1 and one["other sources"] > 1
    for seed in (0, 1):
        post, warm, pre = runs[False, 0, seed], runs[False, 60, seed], runs[True, 0, seed]
        assert post["losses"][0] == warm["losses"][0] != pre["losses"][0], "the same weights, another order of norms"
        assert post["losses"][1] != warm["losses"][1], "the first step had another length"
    assert runs[False, 0, 0]["losses"] == first["losses"] != runs[False, 0, 1]["losses"]
    assert slower["losses"][0] == first["losses"][0] and slower["losses"][1] != first["losses"][1]


def test_other_sources_are_those_of_other_sentences(short, monkeypatch):
    """A model that ignores its source has the same loss with both, up to the last bits."""

    class Blind(Transformer):
        def encode(self, src):
            return super().encode(torch.ones_like(src))

        def decode(self, tgt, memory, src):
            return super().decode(tgt, memory, torch.ones_like(src))

    run = short(steps=0, dates=9)
    sighted = run(False, 0, 0)
    monkeypatch.setattr(experiment, "Transformer", Blind)
    blind = run(False, 0, 0)
    src, tgt = experiment.dates.batch(experiment.TEST_SET, DATE_VOCAB)
    torch.manual_seed(0)
    model = Blind(CONFIG)
    assert blind["own sources"] == pytest.approx(experiment.next_token_loss(model, src, tgt).item(), rel=1e-5)
    assert blind["other sources"] == pytest.approx(blind["own sources"], rel=1e-5)
    torch.manual_seed(0)
    model = Transformer(CONFIG)
    assert sighted["own sources"] == pytest.approx(experiment.next_token_loss(model, src, tgt).item(), rel=1e-5)
    others = experiment.next_token_loss(model, torch.cat([src[-3:], src[:-3]]), tgt)
    assert sighted["other sources"] == pytest.approx(others.item(), rel=1e-5)


class Asked:
    """Instead of trainings, what was asked for."""

    each = staticmethod(list)


def test_results_are_sorted_by_setting_and_seed(monkeypatch):
    monkeypatch.setattr(experiment, "train", Asked)
    expected = {setting: [(*setting, seed) for seed in range(3)] for setting in SETTINGS}
    assert experiment.results() == expected


def test_further_runs_change_the_steps_the_peak_or_the_warm_up_and_nothing_else(monkeypatch):
    monkeypatch.setattr(experiment, "train", Asked)
    assert experiment.longer() == [(False, 0, seed, 600) for seed in range(3)]
    assert experiment.with_lower_peak() == [(False, 0, seed, 150, 0.001) for seed in range(3)]
    assert experiment.new_seeds() == {
        setting: [(*setting, seed) for seed in range(3, 6)] for setting in [(False, 0), (True, 0), (False, 60)]
    }
    shorter = [(norm_first, steps) for norm_first in (False, True) for steps in (20, 30, 50)]
    assert experiment.with_shorter_warm_up() == {
        setting: [(*setting, seed) for seed in range(3)] for setting in shorter
    }
    assert (experiment.STEPS, PEAK) == (150, 0.003)


def test_a_bar_says_what_is_trained(short, monkeypatch):
    said = []
    monkeypatch.setattr(experiment, "progress", lambda steps, what: said.append((steps, what)) or range(0))
    run = short(steps=7, dates=3)
    run(False, 0, 1)
    run(True, 60, 2)
    assert said == [(7, "norm_first=False, warmup_steps=0, seed=1"), (7, "norm_first=True, warmup_steps=60, seed=2")]


def test_the_layers_that_are_measured_are_the_first_of_the_encoder_and_the_last_of_the_decoder(short):
    measured = short(steps=1, dates=3)(True, 0, 0)["gradients"]
    torch.manual_seed(0)
    model = Transformer(replace(CONFIG, norm_first=True))
    src, tgt = experiment.draw_batch(torch.Generator().manual_seed(0))
    experiment.next_token_loss(model, src, tgt).backward()
    assert measured["first layer"] == pytest.approx([gradient_norm(model.encoder.layers[0])], rel=1e-4)
    assert measured["last layer"] == pytest.approx([gradient_norm(model.decoder.layers[-1])], rel=1e-4)
    assert measured["model"] == pytest.approx([gradient_norm(model)], rel=1e-4)
