"""What RMSNorm means: the length of a vector is lost, its direction and its mean are not."""

from __future__ import annotations

import pytest
import torch
from hypothesis import given
from hypothesis import strategies as st
from torch.testing import assert_close

from snippets.block.layer_norm import LayerNorm
from snippets.families.rms_norm import RMSNorm
from tests.properties import sizes, tensors


def test_a_known_answer():
    """The mean of the squares of 3 and -4 is 12.5."""
    x = torch.tensor([[3.0, -4.0], [0.3, -0.4]])
    assert_close(RMSNorm(2)(x), torch.tensor([[3.0, -4.0]]) / 12.5**0.5 * torch.ones(2, 1), rtol=1e-4, atol=0)


@given(st.data(), sizes)
def test_it_is_that_of_pytorch(data, d_model):
    ours, theirs = RMSNorm(d_model, eps=1e-3).double(), torch.nn.RMSNorm(d_model, eps=1e-3).double()
    with torch.no_grad():
        ours.gamma.copy_(data.draw(tensors(d_model)))
        theirs.weight.copy_(ours.gamma)
    x = data.draw(tensors(3, d_model))
    assert_close(ours(x), theirs(x))


@given(st.floats(0.1, 1000))
def test_a_factor_changes_nothing_and_a_number_added_does(factor):
    x = torch.tensor([1.0, 2.0, 6.0], dtype=torch.float64)
    norm = RMSNorm(3, eps=0.0).double()
    assert_close(norm(factor * x), norm(x))
    assert (norm(x + factor) - norm(x)).abs().max() > 0.01


def test_of_vectors_with_mean_0_it_is_layer_norm():
    x = torch.tensor([[1.0, -3.0, 2.0], [0.5, 0.0, -0.5]])
    assert_close(RMSNorm(3, eps=1e-5)(x), LayerNorm(3)(x))


def test_zeros_stay_zeros_and_have_a_gradient():
    norm, x = RMSNorm(4), torch.zeros(4, requires_grad=True)
    norm(x).sum().backward()
    assert_close(x.grad, torch.full((4,), 1000.0))  # 1 / sqrt(eps)


@pytest.mark.parametrize("dtype", [torch.float16, torch.bfloat16])
def test_half_precision_is_computed_in_float32(dtype):
    """The square of 1000 is beyond float16."""
    x = torch.tensor([1000.0, -1000.0], dtype=dtype)
    y = RMSNorm(2).to(dtype)(x)
    assert y.dtype == dtype
    assert_close(y, torch.tensor([1.0, -1.0], dtype=dtype))


def test_another_dimension_is_refused():
    with pytest.raises(ValueError, match=r"\(\.\.\., 4\), not \(2, 3\)"):
        RMSNorm(4)(torch.ones(2, 3))


def test_it_says_what_it_is():
    assert str(RMSNorm(4)) == "RMSNorm(4, eps=1e-06)"
