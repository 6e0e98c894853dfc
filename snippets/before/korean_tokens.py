"""Korean in units of every size, two ways to write a syllable, and what a vocabulary costs."""

# --8<-- [start:imports]
import functools
from collections.abc import Iterable, Sequence
# --8<-- [end:imports]

# --8<-- [start:kiwi]
from kiwipiepy import Kiwi  # finds morphemes
# --8<-- [end:kiwi]

# --8<-- [start:library]
from snippets.before.byte_pair_encoding import trained_by_library
# --8<-- [end:library]


# --8<-- [start:jamo]
FIRST = 0xAC00  # 가: syllables are numbered by lead, then vowel, then tail
LEADS, VOWELS, TAILS = 19, 21, 28  # the first of the tails is none


def jamo(syllable: str) -> str:
    """The letters of a Hangul syllable: lead, vowel, and tail if it has one.

    Section 3.12 of the Unicode Standard. Raises ValueError for any other character.
    """
    last = FIRST + LEADS * VOWELS * TAILS - 1
    if len(syllable) != 1 or not FIRST <= ord(syllable) <= last:
        raise ValueError(f"{syllable!r} is not a Hangul syllable")
    lead, rest = divmod(ord(syllable) - FIRST, VOWELS * TAILS)
    vowel, tail = divmod(rest, TAILS)
    letters = chr(0x1100 + lead) + chr(0x1161 + vowel)
    return letters + chr(0x11A7 + tail) if tail else letters
# --8<-- [end:jamo]


# --8<-- [start:morphemes]
@functools.cache
def analyzer() -> Kiwi:
    """Kiwi with its own dictionary and model: loading takes a second, so once."""
    return Kiwi(num_workers=1)


def morphemes(text: str) -> list[str]:
    """The morphemes of a text, as in a dictionary, with their parts of speech."""
    return [f"{token.form}/{token.tag}" for token in analyzer().tokenize(text)]
# --8<-- [end:morphemes]


# --8<-- [start:growth]
def growth(lines: Iterable[Sequence[str]]) -> list[int]:
    """How many different units have occurred after each line; lines of units."""
    seen: set[str] = set()
    sizes = []
    for line in lines:
        seen.update(line)
        sizes.append(len(seen))
    return sizes


def unknown_share(lines: Sequence[Sequence[str]]) -> float:
    """The share of the second half that does not occur in the first half."""
    half = len(lines) // 2
    known = {unit for line in lines[:half] for unit in line}
    rest = [unit for line in lines[half:] for unit in line]
    return sum(unit not in known for unit in rest) / len(rest)
# --8<-- [end:growth]


# --8<-- [start:tokens_by_vocabulary]
def tokens_by_vocabulary(
    train: Sequence[str], tests: Sequence[Sequence[str]], sizes: Iterable[int]
) -> list[list[int]]:
    """Tokens of each test text, by size of a vocabulary learned from train.

    Returns a list for each test text: its tokens with each of sizes.
    """
    tokenizers = [trained_by_library(train, size) for size in sizes]
    return [
        [sum(len(t.encode(line).ids) for line in lines) for t in tokenizers]
        for lines in tests
    ]
# --8<-- [end:tokens_by_vocabulary]
