"""A word that did not occur in training, joined merge by merge, each with its rank."""

import functools
import re
from collections import Counter
from itertools import pairwise

from snippets.before.byte_pair_encoding import PIECE, count_pairs, learn, merge
from snippets.before.two_constitutions import constitution
from snippets.figures import style

MERGES = 200
#: On the page of each language, a word that does not occur in its constitution.
WORDS = {"ko": " 국회의원실", "en": " presidents"}

TEXT = {
    "ko": {"rank": "병합", "times": "횟수"},
    "en": {"rank": "merge", "times": "times"},
}


@functools.cache
def learned(language):
    """The merges of the page, each with how often its pair was found: [(left, right), times]."""
    lines = constitution(language)
    pieces = Counter(piece for line in lines for piece in re.findall(PIECE, line))
    words = {tuple(piece): count for piece, count in pieces.items()}
    letters = sorted(set("".join(lines)))
    _, merges = learn(words, letters, len(letters) + MERGES)
    found = []
    for pair in merges:
        found.append((pair, count_pairs(words)[pair]))
        words = {merge(word, pair): count for word, count in words.items()}
    return found


def joined(word, merges):
    """How a word is cut, as by segment: its tokens, and the rank of the merge that made them, again and again."""
    ranks = {pair: rank for rank, (pair, _) in enumerate(merges)}
    steps = [(tuple(word), None)]
    while fitting := [ranks[pair] for pair in pairwise(steps[-1][0]) if pair in ranks]:
        first = min(fitting)
        steps.append((merge(steps[-1][0], merges[first][0]), first))
    return steps


def numbers():
    """For whoever touches it: by language, a word, and each merge as the left token, the right one, and how often."""
    return {
        language: {"word": word.strip(), "merges": [[*pair, times] for pair, times in learned(language)]}
        for language, word in WORDS.items()
    }


def draw(text, width=style.WIDTH):
    language = next(each for each, labels in TEXT.items() if labels is text)
    word, merges = WORDS[language], learned(language)
    steps = joined(word, merges)
    row, top, left = 27, 22, 88
    figure, ax = style.canvas(top + len(steps) * row, width)
    cell = min(28, (width * 72 - left - 2) / len(word))
    for x, name in ((40, "rank"), (78, "times")):
        ax.text(x, 12, text[name], size=style.SMALL, ha="right", color=style.FAINT)
    for n, (tokens, rank) in enumerate(steps):
        y = top + n * row
        if rank is not None:
            ax.text(40, y + 13, f"{rank + 1}", size=style.SMALL, ha="right", weight="bold")
            ax.text(78, y + 13, f"{merges[rank][1]:,}", size=style.SMALL, ha="right")
        x = left
        for token in tokens:
            is_new = rank is not None and token == "".join(merges[rank][0])
            colour = style.LETTER if len(token) == 1 else style.SUBWORD
            size = cell * len(token)
            alpha = style.DEEPEST if is_new else 0.16
            ax.add_artist(style.Rectangle((x + 1, y), size - 2, 19, color=colour, alpha=alpha, lw=0))
            weight = "bold" if is_new else "normal"
            ax.text(x + size / 2, y + 13, style.readable(token), ha="center", size=style.SMALL, weight=weight)
            x += size
    return figure
