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
