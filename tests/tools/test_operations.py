"""Operations are noted as PyTorch calls them, with the size of what they make."""

from __future__ import annotations

import torch

from snippets.tools.operations import largest_tensor, operations


def test_a_product_a_sum_and_what_they_make():
    x, y = torch.ones(2, 3), torch.ones(3, 5)
    assert operations(lambda: (x @ y).sum()) == [("mm", 10), ("sum", 1)]


def test_arguments_are_passed_on():
    assert operations(torch.sum, torch.ones(4, 5), dim=0, keepdim=True) == [("sum", 5)]
    assert largest_tensor(torch.sum, torch.ones(4, 5), dim=0) == 5


def test_what_is_computed_stays_the_same():
    made = []
    operations(lambda: made.append(torch.full((3,), 7, dtype=torch.int8)))
    assert made[0].dtype == torch.int8 and made[0].tolist() == [7] * 3


def test_of_several_results_the_largest_counts_and_what_is_no_tensor_counts_nothing():
    assert operations(torch.topk, torch.rand(9), 3) == [("topk", 3)]
    assert operations(torch.split, torch.ones(7), [2, 5]) == [("split_with_sizes", 5)]
    assert operations(torch.Tensor.item, torch.ones(1)) == [("_local_scalar_dense", 0)]


def test_the_largest_of_all():
    x = torch.ones(6, 2)
    assert largest_tensor(lambda: (x @ x.T).sum(dim=0)) == 36
