"""The model, stage by stage: the decoder layer, and the whole Transformer."""

from __future__ import annotations

import math
from dataclasses import replace

import torch
from torch import Tensor
from torch.utils._python_dispatch import TorchDispatchMode
from torch.utils.flop_counter import FlopCounterMode

from exercises.attention.stages import shapes_of
from exercises.block.stages import VECTORS, configs
from exercises.checking import Exercise, Times, Wrong, allowed, book, compare, compare_values, raises, twins, varied

# ---- the decoder

MEMORY_ASKS = "The queries of the cross-attention are the target's: y asks, and the memory answers."
SELF_FIRST = "The self-attention comes first, then the cross-attention."
TARGET_READ = "The cross-attention reads the target: keys and values are the memory."

decoder = Exercise("model/decoder_layer", "model/decoder-layer", difficulty=2, minutes=20)


@decoder.stage("DecoderLayer.forward", "decoder layer", "masked self-attention, cross-attention, feed-forward")
@torch.no_grad()
def decoder_layer(mine):
    order = ((1, "self"), (2, "cross"), (3, "feed"))

    def layer(own=True, cross=True, of_target=False, order=order, reads=None, swapped=False):
        """A layer with one thing changed. order: number of each connection, and its sublayer."""

        def forward(o, x, memory, tgt_mask, memory_mask):
            first, second = o.self_attention, o.cross_attention
            if swapped:
                first, second = second, first

            def look_across(y):
                read = y if of_target else memory
                inputs = reads(y, memory) if reads else (y, read, read)
                return second(*inputs, tgt_mask if cross == "target" else memory_mask if cross else None)[0]

            sublayers = {
                "self": lambda y: first(y, y, y, tgt_mask if own else None)[0],
                "cross": look_across,
                "feed": o.feed_forward,
            }
            for number, name in order:
                x = getattr(o, f"residual_{number}")(x, sublayers[name])
            return x

        return forward

    def norms_skipped(o, x, memory, tgt_mask, memory_mask):
        y = o.residual_1(x, lambda _: o.self_attention(x, x, x, tgt_mask)[0])
        z = o.residual_2(y, lambda _: o.cross_attention(y, memory, memory, memory_mask)[0])
        return o.residual_3(z, o.feed_forward)

    mistakes = [
        (layer(own=False), "tgt_mask gets lost: the self-attention needs it, or positions see their future."),
        (layer(cross=False), "memory_mask gets lost: the cross-attention needs it, or padding of the source is read."),
        (layer(of_target=True, cross=False), TARGET_READ),
        (layer(of_target=True, cross="target"), TARGET_READ),
        (layer(order=((1, "cross"), (2, "self"), (3, "feed"))), SELF_FIRST),
        (layer(order=((2, "cross"), (1, "self"), (3, "feed"))), SELF_FIRST),
        (
            layer(order=((1, "self"), (1, "cross"), (3, "feed"))),
            "The cross-attention has residual_2, with a norm of its own.",
        ),
        (
            norms_skipped,
            "The attention gets x itself: with pre-LN the connection hands it LN(x), so use its argument y.",
        ),
        (layer(order=((1, "self"), (3, "feed"))), "The cross-attention is missing: nothing of the source gets in."),
        (layer(order=order[:2]), "The feed-forward network is missing."),
        (lambda o, x, y, a, b: layer()(o, x, y, b, a), "The two masks are swapped."),
        (layer(swapped=True), "self_attention and cross_attention are swapped."),
        (layer(reads=lambda y, memory: (memory, y, y)), MEMORY_ASKS),
        (layer(reads=lambda y, memory: (memory, y, y), cross=False), MEMORY_ASKS),
        (layer(reads=lambda y, memory: (memory, memory, memory)), MEMORY_ASKS),
        (
            layer(reads=lambda y, memory: (y, y, memory)),
            "The keys are those of the target: keys and values are the memory.",
        ),
        (
            layer(reads=lambda y, memory: (y, memory, y)),
            "The values are those of the target: keys and values are the memory.",
        ),
    ]
    for config in configs():
        theirs, ours = twins(mine.DecoderLayer, book("model.decoder_layer").DecoderLayer, config)
        for m, n in ((4, 4), (5, 5), (3, 5)):
            x, memory = torch.randn(2, m, config.d_model), torch.randn(2, n, config.d_model)
            inputs = x, memory, allowed(2, m, m), allowed(2, 1, n)
            compare(theirs(*inputs), layer()(ours, *inputs), *VECTORS, mistakes, ours, *inputs)


