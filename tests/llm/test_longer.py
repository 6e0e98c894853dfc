"""A cache that stops growing keeps the first tokens and the latest; a larger base slows the slowest pair down."""

from __future__ import annotations

import math

import pytest
import torch
from torch.testing import assert_close
from transformers import LlamaConfig as LibraryConfig
from transformers.modeling_rope_utils import ROPE_INIT_FUNCTIONS

from snippets.llm import longer as module
from snippets.llm.cached_llama import CachedLlama
from snippets.llm.longer import BoundedAttention, StreamingLlama, scaled_base
from snippets.positions.relative import rotate
from tests.llm.test_cached_llama import little_llama


def some_ids(n: int = 12) -> torch.Tensor:
    return torch.randint(40, (2, n), generator=torch.Generator().manual_seed(1))


@pytest.mark.parametrize("factor", [2, 3.5])
def test_the_slowest_pair_turns_slower_by_the_factor_and_the_fastest_as_before(factor):
    base = scaled_base(10_000.0, factor, 16)
    slowest, fastest = [0] * 14 + [1, 0], [1] + [0] * 15
    at = torch.tensor([12.0])

    def turned(x, positions, base):
        return rotate(torch.tensor([x], dtype=torch.float64), positions, base)

    assert_close(turned(slowest, at, base), turned(slowest, at / factor, 10_000.0))
    assert_close(turned(fastest, at, base), turned(fastest, at, 10_000.0))


@pytest.mark.parametrize("factor", [1.0, 2.0, 4.0])
def test_the_base_is_that_of_the_library(factor):
    config = LibraryConfig(
        hidden_size=128,
        num_attention_heads=2,
        max_position_embeddings=8_192,
        rope_parameters={"rope_type": "dynamic", "factor": 1.0, "rope_theta": 100_000.0},
    )
    found, _ = ROPE_INIT_FUNCTIONS["dynamic"](config, "cpu", seq_len=int(8_192 * factor))
    assert_close(found, scaled_base(100_000.0, factor, 64) ** -(torch.arange(32) / 32))


def test_as_long_as_all_fits_it_is_the_model_with_a_cache():
    model, ids = little_llama(), some_ids()
    streaming, cached = StreamingLlama(model, window=12, sinks=2), CachedLlama(model)
    for n in range(1, 13):
        assert_close(streaming.next_logits(ids[:, n - 1]), cached.next_logits(ids[:, :n]))


@pytest.mark.parametrize("sinks", [0, 1, 3])
def test_what_is_kept_is_the_first_tokens_and_the_latest(sinks):
    cache = BoundedAttention(little_llama().layers[0].attention, window=5, sinks=sinks)
    for i in range(12):
        cache.append(torch.full((1, 2, 1, 4), i), torch.full((1, 2, 1, 4), -i))
        wanted = [*range(min(sinks, i + 1)), *range(max(sinks, i + 1 - (5 - sinks)), i + 1)]
        assert cache.keys[0, 1, :, 0].tolist() == wanted
        assert cache.values[0, 0, :, 3].tolist() == [-j for j in wanted]


def test_the_first_layer_attends_as_if_what_is_kept_were_the_whole_text():
    """Its keys depend on nothing before them, so the text without what was dropped gives the same."""
    of = little_llama().layers[0].attention
    x = torch.randn(2, 9, 24, generator=torch.Generator().manual_seed(2)).double()
    cache = BoundedAttention(of, window=5, sinks=2)
    for i in range(9):
        output = cache(x[:, i : i + 1])
    whole = torch.cat([x[:, :2], x[:, 6:]], dim=1)
    assert_close(output, of(whole, torch.ones(5, 5).tril().bool())[:, -1:])


def test_it_reads_where_the_model_is():
    streaming = StreamingLlama(little_llama().float().to("meta"), window=3, sinks=1)
    for _ in range(3):  # a token that is dropped is looked for among numbers, which are not there
        logits = streaming.next_logits(torch.zeros(2, dtype=torch.long, device="meta"))
    assert logits.is_meta and logits.shape == (2, 40) and streaming.caches[0].keys.shape == (2, 2, 3, 4)


def test_positions_never_exceed_the_window(monkeypatch):
    seen = []

    def noted(x, positions, base):
        seen.append(positions.max().item())
        return rotate(x, positions, base)

    monkeypatch.setattr(module, "rotate", noted)
    model = StreamingLlama(little_llama(), window=6, sinks=1)
    for token in some_ids(20).T:
        logits = model.next_logits(token)
        assert logits.isfinite().all()
    assert max(seen) == 5 and model.caches[1].keys.shape == (2, 2, 6, 4)


def test_four_sinks_are_kept_unless_it_is_said_otherwise():
    for sinks, first in ((None, 4), (1, 1), (0, 0)):
        model = StreamingLlama(little_llama(), 6) if sinks is None else StreamingLlama(little_llama(), 6, sinks)
        keys = []
        for token in some_ids(12).T:
            model.next_logits(token)
            keys.append(model.caches[0].keys)
        kept = torch.cat([keys[5][:, :, :first], keys[-1][:, :, first:]], dim=2)
        assert_close(keys[-1], kept)
        assert not torch.equal(keys[-1][:, :, first], keys[5][:, :, first]), "the next one is dropped"


def test_a_cache_that_is_missing_is_noticed():
    model = StreamingLlama(little_llama(), window=3, sinks=1)
    model.caches.pop()
    with pytest.raises(ValueError, match="shorter"):
        model.next_logits(torch.zeros(1, dtype=torch.long))


@pytest.mark.parametrize("window, sinks", [(4, 4), (4, 5), (0, 0), (3, -1)])
def test_a_window_has_room_for_a_token_that_is_no_sink(window, sinks):
    with pytest.raises(ValueError, match=f"{sinks} sinks do not fit into a window of {window}"):
        StreamingLlama(little_llama(), window, sinks)


def test_nothing_changes_where_the_factor_is_one():
    assert math.isclose(scaled_base(500.0, 1, 8), 500.0)
