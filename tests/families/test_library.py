"""Renaming parameters: each part in turn, all of them, and none that is not there."""

from __future__ import annotations

import pytest
import torch
from torch import nn

from snippets.families.library import load_renamed, renamed


def test_each_part_of_a_name_is_replaced_in_the_order_of_the_map():
    names = {"layers": "h", "norm_1.gamma": "ln_1.weight", "gamma": "weight"}
    assert renamed("stack.layers.3.norm_1.gamma", names) == "stack.h.3.ln_1.weight"
    assert renamed("norm.gamma", names) == "norm.weight"


def test_weights_come_to_stand_under_our_names():
    model = nn.Linear(2, 3)
    state = {"kernel": torch.ones(3, 2), "bias": torch.arange(3.0), "position_ids": torch.arange(9)}
    load_renamed(model, state, {"weight": "kernel"})
    assert torch.equal(model.weight, torch.ones(3, 2))
    assert model.bias.tolist() == [0.0, 1.0, 2.0]


def test_a_parameter_that_the_library_does_not_have_is_named():
    with pytest.raises(KeyError, match="kernel"):
        load_renamed(nn.Linear(2, 3), {"bias": torch.zeros(3)}, {"weight": "kernel"})
