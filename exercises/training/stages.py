"""Training and generating, stage by stage: loss, learning rate, Adam, greedy decoding, cache; then all together."""

from __future__ import annotations

import math
import random
import re
from collections.abc import Sequence
from dataclasses import replace
from pathlib import Path

import torch
from torch import Tensor, nn
from torch.utils.flop_counter import FlopCounterMode

from exercises.block.stages import configs
from exercises.capstone import OF_TRANSLATING
from exercises.checking import (
    EXERCISES,
    PARTS,
    Exercise,
    Wrong,
    allowed,
    book,
    compare,
    compare_values,
    load,
    load_together,
    raises,
    run,
    twins,
    varied,
)
from exercises.language import say
from exercises.model.stages import ids
from exercises.watching import Missing

# ---- the loss

loss = Exercise("training/loss", "training/teacher-forcing", difficulty=2, minutes=25)


def _logits():
    """Logits with targets: sentences, and a batch of them."""
    for shape, vocab_size in (((5,), 7), ((2, 4), 5), ((3, 2), 11)):
        yield 2 * torch.randn(*shape, vocab_size), torch.randint(vocab_size, shape)


def _each(x: Tensor, y: Tensor, **options) -> Tensor:
    return nn.functional.cross_entropy(x.flatten(0, -2), y.flatten(), **options)


@loss.stage("smoothed_cross_entropy", "cross-entropy", "the mean of -log p of the right token")
def cross_entropy(mine):
    mistakes = [
        (lambda x, y: -_each(x, y), "The sign is wrong: -log p is positive."),
        (lambda x, y: _each(x, y, reduction="sum"), "This is the sum: take the mean over the tokens."),
        (lambda x, y: _each(x.softmax(-1), y), "The softmax acts twice: log_softmax of the logits themselves."),
        (lambda x, y: _each(x, y, reduction="none").view_as(y), "There is one number for each token: take their mean."),
        (lambda x, y: -x.gather(-1, y.unsqueeze(-1)).mean(), "These are the logits of the targets: log_softmax first."),
        (lambda x, y: -x.softmax(-1).gather(-1, y.unsqueeze(-1)).mean(), "These are probabilities: log_softmax."),
        (lambda x, y: _each(x, y) / math.log(2), "This is in bits: the natural logarithm, as log_softmax has it."),
    ]
    for x, y in _logits():
        compare(mine.smoothed_cross_entropy(x, y), _each(x, y), "loss", "", mistakes, x, y)


@loss.stage("smoothed_cross_entropy", "padding", "what is to be ignored is left out of the mean")
def loss_of_padding(mine):
    mistakes = [
        (lambda x, y, i: _each(x, y), "Padding counts: leave out the targets that are ignore_index."),
        (lambda x, y, i: _each(x, y, ignore_index=i, reduction="sum") / y.numel(), "Divide by the tokens that count."),
        (lambda x, y, i: _each(x, y, ignore_index=0), "The index to ignore is an argument: ignore_index."),
        (
            lambda x, y, i: torch.stack([_each(a, b, ignore_index=i) for a, b in zip(x, y, strict=True)]).mean(),
            "This is the mean of the sentences' means, where short ones count too much: divide by all tokens at once.",
        ),
    ]
    for x, y in _logits():
        for ignored in (0, 3):
            y.view(-1)[1:3] = ignored
            got = mine.smoothed_cross_entropy(x, y, 0.0, ignored)
            compare(got, _each(x, y, ignore_index=ignored), "loss", "", mistakes, x, y, ignored)
        y.view(-1)[0] = -100
        compare(mine.smoothed_cross_entropy(x, y), _each(x, y), "loss with targets of -100", "")


@loss.stage(
    "smoothed_cross_entropy", "label smoothing", "ε is spread over all V tokens, the right one included", large=True
)
def label_smoothing(mine):
    def smoothed(x, y, e, share):
        log_p = x.log_softmax(-1)
        right = log_p.gather(-1, y.unsqueeze(-1)).squeeze(-1)
        return -((1 - e) * right + e * share(log_p, right)).mean()

    mistakes = [
        (lambda x, y, e: _each(x, y), "epsilon has no effect."),
        (lambda x, y, e: smoothed(x, y, e, lambda p, r: p.sum(-1)), "ε is shared out: ε / V for each token."),
        (
            lambda x, y, e: smoothed(x, y, e, lambda p, r: (p.sum(-1) - r) / (p.size(-1) - 1)),
            "ε is spread over the V - 1 other tokens: here, over all V (as in PyTorch).",
        ),
        (
            lambda x, y, e: smoothed(x, y, e, lambda p, r: (p.sum(-1) - r) / p.size(-1)),
            "The right token gets its share of ε, too: ε / V for every token.",
        ),
        (
            lambda x, y, e: smoothed(x, y, e, lambda p, r: (p.sum(-1) - r) / (p.size(-1) - 2)),
            "ε is spread over V - 2 tokens, without the right one and padding: here, over all V.",
        ),
        (
            lambda x, y, e: smoothed(x, y, e, lambda p, r: (p.sum(-1) - r - p[..., 0]) / (p.size(-1) - 2)),
            "ε is spread over V - 2 tokens, without the right one and padding: here, over all V.",
        ),
        (
            lambda x, y, e: smoothed(x, y, e, lambda p, r: p.mean(-1)) - e * _each(x, y),
            "The right token keeps 1 - ε, not 1: (1 - ε) times its -log p.",
        ),
        (
            lambda x, y, e: smoothed(x, y, e, lambda p, r: p.mean(-1)) + e * _each(x, y),
            "The right token keeps 1 - ε, not 1: (1 - ε) times its -log p.",
        ),
    ]
    for x, y in _logits():
        for e in (0.1, 0.6):
            got = mine.smoothed_cross_entropy(x, y, e)
            compare(got, _each(x, y, label_smoothing=e), "loss", "", mistakes, x, y, e)
    x, y = torch.randn(4, 5).index_fill(-1, torch.tensor([0]), -torch.inf), torch.tensor([1, 2, 3, 4])
    got = mine.smoothed_cross_entropy(x, y, 0.0)  # a token that is hidden from the model
    if isinstance(got, Tensor) and got.isnan().any():
        hint = "0 times -inf is nan: without epsilon, leave out what it is a factor of."
        raise Wrong("loss with logits of -inf, epsilon 0: nan", hint)
    compare(got, _each(x, y), "loss with logits of -inf")


