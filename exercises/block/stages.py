"""The block, stage by stage: feed-forward network, dropout, layer normalisation, residual connection, layers."""

from __future__ import annotations

from dataclasses import replace
from functools import partial

import torch
from torch import Tensor, nn

from exercises.checking import Exercise, Times, Wrong, allowed, book, compare, raises, twins

VECTORS = ("output", "(batch, position, d_model)")
#: A model so small that all of it can be compared.
TINY = {"vocab_size": 11, "num_layers": 2, "d_model": 8, "num_heads": 2, "d_ff": 12, "dropout": 0.0}


def configs():
    """A small configuration for each order of the norm, and one with other sizes."""
    config = book("block.config").TransformerConfig(**TINY)
    return [config, replace(config, norm_first=True), replace(config, d_model=6, num_heads=3, num_layers=3)]


# ---- feed-forward

feed_forward = Exercise("block/feed_forward", "block/feed-forward", difficulty=1, minutes=5)


@feed_forward.stage("FeedForward.forward", "network", "W_1, the activation, W_2")
@torch.no_grad()
def network(mine):
    mistakes = [
        (lambda o, x: o.w_2(o.w_1(x)), "The activation is missing: without it, two linear maps are one."),
        (lambda o, x: o.activation(o.w_2(o.activation(o.w_1(x)))), "No activation follows W_2: only W_1."),
        (lambda o, x: o.activation(o.w_2(o.w_1(x))), "The activation comes between W_1 and W_2, not at the end."),
        (lambda o, x: x + o.w_2(o.activation(o.w_1(x))), "The residual connection is not part of the network."),
        (lambda o, x: o.w_2(torch.relu(o.w_1(x))), "The activation is an argument: use self.activation."),
        (lambda o, x: o.activation(o.w_1(x)), "W_2 is missing: back to d_model."),
    ]
    for sizes in ((3, 8), (4, 4, torch.tanh), (2, 5, nn.functional.gelu)):
        theirs, ours = twins(mine.FeedForward, book("block.feed_forward").FeedForward, *sizes)
        for shape in ((2, 3, sizes[0]), (4, sizes[0])):
            x = torch.randn(shape)
            compare(theirs(x), ours(x), "output", "(..., d_model)", mistakes, ours, x)


# ---- dropout

dropout = Exercise("block/dropout", "block/dropout", difficulty=1, minutes=10)


@dropout.stage("Dropout.forward", "at inference", "at inference, nothing changes")
def at_inference(mine):
    module, x = mine.Dropout(0.4).eval(), torch.randn(4, 5)
    got = module(x)
    if isinstance(got, Tensor) and got.shape == x.shape and (got == 0).any():
        raise Wrong(
            "output: at inference, components are 0", "Only in training: return x unless self.training is True."
        )
    compare(got, x, "output", "(...)", [(lambda x: x * 0.6, "At inference nothing is scaled: return x.")], x)


@dropout.stage(
    "Dropout.forward", "in training", "in training, each component is 0 with probability p, else x / (1 - p)"
)
def in_training(mine):
    for p in (0.1, 0.6):
        x = torch.rand(400, 100) + 1
        module = mine.Dropout(p).train()
        got = module(x)
        if not isinstance(got, Tensor) or got.shape != x.shape:
            raise Wrong("output: a tensor of the shape {shape} is expected", shape=tuple(x.shape))
        zero = (got == 0).float()
        share = zero.mean().item()
        if abs(share - p) > 0.02:
            hint = "p is the probability of 0, not that of being kept." if abs(share - 1 + p) < 0.02 else ""
            hint = hint or ("At random, in training: self.training is True." if share == 0 else "")
            raise Wrong("output: {share:.1%} of the components are 0, and {p:.0%} should be", hint, share=share, p=p)
        if zero.mean(0).std() > 0.1 or zero.mean(1).std() > 0.1:
            raise Wrong("output: whole rows or columns are 0 together", "Draw for each component: torch.rand_like(x).")
        mistakes = [
            (lambda x, z, p: x * (1 - z), "What is kept is divided by 1 - p, so that the mean stays."),
            (lambda x, z, p: x * (1 - z) / p, "What is kept is divided by 1 - p, not by p."),
            (lambda x, z, p: x * (1 - z) * (1 - p), "What is kept is divided by 1 - p, not multiplied by it."),
        ]
        compare(got, x * (1 - zero) / (1 - p), "output", "(...)", mistakes, x, zero, p)
        if torch.equal(module(x), got):
            raise Wrong("output: the same components are 0 at every call", "Draw anew each time: torch.rand_like(x).")


# ---- layer normalisation

layer_norm = Exercise("block/layer_norm", "block/layer-norm", difficulty=2, minutes=15)


