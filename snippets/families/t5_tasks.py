"""One small T5 for four tasks, told apart by the words before the input."""

# --8<-- [start:imports]
from collections.abc import Callable, Sequence
from dataclasses import dataclass

import torch
from torch import Generator, Tensor

from snippets.before import dates
from snippets.before.accuracy import exact_match
from snippets.before.vocabulary import Vocabulary, pad, pad_pairs
from snippets.families.t5 import T5, T5Config
from snippets.tools.in_parallel import in_parallel
from snippets.tools.kept import kept
from snippets.training import numbers
from snippets.training.decoding import greedy
from snippets.training.trainer import Trainer
from snippets.training.translator import translation_loss
from snippets.training.warm_up import learning_rate
# --8<-- [end:imports]


# --8<-- [start:TASKS]
@dataclass(frozen=True)
class Task:
    """What goes in and comes out for an x, and which x are drawn and held out."""

    source: Callable[..., list[str]]
    target: Callable[..., list[str]]
    draw: Callable[[int, Generator], list]
    held_out: Sequence


def digits(n: int) -> list[str]:
    return list(str(n))


def backwards(n: int) -> list[str]:
    return digits(n)[::-1]


def draw_numbers(size: int, generator: Generator) -> list[int]:
    return numbers.draw(size, 5, generator)  # of up to five digits


DATES = (dates.draw, dates.HELD_OUT[::4])
NUMBERS = (draw_numbers, range(4, 100_000, 11 * 45))  # see numbers.is_held_out
TASKS = {
    "translate English to Korean :": Task(dates.english, dates.korean, *DATES),
    "reverse :": Task(digits, backwards, *NUMBERS),
    "read in English :": Task(digits, numbers.english, *NUMBERS),
    "read in Korean :": Task(digits, numbers.korean, *NUMBERS),
}
# --8<-- [end:TASKS]


# --8<-- [start:draw_batch]
def vocabulary() -> Vocabulary:
    """The tokens of all four tasks and of their prefixes, in one vocabulary."""
    both = [*dates.vocabulary().tokens[3:], *numbers.vocabulary().tokens[3:]]
    return Vocabulary([*both, *" ".join(TASKS).split()])


VOCAB = vocabulary()


def with_prefix(prefix: str, x: object) -> tuple[list[str], list[str]]:
    """Source and target of an x; the source begins with the prefix."""
    task = TASKS[prefix]
    return [*prefix.split(), *task.source(x)], task.target(x)


def draw_batch(generator: Generator) -> tuple[Tensor, Tensor]:
    """16 pairs of each task in one batch, (64, n) and (64, m)."""
    pairs = [
        with_prefix(prefix, x)
        for prefix, task in TASKS.items()
        for x in task.draw(16, generator)
    ]
    return pad_pairs(VOCAB, pairs)
# --8<-- [end:draw_batch]


# --8<-- [start:run]
SMALL = T5Config(
    vocab_size=len(VOCAB),
    num_layers=2,
    d_model=64,
    num_heads=4,
    d_k=16,
    d_ff=256,
    dropout=0.0,
    num_buckets=16,
    max_distance=20,
)
STEPS, SEEDS = 1500, (0, 1, 2)


def schedule(step: int) -> float:
    """Warm-up over 100 steps, and down to 0 over the last third."""
    cool_down = min(1.0, (STEPS + 1 - step) / (STEPS / 3))
    return 0.5 * learning_rate(step, SMALL.d_model, 100) * cool_down


def answers(model: T5, sources: Sequence[list[str]]) -> list[list[str]]:
    """What the model generates for each source, 20 tokens at most."""
    src = pad([VOCAB.encode(source) for source in sources])
    return [VOCAB.decode(ids) for ids in greedy(model, src, 20).tolist()]


def evaluate(model: T5, prefix: str) -> float:
    """Exact match on what was held out of training."""
    pairs = [with_prefix(prefix, x) for x in TASKS[prefix].held_out]
    sources, right = zip(*pairs, strict=True)
    return exact_match(answers(model, sources), list(right))


def run(seed: int) -> dict:
    """Train one model on all tasks at once, and evaluate it on each."""
    torch.manual_seed(seed)
    trainer = Trainer(T5(SMALL), translation_loss, draw_batch, schedule, seed)
    trainer.run(STEPS)
    model = trainer.model.half().float()  # its weights are kept in half precision
    found = {prefix: {"exact match": evaluate(model, prefix)} for prefix in TASKS}
    return {"state": model.half().state_dict(), "losses": trainer.losses} | found
# --8<-- [end:run]


# --8<-- [start:trained]
def runs() -> tuple[dict[str, Tensor], dict]:
    """With each seed, from a file if the same code has done it before."""

    def compute() -> tuple[dict[str, Tensor], dict]:
        done = in_parallel(run, [(seed,) for seed in SEEDS])
        by_task = {prefix: [one[prefix] for one in done] for prefix in TASKS}
        return done[0]["state"], {"losses": done[0]["losses"], "tasks": by_task}

    return kept("t5-tasks", "families/t5_tasks", compute)


def trained() -> T5:
    """The finished model of the first seed."""
    model = T5(SMALL)
    model.load_state_dict(runs()[0])
    return model.eval()


def exact_matches() -> dict[str, list[dict[str, float]]]:
    """By prefix, for each seed what was right on held-out dates and numbers."""
    return runs()[1]["tasks"]
# --8<-- [end:trained]
