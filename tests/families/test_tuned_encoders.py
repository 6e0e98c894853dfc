"""What the pages say of the methods, over three seeds; and that the encoder is fitted as they say."""

from __future__ import annotations

import itertools
from statistics import mean

import pytest
import torch
from torch.testing import assert_close

from snippets.families.fine_tuning import trainable_parameters
from snippets.families.forgetting import forgetting
from snippets.families.real_encoder import encode, real_encoder
from snippets.families.tuned_encoders import (
    EXAMPLES,
    METHODS,
    SEEDS,
    STEPS,
    accuracy,
    all_runs,
    bag_of_words,
    chosen,
    classifier,
    draw,
    fit_head,
    megabytes,
    results,
    tune,
    validation,
)
from tests.families.encoder import needs_encoder


def test_each_method_was_run_with_each_setting_and_each_seed():
    runs = all_runs()
    assert list(runs) == ["bag of words", *METHODS]
    for method, (_, settings) in METHODS.items():
        assert list(map(float, runs[method])) == list(settings) == sorted(settings)
        assert all(len(found) == len(SEEDS) for found in runs[method].values())
    assert all(len(run["losses"]) == STEPS for run in results()["full fine-tuning"])


def test_settings_are_chosen_by_words_that_neither_training_nor_the_test_has():
    for method, settings in all_runs().items():
        if method in METHODS:
            scores = [mean(run["validation"] for run in runs) for runs in settings.values()]
            assert results()[method] == list(settings.values())[scores.index(max(scores))]


def new_words(method):
    return [run["test"] for run in results()[method]]


def test_without_pretraining_new_words_are_a_matter_of_chance():
    assert all(0.4 < share < 0.6 for method in ("bag of words", "from scratch") for share in new_words(method))


@pytest.mark.parametrize("lora", ["LoRA, rank 1", "LoRA, rank 4"])
def test_lora_keeps_up_with_full_fine_tuning_and_prompt_and_probe_do_not(lora):
    assert abs(mean(new_words(lora)) - mean(new_words("full fine-tuning"))) < 0.05
    assert min(new_words(lora)) > max(new_words("linear probe"))
    assert mean(new_words(lora)) > mean(new_words("prompt, 8 vectors")) > mean(new_words("linear probe"))


def test_a_plane_separates_the_training_sentences_and_not_the_new_words():
    assert all(run["training"] == 1 for run in results()["linear probe"])
    assert all(0.65 < share < 0.8 for share in new_words("linear probe"))


@pytest.mark.thorough
def test_lora_is_cheaper_than_full_fine_tuning_but_not_a_thousand_times():
    seconds = {m: sum(run["seconds"] for run in runs) for m, runs in results().items()}
    assert 0.4 < seconds["LoRA, rank 4"] / seconds["full fine-tuning"] < 0.8
    assert seconds["prompt, 8 vectors"] > 1.2 * seconds["LoRA, rank 4"]


MOVED = ("prompt, 1 vector", "prompt, 8 vectors", "LoRA, rank 1", "LoRA, rank 4", "full fine-tuning")


@pytest.mark.parametrize("method", MOVED)
def test_the_chosen_rates_lie_inside_what_was_tried(method):
    tried = list(all_runs()[method])
    assert chosen()[method] in tried[1:-1]


def margin(method, rate=None):
    return [run["margin"] for run in all_runs()[method][rate or chosen()[method]]]


def test_a_probe_forgets_nothing_and_larger_rates_forget_more():
    untouched = margin("linear probe")
    assert max(untouched) - min(untouched) < 1e-4
    for method in ("LoRA, rank 1", "LoRA, rank 4", "full fine-tuning"):
        rates = list(all_runs()[method])
        assert max(margin(method, rates[-1])) < min(margin(method, rates[0])) < untouched[0]


def larger(one, other):
    """By how much the margins of one are larger than those of the other, seed by seed."""
    return [a - b for a, b in zip(one, other, strict=True)]


def test_with_each_larger_rate_full_fine_tuning_forgets_more_though_three_of_them_are_equally_accurate():
    rates = list(all_runs()["full fine-tuning"])
    for rate, next_rate in itertools.pairwise(rates):
        assert min(larger(margin("full fine-tuning", rate), margin("full fine-tuning", next_rate))) > 0
    runs = [all_runs()["full fine-tuning"][rate] for rate in ("2e-05", "3e-05", "5e-05")]
    assert [validation(seeds) for seeds in runs] == [1, 1, 1]


