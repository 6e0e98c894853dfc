"""A harder task: English number words into Korean ones, which group by fours."""

# --8<-- [start:imports]
import torch
from torch import Tensor

from snippets.before.vocabulary import Vocabulary, pad_pairs
# --8<-- [end:imports]


# --8<-- [start:english]
ONES = """zero one two three four five six seven eight nine ten eleven twelve
thirteen fourteen fifteen sixteen seventeen eighteen nineteen""".split()
TENS = "twenty thirty forty fifty sixty seventy eighty ninety".split()


def english(n: int) -> list[str]:
    """12300 -> twelve thousand three hundred: groups of three digits.

    Raises ValueError for negative numbers, and from a thousand million on.
    """
    if not 0 <= n < 10**9:
        raise ValueError(f"{n} is not between 0 and 999,999,999")
    if n < 20:
        return [ONES[n]]
    if n < 100:
        return [TENS[n // 10 - 2], *rest(n % 10)]
    units = [(10**6, "million"), (10**3, "thousand"), (100, "hundred")]
    size, name = next(unit for unit in units if n >= unit[0])
    return [*english(n // size), name, *rest(n % size)]


def rest(n: int) -> list[str]:
    """What follows a larger unit: nothing if it is zero."""
    return english(n) if n else []
# --8<-- [end:english]


# --8<-- [start:korean]
def korean(n: int) -> list[str]:
    """12300 -> 만 이 천 삼 백: groups of four digits, and no 일 before a unit.

    For n below 10**8, where a larger unit begins. Raises ValueError for
    negative numbers.
    """
    if n < 0:
        raise ValueError(f"{n} is no natural number")
    if n < 10:
        return ["영일이삼사오육칠팔구"[n]]
    units = [(10**4, "만"), (1000, "천"), (100, "백"), (10, "십")]
    size, name = next(unit for unit in units if n >= unit[0])
    times, left = n // size, n % size
    before = korean(times) if times > 1 else []
    return [*before, name, *(korean(left) if left else [])]
# --8<-- [end:korean]


# --8<-- [start:numbers]
def is_held_out(n: int) -> bool:
    """Every eleventh number is never trained on."""
    return n % 11 == 4


def vocabulary() -> Vocabulary:
    """The tokens of all numbers below ten million, in both languages."""
    larger = ["hundred", "thousand", "million"]
    return Vocabulary([*ONES, *TENS, *larger, *"영일이삼사오육칠팔구십백천만"])


def batch(numbers: list[int], vocab: Vocabulary) -> tuple[Tensor, Tensor]:
    """Sources, (batch, n), and targets that begin with <s>, (batch, m)."""
    return pad_pairs(vocab, [(english(n), korean(n)) for n in numbers])


def draw(batch_size: int, digits: int, generator: torch.Generator) -> list[int]:
    """Random numbers, of each length up to digits equally often, none held out."""
    lengths = torch.randint(1, digits + 1, (batch_size,), generator=generator)
    shares = torch.rand(batch_size, generator=generator, dtype=torch.float64)
    numbers = (shares * 10.0**lengths).long().tolist()
    # where one is held out, the number before it takes its place
    return [n - is_held_out(n) for n in numbers]
# --8<-- [end:numbers]
