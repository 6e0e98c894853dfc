"""The probe finds what is in a vector, and only that; the exchange finds what a decoder reads."""

from __future__ import annotations

import datetime

import torch
from torch import nn

from snippets.before import dates
from snippets.training import probe
from snippets.training.translator import DATE_VOCAB


def test_a_linear_probe_reads_what_is_there_and_not_what_is_not():
    generator = torch.Generator().manual_seed(0)
    label = torch.randint(3, (600,), generator=generator)
    noise = torch.randn(600, 4, generator=generator)
    there = noise + 6 * nn.functional.one_hot(label, 4)

    def accuracy(x):
        found = probe.linear_probe(x[:400], label[:400])(x[400:]).argmax(dim=-1)
        return (found == label[400:]).float().mean().item()

    assert accuracy(there) > 0.95 and accuracy(noise) < 0.5


def test_vectors_far_from_0_are_read_as_well_as_others():
    train, test = (
        nn.functional.one_hot(torch.tensor([date.month for date in some]), 13).float() / 1000 + 5
        for some in (probe.TRAINED, dates.HELD_OUT)
    )
    assert probe.month_read(train, test) == 1.0


def test_month_is_read_from_a_vector_that_says_it_and_not_with_shuffled_labels():
    train, test = (
        nn.functional.one_hot(torch.tensor([date.month for date in some]), 13).float()
        for some in (probe.TRAINED, dates.HELD_OUT)
    )
    assert probe.month_read(train, test) == 1.0
    assert probe.month_read(train, test, shuffled=True) < 0.3
    assert probe.month_read(torch.ones_like(train), torch.ones_like(test)) < 0.15


class Reads(nn.Module):
    """A translator whose decoder says the month of one position of the source, always as the sixth token."""

    def __init__(self, position):
        super().__init__()
        self.position = position

    def encode(self, src):
        month = src[:, probe.MONTH, None].expand_as(src)  # every position knows it
        return month.unsqueeze(-1).float()

    def decode(self, tgt, memory, src):
        names = {DATE_VOCAB.ids[probe.calendar.month_name[m]]: DATE_VOCAB.ids[str(m)] for m in range(1, 10)}
        said = torch.tensor([names[int(i)] for i in memory[:, self.position, 0]])
        logits = torch.zeros(*tgt.shape, len(DATE_VOCAB))
        logits[torch.arange(len(said)), 5, said] = 1
        return logits


def test_the_exchange_tells_which_position_is_used_though_all_hold_the_month():
    own, other = {"other": 0.0, "own": 1.0}, {"other": 1.0, "own": 0.0}
    assert probe.used(Reads(probe.MONTH)) == {"comma": own, "month": other, "all but month": own}
    assert probe.used(Reads(probe.COMMA)) == {"comma": other, "month": own, "all but month": other}
    assert probe.used(Reads(probe.DAY)) == {"comma": own, "month": own, "all but month": other}


def test_positions_are_those_of_the_source():
    tokens = dates.english(datetime.date(2024, 3, 5))
    assert [tokens[i] for i in (probe.COMMA, probe.MONTH, probe.DAY)] == [",", "March", "5"]
