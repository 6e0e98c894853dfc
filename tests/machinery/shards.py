"""A part of what is tried of a kind, where all of it would take CI too long: ``SHARD=0`` to ``SHARD=11`` says which.

``.ci/run`` takes another twelfth with each commit, and on a slow machine half as much: ``SHARDS=24``.
Without ``SHARD``, all is tried.
"""

from __future__ import annotations

import os
from collections.abc import Sequence
from typing import TypeVar

VARIABLE, NUMBER, SHARDS = "SHARD", "SHARDS", 12
Thing = TypeVar("Thing")


def ours(things: Sequence[Thing]) -> Sequence[Thing]:
    """Every twelfth of ``things``, beginning with the one that the shard names; all of them if none is named."""
    shard, shards = _shard()
    return things if shard is None else things[shard::shards]


def in_third(number: int) -> bool:
    """Whether the thing of that number is in the third that the shard tries: the next shards try the others."""
    shard, _ = _shard()
    return shard is None or (number + shard) % 3 == 0


def _shard() -> tuple[int | None, int]:
    shard, shards = os.environ.get(VARIABLE), os.environ.get(NUMBER, str(SHARDS))
    if not shards.isdecimal() or int(shards) < 1:
        raise SystemExit(f"{NUMBER}={shards}: the number of shards is 1 or more")
    if shard not in (None, *map(str, range(int(shards)))):
        raise SystemExit(f"{VARIABLE}={shard}: a shard is 0 to {int(shards) - 1}")
    return None if shard is None else int(shard), int(shards)
