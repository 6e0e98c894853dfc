"""The small GPT is trained and measured as its page says, and what the page says of its results holds with a margin."""

from __future__ import annotations

import math
from dataclasses import replace

import pytest
import torch
from torch import nn

from snippets.before.language_models import END, InterpolatedModel, bits, cross_entropy, split
from snippets.before.two_constitutions import constitution
from snippets.before.vocabulary import BOS, EOS, PAD
from snippets.families import constitution_gpt as small
from snippets.families.constitution_gpt import CONTEXT, Text, bits_per_character, learning_rate, probabilities, text_of
from snippets.families.gpt import GPT

KO = text_of("ko")
each_language = pytest.mark.parametrize("language", ["ko", "en"])


def tiny(seed: int = 0) -> GPT:
    torch.manual_seed(seed)
    model = GPT(replace(KO.config, num_layers=1, d_model=12, num_heads=3, d_ff=20, dropout=0.5))
    with torch.no_grad():
        model.tokens.weight.mul_(30)
    return model


@each_language
def test_lines_are_split_as_they_are_for_counting_and_then_cut_at_spaces(language):
    own = Text(language)
    for part, lines in zip((own.train, own.validation, own.test), split(constitution(language)), strict=True):
        assert " ".join("".join(piece) for piece in part).split() == " ".join(lines).split()
        assert max(map(len, part)) + 2 <= CONTEXT == own.config.max_length, "with <s> and </s>"
        assert len(part) > len(lines) or all(len(line) + 2 <= CONTEXT for line in lines)
    assert own.config.vocab_size == len(own.vocab) == {"ko": 382, "en": 73}[language], "<pad>, <s> and </s> included"
    assert text_of(language) is text_of(language)


def test_another_language_is_refused():
    with pytest.raises(ValueError, match="'fr'"):
        Text("fr")


def test_batches_hold_each_line_once_from_its_beginning_to_its_end():
    rows = [row[row != PAD].tolist() for ids in KO.batches(KO.validation) for row in ids]
    assert sorted(rows) == sorted(KO.vocab.encode(line, bos=True) for line in KO.validation)
    assert all(ids.numel() <= 1024 for ids in KO.batches(KO.train))


def test_packed_lines_stand_one_behind_the_other():
    ids = KO.packed(KO.validation[:2]).tolist()
    first, second = KO.validation[:2]
    assert KO.vocab.decode(ids) == first and KO.vocab.decode(ids[len(first) + 2 :]) == second
    assert ids[0] == ids[len(first) + 2] == BOS and ids[len(first) + 1] == ids[-1] == EOS
    assert len(ids) == len(first) + len(second) + 4


def test_bits_are_the_mean_over_all_characters_and_ends_without_dropout():
    model = tiny()
    rows = [KO.vocab.encode(line, bos=True) for line in KO.validation]
    each = [p for row in rows for p in probabilities(model, row)]
    assert len(each) == sum(len(line) + 1 for line in KO.validation)
    measured = bits_per_character(model, KO.batches(KO.validation))
    assert measured == pytest.approx(-sum(map(math.log2, each)) / len(each), rel=1e-5)
    assert model.training, "as it was before"


def test_a_model_that_knows_nothing_needs_the_bits_of_the_vocabulary():
    class Uniform(nn.Module):
        def forward(self, ids):
            return torch.zeros(*ids.shape, len(KO.vocab))

    assert bits_per_character(Uniform(), KO.batches(KO.test)) == pytest.approx(math.log2(len(KO.vocab)))


def test_probabilities_are_those_of_the_characters_that_come():
    model, ids = tiny().eval(), KO.vocab.encode("법률", bos=True)
    with torch.no_grad():
        expected = [model(torch.tensor([ids[:i]]))[0, -1].softmax(-1)[ids[i]].item() for i in (1, 2, 3)]
    assert probabilities(model, ids) == pytest.approx(expected, rel=1e-5)


def test_the_rate_rises_stays_and_falls():
    rates = [learning_rate(step) for step in (1, 50, 100, 1401, 1701, 2000)]
    assert rates == pytest.approx([3e-5, 1.5e-3, 3e-3, 3e-3, 1.5e-3, 5e-6])


