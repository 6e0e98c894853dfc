"""The last checkpoints of a training: each alone, their mean, and the way to other models."""

# --8<-- [start:imports]
import math

import torch
from torch import Tensor, nn

from snippets.model.transformer import Transformer
from snippets.tools.cached import cached, progress
from snippets.training.averaging import average
from snippets.training.decoding import inference
from snippets.training.loss import next_token_loss
from snippets.training.smoothed import held_out
from snippets.training.trainer import Trainer
from snippets.training.translator import STEPS, number_trainer, schedule
# --8<-- [end:imports]


# --8<-- [start:train]
LAST = 10  # checkpoints, one every 10 steps


def copied(model: nn.Module) -> dict[str, Tensor]:
    """The weights as they are now: training goes on and changes its own."""
    return {name: value.clone() for name, value in model.state_dict().items()}


def checkpoints(trainer: Trainer, steps: int) -> list[dict[str, Tensor]]:
    """Train, and return the weights after each of the last steps by tens."""
    kept = []
    trainer.model.train()
    for step in progress(steps, f"{steps=}"):
        trainer.step()
        if (steps - step - 1) % 10 == 0:
            kept.append(copied(trainer.model))
    return kept[-LAST:]
# --8<-- [end:train]


# --8<-- [start:judged]
def loss_of(model: Transformer, state: dict[str, Tensor]) -> float:
    """On 455 numbers that were held out, a token."""
    model.load_state_dict(state)
    with inference(model):
        return next_token_loss(model, *held_out(5)).item()


def loss_together(model: Transformer, states: list[dict[str, Tensor]]) -> float:
    """Of the mean of the models' probabilities: an ensemble."""
    src, tgt = held_out(5)
    probabilities = []
    for state in states:
        model.load_state_dict(state)
        with inference(model):
            probabilities.append(model(src, tgt[:, :-1]).softmax(dim=-1))
    mean, right = torch.stack(probabilities).mean(dim=0), tgt[:, 1:]
    of_right = mean.gather(-1, right.unsqueeze(-1)).squeeze(-1)
    return -of_right[right != model.pad_id].log().mean().item()
# --8<-- [end:judged]


# --8<-- [start:results]
RATES, SEEDS = [0.5, 1.0, 2.0], range(3)


def paper_schedule(step: int) -> float:
    """Up, then down with the root: that of the book, without its end."""
    return schedule(step, steps=math.inf)


@cached("averaging")
def train(cools_down: bool, rate: float, seed: int) -> dict:
    """Losses of the last checkpoints: alone, the last n averaged, together."""
    steps, trainer = STEPS["numbers"], number_trainer(seed)
    trainer.learning_rate = lambda step: (
        rate * (schedule(step, steps) if cools_down else paper_schedule(step))
    )
    states = checkpoints(trainer, steps)
    model = trainer.model
    return {
        "alone": [loss_of(model, state) for state in states],
        "averaged": [
            loss_of(model, average(states[-n:])) for n in range(1, LAST + 1)
        ],
        "together": loss_together(model, states),
    }


def results() -> dict[bool, dict[float, list[dict]]]:
    """By cools_down and factor of the rate, one a seed; then kept."""
    return {
        cools_down: {
            rate: train.each((cools_down, rate, seed) for seed in SEEDS)
            for rate in RATES
        }
        for cools_down in [False, True]
    }
# --8<-- [end:results]


# --8<-- [start:lines]
SHARES = [i / 10 for i in range(11)]  # of the second model


def between(model: Transformer, one: dict, other: dict) -> list[float]:
    """Losses along the straight line from one model's weights to another's."""
    return [
        loss_of(model, {name: one[name].lerp(other[name], share) for name in one})
        for share in SHARES
    ]


@cached("averaging")
def lines(seed: int) -> dict:
    """Losses between the last weights of a training and three others.

    "one training": its own, 90 steps before. "same start": a training that has
    its first 200 steps in common, and other batches after them. "two trainings":
    one with another seed.
    """
    steps = STEPS["numbers"]
    trainer, branch, stranger = (
        number_trainer(s) for s in (seed, seed, seed + 3)
    )
    for one in (trainer, branch, stranger):
        one.learning_rate = paper_schedule
    states = checkpoints(trainer, steps)
    checkpoints(branch, steps // 2)
    branch.generator.manual_seed(seed + 100)
    other = checkpoints(branch, steps - steps // 2)[-1]
    model = trainer.model
    return {
        "one training": between(model, states[0], states[-1]),
        "same start": between(model, other, states[-1]),
        "two trainings": between(
            model, checkpoints(stranger, steps)[-1], states[-1]
        ),
    }


def all_lines() -> list[dict]:
    """With each seed; trained once, then kept."""
    return lines.each((seed,) for seed in SEEDS)
# --8<-- [end:lines]
