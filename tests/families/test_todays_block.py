"""What the parts of today's block mean: a gate that multiplies, and groups of heads that share keys and values."""

from __future__ import annotations

import pytest
import torch
import torch.nn.functional as F
from torch.testing import assert_close

from snippets.attention.masks import causal_mask, padding_mask
from snippets.attention.multi_head import MultiHeadAttention
from snippets.families.todays_block import GroupedQueryAttention, SwiGLU
from snippets.positions.relative import rotate


def attention(heads=4, kv_heads=2, seed=0, **options):
    torch.manual_seed(seed)
    return GroupedQueryAttention(16, heads, kv_heads, **options).double()


# SwiGLU


def test_a_closed_gate_lets_nothing_through_and_an_open_one_multiplies():
    module = SwiGLU(2, 2).double()
    with torch.no_grad():
        for weight in module.parameters():
            weight.copy_(torch.eye(2))
        module.w_gate.weight.copy_(torch.tensor([[1.0, 0.0], [-1.0, 0.0]]))
        y = module(torch.tensor([[50.0, 3.0]], dtype=torch.float64))
    # the gates are 50 and -50: Swish leaves the one and closes the other
    assert_close(y, torch.tensor([[2500.0, 0.0]], dtype=torch.float64))


def test_it_is_swish_of_one_projection_times_another():
    module, x = SwiGLU(3, 5).double(), torch.randn(2, 4, 3, dtype=torch.float64)
    gate, up, down = (w.weight.T for w in (module.w_gate, module.w_up, module.w_down))
    z = x @ gate
    assert_close(module(x), (z * torch.sigmoid(z) * (x @ up)) @ down)


def test_biases_only_if_asked_for():
    assert not any(
        name.endswith("bias") for name, _ in [*SwiGLU(2, 3).named_parameters(), *attention().named_parameters()]
    )
    for module in (SwiGLU(2, 3, bias=True), attention(bias=True)):
        names = [name for name, _ in module.named_parameters()]
        assert sum(name.endswith("bias") for name in names) == len(names) / 2


# Grouped-query attention


def repeated(gqa):
    """Multi-head attention whose heads have the keys and values of their group."""
    mha, group = MultiHeadAttention(16, gqa.num_heads).double(), gqa.num_heads // gqa.num_kv_heads
    with torch.no_grad():
        for name in ("w_q", "w_k", "w_v", "w_o"):
            ours, theirs = getattr(gqa, name), getattr(mha, name)
            for kind in ("weight", "bias"):
                rows = getattr(ours, kind)
                if name in ("w_k", "w_v"):
                    heads = rows.chunk(gqa.num_kv_heads)
                    rows = torch.cat([heads[head // group] for head in range(gqa.num_heads)])
                getattr(theirs, kind).copy_(rows)
    return mha


@pytest.mark.parametrize("heads, kv_heads", [(4, 4), (4, 2), (4, 1), (8, 2)])
def test_it_is_multi_head_attention_whose_heads_share_keys_and_values(heads, kv_heads):
    gqa = attention(heads, kv_heads, rope_theta=None, bias=True)
    assert gqa.w_k.out_features == gqa.w_v.out_features == 16 // heads * kv_heads
    x, ids = torch.randn(2, 5, 16, dtype=torch.float64), torch.tensor([[1, 1, 1, 1, 1], [1, 1, 1, 0, 0]])
    for mask in (None, causal_mask(5), padding_mask(ids, 0), padding_mask(ids, 0) & causal_mask(5)):
        assert_close(gqa(x, mask), repeated(gqa)(x, x, x, mask)[0])


def test_it_is_the_grouped_attention_of_pytorch_with_rotated_queries_and_keys():
    gqa, x = attention(rope_theta=100.0), torch.randn(2, 5, 16, dtype=torch.float64)
    q, k, v = (w(x).unflatten(-1, (-1, 4)).transpose(1, 2) for w in (gqa.w_q, gqa.w_k, gqa.w_v))
    q, k = (rotate(y, torch.arange(5), 100.0) for y in (q, k))
    heads = F.scaled_dot_product_attention(q, k, v, is_causal=True, enable_gqa=True)
    assert_close(gqa(x, causal_mask(5)), gqa.w_o(heads.transpose(1, 2).flatten(2)))


def test_rotation_tells_orders_apart_and_without_it_there_is_none():
    x, order = torch.randn(1, 5, 16, dtype=torch.float64), torch.tensor([3, 1, 4, 0, 2])
    plain = attention(rope_theta=None)
    assert_close(plain(x[:, order]), plain(x)[:, order])
    rotated = attention()
    assert (rotated(x[:, order]) - rotated(x)[:, order]).abs().max() > 0.01


def test_the_base_reaches_the_rotation():
    x = torch.randn(1, 9, 16, dtype=torch.float64)
    assert_close(attention(rope_theta=10_000.0)(x), attention()(x))
    assert (attention(rope_theta=100.0)(x) - attention()(x)).abs().max() > 1e-3


def test_groups_that_do_not_come_out_even_are_refused():
    for kv_heads in (3, 0, 8, -2):
        with pytest.raises(ValueError, match=f"{kv_heads} heads of keys and values do not divide 4 heads"):
            GroupedQueryAttention(16, 4, kv_heads)
