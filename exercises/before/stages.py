"""Before the Transformer, stage by stage: counting, training pairs, tokens, batches, LSTM, first attention."""

from __future__ import annotations

import math
from collections import Counter
from collections.abc import Sequence
from itertools import pairwise

import torch
from torch import Generator, Tensor, nn

from exercises.checking import Exercise, Wrong, book, compare, compare_values, pair, raises, twins, varied
from exercises.language import say


def _drawn(letters: Sequence, longest: int, shortest: int = 0) -> list:
    """Some of the letters, so many at random."""
    n = int(torch.randint(shortest, longest + 1, ()))
    return [letters[i] for i in torch.randint(len(letters), (n,)).tolist()]


# ---- language models

language_models = Exercise(
    "before/language_models",
    "before/language-models",
    difficulty=2,
    minutes=35,
    without=("followers", "bits", "split", "sample", "reverse"),
)
START, END = "<s>", "</s>"


def _grams(tokens: list[str], n: int, *, end=True, fill=True, kind=tuple, context=-1) -> list:
    """Position by position; the context is n + context tokens long."""
    found = []
    for i in range(len(tokens) + end):
        before = [tokens[j] if j >= 0 else START for j in range(i - n - context, i) if fill or j >= 0]
        found.append((kind(before), tokens[i] if i < len(tokens) else END))
    return found


@language_models.stage("ngrams", "n-grams", "each token, and </s> at the end, with the n - 1 tokens before it")
def n_grams(mine):
    mistakes = [
        (lambda t, n: _grams(t, n, end=False), "</s> is predicted, too: one pair more than there are tokens."),
        (lambda t, n: _grams(t, n, fill=False), "Where tokens are missing at the beginning, <s> stands for them."),
        (lambda t, n: _grams(t, n)[n - 1 :], "The first tokens are missing: <s> is their context."),
        (
            lambda t, n: _grams(t, n, end=False)[n - 1 :],
            "Put <s> before the tokens, n - 1 times, and </s> behind them.",
        ),
        (lambda t, n: _grams(t, n, context=0), "The context is n - 1 tokens long: with the token, that makes n."),
        (lambda t, n: _grams(t, n, kind=list), "The context is a tuple, so that it can be the key of a dictionary."),
        (lambda t, n: [(*before, token) for before, token in _grams(t, n)], "Two things: the context, and the token."),
        (lambda t, n: [((START,) * (n - 1), START), *_grams(t, n)], "<s> is never predicted: it is only context."),
    ]
    for n in (2, 1, 3, 5):
        for longest in (6, 3, 0):
            t = _drawn("abc", longest, longest)
            compare_values(mine.ngrams(t, n), _grams(t, n), f"ngrams({t}, {n})", mistakes, t, n)


def _lines() -> list[list[str]]:
    return [_drawn("abc", 8) for _ in range(12)]


VOCAB = ["a", "b", "c", END]


def _after(lines: list[list[str]], context: Sequence[str]) -> Counter:
    """What comes right after the context, which may begin with <s>."""
    n = len(context) + 1
    return Counter(token for line in lines for before, token in _grams(line, n) if before == tuple(context))


def _context(before: Sequence[str], n: int) -> list[str]:
    """The last n - 1 tokens."""
    return [START] * (n - 1 - len(before)) + list(before[max(0, len(before) - n + 1) :])


def _befores() -> list[list[str]]:
    """Short and long, and such that they occur."""
    return [[], ["a"], ["b", "a"], *(_drawn("abc", 4, 1) for _ in range(6))]


@language_models.stage("NGramModel.seen_after", "context", "what came after the last n - 1 tokens, and how often")
def context(mine):
    mistakes = [
        (
            lambda x, b, n: _after(x, _context(b[-(n - 1) :], n)) if n > 1 or not b else Counter(),
            "[-0:] is everything: with n = 1, the context is empty.",
        ),
        (lambda x, b, n: _after(x, [START] * (n - 1)), "That is what comes first in a line: take the last tokens."),
        (lambda x, b, n: _after(x, _context(b[: n - 1], n)), "These are the first n - 1 tokens: take the last ones."),
        (
            lambda x, b, n: _after(x, b[-(n - 1) :]) if len(b[-(n - 1) :]) == n - 1 else Counter(),
            "Where tokens are missing at the beginning, <s> stands for them.",
        ),
        (
            lambda x, b, n: _after(x, _context(b, n)) if len(b) < n else Counter(),
            "Only the last n - 1 tokens count, however many there are.",
        ),
    ]
    for n in (2, 3, 1, 4):
        lines = _lines()
        model = mine.NGramModel(lines, n, VOCAB)
        known = len(model.counts)
        for before in _befores():
            got, what = model.seen_after(before), f"n = {n}, seen_after({before})"
            compare_values(got, _after(lines, _context(before, n)), what, mistakes, lines, before, n)
        if len(model.counts) != known:
            what = "counts: looking up a context that never occurred has added it"
            raise Wrong(what, "Use self.counts.get(...).")


def _probabilities(mine, n: int, alpha: float, mistakes, seen: bool) -> None:
    """P of each token of the vocabulary after several contexts, which have occurred, or have not."""
    lines = _lines()
    model = mine.NGramModel(lines, n, VOCAB, alpha)
    every = sum((_after(lines, [t]) for t in [START, *VOCAB]), Counter()).total()  # tokens of all lines
    for before in _befores():
        counts = _after(lines, _context(before, n))
        if bool(counts) != seen:
            continue
        for token in VOCAB:
            inputs = counts[token], counts.total(), alpha, len(VOCAB), every, len(counts)
            what = f"n = {n}, alpha = {alpha}, P({token} | {' '.join(before) or '[]'})"
            total = inputs[1] + alpha * len(VOCAB)
            try:
                got = model.probability(token, before)
            except ZeroDivisionError as error:
                raise Wrong(f"{what}: 0 / 0", "Nothing has come after this context: return 0.0.") from error
            compare_values(got, (inputs[0] + alpha) / total if total else 0.0, what, mistakes, *inputs)


@language_models.stage("NGramModel.probability", "counts", "P is the share of a token among those after the context")
def counts(mine):
    mistakes = [
        (lambda c, t, a, v, e, k: c / e, "Divide by how often this context occurred, not by the number of all tokens."),
        (lambda c, t, a, v, e, k: c, "This is a count: divide it by the sum of the counts after this context."),
        (lambda c, t, a, v, e, k: (c + 1) / (t + v), "alpha is an argument, and may be 0: it is not always 1."),
        (lambda c, t, a, v, e, k: math.log(c / t), "This is the logarithm of the probability."),
    ]
    for n in (2, 3, 1):
        _probabilities(mine, n, 0.0, mistakes, seen=True)


@language_models.stage("NGramModel.probability", "smoothing", "each count grows by alpha, so the total by alpha V")
def smoothing(mine):
    mistakes = [
        (lambda c, t, a, v, e, k: c / t, "alpha has no effect: add it to each count."),
        (
            lambda c, t, a, v, e, k: (c + a) / t,
            "The sum is more than 1: the total grows, too, by α for each of V tokens.",
        ),
        (lambda c, t, a, v, e, k: (c + a) / (t + a), "The total grows by α for each token of the vocabulary, α V."),
        (lambda c, t, a, v, e, k: (c + a) / (t + v), "The total grows by α V, not by V."),
        (lambda c, t, a, v, e, k: c / (t + a * v), "The count itself grows by α, too."),
        (lambda c, t, a, v, e, k: (c + 1) / (t + v), "alpha is an argument: it is not always 1."),
        (
            lambda c, t, a, v, e, k: (c + a) / (t + a * k),
            "V is the whole vocabulary, self.vocab, not what has been seen after this context.",
        ),
    ]
    for n, alpha in ((2, 0.5), (3, 2.0), (1, 0.1)):
        _probabilities(mine, n, alpha, mistakes, seen=True)


@language_models.stage(
    "NGramModel.probability", "unseen context", "after a context that never occurred: 1 / V, or 0 without smoothing"
)
def unseen_context(mine):
    mistakes = [(lambda c, t, a, v, e, k: 1 / v, "Without smoothing, nothing is known of this context: return 0.0.")]
    for n, alpha in ((4, 0.0), (4, 0.5), (5, 0.0)):
        _probabilities(mine, n, alpha, mistakes, seen=False)


