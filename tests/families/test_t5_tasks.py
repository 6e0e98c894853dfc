"""One T5 does four tasks, as its prefix says; and what the page says of other prefixes is so."""

from __future__ import annotations

import datetime

import pytest
import torch

from snippets.before import dates
from snippets.before.vocabulary import PAD
from snippets.families.t5_tasks import (
    SMALL,
    STEPS,
    TASKS,
    VOCAB,
    answers,
    draw_batch,
    evaluate,
    exact_matches,
    run,
    schedule,
    trained,
    with_prefix,
)
from snippets.figures.families.position_biases import FARTHEST
from snippets.training import numbers

OF_NUMBERS = list(TASKS)[1:]


def test_a_source_begins_with_its_prefix():
    date = datetime.date(2024, 3, 5)
    assert with_prefix("translate English to Korean :", date) == (
        "translate English to Korean : Tuesday , March 5 , 2 0 2 4".split(),
        "2 0 2 4 년 3 월 5 일 화요일".split(),
    )
    assert with_prefix("reverse :", 407) == ("reverse : 4 0 7".split(), "7 0 4".split())
    assert with_prefix("read in English :", 407) == ("read in English : 4 0 7".split(), "four hundred seven".split())
    assert with_prefix("read in Korean :", 407) == ("read in Korean : 4 0 7".split(), "사 백 칠".split())


def test_a_batch_has_16_of_each_task_and_nothing_that_is_held_out():
    src, tgt = draw_batch(torch.Generator().manual_seed(0))
    assert len(src) == len(tgt) == 64
    sources = [" ".join(VOCAB.decode(ids)) for ids in src.masked_fill(src == PAD, 2).tolist()]
    assert [sum(source.startswith(prefix) for source in sources) for prefix in TASKS] == [16] * 4
    of_numbers = [source.partition(": ")[2].replace(" ", "") for source in sources if "translate" not in source]
    assert not any(numbers.is_held_out(int(n)) for n in of_numbers)
    assert all(numbers.is_held_out(n) for n in TASKS["reverse :"].held_out)
    assert set(TASKS["translate English to Korean :"].held_out) <= set(dates.HELD_OUT)


def test_the_vocabulary_has_all_that_occurs():
    for prefix, task in TASKS.items():
        for x in task.held_out:
            for tokens in with_prefix(prefix, x):
                VOCAB.encode(tokens)  # raises for an unknown token


def test_no_offset_of_the_figure_is_beyond_what_was_trained_on():
    longest = max(len(with_prefix(next(iter(TASKS)), date)[0]) for date in dates.TRAINED[:400])
    assert longest == FARTHEST  # and </s>


def test_the_learning_rate_warms_up_and_ends_at_0():
    rates = [schedule(step) for step in range(1, STEPS + 1)]
    assert max(rates) == rates[99] and 0 < rates[-1] < rates[0]


@pytest.mark.parametrize("prefix", TASKS)
def test_each_seed_learns_each_task(prefix):
    found = [one["exact match"] for one in exact_matches()[prefix]]
    assert len(found) == 3
    assert min(found) >= 0.95


def test_the_kept_model_is_the_one_whose_results_are_shown():
    prefix = "read in Korean :"
    assert evaluate(trained(), prefix) == pytest.approx(exact_matches()[prefix][0]["exact match"], abs=0.01)


def share(prefix: str, task: str) -> float:
    """How many of the held-out numbers behind this prefix get the answer of a task."""
    asked = TASKS[task].held_out[::3]
    found = answers(trained(), [[*prefix.split(), *str(n)] for n in asked])
    return sum(a == TASKS[task].target(n) for a, n in zip(found, asked, strict=True)) / len(asked)


@pytest.mark.parametrize(
    ("prefix", "least", "most"), [("", 0, 0.15), (":", 0.75, 1), ("Korean :", 0.7, 1), ("read :", 0, 0.15)]
)
def test_what_is_no_prefix_is_read_as_reverse_if_at_all(prefix, least, most):
    assert least <= share(prefix, "reverse :") <= most


def test_a_wrong_prefix_still_determines_the_form_of_the_answer():
    number, date = "4 0 7 1 2".split(), "Tuesday , March 5 , 2 0 2 4".split()
    invented, read = answers(
        trained(), [[*"translate English to Korean :".split(), *number], [*"read in Korean :".split(), *date]]
    )
    assert invented[4] == "년" and invented[-1] in dates.DAYS
    assert set(read) <= set("영일이삼사오육칠팔구십백천만")


def test_heads_look_where_the_page_says():
    model, offset = trained(), torch.arange(-FARTHEST, FARTHEST + 1)
    encoder, decoder = model.encoder.bias(offset), model.decoder.bias(offset[: FARTHEST + 1])
    assert [offset[encoder[head].argmax()].item() for head in (2, 3)] in ([1, 1], [2, 1])
    assert set(offset[decoder[3].topk(2).indices].tolist()) == {-1, -2}


@pytest.mark.thorough
def test_trained_anew_with_another_seed_it_learns_all_four():
    found = run(3)
    assert min(found[prefix]["exact match"] for prefix in TASKS) >= 0.95
    assert len(found["losses"]) == STEPS and found["losses"][-1] < 0.02
    assert all(weights.dtype == torch.float16 for weights in found["state"].values())
    assert set(found["state"]) == set(trained().state_dict()) and SMALL.vocab_size == len(VOCAB)
