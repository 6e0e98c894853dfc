# ruff: noqa: E501 (a line is a mistake)
"""Answers of a learner who tried to be wrong: what the checks refuse.

Each is a change of the book's own module: its name, a part of its code, what stands there instead, and something that
has to be said; "" if only that it is refused matters.
"""

NO_GRADIENT, OTHER_GRADIENT = "no gradient gets to", "the gradient of"
CHANGED = "it has changed its argument"

#: Once accepted: nothing but a value was looked at.
ONCE_ACCEPTED = [
    # the gradient is cut off
    ("block/layer_norm", "    def forward(self", "    @torch.no_grad()\n    def forward(self", NO_GRADIENT),
    ("block/layer_norm", "torch.rsqrt(variance + self.eps)", "torch.rsqrt(variance + self.eps).detach()", OTHER_GRADIENT),
    ("attention/multi_head", "k = split_heads(self.w_k(key), self.num_heads)",
     "k = split_heads(self.w_k(key).detach(), self.num_heads)", NO_GRADIENT),
    ("positions/tokens", "        rows = ", "        self = type('', (), {'table': self.table.data})\n        rows = ", NO_GRADIENT),
    ("training/loss", "    return loss.masked_fill(~counts, 0.0).sum() / counts.sum()",
     "    return torch.tensor((loss.masked_fill(~counts, 0.0).sum() / counts.sum()).item())", NO_GRADIENT),
    ("training/loss", "def smoothed_cross_entropy", "@torch.no_grad()\ndef smoothed_cross_entropy", NO_GRADIENT),
    ("families/gpt", "    logits = model(ids[:, :-1])", "    logits = model(ids[:, :-1]).detach()", NO_GRADIENT),
    ("families/fine_tuning", "self.scale * (x @ self.a.T @ self.b.T)", "self.scale * (x @ self.a.T @ self.b.T).detach()",
     OTHER_GRADIENT),
    ("families/flash_attention", "def attend(", "@torch.no_grad()\ndef attend(", NO_GRADIENT),
    ("model/transformer", "return self.encoder(self.embed(src), src_mask)",
     "return self.encoder(self.embed(src), src_mask).detach()", NO_GRADIENT),
    ("block/dropout", "return keep * x / (1 - self.p)", "return keep * x.detach() / (1 - self.p)", NO_GRADIENT),
    # arguments change
    ("block/layer_norm", "        centered = x32 -", "        x -= 0.5 * x\n        x *= 2\n        x += 1e-3\n        centered = x32 -",
     CHANGED),
    ("families/rms_norm", "        mean_square = wide", "        x += 0.01\n        mean_square = wide", CHANGED),
    ("families/sampling", "    return logits.masked_fill(probability < least, -math.inf)",
     "    return logits.masked_fill_(probability < least, -math.inf)", CHANGED),
    ("before/lstm", "    c = f * c + i * torch.tanh(g)", "    c *= f\n    c += i * torch.tanh(g)", CHANGED),
    ("positions/relative", "    if not x.is_floating_point():", "    x += 0\n    x *= 1.5\n    if not x.is_floating_point():",
     CHANGED),
    # what is promised
    ("training/adam", "        for p, m, v in self.state:\n", "        self.steps -= 1\n        for p, m, v in self.state:\n            self.steps += 1\n",
     "All parameters share one count"),
    ("training/adam", "            if p.grad is None:\n                continue\n",
     "            if p.grad is None:\n                p.grad = torch.zeros_like(p)\n", "is no gradient of 0"),
    ("training/adam", "p.sub_(self.lr *", "p.sub_(self.__dict__.setdefault('first', self.lr) *", "read self.lr at each"),
    ("training/cache", "    with inference(model):\n        decoder = CachedDecoder(model, src)\n",
     "    from snippets.training.decoding import greedy\n    return greedy(model, src, max_new_tokens)\n    with inference(model):\n"
     "        decoder = CachedDecoder(model, src)\n", "model.decode was called"),
    ("training/cache", "    with inference(model):\n        decoder = CachedDecoder(model, src)\n",
     "    with torch.no_grad():\n        decoder = CachedDecoder(model, src)\n", "they depend on dropout"),
    ("training/decoding", "        bos = torch.full_like(src[:, :1], BOS)\n        return generate(next_logits, bos, max_new_tokens, model.pad_id)",
     "        bos = torch.full_like(src[:, :1], BOS)\n        new = generate(next_logits, bos, max_new_tokens, model.pad_id)\n"
     "    model.train()\n    return new", "it has changed model"),
    ("training/decoding", "    start = tgt.size(1)\n", "    tgt = tgt[:, :1]\n    start = tgt.size(1)\n", ""),
    ("training/decoding", "            return model.decode(tgt, memory, src)[:, -1]",
     "            return model.decode(tgt, model.encode(src), src)[:, -1]", "the source was encoded"),
    ("training/translator", "greedy(model, src, max_new_tokens)", "greedy(model, src, 30)", "max_new_tokens has no effect"),
    ("families/flash_attention", "    state = nothing_seen(query, value)\n", "    block = key.size(-2)\n    state = nothing_seen(query, value)\n",
     "a matrix (5, 48) has been computed"),
    ("block/dropout", "keep = torch.rand_like(x, dtype=torch.float32) >= self.p",
     "keep = torch.rand(x.shape, generator=torch.Generator().manual_seed(0)) >= self.p", "at every call"),
    ("attention/scaled_dot_product", "scores.masked_fill(~attn_mask & ~nothing, -math.inf)",
     "scores.masked_fill(~attn_mask & ~nothing, -100.0)", "-100 is a score like any other"),
    ("attention/scaled_dot_product", "torch.softmax(scores, dim=-1)", "scores.exp() / scores.exp().sum(-1, keepdim=True)",
     "subtract the maximum first"),
    ("attention/soft_lookup", "torch.softmax(scores, dim=0)", "scores.exp() / scores.exp().sum()", "subtract the maximum first"),
    ("training/loss", "torch.log_softmax(logits, dim=-1)", "torch.softmax(logits, dim=-1).log()", "subtract the maximum first"),
    ("before/byte_pair_encoding", "b\"\".join(self.tokens[i] for i in ids)",
     "b\"\".join(self.tokens[i] for i in ids if i in self.tokens)", "expected a KeyError"),
    ("block/layer_norm", "x32 = x.float() if is_half else x", "x32 = x", "not for torch.float16"),
    ("block/residual", "        if added.shape != x.shape:", "        if False:", "expected a ValueError"),
    ("families/sampling", "tail <= 1 - p", "tail < 1 - p", "no further token is needed"),
    ("block/layer_norm", "centered.square().mean(dim=-1, keepdim=True)",
     "x.square().mean(dim=-1, keepdim=True) - x.mean(dim=-1, keepdim=True).square()", "subtract the mean first"),
    # another device
    ("families/three_families", "torch.arange(n, device=device) < prefix", "torch.arange(n) < prefix", ""),
    ("positions/tokens", "rows * math.sqrt(self.table.size(1))", "rows * torch.full((1, 1), math.sqrt(self.table.size(1)))",
     "not on a GPU"),
    ("training/decoding", "logits = logits.clone()", "logits = logits + torch.zeros(1, logits.size(-1))", "not on a GPU"),
    # one example more
    ("block/feed_forward", "self.w_2(self.activation(self.w_1(x)))", "self.w_2(self.activation(self.w_1(x))).squeeze()",
     ""),
    ("positions/tokens", "rows * math.sqrt(self.table.size(1))", "rows.float() * math.sqrt(self.table.size(1))", "float64"),
]  # fmt: skip