@loss.stage("next_token_loss", "teacher forcing", "each token of the target is predicted from those before it")
@torch.no_grad()
def teacher_forcing(mine):
    entropy = book("training.loss").smoothed_cross_entropy
    mistakes = [
        (
            lambda o, s, t, e: entropy(o(s, t), t, e, o.pad_id),
            "The target is not shifted: in goes tgt[:, :-1], out has to come tgt[:, 1:].",
        ),
        (
            lambda o, s, t, e: entropy(o(s, t[:, :-1]), t[:, :-1], e, o.pad_id),
            "The target is not shifted: in goes tgt[:, :-1], out has to come tgt[:, 1:].",
        ),
        (
            lambda o, s, t, e: entropy(o(s, t[:, 1:]), t[:, :-1], e, o.pad_id),
            "The target is shifted the wrong way: in goes tgt[:, :-1], out has to come tgt[:, 1:].",
        ),
        (
            lambda o, s, t, e: entropy(o(s, t[:, 1:]), t[:, 1:], e, o.pad_id),
            "What goes in is what has to come out: in goes tgt[:, :-1].",
        ),
        (
            lambda o, s, t, e: entropy(o(s, t[:, :-1]), t[:, 1:], e),
            "The loss counts padding: hand on model.pad_id as ignore_index.",
        ),
        (
            lambda o, s, t, e: entropy(o(s, t[:, :-1]), t[:, 1:], e, 0),
            "The loss takes 0 for padding: hand on model.pad_id as ignore_index.",
        ),
        (
            lambda o, s, t, e: entropy(o(s, t[:, :-1]), t[:, 1:], 0.0, o.pad_id),
            "epsilon gets lost: hand it on.",
        ),
    ]
    for config in (configs()[0], replace(configs()[1], pad_id=3)):
        model, _ = twins(*2 * [book("model.transformer").Transformer], config)
        for n, m in ((5, 4), (4, 6)):
            src, tgt = ids(3, n, config.pad_id), ids(3, m, config.pad_id)
            for e in (0.0, 0.1):
                right = _each(model(src, tgt[:, :-1]), tgt[:, 1:], label_smoothing=e, ignore_index=config.pad_id)
                got = mine.next_token_loss(model, src, tgt, e)
                compare(got, right, "loss", "", mistakes, model, src, tgt, e)


# ---- the learning rate

warm_up = Exercise("training/warm_up", "training/warm-up", difficulty=1, minutes=10)


@warm_up.stage("learning_rate", "learning rate", "up in a line for warmup_steps, then down with the root of the step")
def rate(mine):
    def rates(formula):
        return lambda d, w: torch.tensor([formula(s, d, w) for s in STEPS], dtype=torch.float64)

    mistakes = [
        (rates(lambda s, d, w: d**-0.5 * max(s**-0.5, s * w**-1.5)), "Take the smaller of the two, not the larger."),
        (rates(lambda s, d, w: min(s**-0.5, s * w**-1.5)), "The factor d_model^-0.5 is missing."),
        (rates(lambda s, d, w: d**-0.5 * s**-0.5), "The warm-up is missing: step × warmup_steps^-1.5."),
        (rates(lambda s, d, w: d**-0.5 * s * w**-1.5), "The rate never falls: step^-0.5 after the warm-up."),
        (rates(lambda s, d, w: d**-0.5 * min(s**-0.5, s * w**-0.5)), "The exponent of warmup_steps is -1.5."),
        (rates(lambda s, d, w: d**0.5 * min(s**-0.5, s * w**-1.5)), "The exponent of d_model is -0.5."),
        (rates(lambda s, d, w: d**-0.5 * min((s + 1) ** -0.5, (s + 1) * w**-1.5)), "The steps count from 1 already."),
        (
            rates(lambda s, d, w: d**-0.5 * min(s**-0.5, s * 4000**-1.5)),
            "warmup_steps is an argument: it is not always 4000.",
        ),
    ]
    for d_model, warmup_steps in ((512, 4000), (64, 100), (16, 1)):
        got = torch.tensor([float(mine.learning_rate(s, d_model, warmup_steps)) for s in STEPS], dtype=torch.float64)
        s = torch.tensor(STEPS, dtype=torch.float64)
        right = d_model**-0.5 * torch.where(s < warmup_steps, s / warmup_steps**1.5, s.rsqrt())
        compare(got, right, "rates", say("the steps {steps}", steps=STEPS), mistakes, d_model, warmup_steps)


STEPS = [1, 2, 50, 99, 100, 101, 1000, 3999, 4000, 4001, 100_000]

# ---- Adam

adam = Exercise("training/adam", "training/adam", difficulty=2, minutes=20)


def _moved(gradients: Tensor, lr, betas, eps, **changed) -> Tensor:
    """Where 1, 2, 3, ... has come to with these gradients, one a step, and with something changed."""
    p = torch.arange(1.0, gradients.size(1) + 1)
    m = v = torch.zeros_like(p)
    for step, g in enumerate(gradients, start=changed.get("from_step", 1)):
        m = betas[0] * m + (1 - betas[0]) * g
        v = betas[1] * v + (1 - betas[1]) * (g if changed.get("not_squared") else g**2)
        if changed.get("forgets"):
            m, v = (1 - betas[0]) * g, (1 - betas[1]) * g**2
        step = changed.get("count", lambda step: step)(step)
        first, second = (1, 1) if changed.get("uncorrected") else (1 - betas[0] ** step, 1 - betas[1] ** step)
        first, second = (
            (first, 1) if changed.get("only_m") else (1, second) if changed.get("only_v") else (first, second)
        )
        m_hat, v_hat = m / first, v / second
        root = (v_hat + eps).sqrt() if changed.get("inside") else v_hat.sqrt() + eps
        if changed.get("no_root"):
            root = v_hat + eps
        p = p + changed.get("sign", -1) * lr * m_hat / root
    return p


