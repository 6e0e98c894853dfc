"""A task whose sentences are as long as one likes: a number read out digit by digit."""

# --8<-- [start:imports]
import torch
from torch import Generator, Tensor

from snippets.before.vocabulary import Vocabulary, pad_pairs
# --8<-- [end:imports]


# --8<-- [start:read]
ENGLISH = "zero one two three four five six seven eight nine".split()
KOREAN = "영 일 이 삼 사 오 육 칠 팔 구".split()


def vocabulary() -> Vocabulary:
    """The ten digits as words of both languages."""
    return Vocabulary([*ENGLISH, *KOREAN])


def batch(numbers: list[list[int]], vocab: Vocabulary) -> tuple[Tensor, Tensor]:
    """Sources, (batch, n), and targets that begin with <s>, (batch, m)."""
    return pad_pairs(
        vocab, [([ENGLISH[i] for i in n], [KOREAN[i] for i in n]) for n in numbers]
    )
# --8<-- [end:read]


# --8<-- [start:draw]
def is_held_out(number: list[int]) -> bool:
    """Numbers whose digits sum to 4, 14, 24 and so on are never trained on."""
    return sum(number) % 10 == 4


def draw(
    lengths: list[int], held_out: bool, generator: Generator
) -> list[list[int]]:
    """A random number of each of these lengths, held out or not."""
    numbers = []
    for length in lengths:
        number = torch.randint(10, (length,), generator=generator).tolist()
        if held_out:  # the last digit decides
            number[-1] = (4 - sum(number[:-1])) % 10
        elif is_held_out(number):
            number[-1] = (number[-1] + 1) % 10
        numbers.append(number)
    return numbers
# --8<-- [end:draw]
