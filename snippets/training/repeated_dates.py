"""The date translator with dropout and without it, on few dates and on new ones."""

# --8<-- [start:imports]
from dataclasses import replace

import torch
from torch import Generator, Tensor

from snippets.before import dates
from snippets.model.transformer import Transformer
from snippets.tools.cached import cached, progress
from snippets.training.decoding import inference
from snippets.training.loss import next_token_loss
from snippets.training.trainer import Trainer
from snippets.training.translator import DATE_VOCAB, SMALL, translation_loss
# --8<-- [end:imports]


# --8<-- [start:train]
STEPS, BATCH = 300, 32
FEW = 50  # dates, each seen about 190 times; None: all, mostly seen once


@cached("repeated_dates")
def train(few: int | None, dropout: float, peak: float, seed: int) -> dict:
    """Losses, without dropout, on dates trained on and on dates held out."""
    generator = Generator().manual_seed(100 + seed)
    order = torch.randperm(len(dates.TRAINED), generator=generator).tolist()
    known = [dates.TRAINED[i] for i in order[:few]]

    def draw_batch(generator: Generator) -> tuple[Tensor, Tensor]:
        picks = torch.randint(len(known), (BATCH,), generator=generator)
        return dates.batch([known[i] for i in picks.tolist()], DATE_VOCAB)

    def learning_rate(step: int) -> float:
        return peak * min(1.0, step / 50, (STEPS + 1 - step) / 100)

    torch.manual_seed(seed)
    config = replace(
        SMALL, vocab_size=len(DATE_VOCAB), dropout=dropout, norm_first=True
    )
    trainer = Trainer(
        Transformer(config), translation_loss, draw_batch, learning_rate, seed
    )
    for _ in progress(STEPS, f"{few=}, {dropout=}, {seed=}"):
        trainer.step()
    found = {}
    sets = {"training": known[:FEW], "held out": dates.HELD_OUT[::4]}
    for name, some in sets.items():
        src, tgt = dates.batch(some, DATE_VOCAB)
        with inference(trainer.model):
            found[name] = next_token_loss(trainer.model, src, tgt).item()
    return found
# --8<-- [end:train]


# --8<-- [start:results]
SEEDS, PEAKS, DROPOUTS = range(3), (0.0015, 0.003, 0.006), (0.0, 0.1, 0.3)


def results() -> dict[tuple[int | None, float, float], list[dict]]:
    """A run for each seed: few dates at each peak, new ones at the middle one."""
    settings: list[tuple[int | None, float, float]] = [
        (FEW, p, peak) for p in DROPOUTS for peak in PEAKS
    ]
    settings += [(None, p, PEAKS[1]) for p in DROPOUTS]
    runs = iter(train.each((*of, seed) for of in settings for seed in SEEDS))
    return {of: [next(runs) for _ in SEEDS] for of in settings}
# --8<-- [end:results]