@decoder.stage("DecoderStack.forward", "decoder stack", "one layer after the other, all reading one memory")
@torch.no_grad()
def decoder_stack(mine):
    def unnormed(o, x, memory, *masks):
        for layer in o.layers:
            x = layer(x, memory, *masks)
        return x

    def memory_replaced(o, x, memory, *masks):
        for layer in o.layers:
            x = memory = layer(x, memory, *masks)
        return o.norm(x)

    mistakes = [
        (unnormed, "The final norm is missing: self.norm, at the end."),
        (lambda o, x, y, a, b: o(x, y, None, b), "tgt_mask gets lost: hand it on to every layer."),
        (lambda o, x, y, a, b: o(x, y, a, None), "memory_mask gets lost: hand it on to every layer."),
        (lambda o, x, y, a, b: o.norm(o.layers[-1](x, y, a, b)), "Each layer gets what the one before it returns."),
        (memory_replaced, "Every layer reads the same memory: it does not change."),
    ]
    for config in configs():
        theirs, ours = twins(mine.DecoderStack, book("model.decoder_layer").DecoderStack, config)
        theirs.layers, theirs.norm = ours.layers, ours.norm
        x, memory = torch.randn(2, 4, config.d_model), torch.randn(2, 4, config.d_model)
        inputs = x, memory, allowed(2, 4, 4), allowed(2, 1, 4)
        compare(theirs(*inputs), ours(*inputs), *VECTORS, mistakes, ours, *inputs)


# ---- the whole Transformer

transformer = Exercise("model/transformer", "model/transformer", difficulty=3, minutes=30)


def ids(batch: int, n: int, pad_id: int) -> Tensor:
    """Random sentences of the tiny vocabulary, all but the first with padding at the end."""
    tokens = torch.randint(4, 11, (batch, n))
    for row in range(1, batch):
        tokens[row, n - row :] = pad_id
    return tokens


def models(mine):
    for config in (*configs(), replace(configs()[0], pad_id=3)):
        theirs, ours = twins(mine.Transformer, book("model.transformer").Transformer, config)
        for n, m in ((4, 4), (5, 4)):
            yield theirs, ours, ids(3, n, config.pad_id), ids(3, m, config.pad_id)


@transformer.stage("Transformer.embed", "embed", "tokens and positions are added, and dropout acts on the sum")
@torch.no_grad()
def embed(mine):
    def positions(o, tokens, start):
        return o.positions(torch.arange(start, start + tokens.size(1))).float()

    def scaled(o, tokens):
        return o.embedding(tokens)

    mistakes = [
        (lambda o, t, s: 3 * scaled(o, t), "The positions are missing: add self.positions(...)."),
        (lambda o, t, s: 3 * (scaled(o, t) + positions(o, t, 0)), "start is ignored: positions begin there, not at 0."),
        (lambda o, t, s: 3 * (scaled(o, t) + positions(o, t, 1)), "Positions begin at start, not at start + 1."),
        (lambda o, t, s: 3 * (scaled(o, t) + positions(o, t, s + 1)), "Positions begin at start, not at start + 1."),
        (lambda o, t, s: scaled(o, t) + positions(o, t, s), "Dropout is missing (section 5.4 of the paper)."),
        (lambda o, t, s: 3 * scaled(o, t) + positions(o, t, s), "Dropout acts on the sum, positions included."),
        (
            lambda o, t, s: 3 * (scaled(o, t) * o.embedding.table.size(1) ** 0.5 + positions(o, t, s)),
            "√d_model acts twice: the embedding multiplies by it already.",
        ),
        (
            lambda o, t, s: 3 * (o.embedding.table[t] + positions(o, t, s)),
            "√d_model is missing: call self.embedding, which multiplies by it.",
        ),
    ]
    for theirs, ours, src, _ in models(mine):
        theirs.dropout = ours.dropout = Times(3.0)  # instead of dropout, to see where it acts
        for start in (0, 2):
            got = theirs.embed(src, start)
            if isinstance(got, Tensor) and got.dtype == torch.float64:
                hint = (
                    "self.positions computes in float64: take over the embedding's dtype, .to(x.dtype), before you add."
                )
                raise Wrong("output: float64, and the parameters are float32", hint)
            compare(got, ours.embed(src, start), *VECTORS, mistakes, ours, src, start)


