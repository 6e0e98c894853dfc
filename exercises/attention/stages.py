"""Attention, stage by stage: soft look-up, scaled dot-product attention, masks, heads."""

from __future__ import annotations

import math
import re

import torch
from torch import Tensor, nn

from exercises.checking import (
    Exercise,
    Wrong,
    allowed,
    book,
    check_tensor,
    compare,
    compare_values,
    pair,
    twins,
    varied,
)
from exercises.language import say

RESHAPED = "The keys are reshaped, which tears them apart: transpose(-2, -1) swaps the axes, view and reshape do not."
HIDE = "True means allowed in the book's masks: hide where the mask is False."

# ---- soft look-up

soft_lookup = Exercise("attention/soft_lookup", "attention/soft-lookup", difficulty=1, minutes=5)


@soft_lookup.stage("soft_lookup", "look-up weights", "the weights are the softmax of the scores")
def lookup_weights(mine):
    mistakes = [
        (lambda s, v: s / s.sum(), "Dividing by the sum is no softmax: take exp of each score first."),
        (lambda s, v: s.exp(), "exp alone is half of the softmax: divide by the sum, so that the weights sum to 1."),
        (lambda s, v: s, "These are the scores themselves: the weights are their softmax."),
        (lambda s, v: v.softmax(0), "This is the softmax of the values: take that of the scores."),
    ]
    for n in (3, 7, 1):
        s, v = torch.randn(n), torch.randn(n)
        _, weights = pair(mine.soft_lookup(s, v), "the answer and the weights")
        compare(weights, s.exp() / s.exp().sum(), "weights", "(n,)", mistakes, s, v)


@soft_lookup.stage(
    "soft_lookup", "look-up answer", "the answer is the average of the values with these weights", large=True
)
def lookup_answer(mine):
    mistakes = [
        (lambda s, v: s @ v, "The values are weighted with the scores: use the weights."),
        (lambda s, v: v.mean(0), "This is the plain mean of the values: weight them."),
        (lambda s, v: v[s.argmax()], "This is the value of the best key alone, a hard look-up."),
    ]
    for shape in ((4,), (4, 3), (1, 2), (6, 1)):
        s, v = 5 * torch.randn(shape[0]), torch.randn(shape)
        answer, weights = pair(mine.soft_lookup(s, v), "the answer and the weights")
        expected = sum(w * row for w, row in zip(weights, v, strict=True))
        compare(answer, expected, "answer", "(d_v,)", mistakes, s, v)


# ---- scaled dot-product attention

attention = Exercise(
    "attention/scaled_dot_product",
    "attention/scaled-dot-product",
    difficulty=2,
    minutes=25,
    given=("check_shapes",),
)
ATTEND = "scaled_dot_product_attention"
#: Leading axes, n_q, n_k, d_k, d_v; with all of them equal, no shape shows a mistake.
SIZES = [((), 3, 5, 4, 2), ((2, 3), 5, 2, 16, 7), ((2,), 4, 3, 8, 5), ((3,), 3, 3, 3, 3), ((), 1, 6, 2, 1)]
WEIGHTS = ("weights", "(..., query, key)")
OUTPUT = ("output", "(..., query, d_v)")


def _drawn(batch, n_q, n_k, d_k, d_v) -> tuple[Tensor, Tensor, Tensor]:
    return torch.randn(*batch, n_q, d_k), torch.randn(*batch, n_k, d_k), torch.randn(*batch, n_k, d_v)


def _attended(mine, *inputs) -> tuple[Tensor, Tensor]:
    return pair(mine.scaled_dot_product_attention(*inputs), "the output and the weights")


