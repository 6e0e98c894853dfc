"""One function, its hidden units numbered in another way."""

# --8<-- [start:renumbered]
import torch
from torch import Generator, Tensor


def renumbered(
    state: dict[str, Tensor], generator: Generator
) -> dict[str, Tensor]:
    """The same model, with the hidden units of its feed-forward networks shuffled.

    Unit i is row i of w_1 and column i of w_2: when both move, the sum over the
    units has its terms in another order, and nothing else changes.
    """
    shuffled = dict(state)
    for name in state:
        if name.endswith("w_1.weight"):
            network = name.removesuffix("w_1.weight")
            order = torch.randperm(len(state[name]), generator=generator)
            for of_units in ["w_1.weight", "w_1.bias"]:
                shuffled[network + of_units] = state[network + of_units][order]
            shuffled[network + "w_2.weight"] = state[network + "w_2.weight"][
                :, order
            ]
    return shuffled
# --8<-- [end:renumbered]