@transformer.stage("Transformer.encode", "encode", "the memory: embedded source, encoder, padding masked")
@torch.no_grad()
def encode(mine):
    mistakes = [
        (lambda o, src: o.encoder(o.embed(src)), "Padding is not masked: padding_mask(src, self.pad_id)."),
        (
            lambda o, src: o.encoder(o.embed(src), (src == o.pad_id).unsqueeze(1)),
            "True means allowed in the book's masks: yours shows nothing but padding.",
        ),
        (lambda o, src: o.encoder(o.embed(src), (src != 0).unsqueeze(1)), "The mask takes 0 for padding: self.pad_id."),
        (
            lambda o, src: o.encoder(o.embed(src), (src != o.pad_id).unsqueeze(1) & _causal(src)),
            "The encoder sees the whole source: no causal mask here.",
        ),
        (lambda o, src: o.embed(src), "The encoder is missing."),
    ]
    for theirs, ours, src, _ in models(mine):
        theirs.embed = ours.embed  # whatever is wrong with it has been said
        compare(theirs.encode(src), ours.encode(src), "memory", VECTORS[1], mistakes, ours, src)


def _causal(tokens: Tensor) -> Tensor:
    return book("attention.masks").causal_mask(tokens.size(1))


@transformer.stage("Transformer.decode", "decode", "the logits of the next tokens: masks, decoder, embedding matrix")
@torch.no_grad()
def decode(mine):
    def decoded(
        mask, memory_mask=lambda o, tgt, src: (src != o.pad_id).unsqueeze(1), last=lambda o, x: o.embedding.logits(x)
    ):
        def forward(o, tgt, memory, src):
            keep = (tgt != o.pad_id).unsqueeze(1)
            return last(o, o.decoder(o.embed(tgt), memory, mask(keep, _causal(tgt)), memory_mask(o, tgt, src)))

        return forward

    def right(keep, causal):
        return keep & causal

    mistakes = [
        (
            decoded(lambda keep, causal: keep),
            "There is no causal mask: each position sees the tokens it has to predict.",
        ),
        (
            decoded(lambda keep, causal: None),
            "There is no causal mask: each position sees the tokens it has to predict.",
        ),
        (decoded(lambda keep, causal: causal), "Padding of the target is not masked: combine both masks with &."),
        (decoded(lambda keep, causal: keep | causal), "The masks are combined with &: allowed is what both allow."),
        (decoded(lambda keep, causal: ~(keep & causal)), "True means allowed in the book's masks: yours is inverted."),
        (decoded(lambda keep, causal: keep & causal.T), "The causal mask is transposed: positions see their future."),
        (decoded(right, lambda o, tgt, src: None), "Padding of the source is not masked: memory_mask."),
        (
            decoded(right, lambda o, tgt, src: (tgt != o.pad_id).unsqueeze(1)),
            "The cross-attention's mask is made of the target: of the source, whose memory it hides.",
        ),
        (decoded(right, last=lambda o, x: x), "These are vectors: self.embedding.logits makes scores of them."),
        (
            decoded(right, last=lambda o, x: o.embedding.logits(x).softmax(-1)),
            "These are probabilities: return the logits.",
        ),
        (
            decoded(right, last=lambda o, x: o.embedding.logits(x) * math.sqrt(x.size(-1))),
            "√d_model is a factor of the input only.",
        ),
    ]
    for theirs, ours, src, tgt in models(mine):
        theirs.embed = ours.embed
        inputs = tgt, ours.encode(src), src
        got = theirs.decode(*inputs)
        compare(got, ours.decode(*inputs), "logits", "(batch, position, token)", mistakes, ours, *inputs)