@attention.stage(ATTEND, "scores", "each query meets each key: the weights are (..., n_q, n_k)")
def scores(mine):
    for batch, n_q, n_k, d_k, d_v in SIZES:
        inputs = _drawn(batch, n_q, n_k, d_k, d_v)
        try:
            output, weights = _attended(mine, *inputs)
        except NotImplementedError:
            raise
        except RuntimeError as error:  # of tensors that cannot be multiplied
            q, k, v = (tuple(x.shape) for x in inputs)
            hint = "With query {q}, key {k} and value {v}: Q K^T is {scores}, with a row for each query."
            raise Wrong(str(error), say(hint, q=q, k=k, v=v, scores=(*batch, n_q, n_k))) from error
        for got, shape, (what, axes) in (
            (weights, (*batch, n_q, n_k), WEIGHTS),
            (output, (*batch, n_q, d_v), OUTPUT),
        ):
            check_tensor(got, what, shape)
            hints = {
                (*batch, n_k, n_q): "The axes are swapped: Q K^T has a row for each query, K Q^T one for each key.",
                (*batch, n_q, d_v): "That is the shape of the output: return the output first, then the weights.",
            }
            if tuple(got.shape) != shape:
                text = "{what}: expected the shape {right}, {axes}, got {wrong}"
                wrong = tuple(got.shape)
                raise Wrong(text, hints.get(wrong, ""), what=say(what), right=shape, axes=axes, wrong=wrong)


@attention.stage(ATTEND, "softmax", "each row is a softmax over the keys (d_k = 1: nothing is scaled)")
def softmax(mine):
    mistakes = [
        (lambda s: s.softmax(-2), "Your weights sum to 1 over the queries' axis: softmax over the keys' axis, dim=-1."),
        (lambda s: s.softmax(0), "Your weights sum to 1 over the first axis: softmax over the keys' axis, dim=-1."),
        (lambda s: s.softmax(1), "Your weights sum to 1 over axis 1, which a batch shifts: softmax over dim=-1."),
        (lambda s: s.flatten().softmax(0).view_as(s), "All weights together sum to 1: each row has to, dim=-1."),
        (lambda s: s, "These are the scores: the weights are their softmax over the keys, dim=-1."),
        (lambda s: s.exp(), "exp alone is half of the softmax: divide by the sum over the keys, dim=-1."),
        (lambda s: s.log_softmax(-1), "These are the logarithms of the weights: softmax, not log_softmax."),
        (lambda s: (-s).softmax(-1), "The scores have the wrong sign."),
        (lambda s: s.mT.softmax(-1), "The scores are transposed: a row for each query, Q K^T."),
        (lambda s: (s / s.size(-1) ** 0.5).softmax(-1), "You divide by √n_k, the number of keys: divide by √d_k."),
        (lambda s: (s / s.size(-2) ** 0.5).softmax(-1), "You divide by √n_q, the number of queries: it is √d_k."),
        (
            lambda s: (s / (s.size(1) if s.dim() > 2 else 1) ** 0.5).softmax(-1),
            "You divide by the root of axis 1, which a batch shifts: d_k is query.size(-1).",
        ),
    ]
    for batch, n_q, n_k, _, d_v in SIZES:
        q, k, v = _drawn(batch, n_q, n_k, 1, d_v)
        s = q @ k.mT
        compare(_attended(mine, q, k, v)[1], s.exp() / s.exp().sum(-1, keepdim=True), *WEIGHTS, mistakes, s)


@attention.stage(ATTEND, "scale", "the scores are divided by the square root of d_k")
def scale(mine):
    mistakes = [
        (lambda s, d_k, q, k: s.softmax(-1), "Your scores are √d_k times too large: divide them by √d_k."),
        (lambda s, d_k, q, k: (s / d_k).softmax(-1), "Your scores are divided by d_k: divide them by its square root."),
        (lambda s, d_k, q, k: (s * d_k**0.5).softmax(-1), "Your scores are multiplied by √d_k: divide them by it."),
        (
            lambda s, d_k, q, k: s.softmax(-1) / d_k**0.5,
            "You divide the weights: divide the scores, before the softmax.",
        ),
        (lambda s, d_k, q, k: (q @ k.reshape(k.mT.shape) / d_k**0.5).softmax(-1), RESHAPED),
        (lambda s, d_k, q, k: (q @ k.reshape(k.mT.shape)).softmax(-1), RESHAPED),
    ]
    for sizes in SIZES:
        q, k, v = _drawn(*sizes)
        s, d_k = q @ k.mT, q.size(-1)
        expected = (s / math.sqrt(d_k)).softmax(-1)
        compare(_attended(mine, q, k, v)[1], expected, *WEIGHTS, mistakes, s, d_k, q, k)