#: They do not end: what is said has the line on which they were stopped.
ENDLESS = [
    ("before/byte_pair_encoding", "        words = {merge(word, best): count for word, count in words.items()}\n", "",
     "learn merges"),
    ("training/decoding", "        if ended.all():\n            break\n", "        while ended.any():\n            pass\n", "end of sentence"),
]  # fmt: skip

#: Once told something false.
ONCE_MISNAMED = [
    ("before/language_models", "padded[len(before) :], Counter()", "padded[-(self.n - 1) :], Counter()", "[-0:] is everything", "stands for them"),
    ("before/language_models", "self.alpha * len(self.vocab)", "self.alpha * len(seen)", "what has been seen after this context",
     "no effect"),
    ("training/adam", "m / (1 - beta_1**self.steps)", "m / (1 - beta_1 * self.steps)", "", "The first step is step 1"),
    ("block/residual", "added = self.dropout(sublayer(self.norm(x) if self.norm_first else x))\n",
     "added = sublayer(self.norm(x) if self.norm_first else x)\n        drop = self.dropout\n", "Dropout is missing", "Dropout acts"),
    ("block/residual",
     "return x + added if self.norm_first else self.norm(x + added)",
     "added = sublayer(self.norm(x) if self.norm_first else x)\n"
     "        return self.dropout(x + added) if self.norm_first else self.norm(self.dropout(x + added))",
     "Dropout acts on the sum", "Dropout is missing"),
    ("block/dropout", "        # bfloat16", "        x *= torch.rand_like(x) >= self.p\n        return x / (1 - self.p)\n        # bfloat16",
     CHANGED, "What is kept is divided"),
    ("families/sampling", "    return logits / temperature", "    logits /= temperature\n    return logits", CHANGED, "Every element"),
    ("block/encoder_layer", "LayerNorm(config.d_model, config.eps)", "nn.LayerNorm(config.d_model, config.eps)",
     "LayerNorm of torch.nn", "leave __init__"),
    ("attention/multi_head", "k = split_heads(self.w_k(key), self.num_heads)", "k = split_heads(self.w_k(query), self.num_heads)",
     "", "needs an axis for the heads"),
    ("families/flash_attention", "shrink = torch.exp(maximum - base)", "shrink = torch.exp(base - maximum)", "0 times inf",
     "The sum is not"),
    ("training/decoding", "logits.argmax(dim=-1)", "logits.argmin(dim=-1)", "argmax", "largest of all"),
]  # fmt: skip

