"""Prompts whose head has a learning rate of its own: longer ones, and more steps."""

# --8<-- [start:imports]
import copy

import torch
import torch.nn.functional as F
from torch import Generator
from torch.optim.lr_scheduler import LambdaLR

from snippets.families.fine_tuning import (
    PromptedBert,
    SentenceClassifier,
    add_lora,
    trainable_parameters,
)
from snippets.families.real_encoder import MINI_LM, encode, real_encoder
from snippets.families.tuned_encoders import (
    BATCH,
    EXAMPLES,
    SEEDS,
    TESTED,
    accuracy,
    draw,
    megabytes,
)
from snippets.tools.cached import cached
# --8<-- [end:imports]


# --8<-- [start:tune]
HEAD = 5e-3  # the rate of every head: what LoRA of rank 1 did best with


def new_model(vectors: int, seed: int) -> SentenceClassifier:
    """The encoder with so many virtual tokens; with 0, it has LoRA of rank 1."""
    published = real_encoder()[0]  # loaded before seeding: the first call draws
    torch.manual_seed(seed)
    bert = copy.deepcopy(published)
    encoder = PromptedBert(bert, vectors) if vectors else add_lora(bert, 1, 2.0)
    return SentenceClassifier(encoder, MINI_LM.d_model, 2).eval()  # no dropout


def tune(model: SentenceClassifier, rate: float, seed: int, steps: int) -> None:
    """As for 100 steps, but with so many, and the head at its own rate."""
    sentences, labels = draw(EXAMPLES, "training", seed)
    ids = encode(real_encoder()[1], sentences)
    generator = Generator().manual_seed(seed)
    moved = [p for p in model.encoder.parameters() if p.requires_grad]
    head = {"params": model.head.parameters(), "lr": HEAD}
    groups = [{"params": moved, "lr": rate}, head]
    optimizer = torch.optim.AdamW(groups, weight_decay=0.01, fused=True)
    schedule = LambdaLR(optimizer, lambda i: min((i + 1) / 10, 1 - i / steps))
    for _ in range(steps):
        some = torch.randint(EXAMPLES, (BATCH,), generator=generator)
        loss = F.cross_entropy(model(ids[some]), labels[some])
        optimizer.zero_grad()
        loss.backward()
        optimizer.step()
        schedule.step()
# --8<-- [end:tune]


# --8<-- [start:runs]
@cached("longer_prompts")
def run(vectors: int, steps: int, rate: float, seed: int) -> dict:
    """Train once, and measure what it takes and how accurate it is."""
    model = new_model(vectors, seed)
    tune(model, rate, seed, steps)
    return {
        "trainable": trainable_parameters(model),
        "megabytes": megabytes(model),
        "training": accuracy(model, *draw(EXAMPLES, "training", seed)),
        "validation": accuracy(model, *draw(TESTED, "validation", seed=0)),
        "test": accuracy(model, *draw(TESTED, "test", seed=0)),
    }
# --8<-- [end:runs]


# --8<-- [start:results]
RATES = {8: (3e-2, 1e-1, 3e-1), 24: (1e-2, 3e-2, 1e-1)}  # by virtual tokens


def results() -> dict[int, dict[float, dict]]:
    """By virtual tokens and by the prompt's rate: 100 steps, the first seed."""
    return {
        vectors: {rate: run(vectors, 100, rate, SEEDS[0]) for rate in rates}
        for vectors, rates in RATES.items()
    }


def by_seed() -> list[dict]:
    """24 virtual tokens at the rate that did best in validation, each seed."""
    return [run(24, 100, 3e-2, seed) for seed in SEEDS]


def longer() -> tuple[list[dict], list[dict], list[dict]]:
    """400 steps: 24 virtual tokens, three rates; the best, and LoRA, each seed."""
    rates = [run(24, 400, rate, SEEDS[0]) for rate in (3e-3, 1e-2, 3e-2)]
    prompts = [run(24, 400, 1e-2, seed) for seed in SEEDS]
    return rates, prompts, [run(0, 400, HEAD, seed) for seed in SEEDS]
# --8<-- [end:results]
