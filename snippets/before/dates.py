"""A task for a small translator: English dates into Korean ones."""

# --8<-- [start:imports]
import calendar
import datetime

import torch
from torch import Tensor

from snippets.before.vocabulary import Vocabulary, pad_pairs
# --8<-- [end:imports]


# --8<-- [start:write]
DAYS = "월요일 화요일 수요일 목요일 금요일 토요일 일요일".split()


def english(date: datetime.date) -> list[str]:
    """The tokens of Tuesday, March 5, 2024; numbers digit by digit."""
    day, month = calendar.day_name[date.weekday()], calendar.month_name[date.month]
    return [day, ",", month, *str(date.day), ",", *str(date.year)]


def korean(date: datetime.date) -> list[str]:
    """The tokens of 2024년 3월 5일 화요일; numbers digit by digit."""
    year, month, day = str(date.year), str(date.month), str(date.day)
    return [*year, "년", *month, "월", *day, "일", DAYS[date.weekday()]]
# --8<-- [end:write]


# --8<-- [start:dates]
FIRST = datetime.date.fromisoformat("1900-01-01")
DATES = [FIRST + datetime.timedelta(days) for days in range(73_049)]  # to 2099
HELD_OUT = [date for date in DATES if date.toordinal() % 100 == 0]
TRAINED = [date for date in DATES if date.toordinal() % 100 != 0]


def draw(batch_size: int, generator: torch.Generator) -> list[datetime.date]:
    """Random dates, none of them held out."""
    picks = torch.randint(len(TRAINED), (batch_size,), generator=generator)
    return [TRAINED[i] for i in picks.tolist()]
# --8<-- [end:dates]


# --8<-- [start:batch]
def vocabulary() -> Vocabulary:
    """The tokens of all dates in both languages, in one vocabulary."""
    one_year = DATES[:365]  # in which each of them occurs
    return Vocabulary(token for d in one_year for token in english(d) + korean(d))


def batch(dates: list[datetime.date], vocab: Vocabulary) -> tuple[Tensor, Tensor]:
    """Sources, (batch, n), and targets that begin with <s>, (batch, m)."""
    return pad_pairs(vocab, [(english(date), korean(date)) for date in dates])
# --8<-- [end:batch]
