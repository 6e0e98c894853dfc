"""The six changes lead from the book's layer of 2017 to that of Llama, and each changes one thing."""

from __future__ import annotations

import itertools

import pytest
import torch
from torch import nn
from torch.testing import assert_close

from snippets.attention.masks import causal_mask
from snippets.block.config import TransformerConfig
from snippets.block.encoder_layer import EncoderLayer
from snippets.families.block_changes import CHANGES, CONTROL, D_FF, D_MODEL, NUM_HEADS, ChangedLayer, ChangedModel
from snippets.families.llama import LlamaConfig, LlamaLayer
from snippets.families.rms_norm import RMSNorm
from snippets.model.sizes import count
from snippets.positions.sinusoidal import positional_encoding
from tests.torch_twins import randomise

MASK = causal_mask(6)


def layer(*changes):
    torch.manual_seed(0)
    return randomise(ChangedLayer(*changes)).double()


def x(seed=1):
    return torch.randn(2, 6, D_MODEL, dtype=torch.float64, generator=torch.Generator().manual_seed(seed))


@pytest.mark.parametrize("norm_first", [False, True])
def test_with_no_change_or_only_with_pre_ln_it_is_the_encoder_layer_of_the_book(norm_first):
    ours = layer(*["pre-LN"] * norm_first)
    sizes = {"d_model": D_MODEL, "num_heads": NUM_HEADS, "d_ff": D_FF, "dropout": 0.0, "norm_first": norm_first}
    theirs = EncoderLayer(TransformerConfig(**sizes)).double()
    state = {name.replace("norm_", "residual_"): p for name, p in ours.state_dict().items()}
    names = {name: name.replace(".norm.", ".") for name in theirs.state_dict()}
    theirs.load_state_dict({name: state[ours_] for name, ours_ in names.items()})
    assert_close(ours(x(), MASK), theirs(x(), MASK))


def test_with_all_changes_it_is_the_layer_of_llama():
    ours = layer(*CHANGES)
    sizes = {"d_model": D_MODEL, "num_heads": NUM_HEADS, "num_kv_heads": NUM_HEADS // 2, "d_ff": D_FF * 2 // 3}
    theirs = LlamaLayer(LlamaConfig(**sizes)).double()
    theirs.load_state_dict(ours.state_dict())
    assert_close(ours(x(), MASK), theirs(x(), MASK))


def test_each_change_alone_changes_the_output_or_the_parameters():
    then = layer()
    shapes = {name: p.shape for name, p in then.named_parameters()}
    for change in CHANGES:
        changed = layer(change)
        if {name: p.shape for name, p in changed.named_parameters()} == shapes:
            changed.load_state_dict(then.state_dict())
            assert (changed(x(), MASK) - then(x(), MASK)).abs().max() > 1e-3, change


def test_the_gated_network_is_as_large_as_the_other_but_for_biases():
    matrices = {
        change: sum(p.numel() for p in ChangedLayer(change).feed_forward.parameters() if p.dim() == 2)
        for change in ("SwiGLU", "RoPE")
    }
    assert matrices["SwiGLU"] == matrices["RoPE"] == 2 * D_MODEL * D_FF
    assert D_FF == 4 * D_MODEL


def test_two_query_heads_share_and_no_bias_is_left():
    assert ChangedLayer("GQA").attention.num_kv_heads * 2 == ChangedLayer().attention.num_kv_heads == NUM_HEADS
    linear = [m for m in ChangedLayer("no biases").modules() if isinstance(m, nn.Linear)]
    assert len(linear) == 6 and all(m.bias is None for m in linear)
    assert all(m.bias is not None for m in ChangedLayer("GQA", "SwiGLU").modules() if isinstance(m, nn.Linear))


def test_an_unknown_change_is_refused():
    with pytest.raises(ValueError, match="not \\['dropout'\\]"):
        ChangedLayer("RoPE", "dropout")


@pytest.mark.parametrize("changes", [(), (CONTROL,), ("RoPE",), ("pre-LN",), ("pre-LN", "RMSNorm"), CHANGES], ids=str)
def test_the_model_is_its_parts_in_order(changes):
    torch.manual_seed(0)
    model, ids = randomise(ChangedModel(20, *changes)), torch.randint(20, (2, 6))
    y = model.embedding(ids)
    if "RoPE" not in changes and CONTROL not in changes:
        y = y + positional_encoding(torch.arange(6), D_MODEL).float()
    assert len(model.layers) == 2
    for one in model.layers:
        y = one(y, MASK)
    final = type(model.norm)
    assert final is (nn.Identity if "pre-LN" not in changes else type(model.layers[0].norm_1))
    assert (final is RMSNorm) == ("pre-LN" in changes and "RMSNorm" in changes)
    assert_close(model(ids), model.embedding.logits(model.norm(y)))


def test_no_model_sees_the_future():
    ids = torch.randint(20, (1, 6), generator=torch.Generator().manual_seed(0))
    other = ids.clone()
    other[0, 4:] = (other[0, 4:] + 1) % 20
    for number in (0, 1, len(CHANGES)):
        for changes in itertools.islice(itertools.combinations(CHANGES, number), 3):
            model = ChangedModel(20, *changes)
            assert_close(model(other)[:, :4], model(ids)[:, :4])
            assert count(model.layers[0]) == count(ChangedLayer(*changes))


@pytest.mark.parametrize("changes", [(), CHANGES], ids=["2017", "today"])
def test_everything_it_makes_is_where_its_ids_are(changes):
    with torch.device("meta"):
        model = ChangedModel(20, *changes)
    assert model(torch.zeros(1, 5, dtype=torch.long, device="meta")).is_meta


def test_the_ids_of_a_text_alone_are_refused_in_plain_words():
    with pytest.raises(ValueError, match=r"unsqueeze\(0\)"):
        ChangedModel(9)(torch.tensor([1, 2, 3]))
