"""Post-LN against pre-LN, with and without warm-up: one training, several seeds."""

# --8<-- [start:imports]
import itertools
import time
from dataclasses import replace

import torch
from torch import Generator, Tensor, nn

from snippets.before import dates
from snippets.model.transformer import Transformer
from snippets.tools.cached import cached, progress
from snippets.training.decoding import inference
from snippets.training.loss import next_token_loss
from snippets.training.trainer import Trainer
from snippets.training.translator import (
    DATE_VOCAB,
    SMALL,
    date_exact_match,
    translation_loss,
)
# --8<-- [end:imports]


# --8<-- [start:settings]
STEPS, PEAK = 150, 3e-3
SETTINGS = list(itertools.product([False, True], [0, 60]))  # norm_first, warm-up
SEEDS = range(3)
CONFIG = replace(SMALL, vocab_size=len(DATE_VOCAB), num_layers=6, d_ff=64)
TEST_SET = dates.HELD_OUT[::8]  # 92 dates, 13 or 14 of each weekday
# --8<-- [end:settings]


# --8<-- [start:recipe]
def schedule(step: int, steps: int, warmup_steps: int, peak: float) -> float:
    """Up in a line, or at once if warmup_steps is 0; down to 0 in the last 40."""
    up = step / warmup_steps if warmup_steps else 1.0
    return peak * max(0.0, min(up, 1.0, (steps + 1 - step) / 40))


def draw_batch(generator: Generator) -> tuple[Tensor, Tensor]:
    """A batch of 32 dates, none of them held out."""
    return dates.batch(dates.draw(32, generator), DATE_VOCAB)


def gradient_norm(module: nn.Module) -> float:
    """The norm of the gradient for all parameters of a module, as one vector."""
    gradients = [parameter.grad for parameter in module.parameters()]
    return nn.utils.get_total_norm(gradients).item()
# --8<-- [end:recipe]


# --8<-- [start:train]
@cached("post_pre_ln")
def train(
    norm_first: bool,
    warmup_steps: int,
    seed: int,
    steps: int = STEPS,
    peak: float = PEAK,
) -> dict:
    """Train once: losses and gradient norms by step, and an evaluation.

    The last losses are those of the test set, when each sentence has its own
    source, and when it has that of a sentence many years before.
    """
    torch.manual_seed(seed)
    model = Transformer(replace(CONFIG, norm_first=norm_first))
    trainer = Trainer(
        model,
        translation_loss,
        draw_batch,
        learning_rate=lambda step: schedule(step, steps, warmup_steps, peak),
        seed=seed,
    )
    parts = {
        "model": model,
        "first layer": model.encoder.layers[0],
        "last layer": model.decoder.layers[-1],
    }
    gradients: dict[str, list[float]] = {name: [] for name in parts}
    start = time.process_time()
    for _ in progress(steps, f"{norm_first=}, {warmup_steps=}, {seed=}"):
        trainer.step()
        for part, module in parts.items():
            gradients[part].append(gradient_norm(module))
    seconds = time.process_time() - start
    src, tgt = dates.batch(TEST_SET, DATE_VOCAB)
    other = src.roll(len(src) // 3, dims=0)
    with inference(model):
        own, others = (next_token_loss(model, x, tgt).item() for x in (src, other))
    return {
        "losses": trainer.losses,
        "gradients": gradients,
        "exact match": date_exact_match(model, TEST_SET),
        "own sources": own,
        "other sources": others,
        "seconds": seconds,
    }
# --8<-- [end:train]


# --8<-- [start:results]
def results() -> dict[tuple[bool, int], list[dict]]:
    """Each setting with each seed."""
    return {
        (norm_first, warmup_steps): train.each(
            (norm_first, warmup_steps, seed) for seed in SEEDS
        )
        for norm_first, warmup_steps in SETTINGS
    }
# --8<-- [end:results]


# --8<-- [start:longer]
LONGER = 600


def longer() -> list[dict]:
    """Post-LN without a warm-up, four times as long, with each seed."""
    return train.each((False, 0, seed, LONGER) for seed in SEEDS)
# --8<-- [end:longer]


# --8<-- [start:exercise-new-seeds]
NEW = range(3, 6)


def new_seeds() -> dict[tuple[bool, int], list[dict]]:
    """More seeds: without a warm-up, and post-LN with one."""
    settings = [(False, 0), (True, 0), (False, 60)]
    return {
        setting: train.each((*setting, seed) for seed in NEW)
        for setting in settings
    }
# --8<-- [end:exercise-new-seeds]


# --8<-- [start:exercise-lower-peak]
LOWER = 1e-3


def with_lower_peak() -> list[dict]:
    """Post-LN without warm-up, a third of the peak, each seed."""
    calls = [(False, 0, seed, STEPS, LOWER) for seed in SEEDS]
    return train.each(calls)
# --8<-- [end:exercise-lower-peak]


# --8<-- [start:exercise-shorter-warm-up]
SHORTER = [20, 30, 50]


def with_shorter_warm_up() -> dict[tuple[bool, int], list[dict]]:
    """Both with fewer steps of warm-up, each seed."""
    return {
        (norm_first, warmup_steps): train.each(
            (norm_first, warmup_steps, seed) for seed in SEEDS
        )
        for norm_first in [False, True]
        for warmup_steps in SHORTER
    }
# --8<-- [end:exercise-shorter-warm-up]
