"""Weights of a few bits: rounded to levels that a tensor, a row or a block shares."""

# --8<-- [start:imports]
from typing import NamedTuple

import torch
from torch import Tensor
# --8<-- [end:imports]


# --8<-- [start:groups]
def groups(weight: Tensor, by: str | int) -> Tensor:
    """What shares a scale, as rows: (..., d) -> (groups, size).

    by: "tensor", "row", or the size of a block. Raises ValueError if blocks do
    not fit into the rows.
    """
    size = {"tensor": weight.numel(), "row": weight.size(-1)}.get(by, by)
    if by != "tensor" and weight.size(-1) % size:
        raise ValueError(f"rows of {weight.size(-1)} are no blocks of {size}")
    return weight.reshape(-1, size)
# --8<-- [end:groups]


# --8<-- [start:Quantized]
class Quantized(NamedTuple):
    """Groups of weights: scale x q, plus the least if there is one."""

    q: Tensor  # (groups, size), int8 or uint8
    scale: Tensor  # (groups, 1), float16
    least: Tensor | None = None  # (groups, 1), float16

    def bits(self, each: int) -> float:
        """A weight, with its share of the scales, if an integer takes `each`."""
        numbers = self.scale.numel() * (1 if self.least is None else 2)
        return each + 16 * numbers / self.q.numel()
# --8<-- [end:Quantized]


# --8<-- [start:quantize]
def symmetric(x: Tensor, bits: int) -> Quantized:
    """x, (groups, size), is about scale x q. 8 bits in blocks of 32 are Q8_0."""
    most = 2 ** (bits - 1) - 1
    scale = x.abs().amax(dim=-1, keepdim=True) / most
    q = (x / scale.where(scale > 0, 1)).round()
    return Quantized(q.to(torch.int8), scale.half())


def affine(x: Tensor, bits: int) -> Quantized:
    """x is about scale x q + least. 4 bits in blocks of 32 are Q4_1."""
    least, largest = x.aminmax(dim=-1, keepdim=True)
    scale = (largest - least) / (2**bits - 1)
    q = ((x - least) / scale.where(scale > 0, 1)).round()
    return Quantized(q.to(torch.uint8), scale.half(), least.half())


def dequantized(of: Quantized) -> Tensor:
    """The weights of these integers, float32: (groups, size)."""
    x = of.scale.float() * of.q
    return x if of.least is None else x + of.least.float()
# --8<-- [end:quantize]


# --8<-- [start:integer_product]
def integer_product(x: Quantized, w: Quantized) -> Tensor:
    """x W^T of symmetric rows, summed as integers: (n, d), (m, d) -> (n, m).

    With 8 bits, int32 holds the sums up to d = 133,144.
    """
    sums = x.q.int() @ w.q.int().T  # (n, m), int32, exact
    return x.scale.float() * w.scale.float().T * sums
# --8<-- [end:integer_product]