def _mixed(lines, n: int, kappa: float, token: str, before, **changed) -> float:
    counts = _after(lines, _context(before, n))
    if n > 1 and not changed.get("once"):
        prior = _mixed(lines, n - 1, kappa, token, before, **changed)
    else:
        prior = changed.get("last", 1 / len(VOCAB))
    if n > 1 and changed.get("plain"):
        shorter = _after(lines, _context(before, n - 1))
        prior = shorter[token] / shorter.total()
    if changed.get("average"):
        return (counts[token] / counts.total() + kappa * prior) / (1 + kappa)
    total = counts.total() + (0 if changed.get("too_much") else kappa)
    return (counts[token] + kappa * prior) / total


@language_models.stage("InterpolatedModel.probability", "interpolation", "counts mixed with the shorter context")
def interpolation(mine):
    changed = varied(_mixed)

    mistakes = [
        (changed(once=True), "The longest context is mixed with 1 / V at once: ask self.shorter for the probability."),
        (changed(plain=True), "The shorter context is mixed, too: self.shorter.probability, not its counts alone."),
        (changed(last=0.0), "The shortest context is mixed with 1 / V, so that no token has probability 0."),
        (changed(last=1.0), "The shortest context is mixed with 1 / V, not with 1."),
        (changed(too_much=True), "The sum is more than 1: kappa is added to the total, too."),
        (changed(average=True), "kappa is a number of observations: add it to counts, not to shares."),
    ]
    for n, kappa in ((1, 2.0), (2, 0.5), (3, 3.0)):
        lines = _lines()
        model = mine.InterpolatedModel(lines, n, VOCAB, kappa)
        for before in _befores():
            for token in VOCAB:
                what = f"n = {n}, kappa = {kappa}, P({token} | {' '.join(before) or '[]'})"
                inputs = lines, n, kappa, token, before
                compare_values(model.probability(token, before), _mixed(*inputs), what, mistakes, *inputs)


def _models(alpha: float = 0.5):
    """A model of the book, and lines to judge it on."""
    for n in (2, 1, 3):
        yield book("before.language_models").NGramModel(_lines(), n, VOCAB, alpha), _lines()


def _factors(model, line: list[str], end: bool = True) -> list[float]:
    return [model.probability(token, line[:i]) for i, token in enumerate([*line, END] if end else line)]


@language_models.stage("log_probability", "chain rule", "ln P of a line: the sum over its tokens, and over </s>")
def chain_rule(mine):
    mistakes = [
        (lambda m, x: math.prod(_factors(m, x)), "This is P itself: return its natural logarithm."),
        (lambda m, x: sum(map(math.log, _factors(m, x, end=False))), "</s> is a factor, too: that the line ends here."),
        (lambda m, x: sum(map(math.log2, _factors(m, x))), "The logarithm is the natural one, math.log."),
        (lambda m, x: sum(map(math.log10, _factors(m, x))), "The logarithm is the natural one, math.log."),
        (lambda m, x: -sum(map(math.log, _factors(m, x))), "The sign is wrong: ln P is negative."),
        (lambda m, x: sum(map(math.log, _factors(m, x))) / (len(x) + 1), "This is the mean: return the sum."),
        (lambda m, x: sum(_factors(m, x)), "Probabilities are multiplied: add their logarithms."),
    ]
    for model, lines in _models():
        for line in [*lines[:4], []]:
            right = sum(map(math.log, _factors(model, line)))
            compare_values(mine.log_probability(model, line), right, f"ln P({' '.join(line)})", mistakes, model, line)


@language_models.stage("log_probability", "impossible line", "-inf, if a factor is 0")
def impossible_line(mine):
    model = book("before.language_models").NGramModel([["a", "b"], ["b"]], 2, VOCAB)
    for line in (["b", "a"], ["a"], ["c", "a", "b"]):
        try:
            got = mine.log_probability(model, line)
        except ValueError as error:
            raise Wrong(f"ln P({' '.join(line)}): {error}", "A factor is 0: return -math.inf.") from error
        what = say("{what}, where a factor is 0", what=f"ln P({' '.join(line)})")
        compare_values(got, -math.inf, what, [(lambda: 0.0, "0 is the logarithm of 1: return -math.inf.")])


def _nats(model, lines) -> list[float]:
    return [-sum(map(math.log, _factors(model, line))) for line in lines]


@language_models.stage(
    "cross_entropy", "cross-entropy", "the mean of -ln P over all tokens, and one </s> for each line"
)
def cross_entropy(mine):
    mistakes = [
        (lambda m, x: sum(_nats(m, x)), "This is the sum: divide it by the number of tokens."),
        (lambda m, x: sum(_nats(m, x)) / len(x), "This is the mean over lines: divide by the number of tokens."),
        (lambda m, x: sum(_nats(m, x)) / sum(map(len, x)), "</s> is a token, too: each line has one more."),
        (
            lambda m, x: sum(nats / (len(line) + 1) for nats, line in zip(_nats(m, x), x, strict=True)) / len(x),
            "This is the mean of the lines' means, where short lines count too much: divide by all tokens at once.",
        ),
        (lambda m, x: -sum(_nats(m, x)) / sum(len(line) + 1 for line in x), "The sign is wrong: it is -ln P."),
        (
            lambda m, x: _nats(m, [sum(x, [])])[0] / (sum(map(len, x)) + 1),
            "The lines are joined: each begins with <s> and ends with </s>.",
        ),
        (
            lambda m, x: _nats(m, [sum(x, [])])[0] / sum(len(line) + 1 for line in x),
            "The lines are joined: each begins with <s> and ends with </s>.",
        ),
    ]
    for model, lines in _models():
        right = sum(_nats(model, lines)) / sum(len(line) + 1 for line in lines)
        compare_values(mine.cross_entropy(model, lines), right, "cross-entropy", mistakes, model, lines)


@language_models.stage("perplexity", "perplexity", "e to the power of the cross-entropy")
def perplexity(mine):
    mistakes = [
        (lambda h: h, "This is the cross-entropy itself: math.exp of it."),
        (lambda h: 2**h, "The cross-entropy is in nats: e to its power. 2 would be right for bits."),
        (lambda h: math.exp(-h), "The sign is wrong: a perplexity is at least 1."),
    ]
    for model, lines in _models():
        h = sum(_nats(model, lines)) / sum(len(line) + 1 for line in lines)
        compare_values(mine.perplexity(model, lines), math.exp(h), "perplexity", mistakes, h)


# ---- training pairs

prediction_tasks = Exercise(
    "before/prediction_tasks",
    "before/prediction-tasks",
    difficulty=2,
    minutes=25,
    without=("previous_token_pairs",),
)


def _sentences():
    yield from (list("abcde"), _drawn("abc", 9, 6), ["a"], [])


@prediction_tasks.stage("next_token_pairs", "next token", "all tokens before a token, and the token")
def next_token(mine):
    def pairs(context, start=0):
        return lambda t: [(context(t, i), t[i]) for i in range(start, len(t))]

    mistakes = [
        (pairs(lambda t, i: t[:i], start=1), "The first token is predicted, too: nothing comes before it, []."),
        (pairs(lambda t, i: t[: i + 1]), "The token to be predicted is in its own context: t[:i]."),
        (pairs(lambda t, i: t[max(0, i - 1) : i]), "The context is all tokens before, not only the last one."),
        (pairs(lambda t, i: t[i + 1 :]), "These are the tokens after it: the context is what comes before."),
        (pairs(lambda t, i: t), "The context holds the token itself, and what comes after it."),
    ]
    for t in _sentences():
        right = [(t[:i], token) for i, token in enumerate(t)]
        compare_values(mine.next_token_pairs(t), right, f"next_token_pairs({t})", mistakes, t)


@prediction_tasks.stage(
    "masked_pairs", "masked tokens", "the sentence with [MASK] for all hidden tokens, and one of them"
)
def masked_tokens(mine):
    def seen(tokens, hidden):
        return ["[MASK]" if i in hidden else token for i, token in enumerate(tokens)]

    mistakes = [
        (lambda t, h: [(seen(t, {i}), t[i]) for i in sorted(h)], "All hidden tokens are hidden in every pair."),
        (lambda t, h: [(seen(t, h), "[MASK]") for _ in h], "The second is the token that was there, not [MASK]."),
        (lambda t, h: [(t, t[i]) for i in sorted(h)], "Nothing is hidden."),
        (lambda t, h: [(seen(t, h), token) for token in t], "Only hidden tokens are predicted."),
        (
            lambda t, h: [([x for i, x in enumerate(t) if i not in h], t[j]) for j in sorted(h)],
            "[MASK] stands where a token was: the sentence keeps its length.",
        ),
        (
            lambda t, h: [(seen(t, set(range(len(t))) - h), t[i]) for i in sorted(h)],
            "The other way round: hidden says which tokens become [MASK].",
        ),
    ]
    for t in _sentences():
        for hidden in (set(range(1, len(t), 2)), set(range(0, len(t), 3)), set()):
            right = [(seen(t, hidden), t[i]) for i in sorted(hidden)]
            what = f"masked_pairs({t}, {hidden or 'set()'})"
            compare_values(mine.masked_pairs(t, hidden), right, what, mistakes, t, hidden)


