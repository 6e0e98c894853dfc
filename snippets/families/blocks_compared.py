"""Each change of the block alone, and all at once: one training, several seeds."""

# --8<-- [start:imports]
import time
from collections.abc import Callable
from functools import cache

import torch
from torch import Generator, Tensor, nn

from snippets.before.language_models import split
from snippets.before.two_constitutions import constitution
from snippets.families.block_changes import CHANGES, CONTROL, ChangedModel
from snippets.tools.in_parallel import in_parallel
from snippets.tools.kept import kept
from snippets.training.decoding import inference
from snippets.training.loss import smoothed_cross_entropy
from snippets.training.trainer import Trainer
# --8<-- [end:imports]


# --8<-- [start:text]
UNKNOWN, LENGTH = 0, 64  # a character not in training; characters of context


class Text:
    """The constitution in one language, and an id for each character of train.

    Raises ValueError for a language without one.
    """

    def __init__(self, language: str) -> None:
        self.train, self.dev, self.test = (
            "\n".join(lines) + "\n" for lines in split(constitution(language))
        )
        self.characters = sorted(set(self.train))
        self.ids = {one: i for i, one in enumerate(self.characters, start=1)}
        self.encoded = self.encode(self.train)

    def encode(self, text: str) -> Tensor:
        """An id for each character."""
        return torch.tensor([self.ids.get(one, UNKNOWN) for one in text])

    def draw_batch(self, generator: Generator, batch_size: int = 16) -> Tensor:
        """Passages from anywhere in train: (batch_size, LENGTH + 1)."""
        most, shape = len(self.encoded) - LENGTH, (batch_size, 1)
        starts = torch.randint(most, shape, generator=generator)
        return self.encoded[starts + torch.arange(LENGTH + 1)]


@cache
def text_of(language: str) -> Text:
    """Read once."""
    return Text(language)


def loss(model: nn.Module, ids: Tensor) -> Tensor:
    """Of each character after those before it; unknown ones do not count."""
    return smoothed_cross_entropy(model(ids[:, :-1]), ids[:, 1:], 0.0, UNKNOWN)


def evaluate(model: nn.Module, ids: Tensor) -> tuple[float, float]:
    """The loss in nats, and what share of a text the first guess gets right."""
    ids = ids.unfold(0, LENGTH + 1, LENGTH)  # one ends where one begins
    with inference(model):
        right = model(ids[:, :-1]).argmax(dim=-1) == ids[:, 1:]
        share = right[ids[:, 1:] != UNKNOWN].float().mean()
        return loss(model, ids).item(), share.item()


# --8<-- [end:text]


# --8<-- [start:recipe]
STEPS, SEEDS = 250, range(3)
PEAKS = (0.005, 0.01, 0.02, 0.04)
BLOCKS = {
    "2017": (),
    **{change: (change,) for change in CHANGES},
    "today": CHANGES,
    CONTROL: (CONTROL,),
}


def schedule(peak: float) -> Callable[[int], float]:
    """Up in a line over 100 steps, and down to 0 over the last half."""
    return lambda step: peak * min(step / 100, 1, 2 * (STEPS + 1 - step) / STEPS)


def train(language: str, block: str, peak: float, seed: int) -> dict:
    """Train once: the loss on the lines to choose by and on those to test on."""
    torch.manual_seed(seed)
    own = text_of(language)
    model = ChangedModel(len(own.characters) + 1, *BLOCKS[block])
    trainer = Trainer(model, loss, own.draw_batch, schedule(peak), seed)
    start = time.process_time()
    trainer.run(STEPS)
    seconds = time.process_time() - start
    test, right = evaluate(model, own.encode(own.test))
    return {
        "first losses": trainer.losses[:10],
        "dev": evaluate(model, own.encode(own.dev))[0],
        "test": test,
        "exact match": right,
        "seconds": seconds,
    }


# --8<-- [end:recipe]


# --8<-- [start:compared]
def all_runs(language: str) -> dict[str, dict[str, list[dict]]]:
    """Of each block, with each peak of the learning rate, a run for each seed."""

    def compute() -> tuple[dict, dict]:
        calls = [(language, b, p, s) for b in BLOCKS for p in PEAKS for s in SEEDS]
        runs = iter(in_parallel(train, calls))
        data = {
            b: {str(p): [next(runs) for _ in SEEDS] for p in PEAKS} for b in BLOCKS
        }
        return {}, data

    name = f"blocks_compared-{language}"
    return kept(name, "families/blocks_compared", compute)[1]


def compared(language: str) -> dict[str, tuple[float, list[float]]]:
    """Of each block: the peak with the lowest loss on dev, and losses on test."""

    def dev(runs: list[dict]) -> float:
        return sum(run["dev"] for run in runs)

    chosen = {}
    for block, by_peak in all_runs(language).items():
        peak = min(by_peak, key=lambda peak: dev(by_peak[peak]))
        chosen[block] = float(peak), [run["test"] for run in by_peak[peak]]
    return chosen


# --8<-- [end:compared]
