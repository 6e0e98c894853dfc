"""The mean of the weights of several models is taken entry by entry."""

from __future__ import annotations

import pytest
import torch
from torch import nn
from torch.optim.swa_utils import AveragedModel

from snippets.training.averaging import average


def test_a_mean_of_weights_is_taken_entry_by_entry():
    states = [{"a": torch.tensor([1.0, 2.0]), "b": torch.tensor(0.0)}] + [
        {"a": torch.zeros(2), "b": torch.ones([])}
    ] * 3
    found = average(states)
    assert torch.equal(found["a"], torch.tensor([0.25, 0.5])) and found["b"] == 0.75


def test_the_mean_of_one_is_that_one():
    one = {"a": torch.randn(3, 2)}
    assert torch.equal(average([one])["a"], one["a"])


def test_it_is_that_of_torch():
    models = [nn.Sequential(nn.Linear(3, 4), nn.LayerNorm(4)) for _ in range(3)]
    for model in models:
        nn.init.normal_(model[1].weight)
    theirs = AveragedModel(models[0])
    for model in models:
        theirs.update_parameters(model)
    expected = theirs.module.state_dict()
    for name, value in average([model.state_dict() for model in models]).items():
        torch.testing.assert_close(value, expected[name])


@pytest.mark.parametrize(
    "wrong", [[], [{"a": torch.zeros(2)}, {"b": torch.zeros(2)}], [{"a": torch.zeros(2)}, {"a": torch.zeros(1)}]]
)
def test_what_has_no_mean_is_refused(wrong):
    with pytest.raises(ValueError, match="names and shapes"):
        average(wrong)
