"""What the tasks mean: nothing that is predicted is seen, and masks have the shares of the paper."""

from __future__ import annotations

import pytest
import torch
import torch.nn.functional as F
from hypothesis import given
from hypothesis import strategies as st
from torch.testing import assert_close

from snippets.before.prediction_tasks import (
    IGNORED,
    bert_masking,
    masked_pairs,
    next_token_pairs,
    previous_token_pairs,
    skip_gram_pairs,
)

SENTENCE = ["나는", "밥을", "먹는다"]

positions = st.integers(0, 8).map(lambda n: list(range(n)))


def test_the_pairs_of_a_sentence_of_three_words():
    assert next_token_pairs(SENTENCE) == [([], "나는"), (["나는"], "밥을"), (["나는", "밥을"], "먹는다")]
    assert previous_token_pairs(SENTENCE) == [([], "먹는다"), (["먹는다"], "밥을"), (["밥을", "먹는다"], "나는")]
    assert masked_pairs(SENTENCE, {1}) == [(["나는", "[MASK]", "먹는다"], "밥을")]
    assert skip_gram_pairs(SENTENCE, 1) == [
        (["나는"], "밥을"),
        (["밥을"], "나는"),
        (["밥을"], "먹는다"),
        (["먹는다"], "밥을"),
    ]


@given(positions)
def test_a_language_model_predicts_each_token_from_one_side_only(tokens):
    forward, backward = next_token_pairs(tokens), previous_token_pairs(tokens)
    assert [token for _, token in forward] == tokens
    assert [token for _, token in backward] == tokens[::-1]
    assert all(seen == [i for i in tokens if i < token] for seen, token in forward)
    assert all(seen == [i for i in tokens if i > token] for seen, token in backward)


@given(positions)
def test_the_backward_task_is_the_forward_task_of_the_reversed_sentence(tokens):
    turned = [(seen[::-1], token) for seen, token in next_token_pairs(tokens[::-1])]
    assert previous_token_pairs(tokens) == turned


@given(positions, st.data())
def test_what_is_hidden_is_never_seen_and_everything_else_is(tokens, data):
    hidden = data.draw(st.sets(st.sampled_from(tokens)) if tokens else st.just(set()))
    pairs = masked_pairs(tokens, hidden)
    assert [token for _, token in pairs] == sorted(hidden)
    for seen, _ in pairs:
        assert len(seen) == len(tokens)
        assert hidden.isdisjoint(seen), "a hidden token is seen"
        assert [token for token in seen if token != "[MASK]"] == [token for token in tokens if token not in hidden]


@given(positions, st.integers(1, 4))
def test_skip_gram_pairs_are_all_within_the_window_in_both_orders(tokens, window):
    pairs = [(center, context) for (center,), context in skip_gram_pairs(tokens, window)]
    assert pairs == [(i, j) for i in tokens for j in tokens if 0 < abs(i - j) <= window]


def test_the_loss_leaves_out_what_nobody_has_to_predict():
    logits = torch.randn(2, 5, generator=torch.Generator().manual_seed(0))
    both = F.cross_entropy(logits, torch.tensor([3, IGNORED]))
    assert_close(both, F.cross_entropy(logits[:1], torch.tensor([3])))


def masking(shape=(400, 500), vocab_size=100_000, seed=0):
    generator = torch.Generator().manual_seed(seed)
    ids = torch.randint(5, vocab_size, shape, generator=generator)
    return ids, *bert_masking(ids, 4, vocab_size, generator)


def test_a_masked_position_has_its_token_as_target_and_no_other_position_has_one():
    ids, inputs, targets = masking()
    chosen = targets != IGNORED
    assert torch.equal(targets[chosen], ids[chosen])
    assert torch.equal(inputs[~chosen], ids[~chosen]), "a token changed that nobody has to predict"


def test_fifteen_percent_are_chosen_and_split_eighty_ten_ten():
    """Pearson's chi-square: beyond 13.8 by chance once in a thousand for two degrees of freedom, 10.8 for one."""
    ids, inputs, targets = masking()
    chosen = targets != IGNORED
    n, total = chosen.sum().item(), ids.numel()
    expected = [0.15 * total, 0.85 * total]
    assert sum((a - b) ** 2 / b for a, b in zip([n, total - n], expected, strict=True)) < 10.8
    hidden = (inputs[chosen] == 4).sum().item()
    kept = (inputs[chosen] == ids[chosen]).sum().item()
    shares = zip([hidden, kept, n - hidden - kept], [0.8 * n, 0.1 * n, 0.1 * n], strict=True)
    assert sum((a - b) ** 2 / b for a, b in shares) < 13.8


def test_random_tokens_come_from_the_whole_vocabulary():
    ids = torch.full((100_000,), 7)
    inputs, _ = bert_masking(ids, 4, 10, torch.Generator().manual_seed(0))
    drawn = torch.bincount(inputs[(inputs != 4) & (inputs != 7)], minlength=10)
    assert drawn[[0, 1, 2, 3, 5, 6, 8, 9]].min() > 100 and drawn[[4, 7]].sum() == 0


def test_masking_follows_its_generator_and_keeps_the_shape():
    ids, inputs, targets = masking((3, 50))
    assert inputs.shape == targets.shape == ids.shape
    again = masking((3, 50))
    assert torch.equal(inputs, again[1]) and torch.equal(targets, again[2])
    assert not torch.equal(targets, masking((3, 50), seed=1)[2])


@pytest.mark.parametrize("pad_id", [0, 3])
def test_padding_is_no_random_token(pad_id):
    """A model would hide that position from all others. What would have become padding stays as it is."""
    ids = torch.full((20_000,), 7)
    inputs, targets = bert_masking(ids, 4, 8, torch.Generator().manual_seed(0), pad_id)
    assert set(inputs.tolist()) == {0, 1, 2, 3, 4, 5, 6, 7} - {pad_id}
    assert 0.14 < (targets != IGNORED).float().mean() < 0.16
