"""The translator of number words again, trained on longer numbers or without a seven."""

# --8<-- [start:imports]
from torch import Generator, Tensor, nn

from snippets.tools.cached import cached, progress
from snippets.training import numbers
from snippets.training.numbers import is_held_out
from snippets.training.translator import (
    NUMBER_VOCAB,
    exact_match,
    new_trainer,
    translate,
)
# --8<-- [end:imports]


# --8<-- [start:right]
def right(model: nn.Module, chosen: list[int]) -> float:
    """The share of these numbers that the model translates correctly."""
    sources = [numbers.english(n) for n in chosen]
    targets = [numbers.korean(n) for n in chosen]
    return exact_match(translate(model, NUMBER_VOCAB, sources), targets)


def held_out(digits: int) -> list[int]:
    """Some 450 numbers with so many digits, none of them trained on."""
    low, high = 10 ** (digits - 1), 10**digits
    chosen = range(low, high, max(1, (high - low) // 5000))
    return [n for n in chosen if is_held_out(n)]
# --8<-- [end:right]


# --8<-- [start:longer]
@cached("longer_numbers")
def longer(steps: int, seed: int) -> dict:
    """Trained on up to seven digits: exact match by the number of digits."""

    def draw(generator: Generator) -> tuple[Tensor, Tensor]:
        return numbers.batch(numbers.draw(64, 7, generator), NUMBER_VOCAB)

    trainer = new_trainer(NUMBER_VOCAB, draw, steps, seed)
    for _ in progress(steps, f"{seed=}"):
        trainer.step()
    trainer.model.eval()
    return {str(d): right(trainer.model, held_out(d)) for d in (5, 6, 7)}


def with_more_digits() -> list[dict]:
    """800 steps with three seeds; trained once, then kept."""
    return longer.each((800, seed) for seed in range(3))
# --8<-- [end:longer]


# --8<-- [start:sevens]
def ends_in_seven(n: int) -> bool:
    """By the word for 7: 27 and 407 do, 17 does not."""
    return numbers.english(n)[-1:] == ["seven"]


def without_sevens(drawn: list[int]) -> list[int]:
    """The same numbers, but for each that ends in seven one just below it."""
    fewer = [n - ends_in_seven(n) for n in drawn]
    return [n - is_held_out(n) for n in fewer]


@cached("no_sevens")
def no_sevens(steps: int, seed: int) -> dict:
    """Trained without any number that ends in seven: how many of those are right?

    "others": of held-out numbers that end in something else; "said": what is
    generated for one of the numbers in question.
    """

    def draw(generator: Generator) -> tuple[Tensor, Tensor]:
        drawn = without_sevens(numbers.draw(64, 5, generator))
        return numbers.batch(drawn, NUMBER_VOCAB)

    trainer = new_trainer(NUMBER_VOCAB, draw, steps, seed)
    for _ in progress(steps, f"{seed=}"):
        trainer.step()
    model = trainer.model.eval()
    sevens = [n for n in range(10_007, 100_000, 190) if ends_in_seven(n)]
    others = [n for n in held_out(5) if not ends_in_seven(n)]
    (said,) = translate(model, NUMBER_VOCAB, [numbers.english(72_307)])
    shares = {"sevens": right(model, sevens), "others": right(model, others)}
    return {**shares, "said": " ".join(said)}


def without_a_seven() -> list[dict]:
    """400 steps with three seeds; trained once, then kept."""
    return no_sevens.each((400, seed) for seed in range(3))
# --8<-- [end:sevens]
