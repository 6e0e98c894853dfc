"""What is done in several processes is what would be done in one, in the same order."""

from __future__ import annotations

import math
import os

import pytest

from snippets.tools.in_parallel import in_parallel

# In words, since a new process can import no test that the mutation tests run.
THREADS = "__import__('torch').get_num_threads()"
PROCESS = "__import__('os').getpid()"
STARTED_AND_ENDED = "[clock.time() for clock in [__import__('time')] for pause in (0, 2) if not clock.sleep(pause)]"


def test_results_come_in_the_order_of_the_arguments_from_other_processes_of_one_thread():
    first, threads, process, last = in_parallel(eval, [("2 + 1",), (THREADS,), (PROCESS,), ("2 + 3",)])
    assert (first, threads, last) == (3, 1, 5)
    assert process != os.getpid()


@pytest.mark.thorough
def test_they_run_at_the_same_time_where_there_are_cores_for_it():
    (started, ended), (other_started, other_ended) = in_parallel(eval, [(STARTED_AND_ENDED,)] * 2)
    assert os.cpu_count() == 1 or (started < other_ended and other_started < ended)


def test_what_fails_in_a_process_fails_here():
    with pytest.raises(ValueError, match="math domain error|expected a nonnegative"):
        in_parallel(math.sqrt, [(4,), (-1,)])
