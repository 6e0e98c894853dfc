"""Smoothed labels make the translator of number words less sure, where it is right and where it is wrong."""

from __future__ import annotations

import pytest
import torch

from snippets.before.vocabulary import PAD
from snippets.training import numbers, smoothed
from snippets.training.loss import next_token_loss
from snippets.training.smoothed import confidence, held_out, results
from snippets.training.translator import NUMBER_VOCAB, number_trainer


def test_confidence_is_that_of_one_token_after_the_other():
    model = number_trainer(seed=3).model.train()
    src, tgt = numbers.batch([7, 70_345, 812], NUMBER_VOCAB)
    found = confidence(model, src, tgt)
    assert model.training, "it is left as it was"
    probabilities, right, logits = [], [], []
    for row, sentence in enumerate(tgt):
        for m in range(1, len(sentence)):
            if sentence[m] != PAD:
                logits.append(model(src[row : row + 1], tgt[row : row + 1, :m])[0, -1].detach())
                probabilities.append(logits[-1].softmax(dim=0))
                right.append(sentence[m].item())
    assert len(right) < tgt[:, 1:].numel(), "some is padding"
    of_right = torch.stack([p[i] for p, i in zip(probabilities, right, strict=True)])
    expected = {
        "confidence": torch.stack(probabilities).amax(dim=1).mean().item(),
        "accuracy": sum(p.argmax() == i for p, i in zip(probabilities, right, strict=True)).item() / len(right),
        "loss": -of_right.log().mean().item(),
        "largest logit": torch.stack(logits).max().item(),
    }
    assert found == pytest.approx(expected, rel=1e-4)


def test_what_is_asked_was_held_out_and_is_as_long_as_it_says():
    for digits in (5, 6):
        src, tgt = held_out(digits)
        words = {tuple(row) for row in src.tolist()}
        assert len(words) == len(src) == len(tgt) == 455
        low, high = 10 ** (digits - 1), 10**digits
        there = {tuple(numbers.english(n)) for n in range(low, high) if numbers.is_held_out(n)}
        assert {tuple(NUMBER_VOCAB.decode(row)) for row in src.tolist()} <= there


@pytest.mark.thorough
def test_training_is_that_of_the_numbers_with_another_loss(monkeypatch):
    monkeypatch.setattr(smoothed, "STEPS", {"numbers": 2})
    run = smoothed.train.function(0.4, 1)
    trainer = number_trainer(seed=1)
    trainer.loss = lambda model, batch: next_token_loss(model, *batch, 0.4)
    trainer.run(2)
    assert run["six digits"] == pytest.approx(confidence(trainer.model, *held_out(6)), rel=1e-3)
    assert run["five digits"] == pytest.approx(confidence(trainer.model, *held_out(5)), rel=1e-3)
    assert run["five digits"] != pytest.approx(smoothed.train.function(0.0, 1)["five digits"], rel=1e-3)


def test_what_the_page_says_of_confidence_holds_with_every_seed():
    plain, soft = results()[0.0], results()[0.1]
    for one, other in zip(plain, soft, strict=True):
        known, new = one["five digits"], one["six digits"]
        assert known["confidence"] > 0.98 and known["accuracy"] > 0.98
        assert new["confidence"] > 0.85 and new["accuracy"] < 0.5, "sure, and wrong"
        assert 0.88 < other["five digits"]["confidence"] < 0.92 and other["five digits"]["accuracy"] > 0.98
        assert other["six digits"]["confidence"] < new["confidence"] - 0.08
        assert other["six digits"]["confidence"] > other["six digits"]["accuracy"] + 0.2, "still too sure"
        assert other["six digits"]["loss"] < new["loss"] - 1
        assert other["five digits"]["loss"] > known["loss"] + 0.05
        assert other["five digits"]["largest logit"] < known["largest logit"] - 2
