"""Without arguments, a configuration is the base model of the 2017 paper."""

from __future__ import annotations

import dataclasses

import pytest
import torch

from snippets.block.config import TransformerConfig


def test_defaults_are_the_base_model_of_table_3():
    config = TransformerConfig()
    assert (config.num_layers, config.d_model, config.d_ff, config.num_heads) == (6, 512, 2048, 8)
    assert (config.vocab_size, config.dropout) == (37_000, 0.1)
    assert config.norm_first is False and config.activation is torch.relu
    assert (config.positions, config.max_length, config.pad_id) == ("sinusoidal", 512, 0)


def test_another_model_is_a_copy_with_changes():
    big = dataclasses.replace(TransformerConfig(), d_model=1024)
    assert big.d_model == 1024 and big.num_heads == 8 and TransformerConfig().d_model == 512


@pytest.mark.parametrize("num_layers", [0, -1])
def test_a_model_without_layers_is_refused(num_layers):
    with pytest.raises(ValueError, match=f"num_layers cannot be {num_layers} in"):
        TransformerConfig(num_layers=num_layers)
    assert TransformerConfig(num_layers=1).num_layers == 1


@pytest.mark.parametrize("pad_id", [-1, 10, 11])
def test_padding_has_an_id_of_the_vocabulary(pad_id):
    with pytest.raises(ValueError, match=f"pad_id cannot be {pad_id} in .*vocab_size=10"):
        TransformerConfig(vocab_size=10, pad_id=pad_id)
    assert TransformerConfig(vocab_size=10, pad_id=9).pad_id == 9
    with pytest.raises(ValueError, match="pad_id"):
        dataclasses.replace(TransformerConfig(pad_id=9), vocab_size=9)


def test_it_cannot_be_changed_and_takes_no_nameless_sizes():
    with pytest.raises(dataclasses.FrozenInstanceError):
        TransformerConfig().d_model = 7
    with pytest.raises(TypeError, match="positional"):
        TransformerConfig(512)


def test_epsilon_is_that_of_torch_unless_another_is_chosen():
    assert TransformerConfig().eps == torch.nn.LayerNorm(4).eps


@pytest.mark.parametrize(
    "field, wrong, right",
    [
        ("dropout", 1.0, 0.99),
        ("dropout", -0.1, 0.0),
        ("eps", 0.0, 1e-12),
        ("eps", -1.0, 1.0),
        ("activation", "gelu", torch.nn.functional.gelu),
        ("positions", "rotary", "none"),
        ("positions", "sinusoid", "sinusoidal"),
        ("positions", None, "learned"),
        ("num_layers", 0, 1),
    ],
)
def test_what_makes_no_model_is_refused_before_anything_is_built(field, wrong, right):
    with pytest.raises(ValueError, match=f"{field} cannot be {wrong!r} in TransformerConfig"):
        TransformerConfig(**{field: wrong})
    assert getattr(TransformerConfig(**{field: right}), field) == right


@pytest.mark.parametrize("num_heads", [0, 3, -1])
def test_heads_share_the_dimensions_evenly(num_heads):
    with pytest.raises(ValueError, match=f"{num_heads} heads do not divide d_model = 512"):
        TransformerConfig(num_heads=num_heads)


@pytest.mark.parametrize(
    ("field", "wrong"),
    [
        *((size, value) for size in ("vocab_size", "d_model", "d_ff", "max_length") for value in (0, -8)),
        *(("d_model", 512.0), ("num_layers", 1.5), ("norm_first", "no")),
        *(("eps", float("inf")), ("dropout", float("nan"))),
    ],
)
def test_sizes_are_whole_and_positive_and_choices_are_made(field, wrong):
    with pytest.raises(ValueError, match=f"{field} cannot be {wrong!r} in TransformerConfig"):
        TransformerConfig(**{field: wrong})
