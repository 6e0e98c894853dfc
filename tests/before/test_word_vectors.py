"""What skip-gram learns: its loss is that of the paper, and words with the same neighbors become neighbors."""

from __future__ import annotations

import math

import pytest
import torch
import torch.nn.functional as F
from torch.testing import assert_close

from snippets.before.two_constitutions import constitution
from snippets.before.word_vectors import SkipGram, nearest, negative_sampling_loss, noise, train, words


def random_model(vocab_size=6, d=3):
    torch.manual_seed(1)
    model = SkipGram(vocab_size, d)
    torch.nn.init.normal_(model.context.weight)
    return model


def test_a_new_model_knows_nothing_and_its_loss_is_that_of_coins():
    model = SkipGram(1000, 64)
    loss = negative_sampling_loss(model, torch.tensor([[1, 2], [2, 1]]), torch.tensor([[3, 4], [5, 6]]))
    assert_close(loss.item(), 3 * math.log(2))
    assert_close(model.center.weight.norm(dim=1).square().mean().item(), 1.0, atol=0.05, rtol=0)


def test_the_loss_is_that_of_equation_four():
    model = random_model()
    u, v = model.context.weight.detach(), model.center.weight.detach()
    expected = 0.0
    for c, o, negatives in [(0, 1, [2, 3]), (4, 5, [5, 0])]:
        expected -= math.log(torch.sigmoid(u[o] @ v[c]))
        expected -= sum(math.log(torch.sigmoid(-u[k] @ v[c])) for k in negatives)
    batch = torch.tensor([[0, 1], [4, 5]]), torch.tensor([[2, 3], [5, 0]])
    assert_close(negative_sampling_loss(model, *batch).item(), expected / 2)


def test_a_step_down_the_gradient_moves_a_pair_together_and_negatives_away():
    model = random_model()
    center, context, negatives = torch.tensor([0]), torch.tensor([1]), torch.tensor([[2, 3]])
    before = model(center, context).item(), model(center, negatives[0]).tolist()
    negative_sampling_loss(model, torch.stack([center, context], dim=1), negatives).backward()
    with torch.no_grad():
        for weight in (model.center.weight, model.context.weight):
            weight -= 0.01 * weight.grad
    assert model(center, context).item() > before[0]
    assert all(after < score for after, score in zip(model(center, negatives[0]).tolist(), before[1], strict=True))
    assert not model.center.weight.grad[1:].any(), "only the center moves among the centers"
    assert not model.context.weight.grad[[0, 4, 5]].any(), "words that do not occur do not move"


def test_the_gradient_is_the_one_on_the_page():
    model = random_model()
    u, v = model.context.weight.detach(), model.center.weight.detach()
    negative_sampling_loss(model, torch.tensor([[0, 1]]), torch.tensor([[2, 3]])).backward()
    right = (torch.sigmoid(u[1] @ v[0]) - 1) * u[1] + sum(torch.sigmoid(u[k] @ v[0]) * u[k] for k in (2, 3))
    assert_close(model.center.weight.grad[0], right)


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
    return model.center.weight.detach()


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
    assert words(constitution("ko")[3])[-1] == "민주공화국이다"


def test_words_of_an_english_law_lose_their_semicolons_too():
    assert words("the President; (or) Vice-President:") == ["the", "President", "or", "Vice-President"]