@transformer.stage("Transformer.forward", "forward", "the target is decoded with the memory of the source")
@torch.no_grad()
def forward(mine):
    mistakes = [
        (lambda o, src, tgt: o(tgt, src), "Source and target are swapped."),
        (lambda o, src, tgt: o.decode(tgt, o.encode(tgt), src), "The memory is that of the source."),
        (lambda o, src, tgt: o.decode(tgt, o.embed(src), src), "The source is embedded, but not encoded."),
    ]
    for theirs, ours, src, tgt in models(mine):
        theirs.embed, theirs.encode, theirs.decode = ours.embed, ours.encode, ours.decode
        compare(theirs(src, tgt), ours(src, tgt), "logits", "(batch, position, token)", mistakes, ours, src, tgt)


# ---- sizes: formulas to be derived, and compared with what is counted

sizes = Exercise("model/sizes", "model/sizes", difficulty=2, minutes=20, given=("count",))


def _counted(module) -> int:
    return book("model.sizes").count(module)


@sizes.stage("attention_parameters", "attention parameters", "four matrices, and a bias for each")
def attention_parameters(mine):
    mistakes = [
        (lambda d: 4 * d**2, "The biases are missing: d_model numbers for each of the four."),
        (lambda d: 3 * (d**2 + d), "W_O is missing: there are four matrices."),
        (lambda d: 4 * d**2 + 3 * d, "W_O has a bias, too."),
        (lambda d: 4 * d**2 + d, "Each of the four matrices has a bias."),
    ]
    for d_model, num_heads in ((8, 2), (8, 4), (6, 3), (64, 8)):
        right = _counted(book("attention.multi_head").MultiHeadAttention(d_model, num_heads))
        compare_values(mine.attention_parameters(d_model), right, "parameters", mistakes, d_model)


@sizes.stage("feed_forward_parameters", "feed-forward parameters", "two matrices, and a bias for each")
def feed_forward_parameters(mine):
    mistakes = [
        (lambda d, f: 2 * d * f, "The biases are missing: b_1 has d_ff numbers, b_2 has d_model."),
        (lambda d, f: 2 * (d * f + f), "b_2 has d_model numbers, not d_ff."),
        (lambda d, f: 2 * (d * f + d), "b_1 has d_ff numbers, not d_model."),
        (lambda d, f: d * f + d + f, "There are two matrices."),
    ]
    for d_model, d_ff in ((8, 32), (6, 5), (64, 256)):
        right = _counted(book("block.feed_forward").FeedForward(d_model, d_ff))
        compare_values(mine.feed_forward_parameters(d_model, d_ff), right, "parameters", mistakes, d_model, d_ff)


@sizes.stage("norm_parameters", "norm parameters", "γ and β")
def norm_parameters(mine):
    mistakes = [
        (lambda d: d, "γ alone is not all: β has as many numbers."),
        (lambda d: 2, "γ and β have a number for each component."),
    ]
    for d_model in (8, 6, 64):
        right = _counted(book("block.layer_norm").LayerNorm(d_model))
        compare_values(mine.norm_parameters(d_model), right, "parameters", mistakes, d_model)