@prediction_tasks.stage("skip_gram_pairs", "skip-gram", "a token, and each token that is at most window positions away")
def skip_gram(mine):
    def pairs(near, swapped=False):
        def all_pairs(t, w):
            found = [(i, j) for i in range(len(t)) for j in range(-len(t), len(t)) if near(i, j, w)]
            return [([t[j]], t[i]) if swapped else ([t[i]], t[j]) for i, j in found]

        return all_pairs

    def right(i, j, w):
        return j >= 0 and 0 < abs(i - j) <= w

    mistakes = [
        (pairs(lambda i, j, w: j >= 0 and abs(i - j) <= w), "A token is not in its own window: j != i."),
        (pairs(lambda i, j, w: 0 < abs(i - j) <= w), "j < 0 counts from the end: begin at max(0, i - window)."),
        (pairs(lambda i, j, w: right(i, j, w) and j - i < w), "The window includes i + window: range ends before it."),
        (pairs(lambda i, j, w: right(i, j, w) and j > i), "The window has two sides: tokens before count, too."),
        (pairs(lambda i, j, w: right(i, j, w) and j < i), "The window has two sides: tokens after count, too."),
        (pairs(right, swapped=True), "First the center, in a list, then the token around it."),
        (lambda t, w: [(x[0], y) for x, y in pairs(right)(t, w)], "The center is in a list, as the contexts above."),
    ]
    for t in _sentences():
        for window in (2, 1, 4):
            what = f"skip_gram_pairs({t}, {window})"
            compare_values(mine.skip_gram_pairs(t, window), pairs(right)(t, window), what, mistakes, t, window)


MASK_ID, IGNORED = 3, -100


def _masked(mine, *shape: int) -> tuple[Tensor, Tensor, Tensor]:
    """Ids of 1000 tokens, inputs and targets; no id is that of the mask."""
    ids = torch.randint(4, 1000, shape)
    inputs, targets = pair(mine.bert_masking(ids, MASK_ID, 1000), "inputs and targets")
    for what, x in (("inputs", inputs), ("targets", targets)):
        if not isinstance(x, Tensor) or x.shape != ids.shape or x.dtype != ids.dtype:
            shape = tuple(ids.shape)
            raise Wrong("{what}: ids of the shape {shape} are expected", what=say(what), shape=shape)
    return ids, inputs, targets


@prediction_tasks.stage("bert_masking", "15 percent", "15 % of the positions have a target, the token that was there")
def fifteen_percent(mine):
    for shape in ((400, 250), (100_000,)):
        ids, inputs, targets = _masked(mine, *shape)
        chosen = targets != IGNORED
        share = chosen.float().mean().item()
        if abs(share - 0.15) > 0.01:
            hint = "-100 belongs to the positions that are not chosen." if abs(share - 0.85) < 0.01 else ""
            hint = hint or ("All others get -100, so that the loss leaves them out." if share == 1 else "")
            raise Wrong("targets: {share:.1%} of the positions have one, and 15 % should", hint, share=share)
        if chosen.dim() > 1 and max(chosen.float().mean(dim).std() for dim in (0, 1)) > 0.1:
            raise Wrong("targets: whole rows or columns are chosen together", "Draw for each position of ids.")
        mistakes = [
            (
                lambda i, x, c: x.masked_fill(~c, IGNORED),
                "Those are the inputs: targets are the tokens that were there.",
            ),
        ]
        compare(targets, ids.masked_fill(~chosen, IGNORED), "targets", "(...)", mistakes, ids, inputs, chosen)
        if (inputs != ids)[~chosen].any():
            raise Wrong("inputs: a token is changed at a position without a target", "Change only what was chosen.")


@prediction_tasks.stage("bert_masking", "80 10 10", "of these, 80 % are hidden, 10 % get a random token, 10 % stay")
def eighty_ten_ten(mine):
    ids, inputs, targets = _masked(mine, 200_000)
    chosen = targets != IGNORED
    hidden, kept = (inputs == MASK_ID)[chosen], (inputs == ids)[chosen]
    other = inputs[chosen][~hidden & ~kept]
    shares = [x.float().mean().item() for x in (hidden, ~hidden & ~kept, kept)]
    hints = {
        (1.0, 0.0, 0.0): "Not all of them are hidden: 10 % get a random token, and 10 % stay as they are.",
        (0.8, 0.0, 0.2): "10 % of the chosen tokens are replaced by random ones.",
        (0.8, 0.2, 0.0): "10 % of the chosen tokens stay as they are, though they have a target.",
        (0.8, 0.02, 0.18): "Of the 20 % that are not hidden, half are replaced: chance(0.5).",
        (0.8, 0.08, 0.12): "The second draw has to be independent of the first, and among what is not hidden.",
        (0.72, 0.1, 0.18): "Some hidden tokens were replaced again: replace only such as are not hidden.",
        (0.4, 0.5, 0.1): "Half of all chosen tokens are replaced: only half of those that are not hidden.",
    }
    for right, share, what in zip((0.8, 0.1, 0.1), shares, ("hidden", "random", "unchanged"), strict=True):
        if abs(right - share) > 0.012:
            told = [h for s, h in hints.items() if all(abs(a - b) < 0.01 for a, b in zip(s, shares, strict=True))]
            text = "inputs: {share:.1%} of the chosen tokens are {what}, not {right:.0%}"
            raise Wrong(text, *told[:1], share=share, what=say(what), right=right)
    if other.unique().numel() < 500 or other.min() < 0 or other.max() >= 1000:
        raise Wrong("inputs: the random tokens are not any of the 1000", "torch.randint(vocab_size, ids.shape).")


@prediction_tasks.stage("bert_masking", "no padding drawn", "no random token is padding, if pad_id says which that is")
def no_padding_drawn(mine):
    ids = torch.ones(20_000, dtype=torch.long)
    for pad_id in (0, 2):
        inputs, _ = pair(mine.bert_masking(ids, MASK_ID, 4, None, pad_id), "inputs and targets")
        if (inputs == pad_id).any():
            raise Wrong(
                "inputs: a token was replaced by padding, pad_id",
                "A model would hide it: where pad_id is drawn, the token stays, or another one is drawn.",
            )
        share = (inputs[inputs != MASK_ID] != 1).float().mean().item()
        if not 0.003 < share < 0.03:
            text = "inputs: with pad_id, {share:.1%} of what is not hidden is a random token; without it, some 1 %"
            raise Wrong(text, "Only what was drawn as padding is different with pad_id.", share=share)


@prediction_tasks.stage("bert_masking", "generator", "the generator decides all that is drawn")
def generator(mine):
    found = []
    for seed in (1, 1, 2):  # between them, the global generator has moved on
        torch.manual_seed(0)
        ids = torch.randint(4, 1000, (50, 20))
        torch.rand(len(found))
        found.append(pair(mine.bert_masking(ids, MASK_ID, 1000, Generator().manual_seed(seed)), "inputs and targets"))
    first, again, other = found
    if not all(map(torch.equal, first, again)):
        raise Wrong("inputs, targets: the same seed gives others", "Each draw takes generator=generator.")
    if any(map(torch.equal, first, other)):
        raise Wrong("inputs, targets: another seed gives the same", "Each draw takes generator=generator.")


# ---- word vectors

word_vectors = Exercise(
    "before/word_vectors",
    "before/word-vectors",
    difficulty=2,
    minutes=15,
    given=("SkipGram",),
    without=("noise", "train", "nearest", "words"),
)