@adam.stage("Adam.step", "steps", "the two means, corrected because they begin at 0, move the parameters")
def adam_steps(mine):
    changed = varied(_moved)

    mistakes = [
        (changed(uncorrected=True), "The means begin at 0: divide them by 1 - β^steps."),
        (changed(only_m=True), "The mean of squares begins at 0, too: divide it by 1 - β_2^steps."),
        (changed(only_v=True), "The mean of gradients begins at 0, too: divide it by 1 - β_1^steps."),
        (changed(count=lambda step: 1), "The steps are not counted: self.steps grows by 1 at each step."),
        (changed(from_step=0), "The first step is step 1: count it before the correction."),
        (changed(from_step=2), "The first step is step 1: it is counted twice."),
        (changed(no_root=True), "Divide by the square root of the mean square, not by the mean square."),
        (changed(inside=True), "eps is added to the root, not inside it."),
        (changed(sign=1), "The sign is wrong: against the gradient."),
        (changed(forgets=True), "The means of earlier steps get lost: change m and v in place (mul_, add_)."),
        (lambda g, lr, b, e: _moved(g, lr, b[::-1], e), "The two betas are swapped: the first is of the gradient."),
        (lambda g, lr, b, e: _moved(g, 1e-3, b, e), "The learning rate is self.lr."),
        (
            lambda g, lr, b, e: torch.arange(1.0, g.size(1) + 1),
            "The parameter does not move: change it in place (sub_).",
        ),
    ]
    share = "All parameters share one count of steps: it grows once a step, not for each of them."
    mistakes.append((changed(count=lambda step: 2 * step - 1), share))
    of_second = [(changed(count=lambda step: 2 * step), share)]
    cases = ((1, 0.1, (0.9, 0.98), 0.01), (5, 0.05, (0.5, 0.9), 0.1), (3, 0.2, (0.9, 0.99), 1e-9))
    ended = []
    for count, lr, betas, eps in cases:
        gradients = torch.randn(count, 3)
        step, theirs, right, first, second = _both_adams(mine, lr, betas, eps)
        for g in gradients:
            step(g)
        what = say("parameter after step {number}", number=count)
        compare(*first(), what, "(component,)", mistakes, gradients, lr, betas, eps)
        what = say("second parameter after step {number}", number=count)
        compare(*second(), what, "(component,)", of_second, gradients[:, :2], lr, betas, eps)
        ended.append((step, theirs, right, first, torch.cat([gradients, gradients[:1]]), lr, betas, eps))
    unread = [(_moved, "The rate may change between steps, as in a warm-up: read self.lr at each of them.")]
    for step, theirs, right, first, gradients, *settings in ended:
        theirs.lr = right.param_groups[0]["lr"] = 0.7
        step(gradients[0])
        compare(*first(), "parameter after a change of lr", "(component,)", unread, gradients, *settings)


def _both_adams(mine, *settings):
    """The learner's and PyTorch's: a step of both, both, and what has become of two parameters."""
    (a, b), (right_a, right_b) = (
        [torch.arange(1.0, 4.0).requires_grad_(), torch.arange(1.0, 3.0).requires_grad_()] for _ in range(2)
    )
    theirs, right = mine.Adam([a, b], *settings), torch.optim.Adam([right_a, right_b], *settings)

    def step(g: Tensor) -> None:
        for p, gradient in ((a, g), (right_a, g), (b, g[:2]), (right_b, g[:2])):
            p.grad = gradient.clone()
        theirs.step()
        right.step()
        if a.grad is None or not torch.equal(a.grad, g):
            raise Wrong("gradient: the step has changed it in place, and others may still need it")

    return step, theirs, right, lambda: (a.detach(), right_a.detach()), lambda: (b.detach(), right_b.detach())


@adam.stage("Adam.step", "without gradient", "a parameter without a gradient stays where it is")
def without_gradient(mine):
    with_one, without = torch.ones(2, requires_grad=True), torch.ones(2, requires_grad=True)
    optimizer = mine.Adam([without, with_one], 0.1)
    with_one.grad = torch.ones(2)
    try:
        optimizer.step()
    except (TypeError, AttributeError) as error:
        hint = "p.grad may be None: leave such a parameter alone."
        raise Wrong(f"{type(error).__name__}: {error}", hint) from None
    compare(without.detach(), torch.ones(2), "parameter without a gradient", "(component,)")
    compare(with_one.detach(), torch.full((2,), 0.9), "parameter with one", "(component,)")
    with_one.grad = None  # from now on: its running mean is not 0, and moves it nowhere
    optimizer.step()
    if not torch.allclose(with_one, torch.full((2,), 0.9)):
        text, hint = (
            "parameter that had a gradient before: it moves without one",
            "No gradient is no gradient of 0: skip it.",
        )
        raise Wrong(text, hint)


# ---- BLEU

bleu_score = Exercise(
    "training/bleu", "training/bleu", difficulty=2, minutes=25, without=("train", "results", "EVERY", "SEEDS", "TEST")
)


def _texts(rng: random.Random, number: int, longest: int = 9) -> list[list[str]]:
    return [rng.choices("abc", k=rng.randint(0, longest)) for _ in range(number)]


def _counts(tokens: list, n: int) -> dict:
    counts: dict = {}
    for i in range(len(tokens) - n + 1):
        gram = tuple(tokens[i : i + n])
        counts[gram] = counts.get(gram, 0) + 1
    return counts


def _matches(a: list, b: list, n: int) -> int:
    of_b = _counts(b, n)
    return sum(min(count, of_b.get(gram, 0)) for gram, count in _counts(a, n).items())


