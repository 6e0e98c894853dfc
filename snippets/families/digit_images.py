"""Handwritten digits of 8 by 8 pixels, which come with scikit-learn."""

# --8<-- [start:imports]
from typing import NamedTuple

import torch
from torch import Tensor
# --8<-- [end:imports]


# --8<-- [start:digits]
class Digits(NamedTuple):
    """images: (batch, 1, 8, 8), between -1 and 1; labels: (batch,), 0 to 9."""

    images: Tensor
    labels: Tensor


def digits() -> tuple[Digits, Digits]:
    """To train on, 1,437, and to test on, 360; of each digit the same share."""
    from sklearn.datasets import load_digits  # here: figures do not need it
    from sklearn.model_selection import train_test_split

    everything = load_digits()  # numbers from 0 to 16
    images = torch.tensor(everything.images, dtype=torch.float32) / 8 - 1
    labels = torch.tensor(everything.target)
    halves = train_test_split(
        range(len(labels)), test_size=360, stratify=labels, random_state=0
    )
    train, test = (Digits(images[i].unsqueeze(1), labels[i]) for i in halves)
    return train, test
# --8<-- [end:digits]


# --8<-- [start:shifted]
BACKGROUND = -1.0


def shifted(images: Tensor, down: int, right: int) -> Tensor:
    """Moved by so many pixels, with background where nothing was."""
    pad = (right, -right, down, -down)  # left, right, top, bottom
    return torch.nn.functional.pad(images, pad, value=BACKGROUND)
# --8<-- [end:shifted]
