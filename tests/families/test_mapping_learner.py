"""What three trained models show: the optimum, the heads that reach it, and where it ends."""

from __future__ import annotations

import functools
import math
from contextlib import ExitStack

import pytest
import torch
from torch import Generator

from snippets.families.in_context_learning import (
    SIZE,
    TOKENS,
    answered_before,
    induction_scores,
    is_odd,
    optimum,
    previous_scores,
    right_answers,
    without_head,
)
from snippets.families.mapping_learner import (
    ALL,
    BATCH,
    EASY,
    FEW,
    MORE,
    PAIRS,
    SEEDS,
    STEPS,
    curves,
    evaluation_set,
    first_positions,
    learner,
    run,
)
from snippets.figures.families.induction_losses import levels

IDS = evaluation_set(400)
SHOWN = answered_before(IDS)
each_seed = pytest.mark.parametrize("seed", SEEDS)


@functools.cache
def trained(seed):
    return learner(seed)


def share(model, which=SHOWN):
    return right_answers(model, IDS)[which].double().mean().item()


def mapping(row):
    """By letter, what stands behind it."""
    text = "".join(TOKENS[i] for i in row.tolist()).strip(".")
    return dict(zip(text[::2], text[1::2], strict=False))


def test_no_mapping_of_the_evaluation_can_occur_in_training():
    complete = [m for row in evaluation_set(1000) if len(m := mapping(row)) == SIZE]
    digits = torch.tensor([[int(m[letter]) for letter in "abcdefgh"] for m in complete])
    assert len(complete) > 30 and is_odd(digits).all()


@pytest.mark.parametrize(("draw", "fewest", "most"), [(FEW, 2, 4), (ALL, SIZE, SIZE)])
def test_batches_have_as_many_letters_as_they_should(draw, fewest, most):
    ids = draw(Generator().manual_seed(0))
    assert ids.shape == (BATCH, 2 * PAIRS)
    kinds = [len({TOKENS[i] for i in row.tolist()} & set("abcdefgh")) for row in ids]
    assert max(kinds) == most and min(kinds) <= fewest


def test_one_matrix_leads_from_each_first_position_to_the_one_before():
    table = first_positions(24, 64).double()
    matrix = torch.linalg.lstsq(table[1:12], table[:11]).solution
    rotation = torch.linalg.lstsq(table[1:], table[:-1]).solution
    assert (table[1:] @ rotation - table[:-1]).abs().max() < 1e-5
    assert matrix.shape == rotation.shape == (64, 64)
    products = table @ table.T
    others = products - products.diagonal().diag()
    assert others.abs().max() < 0.05 * products.diagonal().min(), "they are nearly orthogonal"


@each_seed
def test_what_was_shown_is_answered_and_the_rest_guessed_as_well_as_possible(seed):
    assert share(trained(seed)) > 0.99
    measured = right_answers(trained(seed), IDS).double().mean(dim=0)
    best = torch.tensor([optimum(k) for k in range(PAIRS)])
    assert (measured - best).abs().max() < 0.07  # three standard errors
    assert (measured - best).mean().abs() < 0.02


@each_seed
def test_of_two_digits_that_are_left_the_model_guesses_one_whatever_the_parity(seed):
    six = ~SHOWN & ((~SHOWN).cumsum(dim=1) - 1 == 6)
    for test in (False, True):
        right = right_answers(trained(seed), evaluation_set(400, test=test))[six].double().mean()
        assert abs(right - 0.5) < 0.12  # three standard errors


def without(model, heads):
    with ExitStack() as stack:
        for layer, head in heads:
            stack.enter_context(without_head(model, layer, head))
        return share(model)


@pytest.mark.thorough
@each_seed
def test_without_its_previous_token_heads_the_model_is_lost_and_one_of_them_is_needed_most(seed):
    model, scores = trained(seed), previous_scores(trained(seed), IDS[:100])
    assert scores[0].max() > 0.7 and scores[1].max() < 0.3
    left = [without(model, [(0, head)]) for head in range(4)]
    best = scores[0].argmax().item()
    assert left[best] == min(left) and all(left[head] > 0.9 for head in range(4) if head != best)
    assert without(model, [(0, head) for head in range(4) if scores[0, head] > 0.3]) < 0.2


@pytest.mark.thorough
@each_seed
def test_induction_heads_are_those_of_layer_1_and_none_is_needed_but_all(seed):
    model, scores = trained(seed), induction_scores(trained(seed), IDS[:100])
    assert scores[1].max() > 0.95 and scores[1].min() > 0.5 and scores[0].max() < 0.3
    assert all(without(model, [(1, head)]) > 0.9 for head in range(4))
    assert without(model, [(1, head) for head in range(4)]) < 0.2


@each_seed
def test_letters_that_training_never_had_are_not_answered(seed):
    new = torch.where(IDS < 3, IDS + 16, IDS)
    right = right_answers(trained(seed), new)
    assert right[SHOWN & (new[:, ::2] >= 16)].double().mean() < 0.1


@pytest.mark.parametrize("seed", [*SEEDS, *MORE])
def test_the_loss_falls_has_a_plateau_and_falls_by_half(seed):
    curve = torch.tensor(curves()[seed]["losses"])
    assert curve.shape == (STEPS,)
    assert curve[:10].mean() > 2.5 and 1.4 < curve[175:200].mean() < curve[100:125].mean() < 1.8
    assert curve[300:325].mean() < 0.8
    copying, best = levels().values()
    assert curve[EASY : EASY + 25].mean() == pytest.approx(copying, abs=0.03)
    assert best < curve[-50:].mean() < (copying + 4 * best) / 5  # of the way from one to the other, four fifths
    assert curves()[seed]["shown"] > 0.99


@pytest.mark.thorough
def test_trained_anew_with_another_seed_it_answers_what_was_shown():
    torch.set_num_threads(1)
    model = learner()
    model.load_state_dict(run(7)[0])
    assert share(model) > 0.95


def test_the_two_levels_of_the_loss_are_those_of_all_digits_in_a_batch():
    """Each digit of many batches counts alike, as in the loss, wherever dots have cut off the end."""
    generator, found = Generator().manual_seed(0), []
    for row in torch.cat([ALL(generator) for _ in range(60)]).tolist():
        shown, ids = set(), [i for i in row if i < 2 * SIZE]  # without the dots
        for letter in ids[: len(ids) // 2 * 2 : 2]:
            new = letter not in shown
            found.append([new * math.log(SIZE), new * math.log(SIZE - len(shown)) if new else 0.0])
            shown.add(letter)
    assert torch.tensor(found).mean(dim=0).tolist() == pytest.approx([levels()["copying"], levels()["best"]], abs=0.02)
