"""The formulas say what counting finds, and both say what is known of the paper's two models."""

from __future__ import annotations

import pytest
import torch
from hypothesis import given
from hypothesis import strategies as st
from torch import nn

import tests.properties  # noqa: F401 (the profile for Hypothesis)
from snippets.attention.multi_head import MultiHeadAttention
from snippets.block.feed_forward import FeedForward
from snippets.block.layer_norm import LayerNorm
from snippets.model.sizes import (
    BASE,
    BIG,
    attention_parameters,
    count,
    feed_forward_parameters,
    norm_parameters,
    parameters,
)
from snippets.model.transformer import Transformer


def formula(vocab_size, num_layers, d_model, d_ff, norm_first=False, **others) -> dict[str, int]:
    return parameters(vocab_size, num_layers, d_model, d_ff, norm_first)


def counted(norm_first=False, **sizes) -> dict[str, int]:
    with torch.device("meta"):  # shapes without numbers
        model = Transformer(**sizes, norm_first=norm_first)
    parts = {name: count(module) for name, module in model.named_children() if name != "dropout"}
    return parts | {"all": count(model)}


def test_the_table_of_the_paper():
    assert BASE == {"vocab_size": 37_000, "num_layers": 6, "d_model": 512, "num_heads": 8, "d_ff": 2048, "p": 0.1}
    assert BIG == {"vocab_size": 37_000, "num_layers": 6, "d_model": 1024, "num_heads": 16, "d_ff": 4096, "p": 0.3}


@pytest.mark.parametrize(("sizes", "total"), [(BASE, 63_082_496), (BIG, 214_245_376)])
def test_known_totals(sizes, total):
    assert formula(**sizes)["all"] == counted(**sizes)["all"] == total


@pytest.mark.parametrize("norm_first", [False, True])
@pytest.mark.parametrize("sizes", [BASE, BIG])
def test_the_formula_counts_the_paper_s_models(sizes, norm_first):
    assert formula(**sizes, norm_first=norm_first) == counted(norm_first, **sizes)


@given(
    st.fixed_dictionaries(
        {
            "vocab_size": st.integers(1, 60),
            "num_layers": st.integers(1, 4),
            "d_model": st.sampled_from([2, 4, 6, 12]),
            "num_heads": st.sampled_from([1, 2]),
            "d_ff": st.integers(1, 40),
            "norm_first": st.booleans(),
        }
    )
)
def test_the_formula_counts_any_model(sizes):
    assert formula(**sizes) == counted(**sizes)


@pytest.mark.parametrize("d_model", [6, 512])
def test_the_formulas_of_the_parts(d_model):
    assert attention_parameters(d_model) == count(MultiHeadAttention(d_model, 2))
    assert attention_parameters(d_model) == count(nn.MultiheadAttention(d_model, 2))
    assert feed_forward_parameters(d_model, 20) == count(FeedForward(d_model, 20))
    assert norm_parameters(d_model) == count(LayerNorm(d_model))


def test_post_ln_is_the_default():
    assert parameters(5, 2, 6, 8) == parameters(5, 2, 6, 8, norm_first=False) != parameters(5, 2, 6, 8, True)


def test_a_shared_parameter_counts_once():
    shared = nn.Linear(3, 5)
    assert count(nn.Sequential(shared, shared)) == count(shared) == 3 * 5 + 5
