"""A sentence embedding is the mean over the tokens, whatever stands beside them in a batch."""

from __future__ import annotations

import torch
from torch.testing import assert_close

from snippets.families.sentence_embeddings import embed, mean_pool
from tests.families.encoder import little_encoder

IDS = torch.tensor([[101, 5, 2, 4, 102], [101, 7, 102, 0, 0]])


def test_a_known_mean_leaves_padding_out():
    hidden = torch.tensor([[[1.0, 2.0], [3.0, 6.0], [100.0, -100.0]], [[1.0, 0.0], [2.0, 0.0], [6.0, 3.0]]])
    is_token = torch.tensor([[True, True, False], [True, True, True]])
    assert_close(mean_pool(hidden, is_token), torch.tensor([[2.0, 4.0], [3.0, 1.0]]))
    assert mean_pool(hidden.double(), is_token).dtype == torch.float64
    alone = torch.tensor([[True, False, False]] * 2)
    assert_close(mean_pool(hidden, alone), hidden[:, 0])


def test_a_sentence_without_a_token_gets_zeros_and_leaves_the_others_alone():
    """As in sentence-transformers; nothing looks into the tensor, so it compiles."""
    hidden = torch.randn(2, 3, 4, requires_grad=True)
    found = mean_pool(hidden, torch.tensor([[True, True, True], [False, False, False]]))
    assert_close(found, torch.stack([hidden[0].mean(dim=0), torch.zeros(4)]))
    found.sum().backward()
    assert_close(hidden.grad[:, :, 0], torch.tensor([[1 / 3] * 3, [0.0] * 3]))


def test_an_embedding_has_norm_1_and_the_direction_of_the_mean():
    model, _ = little_encoder()
    found = embed(model, IDS)
    mean = model(IDS)[1, :3].mean(dim=0)
    assert_close(found.norm(dim=-1), torch.ones(2).double())
    assert_close(found[1], mean / mean.norm())
    assert not found.requires_grad


def test_padding_does_not_change_it():
    model, _ = little_encoder()
    assert_close(embed(model, IDS)[1], embed(model, IDS[1:, :3])[0])


def test_what_is_padding_is_for_the_model_to_say():
    model, _ = little_encoder(pad_id=9)
    assert_close(embed(model, IDS.masked_fill(IDS == 0, 9))[1], embed(model, IDS[1:, :3])[0])


def test_segments_are_told_to_the_model():
    model, _ = little_encoder()
    second = torch.tensor([[0, 0, 1, 1, 1]])
    mean = model(IDS[:1], second)[0].mean(dim=0)
    assert_close(embed(model, IDS[:1], second)[0], mean / mean.norm())
