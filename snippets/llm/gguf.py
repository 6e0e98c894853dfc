"""A GGUF file: the numbers and texts at its start, and tensors of a few bits a weight."""

# --8<-- [start:imports]
import mmap
import struct
from collections.abc import Callable
from math import prod
from pathlib import Path
from typing import Any, NamedTuple

import torch
from torch import Tensor
# --8<-- [end:imports]


# --8<-- [start:Cursor]
# How struct spells the numbers, by the code that stands in front of a value.
NUMBERS = dict(zip([*range(8), *range(10, 13)], "BbHhIif?Qqd", strict=True))
TEXT, ARRAY = 8, 9


class Cursor:
    """A place in the bytes of a file, which moves as they are read."""

    def __init__(self, data: mmap.mmap, at: int = 0) -> None:
        self.data, self.at = data, at

    def number(self, letter: str) -> int | float:
        (value,) = struct.unpack_from(f"<{letter}", self.data, self.at)
        self.at += struct.calcsize(letter)
        return value

    def text(self) -> str:
        length = self.number("Q")  # in bytes
        self.at += length
        return self.data[self.at - length : self.at].decode()

    def value(self, code: int) -> int | float | str | list:
        if code == TEXT:
            return self.text()
        if code == ARRAY:
            of, length = self.number("I"), self.number("Q")
            return [self.value(of) for _ in range(length)]
        return self.number(NUMBERS[code])
# --8<-- [end:Cursor]


# --8<-- [start:decode]
def floats(data: Tensor) -> Tensor:
    return data.view(torch.float32)


def q8_0(blocks: Tensor) -> Tensor:
    """scale x q: (n, 34) bytes, a half float and 32 of -128..127 -> (n, 32)."""
    scale = blocks[:, :2].view(torch.float16).float()
    return scale * blocks[:, 2:].view(torch.int8).float()


def q4_1(blocks: Tensor) -> Tensor:
    """scale x q + least: (n, 20) bytes, two half floats and 32 of 0..15."""
    scale, least = blocks[:, :4].view(torch.float16).float().split(1, dim=1)
    low, high = blocks[:, 4:] & 15, blocks[:, 4:] >> 4  # four bits each
    return scale * torch.cat([low, high], dim=1).float() + least
# --8<-- [end:decode]


# --8<-- [start:Kind]
class Kind(NamedTuple):
    """How weights are stored: so many of them in a block of so many bytes."""

    name: str
    weights: int
    size: int  # bytes
    decode: Callable[[Tensor], Tensor]  # (blocks, size) -> (blocks, weights)


KINDS = {
    0: Kind("F32", 1, 4, floats),
    3: Kind("Q4_1", 32, 20, q4_1),
    8: Kind("Q8_0", 32, 34, q8_0),
}


class Stored(NamedTuple):
    """A tensor as it lies in the file."""

    shape: tuple[int, ...]
    kind: Kind
    blocks: Tensor  # (number of blocks, kind.size), uint8

    def decoded(self) -> Tensor:
        """Its weights, float32."""
        return self.kind.decode(self.blocks).reshape(self.shape)
# --8<-- [end:Kind]


# --8<-- [start:read_gguf]
def read_gguf(path: Path) -> tuple[dict[str, Any], dict[str, Stored]]:
    """What a file says of its model, and its tensors, both by name.

    No tensor is read before it is used. Raises ValueError for another kind of
    file, and for tensors that are stored in a way not known here.
    """
    with path.open("rb") as file:
        data = mmap.mmap(file.fileno(), 0, access=mmap.ACCESS_COPY)
    if data[:4] != b"GGUF":
        raise ValueError(f"{path} begins with {data[:4]}, not with b'GGUF'")
    cursor = Cursor(data, at=4)
    version, tensors, entries = (cursor.number(letter) for letter in "IQQ")
    if version not in (2, 3):
        raise ValueError(f"{path} is GGUF version {version}, not 2 or 3")
    about = dict(read_value(cursor) for _ in range(entries))
    listed = [read_entry(cursor) for _ in range(tensors)]
    step = about.get("general.alignment", 32)
    start = -(-cursor.at // step) * step  # the next multiple of it
    return about, {
        name: stored(data, start + offset, shape, code)
        for name, shape, code, offset in listed
    }


def read_value(cursor: Cursor) -> tuple[str, int | float | str | list]:
    name, code = cursor.text(), cursor.number("I")
    return name, cursor.value(code)


def read_entry(cursor: Cursor) -> tuple[str, tuple[int, ...], int, int]:
    """Name, shape, kind and offset of a tensor; its last axis comes first."""
    name, axes = cursor.text(), cursor.number("I")
    shape = tuple(cursor.number("Q") for _ in range(axes))[::-1]
    return name, shape, cursor.number("I"), cursor.number("Q")


def stored(
    data: mmap.mmap, offset: int, shape: tuple[int, ...], code: int
) -> Stored:
    """The blocks of one tensor, where they lie; nothing is copied."""
    if code not in KINDS:
        known = ", ".join(f"{kind.name} ({code})" for code, kind in KINDS.items())
        raise ValueError(f"a tensor is stored as kind {code}; known are {known}")
    kind = KINDS[code]
    count = prod(shape) // kind.weights
    if offset + count * kind.size > len(data):
        raise ValueError(f"the file ends at {len(data)}, before its last tensor")
    flat = torch.frombuffer(
        data, dtype=torch.uint8, count=count * kind.size, offset=offset
    )
    return Stored(shape, kind, flat.view(count, kind.size))
# --8<-- [end:read_gguf]