#: Common, and once refused without a word on what it is.
ONCE_UNNAMED = [
    ("attention/multi_head", "q, k, v = self.w_q(query), self.w_k(key)", "q, k, v = self.w_q(query), self.w_q(key)", "through W_Q"),
    ("attention/multi_head", "q = split_heads(self.w_q(query), self.num_heads)  # (batch, heads, n_q, d_k)\n"
     "        k = split_heads(self.w_k(key), self.num_heads)\n        v = split_heads(self.w_v(value), self.num_heads)\n"
     "        output, weights = scaled_dot_product_attention(q, k, v, attn_mask)\n        return self.w_o(merge_heads(output))",
     "p = lambda w, x: x @ w.weight + w.bias\n        q, k, v = (split_heads(p(w, x), self.num_heads) for w, x in\n"
     "                   ((self.w_q, query), (self.w_k, key), (self.w_v, value)))\n"
     "        output, weights = scaled_dot_product_attention(q, k, v, attn_mask)\n        return p(self.w_o, merge_heads(output))",
     "W is transposed"),
    ("attention/multi_head", "k = split_heads(self.w_k(key), self.num_heads)", "k = split_heads(self.w_q(key), self.num_heads)",
     "through W_Q"),
    ("attention/multi_head",
     "k = split_heads(self.w_k(key), self.num_heads)\n        v = split_heads(self.w_v(value), self.num_heads)",
     "k = split_heads(self.w_k(value), self.num_heads)\n        v = split_heads(self.w_v(key), self.num_heads)",
     "Key and value are swapped"),
    ("attention/scaled_dot_product", "query @ key.transpose(-2, -1)", "query @ key.reshape(key.transpose(-2, -1).shape)",
     "The keys are reshaped"),
    ("block/dropout", "if not self.training or self.p == 0", "if self.p == 0", "unless self.training"),
    ("block/layer_norm", "normed * self.gamma + self.beta", "normed * self.beta + self.gamma", "gamma and beta are swapped"),
    ("block/layer_norm", "self.eps)\n        return (", "1e-6)\n        return (", "use self.eps"),
    ("block/layer_norm", "x32.mean(dim=-1, keepdim=True)", "x32.mean(dim=-1)", "keepdim=True"),
    ("model/decoder_layer", "self.cross_attention(y, memory, memory, memory_mask)", "self.cross_attention(memory, y, y)",
     "y asks, and the memory answers"),
    ("model/decoder_layer", "self.cross_attention(y, memory, memory, memory_mask)", "self.cross_attention(y, y, memory, memory_mask)",
     "The keys are those of the target"),
    ("model/decoder_layer", "lambda y: self.self_attention(y, y, y, tgt_mask)[0])\n        x = self.residual_2(\n"
     "            x, lambda y: self.cross_attention(", "lambda y: self.cross_attention(y, y, y, tgt_mask)[0])\n"
     "        x = self.residual_2(\n            x, lambda y: self.self_attention(", "are swapped"),
    ("training/loss", "(1 - epsilon) * loss - epsilon * log_p.mean(dim=-1)",
     "(1 - epsilon) * loss - epsilon * (log_p.sum(dim=-1) + loss) / (log_p.size(-1) - 2)", "V - 2"),
    ("training/loss", "loss.masked_fill(~counts, 0.0).sum() / counts.sum()",
     "(loss.masked_fill(~counts, 0.0).sum(-1) / counts.sum(-1)).mean()", "sentences' means"),
    ("training/loss", "torch.log_softmax(logits, dim=-1)", "torch.softmax(logits, dim=-1).log2()", "in bits"),
    ("training/adam", "v_hat = v / (1 - beta_2**self.steps)", "v_hat = v", "β_2^steps"),
    ("training/adam", "m_hat = m / (1 - beta_1**self.steps)  # both began at 0", "m_hat = m", "β_1^steps"),
    ("training/adam", "            m.mul_(beta_1).add_((1 - beta_1) * p.grad)\n            v.mul_(beta_2).add_((1 - beta_2) * p.grad**2)\n",
     "            m = beta_1 * m + (1 - beta_1) * p.grad\n            v = beta_2 * v + (1 - beta_2) * p.grad**2\n", "get lost"),
    ("training/adam", "        self.steps += 1\n", "        self.steps = 1\n", "not counted"),
    ("training/decoding", "bos = torch.full_like(src[:, :1], BOS)", "bos = torch.full_like(src[:, :1], EOS)", "begins with </s>"),
    ("training/cache", "torch.cat([self.keys, keys], dim=2)\n            values = torch.cat([self.values, values], dim=2)",
     "torch.cat([self.keys, keys], dim=1)\n            values = torch.cat([self.values, values], dim=1)", "torch.cat joins"),
    ("training/cache", "self.layers[i], self.of_tokens[i], self.of_memory[i]", "self.layers[i], self.of_tokens[0], self.of_memory[i]",
     "own, self.of_tokens[i]"),
    ("families/sampling", "cut.scatter(-1, order, cut)", "cut", "scatter it back"),
    ("families/todays_block", "q = rotate(q, positions, self.rope_theta)\n            k = rotate(k, positions, self.rope_theta)",
     "weave = lambda x: torch.stack(x.chunk(2, -1), -1).flatten(-2)\n"
     "            back = lambda x: torch.cat([x[..., 0::2], x[..., 1::2]], -1)\n"
     "            q = back(rotate(weave(q), positions, self.rope_theta))\n"
     "            k = back(rotate(weave(k), positions, self.rope_theta))", "The pairs are neighbours"),
    ("before/language_models", "    total = sum(log_probability(model, line) for line in lines)\n    return",
     "    total = log_probability(model, sum(lines, []))\n    return", "The lines are joined"),
    ("before/lstm", "(x @ w_x.T + h @ w_h.T + b).split(d, dim=-1)", "(x @ w_x.T + h @ w_h.T + b).unflatten(-1, (-1, 4)).unbind(-1)",
     "Whole gates come one after the other"),
]  # fmt: skip

