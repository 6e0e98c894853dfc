"""With more steps attention reads the longest numbers, and with divided scores it learns more slowly."""

from __future__ import annotations

import torch
from torch.testing import assert_close

from snippets.before import recurrent_attention
from snippets.before.longer_attention import ScaledDotScore, attention_curves
from snippets.before.recurrent_translator import LENGTHS, SEEDS

AT_20, DOT = LENGTHS.index(20), recurrent_attention.length_curves()["dot"]


def test_more_steps_help_at_the_longest_numbers():
    longer = attention_curves()["2000 steps"]
    assert longer.shape == (len(SEEDS), len(LENGTHS))
    assert longer[:, AT_20].min() > DOT[:, AT_20].mean()


def test_scores_divided_by_the_root_of_d_learn_more_slowly():
    assert attention_curves()["scaled"][:, AT_20].max() + 0.3 < DOT[:, AT_20].min()


def test_the_score_is_the_dot_product_divided_by_the_root_of_d():
    query, key = torch.randn(2, 3, 16), torch.randn(2, 5, 16)
    assert_close(ScaledDotScore(16)(query, key) * 4, query @ key.transpose(1, 2))
