"""Byte-pair encoding: a vocabulary of pieces learned by counting, and texts cut with it."""

# --8<-- [start:imports]
import re
from collections import Counter
from collections.abc import Iterable, Mapping, Sequence
from itertools import pairwise
# --8<-- [end:imports]

# --8<-- [start:library]
from tokenizers import Regex, Tokenizer
from tokenizers import decoders, models, pre_tokenizers, trainers
# --8<-- [end:library]


# --8<-- [start:merge]
def merge(word: Sequence, pair: tuple) -> tuple:
    """The tokens of a word, with each pair of neighbors that is `pair` as one.

    Tokens are str or bytes. From left to right: a a a with (a, a) becomes aa a.
    """
    merged: list = []
    for token in word:
        if merged and (merged[-1], token) == pair:
            merged[-1] += token
        else:
            merged.append(token)
    return tuple(merged)
# --8<-- [end:merge]


# --8<-- [start:count_pairs]
def count_pairs(words: Mapping[tuple, int]) -> Counter:
    """How often two tokens are neighbors; words: how often each of them occurs."""
    pairs: Counter = Counter()
    for word, count in words.items():
        for pair in pairwise(word):
            pairs[pair] += count
    return pairs
# --8<-- [end:count_pairs]


# --8<-- [start:learn]
def learn(
    words: Mapping[tuple, int], alphabet: Iterable, vocab_size: int
) -> tuple[dict, list[tuple]]:
    """Ids of vocab_size tokens, fewer if nothing is left to merge, and the merges.

    words: how often each word occurs, as a tuple of tokens of the alphabet.
    As algorithm 1 of Sennrich et al. (2016). Of equally frequent pairs, the one
    with the smaller ids comes first, left token, then right, as in tokenizers.
    """
    ids = {token: i for i, token in enumerate(alphabet)}
    merges = []
    while len(ids) < vocab_size:
        pairs = count_pairs(words)
        if not pairs:
            break
        best = min(pairs, key=lambda p: (-pairs[p], ids[p[0]], ids[p[1]]))
        merges.append(best)
        # two merges may spell the same token: then it keeps its id
        ids.setdefault(best[0] + best[1], len(ids))
        words = {merge(word, best): count for word, count in words.items()}
    return ids, merges
# --8<-- [end:learn]


# --8<-- [start:segment]
def segment(word: Sequence, ranks: Mapping[tuple, int]) -> tuple:
    """Cut a new word: of the merges that fit, the one learned first, and again.

    ranks: the number of each merge, in the order in which they were learned.
    """
    word = tuple(word)
    while fitting := [pair for pair in pairwise(word) if pair in ranks]:
        word = merge(word, min(fitting, key=lambda pair: ranks[pair]))
    return word
# --8<-- [end:segment]


# --8<-- [start:bytes]
# In the order of GPT-2: first the bytes that Latin-1 shows as a visible character.
VISIBLE = [*range(33, 127), *range(161, 173), *range(174, 256)]
BYTES = [bytes([b]) for b in sorted(range(256), key=lambda b: b not in VISIBLE)]

PIECE = " ?[^ ]+| +"  # a word with the space before it; nothing is merged across


def spell(piece: str) -> tuple[bytes, ...]:
    """The bytes of a text in UTF-8, each by itself."""
    return tuple(bytes([b]) for b in piece.encode())
# --8<-- [end:bytes]


# --8<-- [start:BytePairEncoding]
class BytePairEncoding:
    """A tokenizer on bytes, trained on texts. Every text can be encoded."""

    def __init__(self, texts: Iterable[str], vocab_size: int) -> None:
        """Raises ValueError if the vocabulary has no room for the 256 bytes."""
        if vocab_size < len(BYTES):
            raise ValueError(f"vocab_size is 256 or more, not {vocab_size}")
        pieces = (piece for text in texts for piece in re.findall(PIECE, text))
        words = Counter(map(spell, pieces))
        self.ids, self.merges = learn(words, BYTES, vocab_size)
        self.ranks = {pair: rank for rank, pair in enumerate(self.merges)}
        self.tokens = {i: token for token, i in self.ids.items()}

    def cut(self, text: str) -> list[bytes]:
        """The tokens of a text; joined, they are its bytes."""
        words = [spell(piece) for piece in re.findall(PIECE, text)]
        return [token for word in words for token in segment(word, self.ranks)]

    def encode(self, text: str) -> list[int]:
        return [self.ids[token] for token in self.cut(text)]

    def decode(self, ids: Iterable[int]) -> str:
        """The text of the ids. What is not a whole character becomes �.

        Raises KeyError for an id that no token has.
        """
        return b"".join(self.tokens[i] for i in ids).decode(errors="replace")
# --8<-- [end:BytePairEncoding]


# --8<-- [start:trained_by_library]
def trained_by_library(
    texts: Iterable[str], vocab_size: int, special_tokens: Sequence[str] = ()
) -> Tokenizer:
    """The same from the tokenizers library; special tokens get the first ids."""
    tokenizer = Tokenizer(models.BPE())
    tokenizer.pre_tokenizer = pre_tokenizers.Sequence(
        [
            pre_tokenizers.Split(Regex(PIECE), behavior="isolated"),
            pre_tokenizers.ByteLevel(add_prefix_space=False, use_regex=False),
        ]
    )
    tokenizer.decoder = decoders.ByteLevel()
    trainer = trainers.BpeTrainer(
        vocab_size=vocab_size,
        special_tokens=list(special_tokens),
        initial_alphabet=pre_tokenizers.ByteLevel.alphabet(),  # all 256 bytes
        show_progress=False,
    )
    tokenizer.train_from_iterator(texts, trainer)
    return tokenizer
# --8<-- [end:trained_by_library]
