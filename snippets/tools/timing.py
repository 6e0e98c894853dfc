"""How long things take, beside each other: ratios say more than single times."""

# --8<-- [start:imports]
import statistics
import time
from collections.abc import Callable
# --8<-- [end:imports]


# --8<-- [start:seconds]
def seconds(
    functions: dict[str, Callable[[], object]],
    rounds: int = 7,
    clock: Callable[[], float] = time.perf_counter,
    choose: Callable[[list[float]], float] = statistics.median,
) -> dict[str, float]:
    """Seconds of each function, by default the median of all rounds.

    They take turns, so that a slow moment of the machine hits all alike; a round
    that does not count comes first. clock=time.thread_time leaves out what other
    programs take. Raises ValueError if rounds is below 1.
    """
    if rounds < 1:
        raise ValueError(f"there is no median of {rounds} rounds")
    taken: dict[str, list[float]] = {name: [] for name in functions}
    for _ in range(1 + rounds):
        for name, function in functions.items():
            start = clock()
            function()
            taken[name].append(clock() - start)
    return {name: choose(times[1:]) for name, times in taken.items()}
# --8<-- [end:seconds]
