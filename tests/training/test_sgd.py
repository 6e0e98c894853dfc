"""Gradient descent and Adam train the same model on the same batches, at a constant rate."""

from __future__ import annotations

import pytest
import torch

from snippets.training import sgd
from snippets.training.translator import date_trainer


@pytest.fixture
def short(monkeypatch):
    """Two steps, and a share that tells which model was evaluated."""
    monkeypatch.setattr(sgd, "STEPS", {"dates": 2})
    monkeypatch.setattr(sgd, "date_exact_match", lambda model: model.embedding.table.sum().item())


@pytest.mark.parametrize("optimizer_class", [torch.optim.SGD, torch.optim.Adam])
def test_steps_are_those_of_the_optimizer_at_a_constant_rate(short, optimizer_class):
    run = sgd.train.function(optimizer_class, 0.01, 1)
    trainer = date_trainer(seed=1)
    options = {"betas": (0.9, 0.98), "eps": 1e-9} if optimizer_class is torch.optim.Adam else {}
    optimizer = optimizer_class(trainer.model.parameters(), lr=0.01, **options)
    losses = []
    for _ in range(2):
        loss = trainer.loss(trainer.model, trainer.draw_batch(trainer.generator))
        optimizer.zero_grad()
        loss.backward()
        optimizer.step()
        losses.append(loss.item())
    assert run["losses"] == pytest.approx(losses, rel=1e-4)
    assert run["exact match"] == pytest.approx(trainer.model.embedding.table.sum().item(), rel=1e-3)


def test_seeds_and_rates_make_a_difference(short):
    one, seed, rate = (sgd.train.function(torch.optim.SGD, *of) for of in ((0.1, 0), (0.1, 1), (0.2, 0)))
    assert one["losses"][0] == rate["losses"][0] != seed["losses"][0] and one["losses"][1] != rate["losses"][1]


def test_a_bar_says_what_is_trained(short, monkeypatch):
    said = []
    monkeypatch.setattr(sgd, "progress", lambda steps, what: said.append((steps, what)) or range(0))
    sgd.train.function(torch.optim.SGD, 0.05, 0)
    assert said == [(2, "SGD, 0.05")]


def test_results_are_sorted_by_rate_and_seed(monkeypatch):
    class Asked:
        each = staticmethod(list)

    monkeypatch.setattr(sgd, "train", Asked)
    rates = [(torch.optim.SGD, 0.05), (torch.optim.SGD, 0.3), (torch.optim.SGD, 1.0), (torch.optim.Adam, 0.001)]
    assert sgd.results() == {rate: [(*rate, seed) for seed in range(3)] for rate in rates}


# ---- what the page says


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
