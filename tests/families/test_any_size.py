"""Models of any size return the library's numbers. Its own file: each mutant would run it, and time would run out."""

from __future__ import annotations

import pytest

from snippets.families.library_pairs import MODELS, largest_differences


@pytest.mark.thorough
@pytest.mark.parametrize("model", MODELS)
@pytest.mark.parametrize("seed", range(3, 40))
def test_models_of_any_size_agree(model, seed):
    found = largest_differences(model, seed)
    assert max(found.values()) < 1e-5, found
