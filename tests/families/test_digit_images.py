"""The digits: scikit-learn's, each once, and no image both trained on and tested."""

from __future__ import annotations

import pytest
import torch

from snippets.families.digit_images import digits, shifted


@pytest.fixture(scope="module")
def everything():
    from sklearn.datasets import load_digits  # here, since every process that runs tests imports this file

    return load_digits()


def test_every_digit_of_scikit_learn_is_in_one_of_the_two_sets(everything):
    train, test = digits()
    assert train.images.shape == (1437, 1, 8, 8) and test.images.shape == (360, 1, 8, 8)
    assert train.images.min() == -1 and train.images.max() == 1
    images, labels = torch.cat([train.images, test.images]), torch.cat([train.labels, test.labels])
    found = sorted(zip((8 * images + 8).flatten(1).tolist(), labels.tolist(), strict=True))
    assert found == sorted(zip(everything.data.tolist(), everything.target.tolist(), strict=True))


def test_each_digit_has_the_same_share_in_both():
    train, test = digits()
    shares = [labels.bincount(minlength=10) / len(labels) for labels in (train.labels, test.labels)]
    assert (shares[0] - shares[1]).abs().max() < 0.003


def test_the_split_is_the_same_each_time_and_mixes_the_order_of_the_file(everything):
    (train, test), (again, _) = digits(), digits()
    assert torch.equal(train.images, again.images)
    assert test.labels[:12].tolist() == [7, 6, 3, 7, 7, 3, 2, 8, 9, 3, 2, 6]
    first = torch.tensor(everything.images[:360], dtype=torch.float32) / 8 - 1
    assert not torch.equal(test.images[:, 0], first)
    assert len(train.labels[:100].unique()) == 10


def test_an_image_moves_down_and_right_and_leaves_background():
    image = torch.arange(9.0).reshape(1, 1, 3, 3)
    assert shifted(image, 1, 0)[0, 0].tolist() == [[-1, -1, -1], [0, 1, 2], [3, 4, 5]]
    assert shifted(image, 0, 1)[0, 0].tolist() == [[-1, 0, 1], [-1, 3, 4], [-1, 6, 7]]
    assert shifted(image, -1, -2)[0, 0].tolist() == [[5, -1, -1], [8, -1, -1], [-1, -1, -1]]
