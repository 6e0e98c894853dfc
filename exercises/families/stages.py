"""What grew out of the Transformer, stage by stage: BERT, GPT, sampling, ViT, today's block, FlashAttention, LoRA."""

from __future__ import annotations

import math
from collections.abc import Callable
from dataclasses import replace
from functools import partial
from pathlib import Path

import torch
from torch import Generator, Tensor, nn
from torch.nn import functional
from torch.utils._python_dispatch import TorchDispatchMode
from torch.utils.flop_counter import FlopCounterMode

from exercises.block.stages import TINY, VECTORS
from exercises.checking import (
    Exercise,
    Times,
    Wrong,
    allowed,
    book,
    compare,
    compare_values,
    load,
    load_together,
    pair,
    run,
    twins,
    varied,
)
from exercises.language import say
from exercises.model.stages import ids
from exercises.watching import Missing

LOGITS = ("logits", "(batch, position, token)")
NO_FACTOR = "There is no factor √d_model here, as there was in 2017."

# ---- three families

three_families = Exercise(
    "families/three_families",
    "families/three-families",
    difficulty=1,
    minutes=15,
    given=("full_mask", "dependence"),
)


@three_families.stage("prefix_mask", "prefix mask", "all see the prefix, and besides what comes before")
def prefix_mask(mine):
    def mask(see):
        return lambda n, p: torch.tensor([[see(i, j, p) for j in range(n)] for i in range(n)])

    mistakes = [
        (mask(lambda i, j, p: j <= i), "The prefix is missing: every position may attend to it."),
        (mask(lambda i, j, p: j < p), "Only the prefix is seen: besides, each position sees those before it."),
        (mask(lambda i, j, p: j <= i and j < p), "Both are allowed, the prefix and what comes before: |, not &."),
        (mask(lambda i, j, p: j <= i or i < p), "The prefix is a column, which all see, not a row that sees all."),
        (mask(lambda i, j, p: j <= i or j <= p), "One token too many: the prefix is tokens 0 to prefix - 1."),
        (mask(lambda i, j, p: not (j <= i or j < p)), "True means allowed in the book's masks: yours is inverted."),
    ]
    right = mask(lambda i, j, p: j <= i or j < p)
    for n, prefix in ((5, 2), (6, 4), (4, 0), (4, 4), (1, 1)):
        compare(mine.prefix_mask(n, prefix), right(n, prefix), "mask", "(query, key)", mistakes, n, prefix)
    if mine.prefix_mask(3, 1, torch.device("meta")).device.type != "meta":
        raise Wrong(
            "mask: it is right, but not on the device that was asked for",
            "Make it there: torch.arange(n, device=device), torch.ones(n, n, device=device).",
        )


def _spans() -> list[tuple[list[str], list[tuple[int, int]]]]:
    """Sentences, and stretches of them: in the middle, at both ends, next to each other, and none."""
    words = "a b c d e f g h i j".split()
    found = [(words, [(2, 4), (7, 8)]), (words[:6], [(0, 2), (5, 6)]), (words[:5], [(1, 2), (2, 4)]), (words[:3], [])]
    for _ in range(3):
        ends = sorted(torch.randperm(10)[:4].tolist())
        found.append((words, [(ends[0], ends[1]), (ends[2], ends[3])]))
    return found


def _sentinel(k: int) -> str:
    return f"<extra_id_{k}>"


def _left(tokens, spans, *, rest=True, first=0, each=False, same=False, last=0, marks=True) -> list[str]:
    hidden = {i: k for k, (start, end) in enumerate(spans) for i in range(start, end + last)}
    found = []
    for i, token in enumerate(tokens):
        if i not in hidden:
            found += [token] if rest or not spans or i < spans[-1][1] else []
        elif marks and (each or hidden.get(i - 1) != hidden[i]):
            found.append(_sentinel(0 if same else hidden[i] + first))
    return found


def _taken(tokens, spans, *, end=True, first=0, marks=True, last=0) -> list[str]:
    found = []
    for k, (start, stop) in enumerate(spans):
        found += [_sentinel(k + first)] * marks + tokens[start : stop + last]
    return found + [_sentinel(len(spans) + first)] * end


@three_families.stage("span_corruption", "source", "in the place of each span stands a sentinel of its own")
def source(mine):
    changed = varied(_left)

    mistakes = [
        (_taken, "That is the target: return the source first."),
        (changed(rest=False), "What comes after the last span is missing."),
        (changed(first=1), "The sentinels count from 0: <extra_id_0>."),
        (changed(each=True), "One sentinel stands for a whole span, not for each of its tokens."),
        (changed(same=True), "Each span has a sentinel of its own: count them."),
        (changed(last=1), "The end of a span does not belong to it: tokens[start:end]."),
        (changed(marks=False), "The sentinels are missing."),
    ]
    for tokens, spans in _spans():
        got, _ = pair(mine.span_corruption(tokens, spans), "source and target", "lists")
        what = say("source of {tokens}, {spans}", tokens=" ".join(tokens), spans=spans)
        compare_values(got, _left(tokens, spans), what, mistakes, tokens, spans)


@three_families.stage("span_corruption", "target", "each sentinel with its span, and one more at the end")
def target(mine):
    changed = varied(_taken)

    mistakes = [
        (changed(end=False), "One more sentinel says where the last span ends."),
        (changed(first=1), "The sentinels count from 0: <extra_id_0>."),
        (changed(marks=False), "Each span follows its sentinel."),
        (changed(last=1), "The end of a span does not belong to it: tokens[start:end]."),
        (lambda t, s: [*_taken(t, s, end=False), "</s>"], "At the end comes the next sentinel, not </s>."),
        (lambda t, s: list(t), "The target is not the whole text: only what was taken out."),
    ]
    for tokens, spans in _spans():
        _, got = pair(mine.span_corruption(tokens, spans), "source and target", "lists")
        what = say("target of {tokens}, {spans}", tokens=" ".join(tokens), spans=spans)
        compare_values(got, _taken(tokens, spans), what, mistakes, tokens, spans)


# ---- BERT

bert = Exercise(
    "families/bert",
    "families/bert",
    difficulty=2,
    minutes=25,
    without=("BERT_NAMES", "MASKED_LM_NAMES", "CLASSIFIER_NAMES"),
)


def small(norm_first: bool, **changed):
    """Learned positions, GELU, and another padding for the second of two configurations."""
    config = book("block.config").TransformerConfig(**TINY)
    config = replace(config, norm_first=norm_first, positions="learned", max_length=9, **changed)
    return [
        replace(config, activation=functional.gelu),
        replace(config, num_heads=4, d_model=12, pad_id=3, activation=torch.tanh),
    ]


