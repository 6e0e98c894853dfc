"""With a cache, GPT computes the same logits, and nothing twice."""

from __future__ import annotations

import pytest
import torch
from torch import nn
from torch.testing import assert_close

from snippets.block.config import TransformerConfig
from snippets.families.gpt import GPT
from snippets.families.gpt_cache import CachedGPT
from snippets.training.decoding import generate, inference


def model(seed: int = 0, **changes) -> GPT:
    torch.manual_seed(seed)
    sizes = {"vocab_size": 11, "num_layers": 2, "d_model": 12, "num_heads": 3, "d_ff": 20, "max_length": 20}
    small = GPT(TransformerConfig(**{**sizes, "norm_first": True, "dropout": 0.0, **changes})).double().eval()
    for parameter in small.parameters():
        nn.init.normal_(parameter, std=0.4)
    return small


IDS = torch.tensor([[1, 5, 7, 3, 9, 4, 8], [1, 6, 6, 10, 3, 5, 4]])


@pytest.mark.parametrize("pieces", [[1, 2, 3, 4, 5, 6, 7], [7], [4, 5, 6, 7], [2, 5, 7]], ids=str)
@pytest.mark.parametrize("norm_first", [True, False])
def test_logits_are_those_of_the_whole_text_however_it_arrives(pieces, norm_first):
    small = model(norm_first=norm_first)
    whole, cached = small(IDS), CachedGPT(small)
    for n in pieces:
        assert_close(cached.next_logits(IDS[:, :n]), whole[:, n - 1])
        assert cached.length == n and cached.caches[1].keys.shape == (2, 3, n, 4)


@pytest.mark.parametrize("seed", range(4))
def test_the_same_is_generated(seed):
    small = model(seed)
    with inference(small):
        plain = generate(lambda ids: small(ids)[:, -1], IDS[:, :3], 8, pad_id=0)
        cached = generate(CachedGPT(small).next_logits, IDS[:, :3], 8, pad_id=0)
    assert torch.equal(plain, cached)


def test_each_token_is_computed_once():
    small, seen = model(), []
    small.stack.layers[0].attention.w_k.register_forward_hook(lambda m, x, y: seen.append(x[0].size(1)))
    cached = CachedGPT(small)
    for n in (4, 5, 6):
        cached.next_logits(IDS[:, :n])
    assert seen == [4, 1, 1], "the prompt at once, and each further token by itself"


def test_the_mask_is_where_the_ids_are():
    with torch.device("meta"):
        small = GPT(TransformerConfig(vocab_size=9, num_layers=1, d_model=8, num_heads=2, d_ff=8, max_length=8))
        ids = torch.zeros(2, 5, dtype=torch.long)
    assert CachedGPT(small.eval()).next_logits(ids).device.type == "meta"


def test_a_model_in_training_mode_is_refused_for_it_would_drop_activations():
    with pytest.raises(ValueError, match=r"model\.eval\(\) comes first"):
        CachedGPT(model().train())


def test_without_a_new_token_there_is_nothing_to_compute():
    cached = CachedGPT(model())
    cached.next_logits(IDS[:, :3])
    for n in (3, 2):
        with pytest.raises(ValueError, match="3 tokens have been read: none is new"):
            cached.next_logits(IDS[:, :n])
    cached.next_logits(IDS[:, :4])
    assert cached.length == 4


def test_a_text_longer_than_the_positions_is_refused_as_without_a_cache():
    small = model(max_length=6)
    for last in (7, 8):
        cached = CachedGPT(small)
        cached.next_logits(IDS.repeat(1, 2)[:, :6])
        with pytest.raises(ValueError, match="have been learned"):
            small(IDS.repeat(1, 2)[:, :last])
        with pytest.raises(ValueError, match="have been learned"):
            cached.next_logits(IDS.repeat(1, 2)[:, :last])


def test_a_text_without_a_batch_is_refused_with_what_to_do():
    small, cached = model(), CachedGPT(model())
    for call in (small, cached.next_logits):
        with pytest.raises(ValueError, match=r"of a text alone ids.unsqueeze\(0\), not \(7,\)"):
            call(IDS[0])
    assert cached.length == 0
    assert_close(cached.next_logits(IDS[:1]), small(IDS[:1])[:, -1])
