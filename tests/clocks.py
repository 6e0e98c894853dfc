"""Clocks for what tests measure."""

from __future__ import annotations

import time
from collections.abc import Callable


def own_time() -> Callable[[], float]:
    """A clock that stands still while other processes have the processor, for what one thread does.

    Some virtual machines advance that of the process a hundred times a second, which is no clock for what takes a
    millisecond; there it is the one on the wall.
    """
    ticks, end = set(), time.perf_counter() + 0.05
    while time.perf_counter() < end:
        ticks.add(time.process_time())
    return time.process_time if len(ticks) > 100 else time.perf_counter
