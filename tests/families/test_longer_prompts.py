"""A prompt with more steps: what is kept is there for each rate, and the training is the one of 100 steps."""

from __future__ import annotations

import pytest
import torch

from snippets.families import longer_prompts, tuned_encoders
from snippets.families.longer_prompts import RATES, results
from tests.families.encoder import needs_encoder


def test_each_rate_has_a_run_that_learned_the_training_sentences():
    found = results()
    assert tuple(found) == RATES == tuple(sorted(RATES))
    assert all(run["training"] > 0.9 and run["validation"] > 0.7 for run in found.values())


@needs_encoder
@pytest.mark.thorough
def test_with_as_many_steps_it_is_the_same_training(monkeypatch):
    monkeypatch.setattr(tuned_encoders, "STEPS", 3)
    models = [tuned_encoders.classifier("prompt, 8 vectors", 0) for _ in range(2)]
    tuned_encoders.tune(models[0], 0.1, 0)
    longer_prompts.tune(models[1], 0.1, 0, 3)
    assert torch.equal(models[0].encoder.prompt, models[1].encoder.prompt)
