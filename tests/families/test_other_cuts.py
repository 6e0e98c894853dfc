"""Digits turned, or cut into strips: what the change is, and what comes with the book of the models that saw it."""

from __future__ import annotations

import pytest
import torch
from torch import Generator
from torch.testing import assert_close

from snippets.families import other_cuts
from snippets.families.digit_images import digits
from snippets.families.other_cuts import CHANGES, as_strips, draw_changed, results, turned
from snippets.families.vision_training import SEEDS, by_seed, draw_batch
from snippets.families.vision_transformer import to_patches

IMAGES = torch.arange(2 * 64.0).reshape(2, 1, 8, 8)


def apart(columns):
    """Of sixteen patches in rows of so many: how far down, and how far across each two lie."""
    place = torch.arange(16)
    rows, across = place // columns, place % columns
    return (rows[:, None] - rows).abs(), (across[:, None] - across).abs()


def test_patches_of_the_changed_image_are_strips_in_reading_order():
    patches = to_patches(as_strips(IMAGES), 2)
    assert patches.equal(IMAGES.reshape(2, 16, 4))
    assert patches[0, 2].tolist() == [8, 9, 10, 11], "the first of the second row"


def test_turned_by_90_degrees_neighbours_in_a_row_are_neighbours_in_a_column():
    image = turned(IMAGES)[0, 0]
    assert image[:, 0].tolist() == IMAGES[0, 0, 0].tolist()[::-1], "against the clock"
    assert turned(turned(turned(turned(IMAGES)))).equal(IMAGES)


@pytest.mark.parametrize("kind", CHANGES)
def test_a_batch_is_that_of_the_other_models_but_changed(kind):
    data, _ = digits()
    as_it_was = draw_batch(data, False, Generator().manual_seed(3))
    changed = draw_changed(data, kind, Generator().manual_seed(3))
    assert changed.images.equal(CHANGES[kind](as_it_was.images)) and not changed.images.equal(as_it_was.images)
    assert changed.labels.equal(as_it_was.labels)


@pytest.mark.parametrize("kind", CHANGES)
def test_what_comes_with_the_book_is_of_each_seed_and_as_accurate_as_with_squares(kind):
    runs = results()[kind]
    assert len(runs) == len(SEEDS)
    for run in runs:
        assert len(run["losses"]) == other_cuts.STEPS
        assert_close(torch.tensor(run["similarity"]).diagonal(), torch.ones(16))
    squares = by_seed("class token", "accuracies")[:, -1]
    assert abs(sum(run["accuracy"] for run in runs) / len(runs) - squares.mean()) < 0.01


def test_on_turned_digits_positions_one_above_the_other_come_to_be_alike_and_no_others():
    down, across = apart(4)
    for run in results()["turned"]:
        similarity = torch.tensor(run["similarity"])
        others = similarity[down + across > 1].mean()
        assert similarity[(down == 1) & (across == 0)].mean() > others + 0.3
        assert similarity[(down == 0) & (across == 1)].mean() < others + 0.15


def test_of_strips_those_one_above_the_other_are_more_alike_than_those_that_follow_each_other():
    down, across = apart(2)
    for run in results()["strips"]:
        similarity = torch.tensor(run["similarity"])
        above, beside = ((down == 1) & (across == 0)), ((down == 0) & (across == 1))
        assert similarity[above].mean() > similarity[beside].mean() + 0.2


@pytest.mark.thorough
def test_another_training_on_turned_digits_says_the_same():
    torch.set_num_threads(1)
    run = other_cuts.train.function("turned", 7)
    down, across = apart(4)
    similarity = torch.tensor(run["similarity"])
    assert run["accuracy"] >= 0.95
    assert similarity[(down == 1) & (across == 0)].mean() > similarity[(down == 0) & (across == 1)].mean() + 0.1
