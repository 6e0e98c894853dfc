"""What a budget means: so many bytes at a time, as measured, and the output of all queries at once."""

from __future__ import annotations

import pytest
import torch
from torch.nn.functional import scaled_dot_product_attention
from torch.testing import assert_close
from torch.utils.flop_counter import FlopCounterMode

from snippets.model.memory_budget import Peak, attention_within, plain_attention, plain_operations, plain_peak

SIZES = [(2, 3, 20, 32, 4), (1, 1, 7, 9, 2), (3, 2, 5, 40, 8)]


def inputs(batch, heads, n_q, n_k, d, dtype=torch.float32):
    torch.manual_seed(0)
    return [torch.randn(batch, heads, n, d, dtype=dtype) for n in (n_q, n_k, n_k)]


def test_what_is_alive_at_a_time_counts_and_what_is_freed_does_not():
    x = torch.zeros(10)
    with Peak() as peak:
        y = x + 1  # 40 bytes
        y.view(2, 5).mul_(2)  # no new ones
        x.view(5, 2)
        z = y + 1
        del y
        assert (peak.now(), peak.bytes) == (40, 80)
        z = torch.cat([z, z])  # 80 while the other is still there
        assert (peak.now(), peak.bytes) == (80, 120)
        z.max(dim=0)  # two numbers, of 4 and 8 bytes
    assert (peak.now(), peak.bytes) == (80, 120)
    with Peak() as peak:
        x.view(5, 2)
    assert peak.bytes == 0
    with Peak() as peak:
        torch.zeros(3).sort()
    assert (peak.now(), peak.bytes) == (0, 12 + 12 + 24)


@pytest.mark.parametrize("sizes", SIZES)
def test_what_is_predicted_is_what_is_measured(sizes):
    for dtype in (torch.float32, torch.float64):
        with Peak() as peak:
            plain_attention(*inputs(*sizes, dtype))
        made = sum(x.nbytes for x in inputs(*sizes, dtype))
        assert peak.bytes == plain_peak(*sizes[:4], dtype.itemsize) + made
    with FlopCounterMode(display=False) as counted:
        plain_attention(*inputs(*sizes))
    assert counted.get_total_flops() == plain_operations(*sizes)


@pytest.mark.parametrize("sizes", SIZES)
def test_within_any_budget_the_output_is_that_of_pytorch(sizes):
    given = inputs(*sizes)
    right, row = scaled_dot_product_attention(*given), plain_peak(*sizes[:2], 1, sizes[3], 4)
    assert_close(plain_attention(*given), right)
    for queries in (1, 2, 3, 100):
        for budget in (queries * row, queries * row + row - 1):
            with Peak() as peak:
                got = attention_within(*given, budget)
            assert_close(got, right)
            most = min(queries, sizes[2])
            assert plain_peak(*sizes[:2], most, sizes[3], 4) <= peak.bytes <= budget + 3 * got.nbytes


def test_it_takes_as_many_queries_at_once_as_there_is_room_for():
    given = inputs(2, 3, 20, 32, 4)
    row = plain_peak(2, 3, 1, 32, 4)
    for queries, parts in ((1, 20), (6, 4), (7, 3), (20, 1)):
        with FlopCounterMode(display=False) as counted, Peak() as peak:
            attention_within(*given, queries * row)
        assert counted.get_total_flops() == plain_operations(2, 3, 20, 32, 4)
        assert peak.bytes >= queries * row
        assert -(-20 // queries) == parts


def test_values_may_have_another_dimension_and_a_batch_any_number_of_axes():
    query, key, value = torch.randn(5, 4), torch.randn(6, 4), torch.randn(6, 3)
    assert_close(attention_within(query, key, value, 2 * 6 * 4), plain_attention(query, key, value))
    query, key, value = torch.randn(5, 1, 2, 7, 4), torch.randn(5, 1, 2, 6, 4), torch.randn(5, 1, 2, 6, 3)
    assert_close(attention_within(query, key, value, 3000), plain_attention(query, key, value))


def test_a_budget_below_one_query_is_refused_and_one_query_is_enough():
    given = inputs(2, 3, 4, 6, 2)
    row = plain_peak(2, 3, 1, 6, 4)
    with pytest.raises(ValueError, match=f"one query needs {row} bytes, and {row - 1} are allowed"):
        attention_within(*given, row - 1)
    attention_within(*given, row)


def test_gradients_are_those_of_all_at_once():
    found = []
    for compute in (plain_attention, lambda *x: attention_within(*x, plain_peak(2, 3, 2, 6, 8))):
        given = [x.requires_grad_() for x in inputs(2, 3, 4, 6, 2, torch.float64)]
        compute(*given).square().sum().backward()
        found.append([x.grad for x in given])
    for got, right in zip(*found, strict=True):
        assert_close(got, right)
