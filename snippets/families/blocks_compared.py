"""Each change of the block alone, and all at once: one training, several seeds."""

# --8<-- [start:imports]
import time
from collections.abc import Callable

import torch
from torch import Generator, Tensor, nn

from snippets.before.corpus import constitution
from snippets.before.language_models import split
from snippets.families.block_changes import CHANGES, ChangedModel
from snippets.tools.in_parallel import in_parallel
from snippets.tools.kept import kept
from snippets.training.decoding import inference
from snippets.training.loss import smoothed_cross_entropy
from snippets.training.trainer import Trainer
# --8<-- [end:imports]


# --8<-- [start:text]
TRAIN, DEV, TEST = ("\n".join(lines) + "\n" for lines in split(constitution()))
CHARACTERS = sorted(set(TRAIN))
UNKNOWN, LENGTH = 0, 64  # a character that TRAIN lacks; characters of context


def encode(text: str) -> Tensor:
    """An id for each character."""
    ids = {character: i for i, character in enumerate(CHARACTERS, start=1)}
    return torch.tensor([ids.get(character, UNKNOWN) for character in text])


def draw_batch(generator: Generator, batch_size: int = 16) -> Tensor:
    """Passages from anywhere in TRAIN: (batch_size, LENGTH + 1)."""
    text = encode(TRAIN)
    starts = torch.randint(len(text) - LENGTH, (batch_size, 1), generator=generator)
    return text[starts + torch.arange(LENGTH + 1)]


def loss(model: nn.Module, ids: Tensor) -> Tensor:
    """Of each character after those before it; unknown ones do not count."""
    return smoothed_cross_entropy(model(ids[:, :-1]), ids[:, 1:], 0.0, UNKNOWN)


def evaluate(model: nn.Module, text: str) -> tuple[float, float]:
    """Its loss in nats, and what share of it the first guess gets right."""
    ids = encode(text).unfold(0, LENGTH + 1, LENGTH)  # one ends where one begins
    with inference(model):
        right = model(ids[:, :-1]).argmax(dim=-1) == ids[:, 1:]
        share = right[ids[:, 1:] != UNKNOWN].float().mean()
        return loss(model, ids).item(), share.item()
# --8<-- [end:text]


# --8<-- [start:recipe]
STEPS, SEEDS = 250, range(3)
PEAKS = (0.005, 0.01, 0.02, 0.04)
BLOCKS = {"2017": (), **{change: (change,) for change in CHANGES}, "today": CHANGES}


def schedule(peak: float) -> Callable[[int], float]:
    """Up in a line over 100 steps, and down to 0 over the last half."""
    return lambda step: peak * min(step / 100, 1, 2 * (STEPS + 1 - step) / STEPS)


def train(block: str, peak: float, seed: int) -> dict:
    """Train once: the loss on the lines to choose by and on those to test on."""
    torch.manual_seed(seed)
    model = ChangedModel(len(CHARACTERS) + 1, *BLOCKS[block])
    trainer = Trainer(model, loss, draw_batch, schedule(peak), seed)
    start = time.process_time()
    trainer.run(STEPS)
    seconds = time.process_time() - start
    test, right = evaluate(model, TEST)
    return {
        "first losses": trainer.losses[:10],
        "dev": evaluate(model, DEV)[0],
        "test": test,
        "exact match": right,
        "seconds": seconds,
    }
# --8<-- [end:recipe]


# --8<-- [start:compared]
def all_runs() -> dict[str, dict[str, list[dict]]]:
    """Of each block, with each peak of the learning rate, a run for each seed."""

    def compute() -> tuple[dict, dict]:
        calls = [(b, p, s) for b in BLOCKS for p in PEAKS for s in SEEDS]
        runs = iter(in_parallel(train, calls))
        data = {
            b: {str(p): [next(runs) for _ in SEEDS] for p in PEAKS} for b in BLOCKS
        }
        return {}, data

    return kept("blocks_compared", "families/blocks_compared", compute)[1]


def compared() -> dict[str, tuple[float, list[float]]]:
    """Of each block: the peak with the lowest loss on DEV, and losses on TEST."""

    def dev(runs: list[dict]) -> float:
        return sum(run["dev"] for run in runs)

    chosen = {}
    for block, by_peak in all_runs().items():
        peak = min(by_peak, key=lambda peak: dev(by_peak[peak]))
        chosen[block] = float(peak), [run["test"] for run in by_peak[peak]]
    return chosen
# --8<-- [end:compared]
