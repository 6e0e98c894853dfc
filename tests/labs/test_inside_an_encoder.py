"""What is switched off adds nothing, comes back, and is compared with what the whole model does."""

from __future__ import annotations

import copy
import random
import statistics

import pytest
import torch
from torch import nn
from torch.testing import assert_close

from snippets.families.encoder_views import SENTENCES
from snippets.families.real_encoder import encode
from snippets.families.sentence_embeddings import embed, mean_pool
from snippets.labs import inside_an_encoder as lab
from snippets.labs.inside_an_encoder import (
    ORDER,
    Shuffled,
    compared,
    content_words,
    first_token,
    function_words,
    switched_off,
    triplets,
    unchanged,
    vectors,
)
from tests.families.encoder import little_encoder, needs_encoder

MODEL, TOKENIZER = little_encoder()
IDS = torch.tensor([[101, 5, 8, 3, 102], [101, 1, 2, 102, 0]])
TEXTS = ["the old dog", "a cat"]


def test_a_head_that_is_off_adds_nothing():
    by_hand = copy.deepcopy(MODEL)
    by_hand.encoder.layers[1].attention.w_o.weight.data[:, 8:] = 0  # head 2 of d_k = 4
    by_hand.encoder.layers[0].attention.w_o.weight.data[:, 4:8] = 0
    with switched_off(MODEL, ((1, 2), (0, 1)), (0, 1)):
        assert_close(embed(MODEL, IDS), embed(by_hand, IDS))
    assert (embed(MODEL, IDS) - embed(by_hand, IDS)).abs().max() > 1e-3


def test_layers_come_in_order_and_one_that_is_left_out_is_not_there():
    by_hand = copy.deepcopy(MODEL)
    first, second = by_hand.encoder.layers
    for order, layers in {(0,): [first], (1, 0): [second, first]}.items():
        by_hand.encoder.layers = nn.ModuleList(layers)
        with switched_off(MODEL, (), order):
            assert_close(embed(MODEL, IDS), embed(by_hand, IDS))


def test_a_feed_forward_network_that_is_off_adds_its_bias_alone():
    by_hand = copy.deepcopy(MODEL)
    by_hand.encoder.layers[1].feed_forward.w_2.weight.data.zero_()
    with switched_off(MODEL, (), (0, 1), (1,)):
        assert_close(embed(MODEL, IDS), embed(by_hand, IDS))
    assert (embed(MODEL, IDS) - embed(by_hand, IDS)).abs().max() > 1e-3


def test_everything_comes_back_also_after_an_error():
    before, layers = embed(MODEL, IDS), MODEL.encoder.layers
    with pytest.raises(KeyError), switched_off(MODEL, ((0, 0), (1, 1)), (1,), (0,)):
        raise KeyError
    assert embed(MODEL, IDS).equal(before) and MODEL.encoder.layers is layers
    assert all(parameter.requires_grad for parameter in MODEL.parameters())


def test_the_first_token_is_the_other_way_to_pool():
    hidden = torch.randn(2, 3, 4)
    assert first_token(hidden, torch.ones(2, 3, dtype=torch.bool)).equal(hidden[:, 0])


def test_changes_keep_tokens_and_drop_others():
    tokens = "the old dog saw a cat , and she ran from it .".split()
    assert unchanged(tokens) == tokens
    assert Shuffled(3)(tokens) == random.Random(3).sample(tokens, 13) != tokens
    assert sorted(Shuffled(1)(tokens)) == sorted(tokens) and Shuffled(0)(tokens) != Shuffled(1)(tokens)
    assert content_words(tokens) == "old dog saw cat , ran .".split()
    assert function_words(tokens) == "the a and she from it .".split()


def test_vectors_are_embeddings_of_the_changed_tokens():
    assert_close(vectors(MODEL, TOKENIZER, TEXTS, mean_pool, unchanged), embed(MODEL, IDS))
    turned = vectors(MODEL, TOKENIZER, TEXTS, mean_pool, lambda tokens: tokens[::-1])
    assert_close(turned, embed(MODEL, torch.tensor([[101, 3, 8, 5, 102], [101, 2, 1, 102, 0]])))
    first = MODEL(IDS)[:, 0]
    found = vectors(MODEL, TOKENIZER, TEXTS, first_token, unchanged)
    assert_close(found, first / first.norm(dim=1, keepdim=True))
    assert not found.requires_grad
    is_token = []
    vectors(MODEL, TOKENIZER, TEXTS, lambda hidden, tokens: is_token.append(tokens) or hidden[:, 0], unchanged)
    assert is_token[0].tolist() == [[True] * 5, [True] * 4 + [False]]


@pytest.fixture
def little(monkeypatch):
    """The little encoder for the published one, and twice three sentences."""
    monkeypatch.setattr(lab, "real_encoder", lambda: (MODEL, TOKENIZER))
    words = ["the cat", "old dog", "a big cat saw", "the cat saw", "big dog", "a cat"]
    monkeypatch.setattr(lab, "ALL", words)
    monkeypatch.setattr(lab, "in_sentences", lambda: NOUNS)
    monkeypatch.setattr(lab, "ORDER", (0, 1))
    return words


