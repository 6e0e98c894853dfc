"""From words to vectors: tokens, their ids, and the embedding matrix."""

# --8<-- [start:imports]
import math

import torch
from torch import Tensor, nn
# --8<-- [end:imports]


# --8<-- [start:wordpiece]
def wordpiece(word: str, vocabulary: dict[str, int]) -> list[str]:
    """Cut a word into the longest pieces of the vocabulary, from the left.

    A piece that does not begin the word is written with ## in front, as in BERT.
    Where no piece fits, the whole word becomes [UNK]. (So does, in BERT's own
    tokenizer, any word of more than 100 characters.)
    """
    pieces: list[str] = []
    rest = word
    while rest:
        mark = "##" if pieces else ""
        lengths = range(len(rest), 0, -1)
        fitting = (n for n in lengths if mark + rest[:n] in vocabulary)
        n = next(fitting, 0)
        if n == 0:
            return ["[UNK]"]
        pieces.append(mark + rest[:n])
        rest = rest[n:]
    return pieces
# --8<-- [end:wordpiece]


# --8<-- [start:encode]
def encode(text: str, vocabulary: dict[str, int]) -> list[int]:
    """The ids of [CLS], the pieces of all words, and [SEP]."""
    pieces = ["[CLS]"]
    for word in text.split():
        pieces += wordpiece(word, vocabulary)
    return [vocabulary[piece] for piece in [*pieces, "[SEP]"]]
# --8<-- [end:encode]


# --8<-- [start:one_hot_lookup]
def one_hot_lookup(ids: Tensor, table: Tensor) -> Tensor:
    """The rows of the table with these ids, by a product with one-hot vectors.

    ids: (...), integers below vocab_size; table: (vocab_size, d_model).
    Returns (..., d_model). PyTorch refuses an id that has no row.
    """
    one_hot = nn.functional.one_hot(ids, table.size(0)).to(table.dtype)
    return one_hot @ table  # (..., vocab_size) @ (vocab_size, d_model)
# --8<-- [end:one_hot_lookup]


# --8<-- [start:TiedEmbedding]
class TiedEmbedding(nn.Module):
    """One matrix for the input and for the output: section 3.4 of the paper."""

    def __init__(self, vocab_size: int, d_model: int) -> None:
        super().__init__()
        # std d_model^-0.5: times sqrt(d_model), the components have std 1
        table = torch.randn(vocab_size, d_model) / math.sqrt(d_model)
        self.table = nn.Parameter(table)

    def forward(self, ids: Tensor) -> Tensor:
        """ids: (batch, n). Returns embeddings, (batch, n, d_model).

        PyTorch refuses an id that has no row, with an IndexError.
        """
        rows = nn.functional.embedding(ids, self.table)  # table[ids]
        return rows * math.sqrt(self.table.size(1))

    def logits(self, x: Tensor) -> Tensor:
        """A score for each token: (batch, n, d_model) -> (batch, n, vocab_size).

        Raises ValueError if x has another dimension.
        """
        d_model = self.table.size(1)
        if x.size(-1) != d_model:
            raise ValueError(f"x is (..., {d_model}), not {tuple(x.shape)}")
        return x @ self.table.T

    def extra_repr(self) -> str:
        vocab_size, d_model = self.table.shape
        return f"{vocab_size}, {d_model}"
# --8<-- [end:TiedEmbedding]
