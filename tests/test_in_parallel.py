"""What is done in several processes is what would be done in one, in the same order."""

from __future__ import annotations

import math

import pytest

from snippets.in_parallel import in_parallel


def test_results_come_in_the_order_of_the_arguments_from_processes_of_one_thread():
    threads = "__import__('torch').get_num_threads()"
    assert in_parallel(eval, [("2 + 1",), (threads,), ("2 + 3",)]) == [3, 1, 5]


def test_what_fails_in_a_process_fails_here():
    with pytest.raises(ValueError, match="math domain error|expected a nonnegative"):
        in_parallel(math.sqrt, [(4,), (-1,)])
