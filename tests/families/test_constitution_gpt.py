"""The small GPT is trained and measured as its page says, and what the page says of its results holds with a margin."""

from __future__ import annotations

import math
from dataclasses import replace

import pytest
import torch
from torch import nn

from snippets.before.language_models import END, InterpolatedModel, bits, cross_entropy, split
from snippets.before.vocabulary import PAD
from snippets.families import constitution_gpt as small
from snippets.families.constitution_gpt import (
    CONFIG,
    LINES,
    TEST,
    TRAIN,
    VALIDATION,
    VOCAB,
    batches,
    bits_per_character,
    learning_rate,
    probabilities,
)
from snippets.families.gpt import GPT


def tiny(seed: int = 0) -> GPT:
    torch.manual_seed(seed)
    model = GPT(replace(CONFIG, num_layers=1, d_model=12, num_heads=3, d_ff=20, dropout=0.5))
    with torch.no_grad():
        model.tokens.weight.mul_(30)
    return model


def test_lines_are_split_as_they_are_for_counting():
    assert (TRAIN, VALIDATION, TEST) == split(LINES)
    assert len(VOCAB) == 382 and CONFIG.vocab_size == 382, "as many as there, <pad> and <s> besides"
    assert max(map(len, LINES)) + 1 <= CONFIG.max_length


def test_batches_hold_each_line_once_from_its_beginning_to_its_end():
    rows = [row[row != PAD].tolist() for ids in batches(VALIDATION) for row in ids]
    assert sorted(rows) == sorted(VOCAB.encode(line, bos=True) for line in VALIDATION)
    assert all(ids.numel() <= 1024 for ids in batches(TRAIN))


def test_bits_are_the_mean_over_all_characters_and_ends_without_dropout():
    model = tiny()
    each = [p for line in VALIDATION for p in probabilities(model, line)]
    assert len(each) == sum(len(line) + 1 for line in VALIDATION)
    assert bits_per_character(model, VALIDATION) == pytest.approx(-sum(map(math.log2, each)) / len(each), rel=1e-5)
    assert model.training, "as it was before"


def test_a_model_that_knows_nothing_needs_the_bits_of_the_vocabulary():
    class Uniform(nn.Module):
        def forward(self, ids):
            return torch.zeros(*ids.shape, len(VOCAB))

    assert bits_per_character(Uniform(), TEST) == pytest.approx(math.log2(len(VOCAB)))


def test_probabilities_are_those_of_the_characters_that_come():
    model, line = tiny().eval(), list("법률")
    ids = VOCAB.encode(line, bos=True)
    with torch.no_grad():
        expected = [model(torch.tensor([ids[:i]]))[0, -1].softmax(-1)[ids[i]].item() for i in (1, 2, 3)]
    assert probabilities(model, line) == pytest.approx(expected, rel=1e-5)


def test_the_rate_rises_stays_and_falls():
    rates = [learning_rate(step) for step in (1, 50, 100, 200, 401, 451, 500)]
    assert rates == pytest.approx([2e-5, 1e-3, 2e-3, 2e-3, 2e-3, 1e-3, 2e-5])


def test_it_starts_like_gpt2():
    torch.manual_seed(0)
    model = GPT(replace(CONFIG, num_layers=8))
    small.initialise(model)
    for layer in model.stack.layers:
        for linear, std in [
            (layer.attention.w_q, 0.02),
            (layer.attention.w_v, 0.02),
            (layer.feed_forward.w_1, 0.02),
            (layer.attention.w_o, 0.005),
            (layer.feed_forward.w_2, 0.005),
        ]:
            assert linear.weight.std().item() == pytest.approx(std, rel=0.05)
            assert (linear.bias == 0).all()
    assert model.tokens.weight.std().item() == pytest.approx(0.02, rel=0.05)


def test_a_run_measures_as_it_goes_and_keeps_what_was_best(monkeypatch):
    monkeypatch.setattr(small, "STEPS", 4)
    monkeypatch.setattr(small, "EVERY", 2)
    monkeypatch.setattr(small, "CONFIG", replace(CONFIG, num_layers=1, d_model=12, num_heads=3, d_ff=20))
    monkeypatch.setattr(small, "TEST", TEST[:3])
    measured = iter([9.0, 5.0, 4.0, 8.0, 6.0])  # train, validation, test; train, validation
    seen = []
    monkeypatch.setattr(small, "bits_per_character", lambda model, lines: seen.append(lines) or next(measured))
    run = small.train.function(0.0, 4, 0, True)
    assert (run["steps"], run["train"], run["validation"]) == ([2, 4], [9.0, 8.0], [5.0, 6.0])
    assert (run["best"], run["test"]) == (2, 4.0) and run["seconds"] > 0
    assert seen == [TRAIN[::32], VALIDATION, TEST[:3], TRAIN[::32], VALIDATION]
    assert {x.dtype for x in run["weights"].values()} == {torch.float16}


def test_results_are_sorted_and_one_run_keeps_its_weights(monkeypatch):
    class Train:
        each = staticmethod(list)

    monkeypatch.setattr(small, "train", Train)
    results = small.results()
    assert results == {0.0: [(0.0, 1, seed) for seed in range(3)], 0.2: [(0.2, 1, 0, True), (0.2, 1, 1), (0.2, 1, 2)]}
    Train.__new__ = lambda cls, *call: call
    assert small.by_share() == {1: (0.2, 1, 0, True), 2: (0.2, 2, 0), 4: (0.2, 4, 0), 8: (0.2, 8, 0)}


def counted(lines, part) -> float:
    vocab = sorted({character for line in LINES for character in line}) + [END]
    return bits(cross_entropy(InterpolatedModel(lines, 4, vocab, 10), part))


def test_the_kept_model_is_the_best_of_its_run():
    run = small.results()[0.2][0]
    model = small.trained()
    assert not model.training
    assert bits_per_character(model, VALIDATION) == pytest.approx(min(run["validation"]), abs=0.01)
    assert bits_per_character(model, TEST) == pytest.approx(run["test"], abs=0.01)


def test_counting_is_better_on_so_little_text_for_every_seed():
    for run in small.results()[0.2]:
        assert run["test"] > counted(TRAIN, TEST) + 0.3
        assert min(run["validation"]) > counted(TRAIN, VALIDATION) + 0.3


def test_without_dropout_it_overfits_sooner_and_more():
    results = small.results()
    for bare, dropped in zip(results[0.0], results[0.2], strict=True):
        assert bare["best"] < dropped["best"]
        assert bare["train"][-1] < dropped["train"][-1] - 0.3
        assert bare["validation"][-1] > min(bare["validation"]) + 0.2
        assert bare["validation"][-1] > dropped["validation"][-1] + 0.2
        assert min(bare["validation"]) > min(dropped["validation"])


def test_twice_the_text_is_fewer_bits_and_the_gap_to_counting_stays():
    tests = {every: run["test"] for every, run in small.by_share().items()}
    assert all(tests[every] < tests[2 * every] - 0.25 for every in (1, 2, 4))
    assert all(bits > counted(TRAIN[::every], TEST) + 0.2 for every, bits in tests.items())
