"""Positions and embeddings, stage by stage: the embedding matrix, sinusoids, fixed offsets, rotation."""

from __future__ import annotations

import math

import torch
from torch import Tensor

from exercises.checking import Exercise, book, compare, raises, twins

# ---- tokens

tokens = Exercise("positions/tokens", "positions/tokens", difficulty=1, minutes=15, without=("wordpiece", "encode"))


@tokens.stage("one_hot_lookup", "one-hot", "a one-hot vector times the matrix is a row of it")
def one_hot(mine):
    for shape, vocab_size, d_model in (((5,), 7, 3), ((2, 4), 4, 4), ((1, 1), 9, 2)):
        ids, table = torch.randint(vocab_size, shape), torch.randn(vocab_size, d_model)
        rows = [table[i] for i in ids.flatten().tolist()]
        got = mine.one_hot_lookup(ids, table)
        compare(got, torch.stack(rows).view(*shape, d_model), "rows", "(..., d_model)")


@tokens.stage("TiedEmbedding.forward", "embedding", "the rows of the matrix, times √d_model")
@torch.no_grad()
def embedding(mine):
    mistakes = [
        (lambda o, ids: o.table[ids], "The factor √d_model is missing (section 3.4 of the paper)."),
        (lambda o, ids: o.table[ids] * o.table.size(1), "The factor is √d_model, not d_model."),
        (lambda o, ids: o.table[ids] / o.table.size(1) ** 0.5, "You divide by √d_model: multiply by it."),
        (lambda o, ids: o.table[ids] * o.table.size(0) ** 0.5, "The factor is √d_model, not √vocab_size."),
    ]
    for vocab_size, d_model in ((7, 4), (5, 9)):
        theirs, ours = twins(mine.TiedEmbedding, book("positions.tokens").TiedEmbedding, vocab_size, d_model)
        ids = torch.randint(vocab_size, (2, 3))
        got, expected = theirs(ids), ours.table[ids] * math.sqrt(d_model)
        compare(got, expected, "embeddings", "(batch, position, d_model)", mistakes, ours, ids)


@tokens.stage("TiedEmbedding.logits", "logits", "a score for each token: the product with every row of the same matrix")
@torch.no_grad()
def logits(mine):
    mistakes = [
        (lambda o, x: x @ o.table.T * x.size(-1) ** 0.5, "√d_model is a factor of the input only, not of the logits."),
        (lambda o, x: (x @ o.table.T).softmax(-1), "These are probabilities: return the scores, before a softmax."),
    ]
    for vocab_size, d_model in ((7, 4), (5, 9)):
        theirs, ours = twins(mine.TiedEmbedding, book("positions.tokens").TiedEmbedding, vocab_size, d_model)
        x = torch.randn(2, 3, d_model)
        got, expected = theirs.logits(x), torch.einsum("bnd,vd->bnv", x, ours.table)
        compare(got, expected, "logits", "(batch, position, token)", mistakes, ours, x)


# ---- sinusoids

sinusoidal = Exercise("positions/sinusoidal", "positions/sinusoidal", difficulty=2, minutes=15)


