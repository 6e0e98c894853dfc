"""Layer normalisation: known numbers, mean and variance, agreement with torch.nn."""

from __future__ import annotations

import pytest
import torch
from hypothesis import given
from hypothesis import strategies as st
from torch import nn
from torch.testing import assert_close

from snippets.block.layer_norm import LayerNorm
from tests.properties import sizes, tensors


def random(*shape):
    return torch.randn(shape, dtype=torch.float64, generator=torch.Generator().manual_seed(0))


def test_the_numbers_of_the_page():
    norm = LayerNorm(3)
    assert norm(torch.tensor([1.0, 2.0, 3.0])).detach().numpy().round(4).tolist() == pytest.approx([-1.2247, 0, 1.2247])
    assert norm(torch.tensor([1.0, 1.0, 1.0])).tolist() == [0, 0, 0]


@given(st.data(), sizes, sizes)
def test_it_is_the_norm_of_torch(data, n, d):
    x = data.draw(tensors(n, d + 1))
    ours, theirs = LayerNorm(d + 1).double(), nn.LayerNorm(d + 1).double()
    with torch.no_grad():
        for mine, other in ((ours.gamma, theirs.weight), (ours.beta, theirs.bias)):
            mine.copy_(random(d + 1) + 2)
            other.copy_(mine)
    assert_close(ours(x), theirs(x))


def test_gradients_are_those_of_torch():
    x = random(3, 6).requires_grad_()
    weights = random(3, 6)
    ours = torch.autograd.grad((LayerNorm(6).double()(x) * weights).sum(), x)
    theirs = torch.autograd.grad((nn.LayerNorm(6).double()(x) * weights).sum(), x)
    assert_close(ours, theirs)


@pytest.mark.parametrize("dtype", [torch.float16, torch.bfloat16])
@pytest.mark.parametrize("size", [1, 300, 20_000])
def test_half_precision_neither_overflows_nor_differs_from_torch(dtype, size):
    x = (size * (random(50, 16) + 1)).clamp(-60_000, 60_000).to(dtype)
    y, expected = LayerNorm(16).to(dtype)(x), nn.LayerNorm(16).to(dtype)(x)
    assert y.dtype == dtype and y.isfinite().all()
    assert_close(y, expected, atol=0, rtol=torch.finfo(dtype).eps)  # one rounding apart at most


def test_integers_are_not_normalised():
    with pytest.raises(RuntimeError, match="floating point"):
        LayerNorm(2)(torch.tensor([1, 3]))


def test_its_size_is_printed():
    assert str(LayerNorm(6, eps=1e-6)) == "LayerNorm(6, eps=1e-06)"


def test_each_vector_gets_mean_0_and_variance_1():
    y = LayerNorm(64).double()(5 + 3 * random(2, 4, 64))
    assert_close(y.mean(dim=-1), torch.zeros(2, 4).double(), atol=1e-12, rtol=0)
    assert_close(y.var(dim=-1, correction=0), torch.ones(2, 4).double(), atol=1e-4, rtol=0)


def test_epsilon_stands_inside_the_root():
    x = torch.tensor([0.0, 2e-4], dtype=torch.float64)  # variance 1e-8
    assert_close(LayerNorm(2, eps=3e-8).double()(x), torch.tensor([-0.5, 0.5]).double())
    assert LayerNorm(2).eps == 1e-5


def test_scale_and_shift_start_as_1_and_0():
    norm = LayerNorm(4)
    assert norm.gamma.tolist() == [1] * 4 and norm.beta.tolist() == [0] * 4


@pytest.mark.parametrize("shape", [(2, 4), (3, 2), (1,)])
def test_a_wrong_width_is_named(shape):
    with pytest.raises(ValueError, match=r"x is \(\.\.\., 3\)") as error:
        LayerNorm(3)(torch.zeros(shape))
    assert str(shape) in str(error.value)