@bleu_score.stage("ngram_counts", "n-gram counts", "each sequence of n tokens, with the number of times it occurs")
def counts_of_ngrams(mine):
    mistakes = [
        (lambda tokens, n: _counts(tokens[:-1], n), "The last n-gram is missing: there are len(tokens) - n + 1."),
        (lambda tokens, n: dict.fromkeys(_counts(tokens, n), 1), "Count how often each occurs."),
        (lambda tokens, n: _counts(tokens, n + 1), "These have n + 1 tokens."),
    ]
    rng = random.Random(0)
    for n in (1, 2, 3):
        for tokens in (_texts(rng, 1)[0], list("abab"), ["a"], []):
            compare_values(dict(mine.ngram_counts(tokens, n)), _counts(tokens, n), "n-grams", mistakes, tokens, n)


@bleu_score.stage("matches", "clipped matches", "each n-gram counts as often as it is in the reference at most")
def clipped_matches(mine):
    mistakes = [
        (
            lambda a, b, n: sum(count for gram, count in _counts(a, n).items() if gram in _counts(b, n)),
            "They are not clipped: an n-gram counts no more often than it is in the reference.",
        ),
        (lambda a, b, n: len(_counts(a, n).keys() & _counts(b, n).keys()), "Each counts as often as both have it."),
    ]
    rng = random.Random(1)
    for n in (1, 2, 3):
        for _ in range(6):
            a, b = _texts(rng, 2)
            compare_values(mine.matches(a, b, n), _matches(a, b, n), "matches", mistakes, a, b, n)


@bleu_score.stage("brevity_penalty", "brevity penalty", "e to the power of 1 - r / c where c is less than r, else 1")
def brevity(mine):
    mistakes = [
        (lambda c, r: math.exp(1 - r / c), "Nothing is won by being longer: 1 at most."),
        (lambda c, r: min(1.0, math.exp(1 - c / r)), "The two lengths are swapped."),
        (lambda c, r: min(1.0, c / r), "The penalty is exponential: e to the power of 1 - r / c."),
    ]
    for c, r in ((4, 6), (6, 6), (9, 6), (1, 8), (15, 2)):
        compare_values(mine.brevity_penalty(c, r), min(1.0, math.exp(1 - r / c)), "penalty", mistakes, c, r)
    compare_values(mine.brevity_penalty(0, 4), 0.0, "penalty of no token", (), 0, 4)


@bleu_score.stage(
    "bleu", "corpus", "counts are summed over the test set; then the geometric mean, the penalty, and 100"
)
def corpus(mine):
    def score(ours, theirs, longest, unit=100, penalised=True, geometric=True):
        shares = []
        for n in range(1, longest + 1):
            total = sum(max(0, len(a) - n + 1) for a in ours)
            shares.append(sum(_matches(a, b, n) for a, b in zip(ours, theirs, strict=True)) / max(1, total))
        mean = math.prod(shares) ** (1 / longest) if geometric else sum(shares) / longest
        c, r = (sum(map(len, texts)) for texts in (ours, theirs))
        penalty = min(1.0, math.exp(1 - r / c)) if c else 0.0
        return unit * mean * (penalty if penalised else 1)

    change = varied(score)
    mistakes = [
        (change(unit=1), "From 0 to 100: multiply by 100."),
        (change(penalised=False), "The brevity penalty is missing."),
        (change(geometric=False), "The mean of the precisions is the geometric one."),
        (
            lambda ours, theirs, longest: (
                sum(score([a], [b], longest) for a, b in zip(ours, theirs, strict=True)) / len(ours)
            ),
            "This is the mean of sentences: sum the counts over the test set first.",
        ),
        (lambda ours, theirs, longest: score(ours, theirs, 4), "longest is an argument: it is not always 4."),
    ]
    rng = random.Random(2)
    for longest in (4, 4, 4, 3, 3, 2, 2, 1, 1):
        ours, theirs = _texts(rng, 4, 14), _texts(rng, 4, 14)
        right = score(ours, theirs, longest)
        compare_values(mine.bleu(ours, theirs, longest), right, "BLEU", mistakes, ours, theirs, longest)
    compare_values(mine.bleu([["a", "b"]], [["a", "c"]], 2), 0.0, "BLEU without a match", (), [["a"]], [["b"]], 2)
    hint = "Raise a ValueError if their numbers differ, as zip does with strict=True."
    raises(ValueError, lambda: mine.bleu([["a"]], [["a"], ["b"]]), "two references for one translation", hint)


# ---- decoding

decoding = Exercise(
    "training/decoding",
    "training/decoding",
    difficulty=3,
    minutes=50,
    given=("inference",),
)


@decoding.stage("without_padding", "no padding", "padding gets probability 0")
def no_padding(mine):
    mistakes = [
        (lambda x, p: x.index_fill(1, torch.tensor([p]), 0.0), "A logit of 0 is no probability of 0: -inf is."),
        (lambda x, p: x, "Nothing is hidden."),
    ]
    for pad_id in (0, 3):
        x = torch.randn(2, 5)
        right = x.index_fill(1, torch.tensor([pad_id]), -torch.inf)
        compare(mine.without_padding(x, pad_id), right, "logits", "(batch, token)", mistakes, x, pad_id)


#: What a model would say, token by token, for two sentences: 2 is </s>, 0 is padding.
SPOKEN = torch.tensor([[5, 4, 2, 6, 6, 6], [3, 6, 4, 5, 2, 3]])


def _scripted(lengths: list[int], start: int = 1):
    def next_logits(tgt: Tensor) -> Tensor:
        lengths.append(tgt.size(1))
        logits = nn.functional.one_hot(SPOKEN[:, max(0, tgt.size(1) - start)], 7).float()
        logits[:, 0] = 2.0  # padding would be the most probable
        return logits

    return next_logits