@attention.stage(ATTEND, "average", "the output is the average of the values with these weights")
def average(mine):
    mistakes = [
        (lambda w, q, k, v: q @ k.mT @ v, "The values are weighted with the scores: use the weights."),
        (
            lambda w, q, k, v: q @ k.mT / q.size(-1) ** 0.5 @ v,
            "The values are weighted with the scores: use the weights.",
        ),
        (lambda w, q, k, v: w.mT @ v, "The weights are transposed: a row of weights belongs to a query."),
        (lambda w, q, k, v: w @ k, "The keys are averaged: average the values."),
        (lambda w, q, k, v: w @ q, "The queries are averaged: average the values."),
    ]
    for sizes in SIZES:
        q, k, v = _drawn(*sizes)
        output, w = _attended(mine, q, k, v)
        compare(output, nn.functional.scaled_dot_product_attention(q, k, v), *OUTPUT, mistakes, w, q, k, v)


def _hidden(s: Tensor, where: Tensor, value: float = -math.inf) -> Tensor:
    return s.masked_fill(where, value).softmax(-1)


@attention.stage(ATTEND, "mask", "a query pays no attention to a key where the mask is False")
def mask(mine):
    mistakes = [
        (_hidden, HIDE),
        (lambda s, m: _hidden(s, m).nan_to_num(), HIDE),
        (lambda s, m: _hidden(s, m, -1e9), HIDE),
        (lambda s, m: s.softmax(-1), "The mask changes nothing: hide the scores where it is False."),
        (lambda s, m: s.softmax(-1) * m, "You mask after the softmax, so rows sum to less than 1: mask before it."),
        (lambda s, m: (s * m).softmax(-1), "Hidden scores are 0, which is a weight of e^0 = 1: set them to -inf."),
        (lambda s, m: (s + m).softmax(-1), "The mask is added as 0 and 1: set the scores to -inf where it is False."),
        (lambda s, m: _hidden(s, ~m.mT), "The mask is transposed: its rows are queries, its columns keys."),
    ]
    for sizes in SIZES:
        q, k, v = _drawn(*sizes)
        s = q @ k.mT / math.sqrt(q.size(-1))
        for shape in (s.shape, s.shape[-2:], (*s.shape[:-2], 1, s.size(-1))):
            m = allowed(*shape)
            output, weights = _attended(mine, q, k, v, m)
            compare(weights, _hidden(s, ~m), *WEIGHTS, mistakes, s, m)
            compare(output, weights @ v, *OUTPUT)


@attention.stage(
    ATTEND, "nothing allowed", "a query that may attend to no key has weights 0, output 0 and no nan", large=True
)
def nothing_allowed(mine):
    mistakes = [
        (lambda s, m: _hidden(s, ~m), "A softmax over nothing but -inf is 0 / 0 = nan: give such a row weights 0."),
        (lambda s, m: _hidden(s, ~m, -1e9), "-1e9 makes such a row uniform over hidden keys: give it weights 0."),
        (lambda s, m: _hidden(s, ~m & m.any(-1, True)), "Such a row attends to hidden keys: give it weights 0."),
    ]
    for sizes in SIZES[:3]:
        q, k, v = _drawn(*sizes)
        q.requires_grad_()
        s = (q @ k.mT / math.sqrt(q.size(-1))).detach()
        m = allowed(*s.shape)
        m[..., 1, :] = False
        output, weights = _attended(mine, q, k, v, m)
        compare(weights, _hidden(s, ~m).nan_to_num(), *WEIGHTS, mistakes, s, m)
        compare(output, weights @ v, *OUTPUT)
        output.sum().backward()
        if q.grad.isnan().any():
            raise Wrong(
                "output: right, but its gradient is nan",
                "Replacing nan afterwards comes too late for the backward pass: leave a row without any key as it is "
                "before the softmax, and set its weights to 0 after it.",
            )


