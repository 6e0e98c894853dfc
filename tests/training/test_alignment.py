"""What is measured of the alignment, and that the pairs bring it about."""

from __future__ import annotations

import pytest
import torch
from torch import nn

from snippets.before.vocabulary import PAD
from snippets.training.alignment import (
    aligned,
    attended,
    control,
    exchanged,
    meanings,
    results,
    train,
    wrong_without,
)
from snippets.training.one_pair import NEW, PAIRS, VOCAB, batch, cross_attention, cut, pair_trainer, trained


def test_the_english_of_a_token():
    assert meanings("산다") == ["live", "buy"] and meanings("서울") == ["seoul"]
    assert not set(meanings(".")) & set(VOCAB.tokens)


def test_what_is_attended_to_most_is_named_token_by_token():
    model = trained()
    some = PAIRS[:3] + [("The book is good.", "책이 좋다.")]  # of several lengths
    looked_at = attended(model, some)
    assert [len(row) for row in looked_at] == [len(cut(korean)) for _, korean in some]
    for pair, row in zip(some, looked_at, strict=True):
        weights = cross_attention(model, *batch([pair]))[0]
        source = [*cut(pair[0]), "</s>"]
        assert row == [source[j] for j in weights.argmax(dim=-1)[: len(row)].tolist()]


def test_only_tokens_whose_english_is_in_the_source_count():
    pair = ("I live in Seoul.", "나는 서울에 산다.")  # 나 ##는 서울 ##에 산다 .
    assert aligned([pair], [["i", "i", "seoul", "in", "live", "."]]) == 1
    assert aligned([pair], [["i", "x", "seoul", "in", "buy", "x"]]) == 1  # another meaning, never in this source
    assert aligned([pair], [["in", "i", "seoul", "seoul", "live", "."]]) == 0.5


class Reader(nn.Module):
    """Predicts the right token as long as the one source token that it reads may be seen."""

    def __init__(self, tgt: torch.Tensor, reads: dict[int, int]) -> None:
        super().__init__()
        self.tgt, self.reads, self.seen = tgt, reads, []

    def encode(self, src):
        return src

    def decode(self, tgt, memory, src):
        assert (memory != PAD).all(), "the encoder sees everything"
        assert torch.equal(tgt, self.tgt[:, :-1])
        logits = nn.functional.one_hot(self.tgt[:, 1:], len(VOCAB)).float()
        for i, j in self.reads.items():
            if src[0, j] == PAD:
                logits[0, i] = -logits[0, i]
        self.seen.append(src)
        return logits


def test_hiding_counts_what_goes_wrong_without_the_counterpart_and_without_the_full_stop():
    pair = ("I live in Seoul.", "나는 서울에 산다.")
    # i live in seoul . and 나 ##는 서울 ##에 산다 .: four have a counterpart, at 0, 3, 2 and 1
    _, tgt = batch([pair])
    assert wrong_without(Reader(tgt, {}), [pair]) == [0, 0]
    assert wrong_without(Reader(tgt, {0: 0, 2: 3}), [pair]) == [0.5, 0]
    assert wrong_without(Reader(tgt, {0: 3, 1: 0}), [pair]) == [0, 0]
    assert wrong_without(Reader(tgt, {4: 4}), [pair]) == [0, 0.25]
    reader = Reader(tgt, {})
    wrong_without(reader, [pair])
    hidden = [(seen[0] == PAD).nonzero().flatten().tolist() for seen in reader.seen]
    assert hidden == [[0], [4], [3], [4], [2], [4], [1], [4]]


@pytest.mark.parametrize("seed", range(5))
def test_exchanged_pairs_have_the_same_sentences_and_none_its_own_translation(seed):
    others = exchanged(PAIRS, seed)
    assert sorted(english for english, _ in others) == sorted(english for english, _ in PAIRS)
    assert sorted(korean for _, korean in others) == sorted(korean for _, korean in PAIRS)
    assert not set(others) & set(PAIRS)
    assert others != exchanged(PAIRS, seed + 1) and others == exchanged(PAIRS, seed)


def test_pairs_that_belong_together_are_aligned_and_others_are_only_remembered():
    right = [" ".join(cut(korean)) for _, korean in NEW]
    for run in results():
        assert run["known"] == [" ".join(cut(korean)) for _, korean in PAIRS]
        assert sum(a == b for a, b in zip(run["new"], right, strict=True)) >= 7
        assert run["aligned"] > 0.7
        own, full_stop = run["wrong"]
        assert full_stop == 0 and 0.1 < own < 1 / 3
    for seed, run in enumerate(control()):
        assert run["known"] == [" ".join(cut(korean)) for _, korean in exchanged(PAIRS, seed)]
        assert not set(run["new"]) & set(right)
        assert run["aligned"] < 1 / 3
        assert run["losses"][-1] < 0.01


def test_the_model_of_the_page_before_is_the_first_of_them():
    assert attended(trained(), PAIRS) == results()[0]["looked at"]


@pytest.mark.thorough
@pytest.mark.parametrize("is_exchanged", [False, True])
def test_trained_anew_with_another_seed_it_says_the_same(is_exchanged):
    run = train.function(is_exchanged, 7)
    assert (run["aligned"] > 0.6) != is_exchanged
    assert (run["aligned"] < 0.4) == is_exchanged
    assert len(set(run["new"]) & {" ".join(cut(korean)) for _, korean in NEW}) >= 6 or is_exchanged


@pytest.mark.thorough
@pytest.mark.parametrize("seed", [0, 1])
def test_before_training_nothing_is_aligned(seed):
    model = pair_trainer(PAIRS, seed).model.eval()
    assert aligned(PAIRS, attended(model, PAIRS)) < 0.4
