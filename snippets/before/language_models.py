"""Language models by counting: n-grams, their smoothing, and how good they are."""

# --8<-- [start:imports]
import math
import random
from collections import Counter, defaultdict

from snippets.tools.inputs import check
# --8<-- [end:imports]


# --8<-- [start:ngrams]
START, END = "<s>", "</s>"  # before and after each line


def ngrams(tokens: list[str], n: int) -> list[tuple[tuple[str, ...], str]]:
    """For each token, and for END: the n - 1 tokens before it, and the token."""
    padded = [START] * (n - 1) + tokens + [END]
    return [
        (tuple(padded[i : i + n - 1]), padded[i + n - 1])
        for i in range(len(tokens) + 1)
    ]
# --8<-- [end:ngrams]


# --8<-- [start:followers]
def followers(lines: list[list[str]], *before: str) -> Counter[str]:
    """How often each token comes right after the given ones."""
    n = len(before) + 1
    return Counter(
        token
        for line in lines
        for context, token in ngrams(line, n)
        if context == before
    )
# --8<-- [end:followers]


# --8<-- [start:NGramModel]
class NGramModel:
    """P(token | the n - 1 tokens before it), from counts, each increased by alpha.

    lines: lists of tokens. vocab: all tokens that can come, END among them.
    Raises ValueError if n < 1 or alpha < 0, or if vocab lacks a token.
    """

    def __init__(self, lines: list, n: int, vocab: list[str], alpha: float = 0.0):
        if n < 1 or alpha < 0:
            raise ValueError(f"n is at least 1, alpha at least 0, not {n}, {alpha}")
        check(alpha < math.inf, f"alpha is a number, not {alpha}")
        if missing := {END}.union(*lines) - {*vocab}:
            raise ValueError(f"vocab lacks {sorted(missing)}")
        self.n, self.vocab, self.alpha = n, vocab, alpha
        self.counts: dict[tuple, Counter] = defaultdict(Counter)
        for line in lines:
            for context, token in ngrams(line, n):
                self.counts[context][token] += 1

    def seen_after(self, before) -> Counter[str]:
        """What has come after the last n - 1 of these tokens, and how often."""
        padded = (START,) * (self.n - 1) + tuple(before)
        return self.counts.get(padded[len(before) :], Counter())

    def probability(self, token: str, before) -> float:
        """P(token | before). In a context never seen, 0 without smoothing."""
        seen = self.seen_after(before)
        total = seen.total() + self.alpha * len(self.vocab)
        return (seen[token] + self.alpha) / total if total else 0.0
# --8<-- [end:NGramModel]


# --8<-- [start:InterpolatedModel]
class InterpolatedModel(NGramModel):
    """The counts of n-grams, mixed with the model whose context is one shorter.

    The shorter context counts as much as kappa observations of the longer one;
    the shortest is mixed with 1 / V. Raises ValueError unless kappa > 0.
    """

    def __init__(self, lines: list, n: int, vocab: list[str], kappa: float):
        super().__init__(lines, n, vocab)
        if kappa <= 0:
            raise ValueError(f"kappa is positive, not {kappa}")
        self.kappa = kappa
        self.shorter = None
        if n > 1:
            self.shorter = InterpolatedModel(lines, n - 1, vocab, kappa)

    def probability(self, token: str, before) -> float:
        """P(token | before), never 0 for a token of the vocabulary."""
        seen = self.seen_after(before)
        if self.shorter:
            prior = self.shorter.probability(token, before)
        else:
            prior = 1 / len(self.vocab)
        return (seen[token] + self.kappa * prior) / (seen.total() + self.kappa)
# --8<-- [end:InterpolatedModel]


# --8<-- [start:cross_entropy]
def log_probability(model: NGramModel, tokens: list[str]) -> float:
    """ln P(line), END included, by the chain rule; -inf if a factor is 0."""
    pairs = ngrams(tokens, model.n)
    factors = [model.probability(token, before) for before, token in pairs]
    return sum(map(math.log, factors)) if all(factors) else -math.inf


def cross_entropy(model: NGramModel, lines: list[list[str]]) -> float:
    """Mean of -ln P over all tokens and the END of each line, in nats."""
    total = sum(log_probability(model, line) for line in lines)
    return -total / sum(len(line) + 1 for line in lines)


def perplexity(model: NGramModel, lines: list[list[str]]) -> float:
    """The effective branching factor: as if among so many equally likely tokens."""
    return math.exp(cross_entropy(model, lines))


def bits(nats: float) -> float:
    """The same amount of information, with 2 as the base of the logarithm."""
    return nats / math.log(2)
# --8<-- [end:cross_entropy]


# --8<-- [start:split]
def split(lines: list) -> tuple[list, list, list]:
    """Training, validation and test set: eight, one and one of every ten lines."""
    train = [line for i, line in enumerate(lines) if i % 10 not in (4, 9)]
    return train, lines[4::10], lines[9::10]
# --8<-- [end:split]


# --8<-- [start:sample]
def sample(model: NGramModel, rng: random.Random, most: int) -> list[str]:
    """Tokens drawn one after the other until END comes, or until there are most."""
    tokens: list[str] = []
    while len(tokens) < most:
        weights = [model.probability(token, tokens) for token in model.vocab]
        (token,) = rng.choices(model.vocab, weights)
        if token == END:
            break
        tokens.append(token)
    return tokens
# --8<-- [end:sample]


# --8<-- [start:reverse]
def reverse(lines: list[list[str]]) -> list[list[str]]:
    """Each line from its end to its beginning: what a backward model counts in."""
    return [line[::-1] for line in lines]
# --8<-- [end:reverse]
