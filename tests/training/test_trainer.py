"""Training moves as it says, and one that was interrupted ends as if it had not been."""

from __future__ import annotations

import pickle
import tempfile
from functools import partial
from pathlib import Path

import pytest
import torch
from torch.testing import assert_close

from snippets.before.vocabulary import EOS
from snippets.block.config import TransformerConfig
from snippets.model.transformer import Transformer
from snippets.training.adam import Adam
from snippets.training.loss import next_token_loss
from snippets.training.trainer import Trainer, load, save


def config(**changes) -> TransformerConfig:
    return TransformerConfig(**{"d_model": 12, "num_heads": 3, "d_ff": 20, **changes})


def draw(generator):
    src = torch.randint(3, 9, (4, 3), generator=generator)
    end = torch.full((4, 1), EOS)
    return torch.cat([src, end], dim=1), torch.cat([end - 1, src, end], dim=1)


def loss(model, batch, epsilon=0.0):
    return next_token_loss(model, *batch, epsilon)


def training(p=0.1, seed=0, rate=lambda step: 0.01 / step, epsilon=0.0) -> Trainer:
    torch.manual_seed(seed)
    model = Transformer(config(vocab_size=9, num_layers=1, dropout=p)).double()
    return Trainer(model, partial(loss, epsilon=epsilon), draw, rate, seed=seed)


def parameters(one: Trainer) -> torch.Tensor:
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
    model = Transformer(config(vocab_size=9, num_layers=1, dropout=0.0)).double()
    adam, generator, losses = Adam(model.parameters()), torch.Generator().manual_seed(0), []
    for adam.lr in rates:
        model.zero_grad()
        value = next_token_loss(model, *draw(generator), epsilon)
        value.backward()
        adam.step()
        losses.append(value.item())
    assert one.losses == pytest.approx(losses, abs=1e-9)
    assert_close(parameters(one), torch.cat([p.detach().flatten() for p in model.parameters()]), atol=1e-6, rtol=0)


def test_it_knows_neither_source_nor_target():
    """A line through points, fitted by the same trainer."""
    torch.manual_seed(0)
    line = torch.nn.Linear(1, 1)

    def draw_points(generator):
        return torch.rand(16, 1, generator=generator)

    def distance(model, x):
        return torch.nn.functional.mse_loss(model(x), 3 * x - 1)

    one = Trainer(line, distance, draw_points, lambda step: 0.1)
    one.run(300)
    assert line.weight.item() == pytest.approx(3, abs=0.05) and line.bias.item() == pytest.approx(-1, abs=0.05)


def test_the_seed_is_zero_by_default():
    one = training(p=0.0)
    one.run(2)
    torch.manual_seed(0)
    three = Trainer(
        Transformer(config(vocab_size=9, num_layers=1, dropout=0.0)).double(), loss, draw, lambda step: 0.01 / step
    )
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


def test_a_file_can_hold_numbers_but_no_code():
    with tempfile.TemporaryDirectory() as folder:
        path = Path(folder) / "state.pt"
        torch.save({"model": Path("an object of any class")}, path)
        with pytest.raises(pickle.UnpicklingError):
            load(training(), path)