def _normed(o, x: Tensor, dim=-1, unbiased=False, inside=True) -> Tensor:
    mean = x.mean(dim=dim, keepdim=True)
    variance = x.var(dim=dim, keepdim=True, unbiased=unbiased)
    root = (variance + o.eps).sqrt() if inside else variance.sqrt() + o.eps
    return (x - mean) / root


@layer_norm.stage("LayerNorm.forward", "mean and variance", "each vector gets mean 0 and variance 1 over d_model")
@torch.no_grad()
def mean_and_variance(mine):
    mistakes = [
        (
            lambda o, x: _normed(o, x, unbiased=True),
            "The variance is divided by d_model, not by d_model - 1 (unbiased=False).",
        ),
        (lambda o, x: _normed(o, x, dim=0), "The mean is over the first axis, the batch: over the last, dim=-1."),
        (lambda o, x: _normed(o, x, dim=1), "The mean is over the positions: over the last axis, dim=-1."),
        (lambda o, x: _normed(o, x, dim=(-2, -1)), "The mean is over several axes: over the last one alone, dim=-1."),
        (lambda o, x: (x - x.mean()) / (x.var(unbiased=False) + o.eps).sqrt(), "The mean is over all axes: dim=-1."),
        (lambda o, x: torch.ones_like(x), "gamma and beta are swapped: gamma multiplies, beta is added."),
        (lambda o, x: x - x.mean(-1, keepdim=True), "Divide by the standard deviation, too."),
        (lambda o, x: x * (x.square().mean(-1, True) + o.eps).rsqrt(), "Subtract the mean first: this is RMSNorm."),
        (
            lambda o, x: (x - x.mean(-1, True)) / (x.var(-1, keepdim=True, unbiased=False) + o.eps),
            "You divide by the variance: divide by its square root.",
        ),
    ]
    for shape in ((2, 3, 4), (5, 8), (2, 2, 2, 6), (4, 3, 2)):
        x = 3 * torch.randn(shape) + 2
        module = mine.LayerNorm(shape[-1], 1e-8)
        expected = nn.functional.layer_norm(x, shape[-1:], eps=1e-8)
        compare(module(x), expected, "output", "(..., component)", mistakes, module, x)
    x = 4096 + torch.tensor([[-3.0, -1.0, 1.0, 3.0], [3.0, 1.0, -1.0, -3.0]])  # 4096² + 5 is no float32
    got, expected = mine.LayerNorm(4, 1e-8)(x), (x - 4096) / 5**0.5
    if not torch.allclose(got, expected, atol=0.02):
        raise Wrong(
            "output: right, but not where the mean is large",
            "E[x²] - E[x]² is a small difference of large numbers: subtract the mean first, then square.",
        )


@layer_norm.stage("LayerNorm.forward", "epsilon", "ε is added to the variance, inside the root")
@torch.no_grad()
def epsilon(mine):
    mistakes = [
        (lambda o, x: _normed(o, x, inside=False), "ε belongs inside the root: sqrt(variance + ε)."),
        (lambda o, x: nn.functional.layer_norm(x, x.shape[-1:], eps=1e-5), "eps is an argument: use self.eps."),
        (lambda o, x: nn.functional.layer_norm(x, x.shape[-1:], eps=1e-6), "eps is an argument: use self.eps."),
        (lambda o, x: nn.functional.layer_norm(x, x.shape[-1:], eps=1e-12), "eps is an argument: use self.eps."),
        (lambda o, x: nn.functional.layer_norm(x, x.shape[-1:], eps=0.0), "ε is missing: sqrt(variance + ε)."),
    ]
    for d_model, eps in ((4, 0.5), (3, 0.1), (5, 0.2)):
        x, module = 0.3 * torch.randn(2, 3, d_model), mine.LayerNorm(d_model, eps)
        expected = nn.functional.layer_norm(x, (d_model,), eps=eps)
        compare(module(x), expected, "output", "(..., component)", mistakes, module, x)
    constant = torch.full((2, 4), 7.0)
    compare(mine.LayerNorm(4)(constant), torch.zeros(2, 4), "output for a constant vector", "(..., component)")


@layer_norm.stage(
    "LayerNorm.forward", "gamma and beta", "then each component is multiplied by gamma, and beta is added", half=True
)
@torch.no_grad()
def gamma_and_beta(mine):
    mistakes = [
        (lambda o, x: _normed(o, x), "gamma and beta are missing."),
        (lambda o, x: _normed(o, x) * o.gamma, "beta is missing."),
        (lambda o, x: _normed(o, x) + o.beta, "gamma is missing."),
        (
            lambda o, x: (_normed(o, x) + o.beta) * o.gamma,
            "beta is added after the multiplication by gamma, not before.",
        ),
        (lambda o, x: _normed(o, x) * o.beta + o.gamma, "gamma and beta are swapped: gamma multiplies, beta is added."),
        (lambda o, x: _normed(o, x * o.gamma + o.beta), "gamma and beta act after the normalisation, not before."),
    ]
    for d_model in (4, 7):
        theirs, ours = twins(mine.LayerNorm, book("block.layer_norm").LayerNorm, d_model)
        x = torch.randn(2, 3, d_model)
        expected = nn.functional.layer_norm(x, (d_model,), ours.gamma, ours.beta)
        compare(theirs(x), expected, "output", "(..., component)", mistakes, ours, x)