# ---- masks

masks = Exercise("attention/masks", "attention/masks", difficulty=1, minutes=10)
FUTURE = "True means allowed in the book's masks: yours allows the future and nothing else."
PADDING = "True means allowed in the book's masks: it is True for tokens and False for padding."


@masks.stage("causal_mask", "causal", "position i may attend to positions j <= i")
def causal(mine):
    mistakes = [
        (lambda right: ~right, FUTURE),
        (lambda right: right.T, "Yours is upper triangular: each position sees itself and the future. j <= i."),
        (
            lambda right: right.tril(-1),
            "The diagonal is False, but a position may attend to itself: j <= i, not j < i.",
        ),
    ]
    for n in (5, 2, 8, 1):
        expected = torch.tensor([[j <= i for j in range(n)] for i in range(n)])
        compare(_boolean(mine.causal_mask(n)), expected, "mask", "(query, key)", mistakes, expected)
    if mine.causal_mask(2, torch.device("meta")).device.type != "meta":
        raise Wrong(
            "mask: it is right, but not on the device that was asked for",
            "Make it there: torch.arange(n, device=device), torch.ones(n, n, device=device).",
        )


@masks.stage("padding_mask", "padding", "no query may attend to padding: (batch, 1, n_k)")
def padding(mine):
    mistakes = [
        (lambda keep, ids: ~keep[:, None], PADDING),
        (lambda keep, ids: ~keep, PADDING),
        (lambda keep, ids: keep, "The axis of the queries is missing: unsqueeze(1), so that it broadcasts over them."),
        (
            lambda keep, ids: keep[:, :, None],
            "Yours hides rows, those of queries: padding is hidden as a key, unsqueeze(1).",
        ),
        (lambda keep, ids: keep[:, None] & keep[:, :, None], "Only keys are to be hidden: the row of a query stays."),
        (lambda keep, ids: (ids != 0)[:, None], "pad_id is an argument: it is not always 0."),
    ]
    ids = torch.tensor([[5, 1, 3, 0], [2, 3, 3, 0], [1, 4, 2, 6]])
    for pad_id in (0, 3):
        keep = ids != pad_id
        got = _boolean(mine.padding_mask(ids, pad_id))
        compare(got, keep.unsqueeze(1), "mask", "(batch, 1, key)", mistakes, keep, ids)


def _boolean(mask):
    if isinstance(mask, Tensor) and mask.dtype != torch.bool:
        hint = "Compare positions or ids: that gives booleans."
        raise Wrong("mask: expected torch.bool, got {wrong}", hint, wrong=mask.dtype)
    return mask


# ---- heads

multi_head = Exercise(
    "attention/multi_head",
    "attention/multi-head",
    difficulty=3,
    minutes=40,
    given=("head_size", "check_inputs"),
    without=("einsum_attention", "fuse"),
)


def _inputs(d_model: int):
    """Query, key, value and mask: cross-attention, self-attention with a mask for all, and without one."""
    yield torch.randn(2, 3, d_model), torch.randn(2, 5, d_model), torch.randn(2, 5, d_model), allowed(2, 3, 5)
    yield *(torch.randn(3, 4, d_model) for _ in range(3)), allowed(4, 4)
    yield *(torch.randn(1, 2, d_model) for _ in range(3)), None


def _attend(*inputs) -> Tensor:
    return book("attention.scaled_dot_product").scaled_dot_product_attention(*inputs)[0]


