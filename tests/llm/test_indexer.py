"""The indexer is that of DeepSeek-V3.2 and GLM; with all keys left, attention is what it was."""

from __future__ import annotations

import math

import pytest
import torch
from torch.testing import assert_close

from snippets.attention.masks import causal_mask, padding_mask
from snippets.families.llama import halves_to_pairs
from snippets.llm.indexer import Indexer
from snippets.llm.latent_attention import AbsorbedAttention, LatentAttention
from tests.torch_twins import randomise

N, D_MODEL, D_QUERY, HEADS, D_K, D_ROPE, THETA = 9, 20, 11, 3, 6, 4, 100.0
MLA = {"d_model": D_MODEL, "num_heads": 5, "d_k": 7, "d_rope": D_ROPE, "d_latent": 8, "d_query": D_QUERY}
NAMES = {"w_q.0": "q_a_proj", "w_q.1": "q_a_layernorm", "w_q.2": "q_b_proj"}
NAMES |= {"w_down": "kv_a_proj_with_mqa", "norm": "kv_a_layernorm", "w_up": "kv_b_proj", "w_o": "o_proj"}


def indexer(keep=4, seed=0):
    torch.manual_seed(seed)
    return randomise(Indexer(D_MODEL, D_QUERY, HEADS, D_K, D_ROPE, keep, rope_theta=THETA).double())


def inputs(batch=2, n=N):
    generator = torch.Generator().manual_seed(1)
    x, query = (torch.randn(batch, n, d, dtype=torch.float64, generator=generator) for d in (D_MODEL, D_QUERY))
    return x, query


def library(kind, keep):
    """An attention layer of transformers with random weights, and its cosines and sines."""
    transformers = pytest.importorskip("transformers")
    name = {"DeepseekV32": "deepseek_v32", "GlmMoeDsa": "glm_moe_dsa"}[kind]
    modeling = getattr(getattr(transformers.models, name), f"modeling_{name}")
    config = getattr(transformers, f"{kind}Config")(
        hidden_size=D_MODEL,
        num_attention_heads=MLA["num_heads"],
        num_key_value_heads=MLA["num_heads"],
        qk_nope_head_dim=MLA["d_k"],
        v_head_dim=MLA["d_k"],
        qk_rope_head_dim=D_ROPE,
        kv_lora_rank=MLA["d_latent"],
        q_lora_rank=D_QUERY,
        index_n_heads=HEADS,
        index_head_dim=D_K,
        index_topk=keep,
        num_hidden_layers=1,
        rope_parameters={"rope_type": "default", "rope_theta": THETA},
    )
    config._attn_implementation = "eager"
    torch.manual_seed(0)
    theirs = getattr(modeling, f"{kind}Attention")(config, layer_idx=0).double().eval()
    for weight in theirs.parameters():
        torch.nn.init.normal_(weight)
    rotary = getattr(modeling, f"{kind}RotaryEmbedding")(config)
    return theirs, rotary(torch.zeros(1, N, D_ROPE, dtype=torch.float64), torch.arange(N).unsqueeze(0))


def rows_in_pairs(weight, heads):
    """Only the first D_ROPE rows of each head are rotated, and these are halves in the library."""
    of_head = weight.unflatten(0, (heads, D_K))
    first = halves_to_pairs(of_head[:, :D_ROPE].flatten(0, 1), heads).unflatten(0, (heads, D_ROPE))
    return torch.cat([first, of_head[:, D_ROPE:]], dim=1).flatten(0, 1)


def loaded(theirs, keep, halves):
    """Both of our modules with the library's weights."""
    state = theirs.state_dict()
    of_indexer = {
        "w_q.weight": state["indexer.wq_b.weight"],
        "w_k.weight": state["indexer.wk.weight"],
        "norm_k.weight": state["indexer.k_norm.weight"],
        "norm_k.bias": state["indexer.k_norm.bias"],
        "w_heads.weight": state["indexer.weights_proj.weight"],
    }
    if halves:
        for name, weight in of_indexer.items():
            if name != "w_heads.weight":
                of_indexer[name] = rows_in_pairs(weight, HEADS if name == "w_q.weight" else 1)
    ours = Indexer(D_MODEL, D_QUERY, HEADS, D_K, D_ROPE, keep, rope_theta=THETA).double()
    ours.load_state_dict(of_indexer)
    attention = LatentAttention(**MLA, rope_theta=THETA).double()
    named = {}
    for name in attention.state_dict():
        part, _, kind = name.rpartition(".")
        named[name] = state[f"{NAMES[part]}.{'weight' if kind == 'gamma' else kind}"]
    attention.load_state_dict(named)
    return ours, attention


