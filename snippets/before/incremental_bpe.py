"""Byte-pair encoding learned faster: only what a merge has changed is counted anew."""

# --8<-- [start:imports]
from collections import Counter, defaultdict
from collections.abc import Iterable, Mapping
from itertools import pairwise

from snippets.before.byte_pair_encoding import count_pairs, merge
# --8<-- [end:imports]


# --8<-- [start:changed_pairs]
def changed_pairs(word: tuple, pair: tuple) -> Counter:
    """How many more of each pair a word has once `pair` is merged in it.

    Negative for pairs of which there are fewer; without those that stay.
    """
    changes = Counter(pairwise(merge(word, pair)))
    changes.subtract(pairwise(word))
    return Counter({other: more for other, more in changes.items() if more})
# --8<-- [end:changed_pairs]


# --8<-- [start:learn_incrementally]
def learn_incrementally(
    words: Mapping[tuple, int], alphabet: Iterable, vocab_size: int
) -> tuple[dict, list[tuple]]:
    """The same ids and merges as learn, without counting all pairs again."""
    ids = {token: i for i, token in enumerate(alphabet)}
    merges, pairs, spelled = [], count_pairs(words), list(words.items())
    found_in = defaultdict(set)  # for each pair, the numbers of words that have it
    for i, (word, _) in enumerate(spelled):
        for pair in pairwise(word):
            found_in[pair].add(i)
    while len(ids) < vocab_size and pairs:
        most = max(pairs.values())
        best = min(
            (pair for pair, times in pairs.items() if times == most),
            key=lambda pair: (ids[pair[0]], ids[pair[1]]),
        )
        merges.append(best)
        ids.setdefault(best[0] + best[1], len(ids))
        for i in found_in.pop(best):  # no other word changes
            word, times = spelled[i]
            for pair, more in changed_pairs(word, best).items():
                pairs[pair] += more * times
                if more > 0:
                    found_in[pair].add(i)
                elif not pairs[pair]:
                    del pairs[pair]
            spelled[i] = merge(word, best), times
    return ids, merges
# --8<-- [end:learn_incrementally]
