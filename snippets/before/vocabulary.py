"""Tokens and their ids, and sentences of different lengths in one tensor."""

# --8<-- [start:imports]
from collections.abc import Iterable, Sequence

import torch
from torch import Tensor
# --8<-- [end:imports]


# --8<-- [start:Vocabulary]
PAD, BOS, EOS = 0, 1, 2  # padding, beginning and end of a sentence
SPECIAL = ["<pad>", "<s>", "</s>"]


class Vocabulary:
    """All tokens a model knows. The first three stand for no text.

    Raises ValueError if one of these three is among the tokens.
    """

    def __init__(self, tokens: Iterable[str]) -> None:
        self.tokens = [*SPECIAL, *sorted(set(tokens))]
        self.ids = {token: i for i, token in enumerate(self.tokens)}
        if len(self.ids) < len(self.tokens):
            raise ValueError(f"{SPECIAL} are no tokens of a text")

    def __len__(self) -> int:
        return len(self.tokens)

    def encode(self, tokens: Sequence[str], bos: bool = False) -> list[int]:
        """Ids of the tokens and of </s>, with <s> before them if bos.

        Raises ValueError, naming the tokens, if it does not know some.
        """
        words = self.ids.keys() - SPECIAL
        unknown = [token for token in tokens if token not in words]
        if unknown:
            raise ValueError(f"these tokens are not in the vocabulary: {unknown}")
        return [BOS] * bos + [self.ids[token] for token in tokens] + [EOS]

    def decode(self, ids: Iterable[int]) -> list[str]:
        """The tokens before the first </s>, without <s>."""
        tokens = []
        for i in ids:
            if i == EOS:
                break
            if i != BOS:
                tokens.append(self.tokens[i])
        return tokens
# --8<-- [end:Vocabulary]


# --8<-- [start:pad]
def pad(rows: Sequence[list[int]]) -> Tensor:
    """Sentences of any lengths, filled up with padding at the end: (batch, n).

    Raises ValueError if there are none.
    """
    if not rows:
        raise ValueError("there is nothing to pad: no sentences")
    longest = max(len(row) for row in rows)
    padded = [row + [PAD] * (longest - len(row)) for row in rows]
    return torch.tensor(padded, dtype=torch.long)


def pad_pairs(
    vocab: Vocabulary, pairs: Sequence[tuple[list[str], list[str]]]
) -> tuple[Tensor, Tensor]:
    """Sources, (batch, n), and targets that begin with <s>, (batch, m)."""
    src = pad([vocab.encode(source) for source, _ in pairs])
    tgt = pad([vocab.encode(target, bos=True) for _, target in pairs])
    return src, tgt
# --8<-- [end:pad]
