"""An answer is right or not, prompts are compared on the same questions, and chance is counted, not felt."""

from __future__ import annotations

import math
from itertools import combinations

import pytest
import torch

from snippets.llm.chat import generated
from snippets.llm.prompts import ahead, answers, chosen, only, plain, right, sign_test
from tests.llm.test_cached_llama import little_llama

bools = lambda text: torch.tensor([c == "1" for c in text])  # noqa: E731


def test_capital_letters_and_accents_make_no_difference():
    assert plain("YAOUNDÉ, San José") == "yaounde, san jose"
    assert right("It is Bogota.", "Bogotá") and right("BOGOTÁ", "bogota")
    assert right("Paris (the capital)", "Paris") and right("the city of Addis Ababa!", "Addis Ababa")


def test_only_whole_words_count_and_nothing_is_a_pattern():
    assert not right("The Romans", "Roma") and not right("Aroma", "Roma") and not right("", "Roma")
    assert not right("Port au Prince", "Port-au-Prince") and right("Port-au-Prince.", "Port-au-Prince")
    assert not right("Suvax", "Suva.") and not right("abc", "a.c")


def test_answers_are_those_one_by_one_in_the_order_of_the_prompts():
    model = little_llama()
    prompts = [[1, 2, 3], [4, 5], [6, 7, 8], [9, 1, 2, 3], [5, 4]]
    free = [list(generated(model, ids, -1, 6)) for ids in prompts]
    assert answers(model, prompts, -1, 6) == free
    assert len({tuple(one) for one in free}) > 1 and all(len(one) == 6 for one in free)
    end = free[0][2]  # what the first prompt says third, at the latest
    assert answers(model, prompts, end, 6) == [list(generated(model, ids, end, 6)) for ids in prompts]
    assert len(answers(model, prompts, end, 6)[0]) <= 2
    assert answers(model, prompts, -1, 1) == [one[:1] for one in free]


def test_what_only_one_gets_right():
    one, other = bools("1110010"), bools("1001000")
    assert only(one, other) == (3, 1) and only(other, one) == (1, 3) and only(one, one) == (0, 0)


@pytest.mark.parametrize(("a", "b"), [(0, 0), (5, 0), (0, 5), (7, 2), (3, 3), (30, 12)])
def test_the_p_value_is_that_of_a_fair_coin(a, b):
    one, other = bools("1" * a + "0" * b + "11100"), bools("0" * a + "1" * b + "11100")
    n = a + b  # of all ways in which n coins can fall, those that are as unequal
    wanted = sum(math.comb(n, heads) for heads in range(n + 1) if abs(2 * heads - n) >= abs(a - b)) / 2**n
    assert sign_test(one, other) == pytest.approx(wanted) == pytest.approx(sign_test(other, one))


def test_equal_answers_say_nothing():
    one, other = bools("1" * 6 + "0"), bools("0" * 6 + "1")
    more = torch.ones(50, dtype=torch.bool)
    assert sign_test(one, other) == sign_test(torch.cat([one, more]), torch.cat([other, more]))


@pytest.mark.parametrize("number", [1, 2, 3, 5, 7])
def test_who_is_ahead_on_all_choices_of_questions(number):
    one, other = bools("1110010"), bools("1001000")
    wins = [one[list(asked)].sum() > other[list(asked)].sum() for asked in combinations(range(len(one)), number)]
    assert ahead(one, other, number) == pytest.approx(sum(wins) / math.comb(7, number))


def test_with_all_questions_the_better_one_is_ahead():
    one, other = bools("111001"), bools("100100")
    assert ahead(one, other, 6) == 1 and ahead(other, one, 6) == 0 and ahead(one, one, 3) == 0


def test_the_best_is_chosen_where_it_is_counted():
    rows = torch.stack([bools("1100"), bools("0011")])  # each is the best on its own half
    shares = [chosen(rows, 2, 1, torch.Generator().manual_seed(seed)) for seed in range(20)]
    assert {(1.0, 0.0), (0.5, 0.5)} == set(shares)
    mean = chosen(rows, 2, 300, torch.Generator().manual_seed(0))
    # of six pairs of questions, two are one half, and the best has both right there and none elsewhere
    assert mean == pytest.approx((2 / 3, 1 / 3), abs=0.05)


def test_a_single_prompt_is_as_good_elsewhere():
    row = torch.rand(1, 40, generator=torch.Generator().manual_seed(0)) < 0.6
    here, rest = chosen(row, 10, 4_000, torch.Generator().manual_seed(1))
    share = row.double().mean().item()
    assert here == pytest.approx(share, abs=0.01) == pytest.approx(rest, abs=0.02)


def test_alike_prompts_seem_better_where_they_were_chosen():
    """Coins: all prompts are right with the same probability, and the best of them is no better elsewhere."""
    rows = torch.rand(12, 2_000, generator=torch.Generator().manual_seed(0)) < 0.5
    here, rest = chosen(rows, 20, 400, torch.Generator().manual_seed(1))
    assert here > 0.65 and rest == pytest.approx(0.5, abs=0.02)