def _powers(d_model: int, factor: float = 2.0) -> Tensor:
    return torch.tensor([10000.0 ** (-factor * i / d_model) for i in range(d_model // 2)], dtype=torch.float64)


@sinusoidal.stage("frequencies", "frequencies", "omega_i = 10000^(-2i / d_model), for one i per pair, float64")
def frequencies(mine):
    mistakes = [
        (lambda d: _powers(d, 1.0), "The exponent is 2i / d_model, and yours is i / d_model."),
        (lambda d: _powers(d, 4.0), "i is doubled twice: in range(0, d_model, 2), the variable is 2i already."),
        (lambda d: _powers(d, -2.0), "These are growing: the exponent is negative."),
        (lambda d: 2 * math.pi * _powers(d), "There is a factor 2π too many: these are radians per position."),
        (
            lambda d: torch.tensor([10000.0 ** (-i / d) for i in range(d)], dtype=torch.float64),
            "There is one frequency for each pair of components: i = 0, ..., d_model / 2 - 1.",
        ),
    ]
    for d_model in (6, 16, 2, 128):
        compare(mine.frequencies(d_model), _powers(d_model), "frequencies", "(pair,)", mistakes, d_model)


def _encoding(positions: Tensor, d_model: int) -> Tensor:
    """Component by component, as the formula has it."""
    rows = [
        [(math.cos if c % 2 else math.sin)(p * 10000.0 ** (-(c - c % 2) / d_model)) for c in range(d_model)]
        for p in positions.tolist()
    ]
    return torch.tensor(rows, dtype=torch.float64)


COUNTED = "This is the encoding of 0, 1, 2, ...: positions is an argument, and may hold others."


@sinusoidal.stage(
    "positional_encoding", "sine and cosine", "component 2i is sin(pos omega_i), 2i + 1 is cos(pos omega_i)"
)
def sine_and_cosine(mine):
    def halves(first: int, second: int):
        return lambda p, d: torch.cat([_encoding(p, d)[:, first::2], _encoding(p, d)[:, second::2]], -1)

    mistakes = [
        (
            lambda p, d: _encoding(p, d).unflatten(-1, (-1, 2)).flip(-1).flatten(-2),
            "Sine and cosine are swapped: the sine comes first, at even components.",
        ),
        (
            halves(0, 1),
            "All sines come before all cosines: the paper takes turns, sin, cos, sin, cos (stack, flatten).",
        ),
        (halves(1, 0), "All cosines come before all sines: they take turns, sin, cos, sin, cos (stack, flatten)."),
        (lambda p, d: _encoding(p, d)[:, 0::2], "The cosines are missing."),
        (lambda p, d: _encoding(p + 1, d), "Positions count from 0, not from 1."),
        (lambda p, d: _encoding(torch.arange(len(p)), d), COUNTED),
    ]
    for d_model in (6, 16, 2):
        for positions in (torch.arange(5), torch.tensor([7, 0, 3]), torch.tensor([250])):
            right, got = _encoding(positions, d_model), mine.positional_encoding(positions, d_model)
            compare(got, right, "encoding", "(position, component)", mistakes, positions, d_model)


# ---- fixed offsets

fixed_offset = Exercise("positions/fixed_offset", "positions/fixed-offset", difficulty=3, minutes=20)


@fixed_offset.stage("offset_map", "offset", "PE(pos) M = PE(pos + offset), with one M for every position")
def offset(mine):
    mistakes = [
        (lambda m: m.T, "Yours leads from pos to pos - offset: a row vector is multiplied from the left, PE M."),
        (
            lambda m: torch.eye(m.size(0), dtype=m.dtype),
            "This is the identity: turn each pair by offset times omega_i.",
        ),
    ]
    for d_model, k in ((4, 1), (8, 3), (2, -5), (16, 40)):
        blocks = [
            torch.tensor([[math.cos(k * w), -math.sin(k * w)], [math.sin(k * w), math.cos(k * w)]], dtype=torch.float64)
            for w in _powers(d_model).tolist()
        ]
        right = torch.block_diag(*blocks)
        got = mine.offset_map(k, d_model)
        compare(got, right, "M", "(d_model, d_model)", mistakes, right)
        positions = torch.tensor([0, 2, 11, 100])
        shifted = _encoding(positions + k, d_model)
        compare(_encoding(positions, d_model) @ got, shifted, "PE(pos) M", "(position, component)")


# ---- rotation

relative = Exercise(
    "positions/relative",
    "positions/relative",
    difficulty=3,
    minutes=40,
    without=("offsets", "relative_scores", "alibi_bias"),
)


def _bucket(offset: int, num_buckets: int, max_distance: int) -> int:
    """By the powers at which buckets begin, in whole numbers."""
    half = num_buckets // 2
    exact, distance = half // 2, abs(offset)
    if distance >= exact:
        begun = (e for e in range(exact) if exact ** (exact - e) * max_distance**e <= distance**exact)
        distance = exact + max(begun)
    return distance + half * (offset > 0)


@relative.stage("t5_bucket", "T5 buckets", "near offsets have a bucket each, farther ones share wider and wider ones")
def t5_buckets(mine):
    def each(bucket):
        return lambda offset, n, most: torch.tensor([bucket(o, n, most) for o in offset.flatten().tolist()]).view(
            offset.shape
        )

    mistakes = [
        (
            each(lambda o, n, most: _bucket(-o, n, most)),
            "The halves are swapped: the second one is for offset > 0, keys after the query.",
        ),
        (
            each(lambda o, n, most: _bucket(-abs(o), n, most)),
            "Before and after the query are different buckets: those of offset > 0 begin at num_buckets / 2.",
        ),
        (
            each(lambda o, n, most: min(abs(o), n // 2 - 1) + n // 2 * (o > 0)),
            "From a distance of num_buckets / 4 on, buckets grow like the logarithm.",
        ),
        (
            each(lambda o, n, most: _bucket(o, n, 128)),
            "max_distance is an argument: it is not always 128.",
        ),
        (
            each(lambda o, n, most: _bucket(o, 32, most)),
            "num_buckets is an argument: it is not always 32.",
        ),
        (
            each(lambda o, n, most: _bucket(o, 32, 128)),
            "num_buckets and max_distance are arguments: they are not always 32 and 128.",
        ),
    ]
    for num_buckets, max_distance in ((32, 128), (8, 20), (4, 5), (16, 200)):
        line = torch.arange(-max_distance - 9, max_distance + 10)
        for offset in (line, line.view(-1, 1)[:12]):
            right = each(_bucket)(offset, num_buckets, max_distance)
            inputs = offset, num_buckets, max_distance
            compare(mine.t5_bucket(*inputs), right, "buckets", "(offset,)", mistakes, *inputs)
    for sizes in ((6, 128), (32, 8)):
        hint = "num_buckets is a multiple of 4, and max_distance above num_buckets / 4."
        raises(ValueError, lambda sizes=sizes: mine.t5_bucket(torch.arange(3), *sizes), "sizes that do not fit", hint)


@relative.stage("rotate", "rotation", "each pair of components is turned by position times frequency")
def rotation(mine):
    rotate = book("positions.relative").rotate

    def halves(x: Tensor, positions: Tensor, base: float) -> Tensor:
        """The pairs (i, i + d / 2), as other implementations have them."""
        turned = rotate(torch.stack(x.chunk(2, -1), -1).flatten(-2), positions, base)
        return torch.cat([turned[..., 0::2], turned[..., 1::2]], -1)

    mistakes = [
        (lambda x, p, base: rotate(x, -p, base), "Yours turns the other way: (x cos - y sin, x sin + y cos)."),
        (halves, "The pairs are neighbours, (0, 1), (2, 3), ...: yours are components i and i + d_k / 2."),
        (lambda x, p, base: rotate(x, p + 1, base), "Positions count from 0, not from 1."),
        (lambda x, p, base: rotate(x, torch.arange(len(p)), base), COUNTED),
        (lambda x, p, base: rotate(x, p, 10_000.0), "base is an argument: it is not always 10,000."),
        (lambda x, p, base: x, "Nothing is turned."),
    ]
    cases = [((3, 4), 10_000.0), ((2, 5, 6), 10_000.0), ((2, 2, 3, 2), 10_000.0), ((4, 8), 500.0)]
    for shape, base in cases:
        x = torch.randn(shape)
        for positions in (torch.arange(shape[-2]), torch.randint(50, (shape[-2],))):
            pairs = torch.view_as_complex(x.unflatten(-1, (-1, 2)).double())
            omega = torch.tensor([base ** (-2 * i / shape[-1]) for i in range(shape[-1] // 2)], dtype=torch.float64)
            turned = torch.view_as_real(pairs * torch.exp(1j * positions.unsqueeze(-1) * omega)).flatten(-2).float()
            got = mine.rotate(x, positions, base)
            compare(got, turned, "turned", "(..., position, component)", mistakes, x, positions, base)
