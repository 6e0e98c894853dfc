"""How many layers it takes until a position depends on a distant one."""

# --8<-- [start:path_length]
from collections.abc import Iterable

import torch
from torch import Tensor


def reads(n: int, k: int, dilation: int = 1) -> Tensor:
    """Which positions each position reads in one layer: (n, n), True where it does.

    Position i reads k of them: i, i - dilation, i - 2 dilation, and so on.
    """
    position = torch.arange(n)
    back = position.unsqueeze(1) - position
    return (back >= 0) & (back < k * dilation) & (back % dilation == 0)


def path_length(n: int, layers: Iterable[Tensor]) -> int:
    """After how many layers, each (n, n), the last position depends on the first.

    Raises ValueError if it does not after all of them.
    """
    reached = torch.arange(n) == 0
    for count, layer in enumerate(layers, start=1):
        reached = (layer & reached).any(dim=1)
        if reached[-1]:
            return count
    raise ValueError("the last position never depends on the first")
# --8<-- [end:path_length]