@decoding.stage("generate", "greedy choice", "the most probable token is appended, and padding is none")
def greedy_choice(mine):
    mistakes = [
        (
            lambda new: torch.cat([torch.ones_like(new[:, :1]), new], 1),
            "What it began with is no new token: cut it off.",
        ),
        (lambda new: torch.zeros_like(new), "Padding was chosen: without_padding first, then the largest, argmax."),
    ]
    for most in (2, 1):
        right = SPOKEN[:, :most]
        got = mine.generate(_scripted([]), torch.ones(2, 1, dtype=torch.long), most, 0)
        compare(got, right, "new tokens", "(batch, position)", mistakes, right)


@decoding.stage("generate", "end of sentence", "behind </s> there is padding, and after the last </s> nothing")
def end_of_sentence(mine):
    filled = SPOKEN.clone()
    filled[0, 3:] = filled[1, 5:] = 0
    mistakes = [
        (lambda right: SPOKEN[:, : right.size(1)], "It goes on behind </s>: fill up with padding from there."),
        (lambda right: filled, "It goes on when all sentences have ended: stop there."),
        (lambda right: SPOKEN, "It goes on behind </s>: fill up with padding from there."),
        (lambda right: filled[:, :3], "It stops when the first sentence has ended: when all have."),
        (lambda right: filled[:, : right.size(1) - 1], "The last token is missing: append it before you stop."),
        (lambda right: right.masked_fill(right == 2, 0), "</s> itself is a new token: padding comes behind it."),
    ]
    for most, start in ((6, 1), (4, 1), (6, 2), (0, 1)):
        lengths: list[int] = []
        right = filled[:, : min(most, 5)]
        got = mine.generate(_scripted(lengths, start), torch.ones(2, start, dtype=torch.long), most, 0)
        compare(got, right, "new tokens", "(batch, position)", mistakes, right)
        if lengths != list(range(start, start + right.size(1))):
            text = "next_logits was called with {lengths} tokens: once for each new token, with all so far"
            raise Wrong(text, lengths=lengths)


def _untrained(config):
    return twins(*2 * [book("model.transformer").Transformer], config)[0]


def _dates():
    """Some that were never trained on: English sentences, Korean ones."""
    dates = book("before.dates")
    some = dates.HELD_OUT[::90]
    return [dates.english(date) for date in some], [dates.korean(date) for date in some]


def _trained():
    return book("training.translator").trained("dates").model


def _sources() -> Tensor:
    """Dates as ids; they differ in length, so that some have padding."""
    vocab = book("training.translator").DATE_VOCAB
    return book("before.vocabulary").pad([vocab.encode(sentence) for sentence in _dates()[0]])


@decoding.stage("greedy", "greedy", "the source is encoded once, then the tokens are generated, at inference")
def greedy(mine):
    generate, right_greedy = book("training.decoding").generate, book("training.decoding").greedy

    def with_logits(choose, first=1):
        @torch.no_grad()
        def wrong(model, src, most):
            memory = model.encode(src)
            start = torch.full_like(src[:, :1], first)
            return generate(lambda tgt: choose(model, tgt, memory, src), start, most, model.pad_id)

        return wrong

    mistakes = [
        (
            with_logits(lambda o, tgt, memory, src: o.decode(tgt, memory, src)[:, 0]),
            "The logits of the first position are used: those of the last, [:, -1].",
        ),
        (
            with_logits(lambda o, tgt, memory, src: o.decode(tgt[:, -1:], memory, src)[:, -1]),
            "The decoder sees the last token alone: it needs all so far.",
        ),
        (
            with_logits(lambda o, tgt, memory, src: o.decode(tgt, memory, src)[:, -1], first=2),
            "It begins with </s>: a sentence begins with <s>, BOS.",
        ),
        (
            with_logits(lambda o, tgt, memory, src: o.decode(tgt, memory, src)[:, -1], first=0),
            "It begins with padding: a sentence begins with <s>, BOS.",
        ),
    ]
    model, src = _trained(), _sources()
    right = right_greedy(model, src, 30)
    for most in (30, 4):
        got = mine.greedy(model, src, most)
        compare(got, right[:, :most], "new tokens", "(batch, position)", mistakes, model, src, most)
    counted = _counted(model, "encode")
    mine.greedy(model, src, 4)
    if counted != [1]:
        text = "the source was encoded {number} times for four tokens"
        raise Wrong(text, "Once is enough: encode it first, and decode with the memory.", number=sum(counted))
    _check_inference(mine.greedy, model, src, right)


@decoding.stage("length_penalty", "length penalty", "((5 + length) / 6) to the power of α")
def length_penalty(mine):
    mistakes = [
        (lambda n, a: n**a, "This is the length to the power of α: Wu et al. (2016) have ((5 + length) / 6)^α."),
        (
            lambda n, a: ((5 + n) / 6) ** -a,
            "What is divided by this rewards short sentences: the exponent is α, not -α.",
        ),
        (lambda n, a: (5 + n) ** a / 6, "The 6 is inside the power, too: a sentence of one token has penalty 1."),
    ]
    for length, alpha in ((1, 0.6), (7, 0.6), (20, 1.0), (13, 0.0), (4, 2.0)):
        right = ((5 + length) / 6) ** alpha
        compare_values(mine.length_penalty(length, alpha), right, "penalty", mistakes, length, alpha)


@torch.no_grad()
def _beam(
    model, src, size, most, alpha, adds=True, hides=True, cut=True, divides=True, behind=0, first=False, ends=True
):
    """The best sentence of a beam, token by token in Python, with what is changed of it."""
    memory, beam, found = model.encode(src), [(0.0, [1])], []
    for length in range(1, most + 1):
        longer = []
        for total, written in beam:
            logits = model.decode(src.new_tensor([written]), memory, src)[0, -1]
            if hides:
                logits = logits.index_fill(0, src.new_tensor([model.pad_id]), -torch.inf)
            log_p = logits.log_softmax(-1).tolist()
            longer += [(total * adds + p, [*written, token]) for token, p in enumerate(log_p)]
        longer = sorted(longer, reverse=True)[:size]
        penalty = ((5 + length + behind) / 6) ** alpha if divides else 1
        found += [(p / penalty, new[1:]) for p, new in longer if new[-1] == 2 or (length == most and cut)]
        beam = [(p, new) for p, new in longer if not (ends and new[-1] == 2)]
        if not beam or (first and found):
            break
    score, best = max(found, default=(-torch.inf, []))
    return best, score