#: The others of which somebody has reported what they were told.
ALSO_REPORTED = [
    ("attention/soft_lookup", "weights @ values, weights", "(weights[:, None] * values).sum(0), weights",
     "expected (), got (4,)", "(d_v,)"),
    ("attention/scaled_dot_product", "scores.masked_fill(~attn_mask & ~nothing, -math.inf)", "scores + attn_mask",
     "added as 0 and 1"),
    ("attention/scaled_dot_product",
     "        scores = scores.masked_fill(~attn_mask & ~nothing, -math.inf)\n    weights = torch.softmax(scores, dim=-1)",
     "        pass\n    weights = torch.softmax(scores, dim=-1)\n    if attn_mask is not None:\n        weights = weights * attn_mask",
     "mask after the softmax"),
    ("attention/scaled_dot_product", "weights = weights.masked_fill(nothing, 0.0)", "weights[nothing.expand_as(weights)] = 0.0",
     "What the backward pass needs"),
    ("attention/multi_head", "q = split_heads(self.w_q(query), self.num_heads)  # (batch, heads, n_q, d_k)\n"
     "        k = split_heads(self.w_k(key), self.num_heads)\n        v = split_heads(self.w_v(value), self.num_heads)\n"
     "        output, weights = scaled_dot_product_attention(q, k, v, attn_mask)\n        return self.w_o(merge_heads(output))",
     "q, k, v = (split_heads(x @ w.weight.T, self.num_heads) for w, x in\n"
     "                   ((self.w_q, query), (self.w_k, key), (self.w_v, value)))\n"
     "        output, weights = scaled_dot_product_attention(q, k, v, attn_mask)\n"
     "        return merge_heads(output) @ self.w_o.weight.T", "The bias is missing"),
    ("attention/multi_head", "attn_mask = attn_mask.unsqueeze(-3)", "attn_mask = attn_mask.unsqueeze(1)", "in the wrong place",
     "needs an axis"),
    ("attention/multi_head", "attn_mask = attn_mask.unsqueeze(-3)", "attn_mask = attn_mask.unsqueeze(0)", "in the wrong place",
     "needs an axis"),
    ("attention/multi_head", "scaled_dot_product_attention(q, k, v, attn_mask)\n        return self.w_o(merge",
     "scaled_dot_product_attention(q / self.num_heads**0.5, k, v, attn_mask)\n        return self.w_o(merge", "divided by √d_model"),
    ("positions/sinusoidal", "positions.unsqueeze(-1) * omega", "(positions + 1).unsqueeze(-1) * omega", "Positions count from 0"),
    ("positions/relative", "    first, second = x[..., 0::2], x[..., 1::2]", "    x = torch.stack(x.chunk(2, -1), -1).flatten(-2)\n"
     "    first, second = x[..., 0::2], x[..., 1::2]", ""),
    ("model/decoder_layer", "self.cross_attention(y, memory, memory, memory_mask)", "self.cross_attention(y, y, y, tgt_mask)",
     "reads the target"),
    ("model/decoder_layer",
     "        x = self.residual_1(x, lambda y: self.self_attention(y, y, y, tgt_mask)[0])\n        x = self.residual_2(\n"
     "            x, lambda y: self.cross_attention(y, memory, memory, memory_mask)[0]\n        )\n",
     "        x = self.residual_2(\n            x, lambda y: self.cross_attention(y, memory, memory, memory_mask)[0]\n        )\n"
     "        x = self.residual_1(x, lambda y: self.self_attention(y, y, y, tgt_mask)[0])\n", "self-attention comes first"),
    ("model/transformer", "self.positions(positions).to(x)", "self.positions(positions)", "computes in float64"),
    ("training/loss", "(1 - epsilon) * loss - epsilon * log_p.mean(dim=-1)",
     "(1 - epsilon) * loss - epsilon * (log_p.sum(dim=-1) + loss) / (log_p.size(-1) - 1)", "V - 1"),
    ("training/adam", "(v_hat.sqrt() + self.eps))", "(v_hat.sqrt() + self.eps))\n            p.grad = None", "others may still need it"),
    ("training/decoding", "    return tgt[:, start:]\n# --8<-- [end:generate]",
     "    return torch.stack([tgt[:, i] for i in range(start, tgt.size(1))], 1)\n# --8<-- [end:generate]", "max_new_tokens: 0"),
    ("training/decoding", "for _ in range(max_new_tokens):", "for _ in range(max(1, max_new_tokens)):", "max_new_tokens: 0"),
    ("training/cache", "torch.cat([self.keys, keys], dim=2)", "torch.cat([self.keys, keys], dim=0)", "torch.cat joins"),
    ("before/attentive_translator", "~encoded.mask", "~encoded.mask.unsqueeze(1)", "has an axis for the steps already"),
    ("before/batches_of_tokens", "n = longest if length is None else length", "n = length or longest", "A length of 0",
     "refused, not cut"),
    ("before/byte_pair_encoding", "min(fitting, key=lambda pair: ranks[pair])", "max(fitting, key=lambda pair: len(pair[0] + pair[1]))",
     "nor its length", "The first pair"),
    ("before/byte_pair_encoding",
     "    merged: list = []\n    for token in word:\n        if merged and (merged[-1], token) == pair:\n"
     "            merged[-1] += token\n        else:\n            merged.append(token)\n    return tuple(merged)",
     "    both = [tuple(word[i : i + 2]) == pair for i in range(len(word))]\n"
     "    return tuple(word[i] + word[i + 1] if both[i] else word[i] for i in range(len(word))\n"
     "                 if both[i] or not (i and both[i - 1]))", "in one merge only"),
    ("before/byte_pair_encoding", "    pairs: Counter = Counter()\n    for word, count in words.items():\n        for pair in pairwise(word):\n",
     "    pairs: Counter = Counter()\n    before = ()\n    for word, count in words.items():\n"
     "        joined, before = (*before[-1:], *word), word or before\n        for pair in pairwise(joined):\n", "no pair"),
    ("families/flash_attention", "base = new.masked_fill(new == -math.inf, 0.0)", "base = torch.zeros_like(new)", "Subtract the maximum"),
]  # fmt: skip
