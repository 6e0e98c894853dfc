"""The date translator, fine-tuned on a few dates of centuries it does not know."""

# --8<-- [start:imports]
import datetime
from random import Random

import torch

from snippets.before import dates
from snippets.tools.cached import cached, progress
from snippets.training.loss import next_token_loss
from snippets.training.translator import (
    DATE_VOCAB,
    date_exact_match,
    date_trainer,
    trained,
)
# --8<-- [end:imports]


# --8<-- [start:split]
START = datetime.date(1000, 1, 1).toordinal()
EARLY = range(START, dates.FIRST.toordinal())  # the days up to 1899
OLD = dates.HELD_OUT[::5]  # of 1900 to 2099, and never trained on


def split(seed: int, pairs: int) -> tuple[list, list, list]:
    """Dates to train on, 100 to choose settings by, and 300 for the test."""
    drawn = Random(seed).sample(EARLY, 900)
    days = [datetime.date.fromordinal(number) for number in drawn]
    return days[400 : 400 + pairs], days[:100], days[100:400]
# --8<-- [end:split]


# --8<-- [start:fine_tune]
def fine_tune(model, days, rate: float, old: int, seed: int, steps: int) -> None:
    """Batches of 32: so many old dates, the others from those given."""
    draw = Random(seed)
    optimizer = torch.optim.Adam(model.parameters(), lr=rate)
    model.train()
    for _ in progress(steps, f"{rate=}, {old=}, {seed=}"):
        batch = draw.choices(days, k=32 - old) + draw.choices(dates.TRAINED, k=old)
        loss = next_token_loss(model, *dates.batch(batch, DATE_VOCAB))
        optimizer.zero_grad()
        loss.backward()
        optimizer.step()
# --8<-- [end:fine_tune]


# --8<-- [start:results]
@cached("fine_tuned_translator")
def run(start: str, pairs: int, rate: float, old: int, seed: int) -> dict:
    """Shares that are right after fine-tuning: exact matches."""
    model = (trained("dates") if start == "trained" else date_trainer(seed)).model
    days, validation, test = split(seed, pairs)
    fine_tune(model, days, rate, old, seed, STEPS if pairs else 0)
    return {
        "validation": date_exact_match(model, validation),
        "test": date_exact_match(model, test),
        "old": date_exact_match(model, OLD),
    }


STEPS, SEEDS = 40, range(3)
SETTINGS = {  # start, pairs, learning rate, old dates in each batch
    "as trained": ("trained", 0, 0.0, 0),
    "random weights": ("random", 100, 0.0025, 0),
    "rate 0.0001": ("trained", 100, 0.0001, 0),
    "rate 0.0005": ("trained", 100, 0.0005, 0),
    "rate 0.0025": ("trained", 100, 0.0025, 0),
    "20 pairs": ("trained", 20, 0.0005, 0),
    "half old": ("trained", 100, 0.0005, 16),
}


def results() -> dict[str, list[dict]]:
    """With each setting and seed; a seed draws other dates."""
    calls = [(*setting, seed) for setting in SETTINGS.values() for seed in SEEDS]
    runs = iter(run.each(calls))
    return {name: [next(runs) for _ in SEEDS] for name in SETTINGS}
# --8<-- [end:results]
