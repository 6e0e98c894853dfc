"""What the tasks mean: nothing predicted is seen, and skip-gram moves vectors the right way."""

from __future__ import annotations

import math

import pytest
import torch
import torch.nn.functional as F
from hypothesis import given
from hypothesis import strategies as st
from torch.testing import assert_close

from snippets.before.corpus import constitution
from snippets.before.prediction_tasks import (
    IGNORED,
    SkipGram,
    bert_masking,
    masked_pairs,
    nearest,
    negative_sampling_loss,
    next_token_pairs,
    noise,
    previous_token_pairs,
    skip_gram_pairs,
    train,
    words,
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
    pairs = [(centre, context) for (centre,), context in skip_gram_pairs(tokens, window)]
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


def random_model(vocab_size=6, d=3):
    torch.manual_seed(1)
    model = SkipGram(vocab_size, d)
    torch.nn.init.normal_(model.context.weight)
    return model


def test_a_new_model_knows_nothing_and_its_loss_is_that_of_coins():
    model = SkipGram(1000, 64)
    loss = negative_sampling_loss(model, torch.tensor([[1, 2], [2, 1]]), torch.tensor([[3, 4], [5, 6]]))
    assert_close(loss.item(), 3 * math.log(2))
    assert_close(model.centre.weight.norm(dim=1).square().mean().item(), 1.0, atol=0.05, rtol=0)


def test_the_loss_is_that_of_equation_four():
    model = random_model()
    u, v = model.context.weight.detach(), model.centre.weight.detach()
    expected = 0.0
    for c, o, negatives in [(0, 1, [2, 3]), (4, 5, [5, 0])]:
        expected -= math.log(torch.sigmoid(u[o] @ v[c]))
        expected -= sum(math.log(torch.sigmoid(-u[k] @ v[c])) for k in negatives)
    batch = torch.tensor([[0, 1], [4, 5]]), torch.tensor([[2, 3], [5, 0]])
    assert_close(negative_sampling_loss(model, *batch).item(), expected / 2)


def test_a_step_down_the_gradient_moves_a_pair_together_and_negatives_away():
    model = random_model()
    centre, context, negatives = torch.tensor([0]), torch.tensor([1]), torch.tensor([[2, 3]])
    before = model(centre, context).item(), model(centre, negatives[0]).tolist()
    negative_sampling_loss(model, torch.stack([centre, context], dim=1), negatives).backward()
    with torch.no_grad():
        for weight in (model.centre.weight, model.context.weight):
            weight -= 0.01 * weight.grad
    assert model(centre, context).item() > before[0]
    assert all(after < score for after, score in zip(model(centre, negatives[0]).tolist(), before[1], strict=True))
    assert not model.centre.weight.grad[1:].any(), "only the centre moves among the centres"
    assert not model.context.weight.grad[[0, 4, 5]].any(), "words that do not occur do not move"


def test_the_gradient_is_the_one_on_the_page():
    model = random_model()
    u, v = model.context.weight.detach(), model.centre.weight.detach()
    negative_sampling_loss(model, torch.tensor([[0, 1]]), torch.tensor([[2, 3]])).backward()
    right = (torch.sigmoid(u[1] @ v[0]) - 1) * u[1] + sum(torch.sigmoid(u[k] @ v[0]) * u[k] for k in (2, 3))
    assert_close(model.centre.weight.grad[0], right)


@pytest.mark.parametrize("k", [1, 5])
def test_the_best_score_is_pointwise_mutual_information_minus_log_k(k):
    joint = torch.tensor([[0.30, 0.10], [0.05, 0.55]], dtype=torch.float64)
    first, second = joint.sum(1, keepdim=True), joint.sum(0, keepdim=True)
    scores = ((joint / (first * second)).log() - math.log(k)).requires_grad_()
    loss = -(joint * F.logsigmoid(scores) + k * first * second * F.logsigmoid(-scores)).sum()
    loss.backward()
    assert_close(scores.grad, torch.zeros_like(scores))


def test_frequent_words_are_drawn_more_often_but_less_than_their_share():
    assert_close(noise([[0, 0, 1], [0] * 14], 3), torch.tensor([16**0.75, 1.0, 0.0]))


def trained(sentences, vocab_size, steps, seed):
    torch.manual_seed(seed)
    model = SkipGram(vocab_size, 16)
    train(model, sentences, window=1, steps=steps)
    return model.centre.weight.detach()


def test_words_that_share_their_neighbours_become_neighbours():
    """고양이 and 개 (0 and 1) come with 2 and 3, 차 and 배 (4 and 5) with 6 and 7."""
    generator = torch.Generator().manual_seed(0)
    sentences = []
    for _ in range(60):
        for group in (0, 4):
            animal, other = torch.randint(2, (2,), generator=generator).tolist()
            sentences.append([group + animal, group + 2 + other])
    for seed in (0, 1):
        vectors = trained(sentences, 8, 300, seed)
        for a, b in [(0, 1), (1, 0), (2, 3), (4, 5), (5, 4), (6, 7)]:
            assert nearest(vectors, a, 1)[0][0] == b


def test_training_is_repeatable_and_depends_on_the_seed():
    sentences = [[0, 1, 2], [2, 1, 0]]
    one, again, other = (trained(sentences, 3, 20, seed) for seed in (0, 0, 1))
    assert torch.equal(one, again) and not torch.equal(one, other)


def test_the_first_step_moves_contexts_by_the_learning_rate_of_adam():
    model = SkipGram(3, 4)
    train(model, [[0, 1, 2], [2, 1, 0]], window=1, steps=1)
    assert_close(model.context.weight.abs(), torch.full((3, 4), 0.02, dtype=torch.float64), atol=1e-6, rtol=0)


def test_nearest_compares_directions_and_leaves_the_word_out():
    vectors = torch.tensor([[1.0, 0.0], [5.0, 5.0], [0.1, 0.0], [-3.0, 0.0]])
    assert [i for i, _ in nearest(vectors, 0, 3)] == [2, 1, 3]
    assert_close(torch.tensor([cosine for _, cosine in nearest(vectors, 0, 3)]), torch.tensor([1, 0.5**0.5, -1]))
    assert vectors[0, 0] == 1, "the vectors are left as they were"


def test_words_lose_punctuation_at_their_ends_only():
    assert words('제1조 ① "나는, 4·19와" <헌법> ②국교는 .') == ["제1조", "나는", "4·19와", "헌법", "국교는"]
    assert words(constitution()[3])[-1] == "민주공화국이다"


@pytest.mark.parametrize("pad_id", [0, 3])
def test_padding_is_no_random_token(pad_id):
    """A model would hide that position from all others. What would have become padding stays as it is."""
    ids = torch.full((20_000,), 7)
    inputs, targets = bert_masking(ids, 4, 8, torch.Generator().manual_seed(0), pad_id)
    assert set(inputs.tolist()) == {0, 1, 2, 3, 4, 5, 6, 7} - {pad_id}
    assert 0.14 < (targets != IGNORED).float().mean() < 0.16
