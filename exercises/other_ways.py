"""All that is to be written, in another way than the book's and as right as that: code, by exercise and name.

``--solution`` shows those that are worth seeing beside the book's own (hints.WORTH_SEEING). The tests put each of them
where the blank raises, and all stages pass. They may use what ``IMPORTS`` has.
"""

from __future__ import annotations

IMPORTS = """\
import functools
import heapq
import math
import re
from collections import Counter

import torch
from torch import nn
from torch.nn import functional
"""

OTHER_WAYS: dict[str, dict[str, str]] = {
    "before/language_models": {
        "ngrams": """
pairs = []
for i, token in enumerate(tokens + ["</s>"]):
    before = tokens[max(0, i - n + 1) : i]
    pairs.append((tuple(["<s>"] * (n - 1 - len(before)) + before), token))
return pairs
""",
        "NGramModel.seen_after": """
context = []
for i in range(1, self.n):
    context.insert(0, before[-i] if i <= len(before) else START)
return self.counts[tuple(context)] if tuple(context) in self.counts else Counter()
""",
        "NGramModel.probability": """
seen = self.seen_after(before)
total = sum(seen.values()) + len(self.vocab) * self.alpha
if total == 0:
    return 0.0
return seen.get(token, 0) / total + self.alpha / total
""",
        "InterpolatedModel.probability": """
models = [self]
while models[-1].shorter:
    models.append(models[-1].shorter)
p = 1 / len(self.vocab)
for model in reversed(models):
    seen = model.seen_after(before)
    total = sum(seen.values())
    share = total / (total + model.kappa)
    p = (1 - share) * p + (share * seen[token] / total if total else 0)
return p
""",
        "log_probability": """
total = 0.0
for before, token in ngrams(tokens, model.n):
    p = model.probability(token, before)
    if p == 0:
        return -math.inf
    total += math.log(p)
return total
""",
        "cross_entropy": """
count, total = 0, 0.0
for line in lines:
    total -= log_probability(model, line)
    count += len(line + [END])
return total / count
""",
        "perplexity": "return math.e ** cross_entropy(model, lines)",
    },
    "before/prediction_tasks": {
        "next_token_pairs": """
pairs, before = [], []
for token in tokens:
    pairs.append((before, token))
    before = before + [token]
return pairs
""",
        "masked_pairs": """
seen = list(tokens)
for i in hidden:
    seen[i] = "[MASK]"
return [(seen, token) for i, token in enumerate(tokens) if i in hidden]
""",
        "skip_gram_pairs": """
pairs = []
for i in range(len(tokens)):
    for j in range(len(tokens)):
        if i != j and abs(i - j) <= window:
            pairs.append(([tokens[i]], tokens[j]))
return pairs
""",
        "bert_masking": """
draw = torch.rand(ids.shape, generator=generator)
inputs, targets = ids.clone(), ids.clone()
inputs[draw < 0.12] = mask_id
some = (draw >= 0.12) & (draw < 0.135)
others = torch.randint(vocab_size, (int(some.sum()),), generator=generator)
if pad_id is not None:
    others = torch.where(others == pad_id, ids[some], others)
inputs[some] = others
targets[draw >= 0.15] = -100
return inputs, targets
""",
    },
    "before/word_vectors": {
        "negative_sampling_loss": """
real = model(pairs[:, 0], pairs[:, 1]).unsqueeze(1)
scores = torch.cat([real, model(pairs[:, :1], negatives)], dim=1)
labels = torch.zeros_like(scores)
labels[:, 0] = 1
return functional.binary_cross_entropy_with_logits(scores, labels, reduction="sum") / len(pairs)
""",
    },
    "before/byte_pair_encoding": {
        "merge": """
merged, i = (), 0
while i < len(word):
    fits = tuple(word[i : i + 2]) == pair
    merged += (word[i] + word[i + 1],) if fits else (word[i],)
    i += 2 if fits else 1
return merged
""",
        "count_pairs": """
pairs = {}
for word, count in words.items():
    for i in range(1, len(word)):
        pairs[word[i - 1 : i + 1]] = pairs.get(word[i - 1 : i + 1], 0) + count
return pairs
""",
        "learn": """
ids, merges = {}, []
for token in alphabet:
    ids[token] = len(ids)
while len(ids) < vocab_size and (pairs := count_pairs(words)):
    most = max(pairs.values())
    a, b = min((pair for pair in pairs if pairs[pair] == most), key=lambda pair: [ids[part] for part in pair])
    merges.append((a, b))
    if a + b not in ids:
        ids[a + b] = len(ids)
    merged = {}
    for word, count in words.items():
        word = merge(word, (a, b))
        merged[word] = merged.get(word, 0) + count
    words = merged
return ids, merges
""",
        "segment": """
for pair in sorted(ranks, key=ranks.get):
    word = merge(tuple(word), pair)
return tuple(word)
""",
        "BytePairEncoding.cut": """
tokens = []
for piece in re.findall(PIECE, text):
    tokens.extend(segment([bytes([b]) for b in piece.encode("utf-8")], self.ranks))
return tokens
""",
        "BytePairEncoding.encode": "return list(map(self.ids.__getitem__, self.cut(text)))",
        "BytePairEncoding.decode": """
data = bytearray()
for i in ids:
    data += self.tokens[i]
return str(data, "utf-8", "replace")
""",
    },
    "before/incremental_bpe": {
        "changed_pairs": """
after, before = list(pairwise(merge(word, pair))), list(pairwise(word))
more = {other: after.count(other) - before.count(other) for other in {*after, *before}}
return Counter({other: number for other, number in more.items() if number != 0})
""",
        "learn_incrementally": """
ids = {token: i for i, token in enumerate(alphabet)}
merges, texts, pairs, found_in = [], [[*item] for item in words.items()], Counter(), {}
for i, (word, times) in enumerate(texts):
    for pair in zip(word, word[1:]):
        pairs[pair] += times
        found_in.setdefault(pair, set()).add(i)
heap = [(-times, ids[a], ids[b], (a, b)) for (a, b), times in pairs.items()]
heapq.heapify(heap)
while heap and len(ids) < vocab_size:
    times, _, _, best = heapq.heappop(heap)
    if times == 0 or pairs[best] != -times:
        continue
    merges.append(best)
    ids.setdefault(best[0] + best[1], len(ids))
    changed = set()
    for i in found_in.pop(best):
        word, times = texts[i]
        texts[i][0] = merge(word, best)
        for pair, more in changed_pairs(word, best).items():
            pairs[pair] += more * times
            found_in.setdefault(pair, set()).add(i)
            changed.add(pair)
    for a, b in changed:
        heapq.heappush(heap, (-pairs[a, b], ids[a], ids[b], (a, b)))
return ids, merges
""",
    },
    "before/batches_of_tokens": {
        "with_special": """
if max_length < 2:
    raise ValueError("no room")
kept = list(ids)[: max_length - 2]
kept.insert(0, CLS)
kept.append(SEP)
return kept
""",
        "batch": """
if not rows or length is not None and max(map(len, rows)) > length:
    raise ValueError("no room")
n = length or max(map(len, rows))
blank = [[0] * (n - len(row)) for row in rows]
marks = [[1] * len(row) for row in rows]
first, second = (blank, rows) if left else (rows, blank)
ids = torch.tensor([a + b for a, b in zip(first, second)])
first, second = (blank, marks) if left else (marks, blank)
return ids, torch.tensor([a + b for a, b in zip(first, second)])
""",
    },
    "before/lstm": {
        "lstm_step": """
rows, d = functional.linear(x, w_x) + functional.linear(h, w_h, b), h.size(-1)
i, f, o = (rows[..., k * d : (k + 1) * d].sigmoid() for k in (0, 1, 3))
new = f * c + i * rows[..., 2 * d : 3 * d].tanh()
return o * new.tanh(), new
""",
        "gru_step": """
from_x, from_h = functional.linear(x, w_x, b_x).chunk(3, -1), functional.linear(h, w_h, b_h).chunk(3, -1)
reset, keep = (functional.sigmoid(from_x[k] + from_h[k]) for k in range(2))
new = (from_x[2] + reset * from_h[2]).tanh()
return new + keep * (h - new)
""",
    },
    "before/attentive_translator": {
        "DotScore.forward": "return torch.bmm(query, key.mT)",
        "GeneralScore.forward": 'return torch.einsum("bmi,ij,bnj->bmn", query, self.w.weight, key)',
        "AdditiveScore.forward": """
rows = []
for i in range(query.size(1)):
    rows.append(torch.tanh(self.w(query[:, i : i + 1]) + self.u(key)) @ self.v.weight[0])
return torch.stack(rows, dim=1)
""",
        "AttentiveTranslator.weights": """
scores = self.score(hidden, encoded.states)
return functional.softmax(scores + torch.where(encoded.mask, 0.0, -math.inf), dim=2)
""",
        "AttentiveTranslator.context": "return torch.bmm(self.weights(hidden, encoded), encoded.states)",
    },
    "attention/soft_lookup": {
        "soft_lookup": """
weights = (scores - scores.logsumexp(0)).exp()
return torch.tensordot(weights, values, dims=1), weights
""",
    },
    "attention/scaled_dot_product": {
        "scaled_dot_product_attention": """
scores = torch.einsum("...qd,...kd->...qk", query, key) * query.size(-1) ** -0.5
allowed = torch.ones_like(scores) > 0 if attn_mask is None else attn_mask
largest = scores.masked_fill(~allowed, -1e30).amax(-1, keepdim=True)
weights = torch.where(allowed, scores - largest, -math.inf).exp()  # exp of what is hidden may be inf: nan backward
weights = weights / weights.sum(-1, keepdim=True).clamp(min=1e-9)
return weights @ value, weights
""",
    },
    "attention/masks": {
        "causal_mask": "return torch.ones(n, n, dtype=torch.bool, device=device).tril()",
        "padding_mask": "return ~ids.eq(pad_id)[:, None, :]",
    },
    "attention/multi_head": {
        "AttentionHead.forward": """
return functional.scaled_dot_product_attention(self.w_q(query), self.w_k(key), self.w_v(value), attn_mask)
""",
        "PerHeadAttention.forward": """
total = self.w_o.bias
parts = self.w_o.weight.chunk(len(self.heads), dim=1)
for head, part in zip(self.heads, parts):
    total = total + head(query, key, value, attn_mask) @ part.T
return total
""",
        "split_heads": "return torch.stack(x.chunk(num_heads, dim=-1), dim=1)",
        "merge_heads": "return torch.cat(x.unbind(1), dim=-1)",
        "MultiHeadAttention.forward": """
inputs = self.w_q(query), self.w_k(key), self.w_v(value)
outputs, weights = [], []
for q, k, v in zip(*(x.chunk(self.num_heads, dim=-1) for x in inputs)):
    head, of_head = scaled_dot_product_attention(q, k, v, attn_mask)
    outputs.append(head)
    weights.append(of_head)
return self.w_o(torch.cat(outputs, dim=-1)), torch.stack(weights, dim=1)
""",
    },
    "positions/tokens": {
        "one_hot_lookup": """
one_hot = torch.arange(len(table), device=ids.device) == ids.unsqueeze(-1)
return torch.einsum("...v,vd->...d", one_hot.to(table), table)
""",
        "TiedEmbedding.forward": "return self.table[ids] * self.table.size(1) ** 0.5",
        "TiedEmbedding.logits": "return functional.linear(x, self.table)",
    },
    "positions/sinusoidal": {
        "frequencies": """
return torch.exp(-math.log(10000) * torch.arange(0, d_model, 2, dtype=torch.float64, device=device) / d_model)
""",
        "positional_encoding": """
encoding = torch.zeros(*positions.shape, d_model, dtype=torch.float64, device=positions.device)
angles = positions[..., None] * frequencies(d_model, positions.device)
encoding[..., 0::2], encoding[..., 1::2] = angles.sin(), angles.cos()
return encoding
""",
    },
    "positions/fixed_offset": {
        "offset_map": """
matrix = torch.zeros(d_model, d_model, dtype=torch.float64, device=device)
for i, omega in enumerate(frequencies(d_model).tolist()):
    cos, sin = math.cos(offset * omega), math.sin(offset * omega)
    for (row, column), value in {(0, 0): cos, (0, 1): -sin, (1, 0): sin, (1, 1): cos}.items():
        matrix[2 * i + row, 2 * i + column] = value
return matrix
""",
    },
    "positions/relative": {
        "t5_bucket": """
if num_buckets % 4 or num_buckets < 4 or max_distance <= num_buckets // 4:
    raise ValueError("sizes do not fit")
exact = num_buckets // 4
buckets = []
for o in offset.flatten().tolist():
    bucket = distance = abs(o)
    if distance >= exact:
        places = math.log(distance / exact) / math.log(max_distance / exact) * exact
        bucket = min(exact + int(places + 1e-9), 2 * exact - 1)
    buckets.append(bucket + (2 * exact if o > 0 else 0))
return torch.tensor(buckets).reshape(offset.shape)
""",
        "rotate": """
omega = base ** (-torch.arange(0, x.size(-1), 2, device=x.device).double() / x.size(-1))
angles = positions[:, None] * omega
pairs = torch.view_as_complex(x.double().unflatten(-1, (-1, 2)))
return torch.view_as_real(pairs * torch.polar(torch.ones_like(angles), angles)).flatten(-2).to(x.dtype)
""",
    },
    "block/feed_forward": {
        "FeedForward.forward": """
hidden = functional.linear(x, self.w_1.weight, self.w_1.bias)
return self.activation(hidden) @ self.w_2.weight.T + self.w_2.bias
""",
    },
    "block/dropout": {"Dropout.forward": "return functional.dropout(x, self.p, self.training)"},
    "block/layer_norm": {
        "LayerNorm.forward": """
wide = x.double()  # float32 at least is promised
mean = wide.mean(-1, keepdim=True)
variance = (wide * wide).mean(-1, keepdim=True) - mean * mean
return (self.gamma * (wide - mean) / torch.sqrt(variance.clamp(min=0) + self.eps) + self.beta).to(x.dtype)
""",
    },
    "block/residual": {
        "SublayerConnection.forward": """
new = sublayer(self.norm(x)) if self.norm_first else sublayer(x)
if new.size() != x.size():
    raise ValueError("another shape")
return self.dropout(new) + x if self.norm_first else self.norm(self.dropout(new) + x)
""",
    },
    "block/encoder_layer": {
        "EncoderLayer.forward": """
def attend(y):
    output, _ = self.attention(query=y, key=y, value=y, attn_mask=attn_mask)
    return output

return self.residual_2(self.residual_1(x, attend), self.feed_forward)
""",
        "final_norm": "return LayerNorm(config.d_model, eps=config.eps) if config.norm_first else nn.Identity()",
        "EncoderStack.forward": """
return self.norm(functools.reduce(lambda y, layer: layer(y, attn_mask=attn_mask), self.layers, x))
""",
    },
    "model/decoder_layer": {
        "DecoderLayer.forward": """
def own(y):
    return self.self_attention(y, y, y, attn_mask=tgt_mask)[0]

def cross(y):
    return self.cross_attention(query=y, key=memory, value=memory, attn_mask=memory_mask)[0]

for residual, sublayer in zip(
    (self.residual_1, self.residual_2, self.residual_3), (own, cross, self.feed_forward)
):
    x = residual(x, sublayer)
return x
""",
        "DecoderStack.forward": """
masks = {"tgt_mask": tgt_mask, "memory_mask": memory_mask}
return self.norm(functools.reduce(lambda y, layer: layer(y, memory, **masks), self.layers, x))
""",
    },
    "model/transformer": {
        "Transformer.embed": """
places = torch.arange(ids.size(1)) + start
return self.dropout(self.positions(places).type_as(self.embedding.table) + self.embedding(ids))
""",
        "Transformer.encode": "return self.encoder(self.embed(src), (src != self.pad_id)[:, None])",
        "Transformer.decode": """
m = tgt.size(1)
mask = torch.ones(m, m, dtype=torch.bool, device=tgt.device).tril() & (tgt != self.pad_id)[:, None]
x = self.decoder(self.embed(tgt), memory, mask, src.ne(self.pad_id).unsqueeze(1))
return functional.linear(x, self.embedding.table)
""",
        "Transformer.forward": """
memory = self.encode(src)
return self.decode(tgt=tgt, memory=memory, src=src)
""",
    },
    "model/sizes": {
        "attention_parameters": "return 4 * d_model * (d_model + 1)",
        "feed_forward_parameters": "return (d_model + 1) * d_ff + (d_ff + 1) * d_model",
        "norm_parameters": "return d_model + d_model",
        "parameters": """
model = {"embedding": config.vocab_size * config.d_model}
attention, norm = attention_parameters(config.d_model), norm_parameters(config.d_model)
for name, attentions in (("encoder", 1), ("decoder", 2)):
    layer = attentions * (attention + norm) + norm + feed_forward_parameters(config.d_model, config.d_ff)
    model[name] = sum([layer] * config.num_layers) + int(config.norm_first) * norm
model["all"] = sum(list(model.values()))
return model
""",
    },
    "attention/shapes": {
        "attention_shapes": """
queries, keys = ((batch, num_heads, n, d_model // num_heads) for n in (n_q, n_k))
shapes = dict(queries=queries, keys=keys, values=keys, heads=queries)
return {"output": (batch, n_q, d_model), "scores": queries[:3] + (n_k,), **shapes}
""",
        "mask_shapes": """
padding = torch.Size([batch, 1, n])  # a tuple, too
return {"tgt_mask": (batch, m, m), "causal": (m, m), "src_mask": padding, "memory_mask": padding}
""",
    },
    "model/shapes": {
        "forward_shapes": """
def weights(rows, columns):
    return batch, config.num_heads, rows, columns
source, target = ((batch, length) + (config.d_model,) for length in (n, m))
return {
    "embedded": source, "memory": source, "decoded": target, "hidden": (batch, n, config.d_ff),
    "encoder_weights": weights(n, n), "decoder_weights": weights(m, m), "cross_weights": weights(m, n),
    "logits": target[:-1] + (config.vocab_size,),
}
""",
    },
    "model/memory_budget": {
        "plain_operations": """
product = batch * heads * n_q * n_k * d_k
return sum((product, product)) * 2
""",
        "plain_peak": """
scores = torch.Size([batch, heads, n_q, n_k]).numel()
return (scores + scores) * size
""",
        "attention_within": """
row = 2 * query.element_size() * key.size(-2) * query[..., 0].numel() // query.size(-2)
if row > budget:
    raise ValueError("no room for one query")
parts = query.split(budget // row, dim=-2)
return torch.cat([plain_attention(part, key, value) for part in parts], dim=-2)
""",
    },
    "training/loss": {
        "smoothed_cross_entropy": """
flat = logits.flatten(0, -2), target.flatten()
return functional.cross_entropy(*flat, label_smoothing=epsilon, ignore_index=ignore_index)
""",
        "next_token_loss": """
before, after = tgt[:, :-1], tgt[:, 1:]
logits = model(src, before).transpose(1, 2)  # classes in the second axis
return functional.cross_entropy(logits, after, ignore_index=model.pad_id, label_smoothing=epsilon)
""",
    },
    "training/warm_up": {
        "learning_rate": "return (d_model * step) ** -0.5 * min(1, (step / warmup_steps) ** 1.5)",
    },
    "training/adam": {
        "Adam.step": """
self.steps += 1
first, second = (1 - beta**self.steps for beta in self.betas)
for p, m, v in self.state:
    if p.grad is not None:
        m.lerp_(p.grad, 1 - self.betas[0])
        v.copy_(self.betas[1] * v + (1 - self.betas[1]) * p.grad.square())
        p.addcdiv_(m / first, (v / second).sqrt() + self.eps, value=-self.lr)
""",
    },
    "training/bleu": {
        "ngram_counts": "return Counter(zip(*(tokens[i:] for i in range(n))))",
        "matches": """
left, found = list(zip(*(reference[i:] for i in range(n)))), 0
for gram in zip(*(translation[i:] for i in range(n))):
    if gram in left:
        left.remove(gram)
        found += 1
return found
""",
        "brevity_penalty": "return 0.0 if length < 1 else math.e ** -max(0.0, reference_length / length - 1)",
        "bleu": """
if len(translations) != len(references):
    raise ValueError("one reference each")
product = 1.0
for n in range(1, longest + 1):
    total = sum(ngram_counts(ours, n).total() for ours in translations)
    found = sum(map(lambda ours, theirs: matches(ours, theirs, n), translations, references))
    product *= found / total if found else 0.0
return 100 * product ** (1 / longest) * brevity_penalty(*(sum(map(len, t)) for t in (translations, references)))
""",
    },
    "training/decoding": {
        "without_padding": """
tokens = torch.arange(logits.size(-1), device=logits.device)
return torch.where(tokens == pad_id, -math.inf, logits)
""",
        "generate": """
new, ended = [], tgt[:, 0] != tgt[:, 0]
while len(new) < max_new_tokens and not ended.all():
    logits = without_padding(next_logits(torch.cat([tgt, *new], dim=1)), pad_id)
    token = torch.where(ended, pad_id, logits.argmax(-1))
    new.append(token[:, None])
    ended = ended | (token == EOS)
return torch.cat(new, dim=1) if new else tgt[:, :0]
""",
        "greedy": """
with inference(model):
    memory = model.encode(src)
    start = src.new_full((len(src), 1), BOS)
    return generate(
        lambda tgt: model.decode(tgt, memory, src).select(1, -1), start, max_new_tokens, model.pad_id
    )
""",
        "length_penalty": "return math.exp(alpha * math.log(5 / 6 + length / 6))",
        "beam_search": """
best = (-math.inf, [])
with inference(model):
    memory = model.encode(src)
    beam = [(0.0, ())]
    for length in range(1, max_new_tokens + 1):
        longer = []
        for total, ids in beam:
            logits = model.decode(torch.tensor([[BOS, *ids]]), memory, src)[0, -1]
            for token, p in enumerate(without_padding(logits[None], model.pad_id)[0].log_softmax(0).tolist()):
                longer.append((total + p, (*ids, token)))
        beam = []
        for total, ids in sorted(longer, reverse=True)[:beam_size]:
            if ids[-1] == EOS or length == max_new_tokens:
                best = max(best, (total / length_penalty(length, alpha), list(ids)))
            else:
                beam.append((total, ids))
        if not beam:
            break
return best[1], best[0]
""",
    },
    "training/cache": {
        "KVCache.append": """
new = [split_heads(w(x), self.attention.num_heads) for w in (self.attention.w_k, self.attention.w_v)]
if self.keys is None:
    self.keys, self.values = new
else:
    self.keys, self.values = torch.cat([self.keys, new[0]], -2), torch.cat([self.values, new[1]], -2)
""",
        "KVCache.attend": """
if self.keys is None:
    raise ValueError("append first")
query = split_heads(self.attention.w_q(x), self.attention.num_heads)
heads = functional.scaled_dot_product_attention(query, self.keys, self.values, attn_mask)
return self.attention.w_o(merge_heads(heads))
""",
        "CachedDecoder.layer": """
def own(y):
    self.of_tokens[i].append(y)
    return self.of_tokens[i].attend(y)

def cross(y):
    return self.of_memory[i].attend(y, self.mask)

layer = self.layers[i]
return layer.residual_3(layer.residual_2(layer.residual_1(x, own), cross), layer.feed_forward)
""",
        "CachedDecoder.logits": """
x = self.model.embed(tokens[:, None], self.length)
self.length += 1
for i, _ in enumerate(self.layers):
    x = self.layer(i, x)
x = self.model.decoder.norm(x)
return self.model.embedding.logits(x).squeeze(1)
""",
        "cached_greedy": """
from snippets.training.decoding import EOS

with inference(model):
    decoder = CachedDecoder(model, src)
    token = src.new_full((len(src),), BOS)
    ended, new = token != token, src.new_empty(len(src), 0)
    while new.size(1) < max_new_tokens and not ended.all():
        logits = decoder.logits(token)
        logits[:, model.pad_id] = -math.inf
        token = torch.where(ended, model.pad_id, logits.argmax(-1))
        ended = ended | (token == EOS)
        new = torch.cat([new, token[:, None]], dim=1)
    return new
""",
    },
    "training/translator": {
        "translate": """
rows = pad([vocab.encode(sentence) for sentence in sentences]).to(next(model.parameters()).device)
return list(map(vocab.decode, greedy(model, rows, max_new_tokens).tolist()))
""",
    },
    "families/three_families": {
        "prefix_mask": """
mask = torch.ones(n, n, dtype=torch.bool, device=device).tril()
mask[:, :prefix] = True
return mask
""",
        "span_corruption": """
source, target = list(tokens), []
for k, (start, end) in enumerate(spans):
    target += ["<extra_id_0>".replace("0", str(k))] + source[start:end]
for k, (start, end) in reversed(list(enumerate(spans))):
    source[start:end] = ["<extra_id_0>".replace("0", str(k))]
return source, target + ["<extra_id_0>".replace("0", str(len(spans)))]
""",
    },
    "families/bert": {
        "Bert.embed": """
segments = self.segments.weight[0] if segment_ids is None else self.segments(segment_ids)
x = self.tokens.weight[ids] + self.positions(torch.arange(ids.size(1), device=ids.device)) + segments
return self.dropout(self.norm(x))
""",
        "Bert.forward": "return self.encoder(self.embed(ids, segment_ids), ids.ne(self.pad_id).unsqueeze(-2))",
        "MaskedLMHead.forward": """
hidden = self.norm(self.activation(self.dense(x)))
return functional.linear(hidden, table, self.bias)
""",
        "BertForMaskedLM.forward": "return self.head(table=self.bert.tokens.weight, x=self.bert(ids, segment_ids))",
        "BertClassifier.forward": """
first = self.bert(ids, segment_ids).select(1, 0)
return self.classifier(self.dropout(self.pooler(first).tanh()))
""",
    },
    "families/gpt": {
        "GPT.embed": """
places = start + torch.arange(ids.size(1), device=ids.device)
return self.dropout(self.positions(places) + functional.embedding(ids, self.tokens.weight))
""",
        "GPT.logits": "return functional.linear(x, self.tokens.weight)",
        "GPT.forward": """
allowed = torch.ones(ids.size(1), ids.size(1), dtype=torch.bool, device=ids.device).tril()
if attn_mask is not None:
    allowed = torch.logical_and(allowed, attn_mask)
return self.logits(self.stack(self.embed(ids), allowed))
""",
        "causal_lm_loss": """
logits, target = model(ids[:, :-1]), ids[:, 1:]
return functional.cross_entropy(logits.transpose(1, 2), target, ignore_index=pad_id)
""",
    },
    "families/sampling": {
        "with_temperature": "return logits.mul(1 / temperature)",
        "top_k": """
limit = torch.sort(logits, dim=-1, descending=True).values[..., min(k, logits.size(-1)) - 1, None]
return torch.where(logits >= limit, logits, -math.inf)
""",
        "top_p": """
ordered, order = torch.sort(logits, dim=-1, descending=True)
remove = ordered.softmax(-1).cumsum(-1) >= p
remove[..., 1:] = remove[..., :-1].clone()
remove[..., 0] = False
return logits.masked_fill(torch.zeros_like(remove).scatter(-1, order, remove), -math.inf)
""",
        "min_p": """
log_p = logits.log_softmax(-1)
return torch.where(log_p.exp() / log_p.exp().max(-1, keepdim=True).values >= p, logits, -math.inf)
""",
        "draw": """
waiting = torch.empty_like(logits).exponential_(generator=generator)
return (logits.softmax(-1) / waiting).argmax(-1)
""",
        "sample": """
new, ended = ids[:, :0], ids[:, 0] != ids[:, 0]
for _ in range(max_new_tokens):
    logits = cut(next_logits(torch.cat([ids, new], dim=1)))
    token = torch.where(ended, PAD, draw(logits, generator))
    new = torch.cat([new, token[:, None]], dim=1)
    ended = ended.logical_or(token == EOS)
    if bool(ended.all()):
        return new
return new
""",
    },
    "families/vision_transformer": {
        "to_patches": """
if images.size(2) % size or images.size(3) % size:
    raise ValueError("pixels are left over")
patches = images.unfold(2, size, size).unfold(3, size, size)
return patches.permute(0, 2, 3, 1, 4, 5).flatten(3).flatten(1, 2)
""",
        "VisionTransformer.embed": """
patches = to_patches(images, self.patches.kernel_size[0])
x = functional.linear(patches, self.patches.weight.flatten(1), self.patches.bias)
x = torch.cat((self.class_token.repeat(len(images), 1, 1), x), dim=1)
return self.dropout(self.positions(torch.arange(x.size(1))).type_as(x) + x)
""",
        "ViTClassifier.forward": """
x = self.vit(images)
if self.pool == "mean":
    return self.classifier(x[:, 1:].sum(1) / (x.size(1) - 1))
return self.classifier(x.select(1, 0))
""",
    },
    "families/rms_norm": {
        "RMSNorm.forward": """
wide = x.float()
norm = wide.norm(dim=-1, keepdim=True) * x.size(-1) ** -0.5
return (wide / (norm**2 + self.eps).sqrt()).type_as(x) * self.gamma
""",
    },
    "families/todays_block": {
        "SwiGLU.forward": """
gate = self.w_gate(x)
return self.w_down(self.w_up(x) * gate * torch.sigmoid(gate))
""",
        "GroupedQueryAttention.forward": """
q = self.w_q(x).unflatten(-1, (self.num_heads, -1)).transpose(1, 2)
k, v = (w(x).unflatten(-1, (self.num_kv_heads, -1)).transpose(1, 2) for w in (self.w_k, self.w_v))
if self.rope_theta is not None:
    q, k = (rotate(y, torch.arange(x.size(1)), self.rope_theta) for y in (q, k))
q = q.unflatten(1, (self.num_kv_heads, -1))  # (batch, kv_heads, group, n, d_k)
k, v = (y.unsqueeze(2).expand(-1, -1, q.size(2), -1, -1) for y in (k, v))
mask = None if attn_mask is None else attn_mask[..., None, None, :, :]
output, _ = scaled_dot_product_attention(q, k, v, mask)
return self.w_o(merge_heads(output.flatten(1, 2)))
""",
    },
    "families/llama": {
        "LlamaLayer.forward": """
attended = self.attention(self.norm_1(x), attn_mask=attn_mask) + x
return self.feed_forward(self.norm_2(attended)) + attended
""",
        "Llama.forward": """
allowed = torch.ones(ids.size(1), ids.size(1), dtype=torch.bool, device=ids.device).tril()
if attn_mask is not None:
    allowed = attn_mask & allowed
x = functools.reduce(lambda y, layer: layer(y, allowed), self.layers, self.tokens.weight[ids])
return self.head(self.norm(x))
""",
        "halves_to_pairs": """
d_k = len(weight) // num_heads
order = [h * d_k + half * (d_k // 2) + i for h in range(num_heads) for i in range(d_k // 2) for half in (0, 1)]
return weight[order]
""",
        "kv_cache_bytes": """
kept = config.num_kv_heads * (config.d_model // config.num_heads)  # numbers of a key
return number * length * config.num_layers * (kept + kept)
""",
    },
    "families/flash_attention": {
        "absorb": """
old, total, weighted = state
new = torch.cat([old, scores], dim=-1).max(dim=-1, keepdim=True).values
base = torch.where(new.isinf(), 0.0, new)
weights, shrink = (scores - base).exp(), (old - base).exp()
return new, total * shrink + weights.sum(-1, True), weighted * shrink + weights.matmul(value)
""",
        "attend": """
end = min(key.size(-2), first + query.size(-2)) if causal else key.size(-2)
rows = torch.arange(first, first + query.size(-2))[:, None]
state = nothing_seen(query, value)
for start in range(0, end, block):
    columns = slice(start, start + block)
    scores = torch.einsum("...qd,...kd->...qk", query, key[..., columns, :]) * query.size(-1) ** -0.5
    allowed = torch.ones_like(scores, dtype=torch.bool)
    if causal:
        allowed &= torch.arange(start, start + scores.size(-1)) <= rows
    if attn_mask is not None:
        allowed &= attn_mask[..., columns]
    state = absorb(state, torch.where(allowed, scores, -math.inf), value[..., columns, :])
_, total, weighted = state
return weighted / torch.where(total > 0, total, 1.0)
""",
    },
    "families/fine_tuning": {
        "LoRA.forward": """
update = functional.linear(functional.linear(x, self.a), self.b)
return torch.add(self.linear(x), update, alpha=self.scale)
""",
        "LoRA.merged": """
merged = nn.Linear(self.in_features, len(self.b), bias=self.linear.bias is not None).to(self.linear.weight)
merged.requires_grad_(False)
merged.weight.copy_(torch.addmm(self.linear.weight, self.b, self.a, alpha=self.scale))
if self.linear.bias is not None:
    merged.bias.copy_(self.linear.bias)
return merged
""",
    },
}
