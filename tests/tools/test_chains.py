"""The longest chain is the number of operations that no machine can do at the same time."""

from __future__ import annotations

import torch
from hypothesis import given
from hypothesis import strategies as st

from snippets.tools.chains import longest_chain


@given(st.lists(st.integers(0, 5), min_size=1, max_size=5))
def test_the_longest_chain_is_that_of_the_longest_branch(branches):
    start = torch.ones(2, 2, requires_grad=True)
    outputs = []
    for products in branches:
        y = start + 0
        for _ in range(products):
            y = torch.tanh(y @ start)
        outputs.append(y)
    assert longest_chain(torch.stack(outputs)) == max(branches)


def test_a_chain_counts_the_operations_that_it_is_asked_for():
    x = torch.ones(2, 2, requires_grad=True)
    y = ((x @ x) * x * x).tanh()
    assert longest_chain(y) == 1
    assert longest_chain(y, ["Mul"]) == 2
    assert longest_chain(y, ["Mul", "Tanh", "Mm"]) == 4


def test_products_of_matrices_and_vectors_count_too():
    x, matrix = torch.ones(3, requires_grad=True), torch.ones(3, 3)
    assert longest_chain(matrix @ (matrix @ x)) == 2
    batch = torch.ones(2, 3, 3, requires_grad=True)
    assert longest_chain(torch.bmm(batch, batch)) == 1
    assert longest_chain(torch.addmm(matrix, matrix, x.expand(3, 3))) == 1
