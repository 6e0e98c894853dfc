"""What the page says of the small Vision Transformer on digits, and that another training says it again."""

from __future__ import annotations

import pytest
import torch
from torch import Generator
from torch.testing import assert_close

from snippets.families import vision_training as training
from snippets.families.digit_images import Digits, digits
from snippets.families.vision_training import (
    ORDER,
    PEAK,
    RUNS,
    SEEDS,
    STEPS,
    accuracy,
    attention_maps,
    by_seed,
    draw_batch,
    position_similarity,
    predict,
    schedule,
    small_vit,
    trained,
)
from snippets.families.vision_training import test_set as kept_test
from snippets.families.vision_transformer import shuffle_patches
from snippets.model.sizes import count


def final(name):
    return by_seed(name, "accuracies")[:, -1]


def test_at_least_95_percent_with_each_of_three_seeds_within_a_minute():
    assert len(SEEDS) == 3 and len(final("class token")) == 3
    assert (final("class token") >= 0.95).all()
    assert by_seed("class token", "seconds").sum() < 60


@pytest.mark.thorough
def test_what_is_kept_agrees_with_itself():
    labels = kept_test().labels
    for name in RUNS:
        for seed in SEEDS:
            predictions = by_seed(name, "predictions")[seed]
            assert accuracy(predictions, labels) == pytest.approx(final(name)[seed].item())
    assert_close(kept_test().images, digits()[1].images)
    assert torch.equal(labels, digits()[1].labels)


@pytest.mark.parametrize(("name", "seed"), training.WEIGHTS)
def test_the_kept_weights_give_the_kept_predictions_but_for_rounding(name, seed):
    found = predict(trained(name, seed), kept_test().images)
    assert (found != by_seed(name, "predictions")[seed]).sum() <= 2


def test_the_order_of_patches_matters_where_there_are_positions_only():
    test = kept_test()
    mixed = shuffle_patches(test.images, ORDER, 2)
    assert accuracy(predict(trained(), mixed), test.labels) < 0.5
    blind = trained("no positions")
    assert (predict(blind, mixed) == predict(blind, test.images)).all()
    assert final("no positions").max() < final("class token").min() - 0.05


def test_shuffled_from_the_beginning_is_no_harder_for_the_transformer():
    assert (final("class token, shuffled") >= 0.95).all()
    assert abs(final("class token, shuffled").mean() - final("class token").mean()) < 0.015


def test_averaging_the_patches_is_right_more_often_with_each_seed():
    assert (final("mean pooling") > final("class token")).all()


def test_with_few_digits_the_transformer_is_far_behind_and_catches_up():
    for few, least in [(", 100", 0.15), (", 400", 0.01)]:
        assert final("CNN" + few).mean() > final("class token" + few).mean() + least
    assert final("CNN").mean() - final("class token").mean() < 0.02
    assert (by_seed("class token, 100", "losses")[:, -50:] < 0.01).all(), "it has learned them by heart"


def test_the_convolution_finds_shuffled_patches_harder_to_learn():
    end = {name: by_seed(name, "losses")[:, -50:].mean(dim=1) for name in RUNS}
    assert (end["CNN, shuffled"] > 5 * end["CNN"]).all()
    assert end["class token, shuffled"].mean() < 1.5 * end["class token"].mean()


def test_positions_side_by_side_come_to_be_alike_and_no_others():
    place = torch.arange(16)
    down, right = (place[:, None] // 4 - place // 4).abs(), (place[:, None] % 4 - place % 4).abs()
    for seed in SEEDS:
        similarity = position_similarity(trained(seed=seed))
        assert_close(similarity.diagonal(), torch.ones(16))
        others = similarity[down + right > 1].mean()
        assert similarity[(down == 0) & (right == 1)].mean() > others + 0.15
        assert similarity[(down == 1) & (right == 0)].mean() < others + 0.25


def test_no_patch_stays_where_it_was():
    assert sorted(ORDER.tolist()) == list(range(16))
    assert (torch.arange(16) != ORDER).all()


def test_the_rate_rises_in_a_line_and_ends_near_zero():
    assert schedule(1) == pytest.approx(PEAK / 50)
    assert schedule(50) == schedule(200) == PEAK
    assert 0 < schedule(STEPS) < PEAK / 100


def test_batches_are_digits_in_place_or_moved_by_a_pixel():
    data, _ = digits()
    one = Digits(data.images[:1], data.labels[:1])
    batch = draw_batch(one, False, Generator().manual_seed(0))
    kinds, how_often = batch.images.flatten(1).unique(dim=0, return_counts=True)
    assert batch.images.shape == (training.BATCH, 1, 8, 8)
    assert len(kinds) == 5 and 0.4 < how_often.max() / training.BATCH < 0.8
    shuffled = draw_batch(one, True, Generator().manual_seed(0))
    assert torch.equal(shuffled.images, shuffle_patches(batch.images, ORDER, 2))
    assert (batch.labels == data.labels[0]).all()


def test_maps_of_each_layer_and_head_are_shares():
    maps = attention_maps(trained(), kept_test().images[:3])
    assert maps.shape == (2, 3, 4, 17, 17)
    assert_close(maps.sum(dim=-1), torch.ones(2, 3, 4, 17))
    assert not torch.allclose(maps[0], maps[1])


def test_the_models_have_the_parameters_that_their_docstrings_name():
    assert count(small_vit()) == 69_194
    assert count(training.small_cnn()) == 56_730


@pytest.mark.thorough
def test_training_from_scratch_reaches_95_percent():
    torch.set_num_threads(1)
    _, shown = training.train("class token", False, training.ALL, seed=7)
    assert shown["accuracies"][-1] >= 0.95