NOUNS = ["old cat", "cat old", "the dog", "saw", "big dog saw", "dog big saw", "a dog", "cats the"]


def test_nothing_off_is_the_same_and_the_rest_is_counted(little):
    measured = lab.measure.function(order=(0, 1))
    one, retold = vectors(MODEL, TOKENIZER, little, mean_pool, unchanged).view(2, 3, -1)
    cosines = [[(a @ b).item() for b in retold] for a in one]
    found = [max(range(3), key=row.__getitem__) == i for i, row in enumerate(cosines)]
    assert 0 < sum(found) < 3, "this little example tells nothing"
    others = [cosines[i][j] for i in range(3) for j in range(3) if i != j]
    nouns = vectors(MODEL, TOKENIZER, NOUNS, mean_pool, unchanged)
    margins = []
    for x, y, what, other in (nouns[:4], nouns[4:]):
        margins += [(what @ x - what @ y).item(), (other @ y - other @ x).item()]
    assert measured == {
        "cosine": pytest.approx(1),
        "unrelated": pytest.approx(sum(others) / 6),
        "margins": pytest.approx(margins, abs=1e-5),
        "recall@1": sum(found),
    }
    assert all(margin == round(margin, 5) for margin in measured["margins"])  # so they are kept


def test_what_is_asked_for_is_switched_off_or_changed(little):
    whole = vectors(MODEL, TOKENIZER, little, mean_pool, unchanged)
    both = (0, 1)
    changes = [((), both, first_token), ((), both, mean_pool, lambda tokens: tokens[:1])]
    changes.append(((), both, mean_pool, unchanged, (1,)))
    for arguments in [(((0, 1),), both), ((), (0,)), ((), (1, 0)), *changes]:
        heads, order, pool, change, silent = (*arguments, *((), both, mean_pool, unchanged, ())[len(arguments) :])
        with switched_off(MODEL, heads, order, silent):
            now = vectors(MODEL, TOKENIZER, little, pool, change)
        same = lab.measure.function(*arguments)["cosine"]
        assert same == pytest.approx(torch.stack([a @ b for a, b in zip(now, whole, strict=True)]).mean().item())
        assert same < 0.999999
    assert vectors(MODEL, TOKENIZER, little, mean_pool, unchanged).equal(whole)


def test_margins_are_compared_pair_by_pair():
    before = {"margins": [0.1, -0.2, 0.3, -0.1, 0.0, 0.0, -0.1, 0.2]}
    now = {"margins": [0.0, 0.1, 0.2, -0.3, 0.0, 0.4, 0.0, -0.1]}
    changes = [(-0.1 + 0.3) / 2, (-0.1 - 0.2) / 2, (0.0 + 0.4) / 2, (0.1 - 0.3) / 2]
    t = statistics.mean(changes) / (statistics.stdev(changes) / 2)
    assert compared(now, before) == {
        "change": pytest.approx(statistics.mean(changes)),
        "t": pytest.approx(t, rel=1e-4),
        "lost": 2,
        "gained": 2,
    }
    assert (triplets(before), triplets(now)) == (3, 3)


def test_a_head_can_be_put_at_its_mean_instead_of_0(little):
    """By another way: what W_O gets from the head is replaced at every token."""
    whole = vectors(MODEL, TOKENIZER, little, mean_pool, unchanged)
    w_o = MODEL.encoder.layers[1].attention.w_o
    bias, ids = w_o.bias.clone(), encode(TOKENIZER, little)
    seen = []
    hook = w_o.register_forward_pre_hook(lambda _, x: seen.append(x[0]))
    MODEL(ids)
    hook.remove()
    tokens = [
        vector for row, of_row in zip(ids, seen[0], strict=True) for i, vector in zip(row, of_row, strict=True) if i
    ]
    mean = torch.stack(tokens).mean(dim=0)
    expected = []
    for head in range(3):
        columns = torch.arange(12) // 4 == head
        hook = w_o.register_forward_pre_hook(lambda _, x, columns=columns: torch.where(columns, mean, x[0]))
        now = vectors(MODEL, TOKENIZER, little, mean_pool, unchanged)
        hook.remove()
        expected.append((now * whole).sum(dim=1).mean().item())
    assert lab.mean_ablation.function(1) == {"cosine": pytest.approx(expected)}
    assert max(expected) < 0.99999 and w_o.bias.equal(bias) and not w_o._forward_hooks
    assert vectors(MODEL, TOKENIZER, little, mean_pool, unchanged).equal(whole)


