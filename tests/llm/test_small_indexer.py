"""The attention that is imitated is causal, the loss is a divergence, and no choice beats the best keys."""

from __future__ import annotations

import torch
from torch.testing import assert_close

from snippets.llm.indexer import Indexer
from snippets.llm.small_indexer import (
    D_MODEL,
    KEEP,
    MASK,
    RATES,
    SEEDS,
    SIZES,
    N,
    attention_weights,
    imitation_loss,
    results,
    share,
)


def weights(seed=0):
    torch.manual_seed(seed)
    x, w_q, w_k = torch.randn(2, N, D_MODEL), torch.randn(2, D_MODEL, 4), torch.randn(2, D_MODEL, 4)
    return x, attention_weights(x, w_q, w_k)


def test_weights_are_distributions_over_the_past():
    _, found = weights()
    assert_close(found.sum(dim=-1), torch.ones(2, N))
    assert not found[:, ~MASK].any() and found[0, 0, 0] == 1


def test_the_share_of_all_keys_is_everything_and_of_the_best_no_less_than_of_others():
    _, found = weights()
    assert abs(share(found, MASK.expand_as(found)) - 100) < 1e-4
    best = found >= found.topk(KEEP).values[..., -1:]
    assert share(found, best) > share(found, MASK.triu(1 - KEEP).expand_as(found)) > 0


def test_the_loss_is_the_mean_divergence_of_the_rows():
    x, found = weights()
    indexer = Indexer(D_MODEL, D_MODEL, 2, 4, d_rope=2, keep=KEEP)
    guess = indexer.scores(x, x).masked_fill(~MASK, -torch.inf).softmax(dim=-1)
    rows = torch.where(found > 0, found * (found.log() - guess.log()), 0.0).sum(dim=-1)
    assert_close(imitation_loss(indexer, x, found), rows.mean(), rtol=1e-4, atol=1e-5)


def test_what_comes_with_the_book_is_of_every_size():
    found = results()
    settings = ["", " longer", *(f" at {rate:g}" for rate in RATES)]
    assert list(found) == [f"{heads} x {d_k}{name}" for heads, d_k in SIZES for name in settings]
    assert found["4 x 4"] == found["4 x 4 at 0.02"] != found["4 x 4 at 0.1"]
    for runs in found.values():
        assert len(runs) == len(SEEDS)
        for run in runs:
            assert 0 < run["trained"] < run["best"] <= 100