# ---- residual connection

residual = Exercise("block/residual", "block/post-pre-ln", difficulty=2, minutes=15)


def _connections(mine, norm_first: bool):
    theirs, ours = twins(mine.SublayerConnection, book("block.residual").SublayerConnection, 4, 0.0, norm_first)
    theirs.norm = ours.norm
    sublayer = nn.Linear(4, 4)
    return theirs, ours, sublayer, torch.randn(2, 3, 4)


@residual.stage("SublayerConnection.forward", "post-LN", "the sum is normalised: LN(x + F(x))")
@torch.no_grad()
def post_ln(mine):
    mistakes = [
        (lambda o, x, f: x + f(o.norm(x)), "This is pre-LN: with norm_first=False, normalise the sum, LN(x + F(x))."),
        (lambda o, x, f: o.norm(f(x)), "The residual is missing: add x before the norm, LN(x + F(x))."),
        (lambda o, x, f: x + f(x), "The norm is missing: LN(x + F(x))."),
        (lambda o, x, f: x + o.norm(f(x)), "Only F(x) is normalised: normalise the sum, LN(x + F(x))."),
        (lambda o, x, f: o.norm(x) + f(x), "Only x is normalised: normalise the sum, LN(x + F(x))."),
        (lambda o, x, f: o.norm(x + f(o.norm(x))), "Two norms act: with post-LN only the sum is normalised."),
    ]
    theirs, ours, f, x = _connections(mine, norm_first=False)
    compare(theirs(x, f), ours.norm(x + f(x)), *VECTORS, mistakes, ours, x, f)


@residual.stage("SublayerConnection.forward", "pre-LN", "with norm_first, what goes in: x + F(LN(x))")
@torch.no_grad()
def pre_ln(mine):
    mistakes = [
        (
            lambda o, x, f: o.norm(x + f(x)),
            "This is post-LN: with norm_first=True, normalise what goes in, x + F(LN(x)).",
        ),
        (lambda o, x, f: f(o.norm(x)), "The residual is missing: add x, x + F(LN(x))."),
        (lambda o, x, f: o.norm(x) + f(o.norm(x)), "What is added is x itself, not LN(x): x + F(LN(x))."),
        (lambda o, x, f: o.norm(x + f(o.norm(x))), "Two norms act: with pre-LN the sum stays as it is."),
        (lambda o, x, f: x + o.norm(f(x)), "The norm acts behind the sublayer: before it, x + F(LN(x))."),
        (lambda o, x, f: x + f(x), "The norm is missing: x + F(LN(x))."),
    ]
    theirs, ours, f, x = _connections(mine, norm_first=True)
    compare(theirs(x, f), x + f(ours.norm(x)), *VECTORS, mistakes, ours, x, f)


@residual.stage("SublayerConnection.forward", "dropout", "dropout acts on the sublayer's output, before it is added")
@torch.no_grad()
def where_dropout_acts(mine):
    """Instead of dropout, a factor for each component: a common one would be removed by the norm again."""
    w = torch.linspace(1, 3, 4)
    mistakes = [
        (lambda o, x, f, y: o.norm(x + f(x)), "Dropout is missing: it acts on the sublayer's output."),
        (lambda o, x, f, y: x + f(o.norm(x)), "Dropout is missing: it acts on the sublayer's output."),
        (lambda o, x, f, y: o.norm(w * (x + f(x))), "Dropout acts on the sum: only on the sublayer's output."),
        (lambda o, x, f, y: w * (x + f(o.norm(x))), "Dropout acts on the sum: only on the sublayer's output."),
        (lambda o, x, f, y: w * o.norm(x + f(x)), "Dropout acts on the result: only on the sublayer's output."),
        (lambda o, x, f, y: o.norm(x + f(w * x)), "Dropout acts on what goes into the sublayer: on what comes out."),
        (lambda o, x, f, y: x + f(w * o.norm(x)), "Dropout acts on what goes into the sublayer: on what comes out."),
    ]
    for norm_first in (False, True):
        theirs, ours, f, x = _connections(mine, norm_first)
        theirs.dropout = ours.dropout = Times(torch.linspace(1, 3, 4))
        compare(theirs(x, f), ours(x, f), *VECTORS, mistakes, ours, x, f, None)
        shorter = partial(theirs, x, lambda y: y[:, :1])
        raises(ValueError, shorter, "F changes the shape", "A sum would broadcast.")


