"""Passes are counted of the greedy answer, and what comes with the book is of every task and length of a draft."""

from __future__ import annotations

from types import SimpleNamespace

import pytest
import torch

from snippets.llm import drafted_smollm as module
from snippets.llm.drafted_smollm import GAMMAS, TASKS, counted, counts, in_pieces
from tests.llm.test_cached_llama import little_llama


def little(monkeypatch, answer: list[int]):
    """Instead of the published model, one of two layers, and for each task the same prompt and answer."""
    model = little_llama()
    monkeypatch.setattr(module, "smollm2", lambda: model)
    monkeypatch.setattr(module, "answer_ids", lambda task: ([1, 2, 3], answer))
    return model


def greedy_answer(number: int) -> list[int]:
    model, ids = little_llama(), [1, 2, 3]
    for _ in range(number):
        ids.append(model(torch.tensor([ids]))[0, -1].argmax().item())
    return ids[3:]


def test_all_passes_together_give_the_answer(monkeypatch):
    answer = greedy_answer(20)
    little(monkeypatch, answer)
    found = counted("story")
    assert found["tokens"] == 20 and list(found["passes"]) == [str(gamma) for gamma in GAMMAS]
    assert {sum(lengths) for lengths in found["passes"].values()} == {20}


def test_another_answer_than_the_greedy_one_is_noticed(monkeypatch):
    answer = greedy_answer(20)
    little(monkeypatch, [*answer[:-1], (answer[-1] + 1) % 40])
    with pytest.raises(AssertionError):
        counted("story")


def test_the_pieces_of_the_text_are_those_of_the_longest_drafts(monkeypatch):
    answer = greedy_answer(20)
    little(monkeypatch, answer)
    words = SimpleNamespace(decode=lambda ids: "".join(f" {i}" for i in ids))
    monkeypatch.setattr(module, "tokenizer", lambda: words)
    pieces = in_pieces("story")
    assert "".join(pieces) == words.decode(answer)
    assert [piece.count(" ") for piece in pieces] == counted("story")["passes"][str(GAMMAS[-1])]


def test_what_comes_with_the_book_is_of_every_task_and_length():
    found = counts()
    assert list(found["counted"]) == list(TASKS)
    for of_task in found["counted"].values():
        assert list(of_task["passes"]) == [str(gamma) for gamma in GAMMAS]
        assert {sum(lengths) for lengths in of_task["passes"].values()} == {of_task["tokens"]}
        for gamma, lengths in of_task["passes"].items():
            assert all(1 <= length <= int(gamma) + 1 for length in lengths)
    assert len(found["copied"]) == len(found["counted"]["copy"]["passes"]["8"])