@sizes.stage("parameters", "all parameters", "those of embedding, encoder and decoder, and their sum")
def all_parameters(mine):
    def formula(c, tables=1, across=1, norms=3, final=None, layers=None):
        d, n = c.d_model, layers or c.num_layers
        attention, network, norm = 4 * (d * d + d), 2 * d * c.d_ff + c.d_ff + d, 2 * d
        last = norm * (c.norm_first if final is None else final)
        encoder = n * (attention + network + 2 * norm) + last
        decoder = n * ((1 + across) * attention + network + norms * norm) + last
        embedding = tables * c.vocab_size * d
        return {"embedding": embedding, "encoder": encoder, "decoder": decoder, "all": embedding + encoder + decoder}

    change = varied(formula)
    mistakes = [
        (change(across=0), "A decoder layer has two attentions: to its own tokens, and to the source."),
        (change(norms=2), "A decoder layer has three norms, one for each sublayer."),
        (change(final=0), "With norm_first there is one more norm behind the last layer of each stack."),
        (change(final=1), "Only with norm_first is there a norm behind the last layer."),
        (change(tables=2), "Source, target and output share one embedding matrix: it counts once."),
        (change(tables=3), "Source, target and output share one embedding matrix: it counts once."),
        (change(layers=1), "There are num_layers of them."),
    ]
    for config in configs():
        model = book("model.transformer").Transformer(config)
        parts = {"embedding": model.embedding, "encoder": model.encoder, "decoder": model.decoder, "all": model}
        right = {name: _counted(part) for name, part in parts.items()}
        compare_values(mine.parameters(config), right, "parameters", mistakes, config)


# ---- shapes: predicted, and compared with those of tensors that are computed

shapes = Exercise("model/shapes", "model/transformer", difficulty=1, minutes=10)


@shapes.stage(
    "forward_shapes", "shapes of a forward pass", "those of what encoder and decoder compute, up to the logits"
)
@torch.no_grad()
def forward_shapes(mine):
    def formula(c, b, n, m, **change):
        d, h = c.d_model, c.num_heads
        right = {
            "embedded": (b, n, d),
            "encoder_weights": (b, h, n, n),
            "hidden": (b, n, c.d_ff),
            "memory": (b, n, d),
            "decoder_weights": (b, h, m, m),
            "cross_weights": (b, h, m, n),
            "decoded": (b, m, d),
            "logits": (b, m, c.vocab_size),
        }
        return right | {name: new(c, b, n, m) for name, new in change.items()}

    change = varied(formula)
    mistakes = [
        (
            change(cross_weights=lambda c, b, n, m: (b, c.num_heads, n, m)),
            "In cross-attention the target asks: a row for each of its m tokens, a column for each of the source's n.",
        ),
        (
            change(cross_weights=lambda c, b, n, m: (b, c.num_heads, m, m)),
            "The keys of the cross-attention are the memory's: there are n.",
        ),
        (
            change(hidden=lambda c, b, n, m: (b, n, c.d_model)),
            "Between W_1 and W_2 there are d_ff components.",
        ),
        (
            change(hidden=lambda c, b, n, m: (b, m, c.d_ff)),
            "The encoder's network sees the source: n tokens.",
        ),
        (
            change(memory=lambda c, b, n, m: (b, m, c.d_model)),
            "The memory has a vector for each token of the source.",
        ),
        (
            change(decoded=lambda c, b, n, m: (b, n, c.d_model)),
            "The decoder returns a vector for each token of the target: n enters only as keys and values.",
        ),
        (
            change(logits=lambda c, b, n, m: (b, c.vocab_size)),
            "In training, each position of the target has logits: not only the last one.",
        ),
        (
            change(logits=lambda c, b, n, m: (b, n, c.vocab_size)),
            "Logits belong to the tokens of the target: there are m.",
        ),
        (
            change(logits=lambda c, b, n, m: (b, m, c.d_model)),
            "Logits are scores of tokens: vocab_size for each position.",
        ),
    ]
    for config, batch, n, m in zip(configs(), (3, 2, 4), (5, 4, 2), (4, 6, 3), strict=True):
        right = _of_a_pass(config, batch, n, m)
        compare_values(mine.forward_shapes(config, batch, n, m), right, "shapes", mistakes, config, batch, n, m)