def _alone(output):
    if isinstance(output, tuple):
        raise Wrong("output: one tensor is to be returned, without the weights")
    return output


@multi_head.stage("AttentionHead.forward", "projection", "one head: queries, keys and values projected, then attention")
@torch.no_grad()
def projection(mine):
    mistakes = [
        (lambda o, q, k, v, m: _attend(q, k, v, m), "Nothing is projected: w_q(query), w_k(key), w_v(value)."),
        (lambda o, q, k, v, m: _attend(o.w_q(q), o.w_k(k), v, m), "The values are not projected: w_v(value)."),
        (lambda o, q, k, v, m: o(q, q, q, m), "Keys and values come from the query: project key and value."),
        (lambda o, q, k, v, m: o(q, k, k, m), "The values come from the keys: w_v(value)."),
        (lambda o, q, k, v, m: o(q, k, v), "The mask gets lost: hand it on to the attention."),
        (lambda o, q, k, v, m: _attend(o.w_k(q), o.w_q(k), o.w_v(v), m), "w_q and w_k are swapped."),
        (lambda o, q, k, v, m: o(q, v, k, m), "Key and value are swapped: w_k(key), w_v(value)."),
        (lambda o, q, k, v, m: _attend(o.w_q(q), o.w_q(k), o.w_v(v), m), "The keys go through W_Q: w_k(key)."),
    ]
    for d_model, d_k in ((6, 2), (4, 4)):
        theirs, ours = twins(mine.AttentionHead, book("attention.multi_head").AttentionHead, d_model, d_k)
        for inputs in _inputs(d_model):
            got = _alone(theirs(*inputs))
            compare(got, ours(*inputs), "output", "(batch, query, d_k)", mistakes, ours, *inputs)


@multi_head.stage("PerHeadAttention.forward", "concat", "the heads side by side, in order, and then W_O")
@torch.no_grad()
def concat(mine):
    def heads(o, *inputs):
        return [head(*inputs) for head in o.heads]

    def along_positions(o, *inputs):
        return o.w_o(torch.cat(heads(o, *inputs), 1).view_as(inputs[0]))

    mistakes = [
        (lambda o, *x: torch.cat(heads(o, *x), -1), "W_O is missing: project what was concatenated."),
        (lambda o, *x: o.w_o(torch.cat(heads(o, *x)[::-1], -1)), "The heads are in reverse order: head 1 comes first."),
        (
            lambda o, *x: o.w_o(torch.stack(heads(o, *x), -1).flatten(-2)),
            "The components of the heads are interleaved: one whole head follows another, cat(dim=-1).",
        ),
        (along_positions, "The heads are concatenated along the positions: along the components, dim=-1."),
        (lambda o, q, k, v, m: o(q, k, v), "The mask gets lost: hand it on to every head."),
    ]
    for sizes in ((6, 3), (4, 1), (8, 2)):
        theirs, ours = twins(mine.PerHeadAttention, book("attention.multi_head").PerHeadAttention, *sizes)
        theirs.heads = ours.heads  # whatever is wrong with one head has been said
        for inputs in _inputs(sizes[0]):
            got = _alone(theirs(*inputs))
            compare(got, ours(*inputs), "output", "(batch, query, d_model)", mistakes, ours, *inputs)


SPLIT = [(2, 3, 8, 2), (1, 4, 6, 3), (3, 2, 4, 1), (2, 4, 8, 4)]  # batch, n, d_model, heads


