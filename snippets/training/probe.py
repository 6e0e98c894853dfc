"""What the encoder of the date translator holds where, and what its decoder takes."""

# --8<-- [start:imports]
import calendar

import torch
import torch.nn.functional as F
from torch import Generator, Tensor, nn

from snippets.before import dates
from snippets.model.transformer import Transformer
from snippets.tools.cached import cached, progress
from snippets.training.decoding import inference
from snippets.training.translator import DATE_VOCAB, STEPS, date_trainer
# --8<-- [end:imports]


# --8<-- [start:linear_probe]
def linear_probe(x: Tensor, label: Tensor) -> nn.Linear:
    """A linear classifier of vectors x, (N, d), by label, (N,)."""
    probe = nn.Linear(x.size(1), int(label.max()) + 1)
    nn.init.zeros_(probe.weight)
    optimizer = torch.optim.LBFGS(
        probe.parameters(), max_iter=100, line_search_fn="strong_wolfe"
    )

    def loss() -> Tensor:
        optimizer.zero_grad()
        penalty = 1e-4 * probe.weight.square().sum()
        value = F.cross_entropy(probe(x), label) + penalty
        value.backward()
        return value

    optimizer.step(loss)
    return probe
# --8<-- [end:linear_probe]


# --8<-- [start:present]
TRAINED = dates.draw(2000, Generator().manual_seed(0))
COMMA, MONTH, DAY = 1, 2, 3  # positions in Tuesday, March 5, 2024


def month_read(train_x: Tensor, test_x: Tensor, shuffled: bool = False) -> float:
    """How often a probe tells the month of a held-out date from its vector."""
    train, test = (
        torch.tensor([date.month - 1 for date in some])
        for some in (TRAINED, dates.HELD_OUT)
    )
    if shuffled:  # then there is nothing to be learned: what chance gets
        generator = Generator().manual_seed(0)
        train = train[torch.randperm(len(train), generator=generator)]
    mean, spread = train_x.mean(dim=0), train_x.std(dim=0) + 1e-6
    probe = linear_probe((train_x - mean) / spread, train)
    guess = probe((test_x - mean) / spread).argmax(dim=-1)
    return (guess == test).float().mean().item()


def present(trained: Transformer, untrained: Transformer) -> dict[str, float]:
    """From where the month can be read, and from where it cannot."""
    train, test = (
        dates.batch(some, DATE_VOCAB)[0] for some in (TRAINED, dates.HELD_OUT)
    )
    with inference(trained), inference(untrained):
        x = [trained.encode(src) for src in (train, test)]
        before = [trained.embed(src) for src in (train, test)]
        random = [untrained.encode(src) for src in (train, test)]
    comma = [memory[:, COMMA] for memory in x]
    return {
        "month": month_read(*(memory[:, MONTH] for memory in x)),
        "day": month_read(*(memory[:, DAY] for memory in x)),
        "comma": month_read(*comma),
        "comma, labels shuffled": month_read(*comma, shuffled=True),
        "comma, before the encoder": month_read(*(v[:, COMMA] for v in before)),
        "comma, untrained encoder": month_read(*(m[:, COMMA] for m in random)),
    }
# --8<-- [end:present]


# --8<-- [start:used]
def used(model: Transformer) -> dict[str, dict[str, float]]:
    """How often the most probable month is that of the vectors put in, or its own.

    The decoder is given the year. All months have one digit, which comes next.
    """
    some = [date for date in dates.HELD_OUT if date.month < 10]
    src, tgt = dates.batch(some, DATE_VOCAB)
    other = [date.month % 9 + 1 for date in some]
    donor = src.clone()
    donor[:, MONTH] = torch.tensor(
        [DATE_VOCAB.ids[calendar.month_name[month]] for month in other]
    )
    asked = {"other": other, "own": [date.month for date in some]}
    digits = {
        name: torch.tensor([DATE_VOCAB.ids[str(month)] for month in months])
        for name, months in asked.items()
    }
    everywhere = set(range(src.size(1)))
    followed = {}
    with inference(model):
        own, others = model.encode(src), model.encode(donor)
        for name, positions in [
            ("comma", {COMMA}),
            ("month", {MONTH}),
            ("all but month", everywhere - {MONTH}),
        ]:
            memory = own.clone()
            memory[:, list(positions)] = others[:, list(positions)]
            best = model.decode(tgt[:, :-1], memory, src).argmax(dim=-1)[:, 5]
            followed[name] = {
                month: (best == digit).float().mean().item()
                for month, digit in digits.items()
            }
    return followed
# --8<-- [end:used]


# --8<-- [start:results]
@cached("probe")
def train(seed: int) -> dict:
    """Train a translator and ask both questions; also of one that is untrained."""
    trainer, untrained = date_trainer(seed), date_trainer(seed).model
    for _ in progress(STEPS["dates"], f"{seed=}"):
        trainer.step()
    return {
        "present": present(trainer.model, untrained),
        "used": used(trainer.model),
    }


def results() -> list[dict]:
    """With each of three seeds; trained once, then kept."""
    return train.each((seed,) for seed in range(3))
# --8<-- [end:results]
