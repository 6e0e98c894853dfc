"""Two small translators: their models, their training, their examination."""

# --8<-- [start:imports]
from collections.abc import Callable

import torch
from torch import Tensor

from snippets.model.transformer import Transformer
from snippets.tools.kept import kept
from snippets.training import dates, numbers
from snippets.training.decoding import greedy
from snippets.training.trainer import Training
from snippets.training.vocabulary import Vocabulary, pad
from snippets.training.warm_up import learning_rate
# --8<-- [end:imports]


# --8<-- [start:recipe]
SIZES = {"num_layers": 2, "d_model": 64, "num_heads": 4, "d_ff": 256, "p": 0.0}
STEPS = {"dates": 250, "numbers": 400}


def rate(step: int, steps: int) -> float:
    """Warm-up over 100 steps, and down to 0 over the last 100.

    The factor has been found by trying.
    """
    cool_down = min(1.0, max(0.0, (steps + 1 - step) / 100))
    return 0.2 * learning_rate(step, SIZES["d_model"], 100) * cool_down


def new_training(
    words: Vocabulary, draw: Callable, steps: int, seed: int
) -> Training:
    """A model that has not learned anything yet, and all that will teach it."""
    torch.manual_seed(seed)
    model = Transformer(len(words), **SIZES)
    return Training(model, draw, lambda step: rate(step, steps), seed=seed)
# --8<-- [end:recipe]


# --8<-- [start:date_training]
DATE_WORDS = dates.vocabulary()


def draw_dates(generator: torch.Generator) -> tuple[Tensor, Tensor]:
    """A batch of 64 dates, none of them held out."""
    return dates.batch(dates.draw(64, generator), DATE_WORDS)


def date_training(seed: int) -> Training:
    """The translator of dates, before its first step."""
    return new_training(DATE_WORDS, draw_dates, STEPS["dates"], seed)
# --8<-- [end:date_training]


# --8<-- [start:number_training]
NUMBER_WORDS = numbers.vocabulary()
DIGITS = 5  # longer numbers are never trained on


def draw_numbers(generator: torch.Generator) -> tuple[Tensor, Tensor]:
    """A batch of 64 numbers, none of them held out."""
    drawn = numbers.draw(64, DIGITS, generator)
    return numbers.batch(drawn, NUMBER_WORDS)


def number_training(seed: int) -> Training:
    """The same model and the same training, for numbers of up to five digits."""
    return new_training(NUMBER_WORDS, draw_numbers, STEPS["numbers"], seed)
# --8<-- [end:number_training]


# --8<-- [start:exact_match]
def translate(
    model: Transformer,
    words: Vocabulary,
    sentences: list[list[str]],
    longest: int = 30,
) -> list[list[str]]:
    """What the model writes for each sentence: at most so many words."""
    src = pad([words.encode(sentence) for sentence in sentences])
    written = greedy(model.eval(), src, longest)
    return [words.decode(ids) for ids in written.tolist()]


def exact_match(written: list[list[str]], right: list[list[str]]) -> float:
    """The share of sentences that are right in every word."""
    return sum(a == b for a, b in zip(written, right, strict=True)) / len(right)


def date_exact_match(model: Transformer, examination=dates.HELD_OUT) -> float:
    """Of dates that were held out of training, or of some of them."""
    sentences = [dates.english(date) for date in examination]
    right = [dates.korean(date) for date in examination]
    longest = max(map(len, right)) + 1  # a longer one is not right
    return exact_match(translate(model, DATE_WORDS, sentences, longest), right)
# --8<-- [end:exact_match]


# --8<-- [start:trained]
def trained(task: str, seed: int = 0) -> Training:
    """A finished training, from a file if the same code has done it before."""
    training = {"dates": date_training, "numbers": number_training}[task](seed)

    def train() -> tuple[dict[str, Tensor], dict]:
        training.run(STEPS[task])
        return training.model.state_dict(), {"losses": training.losses}

    state, data = kept(f"{task}-{seed}", "training/translator", train)
    training.model.load_state_dict(state)
    training.losses = data["losses"]
    training.model.eval()
    return training
# --8<-- [end:trained]
