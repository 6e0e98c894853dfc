"""What autograd saves is counted once, and apart from what exists anyway."""

from __future__ import annotations

import gc
import weakref

import pytest
import torch
from torch import nn

from snippets.tools.saved import saved_activations


def test_inputs_their_views_and_parameters_are_not_counted():
    x = torch.randn(4, 6, requires_grad=True)
    assert saved_activations(lambda x: x.T @ x, x) == 0
    assert saved_activations(nn.Linear(6, 3), x) == 0
    assert saved_activations(torch.sum, x) == 0


def test_options_are_handed_on():
    x = torch.randn(4, 3, requires_grad=True)

    def power(x, exponent=1):
        return x**exponent if exponent > 1 else x

    assert saved_activations(power, x) == 0
    assert saved_activations(lambda x, **options: power(x.exp(), **options), x, exponent=3) == 12


def test_parameters_count_behind_a_function_and_not_in_a_module():
    """So a module is to be passed as it is, not within a lambda."""
    layer, x = nn.Linear(6, 3), torch.randn(5, 6, requires_grad=True)
    assert saved_activations(layer, x) == 0 < saved_activations(lambda x: layer(x), x)


@pytest.mark.parametrize("dtype", [torch.float32, torch.float64, torch.bfloat16], ids=str)
def test_what_is_saved_for_several_steps_is_counted_once(dtype):
    x = torch.randn(4, 6, dtype=dtype, requires_grad=True)

    def square_of_exp(x):
        y = x.exp()
        return y * y  # saves y twice more

    assert saved_activations(square_of_exp, x) == 24


def test_nothing_of_a_model_is_left_behind():
    """An output that is saved, as that of tanh, would keep its graph and all parameters alive."""
    model = nn.Sequential(nn.Linear(4, 4), nn.Tanh())
    weight = weakref.ref(model[0].weight)
    saved_activations(model, torch.randn(3, 4))
    del model
    gc.collect()
    assert weight() is None


def test_without_data_as_much_is_counted_as_with():
    """On the device meta, every tensor says that its data is at address 0."""
    counts = []
    for device in ("cpu", "meta"):
        layers, x = nn.Sequential(nn.Linear(6, 4), nn.Tanh(), nn.Linear(4, 5), nn.Sigmoid()), torch.randn(3, 6)
        counts.append(saved_activations(layers.to(device), x.to(device)))
    assert counts == [3 * 4 + 3 * 5] * 2
