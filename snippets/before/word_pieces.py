"""The tokenizer of the page on batches: text is cut as by BERT, with a vocabulary of its language."""

# --8<-- [start:imports]
import re
from collections import Counter

from tokenizers import BertWordPieceTokenizer

from snippets.before.batches_of_tokens import SPECIAL
from snippets.before.corpus import declaration
from snippets.before.incremental_bpe import learn_incrementally
from snippets.before.kcbert import kcbert_tokenizer
from snippets.before.two_constitutions import constitution
# --8<-- [end:imports]


# --8<-- [start:english_pieces]
def english_pieces(vocab_size: int) -> dict[str, int]:
    """Ids of pieces from two English texts: special tokens, letters, merges of BPE.

    While it learns, a space marks the beginning of a word; in the result, ## marks
    a piece that does not begin one.
    """
    text = "\n".join(constitution("en") + declaration("en"))
    found = Counter(re.findall(r"\w+|[^\w\s]", text))
    words = {(" " + word[0], *word[1:]): n for word, n in found.items()}
    letters = sorted({*"".join(found)})
    alphabet = [" " + letter for letter in letters] + letters
    learned, _ = learn_incrementally(words, alphabet, vocab_size - len(SPECIAL))
    pieces = [t[1:] if t.startswith(" ") else "##" + t for t in learned]
    return {piece: i for i, piece in enumerate(SPECIAL + pieces)}
# --8<-- [end:english_pieces]


# --8<-- [start:tokenizer_of]
def tokenizer_of(language: str) -> BertWordPieceTokenizer:
    """"ko": that of KcBERT, a Korean BERT; "en": one of 2,000 pieces.

    Raises ValueError for another language.
    """
    if language == "ko":
        return kcbert_tokenizer()
    if language != "en":
        raise ValueError(f'the languages are "ko" and "en", not {language!r}')
    return BertWordPieceTokenizer(english_pieces(2000), lowercase=False)
# --8<-- [end:tokenizer_of]
