"""Prompts with a head rate of their own: there is a run for each, and one rate for both is the old training."""

from __future__ import annotations

import pytest
import torch

from snippets.families import longer_prompts, tuned_encoders
from snippets.families.longer_prompts import RATES, new_model, results
from tests.families.encoder import needs_encoder


def test_there_is_a_run_for_each_length_and_rate():
    found = results()
    assert {vectors: tuple(runs) for vectors, runs in found.items()} == RATES
    lora = tuned_encoders.results()["LoRA, rank 1"][0]["trainable"]
    assert {run["trainable"] for run in found[24].values()} == {lora}, "which is what the page compares it with"
    assert all(sum(run["megabytes"].values()) > 100 for runs in found.values() for run in runs.values())


def test_the_best_rate_is_inside_the_range_that_was_tried():
    for runs in results().values():
        first, best, last = (run["validation"] for run in runs.values())
        assert best >= max(first, last)


def test_more_seeds_are_trained_at_the_rate_that_validation_chose_for_the_first():
    best = max(results()[24].values(), key=lambda run: run["validation"])
    seeds = longer_prompts.by_seed()
    assert seeds[0] == best and len(seeds) == len(tuned_encoders.SEEDS)


def test_with_more_steps_the_best_rate_is_inside_too_and_each_seed_has_a_run_of_both_methods():
    rates, prompts, lora = longer_prompts.longer()
    first, best, last = (run["validation"] for run in rates)
    assert best > max(first, last) and prompts[0] == rates[1]
    assert len(prompts) == len(lora) == len(tuned_encoders.SEEDS)
    assert {run["trainable"] for run in prompts + lora} == {24 * 384 + 770}


@needs_encoder
@pytest.mark.thorough
def test_with_one_rate_for_both_it_is_the_same_training(monkeypatch):
    monkeypatch.setattr(tuned_encoders, "STEPS", 3)
    monkeypatch.setattr(longer_prompts, "HEAD", 0.1)
    for vectors, method in [(8, "prompt, 8 vectors"), (0, "LoRA, rank 1")]:
        models = tuned_encoders.classifier(method, 0), new_model(vectors, 0)
        tuned_encoders.tune(models[0], 0.1, 0)
        longer_prompts.tune(models[1], 0.1, 0, 3)
        states = [model.state_dict() for model in models]
        assert all(torch.equal(x, states[1][name]) for name, x in states[0].items())
    assert sum(p.numel() for p in new_model(24, 0).parameters() if p.requires_grad) == 24 * 384 + 770
