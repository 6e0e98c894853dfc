"""A sentence is right or wrong as a whole; its tokens are, each at its position."""

from __future__ import annotations

import pytest

from snippets.before.accuracy import exact_match, token_accuracy

RIGHT = [["a", "b"], ["a", "b", "c"], ["c"]]


def test_exact_match_counts_whole_sentences():
    assert exact_match(RIGHT, RIGHT) == 1
    assert exact_match([["a", "b"], ["a", "b"], []], RIGHT) == pytest.approx(1 / 3)


def test_token_accuracy_counts_tokens_at_their_positions():
    assert token_accuracy(RIGHT, RIGHT) == 1
    assert token_accuracy([["a", "b"], ["a", "b"], []], RIGHT) == pytest.approx(4 / 6)
    assert token_accuracy([["b", "a"], ["b", "c"], ["c", "c", "c"]], RIGHT) == pytest.approx(1 / 6), "shifted is wrong"


def test_each_sentence_is_compared_with_one():
    for measure in (exact_match, token_accuracy):
        with pytest.raises(ValueError, match="shorter|longer"):
            measure(RIGHT[:2], RIGHT)
