"""Mappings told by examples: the data, the best possible, the heads, and what a model learned from it."""

from __future__ import annotations

from dataclasses import replace
from itertools import permutations

import pytest
import torch
from torch import Generator, nn
from torch.testing import assert_close

from snippets.families.gpt import GPT, GPT2
from snippets.families.in_context_learning import (
    DIGITS,
    LETTERS,
    SIZE,
    TOKENS,
    all_seen,
    answered_before,
    attention_weights,
    digit_loss,
    draw_letters,
    draw_mappings,
    induction_scores,
    is_odd,
    moved_back,
    optimum,
    previous_scores,
    right_answers,
    sequences,
    without_head,
)
from snippets.figures.families.induction_steps import SEQUENCE, circuit

#: a7 b2 a7 c1 b2: letters are 0 to 7, digits 8 to 15.
IDS = torch.tensor([[0, 14, 1, 9, 0, 14, 2, 8, 1, 9]])


def small_gpt():
    torch.manual_seed(0)
    sizes = {"num_layers": 2, "d_model": 8, "num_heads": 4, "d_ff": 16, "max_length": 16, "dropout": 0.0}
    return GPT(replace(GPT2, vocab_size=len(TOKENS), **sizes)).eval()


class Says(nn.Module):
    """Always the token that stands in a table, at each position."""

    def __init__(self, table):
        super().__init__()
        self.table = table

    def forward(self, ids):
        return nn.functional.one_hot(self.table[:, : ids.size(1)], len(TOKENS)).float() * 5


def test_ids_are_letters_and_then_their_digits():
    mapping = torch.tensor([[6, 1, 0, 2, 3, 4, 5, 7]])
    assert torch.equal(sequences(mapping, torch.tensor([[0, 1, 0, 2, 1]])), IDS)
    assert "".join(TOKENS[i] for i in IDS[0]) == "a7b2a7c1b2"
    assert len(LETTERS) == len(DIGITS) == SIZE and len(set(TOKENS)) == len(TOKENS)


def test_a_permutation_is_odd_if_an_odd_number_of_swaps_makes_it():
    assert is_odd(torch.tensor([[0, 1, 2], [1, 0, 2], [1, 2, 0], [2, 1, 0]])).tolist() == [False, True, False, True]


@pytest.mark.parametrize("test", [False, True])
def test_training_has_even_permutations_and_the_test_odd_ones(test):
    mapping = draw_mappings(500, test, Generator().manual_seed(0))
    assert (mapping.sort(dim=1).values == torch.arange(SIZE)).all()
    assert (is_odd(mapping) == test).all()
    # each digit about as often for each letter
    counts = torch.stack([(mapping == digit).sum(dim=0) for digit in range(SIZE)])
    assert counts.min() > 30 and counts.max() < 100


def test_letters_come_all_about_equally_often_and_of_as_many_kinds_as_asked_for():
    kinds = torch.tensor([[1], [3], [8]]).repeat(100, 1)
    letters = draw_letters(kinds, 40, Generator().manual_seed(0))
    assert letters.shape == (300, 40)
    found = torch.tensor([len(set(row)) for row in letters.tolist()])
    assert (found <= kinds[:, 0]).all() and (found == kinds[:, 0]).double().mean() > 0.95
    assert letters[2::3].flatten().bincount(minlength=SIZE).min() > 420
    assert letters[0::3, 0].bincount(minlength=SIZE).min() > 3


@pytest.mark.parametrize(("dots", "letter"), [(0, "a"), (1, "a"), (4, "h"), (0, "x"), (0, "z")])
def test_the_loss_is_that_of_the_digits_alone(dots, letter):
    ids = torch.cat([torch.full((1, dots), TOKENS.index(".")), IDS], dim=1)
    ids[ids == 0] = TOKENS.index(letter)
    right = ids[:, 1:].clone()
    is_digit = torch.tensor([TOKENS[i] in DIGITS for i in right[0]])
    low = digit_loss(Says(right), ids)
    for i in range(right.size(1)):
        wrong = right.clone()
        wrong[:, i] = 3 if right[0, i] != 3 else 4
        assert digit_loss(Says(wrong), ids).item() == pytest.approx(low.item() + is_digit[i].item(), abs=1e-5)


def test_sequences_moved_back_begin_with_dots_and_go_on_as_they_were():
    ids = IDS.repeat(200, 1)
    moved = moved_back(ids, Generator().manual_seed(0))
    assert moved.shape == ids.shape
    rows = ["".join(TOKENS[i] for i in row) for row in moved.tolist()]
    assert set(rows) == {"." * dots + "a7b2a7c1b2"[: 10 - dots] for dots in range(5)}


def test_right_answers_are_counted_at_the_letters():
    said = IDS[:, 1:].clone()
    said[0, 4] = 3
    assert right_answers(Says(said), IDS).tolist() == [[True, True, False, True, True]]


