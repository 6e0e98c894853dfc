"""Number words are right in both languages, and the vocabulary has them all."""

from __future__ import annotations

import pytest
import torch
from hypothesis import given
from hypothesis import strategies as st

import tests.properties  # noqa: F401 (the profile for Hypothesis)
from snippets.before.vocabulary import BOS
from snippets.training.numbers import batch, draw, english, is_held_out, korean, rest, vocabulary

KNOWN = {
    0: ("zero", "영"),
    7: ("seven", "칠"),
    10: ("ten", "십"),
    19: ("nineteen", "십구"),
    20: ("twenty", "이십"),
    45: ("forty five", "사십오"),
    99: ("ninety nine", "구십구"),
    100: ("one hundred", "백"),
    110: ("one hundred ten", "백십"),
    999: ("nine hundred ninety nine", "구백구십구"),
    1000: ("one thousand", "천"),
    1001: ("one thousand one", "천일"),
    10_000: ("ten thousand", "만"),
    12_300: ("twelve thousand three hundred", "만이천삼백"),
    20_000: ("twenty thousand", "이만"),
    110_000: ("one hundred ten thousand", "십일만"),
    1_000_000: ("one million", "백만"),
    1_234_567: (
        "one million two hundred thirty four thousand five hundred sixty seven",
        "백이십삼만사천오백육십칠",
    ),
}
VALUES = {"one": 1, "thousand": 1000, "million": 10**6, "hundred": 100}
DIGITS = {digit: i for i, digit in enumerate("영일이삼사오육칠팔구")}
UNITS = {"십": 10, "백": 100, "천": 1000}


@pytest.mark.parametrize("n", KNOWN)
def test_known_numbers(n):
    assert (" ".join(english(n)), "".join(korean(n))) == KNOWN[n]


def value_of_korean(words: list[str]) -> int:
    """Read by another way: from left to right, in groups of ten thousand."""
    whole, group, digit = 0, 0, 0
    for word in words:
        if word == "만":
            whole, group, digit = (group + digit or 1) * 10_000, 0, 0
        elif word in UNITS:
            group, digit = group + (digit or 1) * UNITS[word], 0
        else:
            digit = DIGITS[word]
    return whole + group + digit


def value_of_english(words: list[str]) -> int:
    small = {w: i for i, w in enumerate("zero one two three four five six seven eight nine ten".split())}
    small |= {w: i + 11 for i, w in enumerate("eleven twelve thirteen fourteen fifteen sixteen".split())}
    small |= {w: i + 17 for i, w in enumerate("seventeen eighteen nineteen".split())}
    small |= {w: 10 * i + 20 for i, w in enumerate("twenty thirty forty fifty sixty seventy eighty ninety".split())}
    whole, group = 0, 0
    for word in words:
        if word == "hundred":
            group *= 100
        elif word in ("thousand", "million"):
            whole, group = whole + group * VALUES[word], 0
        else:
            group += small[word]
    return whole + group


@given(st.integers(0, 10**8 - 1))
def test_words_mean_the_number(n):
    assert value_of_english(english(n)) == value_of_korean(korean(n)) == n
    assert english(n) == (rest(n) or ["zero"])


@pytest.mark.parametrize("write", [english, korean])
def test_negative_numbers_are_refused(write):
    with pytest.raises((ValueError, IndexError)):
        write(-100)


def test_every_eleventh_number_is_held_out():
    assert [n for n in range(300) if is_held_out(n)] == list(range(4, 300, 11))


def test_draws_have_all_lengths_equally_often_and_nothing_held_out():
    numbers = draw(6000, 5, torch.Generator().manual_seed(0))
    assert len(numbers) == 6000 and max(numbers) < 10**5
    assert not any(map(is_held_out, numbers))
    # a draw of k digits has fewer, if it begins with zeros
    one = sum(n < 10 for n in numbers) / 6000
    assert one == pytest.approx((1 + 0.1 + 0.01 + 0.001 + 0.0001) / 5, abs=0.02)
    assert sum(n >= 50_000 for n in numbers) / 6000 == pytest.approx(0.5 / 5, abs=0.02)
    last = [n % 11 for n in numbers if n > 1000]
    assert last.count(3) > 1.5 * last.count(5), "the number before a held-out one takes its place"
    assert max(draw(2000, 2, torch.Generator().manual_seed(0))) == 99
    assert min(draw(500, 1, torch.Generator().manual_seed(0))) == 0


def test_the_vocabulary_has_all_words():
    vocab = vocabulary()
    generator = torch.Generator().manual_seed(1)
    for n in [*range(1200), *draw(2000, 7, generator), 9_999_999]:
        vocab.encode(english(n)), vocab.encode(korean(n))
    assert len(vocab) == 3 + 20 + 8 + 3 + 10 + 4  # marks, ones, tens and units; digits and units


def test_a_batch_is_sources_and_targets():
    vocab = vocabulary()
    src, tgt = batch([12_300, 7], vocab)
    assert vocab.decode(src[0].tolist()) == english(12_300)
    assert vocab.decode(tgt[1].tolist()) == korean(7)
    assert (tgt[:, 0] == BOS).all() and (src[:, 0] != BOS).all()


@pytest.mark.parametrize("read", [english, korean])
@pytest.mark.parametrize("n", [-1, -20, -21, -(10**6)])
def test_a_negative_number_is_not_read_out_as_another_one(read, n):
    with pytest.raises(ValueError, match=f"^{n} is no"):
        read(n)


def test_english_has_no_word_for_a_thousand_million():
    assert english(10**9 - 1)[:3] == ["nine", "hundred", "ninety"]
    with pytest.raises(ValueError, match="^1000000000 is not between 0 and 999,999,999$"):
        english(10**9)
