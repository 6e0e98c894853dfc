"""Examples stand before the question, false ones have the capitals of each other, and the results are of all sets."""

from __future__ import annotations

import pytest
import torch

from snippets.llm import shown_examples as module
from snippets.llm.chat import chat_ids
from snippets.llm.prompted_smollm import pairs
from snippets.llm.shown_examples import FORMS, SETS, exchanged, in_lines, in_turns, results, with_examples
from snippets.llm.tokens import GgufTokenizer
from tests.llm.model import needs_model
from tests.llm.test_tokens import little_about

SHOWN, ASKED = pairs("capitals")


def test_examples_stand_before_the_question(monkeypatch):
    of = GgufTokenizer(little_about())
    monkeypatch.setattr(module, "tokenizer", lambda: of)
    examples = [("Peru", "Lima"), ("Cuba", "Havana")]
    turns = [
        *("What is the capital of Peru?", "The capital of Peru is Lima."),
        *("What is the capital of Cuba?", "The capital of Cuba is Havana."),
        "What is the capital of Mali?",
    ]
    assert in_turns(examples, "Mali") == chat_ids(of, turns)
    assert of.decode(in_lines(examples, "Mali")) == "Peru: Lima\nCuba: Havana\nMali:"


def test_every_example_is_in_one_set():
    assert [pair for some in SETS for pair in SHOWN[some]] == SHOWN
    assert {len(SHOWN[some]) for some in SETS} == {3}


@pytest.mark.parametrize("some", SETS, ids=str)
def test_exchanged_examples_are_all_false_and_have_the_same_capitals(some):
    before, after = SHOWN[some], exchanged(SHOWN[some])
    assert [name for name, _ in after] == [name for name, _ in before]
    assert sorted(capital for _, capital in after) == sorted(capital for _, capital in before)
    assert all(a != b for (_, a), (_, b) in zip(before, after, strict=True))


@pytest.mark.parametrize("form", FORMS)
@pytest.mark.parametrize("true", [True, False])
def test_every_set_stands_before_every_country(monkeypatch, form, true):
    seen = []
    monkeypatch.setitem(module.FORMS, form, lambda examples, country: seen.append((examples, country)) or [0])
    monkeypatch.setattr(module, "are_right", lambda prompts, wanted: torch.tensor([w == "Paris" for w in wanted]))
    found = with_examples(form, true)
    assert found.shape == (len(SETS), len(ASKED)) and found.sum() == len(SETS)
    examples = [SHOWN[some] if true else exchanged(SHOWN[some]) for some in SETS]
    assert seen == [(of_set, country) for of_set in examples for country, _ in ASKED]


def test_what_comes_with_the_book_is_of_every_set_and_country():
    found = results()
    assert set(found) == {f"{form}, {kind}" for form in FORMS for kind in ("true", "false")}
    assert {tuple(one.shape) for one in found.values()} == {(len(SETS), len(ASKED))}


@needs_model
@pytest.mark.thorough
def test_the_model_still_answers_so(monkeypatch):
    monkeypatch.setattr(module, "SETS", SETS[:1])
    monkeypatch.setattr(module, "pairs", lambda task: (SHOWN, ASKED[:8]))
    for form in FORMS:
        for kind in ("true", "false"):
            again = with_examples(form, kind == "true")
            assert (again != results()[f"{form}, {kind}"][:1, :8]).sum() <= 1  # another machine may round otherwise
