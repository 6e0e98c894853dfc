"""KcBERT, a Korean BERT: from a text to its ids by hand, and the shape of its model."""

# --8<-- [start:imports]
import string
import unicodedata
from dataclasses import replace
from functools import cache

from snippets.before.batches_of_tokens import with_special
from snippets.before.kcbert import kcbert_vocabulary
from snippets.families.bert import BERT_BASE
from snippets.positions.tokens import wordpiece
# --8<-- [end:imports]


# --8<-- [start:words]
def words(text: str) -> list[str]:
    """What WordPiece is given: a mark or a Chinese character is a word by itself.

    As BERT's tokenizer splits a text, if it has no control characters.
    """
    return "".join(f" {c} " if stands_alone(c) else c for c in text).split()


def stands_alone(character: str) -> bool:
    """All that is no letter, digit or space in ASCII; elsewhere, punctuation."""
    mark = unicodedata.category(character).startswith("P")
    chinese = unicodedata.name(character, "").startswith("CJK UNIFIED IDEOGRAPH")
    return mark or chinese or character in string.punctuation
# --8<-- [end:words]


# --8<-- [start:kcbert_ids]
@cache
def vocabulary() -> dict[str, int]:
    return kcbert_vocabulary()


def kcbert_ids(text: str, max_length: int = 300) -> list[int]:
    """The ids of a text between [CLS] and [SEP], max_length at most."""
    pieces = [wordpiece(word, vocabulary()) for word in words(text)]
    ids = [vocabulary()[piece] for word in pieces for piece in word]
    return with_special(ids, max_length)
# --8<-- [end:kcbert_ids]


# --8<-- [start:KCBERT]
KCBERT = replace(BERT_BASE, vocab_size=30_000, max_length=300)
# --8<-- [end:KCBERT]
