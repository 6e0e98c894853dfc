"""Several trainings at once: one on each core takes less time than one on all."""

# --8<-- [start:imports]
import multiprocessing
import os
import threading
from collections.abc import Callable
from concurrent.futures import ProcessPoolExecutor

import torch
from tqdm import tqdm
# --8<-- [end:imports]


# --8<-- [start:in_parallel]
def processes() -> ProcessPoolExecutor:
    """As many processes as there are cores, of one thread each."""
    spawn = multiprocessing.get_context("spawn")  # the same on all systems
    return ProcessPoolExecutor(mp_context=spawn, initializer=prepare)


def prepare() -> None:
    """In a new process: one thread to compute, one to watch."""
    torch.set_num_threads(1)
    threading.Thread(target=end_with_parent, daemon=True).start()


def end_with_parent() -> None:
    """No work goes on if nobody waits for it any more."""
    if parent := multiprocessing.parent_process():
        parent.join()
        os._exit(1)


def in_parallel(function: Callable, arguments: list[tuple]) -> list:
    """function(*a) for each a, in as many processes as there are cores.

    The function has to be one of a module, so that a new process can import it.
    """
    with processes() as pool:
        futures = [pool.submit(function, *a) for a in arguments]
        return [f.result() for f in tqdm(futures, unit="run", disable=None)]
# --8<-- [end:in_parallel]
