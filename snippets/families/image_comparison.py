"""Which test images a model gets right, and by how much another is ahead."""

# --8<-- [start:imports]
import torch
from torch import Tensor

from snippets.families.digit_images import digits
from snippets.families.vision_training import ALL, by_seed, test_set
# --8<-- [end:imports]


# --8<-- [start:right]
def right(name: str) -> Tensor:
    """For each test image, the share of the seeds that get it right: (360,)."""
    found = by_seed(name, "predictions") == test_set().labels
    return found.double().mean(dim=0)


def baseline(model, size: int = ALL) -> Tensor:
    """The same of a model of scikit-learn after the first size digits: 0 or 1."""
    data, test = digits()
    model.fit(data.images[:size].flatten(1), data.labels[:size])
    predicted = model.predict(test.images.flatten(1))
    return (torch.tensor(predicted) == test.labels).double()
# --8<-- [end:right]


# --8<-- [start:paired]
def paired(better: Tensor, worse: Tensor) -> tuple[float, float]:
    """Mean difference of two such shares, and its standard error, in points.

    The error is that of choosing other test images, not that of other seeds.
    """
    difference = 100 * (better - worse)  # image by image
    error = difference.std() / len(difference) ** 0.5
    return difference.mean().item(), error.item()
# --8<-- [end:paired]