@word_vectors.stage(
    "negative_sampling_loss", "negative sampling", "-ln σ of the real pair, and of minus the drawn ones"
)
@torch.no_grad()
def negative_sampling(mine):
    def losses(o, pairs, negatives):
        """Real, (batch,), and drawn, (batch, k)."""
        center = o.center.weight[pairs[:, 0]]
        return (center * o.context.weight[pairs[:, 1]]).sum(-1), torch.einsum(
            "bd,bkd->bk", center, o.context.weight[negatives]
        )

    def loss(form):
        return lambda o, p, n: form(*losses(o, p, n))

    def log_s(x):
        return nn.functional.logsigmoid(x)

    def swapped(o, p, n):
        return right(o, p.flip(1), n)

    right = loss(lambda r, d: -(log_s(r) + log_s(-d).sum(1)).mean())
    mistakes = [
        (loss(lambda r, d: -(log_s(r) + log_s(d).sum(1)).mean()), "Of drawn pairs, minus the product: σ(-u·v)."),
        (loss(lambda r, d: -(log_s(r) + log_s(-d).mean(1)).mean()), "The drawn words are summed, not averaged."),
        (loss(lambda r, d: -(log_s(r) + log_s(-d).sum(1)).sum()), "This is the sum over the batch: take the mean."),
        (loss(lambda r, d: (log_s(r) + log_s(-d).sum(1)).mean()), "The sign is wrong: a loss gets smaller."),
        (loss(lambda r, d: -log_s(r).mean()), "The negatives are missing: without them, all vectors become one."),
        (loss(lambda r, d: -(r.sigmoid() + (-d).sigmoid().sum(1)).mean()), "These are probabilities: logsigmoid."),
        (loss(lambda r, d: -(r - d.sum(1)).mean()), "σ is missing: logsigmoid of the products."),
        (swapped, "Center and context are swapped: pairs[:, 0] is the center."),
    ]
    for vocab_size, d, batch, k in ((7, 3, 4, 5), (9, 4, 6, 1), (5, 2, 1, 3)):
        model = book("before.word_vectors").SkipGram(vocab_size, d)
        nn.init.normal_(model.context.weight)
        pairs, negatives = torch.randint(vocab_size, (batch, 2)), torch.randint(vocab_size, (batch, k))
        real, drawn = losses(model, pairs, negatives)
        entropy = nn.functional.binary_cross_entropy_with_logits
        expected = entropy(real, torch.ones_like(real))
        expected = expected + k * entropy(drawn, torch.zeros_like(drawn))
        got = mine.negative_sampling_loss(model, pairs, negatives)
        compare(got, expected, "loss", "", mistakes, model, pairs, negatives)


# ---- byte-pair encoding

byte_pair_encoding = Exercise(
    "before/byte_pair_encoding",
    "before/byte-pair-encoding",
    difficulty=2,
    minutes=45,
    given=("spell",),
    without=("trained_by_library",),
)


def _merged(word: Sequence, pair: tuple, *, overlapping=False, once=False, loses_last=False) -> tuple:
    found, i = [], 0
    while i < len(word):
        if tuple(word[i : i + 2]) == pair and not (once and len(found) < i):
            found.append(word[i] + word[i + 1])
            i += 1 if overlapping else 2
        else:
            if not (loses_last and i == len(word) - 1):
                found.append(word[i])
            i += 1
    return tuple(found)


def _each_pair(word: Sequence, pair: tuple) -> tuple:
    """With the pairs looked for in the word as it was, so that of a a a both are found."""
    of = [tuple(word[i : i + 2]) == pair for i in range(len(word))]
    kept = (i for i in range(len(word)) if of[i] or i == 0 or not of[i - 1])
    return tuple(word[i] + word[i + 1] if of[i] else word[i] for i in kept)


def _from_right(word: Sequence, pair: tuple) -> tuple:
    found: list = []
    for token in reversed(word):
        if found and (token, found[0]) == pair:
            found[0] = token + found[0]
        else:
            found.insert(0, token)
    return tuple(found)


ONCE = "A token is in one merge only: after a merge, go on behind both."


@byte_pair_encoding.stage("merge", "merge", "each pair of neighbours that is the pair is one token, from left to right")
def merge(mine):
    changed = varied(_merged)

    mistakes = [
        (changed(overlapping=True), ONCE),
        (_each_pair, ONCE),
        (changed(once=True), "Only the first one is merged: go on to the end of the word."),
        (changed(loses_last=True), "The last token gets lost when it is merged with nothing."),
        (_from_right, "From left to right: a a a with (a, a) becomes aa a."),
        (lambda w, p: list(_merged(w, p)), "A word is a tuple, so that it can be the key of a dictionary."),
        (lambda w, p: (type(p[0])().join(_merged(w, p)),), "The tokens stay apart, but for the pairs."),
        (lambda w, p: w, "Nothing is merged."),
    ]
    fixed = [(("a", "a", "a"), ("a", "a")), (("b", "a", "b", "a", "b"), ("b", "a")), ((), ("a", "b"))]
    drawn = [(tuple(_drawn(["a", "b", "ab"], 9, 3)), tuple(_drawn(["a", "b", "ab"], 2, 2))) for _ in range(30)]
    of_bytes = [(tuple(_drawn([b"x", b"\xea"], 7, 3)), (b"\xea", b"x")) for _ in range(3)]
    for word, both in [*fixed, *drawn, *of_bytes]:
        compare_values(mine.merge(word, both), _merged(word, both), f"merge({word}, {both})", mistakes, word, both)


def _words(letters: Sequence = "bac", number: int = 8, longest: int = 7) -> dict[tuple, int]:
    """Words with how often each of them occurs."""
    words = [tuple(_drawn(letters, longest, 1)) for _ in range(number)]
    return dict(zip(words, torch.randint(1, 6, (number,)).tolist(), strict=True))


def _pairs(words: dict, weigh=lambda count: count, of=list) -> Counter:
    found: Counter = Counter()
    for word, count in words.items():
        for both in of((word[i], word[i + 1]) for i in range(len(word) - 1)):
            found[both] += weigh(count)
    return found


def _across(words: dict) -> Counter:
    """With a pair of the last token of each word and the first of the next, as often as the latter occurs."""
    found, last = _pairs(words), None
    for word, count in words.items():
        if last is not None and word:
            found[last, word[0]] += count
        last = word[-1] if word else last
    return found


@byte_pair_encoding.stage("count_pairs", "count pairs", "how often two tokens are neighbours in all words")
def count_pairs(mine):
    mistakes = [
        (lambda w: _pairs(w, lambda count: 1), "A word counts as often as it occurs: add its count, not 1."),
        (lambda w: _pairs(w, of=set), "A pair counts each time it occurs in a word, not once a word."),
        (lambda w: _pairs({x[:-1]: n for x, n in w.items()}), "The last pair of each word is missing."),
        (_across, "The end of a word and the beginning of the next are no pair: count each word by itself."),
        (
            lambda w: _pairs({tuple(x for word in w for x in word): 1}),
            "The end of a word and the beginning of the next are no pair: count each word by itself.",
        ),
        (
            lambda w: _pairs(w, of=lambda pairs: list(pairs)[::2]),
            "Neighbours overlap: a b c has the pairs a b and b c.",
        ),
    ]
    for words in ({("a", "b", "a", "b"): 2, ("b", "a"): 3}, _words(), _words("ab"), {("a",): 4}, {}):
        compare_values(mine.count_pairs(words), _pairs(words), f"count_pairs({words})", mistakes, words)


def _learned(words, alphabet, vocab_size, **changed) -> tuple[dict, list]:
    ids, merges = {token: i for i, token in enumerate(alphabet)}, []
    goal = vocab_size + len(ids) if changed.get("besides") else vocab_size
    first = counted = _pairs(words)
    while len(ids) < goal and counted:
        keys = {p: (-counted[p], ids[p[0]], ids[p[1]]) for p in counted}
        keys = {p: changed.get("order", lambda p, key: key)(p, key) for p, key in keys.items()}
        best = min(keys, key=keys.__getitem__)
        merges.append(best)
        ids.setdefault(best[0] + best[1], len(ids))
        words = {_merged(word, best): count for word, count in words.items()}
        counted = Counter({p: n for p, n in first.items() if p not in merges}) if changed.get("old") else _pairs(words)
    return ids, merges


def _corpora():
    """Words, their alphabet in an order that is not that of its letters, and sizes of a vocabulary."""
    yield {("b", "a"): 2, ("a", "b"): 2, ("c", "a"): 2}, "cba", 5
    for letters in ("bac", "ba", "bac", "ba"):
        yield _words(letters), letters, 7
    yield _words("ba", 20, 12), "ba", 25