# ---- the encoder

encoder = Exercise("block/encoder_layer", "block/post-pre-ln", difficulty=2, minutes=20)


@encoder.stage("EncoderLayer.forward", "encoder layer", "self-attention and feed-forward, each in its connection")
@torch.no_grad()
def encoder_layer(mine):
    def norms_skipped(o, x, m):
        x = o.residual_1(x, lambda y: o.attention(x, x, x, m)[0])
        return o.residual_2(x, o.feed_forward)

    def one_connection(o, x, m):
        x = o.residual_1(x, lambda y: o.attention(y, y, y, m)[0])
        return o.residual_1(x, o.feed_forward)

    def feed_forward_first(o, x, m):
        x = o.residual_1(x, o.feed_forward)
        return o.residual_2(x, lambda y: o.attention(y, y, y, m)[0])

    def without_residual(o, x, m):
        return o.feed_forward(o.attention(x, x, x, m)[0])

    def parallel(o, x, m):
        o.residual_1(x, lambda y: o.attention(y, y, y, m)[0])
        return o.residual_2(x, o.feed_forward)

    mistakes = [
        (lambda o, x, m: o(x), "The mask gets lost: hand it on to the attention."),
        (
            norms_skipped,
            "The attention gets x itself: with pre-LN the connection hands it LN(x), so use its argument y.",
        ),
        (one_connection, "Both sublayers use residual_1: the second has residual_2, with a norm of its own."),
        (feed_forward_first, "The feed-forward network comes after the attention."),
        (without_residual, "The connections are missing: self.residual_1(x, sublayer)."),
        (parallel, "The attention's result is not used: x = self.residual_1(...), then self.residual_2(x, ...)."),
        (lambda o, x, m: o.residual_1(x, lambda y: o.attention(y, y, y, m)[0]), "The feed-forward network is missing."),
    ]
    for config in configs():
        theirs, ours = twins(mine.EncoderLayer, book("block.encoder_layer").EncoderLayer, config)
        for n in (3, 5):
            x, m = torch.randn(2, n, config.d_model), allowed(2, n, n)
            compare(theirs(x, m), ours(x, m), *VECTORS, mistakes, ours, x, m)


@encoder.stage("final_norm", "final norm", "at the end of a stack, pre-LN needs a norm and post-LN has one already")
def final_norm(mine):
    post, pre, _ = (mine.final_norm(config) for config in configs())
    if isinstance(pre, nn.LayerNorm):
        raise Wrong(
            "pre-LN: a LayerNorm of torch.nn is returned", "The book's LayerNorm, whose parameters are gamma and beta."
        )
    x = torch.randn(2, 8)
    hint = [(lambda x: nn.functional.layer_norm(x, (8,)), "post-LN ends with a norm already: return nn.Identity().")]
    compare(post(x), x, "post-LN: what comes out of the final norm", "(position, component)", hint, x)
    hint = [(lambda x: x, "With pre-LN, nothing has normalised the sum yet: return a LayerNorm.")]
    expected = nn.functional.layer_norm(x, (8,))
    compare(pre(x).detach(), expected, "pre-LN: what comes out of the final norm", "(position, component)", hint, x)
    eps = mine.final_norm(replace(configs()[1], eps=0.5))
    expected = nn.functional.layer_norm(x, (8,), eps=0.5)
    hint = [(lambda x: nn.functional.layer_norm(x, (8,)), "config.eps is not handed on.")]
    compare(
        eps(x).detach(), expected, "with eps = 0.5: what comes out of the final norm", "(position, component)", hint, x
    )


@encoder.stage("EncoderStack.forward", "encoder stack", "one layer after the other, and the final norm")
@torch.no_grad()
def encoder_stack(mine):
    def unnormed(o, x, m):
        for layer in o.layers:
            x = layer(x, m)
        return x

    mistakes = [
        (unnormed, "The final norm is missing: self.norm, at the end."),
        (lambda o, x, m: o(x), "The mask gets lost: hand it on to every layer."),
        (lambda o, x, m: o.norm(o.layers[0](x, m)), "Only the first layer acts."),
        (
            lambda o, x, m: o.norm(o.layers[-1](x, m)),
            "Each layer gets the input of the stack: it gets what the one before returns.",
        ),
    ]
    for config in configs():
        theirs, ours = twins(mine.EncoderStack, book("block.encoder_layer").EncoderStack, config)
        theirs.layers, theirs.norm = ours.layers, ours.norm
        x, m = torch.randn(2, 4, config.d_model), allowed(2, 4, 4)
        compare(theirs(x, m), ours(x, m), *VECTORS, mistakes, ours, x, m)
