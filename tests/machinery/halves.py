"""Half of what is tried of a kind, where all of it would take CI too long: ``HALF=0`` or ``HALF=1`` says which.

``.ci/run`` takes the one at one commit and the other at the next; without the variable, all is tried.
"""

from __future__ import annotations

import os
from collections.abc import Sequence
from typing import TypeVar

VARIABLE = "HALF"
Thing = TypeVar("Thing")


def ours(things: Sequence[Thing]) -> Sequence[Thing]:
    """Every other one of ``things``, beginning with the first or the second; all of them if no half is named."""
    half = os.environ.get(VARIABLE)
    if half not in (None, "0", "1"):
        raise SystemExit(f"{VARIABLE}={half}: a half is 0 or 1")
    return things if half is None else things[int(half) :: 2]
