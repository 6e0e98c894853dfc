"""The maps are the weights of each attention, of this run."""

from __future__ import annotations

import pytest
import torch
from torch.testing import assert_close

from snippets.block.config import TransformerConfig
from snippets.model.transformer import Transformer
from snippets.training.attention_maps import attention_maps

SRC, TGT = torch.tensor([[4, 5, 6, 0]]), torch.tensor([[1, 4, 3]])


def config(**changes) -> TransformerConfig:
    return TransformerConfig(**{"d_model": 12, "num_heads": 3, "d_ff": 20, **changes})


def model() -> Transformer:
    torch.manual_seed(0)
    return Transformer(config(vocab_size=9, num_layers=2, dropout=0.0)).double()


def test_every_attention_has_its_map():
    shapes = {name: tuple(weights.shape) for name, weights in attention_maps(model(), SRC, TGT).items()}
    assert shapes == {
        **{f"encoder.layers.{i}.attention": (1, 3, 4, 4) for i in (0, 1)},
        **{f"decoder.layers.{i}.self_attention": (1, 3, 3, 3) for i in (0, 1)},
        **{f"decoder.layers.{i}.cross_attention": (1, 3, 3, 4) for i in (0, 1)},
    }


def test_rows_sum_to_one_and_masks_hold():
    for name, weights in attention_maps(model(), SRC, TGT).items():
        assert_close(weights.sum(dim=-1), torch.ones_like(weights[..., 0]))
        if "self_attention" in name:
            assert (weights.triu(1) == 0).all()
        else:
            assert (weights[..., 3] == 0).all(), "padding"


def test_the_first_map_is_what_its_module_says():
    one = model()
    x = one.embed(SRC)
    _, weights = one.encoder.layers[0].attention(x, x, x, (SRC != 0).unsqueeze(1))
    assert_close(attention_maps(one, SRC, TGT)["encoder.layers.0.attention"], weights)


def test_nothing_is_left_behind():
    one = model()
    attention_maps(one, SRC, TGT)
    assert not any(module._forward_hooks for module in one.modules())
    with pytest.raises(IndexError, match="out of range"):
        attention_maps(one, SRC, TGT + 9)
    assert not any(module._forward_hooks for module in one.modules())
