"""A sentence at positions of one's own, and the sinks that are taken apart with it."""

from __future__ import annotations

import pytest
import torch
from torch.testing import assert_close

from snippets.families import sink_position as module
from snippets.families.attention_views import attention_maps
from snippets.families.encoder_views import ORDINARY, SENTENCES
from snippets.families.sentence_embeddings import embed
from snippets.families.sink_position import SHIFTS, apart, at_positions, results
from tests.families.encoder import little_encoder, needs_encoder

MODEL, TOKENIZER = little_encoder()
IDS, POSITIONS = torch.tensor([101, 5, 8, 3, 6, 102]), torch.arange(6)


@torch.no_grad()
def test_at_their_own_positions_tokens_are_read_as_ever():
    received, embedding = at_positions(MODEL, IDS, POSITIONS)
    assert_close(received, attention_maps(MODEL, IDS[None])[:, 0].mean(dim=(0, 1, 2)))
    assert_close(received.sum(), torch.tensor(1.0).double())
    assert_close(embedding, embed(MODEL, IDS[None])[0])


@torch.no_grad()
def test_exchanged_positions_are_exchanged_tokens():
    order = torch.tensor([3, 1, 2, 0, 4, 5])
    received, embedding = at_positions(MODEL, IDS, order)
    moved, same = at_positions(MODEL, IDS[order], POSITIONS)
    assert_close(received, moved[order])
    assert_close(embedding, same)
    assert (received - at_positions(MODEL, IDS, POSITIONS)[0]).abs().max() > 1e-3


@torch.no_grad()
@pytest.mark.parametrize(
    ("text", "ids"),
    [
        ("the old dogs saw", [101, 5, 8, 3, 6, 4, 102]),  # [CLS] the old dog ##s saw [SEP]
        ("big", [101, 7, 102]),  # here the second token receives the most
    ],
)
def test_token_and_position_are_taken_apart(text, ids, monkeypatch):
    monkeypatch.setattr(module, "ORDINARY", ["cat", "big"])
    monkeypatch.setattr(module, "SHIFTS", (0, 2))
    ids, n = torch.tensor(ids), torch.arange(len(ids))
    found = apart(MODEL, TOKENIZER, text)
    _, whole = at_positions(MODEL, ids, n)
    assert list(found) == ["[CLS] 0", "[CLS] 2", "cat 0", "cat 2", "big 0", "big 2", "both"]
    for name, token in (("[CLS]", 101), ("cat", 2), ("big", 7)):
        changed = torch.cat([torch.tensor([token]), ids[1:]])
        for shift in (0, 2):
            received, moved = at_positions(MODEL, changed, n + shift)
            right = [received[0].item(), max(received[1:].tolist()), (1 - moved @ whole).item()]
            assert found[f"{name} {shift}"] == pytest.approx(right, abs=1e-12)
    both = []
    for j in range(1, len(ids) - 1):
        order = n.tolist()
        order[0], order[j] = order[j], order[0]
        received, _ = at_positions(MODEL, ids, torch.tensor(order))
        both.append([received[0].item(), received[j].item()])
    assert found["both"] == pytest.approx(torch.tensor(both).double().mean(dim=0).tolist(), abs=1e-6)


def test_every_sentence_is_kept_with_all_variants():
    runs = results()
    names = [f"{token} {shift}" for token in ["[CLS]", *ORDINARY] for shift in SHIFTS]
    assert len(runs) == len(SENTENCES) and all(list(run) == [*names, "both"] for run in runs)


@needs_encoder
@pytest.mark.thorough
def test_what_is_kept_is_what_the_published_encoder_gives():
    text = SENTENCES[0]
    kept, now = module.sinks_apart(text), module.sinks_apart.function(text)
    for name, numbers in kept.items():
        assert now[name] == pytest.approx(numbers, abs=1e-5), name
