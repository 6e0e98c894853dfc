"""Attention within a budget: what it stores is predicted, measured, and kept small."""

# --8<-- [start:imports]
import math
import weakref

import torch
from torch import Tensor
from torch.utils._python_dispatch import TorchDispatchMode
from torch.utils._pytree import tree_leaves
# --8<-- [end:imports]


# --8<-- [start:Peak]
class Peak(TorchDispatchMode):
    """`with Peak() as peak:` counts in peak.bytes the most that tensors made within
    hold at a time. What was there before does not count, nor does a view."""

    def __init__(self) -> None:
        super().__init__()
        self.bytes = 0
        self.made: list[weakref.ref] = []

    def __torch_dispatch__(self, operation, types, args=(), kwargs=None):
        result = operation(*args, **(kwargs or {}))
        before = {store.data_ptr() for store in storages((args, kwargs))}
        new = [x for x in storages(result) if x.data_ptr() not in before]
        self.made += [weakref.ref(store) for store in new]
        self.bytes = max(self.bytes, self.now())
        return result

    def now(self) -> int:
        """The bytes of those that are still there."""
        return sum(store.nbytes() for ref in self.made if (store := ref()))


def storages(values: object) -> list[torch.UntypedStorage]:
    """What holds the numbers of all tensors in values."""
    leaves = tree_leaves(values)
    return [x.untyped_storage() for x in leaves if isinstance(x, Tensor)]
# --8<-- [end:Peak]


# --8<-- [start:plain]
def plain_attention(query: Tensor, key: Tensor, value: Tensor) -> Tensor:
    """All at once: (..., n_q, d_k), (..., n_k, d_k), (..., n_k, d_v)."""
    root = math.sqrt(query.size(-1))
    weights = torch.softmax(query / root @ key.transpose(-2, -1), dim=-1)
    return weights @ value


def plain_operations(batch: int, heads: int, n_q: int, n_k: int, d_k: int) -> int:
    """Multiplications and additions of its two products, if d_v is d_k."""
    return 2 * (2 * batch * heads * n_q * n_k * d_k)


def plain_peak(batch: int, heads: int, n_q: int, n_k: int, size: int) -> int:
    """The bytes of scores and weights, which exist together; size: that of one."""
    return 2 * batch * heads * n_q * n_k * size
# --8<-- [end:plain]


# --8<-- [start:attention_within]
def attention_within(
    query: Tensor, key: Tensor, value: Tensor, budget: int
) -> Tensor:
    """The same output, with scores and weights of at most `budget` bytes at a time.

    As many queries at once as the budget allows. Raises ValueError if it is too
    small for a single one.
    """
    *batch, n_q, _ = query.shape
    row = math.prod(batch) * key.size(-2) * query.element_size()  # of scores
    at_once = budget // (2 * row)
    if at_once < 1:
        needed = f"one query needs {2 * row} bytes"
        raise ValueError(f"{needed}, and {budget} are allowed")
    output = query.new_empty(*batch, n_q, value.size(-1))
    for i in range(0, n_q, at_once):
        part = slice(i, i + at_once)
        output[..., part, :] = plain_attention(query[..., part, :], key, value)
    return output
# --8<-- [end:attention_within]