@byte_pair_encoding.stage("learn", "learn merges", "the most frequent pair becomes a token, until there are vocab_size")
def learn(mine):
    def changed(which, **change):
        return lambda *x: _learned(*x, **change)[which]

    hints = [
        ({"besides": True}, "The alphabet counts, too: there are vocab_size tokens in all."),
        ({"old": True}, "Pairs are counted anew after each merge, in the words as they are then."),
        ({"order": lambda p, key: (key[0], p)}, "Of equally frequent pairs, the smaller ids decide, not the letters."),
        ({"order": lambda p, key: key[0]}, "Of equally frequent pairs, the one with the smaller ids comes first."),
        (
            {"order": lambda p, key: (key[0], -key[1], -key[2])},
            "Of equally frequent pairs, the one with the smaller ids comes first, not the larger.",
        ),
        (
            {"order": lambda p, key: (-key[0], *key[1:])},
            "These are the least frequent pairs: take the most frequent one.",
        ),
    ]
    for words, alphabet, vocab_size in _corpora():
        inputs = words, alphabet, vocab_size
        ids, merges = pair(mine.learn(words, alphabet, vocab_size), "the ids and the merges", "things")
        for which, what, got in ((1, "merges", merges), (0, "ids", ids)):
            mistakes = [(changed(which, **change), hint) for change, hint in hints]
            right = _learned(*inputs)[which]
            told = say("{what} of {call}", what=say(what), call=f"learn({words}, '{alphabet}', {vocab_size})")
            compare_values(got, right, told, mistakes, *inputs)


@byte_pair_encoding.stage("learn", "nothing left", "it stops when no word has two tokens any more")
def nothing_left(mine):
    for words in ({("a", "b"): 1}, {("a",): 3}, {("b", "a", "b"): 1, ("a",): 2}, {}):
        try:
            got = pair(mine.learn(words, "ab", 50), "the ids and the merges", "things")
        except (ValueError, IndexError, KeyError) as error:
            hint = "No pairs are left: stop, with fewer tokens."
            raise Wrong(f"{type(error).__name__}: {error}", hint) from error
        compare_values(got, _learned(words, "ab", 50), f"learn({words}, 'ab', 50)")


def _cut(word: Sequence, ranks: dict, choose=min) -> tuple:
    word = tuple(word)
    while fitting := [p for p in pairwise(word) if p in ranks]:
        word = _merged(word, choose(fitting, key=ranks.__getitem__))
    return word


def _once(word: Sequence, ranks: dict) -> tuple:
    for both in sorted(ranks, key=ranks.__getitem__):
        word = _merged(word, both)
    return tuple(word)


def _longest(word: Sequence, ranks: dict) -> tuple:
    known, found, i = {a + b for a, b in ranks}, [], 0
    while i < len(word):
        end = next((j for j in range(len(word), i + 1, -1) if type(word[0])().join(word[i:j]) in known), i + 1)
        found.append(type(word[0])().join(word[i:end]))
        i = end
    return tuple(found)


def _first_left(word: Sequence, ranks: dict) -> tuple:
    return _cut(word, dict.fromkeys(ranks, 0))


def _longest_pair(word: Sequence, ranks: dict) -> tuple:
    return _cut(word, {both: -len(both[0] + both[1]) for both in ranks})


def _last_learned(word: Sequence, ranks: dict) -> tuple:
    return _cut(word, ranks, max)


#: Of which of the two, many words do not tell.
RANK = "Neither its place nor its length decides which pair is merged first: take the one with the smallest rank."


@byte_pair_encoding.stage("segment", "segment", "of the merges that fit, the one learned first, and again")
def segment(mine):
    mistakes = [
        (_first_left, RANK),
        (_longest_pair, RANK),
        (_last_learned, "The merge that was learned last comes first: take the smallest rank."),
        (_longest, "This takes the longest token each time: merge as was learned, beginning with the first merge."),
        (
            lambda w, r: _merged(w, min(pairwise(w), key=lambda p: r.get(p, 99))),
            "One merge is made: go on while any fits.",
        ),
        (lambda w, r: list(_cut(w, r)), "A word is a tuple."),
        (lambda w, r: tuple(w), "Nothing is merged."),
    ]
    for words, alphabet, vocab_size in _corpora():
        ranks = {both: rank for rank, both in enumerate(_learned(words, alphabet, vocab_size)[1])}
        drawn = [tuple(_drawn(alphabet, 12, 4)) for _ in range(40)]
        ways = (_cut, _first_left, _last_learned, _longest, _longest_pair)
        drawn.sort(key=lambda word: -len({way(word, ranks) for way in ways}))  # first, what tells mistakes apart
        for word in (*drawn, (alphabet[0],), ()):
            right = _cut(word, ranks)
            if right == _once(word, ranks):  # where both ways to go through the merges agree
                what = f"segment({word}, {ranks})" if len(ranks) < 5 else f"segment({word}, ranks)"
                compare_values(mine.segment(word, ranks), right, what, mistakes, word, ranks)


TEXTS = [
    "하늘이 하늘을 본다",
    "the theme of the  sea",
    "바다가 바다를 본다",
    "see the sea as the theme",
    "naïve 하늘 바다",
]
NEW_TEXTS = ["하늘 the  바다", "  the sea", "theme", "", "새 naïve  하늘을 ", "the\nsea 🌊"]
PIECE = " ?[^ ]+| +"


def _tokenizers(mine):
    """Some that learn from the texts, and the ranks of what they have learned."""
    for vocab_size in (256, 275, 300):
        tokenizer = mine.BytePairEncoding(TEXTS, vocab_size)
        yield tokenizer, tokenizer.ranks


def _pieces(text: str) -> list[str]:
    found, i = [], 0
    while i < len(text):
        j = i + (text[i] == " ")
        while j < len(text) and text[j] != " ":
            j += 1
        if text[i:j] == " ":  # no word follows at once: all these spaces
            while j < len(text) and text[j] == " ":
                j += 1
        found.append(text[i:j])
        i = j
    return found


def _bytes(text: str) -> tuple[bytes, ...]:
    return tuple(bytes([b]) for b in text.encode())


@byte_pair_encoding.stage("BytePairEncoding.cut", "cut", "a text in pieces, and each piece in tokens")
def cut(mine):
    def over(pieces):
        return lambda text, ranks: [token for piece in pieces(text) for token in _cut(_bytes(piece), ranks)]

    mistakes = [
        (over(lambda text: [text]), "The text is cut into pieces first: re.findall(PIECE, text)."),
        (over(str.split), "The spaces get lost: they belong to the pieces, re.findall(PIECE, text)."),
        (
            over(lambda text: text.split(" ")),
            "The spaces get lost: they belong to the pieces, re.findall(PIECE, text).",
        ),
        (lambda text, ranks: list(_bytes(text)), "Nothing is merged: segment each piece, with self.ranks."),
        (
            lambda text, ranks: [_cut(_bytes(piece), ranks) for piece in _pieces(text)],
            "All tokens come in one list, not a list for each piece.",
        ),
    ]
    for tokenizer, ranks in _tokenizers(mine):
        for text in NEW_TEXTS:
            what = say("{call} with {number} tokens", call=f"cut({text!r})", number=256 + len(ranks))
            compare_values(tokenizer.cut(text), over(_pieces)(text, ranks), what, mistakes, text, ranks)


@byte_pair_encoding.stage("BytePairEncoding.encode", "encode", "the id of each token")
def encode(mine):
    for tokenizer, ranks in _tokenizers(mine):
        for text in NEW_TEXTS:
            tokens = [token for piece in _pieces(text) for token in _cut(_bytes(piece), ranks)]
            mistakes = [(lambda t: [ord(c) for c in t], "These are characters: the ids are those of the tokens.")]
            right = [tokenizer.ids[token] for token in tokens]
            compare_values(tokenizer.encode(text), right, f"encode({text!r})", mistakes, text)


