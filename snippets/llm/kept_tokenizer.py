"""The tokenizer of the published model from what the book keeps of it, without its package."""

# --8<-- [start:imports]
from collections.abc import Iterable
from typing import Any

import torch
from torch import Tensor

from snippets.llm.smollm import published
from snippets.llm.tokens import BYTE_OF, GgufTokenizer
from snippets.tools.kept import kept
# --8<-- [end:imports]

# --8<-- [start:kept_tokenizer]
LETTER_OF = {byte: letter for letter, byte in BYTE_OF.items()}


def paired(about: dict[str, Any]) -> tuple[Tensor, dict[str, Any]]:
    """The merges of a file as pairs of ids, and what one has to know beside them.

    In the file, each merge makes the next token, after the control tokens and the
    bytes; raises ValueError where it does not. Returns uint16, (merges, 2).
    """
    names = ("tokens", "token_type", "merges")
    tokens, kinds, merges = (about[f"tokenizer.ggml.{name}"] for name in names)
    ids = {token: i for i, token in enumerate(tokens)}
    pairs = [merge.split(" ") for merge in merges]
    first = len(tokens) - len(merges)
    if [left + right for left, right in pairs] != tokens[first:]:
        raise ValueError("the merges do not make the last tokens in their order")
    ordinary = [i for i in range(first) if kinds[i] == 1]
    beside = {
        "control": tokens[: ordinary[0]],
        "bytes": [BYTE_OF[tokens[i]][0] for i in ordinary],
    }
    of = [[ids[left], ids[right]] for left, right in pairs]
    return torch.tensor(of, dtype=torch.uint16).reshape(-1, 2), beside


def listed(pairs: Tensor, beside: dict[str, Any]) -> dict[str, Any]:
    """The lists of the file again: the inverse of paired."""
    control = beside["control"]
    tokens = control + [LETTER_OF[bytes([byte])] for byte in beside["bytes"]]
    first, merges = len(tokens), []
    for left, right in pairs.tolist():
        merges.append(f"{tokens[left]} {tokens[right]}")
        tokens.append(tokens[left] + tokens[right])
    kinds = [3] * len(control) + [1] * (first - len(control)) + [1] * len(merges)
    lists = {"tokens": tokens, "token_type": kinds, "merges": merges}
    return {f"tokenizer.ggml.{name}": value for name, value in lists.items()}


def results() -> tuple[dict[str, Tensor], dict[str, Any]]:
    """The merges, and what stands beside them. It comes with the book."""

    def compute() -> tuple[dict[str, Tensor], dict[str, Any]]:
        pairs, beside = paired(published()[0])
        return {"merges": pairs}, beside

    return kept("smollm_merges", "llm/kept_tokenizer", compute)


def kept_tokenizer(merges: int | None = None) -> GgufTokenizer:
    """With all of its merges, or only with the first of them."""
    tensors, beside = results()
    return GgufTokenizer(listed(tensors["merges"][:merges], beside))
# --8<-- [end:kept_tokenizer]


# --8<-- [start:used]
def used(ids: Iterable[int]) -> list[int]:
    """The ranks of all merges that made these tokens, in order.

    Each token is made by one merge only, and its parts by earlier ones. So a text
    takes, with the first n merges alone, as many tokens as it has bytes, less the
    ranks below n.
    """
    tensors, beside = results()
    first = len(beside["control"]) + len(beside["bytes"])
    pairs = tensors["merges"].tolist()
    found, waiting = [], list(ids)
    while waiting:
        rank = waiting.pop() - first
        if rank >= 0:
            found.append(rank)
            waiting += pairs[rank]
    return sorted(found)
# --8<-- [end:used]
