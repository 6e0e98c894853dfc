"""What the page on Adam says of its trainings."""

from __future__ import annotations

import pytest

from snippets.training import sgd
from snippets.training.translator import date_trainer


def final(run: dict) -> float:
    return sum(run["losses"][-10:]) / 10


def test_adam_ends_lower_than_gradient_descent_and_over_more_rates_and_momentum_does_not_help():
    best, works = {}, {}
    for name, by_rate in sgd.results().items():
        best[name] = min(sum(sum(run["losses"][-10:]) / 30 for run in runs) for runs in by_rate.values())
        works[name] = sum(all(run["exact match"] > 0.9 for run in runs) for runs in by_rate.values())
    assert best["Adam"] < best["SGD"] / 10 and best["SGD"] < best["momentum"] / 2
    assert works == {"SGD": 0, "momentum": 0, "Adam": 4}


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
    run = sgd.train.function("SGD", 0.2, 1)
    assert final(sgd.train.function("Adam", 0.001, 1)) * 3 < final(run) < 0.6
