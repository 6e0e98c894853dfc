"""What is kept of the vectors of a constitution: whose words they are, and that they are those of the training."""

from __future__ import annotations

import pytest
import torch
from torch.testing import assert_close

from snippets.before.constitution_vectors import read, results, trained
from snippets.before.two_constitutions import constitution
from snippets.before.word_vectors import nearest, words


@pytest.mark.parametrize("language", ["ko", "en"])
def test_words_that_are_kept_occur_three_times_and_the_lines_keep_their_order(language):
    vocab, sentences, counts = read(language)
    assert [counts[word] for word in vocab] == sorted(filter(lambda n: n >= 3, counts.values()), reverse=True)
    for line, ids in zip(constitution(language), sentences, strict=True):
        assert [vocab[i] for i in ids] == [word for word in words(line) if counts[word] >= 3]


@pytest.mark.parametrize("language", ["ko", "en"])
def test_what_is_kept_are_the_nearest_words_of_the_vectors_that_are_kept(language):
    kept = results(language)
    for window in (2, 5):
        vectors, near = kept[f"vectors-{window}"], kept[f"nearest-{window}"]
        assert len(vectors) == len(read(language)[0]) and near.shape == (3, len(vectors), 5)
        found = torch.tensor([[i for i, _ in nearest(vectors, word, 5)] for word in range(len(vectors))])
        assert (found == near[0]).float().mean() > 0.99  # they were compared in float64
        assert not (near == torch.arange(len(vectors)).view(1, -1, 1)).any(), "a word is not its own neighbor"


@pytest.mark.thorough
def test_the_kept_vectors_are_those_of_the_training_that_anyone_can_call():
    assert_close(trained("ko", 2, 0).float(), results("ko")["vectors-2"], atol=1e-3, rtol=0)
