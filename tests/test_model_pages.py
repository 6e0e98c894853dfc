"""What the pages on the whole model say in words and tables is what the model does."""

from __future__ import annotations

import re
from pathlib import Path

import pytest
import torch

from snippets.tracing import steps
from snippets.transformer import Transformer

ROOT = Path(__file__).parents[1]


def order_table(language: str) -> tuple[list[str], list[str]]:
    """The names that the table of steps gives for the code of the encoder, and of the decoder."""
    text = (ROOT / "docs" / language / "model" / "transformer.md").read_text(encoding="utf-8")
    table = text[text.index("{#order}") :].partition("```")[0]
    rows = [line.strip().strip("|").split("|") for line in table.splitlines() if re.match(r"\| \d", line)]
    assert rows, f"docs/{language}/model/transformer.md: no table of steps under {{#order}}"
    return tuple([name for row in rows for name in re.findall(r"`(\w+)`", row[column])] for column in (2, 4))


@pytest.mark.parametrize("language", ["ko", "en"])
def test_the_table_of_steps_has_the_order_in_which_they_run(language):
    model = Transformer(7, num_layers=1, d_model=8, num_heads=2, d_ff=16, norm_first=True)
    ran = [name for name, _ in steps(model, torch.tensor([[1, 2]]), torch.tensor([[3, 4]]))]
    decoder_starts = len(ran) - ran[::-1].index("embedding") - 1
    for names, part in zip(order_table(language), (ran[:decoder_starts], ran[decoder_starts:]), strict=True):
        inner = [re.sub(r"^(en|de)coder\.(layers\.0\.)?", "", name) for name in part]
        places = [inner.index(name) for name in names]
        assert places == sorted(places), f"docs/{language}/model/transformer.md: {names} is not the order of {inner}"
        missing = {name for name in inner if "." not in name and name not in ("encoder", "decoder", "layers", "")}
        missing -= {*names, *(name for name in inner if name.startswith("layers"))}
        assert not missing, f"docs/{language}/model/transformer.md: the table of steps lacks {missing}"


# The figures that measure time, and what is said of them


@pytest.fixture(scope="module")
def speed() -> dict:
    from snippets.figures import speed

    return speed.measure()


@pytest.mark.parametrize("p", [0.0, 0.1])
def test_the_fast_layer_is_at_least_as_fast_as_that_of_torch(speed, p):
    allowed = 1.0 if p else 1.12  # without dropout both do the same work, and differ by the noise of the machine
    for time, memory in speed[p]["fast_layer"]:
        assert time <= allowed and memory <= 1.0


def test_fused_attention_is_at_least_as_fast_as_that_of_torch_and_keeps_no_more(speed):
    for time, memory in speed["attention"]["fast"]:
        assert time <= 1.12 and memory <= 1.0


def test_asking_for_weights_costs_memory(speed):
    for form in ("weights", "loop", "clear"):
        (_, short), (_, long) = speed["attention"][form]
        assert 1 < short < 2 < long


def test_the_loop_over_heads_is_not_the_problem(speed):
    for shape in (0, 1):
        assert speed["attention"]["loop"][shape][0] < 1.5 * speed["attention"]["clear"][shape][0]


def test_attention_is_faster_than_recurrence_where_the_count_says_so_and_grows_more_steeply():
    from snippets.figures import cost_scaling

    taken = cost_scaling.measure()
    for n, attention, recurrent in zip(cost_scaling.LENGTHS, taken["attention"], taken["recurrent"], strict=True):
        assert n > 512 or attention < recurrent
    growth = {name: times[-1] / times[-3] for name, times in taken.items()}  # four times the length
    assert growth["attention"] > 10 and growth["recurrent"] < 8
