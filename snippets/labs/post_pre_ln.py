"""Post-LN against pre-LN, with and without warm-up: one training, several seeds."""

# --8<-- [start:imports]
import itertools
import time
from dataclasses import replace

import torch
from torch import Generator, Tensor, nn

from snippets.before import dates
from snippets.model.transformer import Transformer
from snippets.tools.in_parallel import in_parallel
from snippets.tools.kept import kept
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


# --8<-- [start:recipe]
CONFIG = replace(SMALL, vocab_size=len(DATE_VOCAB), num_layers=6, d_ff=64)
STEPS, PEAK = 150, 3e-3
SETTINGS = list(itertools.product([False, True], [0, 60]))  # norm_first, warm-up
SEEDS = range(3)
TEST_SET = dates.HELD_OUT[::8]  # each seventh one is a Friday


def schedule(step: int, warmup_steps: int, peak: float = PEAK) -> float:
    """Up in a line, or at once if warmup_steps is 0; down to 0 in the last 40."""
    up = step / warmup_steps if warmup_steps else 1.0
    return peak * max(0.0, min(up, 1.0, (STEPS + 1 - step) / 40))


def draw_batch(generator: Generator) -> tuple[Tensor, Tensor]:
    """A batch of 32 dates, none of them held out."""
    return dates.batch(dates.draw(32, generator), DATE_VOCAB)
# --8<-- [end:recipe]


# --8<-- [start:run]
def gradient_norm(module: nn.Module) -> float:
    """The norm of the gradient for all parameters of a module, as one vector."""
    gradients = [parameter.grad for parameter in module.parameters()]
    return nn.utils.get_total_norm(gradients).item()


def run(
    norm_first: bool, warmup_steps: int, seed: int, peak: float = PEAK
) -> dict:
    """Train once: losses and gradient norms by step, and an evaluation.

    The last losses are those of the test set, when each sentence has its own
    source, and when it has that of a sentence many years before.
    """
    torch.manual_seed(seed)
    model = Transformer(replace(CONFIG, norm_first=norm_first))
    rates = (lambda step: schedule(step, warmup_steps, peak), seed)
    trainer = Trainer(model, translation_loss, draw_batch, *rates)
    parts = {
        "model": model,
        "first layer": model.encoder.layers[0],
        "last layer": model.decoder.layers[-1],
    }
    gradients: dict[str, list[float]] = {name: [] for name in parts}
    start = time.perf_counter()
    for _ in range(STEPS):
        trainer.step()
        for name, part in parts.items():
            gradients[name].append(gradient_norm(part))
    seconds = time.perf_counter() - start
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
# --8<-- [end:run]


# --8<-- [start:results]
def results() -> dict[tuple[bool, int], list[dict]]:
    """What run says of each setting with each seed; trained once, then kept."""

    def train() -> tuple[dict, list[dict]]:
        runs = [(*setting, seed) for setting in SETTINGS for seed in SEEDS]
        return {}, in_parallel(run, runs)

    _, runs = kept("post_pre_ln", "labs/post_pre_ln", train)
    done = iter(runs)
    return {setting: [next(done) for _ in SEEDS] for setting in SETTINGS}
# --8<-- [end:results]
