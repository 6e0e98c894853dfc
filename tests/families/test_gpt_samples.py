"""What a small GPT generates while it is trained is that of the training that its page tells of."""

from __future__ import annotations

import pytest
import torch

from snippets.families import constitution_gpt as small
from snippets.families import gpt_samples
from snippets.families.gpt import GPT

each_language = pytest.mark.parametrize("language", ["ko", "en"])


@each_language
def test_it_is_asked_as_it_begins_and_as_it_ends_and_has_learned_in_between(language):
    found = gpt_samples.results(language)
    assert gpt_samples.LOOKS[0] == 0 and gpt_samples.LOOKS[-1] == small.STEPS
    assert [len(each) for each in found.values()] == [len(gpt_samples.LOOKS)] * 3
    assert found["training"] == sorted(found["training"], reverse=True)
    assert found["validation"][0] > found["validation"][1] > found["validation"][2]
    for text in found["texts"]:
        prompt = gpt_samples.PROMPTS[language]
        assert text.startswith(prompt) and len(text) <= len(prompt) + gpt_samples.LENGTH * len("<pad>")


@each_language
def test_the_training_is_that_of_the_small_gpt_with_dropout(language):
    run = small.results(language)[small.DROPOUTS[-1]][0]
    by_step = dict(zip(run["steps"], zip(run["train"], run["validation"], strict=True), strict=True))
    found = gpt_samples.results(language)
    for steps, *bits in zip(gpt_samples.LOOKS, found["training"], found["validation"], strict=True):
        if steps:
            assert bits == pytest.approx(by_step[steps], rel=0.05)


def test_a_text_is_drawn_alike_each_time_and_the_model_is_left_as_it_was():
    torch.manual_seed(1)
    model = GPT(small.text_of("en").config).train()
    texts = {gpt_samples.continued(model, "en") for _ in range(2)}
    assert len(texts) == 1 and model.training
    assert texts.pop().startswith("The ")