def _unsure(seed: int):
    """A small model of five tokens, and a source; it is not so sure that each beam finds the same."""
    config = book("block.config").TransformerConfig
    torch.manual_seed(seed)
    sizes = {"vocab_size": 5, "num_layers": 1, "d_model": 8, "num_heads": 2, "d_ff": 16, "dropout": 0.0}
    model = book("model.transformer").Transformer(config(**sizes)).double().eval()
    with torch.no_grad():
        model.embedding.table.mul_(0.6)
    return model, torch.randint(2, 5, (1, 4))


def _scripted_model():
    """A model by hand: behind <s>, </s> or a token that goes on; behind </s>, as good as always </s> once more."""
    model, src = _unsure(0)
    p = torch.full((5, 5), 0.001, dtype=torch.float64)
    p[1, 2], p[1, 3], p[2, 2], p[3, 2], p[3, 4], p[4, 2] = 0.6, 0.4, 1.0, 0.5, 0.5, 1.0
    model.decode = lambda tgt, memory, src: p.log()[tgt]
    return model, src


SEEDS = range(8)


@decoding.stage("beam_search", "beam", "the beam_size hypotheses of the largest log-probability are continued")
def beams(mine):
    search = varied(_beam)
    mistakes = [
        (lambda model, src, size, *rest: _beam(model, src, 1, *rest), "This is greedy decoding: a beam has beam_size."),
        (search(adds=False), "Log-probabilities add up: that of a hypothesis is the sum over its tokens."),
        (search(hides=False), "Padding is a token here: without_padding first."),
        (search(first=True), "It stops at the first </s>: other hypotheses may still overtake it."),
        (lambda model, src, size, most, _: _beam(model, src, size, most, 0.6), "alpha has no effect."),
        (search(cut=False), "A hypothesis of max_new_tokens counts as a sentence, without </s>, too."),
    ]
    for seed in SEEDS:
        for size, most in ((1, 4), (2, 5), (3, 3), (200, 3)):
            model, src = _unsure(seed)
            inputs = model, src, size, most, 0.0
            compare_values(tuple(mine.beam_search(*inputs)), _beam(*inputs), "ids and score", mistakes, *inputs)


@decoding.stage("beam_search", "penalty", "what has been found is compared after division by the length penalty")
def penalised(mine):
    search = varied(_beam)
    mistakes = [
        (search(divides=False), "The length penalty is missing: divide by length_penalty(length, alpha)."),
        (search(behind=1), "The length counts the new tokens, </s> included, but not <s>."),
        (search(behind=-1), "The length counts the new tokens, and </s> is one of them."),
        (
            lambda model, src, size, most, alpha: _beam(model, src, size, most, -alpha),
            "You multiply by the penalty: a log-probability is negative, and dividing by more makes it larger.",
        ),
        (search(ends=False), "A sentence that has ended goes on: behind </s> nothing comes, so it leaves the beam."),
    ]
    for alpha in (3.0, 2.0):
        inputs = *_scripted_model(), 2, 4, alpha
        compare_values(tuple(mine.beam_search(*inputs)), _beam(*inputs), "ids and score", mistakes, *inputs)
    for seed in SEEDS:
        for size, most, alpha in ((2, 5, 0.6), (3, 4, 3.0), (200, 3, 1.0)):
            model, src = _unsure(seed)
            inputs = model, src, size, most, alpha
            compare_values(tuple(mine.beam_search(*inputs)), _beam(*inputs), "ids and score", mistakes, *inputs)
    refused = "Raise a ValueError first, unless src is one sentence and both sizes are positive."
    for number, size, most in ((2, 2, 3), (1, 0, 3), (1, 2, 0)):
        src = torch.full((number, 3), 3)
        raises(
            ValueError, lambda a=src, b=size, c=most: mine.beam_search(model, a, b, c), "sizes that do not fit", refused
        )
    model, src = _trained(), _sources()[:1]
    counted = _counted(model, "encode")
    right = torch.tensor(mine.beam_search(model, src, 2, 30)[0])
    if counted != [1]:
        text = "the source was encoded {number} times for a sentence"
        raise Wrong(text, "Once is enough: encode it first, and decode with the memory.", number=sum(counted))
    _check_inference(lambda *inputs: torch.tensor(mine.beam_search(*inputs[:2], 2, 30)[0]), model, src, right)


def _counted(model, name: str) -> list[int]:
    """How often one of its methods is called from now on: a list with that number in it."""
    method, count = getattr(model, name), [0]

    def counting(*args, **kwargs):
        count[0] += 1
        return method(*args, **kwargs)

    setattr(model, name, counting)
    return count


def _check_inference(generate, model, src: Tensor, right: Tensor) -> None:
    """The same tokens from a model in training, with dropout, which is in training afterwards."""
    model.dropout = nn.Dropout(0.5)
    model.train()
    if not all(torch.equal(generate(model, src, 30), right) for _ in range(2)):
        raise Wrong("new tokens: they depend on dropout", "Generate within `with inference(model):`.")
    if not model.training:
        raise Wrong("the model was in training before, and is not any more", "Use `with inference(model):`.")


# ---- the cache

cache = Exercise("training/cache", "training/cache", difficulty=3, minutes=40)


def _caches(mine, config):
    _, attention = twins(*2 * [book("attention.multi_head").MultiHeadAttention], config.d_model, config.num_heads)
    return mine.KVCache(attention), attention