@byte_pair_encoding.stage(
    "BytePairEncoding.decode", "decode", "the text again, with � for bytes that form no whole character"
)
def decode(mine):
    mistakes = [
        (
            lambda o, ids: "".join(o.tokens[i].decode(errors="replace") for i in ids),
            "A character may be spread over several tokens: join their bytes first, then decode.",
        ),
        (
            lambda o, ids: b"".join(o.tokens[i] for i in ids).decode(errors="ignore"),
            "Bytes that are no character become �: errors='replace'.",
        ),
        (lambda o, ids: b"".join(o.tokens[i] for i in ids), "This is bytes: decode them, as UTF-8."),
        (
            lambda o, ids: " ".join(o.tokens[i].decode() for i in ids),
            "Nothing comes between tokens: the spaces are in them.",
        ),
    ]
    for tokenizer, ranks in _tokenizers(mine):
        for text in NEW_TEXTS:
            tokens = [token for piece in _pieces(text) for token in _cut(_bytes(piece), ranks)]
            for some in (tokens, tokens[1:], tokens[:-1]):
                ids = [tokenizer.ids[token] for token in some]
                right = b"".join(some).decode(errors="replace")
                try:
                    got = tokenizer.decode(ids)
                except UnicodeDecodeError as error:
                    hint = "Join the bytes of all tokens, and decode with errors='replace'."
                    raise Wrong(f"decode({ids}): {error}", hint) from error
                compare_values(got, right, f"decode({ids})", mistakes, tokenizer, ids)
        unknown = 256 + len(ranks)
        hint = "What is skipped is missed by nobody: look each id up in self.tokens."
        raises(KeyError, lambda o=tokenizer, i=unknown: o.decode([97, i]), f"decode([97, {unknown}])", hint)


# ---- byte-pair encoding, with fewer operations

incremental_bpe = Exercise("before/incremental_bpe", "before/byte-pair-encoding", difficulty=3, minutes=40)


@incremental_bpe.stage(
    "changed_pairs", "changed pairs", "what a merge in a word changes in how often pairs occur in it"
)
def changed_pairs(mine):
    bpe = book("before.byte_pair_encoding")

    def changes(word, pair, merge=bpe.merge, zeros=False, sign=1):
        found = Counter(pairwise(merge(word, pair)))
        found.subtract(pairwise(word))
        return Counter({other: sign * more for other, more in found.items() if more or zeros})

    change = varied(changes)
    mistakes = [
        (change(sign=-1), "The other way round: positive is what there is more of after the merge."),
        (change(zeros=True), "Pairs of which there are as many as before are left out."),
        (lambda w, p: +changes(w, p), "Pairs of which there are fewer are missing: they count, with a minus."),
        (
            lambda w, p: Counter(pairwise(bpe.merge(w, p))),
            "These are all pairs after the merge: what there were before goes off.",
        ),
        (
            change(merge=lambda w, p: _merged(w, p, overlapping=True)),
            "In a a a, only one pair is merged: the first one.",
        ),
        (
            lambda w, p: Counter({p: -Counter(pairwise(w))[p]}),
            "The neighbours of the new token are in new pairs, and their old ones are gone.",
        ),
    ]
    for word, both in (
        ("abcab", "ab"),
        ("aaa", "aa"),
        ("xaay", "aa"),
        ("abab", "ab"),
        ("aaaab", "aa"),
        ("abc", "ca"),
        ("", "ab"),
    ):
        inputs = tuple(word), tuple(both)
        compare_values(mine.changed_pairs(*inputs), changes(*inputs), f"{inputs}", mistakes, *inputs)


@incremental_bpe.stage("learn_incrementally", "same merges", "the same ids and merges as counting all pairs again")
def same_merges(mine):
    learn = book("before.byte_pair_encoding").learn
    mistakes = [
        (
            lambda w, a, v: learn({word: 1 for word in w}, a, v),
            "A change in a word counts as often as the word occurs.",
        ),
        (lambda w, a, v: (learn(w, a, v)[0], []), "The merges are missing, in the order in which they were learned."),
    ]
    for letters, longest, number, size in (
        ("abc", 6, 8, 9),
        ("ab", 9, 4, 12),
        ("abcd", 7, 12, 60),
        ("a", 9, 2, 9),
        ("abc", 5, 6, 3),
    ):
        words: Counter = Counter()
        for _ in range(number):
            words[tuple(_drawn(letters, longest, 1))] += int(torch.randint(1, 5, ()))
        inputs = dict(words), letters, size
        got = pair(mine.learn_incrementally(*inputs), "ids and merges", "things")
        compare_values(
            got[1], learn(*inputs)[1], "merges", [(lambda *x, w=w: w(*x)[1], hint) for w, hint in mistakes], *inputs
        )
        compare_values(got[0], learn(*inputs)[0], "ids")


class _Token(str):
    """A token that counts how often it is looked up or compared: what an algorithm does, whatever the machine."""

    __slots__ = ()
    used = 0

    def __hash__(self) -> int:
        _Token.used += 1
        return str.__hash__(self)

    def __eq__(self, other: object) -> bool:
        _Token.used += 1
        return str.__eq__(self, other)

    def __add__(self, other: str) -> _Token:
        return _Token(str.__add__(self, other))


def _operations(learn, *inputs) -> tuple[int, object]:
    """How many it takes, and what it returns."""
    _Token.used = 0
    result = learn(*inputs)
    return _Token.used, result


@incremental_bpe.stage(
    "learn_incrementally", "fewer operations", "only the words that have the merged pair are looked at"
)
def fewer_operations(mine):
    syllables = [a + b + c for a in "bdfgklmnprst" for b in "aeiou" for c in ("", "n", "r", "s", "l")]
    words: Counter = Counter()
    for _ in range(600):
        word = "".join(syllables[i] for i in torch.randint(len(syllables), (4,)).tolist())
        words[tuple(map(_Token, word))] += int(torch.randint(1, 9, ()))
    letters = [_Token(letter) for letter in "abdefgiklmnoprstu"]
    inputs = dict(words), letters, 120
    naive, right = _operations(book("before.byte_pair_encoding").learn, *inputs)
    used, got = _operations(mine.learn_incrementally, *inputs)
    compare_values(pair(got, "ids and merges", "things")[1], right[1], "merges")
    if 2 * used > naive:
        text = (
            "tokens were looked up or compared {used} times. Counting all pairs again takes {naive}; at most half of "
            "that is allowed"
        )
        hint = "Keep for each pair in which words it is, and after a merge look at these words only."
        raise Wrong(text, hint, used=used, naive=naive)


# ---- batches of tokens

batches = Exercise("before/batches_of_tokens", "before/batches-of-tokens", difficulty=1, minutes=15)
CLS, SEP = 2, 3


@batches.stage("with_special", "special tokens", "[CLS], the ids, [SEP]; truncated to max_length")
def special_tokens(mine):
    mistakes = [
        (lambda ids, n: [CLS, *ids, SEP][:n], "[SEP] is cut off: cut the ids, before the marks are added."),
        (lambda ids, n: [CLS, *ids[:n], SEP], "The marks count, too: n - 2 ids have room."),
        (lambda ids, n: [CLS, *ids[: n - 1], SEP], "Both marks count: n - 2 ids have room."),
        (lambda ids, n: [CLS, *ids, SEP], "Nothing is truncated: at most max_length tokens, with the marks."),
        (lambda ids, n: [*ids[: n - 2], SEP], "[CLS] comes first."),
        (lambda ids, n: [CLS, *ids[-(n - 2) :], SEP], "The end of the text is cut off, not its beginning."),
        (lambda ids, n: [SEP, *ids[: n - 2], CLS], "[CLS] comes first and [SEP] last."),
    ]
    for ids in (list(range(20, 29)), [0, 7, 3, 1, 4], [6], []):
        for n in (5, 10, 4, 3, 2):
            right = [CLS, *ids[: n - 2], SEP]
            compare_values(mine.with_special(ids, n), right, f"with_special({ids}, {n})", mistakes, ids, n)


def _rows():
    for lengths in ((3, 1, 5), (2, 2), (4,), (1, 0, 6, 2)):
        yield [torch.randint(1, 30, (n,)).tolist() for n in lengths]


def _padded(rows, n=None, left=False, pad=0, mask=False):
    n = max(map(len, rows)) if n is None else n
    full = [[1] * len(row) if mask else row for row in rows]
    return torch.tensor([[pad] * (n - len(x)) * left + x + [pad] * (n - len(x)) * (not left) for x in full])


def _batch(mine, *inputs) -> tuple[Tensor, Tensor]:
    return pair(mine.batch(*inputs), "the ids and the attention mask")


IDS, IS_TOKEN = ("input_ids", "(batch, n)"), ("attention_mask", "(batch, n)")


@batches.stage("batch", "padding", "all rows as long as the longest, filled up with [PAD]")
def padding(mine):
    mistakes = [
        (lambda rows: _padded(rows, left=True), "Padding comes behind the tokens, unless left is True."),
        (lambda rows: _padded(rows, pad=1), "[PAD] is 0; 1 is [UNK]."),
        (
            lambda rows: _padded([x[: min(map(len, rows))] for x in rows]),
            "As long as the longest row, not the shortest.",
        ),
        (lambda rows: _padded(rows, mask=True), "That is the attention mask: return the ids first."),
    ]
    for rows in _rows():
        compare(_batch(mine, rows)[0], _padded(rows), *IDS, mistakes, rows)


