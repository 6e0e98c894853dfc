"""What is refused before anything is computed: an error says in plain words what is wrong, and what to do.

A check that holds changes nothing, so that code with it means the same as without (see meaning).
"""

import math
from dataclasses import fields
from numbers import Integral, Real
from typing import Any

from torch import Tensor, nn

#: Of the numbers in a configuration, these may be 0; all others are positive.
MAY_BE_0 = {"pad_id", "dropout"}


def check(holds: bool, message: str) -> None:
    """Raise ValueError with this message unless it holds."""
    if not holds:
        raise ValueError(message)


def check_ids(ids: Tensor) -> None:
    """Raise ValueError unless ids, those of a batch of texts, have two axes."""
    if ids.dim() != 2:
        alone = ", of a text alone ids.unsqueeze(0)" * (ids.dim() == 1)
        raise ValueError(f"ids are (batch, n){alone}, not {tuple(ids.shape)}")


def check_order(order: Tensor, n: int) -> None:
    """Raise ValueError unless order has each of 0 ... n - 1 once."""
    found = sorted(order.tolist())
    check(found == [*range(n)], f"an order of {n} has each of 0 to {n - 1} once, not {found}")


def check_parts(model: nn.Module, kind: type, there: bool, message: str) -> None:
    """Raise ValueError unless there are parts of this kind in the model, or none."""
    check(any(isinstance(part, kind) for part in model.modules()) == there, message)


def check_sizes(config: Any) -> None:
    """Raise ValueError, naming field and value, where no model can have it.

    A size is a positive whole number, any other number is positive and finite, and a choice is True or False.
    """
    for field in fields(config):
        value, fine = getattr(config, field.name), True
        if field.type is bool:
            fine = isinstance(value, bool)
        elif field.type in (int, float):
            kind = Integral if field.type is int else Real
            fine = isinstance(value, kind) and not isinstance(value, bool)
            fine = fine and (0 < value < math.inf or value == 0 and field.name in MAY_BE_0)
        check(fine, f"{field.name} cannot be {value!r} in {config}")
