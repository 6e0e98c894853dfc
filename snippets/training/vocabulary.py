"""Words and their ids, and sentences of different lengths in one tensor."""

# --8<-- [start:imports]
from collections.abc import Iterable, Sequence

import torch
from torch import Tensor
# --8<-- [end:imports]


# --8<-- [start:Vocabulary]
PAD, BEGIN, END = 0, 1, 2


class Vocabulary:
    """All words a model knows. The first three ids are no words."""

    def __init__(self, words: Iterable[str]) -> None:
        self.words = ["<pad>", "<s>", "</s>", *sorted(set(words))]
        self.ids = {word: i for i, word in enumerate(self.words)}

    def __len__(self) -> int:
        return len(self.words)

    def encode(self, words: Sequence[str], begin: bool = False) -> list[int]:
        """Ids of the words and of </s>, with <s> before them if begin.

        Raises ValueError, naming the words, if it does not know some.
        """
        unknown = [word for word in words if word not in self.ids]
        if unknown:
            raise ValueError(f"these words are not in the vocabulary: {unknown}")
        return [BEGIN] * begin + [self.ids[word] for word in words] + [END]

    def decode(self, ids: Iterable[int]) -> list[str]:
        """The words before the first </s>, without <s>."""
        words = []
        for i in ids:
            if i == END:
                break
            if i != BEGIN:
                words.append(self.words[i])
        return words
# --8<-- [end:Vocabulary]


# --8<-- [start:pad]
def pad(rows: Sequence[list[int]]) -> Tensor:
    """Sentences of any lengths, filled up with padding at the end: (batch, n)."""
    longest = max(len(row) for row in rows)
    return torch.tensor([row + [PAD] * (longest - len(row)) for row in rows])


def pad_pairs(
    words: Vocabulary, pairs: Sequence[tuple[list[str], list[str]]]
) -> tuple[Tensor, Tensor]:
    """Sources, (batch, n), and targets that begin with <s>, (batch, m)."""
    src = pad([words.encode(source) for source, _ in pairs])
    tgt = pad([words.encode(target, begin=True) for _, target in pairs])
    return src, tgt
# --8<-- [end:pad]
