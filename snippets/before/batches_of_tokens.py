"""Sentences of any length as one tensor of ids: special tokens, truncation, padding."""

# --8<-- [start:imports]
from collections.abc import Sequence

import torch
from torch import Tensor
# --8<-- [end:imports]


# --8<-- [start:special]
SPECIAL = ["[PAD]", "[UNK]", "[CLS]", "[SEP]", "[MASK]"]
PAD, UNK, CLS, SEP, MASK = range(len(SPECIAL))


def with_special(ids: Sequence[int], max_length: int) -> list[int]:
    """[CLS], the ids of a text, and [SEP].

    What would be longer than max_length is cut off before [SEP]. Raises ValueError
    unless there is room for both marks.
    """
    if max_length < 2:
        raise ValueError(f"no room for [CLS] and [SEP] in max_length {max_length}")
    return [CLS, *ids[: max_length - 2], SEP]
# --8<-- [end:special]


# --8<-- [start:batch]
def batch(
    rows: Sequence[list[int]], length: int | None = None, left: bool = False
) -> tuple[Tensor, Tensor]:
    """Ids and attention mask, both (batch, n): 1 for a token, 0 for padding.

    n: length, or that of the longest row. left: padding comes before the tokens.
    Raises ValueError if a row is longer than that, or if there are none.
    """
    longest = max(map(len, rows), default=0)
    n = longest if length is None else length
    if longest > n or not rows:
        raise ValueError(f"{len(rows)} rows of up to {longest} ids, and length {n}")
    input_ids = torch.full((len(rows), n), PAD)
    attention_mask = torch.zeros(len(rows), n, dtype=torch.long)
    for i, row in enumerate(rows):
        place = slice(n - len(row), n) if left else slice(len(row))
        input_ids[i, place] = torch.tensor(row, dtype=torch.long)
        attention_mask[i, place] = 1
    return input_ids, attention_mask
# --8<-- [end:batch]