@cache.stage("KVCache.append", "append", "keys and values of new tokens come behind those that are kept")
@torch.no_grad()
def append(mine):
    split = book("attention.multi_head").split_heads
    mistakes = [
        (lambda w, o, x: split(w(x[:, -2:]), o.num_heads), "What was kept is replaced: concatenate, dim=2."),
        (
            lambda w, o, x: split(w(torch.cat([x[:, 3:], x[:, :3]], 1)), o.num_heads),
            "New tokens come behind the others.",
        ),
        (
            lambda w, o, x: torch.cat([split(w(y), o.num_heads) for y in x.split((3, 2), 1)], -1),
            "They are concatenated along d_k: along the positions, dim=2.",
        ),
        (lambda w, o, x: split(x, o.num_heads), "Nothing is projected: w_k(x) and w_v(x)."),
        (lambda w, o, x: split(o.w_q(x), o.num_heads), "Keys and values are kept, not queries: w_k(x), w_v(x)."),
        (
            lambda w, o, x: split((o.w_v if w is o.w_k else o.w_k)(x), o.num_heads),
            "Keys and values are swapped: keys are w_k(x), values w_v(x).",
        ),
    ]
    for config in configs():
        kept, attention = _caches(mine, config)
        x = torch.randn(2, 5, config.d_model)
        for before, after in ((0, 3), (3, 5)):
            kept.append(x[:, before:after])
            for what, w in (("keys", attention.w_k), ("values", attention.w_v)):
                got, so_far = getattr(kept, what), x[:, :after]
                right = split(w(so_far), config.num_heads)
                compare(got, right, what, "(batch, head, position, d_k)", mistakes, w, attention, so_far)
        with FlopCounterMode(display=False) as counter:
            kept.append(torch.randn(2, 1, config.d_model))
        rows = counter.get_total_flops() / (2 * 2 * 2 * config.d_model**2)  # two sentences, two matrices, two FLOPs
        if rows > 1:
            text = "one token more, behind 5: {number} of them are multiplied by W_K and W_V"
            raise Wrong(text, "What is kept is keys and values: project the new tokens alone.", number=f"{rows:.0f}")


@cache.stage("KVCache.attend", "attend", "queries of the new tokens attend to all that is kept")
@torch.no_grad()
def attend(mine):
    module = book("attention.multi_head")

    def heads(o, x, y, m):
        q, k, v = (module.split_heads(w(z), o.num_heads) for w, z in ((o.w_q, x), (o.w_k, y), (o.w_v, y)))
        return module.merge_heads(book("attention.scaled_dot_product").scaled_dot_product_attention(q, k, v, m)[0])

    mistakes = [
        (lambda o, x, y, m: heads(o, x, y, m), "W_O is missing: project what was merged."),
        (lambda o, x, y, m: o.w_o(heads(o, x, y, None)), "The mask gets lost."),
        (
            lambda o, x, y, m: o.w_o(heads(o, x, torch.cat([y, x], 1), None)),
            "attend keeps nothing: append does that.",
        ),
    ]
    for config in configs():
        kept, attention = _caches(mine, config)
        y, x, m = torch.randn(2, 4, config.d_model), torch.randn(2, 3, config.d_model), allowed(2, 1, 3, 4)
        split = module.split_heads
        kept.keys, kept.values = (split(w(y), config.num_heads) for w in (attention.w_k, attention.w_v))
        right = attention.w_o(heads(attention, x, y, m))
        compare(kept.attend(x, m), right, "output", "(batch, query, d_model)", mistakes, attention, x, y, m)


def _decoders(mine, config):
    model, src = _untrained(config), ids(3, 4, config.pad_id)
    return mine.CachedDecoder(model, src), model, src


@cache.stage("CachedDecoder.layer", "cached layer", "the token is kept and attends to itself and those before it")
@torch.no_grad()
def cached_layer(mine):
    def changed(own_first=True, mask=True, grows=False, order=(1, 2, 3), norms=True):
        def outputs(model, src, xs):
            decoder = book("training.cache").CachedDecoder(model, src)
            layer, own, cross = decoder.layers[0], decoder.of_tokens[0], decoder.of_memory[0]
            results = []
            for x in xs:

                def look_back(y, x=x):
                    if not own_first and own.keys is not None:
                        output = own.attend(y)
                        own.append(y)
                        return output
                    own.append(y if norms else x)
                    return own.attend(y)

                def look_across(y):
                    if grows:
                        cross.append(y)
                    return cross.attend(y, decoder.mask if mask and not grows else None)

                x = layer.residual_1(x, look_back)
                x = layer.residual_2(x, look_across)
                results.append(layer.residual_3(x, layer.feed_forward) if 3 in order else x)
            return torch.cat(results, 1)

        return outputs

    mistakes = [
        (changed(mask=False), "Padding of the source is not masked: self.mask in the cross-attention."),
        (changed(grows=True), "The keys of the cross-attention are those of the memory: nothing is appended to them."),
        (changed(norms=False), "What is kept is x: with pre-LN, LN(x), the argument of the sublayer."),
        (changed(order=(1, 2)), "The feed-forward network is missing."),
        (
            changed(own_first=False),
            "Keep the token before it attends, since it attends to itself, too: append, then attend.",
        ),
        (
            lambda model, src, xs: torch.cat([changed()(model, src, [x]) for x in xs], 1),
            "Nothing is kept: own.append(y).",
        ),
    ]
    for config in configs():
        theirs, model, src = _decoders(mine, config)
        xs = torch.randn(4, 3, 1, config.d_model)
        try:
            got = torch.cat([theirs.layer(0, x) for x in xs], 1)
        except (AttributeError, TypeError, ValueError) as error:
            if theirs.of_tokens[0].keys is not None or not re.search("None|nothing", str(error)):
                raise
            hint = (
                "Keep the token before it attends, since it attends to itself, too: own.append(y), then own.attend(y)."
            )
            kind = type(error).__name__
            raise Wrong("it raises {kind}: {error}", hint, kind=kind, error=error) from None
        whole = model.decoder.layers[0](
            torch.cat(list(xs), 1),
            model.encode(src),
            book("attention.masks").causal_mask(4),
            book("attention.masks").padding_mask(src, config.pad_id),
        )
        compare(got, whole, "outputs of four steps", "(batch, step, d_model)", mistakes, model, src, xs)


