"""Linear attention is a sum over the past; the delta rule overwrites; the layer is that of Qwen3-Next."""

from __future__ import annotations

import pytest
import torch
from torch.testing import assert_close

from snippets.llm.linear_attention import GatedDeltaNet, gated_delta_rule, linear_attention
from tests.torch_twins import randomise


def vectors(*shapes):
    torch.manual_seed(0)
    return [torch.randn(shape, dtype=torch.float64) for shape in shapes]


def test_it_is_attention_whose_weights_are_the_scores():
    q, k, v = vectors((2, 3, 6, 4), (2, 3, 6, 4), (2, 3, 6, 5))
    assert_close(linear_attention(q, k, v), (q @ k.mT).tril() @ v)


def test_without_decay_and_with_orthogonal_keys_the_delta_rule_is_linear_attention():
    q, v = vectors((2, 5, 8), (2, 5, 3))
    k = torch.eye(8, dtype=torch.float64)[:5].expand(2, 5, 8)
    ones = torch.ones(2, 5, dtype=torch.float64)
    assert_close(gated_delta_rule(q, k, v, ones, ones), linear_attention(q, k, v))
    assert_close(gated_delta_rule(q, k, v, 0.5 * ones, ones), linear_attention(q, k, v) / 2)


def test_the_delta_rule_overwrites_and_decays():
    k = torch.tensor([[0.0, 1.0], [1.0, 0.0], [0.0, 1.0]], dtype=torch.float64)
    v = torch.tensor([[1.0], [2.0], [5.0]], dtype=torch.float64)
    q = torch.tensor([[0.0, 1.0]], dtype=torch.float64).expand(3, 2)
    ones = torch.ones(3, dtype=torch.float64)
    assert_close(gated_delta_rule(q, k, v, ones, ones).flatten().tolist(), [1.0, 1.0, 5.0])
    assert_close(linear_attention(q, k, v).flatten().tolist(), [1.0, 1.0, 6.0])
    decay = torch.tensor([0.1, 0.5, 1.0], dtype=torch.float64)
    beta = torch.tensor([1.0, 1.0, 0.5], dtype=torch.float64)
    # 1 decays to 0.5; then half of the way from there to 5
    assert_close(gated_delta_rule(q, k, v, beta, decay).flatten().tolist(), [1.0, 0.5, 2.75])


def test_the_delta_rule_is_the_librarys_in_both_of_its_forms():
    pytest.importorskip("transformers")
    from transformers.models.qwen3_next import modeling_qwen3_next as library

    torch.manual_seed(0)
    q, k, v = torch.randn(2, 70, 3, 4), torch.randn(2, 70, 3, 4), torch.randn(2, 70, 3, 5)
    k = k / k.norm(dim=-1, keepdim=True)
    beta, log_decay = torch.rand(2, 70, 3), -torch.rand(2, 70, 3)
    heads_first = [x.transpose(1, 2) for x in (q / 2, k, v, beta, log_decay.exp())]  # the library divides by sqrt(4)
    ours = gated_delta_rule(*heads_first).transpose(1, 2)
    for form in (library.torch_recurrent_gated_delta_rule, library.torch_chunk_gated_delta_rule):
        assert_close(ours, form(q, k, v, g=log_decay, beta=beta)[0], rtol=1e-3, atol=1e-4)


@pytest.mark.parametrize("heads, d_k, d_v, kernel", [(3, 4, 5, 4), (1, 2, 6, 2)])
def test_the_layer_is_that_of_qwen3_next(heads, d_k, d_v, kernel):
    transformers = pytest.importorskip("transformers")
    from transformers.models.qwen3_next.modeling_qwen3_next import Qwen3NextGatedDeltaNet

    torch.manual_seed(0)
    config = transformers.Qwen3NextConfig(
        hidden_size=10,
        linear_num_value_heads=heads,
        linear_num_key_heads=heads,
        linear_key_head_dim=d_k,
        linear_value_head_dim=d_v,
        linear_conv_kernel_dim=kernel,
        layer_types=["linear_attention"] * 48,
    )
    theirs = randomise(Qwen3NextGatedDeltaNet(config, layer_idx=0)).eval()
    ours = GatedDeltaNet(10, heads, d_k, d_v, kernel)
    assert GatedDeltaNet(10, heads, d_k, d_v).convolution.kernel_size == (4,)
    rows = theirs.in_proj_qkvz.weight.unflatten(0, (heads, -1)).split([d_k, d_k, d_v, d_v], dim=1)
    q, k, v, gate = (part.flatten(0, 1) for part in rows)
    beta, decay = theirs.in_proj_ba.weight.unflatten(0, (heads, 2)).unbind(dim=1)
    ours.load_state_dict(
        {
            "w_qkv.weight": torch.cat([q, k, v]),
            "convolution.weight": theirs.conv1d.weight,
            "w_gate.weight": gate,
            "w_beta.weight": beta,
            "w_decay.weight": decay,
            "w_decay.bias": theirs.dt_bias,
            "rate": theirs.A_log,
            "norm.gamma": theirs.norm.weight,
            "w_o.weight": theirs.out_proj.weight,
        }
    )
    x = torch.randn(2, 9, 10)
    a, b = ours(x), theirs(x)
    assert_close(a, b, rtol=1e-4, atol=1e-5)
    a.square().sum().backward()
    b.square().sum().backward()
    assert_close(ours.w_decay.bias.grad, theirs.dt_bias.grad, rtol=1e-3, atol=1e-4)
    assert_close(ours.convolution.weight.grad, theirs.conv1d.weight.grad, rtol=1e-3, atol=1e-4)


def test_the_future_is_not_seen():
    torch.manual_seed(0)
    layer, x = GatedDeltaNet(6, 2, 3, 4).double(), torch.randn(1, 8, 6, dtype=torch.float64)
    before = layer(x)
    x[:, 5:] += 1
    after = layer(x)
    assert_close(after[:, :5], before[:, :5])
    assert ((after - before)[:, 5:].abs().amax(dim=-1) > 1e-6).all()
