"""The unigram language model of subwords: a text is cut in the most probable way."""

# --8<-- [start:imports]
import math
from collections import Counter
from collections.abc import Iterator, Mapping
# --8<-- [end:imports]


# --8<-- [start:cuts]
def cuts(word: str, probabilities: Mapping[str, float]) -> Iterator[tuple]:
    """All ways to cut a word into tokens, each with its probability.

    A cut is as probable as the product of its tokens (Kudo 2018, section 3.2).
    There may be 2 to the power of len(word) - 1 of them: for short words only.
    """
    if not word:
        yield (), 1.0
    for n in range(1, len(word) + 1):
        if p := probabilities.get(word[:n]):
            for rest, q in cuts(word[n:], probabilities):
                yield (word[:n], *rest), p * q
# --8<-- [end:cuts]


# --8<-- [start:best_cut]
def best_cut(word: str, probabilities: Mapping[str, float]) -> tuple[str, ...]:
    """The most probable cut, by the Viterbi algorithm; ValueError if there is none.

    best[n] is that of the first n characters, with its log-probability.
    """
    best: list[tuple[float, tuple[str, ...]]] = [(0.0, ())]
    for end in range(1, len(word) + 1):
        found: list[tuple[float, tuple[str, ...]]] = [(-math.inf, ())]
        for start, (before, cut) in enumerate(best):
            if p := probabilities.get(token := word[start:end]):
                found.append((before + math.log(p), (*cut, token)))
        best.append(max(found))
    if best[-1][0] == -math.inf:
        raise ValueError(f"no tokens of the vocabulary make up {word!r}")
    return best[-1][1]
# --8<-- [end:best_cut]


# --8<-- [start:estimate]
def log_likelihood(words: Mapping[str, int], probabilities: Mapping) -> float:
    """Of all words; a word is as probable as all its cuts together.

    Kudo 2018, section 3.2.
    """
    return sum(
        count * math.log(sum(p for _, p in cuts(word, probabilities)))
        for word, count in words.items()
    )


def estimate(
    words: Mapping[str, int], probabilities: Mapping, steps: int = 100
) -> dict[str, float]:
    """EM: count tokens in all cuts, weighed by their probability; divide; again."""
    for _ in range(steps):
        counts: Counter = Counter()
        for word, count in words.items():
            ways = list(cuts(word, probabilities))
            total = sum(p for _, p in ways)
            for cut, p in ways:
                for token in cut:
                    counts[token] += count * p / total
        size = sum(counts.values())
        probabilities = {token: counts[token] / size for token in probabilities}
    return dict(probabilities)
# --8<-- [end:estimate]


# --8<-- [start:prune]
LEAST = 1e-3  # when EM begins again: from 0, a token could not come back


def without(token: str, words: Mapping[str, int], probabilities: Mapping) -> dict:
    """The probabilities, estimated anew, if a token is removed."""
    others = {t: max(p, LEAST) for t, p in probabilities.items() if t != token}
    size = sum(others.values())
    return estimate(words, {t: p / size for t, p in others.items()})


def substrings(words: Mapping[str, int]) -> dict[str, float]:
    """All substrings of the words, each with its share of the occurrences."""
    counts: Counter = Counter()
    for word, count in words.items():
        for start in range(len(word)):
            for end in range(start + 1, len(word) + 1):
                counts[word[start:end]] += count
    return {token: count / counts.total() for token, count in counts.items()}


def prune(words: Mapping[str, int], vocab_size: int) -> tuple[dict, list]:
    """Probabilities of vocab_size tokens, and what was removed, at which cost.

    Begins with all substrings; removes the token without which the log-likelihood
    falls least, one by one. Characters stay. Kudo 2018, section 3.2, removes
    a share of the tokens at once, and computes their costs for a fixed cut.
    """
    probabilities, removed = estimate(words, substrings(words)), []
    while len(probabilities) > vocab_size:
        now = log_likelihood(words, probabilities)
        longer = [token for token in probabilities if token[1:]]
        options = {token: without(token, words, probabilities) for token in longer}
        costs = {
            token: round(now - log_likelihood(words, option), 3)  # as anywhere
            for token, option in options.items()
        }
        if not costs:
            break
        cheapest = min(costs, key=lambda token: (costs[token], token))
        removed.append((cheapest, costs[cheapest]))
        probabilities = options[cheapest]
    return probabilities, removed
# --8<-- [end:prune]
