"""What a cut takes away from the next token, by hand, and what comes with the book of the published model."""

from __future__ import annotations

import math

import pytest
import torch

from snippets.families.sampling import top_k, top_p
from snippets.llm import tails
from snippets.llm.tails import AFTER, CUTS, WINDOWS, results, tail
from tests.llm.model import needs_model

P = torch.tensor([[0.5, 0.25, 0.125, 0.125], [0.125, 0.125, 0.5, 0.25]])


def test_what_is_left_given_and_needed_by_hand():
    came = torch.tensor([2, 2])  # in the tail of the first row, the most probable of the second
    found = tail(P.log(), came, lambda logits: top_k(logits, 2))
    assert found == {"left": [2, 2], "given": [0.25, 0.25], "bits": [1.0, None]}
    found = tail(P.log(), torch.tensor([1, 3]), lambda logits: top_p(logits, 0.4))
    assert found["left"] == [1, 1] and found["given"] == [0.5, 0.5] and found["bits"] == [1.0, 1.0]


def test_what_is_kept_is_rounded_to_what_its_page_needs():
    p = torch.tensor([[0.7, 0.12345678, 0.17654322]], dtype=torch.float64)
    assert tail(p.log(), torch.tensor([0]), lambda logits: top_k(logits, 2))["given"] == [0.1235]
    assert tail(p.log(), torch.tensor([1]), lambda logits: top_k(logits, 1))["bits"] == [1.28]  # 1.2810
    assert tail(p.log(), torch.tensor([2]), lambda logits: top_k(logits, 1))["bits"] == [0.76]  # 0.7649


def test_nothing_is_outside_where_nothing_is_cut():
    found = tail(P.log(), torch.tensor([0, 1]), lambda logits: logits)
    assert found == {"left": [4, 4], "given": [0.0, 0.0], "bits": [None, None]}


def test_bits_are_those_of_a_uniform_choice_if_all_that_was_cut_is_equally_probable():
    found = tail(torch.zeros(1, 20), torch.tensor([3]), lambda x: x.masked_fill(torch.arange(20) < 4, -math.inf))
    assert found["bits"] == [pytest.approx(math.log2(4), abs=0.01)]


def test_each_window_is_read_once_and_its_first_tokens_do_not_count(monkeypatch):
    ids = torch.arange(129)

    def model(x):
        assert x.tolist() == [list(range(128))]
        return torch.nn.functional.one_hot(x + 1, 129) * 50.0  # sure of what comes

    monkeypatch.setattr(tails, "smollm2", lambda: model)
    monkeypatch.setattr(tails, "windows", lambda: ids.unsqueeze(0))
    monkeypatch.setattr(tails, "WINDOWS", [0])
    (found,) = tails.compute()
    assert list(found) == list(CUTS)
    for of in found.values():
        assert of["bits"] == [None] * (128 - AFTER) and max(of["given"]) == 0
    assert found["top-p, 0.9"]["left"] == [1] * (128 - AFTER)


def test_what_comes_with_the_book_is_of_every_window_and_agrees_with_itself():
    found = results()
    assert len(found) == len(WINDOWS)
    for window in found:
        for name, of in window.items():
            assert {len(values) for values in of.values()} == {128 - AFTER}
            if name.startswith("top-p"):
                assert max(of["given"]) <= 0.1
        assert set(window["top-k, 50"]["left"]) == {50}
        for left, few, many in zip(
            window["top-p, 0.9"]["left"], window["top-p, 0.9"]["given"], window["top-k, 50"]["given"], strict=True
        ):
            assert (left <= 50) == (few >= many) or few == many, "whoever keeps more leaves less out"


@needs_model
@pytest.mark.thorough
def test_what_is_kept_is_what_the_model_gives(monkeypatch):
    monkeypatch.setattr(tails, "WINDOWS", [2])
    (found,) = tails.compute()
    for name, of in found.items():
        kept = results()[2][name]
        assert sum(of["given"]) == pytest.approx(sum(kept["given"]), abs=0.05)
        assert sum(b is None for b in of["bits"]) == pytest.approx(sum(b is None for b in kept["bits"]), abs=2)
