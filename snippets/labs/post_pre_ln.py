"""Post-LN against pre-LN, with and without warm-up: one training, several seeds."""

# --8<-- [start:imports]
import itertools
import time

import torch
from torch import Tensor, nn

from snippets.model.transformer import Transformer
from snippets.tools.in_parallel import in_parallel
from snippets.tools.kept import kept
from snippets.training import dates
from snippets.training.loss import next_word_loss
from snippets.training.trainer import Training
from snippets.training.translator import DATE_WORDS, date_exact_match
# --8<-- [end:imports]


# --8<-- [start:recipe]
SIZES = {"num_layers": 6, "d_model": 64, "num_heads": 4, "d_ff": 64, "p": 0.0}
STEPS, PEAK = 150, 3e-3
SETTINGS = list(itertools.product([False, True], [0, 60]))  # norm_first, warm-up
SEEDS = range(3)
EXAMINATION = dates.HELD_OUT[::8]  # each seventh one is a Friday


def rate(step: int, warmup_steps: int, peak: float = PEAK) -> float:
    """Up in a line, or at once if warmup_steps is 0; down to 0 in the last 40."""
    up = step / warmup_steps if warmup_steps else 1.0
    return peak * max(0.0, min(up, 1.0, (STEPS + 1 - step) / 40))


def draw(generator: torch.Generator) -> tuple[Tensor, Tensor]:
    """A batch of 32 dates, none of them held out."""
    return dates.batch(dates.draw(32, generator), DATE_WORDS)
# --8<-- [end:recipe]


# --8<-- [start:run]
def gradient_norm(module: nn.Module) -> float:
    """The length of the gradient for all parameters of a module, as one vector."""
    gradients = [parameter.grad for parameter in module.parameters()]
    return nn.utils.get_total_norm(gradients).item()


def run(
    norm_first: bool, warmup_steps: int, seed: int, peak: float = PEAK
) -> dict:
    """Train once: losses and gradient norms by step, and an examination.

    The last losses are those of the examination, when each sentence has its own
    source, and when it has that of a sentence many years before.
    """
    torch.manual_seed(seed)
    model = Transformer(len(DATE_WORDS), **SIZES, norm_first=norm_first)
    training = Training(
        model, draw, lambda step: rate(step, warmup_steps, peak), seed=seed
    )
    parts = {
        "model": model,
        "first layer": model.encoder.layers[0],
        "last layer": model.decoder.layers[-1],
    }
    gradients: dict[str, list[float]] = {name: [] for name in parts}
    start = time.perf_counter()
    for _ in range(STEPS):
        training.step()
        for name, part in parts.items():
            gradients[name].append(gradient_norm(part))
    seconds = time.perf_counter() - start
    src, tgt = dates.batch(EXAMINATION, DATE_WORDS)
    other = src.roll(len(src) // 3, dims=0)
    with torch.no_grad():
        own, others = (next_word_loss(model, x, tgt).item() for x in (src, other))
    return {
        "losses": training.losses,
        "gradients": gradients,
        "exact match": date_exact_match(model, EXAMINATION),
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