@batches.stage("batch", "attention mask", "1 for a token, 0 for padding")
def attention_mask(mine):
    mistakes = [
        (lambda rows: 1 - _padded(rows, mask=True), "The other way round: 1 for a token, 0 for padding."),
        (lambda rows: torch.ones_like(_padded(rows)), "Padding gets 0."),
        (
            lambda rows: _padded(rows, mask=True).bool(),
            "0 and 1 are numbers here, not True and False: dtype=torch.long.",
        ),
        (lambda rows: _padded(rows, mask=True).float(), "0 and 1 are whole numbers here: dtype=torch.long."),
    ]
    for rows in _rows():
        got = _batch(mine, rows)[1]
        if isinstance(got, Tensor) and got.dtype != torch.long:
            hint = "As the library has it: 0 and 1, long."
            raise Wrong("attention_mask: expected torch.int64, got {wrong}", hint, wrong=got.dtype)
        compare(got, _padded(rows, mask=True), *IS_TOKEN, mistakes, rows)


@batches.stage("batch", "length", "as long as length says, if it is given")
def length(mine):
    mistakes = [
        (lambda rows, n, mask: _padded(rows, mask=mask), "length has no effect: fill up to it."),
        (lambda rows, n, mask: _padded(rows, n + 1, mask=mask), "Longer than length by 1."),
    ]
    for rows in _rows():
        for n in (6, 9):
            for got, mask, what in zip(_batch(mine, rows, n), (False, True), (IDS, IS_TOKEN), strict=True):
                compare(got, _padded(rows, n, mask=mask), *what, mistakes, rows, n, mask)


@batches.stage("batch", "left padding", "padding before the tokens, if left is True")
def left_padding(mine):
    mistakes = [
        (lambda rows, n, mask: _padded(rows, n, mask=mask), "left has no effect: the tokens stand at the end."),
        (lambda rows, n, mask: _padded(rows, n, mask=mask).flip(1), "The tokens are reversed, too: move them."),
    ]
    for rows in _rows():
        for n in (None, 8):
            for got, mask, what in zip(_batch(mine, rows, n, True), (False, True), (IDS, IS_TOKEN), strict=True):
                compare(got, _padded(rows, n, left=True, mask=mask), *what, mistakes, rows, n, mask)


@batches.stage("batch", "no room", "a ValueError, if a row is longer than length, or if there are no rows")
def no_room(mine):
    for rows, n in (([[1, 2, 3], [4]], 2), ([[5]], 0), ([], None), ([], 4)):
        try:
            got = mine.batch(rows, n)
        except ValueError:
            continue
        except (RuntimeError, IndexError, TypeError) as error:
            what = f"batch({rows}, {n}): {type(error).__name__}: {error}"
            raise Wrong(what, "Raise a ValueError first.") from error
        text, hint = "{call}: expected a ValueError, got {wrong}", "What does not fit is refused, not cut."
        if n == 0:
            hint = "A length of 0 is one, too, and no row fits: ask whether length is None, not whether it is true."
        wrong = tuple(got[0].shape) if isinstance(got, tuple) else type(got).__name__
        raise Wrong(text, hint, call=f"batch({rows}, {n})", wrong=wrong)


# ---- LSTM and GRU

lstm = Exercise("before/lstm", "before/lstm", difficulty=2, minutes=20)


def _steps(kind, gates: int, states: int):
    """A cell of PyTorch, with one step of it: its input, its states, and its parameters."""
    for d_in, d, shape in ((3, 2, (4,)), (4, 4, ()), (2, 5, (3, 2)), (1, 1, (2,))):
        cell = kind(d_in, d)
        for p in cell.parameters():
            nn.init.normal_(p)
        yield cell, torch.randn(*shape, d_in), [torch.randn(*shape, d) for _ in range(states)]


@torch.no_grad()
def _lstm_steps():
    for cell, x, (h, c) in _steps(nn.LSTMCell, 4, 2):
        flat = [y.reshape(-1, y.size(-1)) for y in (x, h, c)]
        right = [y.view_as(c) for y in cell(flat[0], (flat[1], flat[2]))]
        yield (x, h, c, cell.weight_ih, cell.weight_hh, cell.bias_ih + cell.bias_hh), right


def _lstm(order="ifgo", woven=False, squash=torch.sigmoid, inner=torch.tanh, outer=torch.tanh, **changed):
    def step(x, h, c, w_x, w_h, b):
        rows = x @ w_x.T + h @ w_h.T + (0 if changed.get("no_bias") else b)
        gates = rows.unflatten(-1, (-1, 4)).unbind(-1) if woven else rows.chunk(4, dim=-1)
        gate = dict(zip(order, gates, strict=True))
        i, f, o = squash(gate["i"]), squash(gate["f"]), squash(gate["o"])
        if changed.get("coupled"):
            i = 1 - f
        new = f * c + i * inner(gate["g"])
        if changed.get("no_forgetting"):
            new = c + i * inner(gate["g"])
        return new, o * outer(new), o * outer(c)

    return step


def _which(number, **changed):
    return lambda *x: _lstm(**changed)(*x)[number]


@lstm.stage("lstm_step", "cell state", "the forget gate keeps some of the old, the input gate writes some of the new")
@torch.no_grad()
def cell_state(mine):
    mistakes = [
        (_which(1), "That is the hidden state: return it first, and the cell state second."),
        (_which(0, order="figo"), "The rows belong to i, f, g, o: the input gate comes before the forget gate."),
        (_which(0, order="ifog"), "The rows belong to i, f, g, o: g comes before o."),
        (
            _which(0, woven=True),
            "Whole gates come one after the other, d rows each: chunk(4), or view(4, d), not view(d, 4).",
        ),
        (_which(0, inner=torch.sigmoid), "g is no gate: it goes through tanh, between -1 and 1."),
        (_which(0, inner=lambda g: g), "g goes through tanh."),
        (_which(0, squash=lambda g: g), "Gates are between 0 and 1: sigmoid."),
        (_which(0, squash=torch.tanh), "Gates are between 0 and 1: sigmoid, not tanh."),
        (_which(0, no_bias=True), "The bias b is missing."),
        (_which(0, coupled=True), "The input gate is a gate of its own, not 1 - f."),
        (_which(0, no_forgetting=True), "The forget gate is missing: f * c."),
        (lambda x, h, c, w_x, w_h, b: _lstm()(x, 0 * h, c, w_x, w_h, b)[0], "The hidden state h is missing: h W_h."),
    ]
    for inputs, (_, right) in _lstm_steps():
        got = pair(mine.lstm_step(*inputs), "the hidden state and the cell state")[1]
        compare(got, right, "cell state", "(..., d)", mistakes, *inputs)


@lstm.stage("lstm_step", "hidden state", "the output gate shows some of tanh of the new cell state")
@torch.no_grad()
def hidden_state(mine):
    mistakes = [
        (_which(1, outer=lambda c: c), "The cell state goes through tanh before the output gate."),
        (_which(1, outer=torch.sigmoid), "The cell state goes through tanh, not through a sigmoid."),
        (_which(2), "The output is of the new cell state, not of the old one."),
        (_which(0), "That is the cell state: return the hidden state first."),
        (lambda *x: torch.tanh(_lstm()(*x)[0]), "The output gate is missing."),
    ]
    for inputs, (right, _) in _lstm_steps():
        got = pair(mine.lstm_step(*inputs), "the hidden state and the cell state")[0]
        compare(got, right, "hidden state", "(..., d)", mistakes, *inputs)


def _gru(order="rzn", **changed):
    def step(x, h, w_x, w_h, b_x, b_h):
        of_x = dict(zip(order, (x @ w_x.T + b_x).chunk(3, -1), strict=True))
        of_h = dict(zip(order, (h @ w_h.T + b_h).chunk(3, -1), strict=True))
        r, z = torch.sigmoid(of_x["r"] + of_h["r"]), torch.sigmoid(of_x["z"] + of_h["z"])
        inner = of_x["n"] + r * of_h["n"]
        if changed.get("before"):
            last = w_h.chunk(3)[2]
            inner = of_x["n"] + (r * h) @ last.T + b_h.chunk(3)[2]
        if changed.get("all"):
            inner = r * (of_x["n"] + of_h["n"])
        if changed.get("no_reset"):
            inner = of_x["n"] + of_h["n"]
        n = torch.sigmoid(inner) if changed.get("squash") else torch.tanh(inner)
        return (1 - z) * h + z * n if changed.get("swapped") else z * h + (1 - z) * n

    return step


