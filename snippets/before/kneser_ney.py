"""Kneser–Ney smoothing: a shorter context says in how many contexts a token has occurred."""

# --8<-- [start:imports]
from collections import Counter, defaultdict

from snippets.before.language_models import START, NGramModel
# --8<-- [end:imports]


# --8<-- [start:continuations]
def continuations(counts: dict) -> dict:
    """For each context without its first token: before how many it goes on so.

    counts: Counters of what came after each context. Contexts that begin with START
    are left out, since nothing but START can come before.
    """
    found: dict[tuple, Counter] = defaultdict(Counter)
    for context, seen in counts.items():
        if context[1:2] != (START,):
            found[context[1:]].update(seen.keys())
    return found
# --8<-- [end:continuations]


# --8<-- [start:KneserNeyModel]
class KneserNeyModel(NGramModel):
    """Interpolated Kneser–Ney smoothing.

    discount: what is taken off each count, between 0 and 1; else ValueError.
    by_context: whether shorter contexts count contexts; without it, occurrences,
    which is absolute discounting. Source: Chen, Goodman 1999.
    """

    def __init__(self, lines, n, vocab, discount: float, by_context: bool = True):
        super().__init__(lines, n, vocab)
        if not 0 < discount < 1:
            raise ValueError(f"discount is between 0 and 1, not {discount}")
        self.discount, self.shorter = discount, None
        if n > 1:
            self.shorter = KneserNeyModel(lines, n - 1, vocab, discount, by_context)
            if by_context:
                self.shorter.counts |= continuations(self.counts)

    def probability(self, token: str, before) -> float:
        """P(token | before), never 0 for a token of the vocabulary."""
        prior = 1 / len(self.vocab)
        if self.shorter:
            prior = self.shorter.probability(token, before)
        if not (seen := self.seen_after(before)):
            return prior
        kept = max(seen[token] - self.discount, 0)
        return (kept + self.discount * len(seen) * prior) / seen.total()
# --8<-- [end:KneserNeyModel]
