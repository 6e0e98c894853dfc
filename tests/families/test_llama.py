"""The book's Llama is the library's: the same weights give the same outputs, losses and gradients."""

from __future__ import annotations

from dataclasses import FrozenInstanceError

import pytest
import torch
import torch.nn.functional as F
from torch.testing import assert_close

from snippets.attention.masks import padding_mask
from snippets.families import llama
from snippets.families.library import renamed
from snippets.families.llama import (
    LLAMA_NAMES,
    Llama,
    LlamaConfig,
    LlamaLayer,
    halves_to_pairs,
    in_pairs,
    kv_cache_bytes,
    load_llama,
)
from snippets.model.sizes import count
from tests.torch_twins import randomise

SMALL = LlamaConfig(vocab_size=30, num_layers=2, d_model=16, num_heads=4, num_kv_heads=2, d_ff=24)


def library(config):
    """A LlamaForCausalLM of these sizes, with weights far from where they start, and ours with the same."""
    transformers = pytest.importorskip("transformers")
    torch.manual_seed(0)
    theirs = transformers.LlamaForCausalLM(
        transformers.LlamaConfig(
            vocab_size=config.vocab_size,
            hidden_size=config.d_model,
            intermediate_size=config.d_ff,
            num_hidden_layers=config.num_layers,
            num_attention_heads=config.num_heads,
            num_key_value_heads=config.num_kv_heads,
            rms_norm_eps=config.eps,
            rope_parameters={"rope_type": "default", "rope_theta": config.rope_theta},
        )
    )
    theirs = randomise(theirs).eval()
    ours = Llama(config)
    load_llama(ours, theirs.state_dict(), config)
    return ours, theirs


def compare(config, lengths, left=False):
    """Outputs, losses and gradients for sequences of these lengths, padded to the longest."""
    ours, theirs = library(config)
    n = max(lengths)
    ids = torch.randint(1, config.vocab_size, (len(lengths), n))
    for row, length in zip(ids, lengths, strict=True):
        row[slice(n - length) if left else slice(length, n)] = 0
    tokens = ids != 0
    a = ours(ids, padding_mask(ids, 0))
    labels = ids.masked_fill(~tokens, -100)
    result = theirs(input_ids=ids, attention_mask=tokens.long(), labels=labels)
    assert_close(a[tokens], result.logits[tokens], rtol=1e-5, atol=1e-4)
    loss = F.cross_entropy(a[:, :-1].flatten(0, 1), labels[:, 1:].flatten())
    assert_close(loss, result.loss, rtol=1e-5, atol=1e-5)
    loss.backward()
    result.loss.backward()
    gradients = in_pairs({name: p.grad for name, p in theirs.named_parameters()}, config)
    for name, parameter in ours.named_parameters():
        other = gradients[renamed(name, LLAMA_NAMES)]
        assert (parameter.grad - other).abs().max() <= 1e-4 * max(1.0, other.abs().max()), name


def test_outputs_losses_and_gradients_are_those_of_the_library():
    compare(SMALL, [7, 7, 4])


@pytest.mark.thorough
@pytest.mark.parametrize(
    "heads, kv_heads, d_k, eps, theta",
    [(4, 4, 8, 1e-6, 10_000.0), (8, 2, 4, 1e-5, 500_000.0), (6, 1, 2, 1e-6, 100.0), (1, 1, 16, 1e-2, 10_000.0)],
)
@pytest.mark.parametrize("lengths, left", [([2], False), ([20, 3, 11], False), ([20, 3, 11], True)], ids=str)
def test_the_same_for_other_heads_sizes_bases_lengths_and_padding(heads, kv_heads, d_k, eps, theta, lengths, left):
    sizes = {"num_heads": heads, "num_kv_heads": kv_heads, "d_model": heads * d_k, "d_ff": 3 * d_k}
    compare(LlamaConfig(vocab_size=40, num_layers=3, eps=eps, rope_theta=theta, **sizes), lengths, left)


def test_the_stack_before_the_head_is_llama_model():
    ours, theirs = library(SMALL)
    ours.head = torch.nn.Identity()
    ids = torch.randint(1, 30, (2, 6))
    assert_close(ours(ids), theirs.model(ids).last_hidden_state, rtol=1e-5, atol=1e-5)


# What no library says


def test_rows_of_halves_become_neighbours_head_by_head():
    assert halves_to_pairs(torch.arange(12), num_heads=2).tolist() == [0, 3, 1, 4, 2, 5, 6, 9, 7, 10, 8, 11]
    assert halves_to_pairs(torch.zeros(12, 5), num_heads=3).shape == (12, 5)


