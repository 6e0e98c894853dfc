"""Words of the test are in no training, a call counts only as a whole, and runs start from the published model."""

from __future__ import annotations

from itertools import combinations

import pytest
import torch

from snippets.llm import tuned_smollm as module
from snippets.llm.tokens import GgufTokenizer
from snippets.llm.tuned_smollm import RATES, REPLAYED, SEEDS, WORDS, drawn, examined, requests, results, shown_first
from tests.llm.test_tokens import little_about


def test_no_word_is_in_two_sets_and_no_question_is_replayed():
    for one, other in combinations(WORDS.values(), 2):
        assert not {*one[0], *one[1]} & {*other[0], *other[1]}
    assert not set(REPLAYED) & set(module.QUESTIONS)


def test_each_request_has_its_call():
    found = dict(requests("test"))
    assert len(found) == 64
    assert found["Turn on the projector in the studio."] == 'switch("projector", "studio", on=True)'
    assert found["Nobody needs the projector in the studio any more."] == 'switch("projector", "studio", on=False)'
    some = drawn("training", 64, 1)
    assert len(set(some)) == 64 and some == drawn("training", 64, 1) != drawn("training", 64, 2)
    assert shown_first([("a", "b"), ("c", "d")]) == f"{module.TASK}\na -> b\nc -> d"


@pytest.mark.parametrize("wrong", [False, True])
def test_a_call_is_exact_only_if_each_of_its_tokens_is_the_most_probable(monkeypatch, wrong):
    of = GgufTokenizer(little_about())
    monkeypatch.setattr(module, "tokenizer", lambda: of)

    def model(ids):  # sure of each next token; of the last answer, in one token wrongly
        logits = 20.0 * torch.nn.functional.one_hot(ids.roll(-1, dims=1), len(of.tokens)).float()
        if wrong:
            logits[-1, -3] = 20.0 * torch.nn.functional.one_hot(torch.tensor(0), len(of.tokens)).float()
        return logits

    found = examined(model, [("in", "the"), ("in", "the")], "in")
    assert found["of"] == 2 and found["exact"] == 2 - wrong
    assert (found["loss"] > 1) == wrong


def test_what_comes_with_the_book_is_of_every_setting():
    found = results()
    assert list(found) == ["before", "examples", *(f"{rate:g}" for rate in RATES), "replay"]
    assert [len(runs) for runs in found.values()] == [1, 1, *[len(SEEDS)] * (len(RATES) + 1)]
    for runs in found.values():
        for run in runs:
            assert run["calls"]["of"] == module.TESTED and 0 <= run["calls"]["exact"] <= module.TESTED
            assert "texts" not in run or (len(run["texts"]) == 8 and len(run["answers"]) == len(module.QUESTIONS))
