"""The mean of the weights of several models of one architecture."""

# --8<-- [start:average]
import torch
from torch import Tensor


def average(states: list[dict[str, Tensor]]) -> dict[str, Tensor]:
    """The mean of each entry of several state_dicts of one architecture.

    Vaswani et al. (2017), section 6.1. Raises ValueError unless all of them
    have the same names and shapes; a mean of none is refused, too.
    """
    shapes = [{name: value.shape for name, value in s.items()} for s in states]
    if not states or any(shape != shapes[0] for shape in shapes):
        raise ValueError(
            "averaging takes state_dicts with the same names and shapes"
        )
    return {
        name: torch.stack([state[name] for state in states]).mean(dim=0)
        for name in states[0]
    }
# --8<-- [end:average]
