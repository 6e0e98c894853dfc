"""What small_language_model means: numbers around their mean, whatever that mean was."""

from __future__ import annotations

import pytest
import torch
from hypothesis import given
from hypothesis import strategies as st

from snippets.labs.small_language_model import small_language_model


def test_a_known_answer():
    x = torch.tensor([[1.0, 2.0, 6.0], [0.0, 0.0, 3.0]])
    assert torch.equal(small_language_model(x), torch.tensor([[-2.0, -1.0, 3.0], [-1.0, -1.0, 2.0]]))


@given(shift=st.integers(-100, 100))
def test_a_number_added_to_a_whole_vector_changes_nothing(shift):
    x = torch.tensor([[1.0, 2.0, 6.0], [0.0, 0.0, 3.0]])
    assert torch.equal(small_language_model(x + shift), small_language_model(x))


def test_a_single_number_is_refused():
    with pytest.raises(ValueError, match=r"the shape \(\)"):
        small_language_model(torch.tensor(1.0))
