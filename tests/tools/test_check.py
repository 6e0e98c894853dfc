"""A configuration says which of its fields is wrong, and stands there whole."""

from __future__ import annotations

from dataclasses import dataclass, make_dataclass

import pytest

from snippets.tools.check import check_fields


@dataclass
class Pair:
    a: int = 3
    b: str = "x"


def test_the_first_field_that_is_not_fine_is_named_with_its_value():
    with pytest.raises(ValueError, match=r"^b cannot be 'x' in Pair\(a=3, b='x'\)$"):
        check_fields(Pair(), a=True, b=False)
    with pytest.raises(ValueError, match="^a cannot be 3 in"):
        check_fields(Pair(), a=False, b=False)


def test_nothing_happens_if_all_are_fine():
    check_fields(Pair(), a=True, b=True)


def test_sizes_are_looked_at_though_nothing_is_said_of_them():
    config = make_dataclass("Config", [("d_model", int, 4)])  # here, annotations are text
    check_fields(config())
    with pytest.raises(ValueError, match="d_model cannot be -4"):
        check_fields(config(d_model=-4))
