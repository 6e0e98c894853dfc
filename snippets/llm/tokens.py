"""The tokenizer that a GGUF file brings: byte-pair encoding with its merges."""

# --8<-- [start:imports]
from collections.abc import Iterable, Mapping
from functools import cache
from typing import Any

import regex

from snippets.before.byte_pair_encoding import BYTES, VISIBLE, segment, spell
from snippets.llm.smollm import published
# --8<-- [end:imports]


# --8<-- [start:as_bytes]
# The file spells bytes as GPT-2 does: those that can be seen as themselves, the
# others as letters from Ā on, so that a space is Ġ.
HIDDEN = len(BYTES) - len(VISIBLE)
LETTERS = [*map(chr, VISIBLE), *(chr(256 + i) for i in range(HIDDEN))]
BYTE_OF = dict(zip(LETTERS, BYTES, strict=True))


def as_bytes(spelled: str) -> bytes:
    """A token of the file as the bytes that it stands for: Ġthe is b' the'."""
    return b"".join(BYTE_OF[letter] for letter in spelled)
# --8<-- [end:as_bytes]


# --8<-- [start:pieces]
# Nothing is merged across: a digit, an English ending such as 's, a word or signs
# with the space before, and white space, of which a word takes the last.
PIECES = regex.compile(
    r"\p{N}|'(?:s|t|re|ve|m|ll|d)| ?\p{L}+| ?[^\s\p{L}\p{N}]+"
    r"|\s+(?=\p{N})|\s+(?!\S)|\s+"
)
CONTROL = 3  # the kind of a token that stands for no text, such as <|im_end|>
# --8<-- [end:pieces]


# --8<-- [start:GgufTokenizer]
class GgufTokenizer:
    """Texts to ids and back, with tokens and merges as the file lists them."""

    def __init__(self, about: Mapping[str, Any]) -> None:
        names = ("tokens", "token_type", "merges")
        tokens, kinds, merges = (about[f"tokenizer.ggml.{name}"] for name in names)
        self.control = {t: i for i, t in enumerate(tokens) if kinds[i] == CONTROL}
        self.tokens = [
            token.encode() if token in self.control else as_bytes(token)
            for token in tokens
        ]
        self.ids = {token: i for i, token in enumerate(self.tokens)}
        pairs = [tuple(map(as_bytes, merge.split(" "))) for merge in merges]
        self.ranks = {pair: rank for rank, pair in enumerate(pairs)}
        self.cut = cache(self.cut)  # the same pieces come again and again

    def cut(self, piece: str) -> list[int]:
        """The ids of a piece; bytes without a token are left out, as elsewhere."""
        known = [byte for byte in spell(piece) if byte in self.ids]
        return [self.ids[token] for token in segment(known, self.ranks)]

    def encode(self, text: str) -> list[int]:
        """The ids of a text; none of them is a control token, whatever it says."""
        return [i for piece in PIECES.findall(text) for i in self.cut(piece)]

    def decode(self, ids: Iterable[int]) -> str:
        """The text of the ids. Bytes that form no whole character become �."""
        return b"".join(self.tokens[i] for i in ids).decode(errors="replace")
# --8<-- [end:GgufTokenizer]


# --8<-- [start:tokenizer]
@cache
def tokenizer() -> GgufTokenizer:
    """That of the published model."""
    return GgufTokenizer(published()[0])
# --8<-- [end:tokenizer]
