"""The steps of a model are those that ran, in their order, with the shapes they had."""

from __future__ import annotations

import pytest
import torch
from torch import nn

from snippets.attention.multi_head import MultiHeadAttention
from snippets.tools.tracing import steps


def test_steps_come_in_the_order_in_which_they_finish():
    model = nn.Sequential(nn.Linear(3, 5), nn.Sequential(nn.ReLU(), nn.Linear(5, 2)))
    found = steps(model, torch.zeros(4, 3))
    assert found == [("0", (4, 5)), ("1.0", (4, 5)), ("1.1", (4, 2)), ("1", (4, 2)), ("", (4, 2))]


def test_a_module_that_runs_twice_is_there_twice():
    shared = nn.Linear(3, 3)
    found = steps(nn.Sequential(shared, nn.ReLU(), shared), torch.zeros(2, 3))
    assert [name for name, _ in found] == ["0", "1", "0", ""]


def test_of_several_outputs_it_is_the_first():
    x = torch.zeros(2, 5, 12)
    assert steps(MultiHeadAttention(12, 3), x, x, x)[-1] == ("", (2, 5, 12))


def test_inputs_are_passed_in_their_order():
    x, y = torch.zeros(2, 3, 12), torch.zeros(2, 5, 12)
    assert dict(steps(MultiHeadAttention(12, 3), x, y, y))["w_k"] == (2, 5, 12)


def test_nothing_is_left_behind():
    class Broken(nn.Linear):
        def forward(self, x):
            raise RuntimeError("broken")

    good, broken = nn.Linear(3, 3), Broken(3, 3)
    steps(good, torch.zeros(1, 3))
    with pytest.raises(RuntimeError, match="broken"):
        steps(broken, torch.zeros(1, 3))
    assert not good._forward_hooks and not broken._forward_hooks
