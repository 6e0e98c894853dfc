"""The recurrent translator: its training, on dates and on numbers of any length."""

# --8<-- [start:imports]
from collections.abc import Callable, Mapping

import torch
import torch.nn.functional as F
from torch import Generator, Tensor, nn

from snippets.before import dates, digits
from snippets.before.accuracy import exact_match, token_accuracy
from snippets.before.encoder_decoder import RecurrentTranslator, greedy
from snippets.before.vocabulary import PAD, Vocabulary, pad
from snippets.tools.in_parallel import in_parallel
from snippets.tools.kept import kept
# --8<-- [end:imports]


# --8<-- [start:train]
def train(
    model: nn.Module, draw_batch: Callable, steps: int, seed: int
) -> list[float]:
    """Train on random batches of sources and targets; the losses of all steps."""
    generator, losses = Generator().manual_seed(seed), []
    optimizer = torch.optim.Adam(model.parameters())
    rate = torch.optim.lr_scheduler.OneCycleLR(
        optimizer, max_lr=5e-3, total_steps=steps, cycle_momentum=False
    )
    for _ in range(steps):
        src, tgt = draw_batch(generator)
        logits = model(src, tgt[:, :-1]).flatten(0, 1)  # the true tokens go in
        loss = F.cross_entropy(logits, tgt[:, 1:].flatten(), ignore_index=PAD)
        optimizer.zero_grad()
        loss.backward()
        nn.utils.clip_grad_norm_(model.parameters(), 1.0)
        optimizer.step()
        rate.step()
        losses.append(loss.item())
    return losses
# --8<-- [end:train]


# --8<-- [start:translate]
def translate(
    model: RecurrentTranslator, vocab: Vocabulary, sentences: list[list[str]]
) -> list[list[str]]:
    """What the model generates for each sentence, 30 tokens at most."""
    src = pad([vocab.encode(sentence) for sentence in sentences])
    return [vocab.decode(ids) for ids in greedy(model, src, 30).tolist()]
# --8<-- [end:translate]


# --8<-- [start:trained_on_dates]
DATE_VOCAB = dates.vocabulary()


def draw_dates(generator: Generator) -> tuple[Tensor, Tensor]:
    """A batch of 64 dates, none of them held out."""
    return dates.batch(dates.draw(64, generator), DATE_VOCAB)


def date_exact_match(model: RecurrentTranslator) -> float:
    """Of all dates that were held out of training."""
    sentences = [dates.english(date) for date in dates.HELD_OUT]
    right = [dates.korean(date) for date in dates.HELD_OUT]
    return exact_match(translate(model, DATE_VOCAB, sentences), right)


def trained_on_dates(
    model_class: Callable = RecurrentTranslator,
    name: str = "recurrent-dates",
    module: str = "before/recurrent_translator",
) -> RecurrentTranslator:
    """A finished model, from a file if the same code has trained it before."""
    torch.manual_seed(0)
    model = model_class(len(DATE_VOCAB), 64)

    def compute() -> tuple[dict[str, Tensor], dict]:
        losses = train(model, draw_dates, 400, seed=0)
        return model.state_dict(), {"losses": losses}

    model.load_state_dict(kept(name, module, compute)[0])
    return model
# --8<-- [end:trained_on_dates]


# --8<-- [start:run]
DIGIT_VOCAB = digits.vocabulary()
LENGTHS = range(2, 21, 2)  # those that are evaluated


def draw_digits(generator: Generator) -> tuple[Tensor, Tensor]:
    """A batch of 64 numbers of 2 to 20 digits, none of them held out."""
    lengths = torch.randint(2, 21, (64,), generator=generator).tolist()
    return digits.batch(digits.draw(lengths, False, generator), DIGIT_VOCAB)


def evaluate(model: RecurrentTranslator, length: int) -> dict[str, float]:
    """On 200 numbers of this length that were held out of training."""
    generator = Generator().manual_seed(length)
    numbers = digits.draw([length] * 200, True, generator)
    sentences = [[digits.ENGLISH[i] for i in number] for number in numbers]
    right = [[digits.KOREAN[i] for i in number] for number in numbers]
    generated = translate(model, DIGIT_VOCAB, sentences)
    return {
        "exact match": exact_match(generated, right),
        "token accuracy": token_accuracy(generated, right),
    }


def run(model_class: Callable, d: int, seed: int) -> dict:
    """Train one model on numbers, and evaluate it at each length."""
    torch.manual_seed(seed)
    model = model_class(len(DIGIT_VOCAB), d)
    train(model, draw_digits, 500, seed)
    found = {str(length): evaluate(model, length) for length in LENGTHS}
    return {"state": model.state_dict(), "by length": found}
# --8<-- [end:run]


# --8<-- [start:length_curves]
SEEDS = (0, 1, 2)


def all_runs(
    models: Mapping[str, tuple[Callable, int]], name: str, module: str
) -> tuple[dict[str, Tensor], dict[str, list[dict]]]:
    """Each model with each seed, from a file if the same code has done it before.

    models: class and d by a name. Returns the parameters of the first model with
    the first seed, and what all of them got right, by the same names.
    """

    def compute() -> tuple[dict[str, Tensor], dict]:
        jobs = [(*model, seed) for model in models.values() for seed in SEEDS]
        done = in_parallel(run, jobs)
        found = iter([one["by length"] for one in done])
        by_name = {which: [next(found) for _ in SEEDS] for which in models}
        return done[0]["state"], by_name

    return kept(name, module, compute)


def curves(
    by_name: dict[str, list[dict]], measure: str = "exact match"
) -> dict[str, Tensor]:
    """By the same names: (seeds, lengths)."""
    return {
        which: torch.tensor([[at[measure] for at in one.values()] for one in runs])
        for which, runs in by_name.items()
    }


def digit_runs() -> tuple[dict[str, Tensor], dict[str, list[dict]]]:
    """Of the translator without attention, with states of three sizes."""
    models = {f"d = {d}": (RecurrentTranslator, d) for d in (64, 32, 128)}
    return all_runs(models, "recurrent-lengths", "before/recurrent_translator")


def length_curves(measure: str = "exact match") -> dict[str, Tensor]:
    """By "d = 64", "d = 32" and "d = 128": (seeds, lengths)."""
    return curves(digit_runs()[1], measure)


def trained_on_digits() -> RecurrentTranslator:
    """The finished model with d = 64 and the first seed."""
    model = RecurrentTranslator(len(DIGIT_VOCAB), 64)
    model.load_state_dict(digit_runs()[0])
    return model
# --8<-- [end:length_curves]
