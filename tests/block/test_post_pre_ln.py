"""Before training: what theory says of gradients and sizes, and what the stack is made of."""

from __future__ import annotations

import pytest
import torch
from torch import nn

from snippets.block.post_pre_ln import gradients_by_layer, sizes_by_layer, xavier_stack


def mean_last_gradient(num_layers: int, norm_first: bool) -> float:
    return sum(gradients_by_layer(num_layers, norm_first, seed)[-1].item() for seed in range(3)) / 3


def test_weights_are_xavier_s_and_biases_zero():
    stack = xavier_stack(2, False, seed=0)
    layer = stack.layers[1]
    assert layer.attention.w_q.weight.std().item() == pytest.approx((2 / 128) ** 0.5, rel=0.05)
    assert layer.feed_forward.w_1.weight.std().item() == pytest.approx((2 / 320) ** 0.5, rel=0.05)
    for name, parameter in stack.named_parameters():
        if name.endswith(("bias", "beta")):
            assert (parameter == 0).all(), name
        if name.endswith("gamma"):
            assert (parameter == 1).all(), name
    assert all(module.p == 0 for module in stack.modules() if type(module).__name__ == "Dropout")
    assert len(stack.layers) == 2 and layer.attention.num_heads == 4
    assert (layer.feed_forward.w_1.in_features, layer.feed_forward.w_1.out_features) == (64, 256)


def test_seeds_decide():
    one, same, other = (xavier_stack(1, True, seed).layers[0].feed_forward.w_1.weight for seed in (0, 0, 1))
    assert torch.equal(one, same) and not torch.equal(one, other)


def test_the_last_gradient_of_pre_ln_falls_with_the_root_of_the_depth_and_that_of_post_ln_does_not():
    """Xiong et al. 2020, theorem 1."""
    shallow, deep = 3, 12
    assert mean_last_gradient(shallow, True) / mean_last_gradient(deep, True) == pytest.approx(2, rel=0.15)
    assert mean_last_gradient(shallow, False) / mean_last_gradient(deep, False) == pytest.approx(1, rel=0.3)


def test_gradients_are_those_of_a_cross_entropy():
    """The same numbers, put together again step by step."""
    stack = xavier_stack(2, True, seed=3)
    head = nn.Linear(64, 100)
    nn.init.normal_(head.weight, std=1 / 8)
    x, classes = torch.randn(4, 16, 64), torch.randint(100, (64,))
    logits = head(stack(x)).view(64, 100)
    loss = (logits.logsumexp(dim=1) - logits[torch.arange(64), classes]).mean()
    weights = [layer.feed_forward.w_2.weight for layer in stack.layers]
    expected = [gradient.norm() for gradient in torch.autograd.grad(loss, weights)]
    torch.testing.assert_close(gradients_by_layer(2, True, seed=3), torch.stack(expected), atol=1e-5, rtol=1e-4)


def test_the_residual_stream_grows_with_pre_ln_only():
    post, pre = (sizes_by_layer(8, norm_first, seed=0) for norm_first in (False, True))
    assert len(post) == len(pre) == 9
    torch.testing.assert_close(post[1:], torch.ones(8), atol=1e-3, rtol=0)
    assert (pre[1:] > pre[:-1]).all()
    assert pre[0].item() == pytest.approx(1, abs=0.05)


def test_sizes_are_those_of_the_vectors_between_layers():
    stack = xavier_stack(1, True, seed=5)
    x = torch.randn(4, 16, 64)
    y = stack.layers[0](x)
    expected = torch.stack([x.square().mean().sqrt(), y.square().mean().sqrt()])
    torch.testing.assert_close(sizes_by_layer(1, True, seed=5), expected.detach())


def test_the_residual_stream_grows_faster_than_the_root_at_first_and_about_like_it_later():
    squares = (sum(sizes_by_layer(24, True, seed) for seed in range(5)) / 5).square()
    assert squares[6] - squares[3] > 1.5 * 3 * (squares[1] - squares[0]), "a sum of equals gains the same each time"
    assert squares[24] / squares[12] == pytest.approx(2, rel=0.15)
