"""What is wrong is said in plain words: which field, which value, which shape, and what to do."""

from __future__ import annotations

import dataclasses
import math
import re

import pytest
import torch
from torch import nn

from snippets.tools.inputs import check, check_ids, check_order, check_parts, check_sizes

FIELDS = [("n", int, 3), ("pad_id", int, 0), ("eps", float, 1e-12), ("dropout", float, 0.0), ("tied", bool, True)]
# made like this, annotations are types, as in the configurations of the book, and no strings
Sizes = dataclasses.make_dataclass("Sizes", [*FIELDS, ("kind", str, "learned")])


def test_a_check_says_its_message_and_nothing_if_it_holds():
    check(True, "never said")
    with pytest.raises(ValueError, match="^said$"):
        check(False, "said")


def test_ids_of_one_text_are_refused_with_what_to_do():
    check_ids(torch.zeros(2, 3, dtype=torch.long))
    for shape, said in [
        ((3,), "ids are (batch, n), of a text alone ids.unsqueeze(0), not (3,)"),
        ((), "ids are (batch, n), not ()"),
        ((1, 2, 3), "ids are (batch, n), not (1, 2, 3)"),
    ]:
        with pytest.raises(ValueError, match=f"^{re.escape(said)}$"):
            check_ids(torch.zeros(shape, dtype=torch.long))


def test_an_order_has_everything_once():
    check_order(torch.tensor([2, 0, 1]), 3)
    for order in (torch.tensor([0, 0, 1]), torch.tensor([0, 1]), torch.tensor([1, 2, 3]), torch.tensor([[0, 1, 2]])):
        with pytest.raises(ValueError, match="^an order of 3 has each of 0 to 2 once, not "):
            check_order(order, 3)


def test_parts_are_found_however_deep_they_are():
    deep = nn.Sequential(nn.ReLU(), nn.Sequential(nn.Linear(2, 2)))
    check_parts(deep, nn.Linear, True, "")
    check_parts(deep, nn.Embedding, False, "")
    with pytest.raises(ValueError, match="^there is one$"):
        check_parts(deep, nn.Linear, False, "there is one")
    with pytest.raises(ValueError, match="^there is none$"):
        check_parts(deep, nn.Embedding, True, "there is none")


@pytest.mark.parametrize("values", [{}, {"n": 1, "eps": 1, "dropout": 0, "tied": False, "pad_id": 5}], ids=str)
def test_sizes_of_a_model_are_fine(values):
    check_sizes(Sizes(**values))


@pytest.mark.parametrize(
    ("field", "value"),
    [
        *(("n", value) for value in (0, -1, 2.0, 1.5, True, "3", None)),
        *(("pad_id", value) for value in (-1, 0.0, False)),
        *(("eps", value) for value in (0.0, -1e-5, math.nan, math.inf, "1e-5", True)),
        *(("dropout", value) for value in (-0.1, math.nan, math.inf, False)),
        *(("tied", value) for value in ("no", 1, None)),
    ],
)
def test_what_no_model_can_have_is_refused_by_name_and_value(field, value):
    with pytest.raises(ValueError, match=re.escape(f"{field} cannot be {value!r} in Sizes(")):
        check_sizes(Sizes(**{field: value}))
