"""Which test images a model gets right, and the paired difference of two."""

from __future__ import annotations

import pytest
import torch

from snippets.families.digit_images import digits
from snippets.families.image_comparison import baseline, paired, right
from snippets.families.vision_training import by_seed


class Always:
    """Answers with the commonest label that it has seen."""

    def fit(self, images, labels):
        self.seen = images.shape
        self.label = int(labels.mode().values)

    def predict(self, images):
        self.asked = images.shape
        return [self.label] * len(images)


def test_a_difference_of_four_images_and_its_standard_error():
    better, worse = torch.tensor([1.0, 1.0, 0.0, 1.0]), torch.tensor([1.0, 0.0, 0.0, 0.0])
    difference, error = paired(better, worse)
    assert difference == pytest.approx(50.0)
    assert error == pytest.approx(100 * (1 / 3) ** 0.5 / 2), "differences 0, 1, 0, 1 have the variance 1/3"
    many = paired(better.repeat(4), worse.repeat(4))
    assert many == pytest.approx((50.0, 100 * (4 / 15) ** 0.5 / 4)), "the error of the mean of sixteen"
    assert paired(worse, better) == pytest.approx((-difference, error))


def test_images_that_are_hard_for_both_do_not_count():
    hard = torch.tensor([0.0, 1.0] * 50)
    assert paired(hard, hard) == (0.0, 0.0)


def test_shares_over_seeds_agree_with_the_accuracies():
    found = right("class token")
    assert found.shape == (360,) and set((3 * found).round().int().tolist()) <= {0, 1, 2, 3}
    assert found.mean().item() == pytest.approx(by_seed("class token", "accuracies")[:, -1].mean().item(), abs=1e-6)


@pytest.mark.parametrize("size", [100, 1437])
def test_a_baseline_learns_from_the_first_digits_and_is_asked_about_the_test_set(size):
    model = Always()
    found = baseline(model, size)
    assert model.seen == (size, 64) and model.asked == (360, 64)
    assert torch.equal(found, (digits()[1].labels == model.label).double())