def _of_a_pass(config, batch: int, n: int, m: int) -> dict[str, tuple[int, ...]]:
    """Of what the book's model computes."""
    model = book("model.transformer").Transformer(config).eval()
    encoder, decoder = model.encoder.layers[0], model.decoder.layers[0]
    found = {}

    def keep(name, choose=lambda output: output):
        def hook(_module, _inputs, output):
            found[name] = choose(output)

        return hook

    encoder.attention.register_forward_hook(keep("encoder_weights", lambda output: output[1]))
    encoder.feed_forward.w_1.register_forward_hook(keep("hidden"))
    model.encoder.register_forward_hook(keep("memory"))
    decoder.self_attention.register_forward_hook(keep("decoder_weights", lambda output: output[1]))
    decoder.cross_attention.register_forward_hook(keep("cross_weights", lambda output: output[1]))
    model.decoder.register_forward_hook(keep("decoded"))
    src, tgt = torch.full((batch, n), 5), torch.full((batch, m), 6)
    found |= {"embedded": model.embed(src), "logits": model(src, tgt)}
    return shapes_of(**found)


# ---- attention within a budget

budget = Exercise(
    "model/memory_budget", "model/speed", difficulty=3, minutes=35, given=("Peak", "storages", "plain_attention")
)


def _of_attention():
    """Sizes: batch, heads, queries, keys, dimensions."""
    yield from ((2, 3, 64, 96, 4), (1, 1, 50, 80, 8), (3, 2, 32, 128, 16))


def _heads(batch: int, heads: int, n_q: int, n_k: int, d_k: int) -> tuple[Tensor, Tensor, Tensor]:
    return tuple(torch.randn(batch, heads, n, d_k) for n in (n_q, n_k, n_k))


@budget.stage("plain_operations", "operations", "as many multiplications and additions as are counted")
def operations(mine):
    mistakes = [
        (lambda b, h, q, k, d: 2 * b * h * q * k * d, "There are two products: scores, and the sum of the values."),
        (lambda b, h, q, k, d: b * h * q * k * d, "Two products, and for each multiplication an addition."),
        (lambda b, h, q, k, d: 4 * h * q * k * d, "For each sentence of the batch."),
        (lambda b, h, q, k, d: 4 * b * q * k * d, "For each head."),
        (lambda b, h, q, k, d: 4 * b * h * q * q * d, "Each query meets each key: there are n_k keys."),
    ]
    for sizes in _of_attention():
        with FlopCounterMode(display=False) as counted:
            book("model.memory_budget").plain_attention(*_heads(*sizes))
        right = counted.get_total_flops()
        compare_values(mine.plain_operations(*sizes), right, "operations", mistakes, *sizes)


@budget.stage("plain_peak", "peak", "as many bytes as are measured while the weights are computed")
def peak(mine):
    module = book("model.memory_budget")
    mistakes = [
        (
            lambda b, h, q, k, s: b * h * q * k * s,
            "The scores are still there when the weights are made of them: twice.",
        ),
        (lambda b, h, q, k, s: 2 * b * h * q * k, "These are numbers: size is the bytes of one."),
        (lambda b, h, q, k, s: 2 * h * q * k * s, "For each sentence of the batch."),
        (lambda b, h, q, k, s: 2 * b * q * k * s, "For each head."),
        (lambda b, h, q, k, s: 2 * b * h * q * q * s, "Each query meets each key: there are n_k keys."),
    ]
    for sizes in _of_attention():
        for dtype in (torch.float32, torch.float64):
            inputs = [x.to(dtype) for x in _heads(*sizes)]
            with torch.no_grad(), module.Peak() as measured:
                module.plain_attention(*inputs)
            given = *sizes[:4], inputs[0].element_size()
            compare_values(mine.plain_peak(*given), measured.bytes, "peak", mistakes, *given)


