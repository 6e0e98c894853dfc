"""Dates are what the calendar says, in both languages; nothing held out is drawn."""

from __future__ import annotations

import datetime

import torch

from snippets.before import dates
from snippets.before.vocabulary import BOS, EOS

TUESDAY = datetime.date(2024, 3, 5)


def test_known_dates():
    assert dates.english(TUESDAY) == "Tuesday , March 5 , 2 0 2 4".split()
    assert dates.korean(TUESDAY) == "2 0 2 4 년 3 월 5 일 화요일".split()
    sunday = datetime.date(1999, 10, 31)
    assert dates.english(sunday) == "Sunday , October 3 1 , 1 9 9 9".split()
    assert dates.korean(sunday) == "1 9 9 9 년 1 0 월 3 1 일 일요일".split()


def test_days_of_the_week_agree_with_each_other():
    names = "Monday Tuesday Wednesday Thursday Friday Saturday Sunday".split()
    for i, (name, korean) in enumerate(zip(names, "월화수목금토일", strict=True)):
        day = datetime.date(2024, 1, 1) + datetime.timedelta(days=i)
        assert (dates.english(day)[0], dates.korean(day)[-1]) == (name, korean + "요일")


def test_every_hundredth_day_of_two_centuries_is_held_out():
    assert len(dates.HELD_OUT) == 731 and len(dates.TRAINED) == 73_049 - 731
    assert all(day.toordinal() % 100 == 0 for day in dates.HELD_OUT)
    assert sorted(dates.HELD_OUT + dates.TRAINED) == dates.DATES
    assert (dates.DATES[0], dates.DATES[-1]) == (datetime.date(1900, 1, 1), datetime.date(2099, 12, 31))


def test_nothing_held_out_is_drawn_and_everything_else_can_be():
    drawn = dates.draw(20_000, torch.Generator().manual_seed(0))
    assert len(drawn) == 20_000
    assert set(drawn) <= set(dates.TRAINED)
    assert {day.year for day in drawn} == set(range(1900, 2100))
    assert {day.month for day in drawn} == set(range(1, 13)) and {day.weekday() for day in drawn} == set(range(7))
    again = dates.draw(20_000, torch.Generator().manual_seed(0))
    assert drawn == again != dates.draw(20_000, torch.Generator().manual_seed(1))


def test_the_vocabulary_has_all_words_of_all_dates():
    vocab = dates.vocabulary()
    for year in range(1900, 2100):
        day = datetime.date(year, year % 12 + 1, year % 28 + 1)
        vocab.encode(dates.english(day)), vocab.encode(dates.korean(day))
    assert len(vocab) == 3 + 7 + 12 + 7 + 10 + 4  # marks, days and months, days, digits; comma and three units


def test_a_batch_is_sources_and_targets():
    vocab = dates.vocabulary()
    src, tgt = dates.batch([TUESDAY, datetime.date(1999, 10, 31)], vocab)
    assert vocab.decode(src[0].tolist()) == dates.english(TUESDAY)
    assert vocab.decode(tgt[0].tolist()) == dates.korean(TUESDAY)
    assert (tgt[:, 0] == BOS).all() and (src[:, 0] != BOS).all()
    assert (src == EOS).sum() == (tgt == EOS).sum() == 2