def test_a_letter_is_answered_before_if_it_stood_there_before():
    twice = torch.tensor([[2, 8, 2, 8, 0, 14, 1, 9, 0, 14]])
    expected = [[False, False, True, False, True], [False, True, False, False, True]]
    assert answered_before(torch.cat([IDS, twice])).tolist() == expected
    assert answered_before(IDS).tolist() == expected[:1]


@pytest.mark.parametrize("size", [1, 2, 3, 4])
def test_the_optimum_is_that_of_counting_all_cases(size):
    """Of all sequences of letters and all mappings, by the rule: say what was shown, or guess one of the rest."""
    for examples in range(4):
        cases = torch.cartesian_prod(*[torch.arange(size)] * (examples + 1)).reshape(-1, examples + 1).tolist()
        shown = [set(case[:-1]) for case in cases]
        by_rule = [1.0 if case[-1] in seen else 1 / (size - len(seen)) for case, seen in zip(cases, shown, strict=True)]
        assert optimum(examples, size) == pytest.approx(sum(by_rule) / len(cases))
        assert all_seen(examples, size) == pytest.approx(sum(len(s) == size for s in shown) / len(cases), abs=1e-12)


def test_no_rule_does_better_than_the_optimum():
    """Three letters, a1 b2 or another mapping: after one example, an unseen letter has one of two digits."""
    mappings = list(permutations(range(3)))
    best = 0.0
    for asked in range(3):  # after letter 0 was shown
        for shown in range(3):
            consistent = [mapping for mapping in mappings if mapping[0] == shown]
            counts = [sum(mapping[asked] == digit for mapping in consistent) for digit in range(3)]
            best += max(counts) / len(mappings) / 3
    assert optimum(1, 3) == pytest.approx(best)


def test_the_optimum_for_eight_letters_has_known_ends():
    assert optimum(0) == pytest.approx(1 / 8)
    assert optimum(1) == pytest.approx(2 / 8)
    assert optimum(200) == pytest.approx(1)


def test_attention_weights_are_those_of_all_layers_and_heads():
    weights = attention_weights(small_gpt(), IDS)
    assert weights.shape == (1, 2, 4, 10, 10)
    assert_close(weights.sum(dim=-1), torch.ones(1, 2, 4, 10))
    assert weights.triu(diagonal=1).abs().max() == 0


def test_scores_of_heads_are_the_weights_where_they_should_be():
    weights = attention_weights(small_gpt(), IDS)[0]
    # letter a at 4 was followed by the token at 1, b at 8 by that at 3
    expected = (weights[:, :, 4, 1] + weights[:, :, 8, 3]) / 2
    assert_close(induction_scores(small_gpt(), IDS), expected)
    before = torch.stack([weights[:, :, i, i - 1] for i in range(1, 10, 2)]).mean(dim=0)
    assert_close(previous_scores(small_gpt(), IDS), before)


def test_scores_of_several_sequences_are_the_mean_of_all_letters_that_are_asked_for():
    both = torch.cat([IDS, torch.tensor([[3, 9, 4, 8, 3, 9, 4, 8, 5, 10]])])
    one, two = induction_scores(small_gpt(), both[:1]), induction_scores(small_gpt(), both[1:])
    assert_close(induction_scores(small_gpt(), both), (one + two) / 2)  # two letters are asked for in each


def test_all_answers_count_if_a_letter_was_answered_twice():
    ids = torch.tensor([[0, 14, 0, 14, 0, 14]])
    weights = attention_weights(small_gpt(), ids)[0]
    expected = (weights[:, :, 2, 1] + weights[:, :, 4, 1] + weights[:, :, 4, 3]) / 2
    assert_close(induction_scores(small_gpt(), ids), expected)


@pytest.mark.parametrize(("layer", "head"), [(0, 0), (0, 1), (1, 0)])
def test_a_head_that_is_off_is_one_whose_columns_of_w_o_are_zero(layer, head):
    model, other = small_gpt(), small_gpt()
    other.stack.layers[layer].attention.w_o.weight.data[:, 2 * head : 2 * head + 2] = 0
    before = model(IDS)
    with without_head(model, layer, head):
        assert_close(model(IDS), other(IDS))
        assert not torch.allclose(model(IDS), before)
    assert torch.equal(model(IDS), before), "afterwards it is on again"


def test_the_figure_of_the_two_steps_shows_a_circuit_that_answers_what_followed_the_first_h():
    heads, answer = circuit()
    assert SEQUENCE == "d7h2b1d7h" and answer == "2"
    ((first, before), (second, after)) = heads
    assert first[0] == 0 and second[0] == 1
    assert before[3].argmax() == 2 and before[3, 2] > 0.8, "the 2 has looked at the h before it"
    assert after[8].argmax() == 3 and after[8, 3] > 0.95, "the last h looks at that 2"
