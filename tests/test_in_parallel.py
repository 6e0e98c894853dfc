"""What is done in several processes is what would be done in one, in the same order."""

from __future__ import annotations

import math

import pytest
import torch

from snippets.in_parallel import in_parallel


def test_results_come_in_the_order_of_the_arguments():
    assert in_parallel(math.pow, [(2, 1), (2, 2), (2, 3)]) == [2.0, 4.0, 8.0]


def test_each_process_uses_one_thread():
    assert in_parallel(torch.get_num_threads, [()]) == [1]


def test_what_fails_in_a_process_fails_here():
    with pytest.raises(ValueError, match="math domain error|expected a nonnegative"):
        in_parallel(math.sqrt, [(4,), (-1,)])
