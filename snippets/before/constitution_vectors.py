"""Word vectors of a constitution: skip-gram with two windows and three seeds, kept."""

# --8<-- [start:imports]
from collections import Counter
from functools import partial

import torch
from torch import Tensor

from snippets.before.two_constitutions import constitution
from snippets.before.word_vectors import SkipGram, nearest, train, words
from snippets.tools.kept import kept
# --8<-- [end:imports]


# --8<-- [start:read]
def read(language: str) -> tuple[list[str], list[list[int]], Counter[str]]:
    """Words that occur three times or more, the lines as their ids, all counts."""
    lines = [words(line) for line in constitution(language)]
    counts = Counter(word for line in lines for word in line)
    vocab = [word for word, count in counts.most_common() if count >= 3]
    ids = {word: i for i, word in enumerate(vocab)}
    return vocab, [[ids[w] for w in line if w in ids] for line in lines], counts
# --8<-- [end:read]


# --8<-- [start:trained]
def trained(language: str, window: int, seed: int) -> Tensor:
    """A vector for each word, as a center: (vocab, 64)."""
    vocab, sentences, _ = read(language)
    torch.manual_seed(seed)
    model = SkipGram(len(vocab), d=64)
    train(model, sentences, window, steps=1000)
    return model.center.weight.detach()
# --8<-- [end:trained]


# --8<-- [start:results]
WINDOWS, SEEDS = (2, 5), (0, 1, 2)


def compute(language: str) -> tuple[dict[str, Tensor], dict]:
    """By window: vectors-2 and -5 of seed 0, (vocab, 64), and nearest-2 and -5.

    The latter are the ids of the five nearest words, (3 seeds, vocab, 5).
    """
    found = {}
    for window in WINDOWS:
        runs = [trained(language, window, seed) for seed in SEEDS]
        found[f"vectors-{window}"] = runs[0].float()
        near = [[_ids(run, word) for word in range(len(run))] for run in runs]
        found[f"nearest-{window}"] = torch.tensor(near, dtype=torch.int16)
    return found, {}


def _ids(vectors: Tensor, word: int) -> list[int]:
    return [i for i, _ in nearest(vectors, word, 5)]


def results(language: str) -> dict[str, Tensor]:
    """What compute returns, for "ko" or "en"."""
    name = f"word_vectors-{language}"
    return kept(name, "before/constitution_vectors", partial(compute, language))[0]
# --8<-- [end:results]