def test_only_queries_and_keys_are_rearranged():
    ours = Llama(SMALL)
    state = {renamed(name, LLAMA_NAMES): p for name, p in ours.named_parameters()}
    arranged = in_pairs(state, SMALL)
    moved = {name.split(".")[-2] for name in state if not torch.equal(arranged[name], state[name])}
    assert moved == {"q_proj", "k_proj"}


def test_the_layer_adds_to_the_stream_what_it_makes_of_its_norm():
    torch.manual_seed(0)
    layer, x = randomise(LlamaLayer(SMALL)), torch.randn(1, 5, 16)
    y = x + layer.attention(layer.norm_1(x))
    assert_close(layer(x), y + layer.feed_forward(layer.norm_2(y)))


def test_the_future_is_hidden_and_shifted_sequences_give_the_same():
    torch.manual_seed(0)
    model, ids = randomise(Llama(SMALL)).double(), torch.randint(1, 30, (1, 8))
    before = model(ids)
    other = ids.clone()
    other[:, 5:] = 1 + (other[:, 5:] + 3) % 29
    assert_close(model(other)[:, :5], before[:, :5])
    shifted = torch.cat([torch.zeros(1, 3, dtype=torch.long), ids], dim=1)
    assert_close(model(shifted, padding_mask(shifted, 0))[:, 3:], before)


def test_configurations_reach_every_part():
    config = LlamaConfig(vocab_size=30, num_layers=3, d_model=16, num_heads=4, num_kv_heads=1, d_ff=24, eps=0.5)
    model = Llama(config)
    assert len(model.layers) == 3 and model.tokens.weight.shape == model.head.weight.shape == (30, 16)
    layer = model.layers[0]
    assert layer.attention.num_kv_heads == 1 and layer.attention.rope_theta == 10_000.0
    assert layer.feed_forward.w_up.out_features == 24
    assert {norm.eps for norm in (layer.norm_1, layer.norm_2, model.norm)} == {0.5}
    assert not any(name.endswith("bias") for name, _ in model.named_parameters())


def test_a_configuration_is_by_name_and_never_changes():
    with pytest.raises(TypeError):
        LlamaConfig(30)
    with pytest.raises(FrozenInstanceError):
        SMALL.d_ff = 3


def test_the_mask_is_where_the_ids_are():
    model, ids = Llama(SMALL), torch.ones(1, 3, dtype=torch.long)
    expected = model(ids)
    with torch.device("meta"):  # what is made without a device has no numbers
        assert_close(model(ids), expected)


def test_the_default_is_the_7b_model():
    with torch.device("meta"):
        assert count(Llama(LlamaConfig())) == 6_738_415_616
        large = {"d_ff": 14_336, "num_kv_heads": 8, "vocab_size": 128_256}
        assert count(Llama(LlamaConfig(**large))) == 8_030_261_248  # Llama 3 8B
    assert llama.LlamaConfig().num_heads == 32 and LlamaConfig().eps == 1e-6


def test_the_cache_of_a_7b_model():
    config = LlamaConfig()
    assert kv_cache_bytes(config, 1) == 2**19 and kv_cache_bytes(config, 4096) == 2**31
    assert kv_cache_bytes(config, 1, number=4) == 2**20
    assert kv_cache_bytes(LlamaConfig(num_kv_heads=8), 4096) == 2**29
    ours = Llama(SMALL).layers[0].attention
    numbers = ours.w_k.out_features + ours.w_v.out_features
    assert kv_cache_bytes(SMALL, 3, number=1) == 3 * 2 * numbers


def test_a_configuration_refuses_what_makes_no_model():
    """Heads that do not divide, pairs that do not come out even, a root of a negative number."""
    for field, wrong in {"num_heads": 3, "num_layers": 0, "eps": 0.0}.items():
        with pytest.raises(ValueError, match=f"{wrong} heads|{field} cannot be {wrong} in LlamaConfig"):
            LlamaConfig(**{field: wrong})
    with pytest.raises(ValueError, match="num_heads cannot be 4 in"):
        LlamaConfig(d_model=12, num_heads=4, num_kv_heads=4)  # d_k = 3: RoPE turns pairs
    assert LlamaConfig(d_model=12, num_heads=2, num_kv_heads=2, num_layers=1).num_heads == 2


@pytest.mark.parametrize(
    ("field", "wrong"), [("num_kv_heads", 0), ("vocab_size", -1), ("d_ff", 0), ("d_model", -64), ("rope_theta", 0.0)]
)
def test_sizes_and_the_base_of_rope_are_positive(field, wrong):
    with pytest.raises(ValueError, match=f"{field} cannot be {wrong} in LlamaConfig"):
        LlamaConfig(**{field: wrong})


def test_the_ids_of_a_text_alone_are_refused_in_plain_words():
    with pytest.raises(ValueError, match=r"unsqueeze\(0\)"):
        llama.Llama(SMALL)(torch.tensor([1, 2, 3]))
