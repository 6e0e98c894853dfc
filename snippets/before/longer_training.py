"""The bottleneck again, with four times as many steps."""

# --8<-- [start:imports]
from collections.abc import Callable, Mapping

import torch
from torch import Tensor

from snippets.before.encoder_decoder import RecurrentTranslator
from snippets.before.recurrent_translator import (
    DIGIT_VOCAB,
    LENGTHS,
    SEEDS,
    curves,
    draw_digits,
    evaluate,
    train,
)
from snippets.tools.in_parallel import in_parallel
from snippets.tools.kept import kept
# --8<-- [end:imports]


# --8<-- [start:longer_curves]
STEPS = 2000


def by_length(model_class: Callable, steps: int, seed: int) -> dict[str, dict]:
    """Train one model with d = 64 on numbers, and evaluate it at each length."""
    torch.manual_seed(seed)
    model = model_class(len(DIGIT_VOCAB), 64)
    train(model, draw_digits, steps, seed)
    return {str(length): evaluate(model, length) for length in LENGTHS}


def all_curves(
    name: str, module: str, models: Mapping[str, tuple[Callable, int]]
) -> dict[str, Tensor]:
    """Exact match of models, each with its class and steps: (seeds, lengths)."""

    def compute() -> tuple[dict[str, Tensor], dict]:
        jobs = [(*model, seed) for model in models.values() for seed in SEEDS]
        done = iter(in_parallel(by_length, jobs))
        return {}, {which: [next(done) for _ in SEEDS] for which in models}

    return curves(kept(name, module, compute)[1])


def state_curves() -> dict[str, Tensor]:
    """Without attention."""
    models = {"2000 steps": (RecurrentTranslator, STEPS)}
    return all_curves("longer-state", "before/longer_training", models)
# --8<-- [end:longer_curves]
