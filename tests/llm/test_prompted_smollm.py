"""Each question has an answer of its own, and the results are of all wordings and questions."""

from __future__ import annotations

import pytest
import torch

from snippets.llm import prompted_smollm as module
from snippets.llm.chat import chat_ids
from snippets.llm.prompted_smollm import TASKS, WORDINGS, are_right, by_wording, pairs, results
from snippets.llm.prompts import plain, right
from snippets.llm.tokens import GgufTokenizer
from tests.llm.model import needs_model
from tests.llm.test_tokens import little_about


@pytest.mark.parametrize("task", TASKS)
def test_every_question_is_asked_once_and_has_its_own_answer(task):
    examples, asked = pairs(task)
    assert len(examples) == 12 and len(asked) >= 60
    for names in zip(*examples, *asked, strict=True):
        assert len(set(map(plain, names))) == len(names)
    # an answer that repeats the question is not right
    assert not any(right(question, answer) for question, answer in [*examples, *asked])
    assert not any(right(wording.format(TASKS[task]), answer) for wording in WORDINGS for _, answer in asked)


def test_every_wording_asks_for_every_thing(monkeypatch):
    of, asked = GgufTokenizer(little_about()), []
    monkeypatch.setattr(module, "tokenizer", lambda: of)
    monkeypatch.setattr(module, "are_right", lambda prompts, wanted: asked.append((prompts, wanted)) or torch.ones(1))
    by_wording("verbs")
    assert [len(prompts) for prompts, _ in asked] == [60] * len(WORDINGS)
    verb, past = pairs("verbs")[1][7]
    for (prompts, wanted), wording in zip(asked, WORDINGS, strict=True):
        assert prompts[7] == chat_ids(of, [wording.format(f"the past tense of {verb}")]) and wanted[7] == past


def test_each_answer_is_compared_with_its_own_word(monkeypatch):
    of = GgufTokenizer(little_about())
    monkeypatch.setattr(module, "tokenizer", lambda: of)
    monkeypatch.setattr(module, "smollm2", lambda: None)
    said = [of.encode(text) for text in ("in the", "the", "in")]
    monkeypatch.setattr(module, "answers", lambda model, prompts, end, max_new_tokens: said)
    assert are_right([[1], [2], [3]], ["in", "in", "in"]).tolist() == [True, False, True]


def test_what_comes_with_the_book_is_of_every_wording_and_question():
    found = results()
    assert set(found) == set(TASKS)
    for task in TASKS:
        assert found[task].shape == (len(WORDINGS), len(pairs(task)[1])) and found[task].dtype == torch.bool


@needs_model
@pytest.mark.thorough
def test_the_model_still_answers_so():
    asked = pairs("capitals")[1][:8]
    of = module.tokenizer()
    for row in (0, 4):
        prompts = [chat_ids(of, [WORDINGS[row].format(TASKS["capitals"].format(country))]) for country, _ in asked]
        again = are_right(prompts, [capital for _, capital in asked])
        assert (again != results()["capitals"][row, :8]).sum() <= 1  # another machine may round otherwise