@lstm.stage("gru_step", "gru", "one gate mixes the old and the new, the other resets what the new sees of the old")
@torch.no_grad()
def gru(mine):
    mistakes = [
        (_gru(swapped=True), "z keeps the old state here, as in PyTorch: z h + (1 - z) n."),
        (_gru(order="zrn"), "The rows belong to r, z, n: the reset gate comes first."),
        (_gru(before=True), "r multiplies the product W_h h + b_h, as in PyTorch, not h itself."),
        (_gru(all=True), "r multiplies what comes from h only, not what comes from x."),
        (_gru(no_reset=True), "The reset gate is missing: r times what comes from h."),
        (_gru(squash=True), "n is no gate: it goes through tanh."),
    ]
    for cell, x, (h,) in _steps(nn.GRUCell, 3, 1):
        inputs = x, h, cell.weight_ih, cell.weight_hh, cell.bias_ih, cell.bias_hh
        right = cell(x.reshape(-1, x.size(-1)), h.reshape(-1, h.size(-1))).view_as(h)
        compare(mine.gru_step(*inputs), right, "hidden state", "(..., d)", mistakes, *inputs)


# ---- attention for the recurrent translator

attentive = Exercise(
    "before/attentive_translator", "before/recurrent-attention", difficulty=2, minutes=20, without=("alignment",)
)
PAIRS = ("scores", "(batch, query, key)")


def _states():
    """Of the decoder, and of the encoder; with as many of both, no shape shows a mistake."""
    for batch, m, n, d in ((2, 3, 5, 4), (3, 4, 4, 6), (1, 1, 6, 2)):
        yield torch.randn(batch, m, d), torch.randn(batch, n, d)


@attentive.stage("DotScore.forward", "dot score", "the dot product of each hidden state with each state of the source")
def dot_score(mine):
    mistakes = [
        (lambda q, k: q @ k.mT / q.size(-1) ** 0.5, "Nothing is divided by √d yet: that comes with the Transformer."),
        (lambda q, k: k @ q.mT, "The axes are swapped: a row for each query, q k^T."),
        (lambda q, k: (q @ k.mT).softmax(-1), "These are weights: the softmax comes later."),
    ]
    for q, k in _states():
        got = mine.DotScore(q.size(-1))(q, k)
        compare(got, torch.einsum("bmd,bnd->bmn", q, k), *PAIRS, mistakes, q, k)


@attentive.stage("GeneralScore.forward", "general score", "the keys go through W first")
@torch.no_grad()
def general_score(mine):
    mistakes = [
        (lambda o, q, k: q @ k.mT, "W is missing: self.w(key)."),
        (lambda o, q, k: o.w(q) @ k.mT, "W belongs to the key: self.w(key). With the query, it is W transposed."),
        (lambda o, q, k: o.w(q) @ o.w(k).mT, "W acts once, on the key."),
    ]
    for q, k in _states():
        theirs, ours = twins(mine.GeneralScore, book("before.attentive_translator").GeneralScore, q.size(-1))
        expected = torch.einsum("bmd,de,bne->bmn", q, ours.w.weight, k)
        compare(theirs(q, k), expected, *PAIRS, mistakes, ours, q, k)


@attentive.stage("AdditiveScore.forward", "additive score", "tanh(h_t W + h̄_j U) · v, for each pair of states")
@torch.no_grad()
def additive_score(mine):
    def score(first, second, squash=torch.tanh):
        def of(o, q, k):
            pairs = getattr(o, first)(q).unsqueeze(2) + getattr(o, second)(k).unsqueeze(1)
            return o.v(squash(pairs)).squeeze(-1)

        return of

    mistakes = [
        (score("w", "u", lambda x: x), "tanh is missing: without it, the query changes no weight."),
        (score("w", "u", torch.relu), "tanh, not ReLU."),
        (score("w", "u", torch.sigmoid), "tanh, not a sigmoid."),
        (score("u", "w"), "W and U are swapped: W for the query, U for the key."),
        (lambda o, q, k: score("w", "u")(o, q, k).unsqueeze(-1), "The last axis, of size 1, is to go: squeeze(-1)."),
        (lambda o, q, k: score("w", "u")(o, q, k).mT, "The axes are swapped: a row for each query."),
    ]
    for q, k in _states():
        theirs, ours = twins(mine.AdditiveScore, book("before.attentive_translator").AdditiveScore, q.size(-1))
        rows = [[torch.tanh(ours.w(q[:, i]) + ours.u(k[:, j])) for j in range(k.size(1))] for i in range(q.size(1))]
        right = torch.stack([torch.stack([x @ ours.v.weight[0] for x in row], 1) for row in rows], 1)
        compare(theirs(q, k), right, *PAIRS, mistakes, ours, q, k)


def _attentive(mine):
    """Models with each score, hidden states of the decoder, and what the encoder hands over."""
    module = book("before.attentive_translator")
    scores = (module.DotScore, module.AdditiveScore, module.GeneralScore)
    for score, (hidden, states) in zip(scores, _states(), strict=True):
        batch, n, d = states.shape
        theirs, ours = twins(mine.AttentiveTranslator, module.AttentiveTranslator, 7, d, score)
        keep = torch.rand(batch, 1, n) < 0.6
        keep[..., 0] = True
        ends = [torch.randn(1, batch, d) for _ in range(2)]
        yield theirs, ours, hidden, book("before.encoder_decoder").Encoded(states, keep, *ends)


@attentive.stage(
    "AttentiveTranslator.weights", "attention weights", "the softmax of the scores, without padding", large=True
)
@torch.no_grad()
def attention_weights(mine):
    def scores(o, h, e):
        return o.score(h, e.states)

    def hidden(o, h, e, where):
        return scores(o, h, e).masked_fill(where, -math.inf).softmax(-1)

    mistakes = [
        (lambda o, h, e: scores(o, h, e).softmax(-1), "Padding gets a weight: set its scores to -inf."),
        (lambda o, h, e: scores(o, h, e), "These are the scores: the weights are their softmax."),
        (lambda o, h, e: hidden(o, h, e, e.mask), "True means a token in encoded.mask: hide where it is False."),
        (
            lambda o, h, e: hidden(o, h, e, ~e.mask.unsqueeze(1)),
            "encoded.mask has an axis for the steps already: (batch, 1, tokens).",
        ),
        (lambda o, h, e: scores(o, h, e).softmax(-1) * e.mask, "Mask before the softmax, so that weights sum to 1."),
        (lambda o, h, e: (scores(o, h, e) * e.mask).softmax(-1), "A score of 0 is a weight of e^0: set it to -inf."),
        (
            lambda o, h, e: scores(o, h, e).masked_fill(~e.mask, -math.inf).softmax(1),
            "The weights of a step sum to 1 over the source: softmax over the last axis.",
        ),
        (
            lambda o, h, e: hidden(o, e.states, e._replace(states=h), ~e.mask),
            "The query is the decoder's hidden state.",
        ),
    ]
    for theirs, ours, h, encoded in _attentive(mine):
        s = scores(ours, h, encoded).exp() * encoded.mask
        got = theirs.weights(h, encoded)
        compare(got, s / s.sum(-1, keepdim=True), "weights", "(batch, step, token)", mistakes, ours, h, encoded)


@attentive.stage("AttentiveTranslator.context", "context", "the encoder's states, averaged with these weights")
@torch.no_grad()
def context_vector(mine):
    mistakes = [
        (lambda o, h, e: o.score(h, e.states) @ e.states, "The states are weighted with the scores: use the weights."),
        (lambda o, h, e: e.h.transpose(0, 1).expand_as(h), "That is the same for each step: average e.states anew."),
        (lambda o, h, e: o.weights(h, e) @ h, "The decoder's states are averaged: average those of the encoder."),
        (
            lambda o, h, e: (e.states * e.mask.mT).sum(1, True).expand_as(h) / e.mask.sum(-1, True),
            "This is the plain mean of the states: weight them.",
        ),
    ]
    for theirs, ours, h, encoded in _attentive(mine):
        right = torch.einsum("bmn,bnd->bmd", ours.weights(h, encoded), encoded.states)
        compare(theirs.context(h, encoded), right, "context", "(batch, step, d)", mistakes, ours, h, encoded)
