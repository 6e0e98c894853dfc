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


@pytest.mark.parametrize("name", sgd.OPTIMIZERS)
def test_steps_are_those_of_the_optimizer_at_a_constant_rate(short, name):
    run = sgd.train.function(name, 0.01, 1)
    trainer = date_trainer(seed=1)
    parameters = list(trainer.model.parameters())
    optimizer = {
        "SGD": lambda: torch.optim.SGD(parameters, lr=0.01),
        "momentum": lambda: torch.optim.SGD(parameters, lr=0.01, momentum=0.9),
        "Adam": lambda: torch.optim.Adam(parameters, lr=0.01, betas=(0.9, 0.98), eps=1e-9),
    }[name]()
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
    one, seed, rate = (sgd.train.function("SGD", *of) for of in ((0.1, 0), (0.1, 1), (0.2, 0)))
    assert one["losses"][0] == rate["losses"][0] != seed["losses"][0] and one["losses"][1] != rate["losses"][1]


def test_a_bar_says_what_is_trained(short, monkeypatch):
    said = []
    monkeypatch.setattr(sgd, "progress", lambda steps, what: said.append((steps, what)) or range(0))
    sgd.train.function("momentum", 0.05, 0)
    assert said == [(2, "momentum, lr=0.05")]


def test_results_are_sorted_by_optimizer_rate_and_seed(monkeypatch):
    class Asked:
        each = staticmethod(list)

    monkeypatch.setattr(sgd, "train", Asked)
    expected = {n: {lr: [(n, lr, seed) for seed in range(3)] for lr in lrs} for n, lrs in sgd.RATES.items()}
    assert sgd.results() == expected


def test_the_best_rate_of_each_optimizer_lies_inside_its_range():
    for name, by_rate in sgd.results().items():
        means = [sum(sum(run["losses"][-10:]) for run in runs) for runs in by_rate.values()]
        assert 0 < means.index(min(means)) < len(means) - 1, name