@pytest.mark.parametrize("kind", ["DeepseekV32", "GlmMoeDsa"])
@pytest.mark.parametrize("keep", [1, 4, N, 50])
def test_keys_and_outputs_are_those_of_the_library(kind, keep):
    """DeepSeek rotates halves in its indexer, GLM neighboring pairs, as this book does."""
    theirs, places = library(kind, keep)
    ours, attention = loaded(theirs, keep, halves=kind == "DeepseekV32")
    x, mask = inputs()[0], causal_mask(N)
    query = attention.w_q[:2](x)
    additive = torch.zeros(N, N, dtype=torch.float64).masked_fill(~mask, -torch.inf).expand(2, 1, N, N)
    chosen = ours(x, query, mask)
    indices = theirs.indexer(x, query, places, additive[:, 0], None)
    expected = torch.zeros(2, N, N, dtype=torch.bool).scatter(-1, indices.long(), True) & mask
    assert chosen.equal(expected)
    output = theirs(x, places, additive)[0]
    # the library has its angles, its scores and its softmax in float32
    assert_close(attention(x, chosen), output, rtol=1e-4, atol=1e-4)


def test_scores_are_sums_of_what_is_positive_computed_one_by_one():
    ours, (x, query) = indexer(), inputs(batch=1)
    q = ours.rotated(ours.w_q(query).unflatten(-1, (HEADS, D_K)).transpose(1, 2))[0]
    k = ours.rotated(ours.norm_k(ours.w_k(x)))[0]
    for i in range(N):
        weights = ours.w_heads.weight @ x[0, i]
        for j in range(N):
            positive = [max(0.0, (q[h, i] @ k[j]).item()) for h in range(HEADS)]
            wanted = sum(w.item() * s for w, s in zip(weights, positive, strict=True)) / math.sqrt(D_K * HEADS)
            assert ours.scores(x, query)[0, i, j].item() == pytest.approx(wanted)


def test_the_first_components_are_rotated_by_the_position_and_the_others_are_not():
    ours, x = indexer(), torch.randn(1, 1, N, D_K, dtype=torch.float64)
    turned = ours.rotated(x)
    assert turned[..., D_ROPE:].equal(x[..., D_ROPE:]) and turned[:, :, 0].equal(x[:, :, 0])
    angle = 3 * torch.tensor([1.0, THETA**-0.5], dtype=torch.float64)
    a, b = x[0, 0, 3, 0:D_ROPE:2], x[0, 0, 3, 1:D_ROPE:2]
    assert_close(turned[0, 0, 3, 0:D_ROPE:2], a * angle.cos() - b * angle.sin())
    assert_close(turned[0, 0, 3, 1:D_ROPE:2], a * angle.sin() + b * angle.cos())


@pytest.mark.parametrize("form", [LatentAttention, AbsorbedAttention])
def test_with_all_keys_left_it_is_dense_attention(form):
    torch.manual_seed(0)
    attention = randomise(form(**MLA).double())
    x, mask = inputs()[0], causal_mask(N)
    query = attention.w_q[:2](x)
    for keep in (N, N + 5):
        assert_close(attention(x, indexer(keep)(x, query, mask)), attention(x, mask))
    assert not torch.allclose(attention(x, indexer(3)(x, query, mask)), attention(x, mask))


def test_each_query_is_left_its_best_allowed_keys_and_no_others():
    x, query = inputs()
    ours, ids = indexer(), torch.tensor([[1] * N, [1] * 6 + [0] * 3])
    mask = causal_mask(N) & padding_mask(ids, 0)
    chosen, scores = ours(x, query, mask), ours.scores(x, query)
    assert not (chosen & ~mask).any()
    assert chosen.sum(dim=-1).equal(mask.sum(dim=-1).clamp(max=4))
    for left, allowed, row in zip(chosen.flatten(0, 1), mask.flatten(0, 1), scores.flatten(0, 1), strict=True):
        if not left.equal(allowed):
            assert row[left].min() >= row[allowed & ~left].max()


def test_what_is_left_depends_on_nothing_that_comes_later():
    x, query = inputs()
    before = indexer()(x, query, causal_mask(N))
    x[:, 5:], query[:, 5:] = 7.0, -3.0
    assert indexer()(x, query, causal_mask(N))[:, :5].equal(before[:, :5])


def test_by_default_the_base_is_that_of_the_paper():
    torch.manual_seed(0)
    one = Indexer(D_MODEL, D_QUERY, HEADS, D_K, D_ROPE, 2)
    other = Indexer(D_MODEL, D_QUERY, HEADS, D_K, D_ROPE, 2, rope_theta=10_000.0)
    other.load_state_dict(one.state_dict())
    x, query = (9 * y.float() for y in inputs())
    assert torch.equal(one.scores(x, query), other.scores(x, query))
    assert [name for name, _ in one.named_parameters() if "bias" in name] == ["norm_k.bias"]
