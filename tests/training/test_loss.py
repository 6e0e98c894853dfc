"""The loss is PyTorch's, counts no padding, and asks each place for the word that follows."""

from __future__ import annotations

import math

import pytest
import torch
from torch import nn
from torch.testing import assert_close

from snippets.before.vocabulary import PAD
from snippets.block.config import TransformerConfig
from snippets.model.transformer import Transformer
from snippets.training.loss import next_token_loss, smoothed_cross_entropy

GENERATOR = torch.Generator().manual_seed(0)
LOGITS = torch.randn(2, 5, 7, dtype=torch.float64, generator=GENERATOR)
TARGET = torch.tensor([[3, 1, 6, 2, 0], [4, 2, 0, 0, 0]])


def config(**changes) -> TransformerConfig:
    return TransformerConfig(**{"d_model": 12, "num_heads": 3, "d_ff": 20, **changes})


@pytest.mark.parametrize("epsilon", [0.0, 0.1, 0.5])
def test_it_is_the_loss_of_torch(epsilon):
    ours, theirs = LOGITS.clone().requires_grad_(), LOGITS.clone().requires_grad_()
    loss = smoothed_cross_entropy(ours, TARGET, epsilon, PAD)
    expected = nn.functional.cross_entropy(
        theirs.flatten(0, 1), TARGET.flatten(), ignore_index=PAD, label_smoothing=epsilon
    )
    assert_close(loss, expected)
    assert_close(torch.autograd.grad(loss, ours)[0], torch.autograd.grad(expected, theirs)[0])


def test_defaults_are_those_of_torch():
    target = TARGET.masked_fill(TARGET == 3, -100)
    expected = nn.functional.cross_entropy(LOGITS.flatten(0, 1), target.flatten())
    assert_close(smoothed_cross_entropy(LOGITS, target), expected)


def test_a_token_that_cannot_be_costs_nothing_without_smoothing():
    """0 times a logit of -inf would be NaN."""
    logits = torch.tensor([[-math.inf, 0.0, 0.0]])
    assert smoothed_cross_entropy(logits, torch.tensor([1])).item() == pytest.approx(math.log(2))
    assert smoothed_cross_entropy(logits, torch.tensor([1]), 0.1).item() == math.inf


def test_it_differs_from_the_divergence_by_a_constant():
    """Cross-entropy is the entropy of the smoothed labels plus the divergence of the prediction from them."""
    epsilon, vocab_size = 0.1, 7
    smooth = torch.full((vocab_size,), epsilon / vocab_size, dtype=torch.float64)
    smooth[3] += 1 - epsilon
    entropy = -(smooth * smooth.log()).sum()
    for row in LOGITS[0]:
        divergence = (smooth * (smooth.log() - row.log_softmax(0))).sum()
        assert_close(smoothed_cross_entropy(row[None], torch.tensor([3]), epsilon), entropy + divergence)


def test_the_best_prediction_is_the_smoothed_label():
    epsilon, vocab_size = 0.2, 5
    logits = torch.zeros(1, vocab_size, dtype=torch.float64, requires_grad=True)
    smooth = torch.full((vocab_size,), epsilon / vocab_size, dtype=torch.float64)
    smooth[1] += 1 - epsilon
    with torch.no_grad():
        logits.copy_(smooth.log())
    (gradient,) = torch.autograd.grad(smoothed_cross_entropy(logits, torch.tensor([1]), epsilon), logits)
    assert_close(gradient, torch.zeros_like(gradient))


@pytest.mark.parametrize("epsilon", [-0.1, 1.0])
def test_no_other_shares(epsilon):
    with pytest.raises(ValueError, match=f"not {epsilon}"):
        smoothed_cross_entropy(LOGITS, TARGET, epsilon)


def test_shapes_that_do_not_fit_are_named():
    with pytest.raises(ValueError, match=r"\(2, 5, 7\), \(2, 4\)"):
        smoothed_cross_entropy(LOGITS, TARGET[:, 1:])


class Recorder(nn.Module):
    """A model that notes its inputs and predicts what it is told."""

    pad_id = PAD

    def __init__(self, logits):
        super().__init__()
        self.logits = logits

    def forward(self, src, tgt):
        self.seen = (src, tgt)
        return self.logits


def test_what_goes_in_is_all_but_the_last_and_what_comes_out_all_but_the_first():
    src, tgt = torch.tensor([[5, 2]]), torch.tensor([[1, 4, 3, 6, 2]])
    logits = torch.full((1, 4, 7), -100.0)
    logits[0, torch.arange(4), tgt[0, 1:]] = 100.0
    model = Recorder(logits)
    assert next_token_loss(model, src, tgt).item() == 0
    assert model.seen[0].tolist() == src.tolist() and model.seen[1].tolist() == [[1, 4, 3, 6]]


def test_smoothing_reaches_the_loss_of_a_model():
    src, tgt = torch.tensor([[5, 2]]), torch.tensor([[1, 4, 3, 2]])
    model = Recorder(torch.randn(1, 3, 7, generator=GENERATOR))
    assert_close(next_token_loss(model, src, tgt, 0.3), smoothed_cross_entropy(model.logits, tgt[:, 1:], 0.3, PAD))
    assert_close(next_token_loss(model, src, tgt), smoothed_cross_entropy(model.logits, tgt[:, 1:], 0.0, PAD))


def test_more_padding_changes_no_loss_and_no_gradient():
    torch.manual_seed(0)
    model = Transformer(config(vocab_size=9, num_layers=1, dropout=0.0)).double()
    src, tgt = torch.tensor([[5, 2, 0], [3, 4, 2]]), torch.tensor([[1, 4, 3, 2], [1, 6, 2, 0]])
    pad = nn.functional.pad
    losses = [next_token_loss(model, src, tgt), next_token_loss(model, pad(src, (0, 3)), pad(tgt, (0, 2)))]
    assert_close(*losses)
    gradients = [torch.autograd.grad(loss, list(model.parameters())) for loss in losses]
    for one, two in zip(*gradients, strict=True):
        assert_close(one, two)


def test_a_model_that_knows_nothing_has_the_loss_of_guessing():
    model = Recorder(torch.zeros(1, 3, 7))
    assert next_token_loss(model, torch.ones(1, 2).long(), torch.tensor([[1, 4, 3, 2]])).item() == pytest.approx(
        math.log(7)
    )
