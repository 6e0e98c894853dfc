"""The vocabulary of KcBERT, a BERT that learned Korean from comments on the news.

vocab.txt and config.json are those of github.com/Beomi/KcBERT (kcbert-base), by Junbum
Lee, 2020, under the MIT licence that stands beside them.
"""

# --8<-- [start:imports]
from tokenizers import BertWordPieceTokenizer

from snippets.before.corpus import TEXTS
# --8<-- [end:imports]


# --8<-- [start:kcbert]
KCBERT_FILES = TEXTS / "kcbert"


def kcbert_vocabulary() -> dict[str, int]:
    """The 30,000 pieces in the order of their ids, from 0."""
    text = (KCBERT_FILES / "vocab.txt").read_text(encoding="utf-8")
    return {piece: number for number, piece in enumerate(text.splitlines())}


def kcbert_tokenizer() -> BertWordPieceTokenizer:
    """The library's tokenizer with this vocabulary; capital letters stay."""
    return BertWordPieceTokenizer(kcbert_vocabulary(), lowercase=False)
# --8<-- [end:kcbert]
