"""The sizes of the small GPT that are compared are trained as the one that its page tells of."""

from __future__ import annotations

import pytest

from snippets.families import constitution_gpt as small
from snippets.families import gpt_sizes

each_language = pytest.mark.parametrize("language", ["ko", "en"])


@each_language
def test_each_size_has_more_parameters_than_the_one_before_and_is_tested_where_it_was_best(language):
    found = gpt_sizes.results(language)
    assert list(found) == sorted({*gpt_sizes.SIZES, small.CONFIG.d_model})
    counts = [run["parameters"] for run in found.values()]
    assert counts == sorted(set(counts))
    for run in found.values():
        assert run["best"] % small.EVERY == 0 and 0 < run["best"] <= small.STEPS
        assert 0 < run["validation"] < run["test"]  # of both texts, the test lines are the harder ones


@each_language
def test_the_size_of_the_page_is_the_run_that_is_kept(language):
    run = small.results(language)[small.DROPOUTS[-1]][0]
    own = gpt_sizes.results(language)[small.CONFIG.d_model]
    assert (own["best"], own["test"]) == (run["best"], run["test"])
