"""Training moves as it says, and one that was interrupted ends as if it had not been."""

from __future__ import annotations

import tempfile
from pathlib import Path

import pytest
import torch
from torch.testing import assert_close

from snippets.model.transformer import Transformer
from snippets.training.adam import Adam
from snippets.training.loss import next_word_loss
from snippets.training.trainer import Training, load, save
from snippets.training.vocabulary import END


def draw(generator):
    src = torch.randint(3, 9, (4, 3), generator=generator)
    end = torch.full((4, 1), END)
    return torch.cat([src, end], dim=1), torch.cat([end - 1, src, end], dim=1)


def training(p=0.1, seed=0, **options) -> Training:
    torch.manual_seed(seed)
    model = Transformer(9, 1, 12, 3, 20, p).double()
    return Training(model, draw, options.pop("rate", lambda step: 0.01 / step), seed=seed, **options)


def parameters(one: Training) -> torch.Tensor:
    return torch.cat([p.detach().flatten() for p in one.model.parameters()])


def test_resuming_gives_what_would_have_been():
    whole = training()
    whole.run(6)
    first = training()
    first.run(3)
    with tempfile.TemporaryDirectory() as folder:
        path = Path(folder) / "state.pt"
        save(first, path)
        torch.manual_seed(99)  # other chance in between
        resumed = training(seed=5)
        load(resumed, path)
    resumed.run(6)
    assert resumed.losses == whole.losses and len(whole.losses) == 6
    assert torch.equal(parameters(resumed), parameters(whole))


def test_it_does_not_start_again_from_steps_that_were_taken():
    one = training()
    one.run(4)
    before = parameters(one)
    one.run(4)
    assert torch.equal(parameters(one), before) and len(one.losses) == 4


@pytest.mark.parametrize("epsilon", [0.0, 0.1])
def test_a_step_is_adam_s_at_the_rate_of_that_step(epsilon):
    rates = [0.02, 0.005, 0.01]
    one = training(p=0.0, epsilon=epsilon, rate=lambda step: rates[step - 1])
    one.run(3)
    torch.manual_seed(0)
    model = Transformer(9, 1, 12, 3, 20, 0.0).double()
    adam, generator, losses = Adam(model.parameters()), torch.Generator().manual_seed(0), []
    for adam.lr in rates:
        model.zero_grad()
        loss = next_word_loss(model, *draw(generator), epsilon)
        loss.backward()
        adam.step()
        losses.append(loss.item())
    assert one.losses == pytest.approx(losses, abs=1e-9)
    assert_close(parameters(one), torch.cat([p.detach().flatten() for p in model.parameters()]), atol=1e-6, rtol=0)


def test_labels_are_not_smoothed_by_default_and_the_seed_is_zero():
    one, two = training(p=0.0), training(p=0.0, epsilon=0.0)
    one.run(2), two.run(2)
    assert one.losses == two.losses
    torch.manual_seed(0)
    three = Training(Transformer(9, 1, 12, 3, 20, 0.0).double(), draw, lambda step: 0.01 / step)
    three.run(2)
    assert three.losses == one.losses


def test_dropout_is_on_while_training_and_seeds_differ():
    one, two = training(p=0.0), training(p=0.5)
    two.model.eval()
    one.run(1), two.run(1)
    assert two.model.training and one.losses != two.losses
    other = training(p=0.0, seed=1)
    other.run(1)
    assert other.losses != one.losses


def test_it_learns_to_copy():
    one = training(p=0.0, rate=lambda step: 0.01)
    one.run(150)
    assert sum(one.losses[-10:]) < 0.2 * sum(one.losses[:10])
