"""A prompt of eight vectors trained for four times as many steps."""

# --8<-- [start:imports]
import torch
import torch.nn.functional as F
from torch import Generator, nn

from snippets.families.real_encoder import encode, real_encoder
from snippets.families.tuned_encoders import (
    BATCH,
    EXAMPLES,
    SEEDS,
    TESTED,
    accuracy,
    classifier,
    draw,
)
from snippets.tools.cached import cached
# --8<-- [end:imports]

# --8<-- [start:longer]
RATES, STEPS = (1e-2, 3e-2), 400


def tune(model: nn.Module, rate: float, seed: int, steps: int) -> None:
    """As for 100 steps, but with so many; prompt and head share the rate."""
    sentences, labels = draw(EXAMPLES, "training", seed)
    ids, generator = (
        encode(real_encoder()[1], sentences),
        Generator().manual_seed(seed),
    )
    moved = [p for p in model.parameters() if p.requires_grad]
    optimizer = torch.optim.AdamW(moved, lr=rate, weight_decay=0.01, fused=True)
    for step in range(steps):
        share = min((step + 1) / 10, 1 - step / steps)
        optimizer.param_groups[0]["lr"] = rate * share
        some = torch.randint(EXAMPLES, (BATCH,), generator=generator)
        loss = F.cross_entropy(model(ids[some]), labels[some])
        optimizer.zero_grad()
        loss.backward()
        optimizer.step()


@cached("longer_prompts")
def run(rate: float, seed: int, steps: int = STEPS) -> dict:
    """Train one prompt of eight vectors, and measure its accuracy."""
    model = classifier("prompt, 8 vectors", seed)
    tune(model, rate, seed, steps)
    return {
        "training": accuracy(model, *draw(EXAMPLES, "training", seed)),
        "validation": accuracy(model, *draw(TESTED, "validation", seed=0)),
        "test": accuracy(model, *draw(TESTED, "test", seed=0)),
    }


def results() -> dict[float, dict]:
    """By rate, a run with the first seed."""
    return {rate: run(rate, SEEDS[0]) for rate in RATES}
# --8<-- [end:longer]
