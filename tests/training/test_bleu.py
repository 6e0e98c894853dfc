"""BLEU: equal to sacrebleu's, with the paper's own example; what it ignores, and what is measured of a training."""

from __future__ import annotations

import math
import random

import pytest
from sacrebleu.metrics import BLEU

from snippets.before import dates
from snippets.training import bleu as module
from snippets.training.bleu import TEST, bleu, brevity_penalty, matches, ngram_counts, results
from snippets.training.translator import DATE_VOCAB, STEPS


def texts(rng: random.Random, number: int) -> list[list[str]]:
    return [rng.choices("abc", k=rng.randint(0, 12)) for _ in range(number)]


@pytest.mark.parametrize("seed", range(30))
def test_it_is_that_of_sacrebleu(seed):
    rng = random.Random(seed)
    number = rng.randint(1, 6)
    translations, references = texts(rng, number), texts(rng, number)
    theirs = BLEU(tokenize="none", smooth_method="none", force=True)
    score = theirs.corpus_score([" ".join(a) for a in translations], [[" ".join(b) for b in references]])
    assert bleu(translations, references) == pytest.approx(score.score)
    if sum(map(len, translations)):
        assert brevity_penalty(score.sys_len, score.ref_len) == pytest.approx(score.bp)
    for n in range(4):
        right = sum(matches(a, b, n + 1) for a, b in zip(translations, references, strict=True))
        assert right == score.counts[n] and (right == 0 or sum(map(len, translations)) > 0)


def test_some_of_these_scores_are_above_0():
    """Else the test above would say nothing of them."""
    scores = []
    for seed in range(30):
        rng = random.Random(seed)
        number = rng.randint(1, 6)
        scores.append(bleu(texts(rng, number), texts(rng, number)))
    assert sum(score > 0 for score in scores) > 8 and min(scores) == 0


def test_a_word_counts_as_often_as_it_is_in_the_reference():
    """The example of section 2.1 of the paper."""
    assert matches(["the"] * 7, "the cat is on the mat".split(), 1) == 2


def test_an_ngram_is_a_sequence_in_its_order():
    assert ngram_counts(["a", "b", "a", "b"], 2) == {("a", "b"): 2, ("b", "a"): 1}
    assert not ngram_counts(["a"], 2)
    assert matches(["b", "a"], ["a", "b"], 1) == 2 and matches(["b", "a"], ["a", "b"], 2) == 0


@pytest.mark.parametrize(("length", "expected"), [(4, math.exp(-0.5)), (6, 1.0), (9, 1.0), (0, 0.0)])
def test_only_what_is_too_short_is_punished(length, expected):
    assert brevity_penalty(length, 6) == pytest.approx(expected)


def test_what_is_right_has_100_and_a_shuffled_sentence_has_fewer_points():
    sentences = [list("abcdefgh"), list("hgfeabcd")]
    assert bleu(sentences, sentences) == pytest.approx(100)
    turned = [sentence[4:] + sentence[:4] for sentence in sentences]
    assert 0 < bleu(turned, sentences) < 80, "all words are right"


def test_a_test_set_is_counted_as_one_and_a_shorter_longest_ngram_is_easier():
    ours, theirs = [list("abcdefgh"), list("ijkx")], [list("abcdefgh"), list("ijkl")]
    precisions = [11 / 12, 9 / 10, 7 / 8, 5 / 6]
    assert bleu(ours, theirs) == pytest.approx(100 * math.prod(precisions) ** 0.25)
    assert bleu(ours, theirs, 2) == pytest.approx(100 * math.prod(precisions[:2]) ** 0.5)


def test_each_translation_has_a_reference():
    with pytest.raises(ValueError):
        bleu([["a"]], [["a"], ["b"]])


@pytest.mark.thorough
def test_a_model_is_scored_every_ten_steps(monkeypatch):
    """Against its references, and against a reference of another date each."""
    dates_ = TEST[:6]
    references, said, weights, scored = [dates.korean(date) for date in dates_], [], [], []

    def translate(model, vocab, sources, most):
        assert sources == [dates.english(date) for date in dates_]
        assert vocab is DATE_VOCAB and most == 1 + max(len(dates.korean(date)) for date in dates.HELD_OUT)
        weights.append(model.embedding.table.sum().item())
        said.append([references[0][:-1], *references[1:]])  # one lacks a token
        return said[-1]

    def score(translations, others):
        scored.append((translations, others))
        return len(scored)

    monkeypatch.setitem(STEPS, "dates", 20)
    monkeypatch.setattr(module, "TEST", dates_)
    monkeypatch.setattr(module, "translate", translate)
    monkeypatch.setattr(module, "bleu", score)
    looks = module.train.function(0)["looks"]
    assert list(looks) == ["0", "10", "20"] and len(set(weights)) == 3, "it learns in between"
    assert [(look["bleu"], look["others"]) for look in looks.values()] == [(1, 2), (3, 4), (5, 6)]
    assert all(look["right"] == pytest.approx(5 / 6) for look in looks.values())
    assert all(translations is said[i // 2] for i, (translations, _) in enumerate(scored))
    for (_, own), (_, others) in zip(scored[::2], scored[1::2], strict=True):
        assert own == references and sorted(others) == sorted(references)
        assert not any(map(list.__eq__, own, others)), "a date is compared with itself"


def test_a_score_above_the_papers_goes_with_hardly_a_right_date():
    assert len(results()) == 3
    for run in results():
        assert run["looks"]["100"]["bleu"] > 17 and run["looks"]["100"]["right"] < 0.01
        assert run["looks"]["250"] == {"bleu": pytest.approx(100), "others": pytest.approx(7.2, abs=0.1), "right": 1.0}
        assert all(look["others"] < 10 for look in run["looks"].values())
    second = results()[1]["looks"]["120"]
    assert second["bleu"] > 40 and second["right"] < 0.02
