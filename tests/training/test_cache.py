"""With a cache the same is written, from the same logits, and earlier words are not computed again."""

from __future__ import annotations

import pytest
import torch
from torch.testing import assert_close

from snippets.attention.multi_head import MultiHeadAttention
from snippets.before.vocabulary import BOS, EOS, PAD
from snippets.block.config import TransformerConfig
from snippets.model.transformer import Transformer
from snippets.training.cache import CachedDecoder, KVCache, cached_greedy
from snippets.training.decoding import greedy


def config(**changes) -> TransformerConfig:
    return TransformerConfig(**{"d_model": 12, "num_heads": 3, "d_ff": 20, **changes})


def model(seed=0, norm_first=False) -> Transformer:
    torch.manual_seed(seed)
    small = Transformer(config(vocab_size=9, num_layers=2, dropout=0.0, norm_first=norm_first)).double().eval()
    with torch.no_grad():
        small.embedding.table.mul_(0.6)  # not so sure of itself
        for parameter in small.decoder.parameters():
            parameter.add_(torch.randn_like(parameter) / 5)
    return small


SRC = torch.tensor([[4, 5, 6, 2], [7, 2, 0, 0], [3, 8, 2, 0]])


@pytest.mark.parametrize("norm_first", [False, True])
def test_logits_are_those_of_the_whole_target(norm_first):
    small = model(norm_first=norm_first)
    tgt = torch.tensor([[BOS, 4, 7, 3, 8], [BOS, 5, 5, 6, 4], [BOS, 8, 3, 3, 7]])
    whole = small(SRC, tgt)
    decoder = CachedDecoder(small, SRC)
    for i in range(tgt.size(1)):
        assert_close(decoder.logits(tgt[:, i]), whole[:, i])


def test_the_padding_of_the_model_is_not_looked_at():
    small = model()
    small.pad_id = 3
    src, tgt = SRC + 3 * (SRC == 0), torch.tensor([[BOS, 4], [BOS, 5], [BOS, 8]])
    decoder = CachedDecoder(small, src)
    for i in range(2):
        assert_close(decoder.logits(tgt[:, i]), small(src, tgt)[:, i])


@pytest.mark.parametrize("norm_first", [False, True])
@pytest.mark.parametrize("seed", range(5))
def test_the_same_is_written(seed, norm_first):
    small = model(seed, norm_first)
    assert torch.equal(cached_greedy(small, SRC, 8), greedy(small, SRC, 8))
    assert torch.equal(cached_greedy(small, SRC, 1), greedy(small, SRC, 1))


def test_it_pads_behind_the_end_and_stops_when_all_have_ended():
    small = model()
    with torch.no_grad():
        last = small.decoder.layers[-1].residual_3.norm
        last.gamma.zero_()
        last.beta.copy_(small.embedding.table[EOS] * 50)
    assert cached_greedy(small, SRC, 6).tolist() == [[EOS]] * 3
    lengths = set()
    for seed in range(12):
        for row in cached_greedy(model(seed), SRC, 8).tolist():
            if EOS in row:
                assert set(row[row.index(EOS) + 1 :]) <= {PAD}
                lengths.add(row.index(EOS))
    assert lengths, "no model ends: the test says nothing"


def test_each_word_is_computed_once():
    small = model()
    seen = []
    layer = small.decoder.layers[0]
    for attention in (layer.self_attention, layer.cross_attention):
        attention.w_k.register_forward_hook(lambda m, arguments, output: seen.append(arguments[0].size(1)))
    decoder = CachedDecoder(small, SRC)
    for word in (BOS, 4, 5):
        decoder.logits(torch.full((3,), word))
    assert seen == [SRC.size(1), 1, 1, 1], "the memory once, and each word once"


def test_attention_is_that_of_the_module():
    torch.manual_seed(0)
    module = MultiHeadAttention(12, 3).double()
    x, memory = torch.randn(2, 4, 12).double(), torch.randn(2, 6, 12).double()
    mask = torch.rand(2, 4, 6) > 0.3
    cache = KVCache(module)
    cache.append(memory[:, :2])
    cache.append(memory[:, 2:])
    assert cache.keys.shape == cache.values.shape == (2, 3, 6, 4)
    assert_close(cache.attend(x, mask.unsqueeze(1)), module(x, memory, memory, mask)[0])
    assert_close(cache.attend(x), module(x, memory, memory)[0])


def test_nothing_can_be_attended_to_before_something_is_kept():
    cache = KVCache(MultiHeadAttention(12, 3))
    with pytest.raises(ValueError, match=r"nothing is kept yet: append\(x\) comes first"):
        cache.attend(torch.randn(2, 4, 12))
