"""A small GPT that learns to learn mappings: its training, its curves."""

# --8<-- [start:imports]
import math
from dataclasses import replace
from functools import partial

import torch
from torch import Generator, Tensor, nn

from snippets.families.gpt import GPT, GPT2
from snippets.families.in_context_learning import (
    SIZE,
    TOKENS,
    answered_before,
    digit_loss,
    draw_letters,
    draw_mappings,
    moved_back,
    right_answers,
    sequences,
)
from snippets.tools.in_parallel import in_parallel
from snippets.tools.kept import kept
from snippets.training.trainer import Trainer
# --8<-- [end:imports]


# --8<-- [start:recipe]
SEEDS, MORE = (0, 1, 2), (3, 4, 5, 6)  # of MORE, only the curves are kept
PAIRS, BATCH, EASY, STEPS = 12, 64, 500, 1200
SMALL = replace(
    GPT2, vocab_size=len(TOKENS), num_layers=2, d_model=64, num_heads=4, d_ff=128,
    dropout=0.0, max_length=2 * PAIRS,
)  # fmt: skip


def rate(step: int) -> float:
    """Warm-up over 50 steps, and down to 0 over the last 300."""
    return 1.5e-3 * min(step / 50, 1.0, (STEPS + 1 - step) / 300)


def first_positions(n: int, d_model: int) -> Tensor:
    """Sinusoids of evenly spaced frequencies up to pi: (n, d_model).

    They are nearly orthogonal, and one matrix leads from each to the one before,
    so that a head need not learn it for each position anew.
    """
    frequencies = torch.arange(1, d_model // 2 + 1) * 2 * math.pi / d_model
    angles = torch.outer(torch.arange(n), frequencies)
    return torch.cat([angles.cos(), angles.sin()], dim=1) / 4
# --8<-- [end:recipe]


# --8<-- [start:batches]
def draw_batch(generator: Generator, fewest: int, most: int) -> Tensor:
    """New mappings, all even; letters of so many kinds in each sequence."""
    kinds = torch.randint(fewest, most + 1, (BATCH, 1), generator=generator)
    mappings = draw_mappings(BATCH, False, generator)
    ids = sequences(mappings, draw_letters(kinds, PAIRS, generator))
    return moved_back(ids, generator)


FEW = partial(draw_batch, fewest=2, most=4)  # for the first 500 steps
ALL = partial(draw_batch, fewest=SIZE, most=SIZE)  # from then on
# --8<-- [end:batches]


# --8<-- [start:new_learner]
def new_learner(seed: int) -> Trainer:
    """Before its first step; embeddings and positions have norms near 1."""
    torch.manual_seed(seed)
    model = GPT(SMALL)
    nn.init.normal_(model.tokens.weight, std=SMALL.d_model**-0.5)
    model.positions.table.data = first_positions(2 * PAIRS, SMALL.d_model)
    return Trainer(model, digit_loss, FEW, rate, seed)


def run(seed: int) -> tuple[dict[str, Tensor], dict]:
    """Train one model; its weights, its losses, and its answers in the test."""
    trainer = new_learner(seed)
    trainer.run(EASY)
    trainer.draw_batch = ALL
    trainer.run(STEPS)
    model, ids = trainer.model.eval(), evaluation_set()
    shown = right_answers(model, ids)[answered_before(ids)].double().mean()
    losses = [round(loss, 4) for loss in trainer.losses]
    return model.state_dict(), {"losses": losses, "shown": shown.item()}


def kept_runs() -> tuple[dict[str, Tensor], dict]:
    """Weights and curves, from a file if this code has made it."""

    def compute() -> tuple[dict[str, Tensor], dict]:
        seeds = [*SEEDS, *MORE]
        done = in_parallel(run, [(seed,) for seed in seeds])
        runs = dict(zip(seeds, done, strict=True))
        weights = {
            f"{seed}/{name}": tensor.half()
            for seed in SEEDS
            for name, tensor in runs[seed][0].items()
        }
        return weights, {str(seed): curve for seed, (_, curve) in runs.items()}

    return kept("mapping_learner", "families/mapping_learner", compute)


def learner(seed: int = 0) -> GPT:
    """A finished model."""
    weights = kept_runs()[0]
    model = GPT(SMALL)
    own = {name: weights[f"{seed}/{name}"].float() for name in model.state_dict()}
    model.load_state_dict(own)
    return model.eval()


def curves() -> dict[int, dict]:
    """By seed, those of MORE too: losses of all steps, and answers at the end."""
    return {int(seed): curve for seed, curve in kept_runs()[1].items()}


def evaluation_set(
    count: int = 1000, seed: int = 100, test: bool = True
) -> Tensor:
    """All letters, mappings of the test, or else of training: (count, 2 PAIRS)."""
    generator = Generator().manual_seed(seed)
    letters = draw_letters(torch.full((count, 1), SIZE), PAIRS, generator)
    return sequences(draw_mappings(count, test, generator), letters)


def shares() -> dict[str, list[dict]]:
    """How often each seed's model is right."""
    right = [right_answers(learner(seed), evaluation_set()) for seed in SEEDS]
    return {"mappings": [{"exact match": r.double().mean().item()} for r in right]}
# --8<-- [end:new_learner]