@multi_head.stage("split_heads", "split", "each vector is cut into a piece for each head: (batch, heads, n, d_k)")
def split(mine):
    mistakes = [
        (
            lambda x, heads: x.reshape(x.size(0), heads, x.size(1), -1),
            "One view mixes positions and heads: view as (batch, n, heads, d_k), then transpose(1, 2).",
        ),
        (
            lambda x, heads: x.unflatten(-1, (heads, -1)),
            "The axis of the heads comes behind that of the positions: transpose(1, 2).",
        ),
        (
            lambda x, heads: x.unflatten(-1, (-1, heads)).permute(0, 3, 1, 2),
            "A head gets components that are apart: it gets d_k neighbours, view(batch, n, heads, d_k).",
        ),
    ]
    for batch, n, d_model, heads in SPLIT:
        x = torch.randn(batch, n, d_model)
        expected = torch.stack(x.split(d_model // heads, dim=-1), dim=1)
        compare(mine.split_heads(x, heads), expected, "heads", "(batch, head, position, d_k)", mistakes, x, heads)


@multi_head.stage("merge_heads", "merge", "the way back: the pieces of a vector side by side again")
def merge(mine):
    mistakes = [
        (
            lambda x: x.reshape(x.size(0), x.size(2), -1),
            "The heads are merged without a transpose: transpose(1, 2) first, then flatten the last two axes.",
        ),
        (
            lambda x: x.permute(0, 2, 3, 1).flatten(2),
            "The components of the heads are interleaved: one whole head follows another.",
        ),
        (lambda x: x.transpose(1, 2), "heads and d_k are still two axes: flatten them into one."),
        (lambda x: x.sum(1), "The heads are added: put them side by side."),
    ]
    for batch, n, d_model, heads in SPLIT:
        x = torch.randn(batch, heads, n, d_model // heads)
        expected = torch.cat(x.unbind(1), dim=-1)
        compare(mine.merge_heads(x), expected, "vectors", "(batch, position, d_model)", mistakes, x)


@multi_head.stage(
    "MultiHeadAttention.forward", "all heads", "project, split, attend, merge, W_O; one mask for all heads"
)
@torch.no_grad()
def all_heads(mine):
    module = book("attention.multi_head")

    def parts(o, q, k, v):
        return [module.split_heads(w(x), o.num_heads) for w, x in ((o.w_q, q), (o.w_k, k), (o.w_v, v))]

    def heads(o, q, k, v, m, factor=1.0):
        q, k, v = parts(o, q, k, v)
        return _attend(q * factor, k, v, None if m is None else m.unsqueeze(-3))

    def projected(project, key="w_k", axis=-3):
        """With another projection, other keys, or the mask's axis elsewhere."""

        def output(o, q, k, v, m):
            pairs = ((o.w_q, q), (getattr(o, key), k), (o.w_v, v))
            q, k, v = (module.split_heads(project(w, x), o.num_heads) for w, x in pairs)
            return project(o.w_o, module.merge_heads(_attend(q, k, v, None if m is None else m.unsqueeze(axis))))

        return output

    def linear(w, x):
        return w(x)

    mistakes = [
        (
            projected(lambda w, x: x @ w.weight + (0 if w.bias is None else w.bias)),
            "W is transposed: nn.Linear computes x W^T. Call the layer, self.w_q(query).",
        ),
        (
            projected(lambda w, x: x @ w.weight),
            "W is transposed, and the bias is missing: call the layer, self.w_q(query).",
        ),
        (projected(lambda w, x: x @ w.weight.T), "The bias is missing: call the layer, self.w_q(query)."),
        (projected(linear, key="w_q"), "The keys go through W_Q: w_k(key)."),
        (projected(linear, key="w_v"), "The keys go through W_V: w_k(key)."),
        (lambda o, q, k, v, m: o(q, v, k, m)[0], "Key and value are swapped: w_k(key), w_v(value)."),
        (lambda o, q, k, v, m: o(q, q, v, m)[0], "The keys come from the query: w_k(key)."),
        (lambda o, q, k, v, m: o(q, k, k, m)[0], "The values come from the keys: w_v(value)."),
        (projected(linear, axis=1), "The mask gets its axis in the wrong place: that of the heads is unsqueeze(-3)."),
        (lambda o, *x: module.merge_heads(heads(o, *x)), "W_O is missing: project what was merged."),
        (
            lambda o, *x: o.w_o(heads(o, *x).reshape(x[0].shape)),
            "The heads are merged without a transpose: transpose(1, 2) first, or merge_heads.",
        ),
        (lambda o, q, k, v, m: o(q, k, v)[0], "The mask gets lost: hand it on to the attention."),
        (
            lambda o, *x: o.w_o(module.merge_heads(heads(o, *x, o.num_heads**-0.5))),
            "The scores are divided by √d_model: divide by √d_k, of one head.",
        ),
        (
            lambda o, q, k, v, m: o.w_o(_attend(o.w_q(q), o.w_k(k), o.w_v(v), m)),
            "This is one head of d_model dimensions: split queries, keys and values into heads.",
        ),
    ]
    for sizes in ((6, 3), (4, 1), (8, 2)):
        theirs, ours = twins(mine.MultiHeadAttention, module.MultiHeadAttention, *sizes)
        for inputs in _inputs(sizes[0]):
            output, weights = pair(_with_a_mask_for_all(theirs, *inputs), "the output and the weights")
            expected = ours(*inputs)
            compare(output, expected[0], "output", "(batch, query, d_model)", mistakes, ours, *inputs)
            compare(weights, expected[1], "weights", "(batch, head, query, key)")


def _with_a_mask_for_all(theirs, q, k, v, m):
    try:
        return theirs(q, k, v, m)
    except ValueError as error:
        if m is None or not (said := re.search(r"attn_mask\s(\([\d, ]+\))\sdoes", str(error))):
            raise  # not of a mask
        if said[1] == str(tuple(m.shape)):
            if m.dim() != 3:
                raise  # of one that has its axis
            hint = "A mask (batch, n_q, n_k) needs an axis for the heads: unsqueeze(-3)."
        else:
            hint = "The mask gets its axis in the wrong place: that of the heads is unsqueeze(-3)."
        raise Wrong(str(error), hint) from None


# ---- shapes: predicted, and compared with those of tensors that are computed

shapes = Exercise("attention/shapes", "attention/three-uses", difficulty=1, minutes=10)


def shapes_of(**tensors: Tensor) -> dict[str, tuple[int, ...]]:
    """The shapes of tensors, by name, as an answer has them."""
    return {name: tuple(tensor.shape) for name, tensor in tensors.items()}


@shapes.stage("attention_shapes", "shapes of attention", "those of queries, keys, values, scores and outputs")
@torch.no_grad()
def attention_shapes(mine):
    def formula(b, n_q, n_k, d, h, order=(0, 1, 2, 3), **change):
        d_k = d // h
        right = {
            "queries": (b, h, n_q, d_k),
            "keys": (b, h, n_k, d_k),
            "values": (b, h, n_k, d_k),
            "scores": (b, h, n_q, n_k),
            "heads": (b, h, n_q, d_k),
        }
        right = {name: tuple(shape[axis] for axis in order) for name, shape in right.items()}
        return right | {"output": (b, n_q, d)} | {name: new(b, n_q, n_k, d, h) for name, new in change.items()}

    change = varied(formula)
    mistakes = [
        (
            change(
                queries=lambda b, q, k, d, h: (b, h, q, d),
                keys=lambda b, q, k, d, h: (b, h, k, d),
                values=lambda b, q, k, d, h: (b, h, k, d),
                heads=lambda b, q, k, d, h: (b, h, q, d),
            ),
            "A head has d_k = d_model / num_heads components, not d_model.",
        ),
        (
            change(order=(0, 2, 1, 3)),
            "The axis of the heads comes before that of the positions: split_heads ends with a transpose.",
        ),
        (
            change(scores=lambda b, q, k, d, h: (b, h, k, q)),
            "A row of the scores belongs to a query, a column to a key.",
        ),
        (
            change(scores=lambda b, q, k, d, h: (b, q, k)),
            "Each head has scores of its own.",
        ),
        (
            change(values=lambda b, q, k, d, h: (b, h, q, d // h)),
            "There are as many values as keys.",
        ),
        (
            change(
                keys=lambda b, q, k, d, h: (b, h, q, d // h),
                values=lambda b, q, k, d, h: (b, h, q, d // h),
            ),
            "Keys and values belong to the n_k tokens that are attended to.",
        ),
        (
            change(heads=lambda b, q, k, d, h: (b, h, k, d // h)),
            "Each query gets one weighted average of the values: n_q in each head.",
        ),
        (
            change(output=lambda b, q, k, d, h: (b, k, d)),
            "Each query gets one output: there are n_q.",
        ),
        (
            change(output=lambda b, q, k, d, h: (b, h, q, d // h)),
            "The heads are joined before W_O: the output is (batch, n_q, d_model).",
        ),
    ]
    module = book("attention.multi_head")
    for batch, n_q, n_k, d_model, num_heads in ((2, 3, 4, 12, 2), (5, 4, 3, 8, 4), (1, 2, 7, 6, 1)):
        attention = module.MultiHeadAttention(d_model, num_heads)
        x, y = torch.randn(batch, n_q, d_model), torch.randn(batch, n_k, d_model)
        queries = module.split_heads(attention.w_q(x), num_heads)
        keys, values = (module.split_heads(w(y), num_heads) for w in (attention.w_k, attention.w_v))
        scores = queries @ keys.mT
        right = shapes_of(
            queries=queries,
            keys=keys,
            values=values,
            scores=scores,
            heads=scores @ values,
            output=attention(x, y, y)[0],
        )
        inputs = batch, n_q, n_k, d_model, num_heads
        compare_values(mine.attention_shapes(*inputs), right, "shapes", mistakes, *inputs)


@shapes.stage("mask_shapes", "shapes of masks", "those of the masks for padding and for the future, and of both")
def mask_shapes(mine):
    def formula(batch, n, m, **change):
        right = {"src_mask": (batch, 1, n), "causal": (m, m), "tgt_mask": (batch, m, m), "memory_mask": (batch, 1, n)}
        return right | {name: new(batch, n, m) for name, new in change.items()}

    change = varied(formula)
    mistakes = [
        (
            change(src_mask=lambda b, n, m: (b, n), memory_mask=lambda b, n, m: (b, n)),
            "padding_mask puts an axis of size 1 between: it is broadcast over the queries.",
        ),
        (
            change(src_mask=lambda b, n, m: (b, n, n), memory_mask=lambda b, n, m: (b, m, n)),
            "Padding is hidden from every query alike: an axis of size 1 is enough, and broadcast.",
        ),
        (
            change(src_mask=lambda b, n, m: (b, n, 1), memory_mask=lambda b, n, m: (b, n, 1)),
            "Columns are keys: padding is hidden there, and the axis of size 1 is that of the queries.",
        ),
        (
            change(causal=lambda b, n, m: (b, m, m)),
            "The causal mask is the same for each sentence: it has no batch.",
        ),
        (
            change(tgt_mask=lambda b, n, m: (b, 1, m)),
            "The future is another one for each query: (batch, 1, m) & (m, m) is (batch, m, m).",
        ),
        (
            change(tgt_mask=lambda b, n, m: (m, m)),
            "Padding is elsewhere in each sentence: (batch, 1, m) & (m, m) is (batch, m, m).",
        ),
        (
            change(memory_mask=lambda b, n, m: (b, 1, m)),
            "The cross-attention's keys are the source: its padding is hidden.",
        ),
    ]
    masks = book("attention.masks")
    for batch, n, m in ((2, 4, 3), (3, 2, 5), (4, 6, 1)):
        padding, causal = masks.padding_mask(torch.ones(batch, n), 0), masks.causal_mask(m)
        both = masks.padding_mask(torch.ones(batch, m), 0) & causal
        right = shapes_of(src_mask=padding, causal=causal, tgt_mask=both, memory_mask=padding)
        compare_values(mine.mask_shapes(batch, n, m), right, "shapes", mistakes, batch, n, m)