@budget.stage("attention_within", "same output", "whatever the budget, the output of all queries at once")
def same_output(mine):
    plain = book("model.memory_budget").plain_attention

    def parts(q, k, v, allowed, compute):
        at_once = max(1, allowed // (2 * q[..., 0].numel() // q.size(-2) * k.size(-2) * q.element_size()))
        return torch.cat([compute(part, k, v) for part in q.split(at_once, -2)], -2)

    mistakes = [
        (
            lambda q, k, v, a: parts(q, k, v, a, lambda part, k, v: part @ k.mT @ v),
            "The softmax is missing: call plain_attention for each part of the queries.",
        ),
        (lambda q, k, v, a: plain(q * q.size(-1) ** 0.5, k, v), "The scores are divided by √d_k."),
    ]
    for sizes in _of_attention():
        q, k, v = _heads(*sizes)
        row = 2 * 4 * sizes[0] * sizes[1] * sizes[3]  # bytes of a query
        for most in (row, 7 * row, 20 * row + 5, 1000 * row):
            got = mine.attention_within(q, k, v, most)
            compare(got, plain(q, k, v), "output", "(batch, head, query, d_v)", mistakes, q, k, v, most)
    hint = "A query needs its scores and its weights: a budget below that is refused, with a ValueError."
    raises(ValueError, lambda: mine.attention_within(q, k, v, row - 1), "a budget too small for one query", hint)


class _Products(TorchDispatchMode):
    """How many products of matrices are computed."""

    def __init__(self) -> None:
        super().__init__()
        self.number = 0

    def __torch_dispatch__(self, operation, types, args=(), kwargs=None):
        self.number += operation.overloadpacket.__name__ in ("mm", "bmm", "baddbmm", "addmm")
        return operation(*args, **(kwargs or {}))


@budget.stage(
    "attention_within", "memory and time", "bytes within the budget, and neither more operations nor many small ones"
)
@torch.no_grad()
def memory_and_time(mine):
    module = book("model.memory_budget")
    mine.attention_within(*_heads(2, 2, 5, 6, 3), 3 * 2 * 4 * 2 * 2 * 6)
    within = getattr(mine.attention_within, "__wrapped__", mine.attention_within)  # what watches it needs memory, too
    for sizes in _of_attention():
        q, k, v = _heads(*sizes)
        row, n_q = 2 * 4 * sizes[0] * sizes[1] * sizes[3], sizes[2]
        most_operations = 4 * math.prod(sizes)
        for at_once in (1, 10, n_q // 2, n_q):
            with module.Peak() as measured:
                got = within(q, k, v, at_once * row)
            compare(got, module.plain_attention(q, k, v), "output", "(batch, head, query, d_v)")
            besides = sum(x.numel() * x.element_size() for x in (q, q, q, k))  # the output and parts of the inputs
            if measured.bytes > at_once * row + besides:
                text = "with a budget of {most} bytes, {got} are in use at a time"
                hint = "As many queries at once as the budget allows, and no more; the output is written part by part."
                raise Wrong(text, hint, most=at_once * row, got=measured.bytes)
            with _Products() as products, FlopCounterMode(display=False) as counted:
                within(q, k, v, at_once * row)
            enough = 2 * math.ceil(n_q / at_once)
            if products.number > 2 * enough:
                text = "with a budget for {queries} of {all} queries, there are {got} products: {enough} are enough"
                hint = "Small products are slow: take as many queries at once as the budget allows."
                raise Wrong(text, hint, queries=at_once, all=n_q, got=products.number, enough=enough)
            if counted.get_total_flops() > most_operations:
                text = "{got} multiplications and additions, and all at once takes {enough}"
                raise Wrong(
                    text, "Nothing has to be computed twice.", got=counted.get_total_flops(), enough=most_operations
                )
