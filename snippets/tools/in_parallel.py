"""Several trainings at once: one on each core takes less time than one on all."""

# --8<-- [start:imports]
import multiprocessing
from collections.abc import Callable
from concurrent.futures import ProcessPoolExecutor

import torch
from tqdm import tqdm
# --8<-- [end:imports]


# --8<-- [start:in_parallel]
def in_parallel(function: Callable, arguments: list[tuple]) -> list:
    """function(*a) for each a, in as many processes as there are cores.

    The function has to be one of a module, so that a new process can import it.
    """
    with ProcessPoolExecutor(
        mp_context=multiprocessing.get_context("spawn"),  # the same on all systems
        initializer=torch.set_num_threads,
        initargs=(1,),
    ) as pool:
        futures = [pool.submit(function, *a) for a in arguments]
        return [f.result() for f in tqdm(futures, unit="run", disable=None)]
# --8<-- [end:in_parallel]
