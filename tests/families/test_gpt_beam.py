"""Greedily and with beams, GPT generates what the library's generate does, with the same log-probability."""

from __future__ import annotations

import itertools
from dataclasses import replace

import pytest
import torch

from snippets.before.vocabulary import EOS, PAD
from snippets.families.gpt import GPT, GPT2, GPT_NAMES, unfused
from snippets.families.gpt_beam import Continuation
from snippets.families.library import load_renamed
from snippets.training.decoding import beam_search, generate, inference
from tests.families.gpt2_twin import gpt2

SMALL = replace(GPT2, vocab_size=9, num_layers=2, d_model=12, num_heads=3, d_ff=20, max_length=16)
PROMPT = torch.tensor([[1, 5, 7]])


def twins(seed: int, *impossible: int):
    theirs, ours = gpt2(SMALL, seed, *impossible), GPT(SMALL).eval()
    load_renamed(ours, unfused(theirs.state_dict()), GPT_NAMES)
    return ours, theirs


@torch.no_grad()
def log_probability(model: GPT, new: list[int]) -> float:
    logits = model(torch.cat([PROMPT, torch.tensor([new])], dim=1))[0, PROMPT.size(1) - 1 : -1]
    return logits.log_softmax(-1)[range(len(new)), new].sum().item()


@pytest.mark.parametrize("seed", range(3))
def test_greedy_is_that_of_the_library(seed):
    ours, theirs = twins(seed, PAD)
    prompts = torch.cat([PROMPT, PROMPT.flip(1)])
    with inference(ours):
        new = generate(lambda ids: ours(ids)[:, -1], prompts, 8, PAD)
    whole = theirs.generate(prompts, attention_mask=torch.ones_like(prompts), max_new_tokens=8, do_sample=False)
    assert torch.equal(new, whole[:, 3:])


@pytest.mark.parametrize(("seed", "beams"), [(0, 2), (1, 3), (2, 4), (3, 3)])
def test_beams_find_the_same_with_the_same_score(seed, beams):
    ours, theirs = twins(seed, PAD, EOS)  # no end: all hypotheses have the same length
    ids, score = beam_search(Continuation(ours, PAD), PROMPT, beams, 5, alpha=0.0)
    form = {"max_new_tokens": 5, "num_beams": beams, "do_sample": False, "length_penalty": 0.0}
    found = theirs.generate(
        PROMPT, attention_mask=torch.ones_like(PROMPT), return_dict_in_generate=True, output_scores=True, **form
    )
    assert found.sequences[0, 3:].tolist() == ids
    assert score == pytest.approx(found.sequences_scores.item(), abs=1e-5)
    assert score == pytest.approx(log_probability(ours, ids), abs=1e-5)


def test_a_beam_of_all_finds_the_most_probable_continuation():
    ours, _ = twins(4, PAD, EOS)
    words = [1, *range(3, 9)]
    ids, score = beam_search(Continuation(ours, PAD), PROMPT, 9**2, 3, alpha=0.0)
    best = max(itertools.product(words, repeat=3), key=lambda new: log_probability(ours, list(new)))
    assert ids == list(best)
    assert score >= log_probability(ours, generate(lambda x: ours(x)[:, -1], PROMPT, 3, PAD)[0].tolist())


def test_the_memory_is_the_prompt_in_a_shape_that_can_be_copied_for_each_hypothesis():
    memory = Continuation(twins(0)[0], PAD).encode(PROMPT)
    assert memory.shape == (1, 3, 1) and torch.equal(memory[..., 0], PROMPT)


def test_dropout_is_off_while_it_searches_and_on_again_afterwards():
    dropping = GPT(replace(SMALL, dropout=0.5)).train()
    model = Continuation(dropping, PAD)
    assert beam_search(model, PROMPT, 2, 4) == beam_search(model, PROMPT, 2, 4)
    assert dropping.training
    beam_search(Continuation(dropping.eval(), PAD), PROMPT, 2, 4)
    assert not dropping.training
