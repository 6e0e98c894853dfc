"""What the small GPT loses without heads."""

from __future__ import annotations

import copy

import pytest
import torch

from snippets.families.constitution_gpt import bits_per_character, text_of, trained
from snippets.families.inside_gpt import lost_bits, validation_bits


@pytest.mark.parametrize("language", ["ko", pytest.param("en", marks=pytest.mark.thorough)])
def test_a_head_that_is_off_is_one_whose_columns_of_w_o_are_zero(language):
    text, gpt = text_of(language), copy.deepcopy(trained(language))
    batches = text.batches(text.validation)
    size = gpt.tokens.embedding_dim // 4
    off = {0: [1], 2: [0, 3]}
    with torch.no_grad():
        for layer, heads in off.items():
            for head in heads:
                gpt.stack.layers[layer].attention.w_o.weight[:, head * size : (head + 1) * size] = 0.0
    expected = bits_per_character(gpt, batches) - bits_per_character(trained(language), batches)
    assert abs(expected) > 0.01
    assert lost_bits(language, off) == pytest.approx(expected, abs=1e-5)


def test_nothing_is_lost_where_nothing_is_off_and_the_model_is_whole_again_afterwards():
    before = validation_bits("ko")
    assert lost_bits("ko", {}) == lost_bits("ko", {1: []}) == pytest.approx(0.0, abs=1e-6)
    lost_bits("ko", {0: range(4)})
    text = text_of("ko")
    assert bits_per_character(trained("ko"), text.batches(text.validation)) == before