def test_it_starts_like_gpt2():
    torch.manual_seed(0)
    model = GPT(replace(KO.config, num_layers=8))
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
    own = Text("ko")
    own.config = replace(own.config, num_layers=1, d_model=12, num_heads=3, d_ff=20)
    monkeypatch.setattr(small, "text_of", {"ko": own}.get)
    monkeypatch.setattr(small, "STEPS", 4)
    monkeypatch.setattr(small, "EVERY", 2)
    parts = {str(own.batches(lines)): name for name, lines in (("validation", own.validation), ("test", own.test))}
    parts[str(own.batches(own.train[::32]))] = "train"
    measured = iter([9.0, 5.0, 4.0, 8.0, 6.0])  # train, validation, test; train, validation
    seen = []
    say = parts.__getitem__
    monkeypatch.setattr(small, "bits_per_character", lambda model, of: seen.append(say(str(of))) or next(measured))
    run = small.train.function("ko", 0.0, 4, 0, True)
    assert (run["steps"], run["train"], run["validation"]) == ([2, 4], [9.0, 8.0], [5.0, 6.0])
    assert (run["best"], run["test"]) == (2, 4.0) and run["seconds"] > 0
    assert seen == ["train", "validation", "test", "train", "validation"]
    assert {x.dtype for x in run["weights"].values()} == {torch.float16}


def test_it_is_trained_on_windows_of_the_share_of_the_lines_that_was_asked_for(monkeypatch):
    drawn = []

    class Looked:
        def __init__(self, model, loss, draw_batch, rate, seed):
            drawn.append(draw_batch(torch.Generator().manual_seed(seed)))

        def step(self):
            pass

    monkeypatch.setattr(small, "Trainer", Looked)
    monkeypatch.setattr(small, "STEPS", 1)
    small.train.function("ko", 0.0, 4, 3)
    (ids,) = drawn
    stream = KO.packed(KO.train[::4]).tolist()
    assert ids.shape == (8, CONTEXT + 1) and len({tuple(row) for row in ids.tolist()}) == 8
    starts = {tuple(stream[i : i + CONTEXT + 1]) for i in range(len(stream) - CONTEXT)}
    assert all(tuple(row) in starts for row in ids.tolist())


def test_results_are_sorted_and_one_run_keeps_its_weights(monkeypatch):
    class Train:
        each = staticmethod(list)

    monkeypatch.setattr(small, "train", Train)
    assert small.results("en") == {
        0.0: [("en", 0.0, 1, seed) for seed in range(3)],
        0.1: [("en", 0.1, 1, 0, True), ("en", 0.1, 1, 1), ("en", 0.1, 1, 2)],
    }
    Train.__new__ = lambda cls, *call: call
    shares = {1: ("ko", 0.1, 1, 0, True), 2: ("ko", 0.1, 2, 0), 4: ("ko", 0.1, 4, 0), 8: ("ko", 0.1, 8, 0)}
    assert small.by_share("ko") == shares


def counted(own: Text, lines, part) -> float:
    vocab = [*own.vocab.tokens[3:], END]
    return bits(cross_entropy(InterpolatedModel(lines, 6, vocab, 10), part))


@each_language
def test_the_kept_model_is_the_best_of_its_run(language):
    run, own, model = small.results(language)[0.1][0], text_of(language), small.trained(language)
    assert not model.training
    assert bits_per_character(model, own.batches(own.validation)) == pytest.approx(min(run["validation"]), abs=0.01)
    assert bits_per_character(model, own.batches(own.test)) == pytest.approx(run["test"], abs=0.01)


@pytest.mark.thorough
@each_language
def test_counting_is_better_on_so_little_text_for_every_seed(language):
    own = text_of(language)
    for run in small.results(language)[0.1]:
        margin = {"ko": 0.3, "en": 0.03}[language]
        assert run["test"] > counted(own, own.train, own.test) + margin
        assert min(run["validation"]) > counted(own, own.train, own.validation) + margin


@each_language
def test_without_dropout_it_overfits_sooner_and_more(language):
    results = small.results(language)
    for bare, dropped in zip(results[0.0], results[0.1], strict=True):
        assert bare["best"] < dropped["best"]
        assert bare["train"][-1] < dropped["train"][-1] - 0.05
        assert bare["validation"][-1] > min(bare["validation"]) + 0.15
        assert bare["validation"][-1] > dropped["validation"][-1] + 0.2
        assert min(bare["validation"]) > min(dropped["validation"]) - 0.02


@pytest.mark.thorough
@each_language
def test_twice_the_text_is_fewer_bits_and_counting_stays_ahead(language):
    own = text_of(language)
    tests = {every: run["test"] for every, run in small.by_share(language).items()}
    assert all(tests[every] < tests[2 * every] - 0.1 for every in (1, 2, 4))
    gaps = {every: bits - counted(own, own.train[::every], own.test) for every, bits in tests.items()}
    assert all(gap > 0.05 for gap in gaps.values())
    if language == "ko":
        assert gaps[1] > gaps[8] + 0.2, "counting gains more from text than the GPT"
    else:
        assert gaps[1] < gaps[2] - 0.2 < gaps[4] - 0.4, "in longer text, the GPT catches up"
