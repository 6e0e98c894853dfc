"""How many different units have occurred, the further one reads in the constitution."""

import functools

from snippets.before.byte_pair_encoding import trained_by_library
from snippets.before.corpus import constitution
from snippets.before.korean_tokens import growth, morphemes
from snippets.before.word_vectors import words as words_of
from snippets.figures import style

VOCAB_SIZE = 1000

TEXT = {
    "ko": {
        "words": "어절",
        "morphemes": "형태소",
        "subwords": "BPE 토큰(어휘 {:,}개)",
        "syllables": "음절과 기호",
        "x": "읽은 어절",
        "y": "지금까지 나온 서로 다른 것의 수",
    },
    "en": {
        "words": "words",
        "morphemes": "morphemes",
        "subwords": "BPE tokens (of {:,})",
        "syllables": "characters",
        "x": "words read",
        "y": "different units so far",
    },
}


@functools.cache
def measure():
    """Words read after each line, and for each unit how many different ones there were."""
    lines = constitution()
    bpe = trained_by_library(lines, VOCAB_SIZE)
    read, words = [], 0
    for line in lines:
        words += len(words_of(line))
        read.append(words)
    return read, {
        "words": growth(words_of(line) for line in lines),
        "morphemes": growth(morphemes(line) for line in lines),
        "subwords": growth(bpe.encode(line).tokens for line in lines),
        "syllables": growth(lines),
    }


def draw(text):
    read, sizes = measure()
    figure, ax = style.plt.subplots(figsize=(style.WIDTH, 3.2))
    looks = [(style.WORD, "-"), (style.MORPHEME, "--"), (style.SUBWORD, "-."), (style.LETTER, ":")]
    for (unit, counts), (colour, line) in zip(sizes.items(), looks, strict=True):
        ax.plot(read, counts, line, color=colour, label=text[unit].format(VOCAB_SIZE))
    ax.set_xlabel(text["x"])
    ax.set_title(text["y"])
    ax.set_ylim(bottom=0)
    ax.grid(axis="y")
    style.name_lines(ax)
    return figure
