"""What the page on Adam says of its trainings."""

from __future__ import annotations

import pytest
import torch

from snippets.training import sgd
from snippets.training.translator import date_trainer


def final(run: dict) -> float:
    return sum(run["losses"][-10:]) / 10


def test_gradient_descent_is_too_slow_or_worse_than_adam_or_thrown_back():
    slow, middle, fast, adam = sgd.results().values()
    assert all(final(run) > 1.2 and run["exact match"] < 0.01 for run in slow)
    assert all(final(run) > 2.5 and run["exact match"] < 0.01 for run in fast), "about 2.8, as before it learned"
    assert all(run["exact match"] > 0.95 for run in adam)
    for ours, theirs in zip(middle, adam, strict=True):
        assert 3 * final(theirs) < final(ours) < 0.6 and ours["exact match"] > 0.6


@pytest.mark.parametrize("seed", [0, 1, 2])
def test_gradients_of_the_embeddings_span_a_factor_of_about_a_hundred(seed):
    trainer = date_trainer(seed)
    trainer.loss(trainer.model, trainer.draw_batch(trainer.generator)).backward()
    gradients = {name: parameter.grad for name, parameter in trainer.model.named_parameters()}
    rows = gradients["embedding.table"].square().mean(dim=1).sqrt()
    assert rows.max() / rows.min() > 70
    assert gradients["encoder.layers.1.attention.w_k.weight"].square().mean().sqrt() < rows.min()


@pytest.mark.thorough
def test_trained_anew_it_says_the_same():
    run = sgd.train.function(torch.optim.SGD, 0.3, 1)
    assert final(sgd.train.function(torch.optim.Adam, 0.001, 1)) * 3 < final(run) < 0.6