def test_at_equal_accuracy_either_method_forgets_more_depending_on_the_rate():
    small, large = (margin("full fine-tuning", rate) for rate in ("3e-05", "0.0001"))
    lora = margin("LoRA, rank 1", "0.002")
    assert min(larger(small, lora)) > 0.02 and min(larger(lora, large)) > 0.02
    runs = [
        all_runs()["LoRA, rank 1"]["0.002"],
        *(all_runs()["full fine-tuning"][rate] for rate in ("3e-05", "0.0001")),
    ]
    new = [mean(run["test"] for run in seeds) for seeds in runs]
    assert max(new) - min(new) < 0.03


def test_no_rate_of_lora_keeps_as_much_as_three_rates_of_full_fine_tuning_that_learn_the_task():
    kept = {
        method: [
            mean(run["margin"] for run in seeds)
            for seeds in all_runs()[method].values()
            if mean(run["test"] for run in seeds) >= 0.93
        ]
        for method in ("LoRA, rank 1", "LoRA, rank 4", "full fine-tuning")
    }
    best = sorted(kept.pop("full fine-tuning"))
    assert max(map(max, kept.values())) < best[-3]


def test_a_prompt_leaves_the_weights_alone_and_still_forgets_more_than_a_small_rate_for_all_of_them():
    assert min(larger(margin("full fine-tuning", "2e-05"), margin("prompt, 8 vectors"))) > 0
    assert mean(new_words("prompt, 8 vectors")) < mean(new_words("full fine-tuning")) - 0.05


def test_memory_is_four_bytes_a_number():
    needed = {m: results()[m][0]["megabytes"] for m in METHODS}
    for method, parts in needed.items():
        assert parts["gradients"] == pytest.approx(4e-6 * results()[method][0]["trainable"])
        assert parts["optimizer"] == 2 * parts["gradients"]
    assert needed["linear probe"]["activations"] < 0.1
    assert needed["LoRA, rank 4"]["activations"] < 0.6 * needed["full fine-tuning"]["activations"]
    assert needed["prompt, 8 vectors"]["activations"] > needed["full fine-tuning"]["activations"]


@pytest.mark.thorough  # importing scikit-learn takes a second
def test_a_bag_of_words_gives_what_was_kept():
    assert bag_of_words(0)["test"] == pytest.approx(new_words("bag of words")[0], abs=0.02)


def test_draws_are_different_sentences_with_their_labels():
    sentences, labels = draw(EXAMPLES, "training", seed=1)
    assert len(set(sentences)) == len(labels) == EXAMPLES
    assert sentences != draw(EXAMPLES, "training", seed=2)[0]


@needs_encoder
@pytest.mark.parametrize("method", ["linear probe", "LoRA, rank 4", "prompt, 8 vectors"])
def test_before_the_first_step_what_is_kept_of_size_and_memory_holds(method):
    model = classifier(method, 0)
    kept = results()[method][0]
    assert trainable_parameters(model) == kept["trainable"]
    assert megabytes(model) == pytest.approx(kept["megabytes"], rel=1e-3)


@needs_encoder
def test_nothing_is_forgotten_before_training():
    untouched = {"cosine": 1.0, "margin": margin("linear probe")[0], "top-1": 1.0}
    for method in ("linear probe", "LoRA, rank 1"):
        found = forgetting(*real_encoder(), classifier(method, 0).encoder)
        assert_close(found, untouched, atol=1e-5, rtol=0)


@needs_encoder
@pytest.mark.parametrize("method", ["linear probe", "prompt, 1 vector"])
def test_a_seed_makes_the_same_classifier_whether_or_not_the_encoder_has_been_loaded_before(method):
    first = classifier(method, 0)
    real_encoder.cache_clear()
    assert_close(dict(classifier(method, 0).named_parameters()), dict(first.named_parameters()), atol=0, rtol=0)


@needs_encoder
def test_the_head_is_fitted_to_the_end_and_the_encoder_is_left_alone():
    """At the optimum, the gradient of loss and penalty is zero."""
    model, decay = classifier("linear probe", 0), 0.01
    losses = fit_head(model, decay, 0)
    assert losses[-1] == min(losses) == pytest.approx(all_runs()["linear probe"]["0.01"][0]["losses"][-1], abs=1e-3)
    sentences, labels = draw(EXAMPLES, "training", seed=0)
    model.zero_grad()
    logits = model(encode(real_encoder()[1], sentences))
    (torch.nn.functional.cross_entropy(logits, labels) + decay * model.head.weight.square().sum()).backward()
    assert model.head.weight.grad.abs().max() < 1e-3
    assert all(p.grad is None for p in model.encoder.parameters())


@needs_encoder
@pytest.mark.thorough
def test_trained_anew_with_another_seed_lora_knows_the_new_words():
    torch.set_num_threads(1)
    model = classifier("LoRA, rank 4", 5)
    losses = tune(model, 3e-3, 5)
    assert accuracy(model, *draw(200, "test", seed=1)) > 0.8 and losses[-1] < 0.1 < losses[0]
