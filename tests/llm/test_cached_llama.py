"""With a cache, the logits are those of the whole text at once."""

from __future__ import annotations

import pytest
import torch
from torch.testing import assert_close

from snippets.families.llama import Llama, LlamaConfig
from snippets.llm.cached_llama import CachedLlama

SIZES = {"vocab_size": 40, "num_layers": 2, "d_model": 24, "num_heads": 6, "num_kv_heads": 2, "d_ff": 32}


def little_llama(seed: int = 0) -> Llama:
    torch.manual_seed(seed)
    model = Llama(LlamaConfig(**SIZES, rope_theta=100.0)).double().eval().requires_grad_(False)
    for parameter in model.parameters():
        torch.nn.init.normal_(parameter, mean=0.1, std=0.4)
    return model


@pytest.mark.parametrize("lengths", [(9,), (1, 2, 3, 9), (4, 9), (8, 9)])
def test_logits_do_not_depend_on_how_much_is_read_at_once(lengths):
    model, ids = little_llama(), torch.randint(40, (3, 9), generator=torch.Generator().manual_seed(1))
    cached = CachedLlama(model)
    for n in lengths:
        assert_close(cached.next_logits(ids[:, :n]), model(ids[:, :n])[:, -1])
        assert cached.length == n


def test_keys_are_kept_for_the_shared_heads_only():
    model = little_llama()
    cached = CachedLlama(model)
    cached.next_logits(torch.zeros(2, 5, dtype=torch.long))
    assert [cache.keys.shape for cache in cached.caches] == [cache.values.shape for cache in cached.caches]
    assert cached.caches[1].keys.shape == (2, 2, 5, 4)


def test_something_has_to_be_new():
    cached = CachedLlama(little_llama())
    cached.next_logits(torch.zeros(1, 3, dtype=torch.long))
    for n in (2, 3):
        with pytest.raises(ValueError, match="3 tokens have been read: none is new"):
            cached.next_logits(torch.zeros(1, n, dtype=torch.long))


def test_logits_are_computed_where_the_model_is():
    cached = CachedLlama(little_llama().float().to("meta"))
    for n in (3, 4):
        logits = cached.next_logits(torch.zeros(2, n, dtype=torch.long, device="meta"))
        assert logits.is_meta and logits.shape == (2, 40)


def test_nothing_can_be_attended_to_before_something_is_kept():
    attention = CachedLlama(little_llama()).caches[0]
    with pytest.raises(ValueError, match="nothing is kept yet: append comes first"):
        attention.attend(torch.zeros(1, 1, 24).double(), torch.arange(1), torch.ones(1, 1, dtype=torch.bool))


def test_a_text_without_a_batch_is_refused_with_what_to_do():
    with pytest.raises(ValueError, match=r"of a text alone ids.unsqueeze\(0\), not \(3,\)"):
        CachedLlama(little_llama()).next_logits(torch.tensor([1, 2, 3]))
