"""A quarter of what is tried of a kind, where all of it would take CI too long: ``SHARD=0`` to ``SHARD=3`` says which.

``.ci/run`` takes another one with each commit; without the variable, all is tried.
"""

from __future__ import annotations

import os
from collections.abc import Sequence
from typing import TypeVar

VARIABLE, SHARDS = "SHARD", 4
Thing = TypeVar("Thing")


def ours(things: Sequence[Thing]) -> Sequence[Thing]:
    """Every fourth of ``things``, beginning with the one that the shard names; all of them if none is named."""
    shard = os.environ.get(VARIABLE)
    if shard not in (None, *map(str, range(SHARDS))):
        raise SystemExit(f"{VARIABLE}={shard}: a shard is 0 to {SHARDS - 1}")
    return things if shard is None else things[int(shard) :: SHARDS]
