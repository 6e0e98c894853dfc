"""The formulas say what counting finds, and both say what is known of the paper's two models."""

from __future__ import annotations

from dataclasses import replace

import pytest
import torch
from hypothesis import given
from hypothesis import strategies as st
from torch import nn

import tests.properties  # noqa: F401 (the profile for Hypothesis)
from snippets.attention.multi_head import MultiHeadAttention
from snippets.block.config import TransformerConfig
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


def counted(config: TransformerConfig) -> dict[str, int]:
    with torch.device("meta"):  # shapes without numbers
        model = Transformer(config)
    parts = {name: count(module) for name, module in model.named_children() if name not in ("dropout", "positions")}
    return parts | {"all": count(model)}


def test_the_table_of_the_paper():
    shown = ("vocab_size", "num_layers", "d_model", "num_heads", "d_ff", "dropout")
    assert [getattr(BASE, name) for name in shown] == [37_000, 6, 512, 8, 2048, 0.1]
    assert [getattr(BIG, name) for name in shown] == [37_000, 6, 1024, 16, 4096, 0.3]
    assert not BASE.norm_first and not BIG.norm_first


@pytest.mark.parametrize(("config", "total"), [(BASE, 63_082_496), (BIG, 214_245_376)])
def test_known_totals(config, total):
    assert parameters(config)["all"] == counted(config)["all"] == total


@pytest.mark.parametrize("norm_first", [False, True])
@pytest.mark.parametrize("config", [BASE, BIG])
def test_the_formula_counts_the_paper_s_models(config, norm_first):
    config = replace(config, norm_first=norm_first)
    assert parameters(config) == counted(config)


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
    config = TransformerConfig(**sizes)
    assert parameters(config) == counted(config)


@pytest.mark.parametrize("d_model", [6, 512])
def test_the_formulas_of_the_parts(d_model):
    assert attention_parameters(d_model) == count(MultiHeadAttention(d_model, 2))
    assert attention_parameters(d_model) == count(nn.MultiheadAttention(d_model, 2))
    assert feed_forward_parameters(d_model, 20) == count(FeedForward(d_model, 20))
    assert norm_parameters(d_model) == count(LayerNorm(d_model))


def with_d_k(d_k: int) -> int:
    """Parameters of the base model with queries and keys of d_k numbers a head, counted."""
    narrower = 2 * (count(nn.Linear(512, 512)) - count(nn.Linear(512, 8 * d_k)))
    return counted(BASE)["all"] - 3 * BASE.num_layers * narrower


def test_one_vocabulary_explains_ten_rows_of_the_paper_s_table_3_and_none_the_big_model_besides():
    rows = [({}, 65), ({"num_layers": 2}, 36), ({"num_layers": 4}, 50), ({"num_layers": 8}, 80)]
    rows += [({"d_model": 256}, 28), ({"d_model": 1024}, 168), ({"d_ff": 1024}, 53), ({"d_ff": 4096}, 90)]
    models = [(replace(BASE, **changes), millions) for changes, millions in rows]
    totals = [(counted(config)["all"], config.d_model, millions) for config, millions in models]
    totals += [(with_d_k(16), 512, 58), (with_d_k(32), 512, 60)]

    def agree(total, d_model, millions, vocab_size):
        return round((total + (vocab_size - BASE.vocab_size) * d_model) / 1e6) == millions

    fitting = [size for size in range(30_000, 50_000) if all(agree(*row, size) for row in totals)]
    assert fitting == list(range(40_932, 41_161))
    big = (counted(BIG)["all"], BIG.d_model, 213)
    wide = (counted(replace(BASE, d_model=1024))["all"], 1024, 168)
    assert not any(agree(*big, size) and agree(*wide, size) for size in range(30_000, 50_000))


def test_a_shared_parameter_counts_once():
    shared = nn.Linear(3, 5)
    assert count(nn.Sequential(shared, shared)) == count(shared) == 3 * 5 + 5
