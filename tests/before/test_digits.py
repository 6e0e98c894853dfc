"""Digits are read one by one in both languages; what is held out is never drawn for training."""

from __future__ import annotations

import torch
from hypothesis import given
from hypothesis import strategies as st
from torch import Generator

import tests.properties  # noqa: F401 (the profile for Hypothesis)
from snippets.before import digits

numbers = st.lists(st.integers(0, 9), min_size=1, max_size=12)


def test_a_number_is_read_digit_by_digit():
    vocab = digits.vocabulary()
    src, tgt = digits.batch([[0, 1, 0], [9]], vocab)
    assert [vocab.decode(ids) for ids in src.tolist()] == ["zero one zero".split(), ["nine"]]
    assert [vocab.decode(ids) for ids in tgt[:1].tolist()] == ["영 일 영".split()]
    assert src.shape == (2, 4) and tgt.shape == (2, 5) and src[1, 2:].tolist() == [0, 0]
    assert len(vocab) == 23


@given(numbers)
def test_every_tenth_number_is_held_out(number):
    family = [[*number[:-1], last] for last in range(10)]
    assert sum(map(digits.is_held_out, family)) == 1
    assert digits.is_held_out([4]) and digits.is_held_out([9, 5]) and not digits.is_held_out([0])


@given(st.lists(st.integers(1, 9), min_size=1, max_size=6), st.booleans(), st.integers(0, 99))
def test_what_is_drawn_has_these_lengths_and_is_held_out_if_asked(lengths, held_out, seed):
    drawn = digits.draw(lengths, held_out, Generator().manual_seed(seed))
    assert [len(number) for number in drawn] == lengths
    assert all(digits.is_held_out(number) is held_out for number in drawn)
    assert all(digit in range(10) for number in drawn for digit in number)
    assert drawn == digits.draw(lengths, held_out, Generator().manual_seed(seed))


@given(st.lists(st.integers(1, 4), min_size=30, max_size=30), st.integers(0, 99))
def test_only_the_last_digit_is_changed_and_only_if_it_has_to_be(lengths, seed):
    generator, drawn = Generator().manual_seed(seed), digits.draw(lengths, False, Generator().manual_seed(seed))
    for number in drawn:
        at_first = torch.randint(10, (len(number),), generator=generator).tolist()
        if digits.is_held_out(at_first):
            at_first[-1] = {9: 0}.get(at_first[-1], at_first[-1] + 1)
        assert number == at_first


def test_every_digit_is_drawn_everywhere():
    for held_out in (False, True):
        drawn = torch.tensor(digits.draw([3] * 600, held_out, Generator().manual_seed(0)))
        counts = torch.stack([(drawn == digit).sum(dim=0) for digit in range(10)])
        assert counts.min() > 20 and counts.max() < 130, "each is expected 60 times at each position"
    last = torch.tensor(digits.draw([1] * 600, False, Generator().manual_seed(0)))
    assert not (last == 4).any() and (last == 5).sum() > (last == 6).sum(), "5 stands in for 4"