@cache.stage("CachedDecoder.logits", "cached logits", "step by step the same logits as for all tokens at once")
@torch.no_grad()
def cached_logits(mine):
    def stepwise(start=lambda step: step, normed=True, layers=None, shared=False):
        def wrong(model, src, tgt):
            decoder = book("training.cache").CachedDecoder(model, src)
            if shared:
                decoder.of_tokens = decoder.of_tokens[:1] * len(decoder.layers)
            results = []
            for step, tokens in enumerate(tgt.T):
                x = model.embed(tokens.unsqueeze(1), start=start(step))
                for i in range(layers or len(decoder.layers)):
                    x = decoder.layer(i, x)
                results.append(model.embedding.logits(model.decoder.norm(x) if normed else x))
            return torch.cat(results, 1)

        return wrong

    mistakes = [
        (stepwise(lambda step: step + 1), "Positions are one too far: the first token stands at 0, start=self.length."),
        (stepwise(lambda step: max(0, step - 1)), "Positions lag by one: the second token stands at position 1."),
        (stepwise(lambda step: 0), "Every token stands at position 0: start=self.length, which grows by 1 each time."),
        (stepwise(normed=False), "The decoder's final norm is missing: self.model.decoder.norm."),
        (stepwise(layers=1), "Only the first layer acts."),
        (stepwise(shared=True), "All layers share one cache: each layer has its own, self.of_tokens[i]."),
    ]
    for config in configs():
        theirs, model, src = _decoders(mine, config)
        tgt = torch.randint(4, 11, (3, 5))
        got = [theirs.logits(tokens) for tokens in tgt.T]
        if isinstance(got[0], Tensor) and got[0].shape != (3, config.vocab_size):
            right, wrong = (3, config.vocab_size), tuple(got[0].shape)
            raise Wrong("logits: expected the shape {right}, (batch, V), got {wrong}", right=right, wrong=wrong)
        right = model.decode(tgt, model.encode(src), src)
        compare(torch.stack(got, 1), right, "logits", "(batch, step, token)", mistakes, model, src, tgt)


@cache.stage("cached_greedy", "cached greedy", "the same tokens as without a cache")
def cached_greedy(mine):
    model, src = _trained(), _sources()
    right = book("training.decoding").greedy(model, src, 30)
    mistakes = [(lambda right: right[:, :1].expand_as(right), "Each step decodes the token before it: tgt[:, -1].")]
    for most in (30, 4):
        got = mine.cached_greedy(model, src, most)
        compare(got, right[:, :most], "new tokens", "(batch, position)", mistakes, right[:, :most])
    counted = _counted(model, "decode")
    mine.cached_greedy(model, src, 4)
    if counted != [0]:
        text = "model.decode was called {number} times for four tokens: it computes all earlier tokens again"
        raise Wrong(text, "The cache is for that: CachedDecoder.logits, a token at a time.", number=counted[0])
    _check_inference(mine.cached_greedy, model, src, right)


# ---- all together

translator = Exercise(
    "training/translator",
    "training/translator",
    difficulty=1,
    minutes=10,
    without=(
        *("schedule", "translation_loss", "new_trainer", "draw_dates", "date_trainer", "draw_numbers"),
        *("number_trainer", "date_exact_match", "trained"),
    ),
)


@translator.stage("translate", "translate", "sentences to ids, ids to ids, ids to sentences")
def translate(mine):
    vocab = book("training.translator").DATE_VOCAB
    english, korean = _dates()
    got = mine.translate(_trained(), vocab, english)
    if got != korean:
        different = next((pair for pair in zip(got, korean, strict=False) if pair[0] != pair[1]), (got, korean))
        raise Wrong("translations: expected {right}, got {wrong}", right=different[1], wrong=different[0])
    right = [sentence[:3] for sentence in korean]
    hint = [(lambda: korean, "max_new_tokens has no effect: hand it on.")]
    got = mine.translate(_trained(), vocab, english, 3)
    compare_values(got, right, "translations of at most three tokens", hint)


@translator.stage("translate", "all of it yours", "the Transformer made of your own parts translates dates", whole=True)
def all_yours(mine):
    folder, first, blank = Path(mine.__file__).parents[1], "first: {name}, {stage} (pytest exercises/{name}.py)", {}
    for exercise in (EXERCISES[name] for name in OF_TRANSLATING):
        path = folder / f"{exercise.name}.py"
        if not path.is_file():
            text = "{name} is missing: pytest exercises/{name}.py begins it"
            raise Missing(text, name=exercise.name)
        if exercise is not translator:
            answer = load(path, exercise.name)
            for stage in exercise.stages:
                try:
                    run(stage, answer)
                except NotImplementedError as error:  # of a function that nobody may call, such as beam_search
                    blank.setdefault(str(error), {"name": exercise.name, "stage": stage.name})
                except Exception:
                    raise Wrong(first, name=exercise.name, stage=stage.name) from None
    try:
        translate_with(folder, OF_TRANSLATING)
    except NotImplementedError as error:
        raise (Wrong(first, **blank[str(error)]) if str(error) in blank else error) from None


def translate_with(folder: Path, names: Sequence[str]) -> None:
    """Translate with these files of the learner's in the place of the book's, with a cache and without one."""
    own = load_together(folder, PARTS, [name for name in EXERCISES if name not in names])
    module, trained = own("training/translator"), _trained()
    config = replace(module.SMALL, vocab_size=len(module.DATE_VOCAB))
    model = own("model/transformer").Transformer(config)
    model.load_state_dict(trained.state_dict())
    english, korean = _dates()
    got = module.translate(model, module.DATE_VOCAB, english)
    if got != korean:
        raise Wrong("translations with your own parts: expected {right}, got {wrong}", right=korean[0], wrong=got[0])
    cached = own("training/cache").cached_greedy(model, _sources(), 30).tolist()
    if [module.DATE_VOCAB.decode(row) for row in cached] != korean:
        raise Wrong("translations with your own parts: with the cache they are others than without it")