@pytest.fixture
def asked(monkeypatch):
    """Instead of measuring, each run says what it was asked for; the later the head, the more it matters."""

    class Measure:
        calls: list[tuple] = []

        def each(self, calls):
            self.calls += calls
            return [
                {"call": call, "cosine": -10 * call[0][0][0] - call[0][0][1] if call and call[0] else 1}
                for call in calls
            ]

    monkeypatch.setattr(lab, "measure", Measure())
    return lab.measure.calls


def test_each_head_is_switched_off_alone(asked):
    assert [run["call"] for run in lab.one_by_one()] == [(((i, j),),) for i in range(6) for j in range(12)]


def test_heads_are_switched_off_from_either_end_and_in_any_order(asked):
    orders = lab.orders()
    assert orders.keys() == {"least", "any", "most"} and [len(some) for some in orders.values()] == [1, 3, 1]
    (least,), (most,) = orders["least"], orders["most"]
    assert least[0] == (0, 0) and least[-1] == (5, 11) and most == least[::-1]
    same = [-10 * layer - head for layer, head in least]
    assert same == sorted(same, reverse=True)
    for i, one in enumerate(orders["any"]):
        assert sorted(one) == lab.HEADS and one == random.Random(i).sample(lab.HEADS, 72)
    runs = lab.more_and_more()
    assert [len(run["call"][0]) for run in runs["any"][2]] == lab.NUMBERS == [18, 36, 54, 72]
    assert runs["most"][0][0]["call"] == (tuple(most[:18]),) and runs["any"][1][1]["call"][0] == tuple(
        orders["any"][1][:36]
    )


def test_halves_are_chosen_by_layer(asked):
    chosen = {name: [run["call"][0] for run in runs] for name, runs in lab.halves().items()}
    assert chosen["least of each"] == [tuple((i, j) for i in range(6) for j in range(6))]
    assert chosen["most of each"] == [tuple((i, j) for i in range(6) for j in range(6, 12))]
    assert sorted(chosen["first layers"][0]) == lab.HEADS[:36] and sorted(chosen["last layers"][0]) == lab.HEADS[36:]


def test_as_many_heads_of_each_layer_are_drawn_as_there_are_among_the_least(monkeypatch):
    least = sorted(lab.HEADS, key=lambda head: (head[1] * 7 + head[0] * 5) % 29)
    monkeypatch.setattr(lab, "orders", lambda: {"least": [least]})
    asked = []

    class Measure:
        def each(self, calls):
            asked.extend(heads for (heads,) in calls)
            return [{}] * len(calls)

    monkeypatch.setattr(lab, "measure", Measure())
    lab.halves()
    counts = [sum(head[0] == i for head in least[:36]) for i in range(6)]
    assert len(set(counts)) > 1
    layers = [[head for head in least if head[0] == i] for i in range(6)]
    for seed, heads in enumerate(asked[:3]):
        draw = random.Random(seed).sample
        assert list(heads) == [head for i in range(6) for head in draw(layers[i], counts[i])]
    assert len(set(asked[:3])) == 3 and all(len(set(heads)) == 36 for heads in asked)


def test_the_other_results_are_named_after_what_they_change(asked):
    calls = {name: run["call"] for name, run in lab.results().items()}
    assert calls["nothing"] == () and len(calls) == 21
    assert calls["attention of layer 2"] == (tuple((2, head) for head in range(12)),)
    assert calls["feed-forward of layer 3"] == ((), ORDER, mean_pool, unchanged, (3,))
    assert calls["every feed-forward"][4] == ORDER and calls["every layer"] == ((), ())
    assert calls["[CLS] for the mean"] == ((), ORDER, first_token)
    assert [calls[f"shuffled, seed {seed}"][3].seed for seed in range(3)] == [0, 1, 2]
    for change in (content_words, function_words):
        assert calls[change.__name__] == ((), ORDER, mean_pool, change)


def test_each_sentence_is_retold_and_each_pair_of_nouns_turned_round():
    assert lab.ALL == SENTENCES + lab.PARAPHRASES and len(set(lab.ALL)) == 48
    found = lab.in_sentences()
    assert len(found) == 4 * len(lab.COMPOUNDS) and len({words for words, *_ in lab.COMPOUNDS}) == 52
    assert found[:2] == ["They talked about the race horse.", "They talked about the horse race."]
    assert found[2:4] == ["They talked about a fast animal.", "They talked about a contest at the track."]
    assert all(
        set(a.strip(".").split()) == set(b.strip(".").split()) and a != b
        for a, b in zip(found[::4], found[1::4], strict=True)
    )


@needs_encoder
@pytest.mark.thorough
@pytest.mark.parametrize(
    "call", [(), (((0, 2),),), ((), ()), ((), ORDER, first_token), ((), ORDER, mean_pool, Shuffled(0))]
)
def test_what_is_kept_is_what_the_published_encoder_gives(call):
    kept, now = lab.measure(*call), lab.measure.function(*call)
    for name, value in now.items():
        assert kept[name] == pytest.approx(value, abs=2e-4), name