def _segments(tokens: Tensor) -> Tensor:
    """A second sentence from the middle on."""
    return (torch.arange(tokens.size(1)) >= tokens.size(1) // 2).long().expand_as(tokens)


def _berts(mine, name: str, *sizes: int):
    for config in small(norm_first=False):
        theirs, ours = twins(getattr(mine, name), getattr(book("families.bert"), name), config, *sizes)
        for n in (4, 6):
            tokens = ids(3, n, config.pad_id)
            if config.pad_id:
                tokens[1, 0] = 0  # a token as any other
            yield theirs, ours, tokens, _segments(tokens)


def _plain_norm(o, x: Tensor) -> Tensor:
    return functional.layer_norm(x, o.gamma.shape, o.gamma, o.beta, o.eps)


@bert.stage("Bert.embed", "bert embedding", "tokens, segments and positions are added; then the norm, then dropout")
@torch.no_grad()
def bert_embedding(mine):
    def embedded(o, t, s, tokens=1.0, segments=True, positions=True, from_position=0):
        at = torch.arange(from_position, from_position + t.size(1))
        x = tokens * o.tokens.weight[t] + (o.segments.weight[s] if segments else 0)
        return x + (o.positions.table[at] if positions else 0)

    def changed(**change):
        return lambda o, t, s: o.dropout(_plain_norm(o.norm, embedded(o, t, s, **change)))

    mistakes = [
        (changed(segments=False), "The segments are missing: self.segments(segment_ids)."),
        (lambda o, t, s: changed()(o, t, torch.zeros_like(s)), "segment_ids are ignored: only None means the first."),
        (changed(positions=False), "The positions are missing."),
        (changed(from_position=1), "Positions count from 0."),
        (lambda o, t, s: changed(tokens=o.tokens.weight.size(1) ** 0.5)(o, t, s), NO_FACTOR),
        (lambda o, t, s: o.dropout(embedded(o, t, s)), "The norm is missing."),
        (lambda o, t, s: _plain_norm(o.norm, embedded(o, t, s)), "Dropout is missing: it comes last."),
        (lambda o, t, s: _plain_norm(o.norm, o.dropout(embedded(o, t, s))), "Dropout comes after the norm."),
        (
            lambda o, t, s: o.dropout(
                _plain_norm(o.norm, embedded(o, t, s, positions=False)) + o.positions.table[: t.size(1)]
            ),
            "The norm comes after the sum of all three, positions included.",
        ),
    ]
    for theirs, ours, tokens, segments in _berts(mine, "Bert"):
        # instead of dropout, to see where it acts: a factor for each component, since the norm hides a common one
        theirs.dropout = ours.dropout = Times(torch.linspace(1, 3, ours.tokens.weight.size(1)))
        for given in (segments, None):
            s = torch.zeros_like(tokens) if given is None else given
            compare(theirs.embed(tokens, given), changed()(ours, tokens, s), *VECTORS, mistakes, ours, tokens, s)


@bert.stage("Bert.forward", "bert", "every token sees every other, on both sides; only padding is hidden")
@torch.no_grad()
def bert_forward(mine):
    def encoded(mask):
        return lambda o, t, s: o.encoder(o.embed(t, s), mask(t, (t != o.pad_id).unsqueeze(1)))

    def causal(t):
        return book("attention.masks").causal_mask(t.size(1))

    mistakes = [
        (encoded(lambda t, keep: None), "Padding is not masked: padding_mask(ids, self.pad_id)."),
        (encoded(lambda t, keep: keep & causal(t)), "There is no causal mask here: BERT reads to both sides."),
        (encoded(lambda t, keep: causal(t)), "There is no causal mask here, but padding is masked."),
        (encoded(lambda t, keep: ~keep), "True means allowed in the book's masks: yours shows nothing but padding."),
        (encoded(lambda t, keep: (t != 0).unsqueeze(1)), "The mask takes 0 for padding: self.pad_id."),
        (lambda o, t, s: o(t), "segment_ids get lost: hand them on to embed."),
        (lambda o, t, s: o.embed(t, s), "The encoder is missing."),
    ]
    for theirs, ours, tokens, segments in _berts(mine, "Bert"):
        theirs.embed = ours.embed  # whatever is wrong with it has been said
        compare(theirs(tokens, segments), ours(tokens, segments), *VECTORS, mistakes, ours, tokens, segments)


@bert.stage("MaskedLMHead.forward", "masked lm head", "dense, activation, norm, the embedding matrix, a bias")
@torch.no_grad()
def masked_lm_head(mine):
    def head(o, x, table, act=True, normed=True, bias=True, early=False):
        x = functional.linear(x, o.dense.weight, o.dense.bias)
        x = _plain_norm(o.norm, x) if early else x
        x = o.activation(x) if act else x
        x = _plain_norm(o.norm, x) if normed and not early else x
        return torch.einsum("bnd,vd->bnv", x, table) + (o.bias if bias else 0)

    changed = varied(head)

    mistakes = [
        (changed(act=False), "The activation is missing."),
        (changed(normed=False), "The norm is missing."),
        (changed(bias=False), "The bias is missing: each token has one."),
        (changed(early=True), "The norm comes after the activation."),
        (lambda o, x, t: x @ t.T + o.bias, "dense, activation and norm are missing."),
        (lambda o, x, t: head(o, x, t).softmax(-1), "These are probabilities: return the logits."),
    ]
    for config in small(norm_first=False):
        theirs, ours = twins(mine.MaskedLMHead, book("families.bert").MaskedLMHead, config)
        for n in (2, 5):
            inputs = torch.randn(3, n, config.d_model), torch.randn(config.vocab_size, config.d_model)
            compare(theirs(*inputs), head(ours, *inputs), *LOGITS, mistakes, ours, *inputs)


@bert.stage("BertForMaskedLM.forward", "masked lm", "BERT, then the head with the matrix of the tokens")
@torch.no_grad()
def masked_lm(mine):
    mistakes = [
        (lambda o, t, s: o(t), "segment_ids get lost: hand them on."),
        (lambda o, t, s: o.bert(t, s), "The head is missing: self.head(x, ...)."),
        (
            lambda o, t, s: o.head(o.bert(t, s)[:, :1], o.bert.tokens.weight),
            "Logits for each position, not only [CLS].",
        ),
        (lambda o, t, s: o.head(o.bert.embed(t, s), o.bert.tokens.weight), "The encoder is missing: self.bert(...)."),
    ]
    for theirs, ours, tokens, segments in _berts(mine, "BertForMaskedLM"):
        theirs.bert, theirs.head = ours.bert, ours.head
        for given in (segments, None):
            compare(theirs(tokens, given), ours(tokens, given), *LOGITS, mistakes, ours, tokens, given)


@bert.stage("BertClassifier.forward", "classifier", "the first vector, a dense layer and tanh, dropout, the labels")
@torch.no_grad()
def classifier(mine):
    def classified(first=lambda x: x[:, 0], squash=torch.tanh, drop=lambda o, x: 3 * x):
        def forward(o, t, s):
            x = squash(functional.linear(first(o.bert(t, s)), o.pooler.weight, o.pooler.bias))
            return functional.linear(drop(o, x), o.classifier.weight, o.classifier.bias)

        return forward

    mistakes = [
        (classified(lambda x: x.mean(1)), "This is the mean of all vectors: take that of [CLS], the first."),
        (classified(lambda x: x[:, -1]), "This is the last vector: take that of [CLS], the first."),
        (classified(lambda x: x), "One answer for the whole text: from [CLS] alone, [:, 0]."),
        (classified(squash=lambda x: x), "tanh is missing, after the pooler."),
        (classified(squash=torch.relu), "tanh follows the pooler, not ReLU."),
        (classified(drop=lambda o, x: x), "Dropout is missing, before the last layer."),
        (lambda o, t, s: 3 * o.classifier(o.bert(t, s)[:, 0]), "The pooler is missing, with its tanh."),
        (lambda o, t, s: classified()(o, t, None), "segment_ids get lost: hand them on."),
        (lambda o, t, s: classified()(o, t, s).softmax(-1), "These are probabilities: return the logits."),
    ]
    for theirs, ours, tokens, segments in _berts(mine, "BertClassifier", 5):
        theirs.bert, theirs.dropout = ours.bert, Times(3.0)
        for given in (segments, None):
            right = classified()(ours, tokens, given)
            compare(theirs(tokens, given), right, "logits", "(batch, label)", mistakes, ours, tokens, given)


# ---- GPT

gpt = Exercise("families/gpt", "families/gpt", difficulty=2, minutes=20, without=("unfused", "GPT_NAMES"))


def _gpts(mine):
    for config in small(norm_first=True):
        theirs, ours = twins(mine.GPT, book("families.gpt").GPT, config)
        for n in (5, 3):
            yield theirs, ours, torch.randint(config.vocab_size, (3, n))


@gpt.stage("GPT.embed", "gpt embedding", "tokens and positions are added, from start on, and dropout acts on the sum")
@torch.no_grad()
def gpt_embedding(mine):
    def embedded(o, t, s, factor=1.0):
        return factor * o.tokens.weight[t] + o.positions.table[s : s + t.size(1)]

    mistakes = [
        (lambda o, t, s: 3 * o.tokens.weight[t], "The positions are missing."),
        (lambda o, t, s: 3 * embedded(o, t, 0), "start is ignored: positions begin there, not at 0."),
        (lambda o, t, s: 3 * embedded(o, t, s + 1), "Positions begin at start, not at start + 1."),
        (lambda o, t, s: embedded(o, t, s), "Dropout is missing."),
        (lambda o, t, s: 3 * o.tokens.weight[t] + o.positions.table[s : s + t.size(1)], "Dropout acts on the sum."),
        (lambda o, t, s: 3 * embedded(o, t, s, o.tokens.weight.size(1) ** 0.5), NO_FACTOR),
    ]
    for theirs, ours, tokens in _gpts(mine):
        theirs.dropout = Times(3.0)
        for start in (0, 2):
            right = 3 * embedded(ours, tokens, start)
            compare(theirs.embed(tokens, start), right, *VECTORS, mistakes, ours, tokens, start)


@gpt.stage("GPT.logits", "gpt logits", "a score for each token: the product with each row of the embedding matrix")
@torch.no_grad()
def gpt_logits(mine):
    mistakes = [
        (lambda o, x: (x @ o.tokens.weight.T).softmax(-1), "These are probabilities: return the scores."),
        (lambda o, x: x @ o.tokens.weight.T * x.size(-1) ** 0.5, NO_FACTOR),
        (lambda o, x: x @ o.tokens.weight.T / x.size(-1) ** 0.5, NO_FACTOR),
    ]
    for theirs, ours, _ in _gpts(mine):
        x = torch.randn(2, 3, ours.tokens.weight.size(1))
        right = torch.einsum("bnd,vd->bnv", x, ours.tokens.weight)
        compare(theirs.logits(x), right, *LOGITS, mistakes, ours, x)


@gpt.stage("GPT.forward", "gpt", "no position sees a token that comes after it")
@torch.no_grad()
def gpt_forward(mine):
    def forward(mask):
        return lambda o, t: o.logits(o.stack(o.embed(t), mask(torch.ones(t.size(1), t.size(1)) > 0)))

    mistakes = [
        (forward(lambda full: None), "There is no causal mask: each position sees the tokens it has to predict."),
        (forward(lambda full: full.triu()), "The causal mask is transposed: positions see their future."),
        (forward(lambda full: full.triu(1)), "True means allowed in the book's masks: yours is inverted."),
        (forward(lambda full: full.tril(-1)), "A position sees itself, too: j <= i."),
        (lambda o, t: o.stack(o.embed(t), book("attention.masks").causal_mask(t.size(1))), "Logits are missing."),
        (lambda o, t: forward(lambda full: full.tril())(o, t)[:, -1], "Logits for each position, not only the last."),
        (lambda o, t: o.logits(o.embed(t)), "The layers are missing: self.stack."),
    ]
    for theirs, ours, tokens in _gpts(mine):
        theirs.embed, theirs.logits = ours.embed, ours.logits
        right = torch.stack(
            [ours.logits(ours.stack(ours.embed(tokens[:, :n]), _tril(n))[:, -1]) for n in _upto(tokens)], 1
        )
        compare(theirs(tokens), right, *LOGITS, mistakes, ours, tokens)  # prefix by prefix
    mistakes = [
        (lambda o, t, keep: forward(lambda full: full.tril())(o, t), "attn_mask has no effect: combine both with &."),
        (lambda o, t, keep: forward(lambda full: full.tril() | keep)(o, t), "Allowed is what both masks allow: &."),
        (lambda o, t, keep: forward(lambda full: keep)(o, t), "With attn_mask, the future is hidden, too: &."),
    ]
    for theirs, ours, tokens in _gpts(mine):
        theirs.embed, theirs.logits = ours.embed, ours.logits
        keep = torch.ones(tokens.size(0), 1, tokens.size(1)) > 0
        keep[0, :, -2:] = False
        right = forward(lambda full, keep=keep: full.tril() & keep)(ours, tokens)
        compare(theirs(tokens, keep), right, *LOGITS, mistakes, ours, tokens, keep)


def _upto(tokens: Tensor) -> range:
    return range(1, tokens.size(1) + 1)


def _tril(n: int) -> Tensor:
    return torch.ones(n, n).tril() > 0


@gpt.stage("causal_lm_loss", "language model loss", "each token is predicted from those before it")
@torch.no_grad()
def language_model_loss(mine):
    def loss(source, goal, **options):
        return lambda o, t, pad: functional.cross_entropy(
            o(source(t)).flatten(0, 1), goal(t).flatten(), ignore_index=options.get("ignore", pad)
        )

    mistakes = [
        (loss(lambda t: t, lambda t: t), "The target is not shifted: in goes ids[:, :-1], out has to come ids[:, 1:]."),
        (loss(lambda t: t[:, :-1], lambda t: t[:, :-1]), "The target is not shifted: out has to come ids[:, 1:]."),
        (loss(lambda t: t[:, 1:], lambda t: t[:, :-1]), "The target is shifted the wrong way: out comes ids[:, 1:]."),
        (loss(lambda t: t[:, 1:], lambda t: t[:, 1:]), "What goes in is what has to come out: in goes ids[:, :-1]."),
        (loss(lambda t: t[:, :-1], lambda t: t[:, 1:], ignore=-100), "Padding counts: hand on pad_id as ignore_index."),
    ]
    for _, ours, tokens in _gpts(mine):
        for pad_id in (-100, 0):
            if pad_id == 0:
                tokens[0, -2:] = 0
            right = loss(lambda t: t[:, :-1], lambda t: t[:, 1:])(ours, tokens, pad_id)
            compare(mine.causal_lm_loss(ours, tokens, pad_id), right, "loss", "", mistakes, ours, tokens, pad_id)


# ---- sampling

sampling = Exercise("families/sampling", "families/sampling", difficulty=2, minutes=30)
OF_TOKENS = ("logits", "(..., token)")


def _logits():
    for shape in ((3, 7), (2, 4, 5), (6,), (1, 12)):
        yield 2 * torch.randn(shape)


@sampling.stage("with_temperature", "temperature", "logits are divided by it")
def temperature(mine):
    mistakes = [
        (lambda x, t: x * t, "Below 1, the distribution gets sharper: divide by the temperature."),
        (lambda x, t: (x / t).softmax(-1), "These are probabilities: return the logits."),
        (lambda x, t: x.softmax(-1) / t, "The logits are divided, not the probabilities."),
    ]
    for x in _logits():
        for t in (0.5, 1.7):
            compare(mine.with_temperature(x, t), torch.stack([y / t for y in x]), *OF_TOKENS, mistakes, x, t)


def _cut(x: Tensor, keep: Tensor) -> Tensor:
    return x.masked_fill(~keep, -math.inf)


def _ranks(x: Tensor) -> Tensor:
    """0 for the largest along the last axis."""
    return x.argsort(-1, descending=True).argsort(-1)


@sampling.stage("top_k", "top-k", "the k largest logits remain, and the others become -inf")
def top_k(mine):
    mistakes = [
        (lambda x, k: x * (_ranks(x) < k), "A logit of 0 is no probability of 0: -inf is."),
        (lambda x, k: _cut(x, _ranks(x) < k - 1), "One token is missing: the k-th largest stays."),
        (lambda x, k: _cut(x, _ranks(x) <= k), "One token too many: the k largest stay."),
        (lambda x, k: _cut(x, _ranks(x) >= k), "The other way round: the largest stay."),
        (lambda x, k: _cut(x, _ranks(-x) < k), "These are the smallest: the largest stay."),
        (lambda x, k: x.topk(k).values, "All tokens keep their place: the others become -inf."),
        (lambda x, k: _cut(x, x >= x.flatten().topk(k).values[-1]), "Each row has a limit of its own."),
        (lambda x, k: _cut(x, x >= x.topk(k, dim=0).values[-1:]), "The largest of each row: along the last axis."),
        (lambda x, k: _cut(x, _ranks(x) < k).softmax(-1), "These are probabilities: return the logits."),
    ]
    for x in _logits():
        for k in (2, 1, 4):
            compare(mine.top_k(x, k), _cut(x, _ranks(x) < k), *OF_TOKENS, mistakes, x, k)
        compare(_whole_vocabulary(mine, x), x, "logits with k larger than the vocabulary", OF_TOKENS[1])
    hint = "Whatever is as large as the k-th stays, too: compare with it."
    for x in (torch.tensor([1.0, 3.0, 3.0, 0.0, 3.0]), torch.tensor([[3.0, 0.0, 3.0, 1.0, 3.0]])):
        got = mine.top_k(x, 2)
        compare(got, _cut(x, x == 3), "logits of equals", OF_TOKENS[1], [(lambda got=got: got, hint)])


def _whole_vocabulary(mine, x: Tensor) -> Tensor:
    try:
        return mine.top_k(x, 50)
    except RuntimeError as error:
        hint = "All of them stay: min(k, V)."
        raise Wrong("k = 50 of {number} tokens: {error}", hint, number=x.size(-1), error=error) from error


def _before(x: Tensor) -> Tensor:
    """The probability of all tokens that are more probable, added up one by one."""
    p = x.softmax(-1)
    return torch.where(p.unsqueeze(-2) > p.unsqueeze(-1), p.unsqueeze(-2), 0.0).sum(-1)


@sampling.stage("top_p", "top-p", "the fewest tokens remain whose probabilities reach p")
def top_p(mine):
    def in_order(x, p):
        ordered = x.softmax(-1).sort(-1, descending=True).values
        return _cut(x, ordered.cumsum(-1) - ordered < p)

    def of_logits(x, p):
        ordered, order = x.sort(-1, descending=True)
        cut = ordered.cumsum(-1) - ordered >= p
        return x.masked_fill(torch.zeros_like(cut).scatter(-1, order, cut), -math.inf)

    def ascending(x, p):
        return x.masked_fill(x.sort(-1).values.softmax(-1).cumsum(-1) <= 1 - p, -math.inf)

    mistakes = [
        (ascending, "The cut is made for sorted tokens: scatter it back to where they were."),
        (
            lambda x, p: _cut(x, _before(x) + x.softmax(-1) <= p),
            "The token with which p is reached is missing: it stays, too.",
        ),
        (lambda x, p: _cut(x, (_before(x) + x.softmax(-1) <= p) | (_ranks(x) == 0)), "The token that reaches p stays."),
        (in_order, "The cut is made for sorted tokens: scatter it back to where they were."),
        (of_logits, "Logits are added up: add up their softmax."),
        (lambda x, p: _cut(x, x.softmax(-1) >= p), "p is the sum of all that remain, not the least of one token."),
        (lambda x, p: _cut(x, _before(-x) < p), "These are the least probable: begin with the most probable one."),
        (lambda x, p: x * (_before(x) < p), "A logit of 0 is no probability of 0: -inf is."),
    ]
    for x in _logits():
        for p in (0.5, 0.8, 0.3, 1e-6, 1.0):
            compare(mine.top_p(x, p), _cut(x, _before(x) < p), *OF_TOKENS, mistakes, x, p)
    hint = "Where the probabilities reach p exactly, no further token is needed."
    for number in (1, 2, 3):  # a quarter each, in any floating-point format
        kept = int(mine.top_p(torch.zeros(4), number / 4).isfinite().sum())
        one_more = [(lambda number=number: number + 1, hint)]
        compare_values(kept, number, "number of tokens that remain", one_more)


@sampling.stage("min_p", "min-p", "tokens remain that are at least p times as probable as the first")
def min_p(mine):
    mistakes = [
        (
            lambda x, p: _cut(x, x - x.amax(-1, True) > math.log(p)),
            "At least p times as probable: with p = 1, the most probable token stays.",
        ),
        (lambda x, p: _cut(x, x.softmax(-1) >= p), "p is relative to the most probable token, not a probability."),
        (lambda x, p: _cut(x, x >= p * x.amax(-1, True)), "Probabilities are compared, not logits: softmax first."),
        (lambda x, p: _cut(x, x.softmax(-1) >= p * x.softmax(-1).max()), "Each row has a limit of its own."),
        (
            lambda x, p: _cut(x, x.softmax(-1) <= p * x.softmax(-1).amax(-1, True)),
            "The other way round: the more probable ones stay.",
        ),
        (lambda x, p: x * (x - x.amax(-1, True) >= math.log(p)), "A logit of 0 is no probability of 0: -inf is."),
    ]
    for x in _logits():
        for p in (0.1, 0.5, 0.9, 1.0):
            keep = x - x.amax(-1, keepdim=True) >= math.log(p)  # exp of it is the ratio
            compare(mine.min_p(x, p), _cut(x, keep), *OF_TOKENS, mistakes, x, p)
        compare(mine.min_p(x, 0.0), x, "logits with p = 0", OF_TOKENS[1])


@sampling.stage("draw", "draw", "a token for each row, as often as it is probable")
def draw(mine):
    x = torch.tensor([[0.0, 1.0, -math.inf, 2.0], [1.0, 1.0, 1.0, -math.inf]])
    rows = x.repeat_interleave(20_000, dim=0)
    got = mine.draw(rows)
    if not isinstance(got, Tensor) or got.shape != rows.shape[:1] or got.dtype != torch.long:
        right, wrong = tuple(rows.shape[:1]), getattr(got, "shape", got)
        raise Wrong("tokens: expected the shape {right}, torch.int64, got {wrong}", right=right, wrong=wrong)
    for row, tokens in zip(x, got.view(2, -1), strict=True):
        shares = torch.bincount(tokens, minlength=4) / 20_000
        if (shares - row.softmax(0)).abs().max() > 0.02:
            seen = ", ".join(f"{share:.1%}" for share in shares.tolist())
            hint = "It is the most probable one each time: draw, torch.multinomial." if shares.max() == 1 else ""
            right = ", ".join(f"{share:.1%}" for share in row.softmax(0).tolist())
            raise Wrong("tokens: drawn {wrong}, expected about {right}", hint, wrong=seen, right=right)
    same = [mine.draw(rows, Generator().manual_seed(3)) for _ in range(2)]
    if not torch.equal(*same):
        raise Wrong("tokens: the same seed draws others", "Hand on generator=generator.")


#: What a model would say, token by token, for two sentences: 2 is </s>, 0 is padding.
SAID = torch.tensor([[5, 4, 2, 6, 6, 6], [3, 6, 4, 5, 2, 3]])


def _sure_of_the_next(lengths: list[int], start: int) -> Callable[[Tensor], Tensor]:
    def next_logits(tokens: Tensor) -> Tensor:
        lengths.append(tokens.size(1))
        return 50.0 * functional.one_hot(SAID[:, tokens.size(1) - start], 7).float().roll(1, -1)

    return next_logits


@sampling.stage("sample", "sample", "token after token is drawn from what cut leaves, and none behind </s>")
def sample(mine):
    filled = SAID.clone()
    filled[0, 3:] = filled[1, 5:] = 0
    mistakes = [
        (
            lambda right, start, most: torch.cat([torch.full((2, start), 1), right], 1),
            "The prompt is no new token: cut it off.",
        ),
        (lambda right, start, most: (SAID[:, :most] + 1) % 7, "cut is not applied to the logits."),
        (
            lambda right, start, most: SAID[:, : right.size(1)],
            "It goes on behind </s>: fill up with padding from there.",
        ),
        (lambda right, start, most: SAID, "It goes on behind </s>: fill up with padding from there."),
        (lambda right, start, most: filled, "It goes on when all sentences have ended: stop there."),
        (lambda right, start, most: right[:, :3], "It stops when the first sentence has ended: when all have."),
        (
            lambda right, start, most: right.masked_fill(right == 2, 0),
            "</s> itself is a new token: padding comes behind it.",
        ),
    ]
    for most, start in ((6, 1), (4, 3), (2, 2)):
        lengths: list[int] = []
        right = filled[:, : min(most, 5)]
        prompt, cut = torch.full((2, start), 1), partial(torch.roll, shifts=-1, dims=-1)
        got = mine.sample(_sure_of_the_next(lengths, start), prompt, most, cut, Generator().manual_seed(0))
        compare(got, right, "new tokens", "(batch, position)", mistakes, right, start, most)
        if lengths != list(range(start, start + right.size(1))):
            text = "next_logits was called with {lengths} tokens: once for each new token, with all so far"
            raise Wrong(text, lengths=lengths)
    flat, drawn = torch.zeros(4, 9), []
    for _ in range(2):
        generator = Generator().manual_seed(1)
        drawn.append(mine.sample(lambda tokens: flat, torch.ones(4, 1, dtype=torch.long), 5, lambda x: x, generator))
    if drawn[0].shape != drawn[1].shape or not torch.equal(*drawn):
        raise Wrong("new tokens: the same seed draws others", "Hand the generator on to draw.")


# ---- Vision Transformer

vision = Exercise(
    "families/vision_transformer",
    "families/vision-transformer",
    difficulty=2,
    minutes=25,
    given=("grid", "VisionTransformer.forward"),
    without=("shuffle_patches", "load_vit", "VIT_NAMES"),
)


def _rearranged(*order: int):
    """What comes out if the six axes are in another order, or stay where they are."""

    def patches(x: Tensor, size: int) -> Tensor:
        b, c, h, w = x.shape
        x = x.reshape(b, c, h // size, size, w // size, size)
        return x.permute(order).reshape(b, (h // size) * (w // size), c * size * size)

    return patches


@vision.stage("to_patches", "patches", "squares in reading order, each with its channels, rows and columns")
def patches(mine):
    mistakes = [
        (
            _rearranged(0, 1, 2, 3, 4, 5),
            "One reshape mixes pixels of several patches: (rows, size, columns, size) first.",
        ),
        (_rearranged(0, 2, 4, 3, 5, 1), "Within a patch, the channels come first, then its rows and columns."),
        (_rearranged(0, 4, 2, 1, 3, 5), "The patches are column by column: they come in reading order, row by row."),
        (_rearranged(0, 2, 4, 1, 5, 3), "The patches are transposed: rows of pixels before columns."),
        (_rearranged(0, 1, 2, 4, 3, 5), "The channels belong to each patch: move their axis behind rows and columns."),
        (lambda x, s: functional.unfold(x, s, stride=s), "The axes are swapped: (batch, patch, pixel)."),
    ]
    for shape, size in (((2, 3, 4, 6), 2), ((1, 1, 6, 6), 3), ((3, 2, 4, 4), 4), ((2, 3, 3, 2), 1)):
        x = torch.randn(shape)
        right = functional.unfold(x, size, stride=size).mT
        compare(mine.to_patches(x, size), right, "patches", "(batch, patch, pixel)", mistakes, x, size)
    try:
        mine.to_patches(torch.randn(1, 3, 5, 4), 2)
    except ValueError:
        return
    except RuntimeError as error:
        hint = "Ask grid first, which raises a ValueError."
        raise Wrong("5 by 4 pixels, patches of 2: {error}", hint, error=error) from error
    raise Wrong("5 by 4 pixels, patches of 2: expected a ValueError", "Ask grid, which raises one.")


def _vits(mine):
    module = book("families.vision_transformer")
    for config, size in zip(small(norm_first=True), ((4, 6), (2, 2)), strict=True):
        theirs, ours = twins(mine.VisionTransformer, module.VisionTransformer, config, size, 2)
        yield theirs, ours, torch.randn(3, 3, *size)


@vision.stage("VisionTransformer.embed", "image tokens", "the class token and the projected patches, with positions")
@torch.no_grad()
def image_tokens(mine):
    def projected(o, images):
        return functional.unfold(images, 2, stride=2).mT @ o.patches.weight.flatten(1).T + o.patches.bias

    def first(o, x):
        return o.class_token.expand(len(x), 1, -1)

    def mixed(o, images):
        x = o.patches(images)
        return x.reshape(len(x), -1, x.size(1))

    def embedded(o, images, tokens=projected, last=False):
        x = tokens(o, images)
        x = torch.cat([x, first(o, x)] if last else [first(o, x), x], 1)
        return x + o.positions.table[: x.size(1)]

    def without_positions(o, images):
        x = projected(o, images)
        return 3 * torch.cat([first(o, x), x], 1)

    def class_without(o, images):
        x = projected(o, images)
        return 3 * torch.cat([first(o, x), x + o.positions.table[: x.size(1)]], 1)

    mistakes = [
        (without_positions, "The positions are missing."),
        (class_without, "The class token has a position, too: the first."),
        (lambda o, x: 3 * embedded(o, x, last=True), "The class token comes first."),
        (lambda o, x: 3 * embedded(o, x, mixed), "The patches are mixed up: flatten(2), then transpose(1, 2)."),
        (embedded, "Dropout is missing: on the sum."),
        (lambda o, x: 3 * (projected(o, x) + o.positions.table[1:]), "The class token is missing."),
        (lambda o, x: 3 * (projected(o, x) + o.positions.table[:-1]), "The class token is missing."),
    ]
    for theirs, ours, images in _vits(mine):
        theirs.dropout = Times(3.0)
        compare(theirs.embed(images), 3 * embedded(ours, images), *VECTORS, mistakes, ours, images)


@vision.stage("ViTClassifier.forward", "image classifier", "from the class token, or from the mean of the patches")
@torch.no_grad()
def image_classifier(mine):
    def classified(which):
        return lambda o, x: functional.linear(which(o.vit(x)), o.classifier.weight, o.classifier.bias)

    ways = {"class": lambda x: x[:, 0], "mean": lambda x: x[:, 1:].sum(1) / (x.size(1) - 1)}
    for pool, way in ways.items():
        other = ways["mean" if pool == "class" else "class"]
        mistakes = [
            (classified(other), say("pool decides: here it is {pool!r}.", pool=pool)),
            (classified(lambda x: x.mean(1)), "The class token is no patch: leave it out of the mean."),
            (classified(lambda x: x[:, 1:].sum(1)), "This is the sum of the patches: take their mean."),
            (classified(lambda x: x[:, -1]), "The class token comes first: [:, 0]."),
            (classified(lambda x: x), "One answer for the whole image."),
            (lambda o, x, way=way: classified(way)(o, x).softmax(-1), "These are probabilities: return the logits."),
        ]
        for _, vit, images in _vits(mine):
            theirs, ours = twins(mine.ViTClassifier, book("families.vision_transformer").ViTClassifier, vit, 5, pool)
            right = classified(way)(ours, images)
            compare(theirs(images), right, "logits", "(batch, class)", mistakes, ours, images)


# ---- RMSNorm

rms_norm = Exercise("families/rms_norm", "families/todays-block", difficulty=1, minutes=10)


def _norms(mine, eps: float = 1e-6):
    for d_model, shape in ((4, (2, 3)), (6, (6,)), (3, (2, 1, 3)), (5, ())):
        theirs, ours = twins(mine.RMSNorm, book("families.rms_norm").RMSNorm, d_model, eps)
        yield theirs, ours, 2 * torch.randn(*shape, d_model) + 1


def _rms(x: Tensor, eps: float, dim=-1) -> Tensor:
    return x / (x.square().mean(dim, keepdim=True) + eps).sqrt()


@rms_norm.stage("RMSNorm.forward", "root mean square", "each vector is divided by the root of the mean of its squares")
@torch.no_grad()
def root_mean_square(mine):
    mistakes = [
        (lambda o, x: _rms(x - x.mean(-1, True), o.eps), "No mean is subtracted: that is what RMSNorm leaves out."),
        (lambda o, x: _rms(x, o.eps) * (1 - x.mean(-1, True) / x), "No mean is subtracted: RMSNorm leaves that out."),
        (lambda o, x: x / (x.square().sum(-1, True) + o.eps).sqrt(), "Divide by the root of the mean, not of the sum."),
        (lambda o, x: x / (x.square().mean(-1, True) + o.eps), "Divide by the root of the mean of squares."),
        (lambda o, x: x / x.std(-1, keepdim=True), "This is the standard deviation: no mean is subtracted here."),
        (lambda o, x: x / (x.abs().mean(-1, True) + o.eps), "The mean is of the squares, not of the absolute values."),
        (lambda o, x: _rms(x, o.eps, dim=0), "The mean is over the first axis: over the last, dim=-1."),
        (lambda o, x: _rms(x, o.eps, dim=-2), "The mean is over the positions: over the last axis, dim=-1."),
        (lambda o, x: x / (x.square().mean() + o.eps).sqrt(), "The mean is over everything: over the last axis alone."),
    ]
    for theirs, ours, x in _norms(mine):
        theirs.gamma.fill_(1.0)  # which is checked below
        right = functional.rms_norm(x, x.shape[-1:], eps=1e-6)
        compare(theirs(x), right, "output", "(..., d_model)", mistakes, ours, x)


@rms_norm.stage("RMSNorm.forward", "gamma", "each component is multiplied by its gamma")
@torch.no_grad()
def gamma(mine):
    mistakes = [
        (lambda o, x: _rms(x, o.eps), "gamma is missing."),
        (lambda o, x: _rms(x * o.gamma, o.eps), "gamma acts after the division, not before."),
        (lambda o, x: _rms(x, o.eps) * (1 + o.gamma), "gamma is the factor itself: it begins at 1."),
        (lambda o, x: _rms(x, o.eps) + o.gamma, "gamma is a factor: nothing is added."),
    ]
    for theirs, ours, x in _norms(mine):
        right = functional.rms_norm(x, x.shape[-1:], ours.gamma, eps=1e-6)
        compare(theirs(x), right, "output", "(..., d_model)", mistakes, ours, x)


@rms_norm.stage("RMSNorm.forward", "epsilon", "eps is inside the root, so that a vector of zeros stays one")
@torch.no_grad()
def epsilon(mine):
    def root(o, x):
        return x.square().mean(-1, True).sqrt()

    mistakes = [
        (lambda o, x: x / root(o, x) * o.gamma, "eps is missing: a vector of zeros is divided by 0."),
        (lambda o, x: x / (root(o, x) + o.eps) * o.gamma, "eps is inside the root: added to the mean of squares."),
        (lambda o, x: _rms(x, 1e-6) * o.gamma, "eps is an argument: self.eps."),
        (lambda o, x: _rms(x, 1e-5) * o.gamma, "eps is an argument: self.eps."),
    ]
    for theirs, ours, x in _norms(mine, eps=0.5):
        for y in (0.1 * x, torch.zeros_like(x)):
            right = functional.rms_norm(y, y.shape[-1:], ours.gamma, eps=0.5)
            compare(theirs(y), right, "output", "(..., d_model)", mistakes, ours, y)


@rms_norm.stage("RMSNorm.forward", "half precision", "the squares of float16 numbers are computed in float32")
@torch.no_grad()
def half_precision(mine):
    for theirs, ours, x in _norms(mine):
        theirs.half()
        ours.half()
        y = (300 * x).half()
        got, right = theirs(y), (_rms(y.float(), 1e-6) * ours.gamma.float()).half()
        if isinstance(got, Tensor) and got.dtype != torch.half:
            hint = "Convert it back: .to(x.dtype)."
            raise Wrong("output: expected torch.float16, as x has it, got {wrong}", hint, wrong=got.dtype)
        if not torch.allclose(got.float(), right.float(), rtol=0.01, atol=0.01):
            hint = "300² is more than float16 can hold: in half precision, square and take the mean in float32."
            first, wrong = right.flatten()[0].item(), got.flatten()[0].item()
            raise Wrong("output: expected {right:.4g} at first, got {wrong:.4g}", hint, right=first, wrong=wrong)


# ---- today's block

todays_block = Exercise("families/todays_block", "families/todays-block", difficulty=2, minutes=30)


@todays_block.stage("SwiGLU.forward", "swiglu", "Swish of one projection gates the other, and W_down leads back")
@torch.no_grad()
def swiglu(mine):
    def gated(act=functional.silu, gate="w_gate", up="w_up"):
        return lambda o, x: o.w_down(act(getattr(o, gate)(x)) * getattr(o, up)(x))

    mistakes = [
        (gated(gate="w_up", up="w_gate"), "Swish acts on the gate, x W_gate, not on x W_up."),
        (gated(gate="w_up"), "x W_gate is missing: it goes through Swish."),
        (gated(torch.relu), "The activation is Swish, which PyTorch calls silu, not ReLU."),
        (gated(functional.gelu), "The activation is Swish, silu: with GELU it is GEGLU."),
        (gated(torch.sigmoid), "The activation is Swish, silu: with a sigmoid it is the GLU of 2017."),
        (gated(lambda x: x), "The activation is missing: Swish, silu."),
        (lambda o, x: o.w_down(functional.silu(o.w_gate(x))), "The product with x W_up is missing."),
        (lambda o, x: o.w_down(functional.silu(o.w_gate(x)) + o.w_up(x)), "Gate and x W_up are multiplied, not added."),
        (
            lambda o, x: o.w_down(functional.silu(o.w_gate(x) * o.w_up(x))),
            "Swish acts on the gate, not on the product.",
        ),
    ]
    for d_model, d_ff, bias in ((3, 8, False), (4, 4, True), (2, 5, False)):
        theirs, ours = twins(mine.SwiGLU, book("families.todays_block").SwiGLU, d_model, d_ff, bias)
        for shape in ((2, 3, d_model), (4, d_model)):
            x = torch.randn(shape)
            g, u = functional.linear(x, ours.w_gate.weight, ours.w_gate.bias), ours.w_up(x)
            compare(theirs(x), ours.w_down(g / (1 + (-g).exp()) * u), "output", "(..., d_model)", mistakes, ours, x)


def _turned(x: Tensor, theta: float | None, halves: bool = False, from_position: int = 0) -> Tensor:
    """RoPE with complex numbers; x: (n, d_k)."""
    if theta is None:
        return x
    if halves:
        turned = _turned(torch.stack(x.chunk(2, -1), -1).flatten(-2), theta)
        return torch.cat([turned[..., 0::2], turned[..., 1::2]], -1)
    omega = theta ** (-torch.arange(0, x.size(-1), 2).double() / x.size(-1))
    angles = (torch.arange(len(x)) + from_position).unsqueeze(1) * omega
    pairs = torch.view_as_complex(x.double().unflatten(-1, (-1, 2)))
    return torch.view_as_real(pairs * torch.exp(1j * angles)).flatten(-2).to(x.dtype)


def _grouped(o, x: Tensor, mask: Tensor | None, **changed) -> Tensor:
    """Head by head: which keys and values are whose, and what is turned."""
    h, kv, theta = o.num_heads, o.num_kv_heads, changed.get("theta", o.rope_theta)
    q, k, v = (w(x).chunk(n, -1) for w, n in ((o.w_q, h), (o.w_k, kv), (o.w_v, kv)))
    whose = changed.get("whose", lambda i: i * kv // h)
    results = []
    for b in range(len(x)):
        heads = []
        for i in range(h):
            turns = changed.get("turns", "qk")
            qb, kb, vb = q[i][b], k[whose(i)][b], v[whose(i)][b]
            qb, kb, vb = (
                _turned(y, theta if name in turns else None, changed.get("halves", False))
                for name, y in zip("qkv", (qb, kb, vb), strict=True)
            )
            scores = qb @ kb.T * changed.get("scale", qb.size(-1) ** -0.5)
            if mask is not None:
                scores = scores.masked_fill(~(mask.expand(len(x), -1, -1)[b] if mask.dim() == 3 else mask), -math.inf)
            heads.append(scores.softmax(-1) @ vb)
        results.append(torch.cat(heads, -1))
    return o.w_o(torch.stack(results)) if changed.get("w_o", True) else torch.stack(results)


def _grouped_twins(mine, theta):
    for d_model, heads, kv_heads, n in ((8, 4, 2, 3), (12, 6, 2, 5), (8, 2, 1, 4), (8, 2, 2, 2)):
        module = book("families.todays_block").GroupedQueryAttention
        theirs, ours = twins(mine.GroupedQueryAttention, module, d_model, heads, kv_heads, theta, bias=heads == 6)
        yield theirs, ours, torch.randn(2, n, d_model)


def _changed(**change):
    return lambda o, x, m: _grouped(o, x, m, **change)


@todays_block.stage(
    "GroupedQueryAttention.forward", "grouped queries", "heads next to each other share keys and values"
)
@torch.no_grad()
def grouped_queries(mine):
    mistakes = [
        (
            lambda o, x, m: _grouped(o, x, m, whose=lambda i: i % o.num_kv_heads),
            "Neighbouring heads share: each head is repeated, repeat_interleave, not all of them in turn (repeat).",
        ),
        (_changed(whose=lambda i: 0), "All heads share one head of keys and values: each group has its own."),
        (_changed(w_o=False), "W_O is missing: project what was merged."),
        (_changed(scale=1.0), "The scores are divided by √d_k: scaled_dot_product_attention does it."),
        (lambda o, x, m: _grouped(o, x, m, theta=10_000.0), "rope_theta is None: nothing is to be rotated."),
    ]
    for theirs, ours, x in _grouped_twins(mine, None):
        try:
            got = theirs(x)
        except NotImplementedError:
            raise
        except (RuntimeError, ValueError) as error:
            if ours.num_kv_heads == ours.num_heads:
                raise
            hint = "{heads} heads, {kv_heads} of keys and values: repeat each for its group."
            raise Wrong(str(error), say(hint, heads=ours.num_heads, kv_heads=ours.num_kv_heads)) from error
        compare(got, _grouped(ours, x, None), *VECTORS, mistakes, ours, x, None)


@todays_block.stage("GroupedQueryAttention.forward", "rotated", "queries and keys are rotated by their positions")
@torch.no_grad()
def rotated(mine):
    mistakes = [
        (_changed(theta=None), "Nothing is rotated: rotate queries and keys, unless rope_theta is None."),
        (_changed(turns="qkv"), "The values are rotated, too: only queries and keys are."),
        (_changed(turns="q"), "The keys are not rotated: q and k have to turn together."),
        (_changed(turns="k"), "The queries are not rotated: q and k have to turn together."),
        (_changed(theta=10_000.0), "The base is self.rope_theta: it is not always 10,000."),
        (_changed(halves=True), "The pairs are neighbours, as in rotate: yours are components i and i + d_k / 2."),
    ]
    for theta in (10_000.0, 50.0):
        for theirs, ours, x in _grouped_twins(mine, theta):
            compare(theirs(x), _grouped(ours, x, None), *VECTORS, mistakes, ours, x, None)


@todays_block.stage("GroupedQueryAttention.forward", "shared mask", "the mask is the same for all heads")
@torch.no_grad()
def shared_mask(mine):
    mistakes = [
        (lambda o, x, m: _grouped(o, x, None), "The mask gets lost: hand it on to the attention."),
        (lambda o, x, m: _grouped(o, x, ~m), "True means allowed in the book's masks: yours is inverted."),
    ]
    for theirs, ours, x in _grouped_twins(mine, 100.0):
        n = x.size(1)
        for mask in (_tril(n), allowed(2, n, n), allowed(2, 1, n)):
            try:
                got = theirs(x, mask)
            except (RuntimeError, ValueError) as error:
                hint = "A mask (batch, n, n) needs an axis for the heads: unsqueeze(-3)."
                raise Wrong(str(error), hint) from error
            compare(got, _grouped(ours, x, mask), *VECTORS, mistakes, ours, x, mask)


# ---- Llama

llama = Exercise(
    "families/llama",
    "families/todays-block",
    difficulty=2,
    minutes=30,
    without=("load_llama", "in_pairs", "LLAMA_NAMES", "LlamaConfig.__post_init__"),
)


def _llama_configs():
    config = book("families.llama").LlamaConfig(
        vocab_size=11, num_layers=2, d_model=8, num_heads=4, num_kv_heads=2, d_ff=12, eps=0.01
    )
    return [config, replace(config, num_layers=3, d_model=12, num_heads=3, num_kv_heads=1, rope_theta=50.0)]


@llama.stage("LlamaLayer.forward", "llama layer", "norm, attention, addition; norm, feed-forward network, addition")
@torch.no_grad()
def llama_layer(mine):
    def layer(o, x, m, first="norm_1", second="norm_2", after=False, added=True, of_normed=False, masked=True):
        m = m if masked else None
        if after:
            x = getattr(o, first)(x + o.attention(x, m))
            return getattr(o, second)(x + o.feed_forward(x))
        y = getattr(o, first)(x)
        x = (y if of_normed else x * added) + o.attention(y, m)
        y = getattr(o, second)(x)
        return (y if of_normed else x * added) + o.feed_forward(y)

    changed = varied(layer)

    def without_norms(o, x, m):
        x = x + o.attention(x, m)
        return x + o.feed_forward(x)

    def parallel(o, x, m):
        return x + o.attention(o.norm_1(x), m) + o.feed_forward(o.norm_2(x))

    mistakes = [
        (changed(masked=False), "The mask gets lost: self.attention(..., attn_mask)."),
        (changed(after=True), "This is post-LN: the norm comes before the sublayer."),
        (changed(added=False), "The residual connections are missing."),
        (changed(of_normed=True), "What is added is x itself, not its norm."),
        (changed(second="norm_1"), "The feed-forward network has a norm of its own: norm_2."),
        (changed(first="norm_2"), "The attention has a norm of its own: norm_1."),
        (changed(first="norm_2", second="norm_1"), "The two norms are swapped."),
        (without_norms, "The norms are missing."),
        (parallel, "The feed-forward network works on what the attention has added to x."),
        (lambda o, x, m: x + o.attention(o.norm_1(x), m), "The feed-forward network is missing."),
    ]
    for config in _llama_configs():
        theirs, ours = twins(mine.LlamaLayer, book("families.llama").LlamaLayer, config)
        for n in (4, 3):
            inputs = torch.randn(2, n, config.d_model), _tril(n)
            compare(theirs(*inputs), layer(ours, *inputs), *VECTORS, mistakes, ours, *inputs)


@llama.stage(
    "Llama.forward", "llama", "embedding, causal layers, the last norm, and a matrix of its own for the output"
)
@torch.no_grad()
def llama_forward(mine):
    def forward(o, t, m, causal=True, normed=True, factor=1.0, tied=False, padding=True, either=False, layers=99):
        mask = _tril(t.size(1)) if causal else None
        if padding and m is not None:
            mask = m if mask is None else (mask | m if either else mask & m)
        x = factor * o.tokens(t)
        for layer in list(o.layers)[:layers]:
            x = layer(x, mask)
        x = o.norm(x) if normed else x
        return x @ (o.tokens if tied else o.head).weight.T

    changed = varied(forward)

    mistakes = [
        (changed(causal=False), "There is no causal mask: each position sees the tokens it has to predict."),
        (changed(normed=False), "The last norm is missing: self.norm."),
        (changed(tied=True), "The output has a matrix of its own: self.head."),
        (lambda o, t, m: forward(o, t, m, factor=o.tokens.weight.size(1) ** 0.5), NO_FACTOR),
        (changed(padding=False), "attn_mask is ignored: padding is hidden, too."),
        (changed(either=True), "The masks are combined with &: allowed is what both allow."),
        (changed(layers=1), "Only the first layer acts."),
        (lambda *x: forward(*x).softmax(-1), "These are probabilities: return the logits."),
    ]
    for config in _llama_configs():
        theirs, ours = twins(mine.Llama, book("families.llama").Llama, config)
        theirs.layers = ours.layers  # whatever is wrong with them has been said
        for n in (5, 3):
            tokens = torch.randint(config.vocab_size, (3, n))
            keep = torch.arange(n) >= torch.tensor([[[0]], [[1]], [[0]]])  # padding on the left of one sentence
            for mask in (None, keep):
                compare(theirs(tokens, mask), forward(ours, tokens, mask), *LOGITS, mistakes, ours, tokens, mask)


@llama.stage("halves_to_pairs", "halves to pairs", "rows i and i + d_k / 2 of each head become neighbours")
def halves_to_pairs(mine):
    def rows(of):
        def arranged(weight, heads):
            d_k = len(weight) // heads
            return torch.stack([weight[of(i, d_k)] for i in range(len(weight))])

        return arranged

    def right(i, d_k):
        head, inside = divmod(i, d_k)
        return head * d_k + inside // 2 + inside % 2 * (d_k // 2)

    def inverse(i, d_k):
        head, inside = divmod(i, d_k)
        half, place = divmod(inside, d_k // 2)
        return head * d_k + 2 * place + half

    mistakes = [
        (lambda w, h: rows(right)(w, 1), "Head by head: the halves are those of each head, not of the whole matrix."),
        (rows(inverse), "The other way round: this makes halves of pairs."),
        (lambda w, h: w, "Nothing is rearranged."),
        (lambda w, h: w.unflatten(0, (h, -1, 2)).flip(2).flatten(0, 2), "Neighbours are swapped: i, then i + d_k / 2."),
    ]
    for heads, d_k, shape in ((1, 6, (3,)), (2, 4, (5,)), (3, 8, (2,)), (2, 4, ())):
        weight = torch.randn(heads * d_k, *shape)
        got = mine.halves_to_pairs(weight, heads)
        compare(got, rows(right)(weight, heads), "rows", "(row, ...)", mistakes, weight, heads)


@llama.stage("kv_cache_bytes", "cache size", "keys and values of each layer, head of keys and values, and token")
def cache_size(mine):
    def size(c, n, b, two=2, heads="num_kv_heads", layers=True, width=None):
        d_k = width or c.d_model // c.num_heads
        return two * (c.num_layers if layers else 1) * getattr(c, heads) * d_k * n * b

    changed = varied(size)

    mistakes = [
        (changed(two=1), "Keys and values are stored: a factor of 2 is missing."),
        (changed(heads="num_heads"), "Only the heads of keys and values are stored: num_kv_heads."),
        (changed(layers=False), "Every layer has a cache of its own."),
        (lambda c, n, b: size(c, n, b, width=c.d_model), "A head has d_k = d_model / num_heads numbers, not d_model."),
        (lambda c, n, b: size(c, n, 2), "number is an argument: it is not always 2 bytes."),
        (lambda c, n, b: size(c, n, 1), "Each number has that many bytes."),
        (lambda c, n, b: size(c, 1, b), "Each token has keys and values: times length."),
    ]
    for config in (book("families.llama").LlamaConfig(), *_llama_configs()):
        for length, number in ((1000, 2), (7, 4)):
            got = mine.kv_cache_bytes(config, length, number)
            compare_values(got, size(config, length, number), "bytes", mistakes, config, length, number)


@llama.stage("Llama.forward", "llama of your own parts", "your norm, your attention and your SwiGLU inside", whole=True)
@torch.no_grad()
def own_llama(mine):
    folder = Path(mine.__file__).parents[1]
    for exercise in (rms_norm, todays_block):
        path = folder / f"{exercise.name}.py"
        if not path.is_file():
            text = "{name} is missing: pytest exercises/{name}.py begins it"
            raise Missing(text, name=exercise.name)
        answer = load(path, exercise.name)
        for stage in exercise.stages:
            try:
                run(stage, answer)
            except Exception:
                text = "first: {name}, {stage} (pytest exercises/{name}.py)"
                raise Wrong(text, name=exercise.name, stage=stage.name) from None
    own = load_together(folder, ["families"])
    for config in _llama_configs():
        theirs, ours = twins(own("families/llama").Llama, book("families.llama").Llama, config)
        tokens = torch.randint(config.vocab_size, (2, 6))
        compare(theirs(tokens), ours(tokens), *LOGITS)


# ---- FlashAttention

flash = Exercise(
    "families/flash_attention",
    "families/flash-attention",
    difficulty=3,
    minutes=40,
    given=("nothing_seen", "flash_attention"),
    without=("plain_traffic", "tiled_traffic"),
)
STATE = (("maximum", "(..., query, 1)"), ("sum", "(..., query, 1)"), ("weighted sum", "(..., query, d_v)"))


def _blocks(hidden: bool = False):
    """Scores and values, cut into blocks of keys. Hidden: the first block, for some of the queries."""
    for batch, n, d_v, sizes in (((), 3, 2, (2, 3, 1)), ((2,), 4, 4, (4, 4)), ((2, 3), 1, 5, (1, 1, 1))):
        scores, value = 3 * torch.randn(*batch, n, sum(sizes)), torch.randn(*batch, sum(sizes), d_v)
        if hidden:
            scores[..., 0, : sizes[0]] = -math.inf
        yield scores, value, list(zip(scores.split(sizes, -1), value.split(sizes, -2), strict=True))


def _seen(scores: Tensor, value: Tensor) -> tuple[Tensor, Tensor, Tensor]:
    """The state after all these keys at once."""
    maximum = scores.amax(-1, keepdim=True)
    weights = (scores - maximum.masked_fill(maximum == -math.inf, 0.0)).exp()
    return maximum, weights.sum(-1, keepdim=True), weights @ value


def _absorbed(blocks: list, which: int, *, shrinks=(True, True), largest=torch.maximum, factor=None) -> Tensor:
    """Block by block, as with some mistake."""
    state = None
    for scores, value in blocks:
        block = scores.amax(-1, keepdim=True)
        if state is None:
            state = block, torch.zeros_like(block), torch.zeros_like(scores @ value)
        new = largest(state[0], block)
        weights, shrink = (scores - new).exp(), (factor or (lambda old, new: (old - new).exp()))(state[0], new)
        total, weighted = (s * shrink if use else s for s, use in zip(state[1:], shrinks, strict=True))
        state = new, total + weights.sum(-1, keepdim=True), weighted + weights @ value
    return state[which]


def _check_states(mine, mistakes, hidden: bool, first: bool) -> None:
    for scores, value, blocks in _blocks(hidden):
        state = book("families.flash_attention").nothing_seen(scores[..., :1], value)
        for number, (s, v) in enumerate(blocks[:1] if first else blocks, start=1):
            state = mine.absorb(state, s, v)
            if not isinstance(state, tuple) or len(state) != 3:
                text = "three tensors are to be returned: maximum, sum, weighted sum, not {wrong}"
                raise Wrong(text, wrong=type(state).__name__)
            seen = sum(x.size(-1) for x, _ in blocks[:number])
            right = _seen(scores[..., :seen], value[..., :seen, :])
            for which, (got, expected, (name, axes)) in enumerate(zip(state, right, STATE, strict=True)):
                what = say("{what} after block {number}", what=say(name), number=number)
                compare(got, expected, what, axes, mistakes, blocks[:number], which)


@flash.stage("absorb", "one block", "after one block: the maximum, the sum of e^(score - maximum), the weighted values")
def one_block(mine):
    mistakes = [
        (
            lambda b, i: [b[0][0].amax(), b[0][0].exp().sum(-1, True), b[0][0].exp() @ b[0][1]][i],
            "Subtract the maximum.",
        ),
        (lambda b, i: [None, None, b[0][0].softmax(-1) @ b[0][1]][i], "It is divided by the sum at the very end only."),
        (lambda b, i: [b[0][0].amax(-1)][i], "keepdim=True, so that it can be subtracted from the scores."),
    ]
    _check_states(mine, mistakes, hidden=False, first=True)


@flash.stage("absorb", "more blocks", "with each block, what was there before is rescaled to the new maximum")
def more_blocks(mine):
    changed = varied(_absorbed)

    mistakes = [
        (changed(shrinks=(False, True)), "The sum is not rescaled: it is still relative to the old maximum."),
        (changed(shrinks=(True, False)), "The weighted sum is not rescaled: it is still relative to the old maximum."),
        (changed(largest=lambda old, new: new), "The maximum is that of all blocks so far, not of the last one."),
        (changed(largest=lambda old, new: old), "The maximum may grow with each block: torch.maximum."),
        (changed(factor=lambda old, new: (new - old).exp()), "The other way round: e^(old - new), which is at most 1."),
        (lambda b, i: _seen(*b[-1])[i], "What came before is lost: add to it."),
    ]
    _check_states(mine, mistakes, hidden=False, first=False)


@flash.stage("absorb", "masked block", "a block of nothing but -inf changes nothing, and makes no nan")
def masked_block(mine):
    mistakes = [
        (_absorbed, "-inf minus -inf is nan: where the maximum is still -inf, subtract 0 instead."),
    ]
    _check_states(mine, mistakes, hidden=True, first=False)


def _queries():
    """Query, key and value, and the first position of this block of queries among all of them."""
    for batch, n_q, n_k, d, first in (((), 3, 7, 4, 2), ((2,), 4, 8, 16, 4), ((2, 2), 2, 5, 3, 0), ((), 5, 5, 2, 0)):
        yield torch.randn(*batch, n_q, d), torch.randn(*batch, n_k, d), torch.randn(*batch, n_k, d + 1), first


def _attended(q, k, v, mask) -> Tensor:
    if mask is None:
        return functional.scaled_dot_product_attention(q, k, v)
    scores = (q @ k.mT / q.size(-1) ** 0.5).masked_fill(~mask, -math.inf)
    return scores.softmax(-1).nan_to_num() @ v


@flash.stage("attend", "blocks of keys", "block by block, the same output as all keys at once")
def blocks_of_keys(mine):
    mistakes = [
        (lambda q, k, v: _attended(q * q.size(-1) ** 0.5, k, v, None), "The scores are divided by √d_k."),
        (lambda q, k, v: _attended(q / q.size(-1) ** 0.5, k, v, None), "The scores are divided by √d_k twice."),
        (
            lambda q, k, v: _seen(q @ k.mT / q.size(-1) ** 0.5, v)[2],
            "Divide the weighted sum by the sum, at the end.",
        ),
        (lambda q, k, v: _attended(q, k[..., :2, :], v[..., :2, :], None), "Only the first block acts."),
    ]
    for q, k, v, first in _queries():
        for block in (2, 3, 16):
            got = mine.attend(q, k, v, None, first, False, block)
            compare(got, _attended(q, k, v, None), "output", "(..., query, d_v)", mistakes, q, k, v)
    q, k, v = torch.randn(5, 4), torch.randn(48, 4), torch.randn(48, 3)
    with _Largest((5, 48)) as largest:
        mine.attend(q, k, v, None, 0, False, 16)
    if largest.seen:
        text = "5 queries, 48 keys, blocks of 16: a matrix (5, 48) has been computed"
        raise Wrong(text, "No more than a block of scores exists at a time: slice the keys, and absorb block by block.")


class _Largest(TorchDispatchMode):
    """Whether any operation makes numbers of this shape, or of its transpose."""

    def __init__(self, shape: tuple[int, int]) -> None:
        super().__init__()
        self.shapes, self.seen = (shape, shape[::-1]), False

    def __torch_dispatch__(self, function, types, args=(), kwargs=None):
        result = function(*args, **(kwargs or {}))
        if isinstance(result, Tensor) and result.is_floating_point() and tuple(result.shape[-2:]) in self.shapes:
            self.seen = True
        return result


@flash.stage("attend", "causal blocks", "the query at position first + i sees keys up to its own position")
def causal_blocks(mine):
    def see(q, k, at):
        return torch.arange(k.size(-2)) <= torch.arange(q.size(-2)).unsqueeze(1) + at

    def reached(q, k, first, block):
        end = -(-(first + q.size(-2)) // block) * block  # of the last block that is not skipped
        return (torch.arange(k.size(-2)) < end).expand(q.size(-2), -1)

    mistakes = [
        (lambda q, k, v, f, b: _attended(q, k, v, None), "causal has no effect."),
        (
            lambda q, k, v, f, b: _attended(q, k, v, reached(q, k, f, b)),
            "Keys after the whole block are skipped, but within it, each query has a future: hide it row by row.",
        ),
        (lambda q, k, v, f, b: _attended(q, k, v, see(q, k, 0)), "The first query stands at position first, not at 0."),
        (lambda q, k, v, f, b: _attended(q, k, v, see(q, k, f - 1)), "A query sees the key at its own position, too."),
        (lambda q, k, v, f, b: _attended(q, k, v, see(q, k, f + 1)), "One key too many: j <= first + i."),
        (lambda q, k, v, f, b: _attended(q, k, v, ~see(q, k, f)), "The past is hidden, and the future is shown."),
    ]
    for q, k, v, first in _queries():
        for block in (2, 3, 16):
            got = mine.attend(q, k, v, None, first, True, block)
            right = _attended(q, k, v, see(q, k, first))
            compare(got, right, "output", "(..., query, d_v)", mistakes, q, k, v, first, block)
    q, k, v = torch.randn(4, 8), torch.randn(64, 8), torch.randn(64, 8)
    with FlopCounterMode(display=False) as counted:
        mine.attend(q, k, v, None, 12, True, 16)
    most = 2 * 2 * 4 * 16 * 8  # multiplications and additions, in two products
    if counted.get_total_flops() > most:
        text = "4 queries at positions 12 to 15, blocks of 16: keys after the first block have been multiplied, too"
        raise Wrong(text, "Blocks above the diagonal are skipped: end where the last query stands.")


@flash.stage(
    "attend", "mask of blocks", "each block gets its columns of the mask; a query without any key gets 0", large=True
)
def mask_of_blocks(mine):
    mistakes = [
        (lambda q, k, v, m: _attended(q, k, v, None), "The mask has no effect."),
        (lambda q, k, v, m: _attended(q, k, v, ~m), "True means allowed in the book's masks: hide where it is False."),
    ]
    for q, k, v, first in _queries():
        for block in (2, 3, 16):
            mask = allowed(*q.shape[:-1], k.size(-2))
            mask[..., 0, :] = False
            try:
                got = mine.attend(q, k, v, mask, first, False, block)
            except RuntimeError as error:
                hint = "Each block of keys has its own columns of the mask: attn_mask[..., j : j + block]."
                raise Wrong(str(error), hint) from error
            if isinstance(got, Tensor) and got[..., 0, :].isnan().any():
                raise Wrong("output: nan for a query without any key", "Its sum is 0: divide by 1 instead.")
            compare(got, _attended(q, k, v, mask), "output", "(..., query, d_v)", mistakes, q, k, v, mask)


# ---- LoRA

lora = Exercise(
    "families/fine_tuning",
    "families/fine-tuning",
    difficulty=1,
    minutes=10,
    without=("SentenceClassifier", "add_lora", "merge_lora", "PromptedBert", "trainable_parameters"),
)


def _adapted(mine):
    for d_in, d_out, rank, alpha, bias in ((4, 6, 2, 8.0, True), (5, 3, 1, 1.0, False), (4, 4, 4, 2.0, True)):
        linear = nn.Linear(d_in, d_out, bias)
        theirs = mine.LoRA(linear, rank, alpha)
        nn.init.normal_(theirs.b)  # at the start it is 0, and hides mistakes
        yield theirs, torch.randn(2, 3, d_in), rank, alpha


@lora.stage("LoRA.forward", "lora", "the frozen layer, and what B A adds to it, times alpha / r")
@torch.no_grad()
def lora_forward(mine):
    def added(o, x, factor):
        return o.linear(x) + factor * torch.einsum("bnd,rd,er->bne", x, o.a, o.b)

    mistakes = [
        (lambda o, x, r, alpha: added(o, x, 1.0), "The factor alpha / r is missing: self.scale."),
        (lambda o, x, r, alpha: added(o, x, alpha), "The factor is alpha / r, not alpha."),
        (lambda o, x, r, alpha: added(o, x, 0.0), "B A adds nothing: it is missing."),
        (lambda o, x, r, alpha: added(o, x, alpha / r) - o.linear(x), "The frozen layer is missing: self.linear(x)."),
        (lambda o, x, r, alpha: alpha / r * added(o, x, 1.0), "The factor belongs to B A only."),
        (
            lambda o, x, r, alpha: o.linear(x) + o.scale * (x @ (o.a @ o.b)),
            "The order is x A^T B^T: first down, then up.",
        ),
    ]
    for theirs, x, rank, alpha in _adapted(mine):
        right = added(theirs, x, alpha / rank)
        compare(theirs(x), right, "output", "(..., d_out)", mistakes, theirs, x, rank, alpha)


@lora.stage("LoRA.merged", "merged", "one linear layer with the same output; the frozen one stays as it is")
@torch.no_grad()
def merged(mine):
    def weight(o, factor):
        return o.linear.weight + factor * (o.b @ o.a)

    mistakes = [
        (lambda o: weight(o, 1.0), "The factor alpha / r is missing: self.scale."),
        (lambda o: weight(o, -o.scale), "B A is added, not subtracted."),
        (lambda o: o.linear.weight, "B A is missing: add it to the weight."),
        (lambda o: o.linear.weight + o.scale * (o.b @ o.a).T, "B A, (d_out, d_in), is added as it is: not transposed."),
    ]
    for theirs, x, _, _ in _adapted(mine):
        right = weight(theirs, theirs.scale)
        got = theirs.merged()
        if not isinstance(got, nn.Linear):
            raise Wrong("merged layer: an nn.Linear is expected, not {wrong}", wrong=type(got).__name__)
        compare(got.weight, right, "weight", "(d_out, d_in)", mistakes, theirs)
        bias = 0 if theirs.linear.bias is None else theirs.linear.bias
        hint = [(lambda x, w, b: x @ w.T, "The bias is missing: that of the frozen layer.")]
        compare(got(x), x @ right.T + bias, "output", "(..., d_out)", hint, x, right, bias)
