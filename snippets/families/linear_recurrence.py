"""A recurrence without a nonlinearity, computed in log2(n) rounds."""

# --8<-- [start:scan]
import torch
from torch import Tensor


def scan(a: Tensor, b: Tensor) -> Tensor:
    """All states of h_t = a_t h_{t-1} + b_t, from h = 0, in log2(n) rounds.

    a, b: (n, d). After each round, a_t and b_t stand for twice as many steps.
    """
    shift = 1
    while shift < len(a):
        earlier_a = torch.cat([torch.ones_like(a[:shift]), a[:-shift]])
        earlier_b = torch.cat([torch.zeros_like(b[:shift]), b[:-shift]])
        a, b = a * earlier_a, a * earlier_b + b
        shift *= 2
    return b
# --8<-- [end:scan]
