"""The exercises: blanks that say what to write, solutions that pass, and for each typical mistake its own hint."""

from __future__ import annotations

import ast
import re
import shutil
import subprocess
import sys
import tomllib
from collections.abc import Iterator
from dataclasses import replace
from pathlib import Path
from string import Formatter

import nbformat
import pytest
from markdown import Markdown

from book import LANGUAGES, ROOT
from book.artifacts import exercises as site
from book.artifacts import store
from exercises import blanks, check, checking, hints, speak
from exercises.capstone import ASKED, NEEDS
from exercises.checking import (
    OF_PYTORCH,
    PARTS,
    TO_TRY,
    Exercise,
    Wrong,
    compare_values,
    explain,
    load,
    load_together,
    read_parts,
    run,
)
from exercises.korean import KOREAN
from exercises.language import LANGUAGES as SPOKEN
from exercises.language import language, say
from exercises.watching import DEVICES, Missing
from tests.machinery import quoted
from tests.machinery.shards import ours
from tests.machinery.test_labs import alone, repository, run_through  # noqa: F401 (alone is a fixture)
from tests.the_book import BOOK

#: All of it takes two minutes, and concerns who changes an exercise, its module or what checks it.
pytestmark = pytest.mark.thorough

EXERCISES = read_parts()
STAGES = [(exercise, stage) for exercise in EXERCISES.values() for stage in exercise.stages]
#: A part of the code of a module of the book, what somebody writes instead, the first stage that fails, and its hint.
MISTAKES = [
    ("before/language_models", "(tuple(padded[i : i + n - 1]),", "(padded[i : i + n - 1],", "n-grams",
     "key of a dictionary"),
    ("before/language_models", "range(len(tokens) + 1)", "range(len(tokens))", "n-grams", "</s> is predicted, too"),
    ("before/language_models", "range(len(tokens) + 1)", "range(n - 1, len(tokens) + 1)",
     "n-grams", "The first tokens are missing"),
    ("before/language_models", "padded[len(before) :]", "padded[: self.n - 1]", "context", "take the last tokens"),
    ("before/language_models", "padded[len(before) :]", "tuple(before)[-(self.n - 1) :]",
     "context", "Where tokens are missing"),
    ("before/language_models", "self.counts.get(padded[len(before) :], Counter())",
     "self.counts[padded[len(before) :]]", "context", "Use self.counts.get"),
    ("before/language_models", " / total if total else 0.0", " / total", "unseen context", "return 0.0"),
    ("before/language_models", "(seen[token] + self.alpha)", "seen[token]", "smoothing", "The count itself grows"),
    ("before/language_models", "self.alpha * len(self.vocab)", "self.alpha", "smoothing", "α V"),
    ("before/language_models", "seen.total() + self.alpha",
     "sum(map(Counter.total, self.counts.values())) + self.alpha", "counts", "not by the number of all tokens"),
    ("before/language_models", "self.shorter.probability(token, before)",
     "NGramModel.probability(self.shorter, token, before)", "interpolation", "The shorter context is mixed, too"),
    ("before/language_models", "prior = 1 / len(self.vocab)", "prior = 0.0", "interpolation",
     "no token has probability 0"),
    ("before/language_models", "(seen.total() + self.kappa)", "(seen.total() or 1)", "interpolation",
     "The sum is more than 1"),
    ("before/language_models", "sum(map(math.log, factors))", "math.prod(factors)", "chain rule", "This is P itself"),
    ("before/language_models", "sum(map(math.log, factors))", "sum(map(math.log2, factors))", "chain rule",
     "natural one"),
    ("before/language_models", " if all(factors) else -math.inf", "", "impossible line", "return -math.inf"),
    ("before/language_models", "sum(len(line) + 1 for", "sum(len(line) for", "cross-entropy", "each line has one more"),
    ("before/language_models", "-total / sum(len(line) + 1 for line in lines)", "-total / len(lines)",
     "cross-entropy", "the mean over lines"),
    ("before/language_models", "math.exp(cross_entropy", "2 ** (cross_entropy", "perplexity",
     "would be right for bits"),
    ("before/prediction_tasks", "for i in range(len(tokens))]\n\n\ndef prev",
     "for i in range(1, len(tokens))]\n\n\ndef prev", "next token", "nothing comes before it"),
    ("before/prediction_tasks", "(tokens[:i], tokens[i])", "(tokens[: i + 1], tokens[i])", "next token",
     "its own context"),
    ("before/prediction_tasks", "[(seen, tokens[i])", "[(seen, seen[i])", "masked tokens", "not [MASK]"),
    ("before/prediction_tasks", "if i in hidden else", "if i not in hidden else", "masked tokens",
     "The other way round"),
    ("before/prediction_tasks", "if j != i", "", "skip-gram", "not in its own window"),
    ("before/prediction_tasks", "max(0, i - window)", "i - window", "skip-gram", "counts from the end"),
    ("before/prediction_tasks", "i + window + 1", "i + window", "skip-gram", "The window includes i + window"),
    ("before/prediction_tasks", "([center], tokens[j])", "([tokens[j]], center)", "skip-gram", "First the center"),
    ("before/prediction_tasks", "chance(0.15)", "chance(0.8)", "15 percent", "15 % should"),
    ("before/prediction_tasks", "ids.masked_fill(~chosen, IGNORED)", "inputs.masked_fill(~chosen, IGNORED)",
     "15 percent", "Those are the inputs"),
    ("before/prediction_tasks", "ids.masked_fill(~chosen, IGNORED)", "ids", "15 percent", "All others get -100"),
    ("before/prediction_tasks", "chosen & chance(0.8)", "chosen", "80 10 10", "Not all of them are hidden"),
    ("before/prediction_tasks", "chance(0.5)", "chance(0.1)", "80 10 10", "half are replaced: chance(0.5)"),
    ("before/prediction_tasks", "chosen & ~hidden & chance(0.5)", "chosen & ~hidden", "80 10 10",
     "10 % of the chosen tokens stay"),
    ("before/prediction_tasks", "torch.where(replaced, other, ids.masked_fill(hidden, mask_id))",
     "ids.masked_fill(hidden, mask_id)", "80 10 10", "replaced by random ones"),
    ("before/prediction_tasks", "torch.bernoulli(share, generator=generator)", "torch.bernoulli(share)",
     "generator", "generator=generator"),
    ("before/word_vectors", "F.logsigmoid(-drawn)", "F.logsigmoid(drawn)", "negative sampling",
     "minus the product"),
    ("before/word_vectors", "sum(dim=1)).mean()", "mean(dim=1)).mean()", "negative sampling",
     "summed, not averaged"),
    ("before/word_vectors", "-(F.logsigmoid(real)", "(F.logsigmoid(real)", "negative sampling",
     "The sign is wrong"),
    ("before/word_vectors", "center, context = pairs.T", "context, center = pairs.T", "negative sampling",
     "are swapped"),
    ("before/byte_pair_encoding", "return tuple(merged)", "return merged", "merge", "key of a dictionary"),
    ("before/byte_pair_encoding", "merged[-1] += token", "merged.append(token)", "merge", "Nothing is merged"),
    ("before/byte_pair_encoding", "pairs[pair] += count", "pairs[pair] += 1", "count pairs", "add its count, not 1"),
    ("before/byte_pair_encoding", "in pairwise(word):", "in set(pairwise(word)):", "count pairs", "not once a word"),
    ("before/byte_pair_encoding", "(-pairs[p], ids[p[0]], ids[p[1]])", "(-pairs[p], p)", "learn merges",
     "not the letters"),
    ("before/byte_pair_encoding", "(-pairs[p], ids[p[0]], ids[p[1]])", "-pairs[p]", "learn merges",
     "smaller ids comes first"),
    ("before/byte_pair_encoding", "len(ids) < vocab_size", "len(merges) < vocab_size", "learn merges",
     "The alphabet counts"),
    ("before/byte_pair_encoding", "        if not pairs:\n            break\n", "", "nothing left",
     "stop, with fewer tokens"),
    ("before/byte_pair_encoding", "min(fitting, key=lambda pair: ranks[pair])", "fitting[0]",
     "segment", "nor its length decides which pair"),
    ("before/byte_pair_encoding", "min(fitting, key", "max(fitting, key", "segment", "take the smallest rank"),
    ("before/byte_pair_encoding", "    while fitting :=", "    if fitting :=", "segment", "go on while any fits"),
    ("before/byte_pair_encoding", "re.findall(PIECE, text)]\n        return", "[text]]\n        return",
     "cut", "The text is cut into pieces first"),
    ("before/byte_pair_encoding", "re.findall(PIECE, text)]\n        return", "text.split()]\n        return",
     "cut", "The spaces get lost"),
    ("before/byte_pair_encoding", 'b"".join(self.tokens[i] for i in ids).decode(errors="replace")',
     '"".join(self.tokens[i].decode(errors="replace") for i in ids)', "decode", "spread over several tokens"),
    ("before/byte_pair_encoding", 'decode(errors="replace")', "decode()", "decode", "decode with errors='replace'"),
    ("before/byte_pair_encoding", "[self.ids[token] for token in self.cut(text)]", "[ord(c) for c in text]",
     "encode", "These are characters"),
    ("before/batches_of_tokens", "*ids[: max_length - 2]", "*ids", "special tokens", "Nothing is truncated"),
    ("before/batches_of_tokens", "[CLS, *ids[: max_length - 2], SEP]", "[CLS, *ids, SEP][:max_length]",
     "special tokens", "[SEP] is cut off"),
    ("before/batches_of_tokens", "if left else", "if not left else", "padding", "Padding comes behind"),
    ("before/batches_of_tokens", "return input_ids, attention_mask", "return input_ids, 1 - attention_mask",
     "attention mask", "The other way round"),
    ("before/batches_of_tokens", "torch.zeros(len(rows), n, dtype=torch.long)", "torch.zeros(len(rows), n)",
     "attention mask", "0 and 1, long"),
    ("before/batches_of_tokens", "longest if length is None else length", "longest", "length", "length has no effect"),
    ("before/batches_of_tokens", "slice(n - len(row), n) if left else slice(len(row))", "slice(len(row))",
     "left padding", "left has no effect"),
    ("before/batches_of_tokens", "if longest > n or not rows", "if False", "no room", "Raise a ValueError first"),
    ("before/lstm", "i, f, g, o = (x", "f, i, g, o = (x", "cell state", "the input gate comes before"),
    ("before/lstm", "i, f, g, o = (x", "i, f, o, g = (x", "cell state", "g comes before o"),
    ("before/lstm", "i * torch.tanh(g)", "i * g", "cell state", "g goes through tanh"),
    ("before/lstm", "return o * torch.tanh(c), c", "return c, o * torch.tanh(c)", "cell state",
     "That is the hidden state"),
    ("before/lstm", "o * torch.tanh(c)", "o * c", "hidden state", "goes through tanh before the output gate"),
    ("before/lstm", "z * h + (1 - z) *", "(1 - z) * h + z *", "gru", "z keeps the old state here"),
    ("before/lstm", "n_x + r * n_h", "n_x + n_h", "gru", "The reset gate is missing"),
    ("before/attentive_translator", "query @ key.transpose(1, 2)", "query @ key.transpose(1, 2) / query.size(-1)**0.5",
     "dot score", "comes with the Transformer"),
    ("before/attentive_translator", "query @ self.w(key).transpose(1, 2)", "self.w(query) @ key.transpose(1, 2)",
     "general score", "it is W transposed"),
    ("before/attentive_translator", "torch.tanh(pairs)", "pairs", "additive score", "the query changes no weight"),
    ("before/attentive_translator", "~encoded.mask", "encoded.mask", "attention weights", "True means a token"),
    ("before/attentive_translator", ".softmax(dim=-1)", ".softmax(dim=1)", "attention weights", "over the source"),
    ("before/attentive_translator", "scores.masked_fill(~encoded.mask, -torch.inf)", "scores",
     "attention weights", "Padding gets a weight"),
    ("before/attentive_translator", "self.weights(hidden, encoded) @ encoded.states",
     "super().context(hidden, encoded)", "context", "the same for each step"),
    ("attention/soft_lookup", "torch.softmax(scores, dim=0)", "scores / scores.sum()",
     "look-up weights", "take exp of each score first"),
    ("attention/soft_lookup", "weights @ values, weights", "values.mean(0), weights", "look-up answer", "plain mean"),
    ("attention/scaled_dot_product", "query @ key.transpose(-2, -1)", "key @ query.transpose(-2, -1)",
     "scores", "Q K^T is (3, 5), with a row for each query"),
    ("attention/scaled_dot_product", "weights @ value, weights", "weights, weights @ value",
     "scores", "return the output first"),
    ("attention/scaled_dot_product", "torch.softmax(scores, dim=-1)", "torch.softmax(scores, dim=-2)",
     "softmax", "over the queries' axis: softmax over the keys' axis, dim=-1"),
    ("attention/scaled_dot_product", "torch.softmax(scores, dim=-1)", "torch.softmax(scores, dim=1)",
     "softmax", "over axis 1"),
    ("attention/scaled_dot_product", "torch.softmax(scores, dim=-1)", "scores", "softmax", "These are the scores"),
    ("attention/scaled_dot_product", " / math.sqrt(query.size(-1))", "", "scale", "√d_k times too large"),
    ("attention/scaled_dot_product", "math.sqrt(query.size(-1))", "query.size(-1)", "scale", "by its square root"),
    ("attention/scaled_dot_product", "math.sqrt(query.size(-1))", "math.sqrt(key.size(-2))", "softmax", "√n_k"),
    ("attention/scaled_dot_product", "weights @ value,", "scores @ value,", "average", "weighted with the scores"),
    ("attention/scaled_dot_product", "~attn_mask & ~nothing", "attn_mask", "mask", "True means allowed"),
    ("attention/scaled_dot_product", "scores.masked_fill(~attn_mask & ~nothing, -math.inf)", "scores * attn_mask",
     "mask", "set them to -inf"),
    ("attention/scaled_dot_product", "scores.masked_fill(~attn_mask & ~nothing, -math.inf)", "scores",
     "mask", "The mask changes nothing"),
    ("attention/scaled_dot_product", "weights.masked_fill(nothing, 0.0)", "weights * attn_mask * 0.999",
     "mask", "Every element is 0.999 times"),
    ("attention/scaled_dot_product", "~attn_mask & ~nothing", "~attn_mask", None, None),
    ("attention/scaled_dot_product", "weights = weights.masked_fill(nothing, 0.0)", "pass",
     "nothing allowed", "give it weights 0"),
    ("attention/masks", "<=", ">", "causal", "yours allows the future"),
    ("attention/masks", "<=", ">=", "causal", "upper triangular"),
    ("attention/masks", "<=", "<", "causal", "The diagonal is False"),
    ("attention/masks", "ids != pad_id", "ids == pad_id", "padding", "True for tokens and False for padding"),
    ("attention/masks", ".unsqueeze(1)\n# --8<-- [end:padding", ".unsqueeze(2)\n# --8<-- [end:padding",
     "padding", "Yours hides rows"),
    ("attention/masks", "ids != pad_id", "ids != 0", "padding", "pad_id is an argument"),
    ("attention/multi_head", "self.w_v(value)\n        output, _", "self.w_v(key)\n        output, _",
     "projection", "The values come from the keys"),
    ("attention/multi_head", "scaled_dot_product_attention(q, k, v, attn_mask)\n        return output",
     "scaled_dot_product_attention(q, k, v)\n        return output", "projection", "The mask gets lost"),
    ("attention/multi_head", "torch.cat(outputs, dim=-1)", "torch.cat(outputs[::-1], dim=-1)",
     "concat", "reverse order: head 1 comes first"),
    ("attention/multi_head", "torch.cat(outputs, dim=-1)", "torch.stack(outputs, dim=-1).flatten(-2)",
     "concat", "interleaved"),
    ("attention/multi_head", "self.w_o(torch.cat(outputs, dim=-1))", "torch.cat(outputs, dim=-1)",
     "concat", "W_O is missing"),
    ("attention/multi_head", "x.view(batch, n, num_heads, d_k).transpose(1, 2)", "x.view(batch, num_heads, n, d_k)",
     "split", "One view mixes positions and heads"),
    ("attention/multi_head", "x.transpose(1, 2).flatten(start_dim=2)", "x.reshape(x.size(0), x.size(2), -1)",
     "merge", "merged without a transpose"),
    ("attention/multi_head", "self.w_o(merge_heads(output)), weights",
     "self.w_o(output.reshape(query.shape)), weights", "all heads", "merged without a transpose"),
    ("attention/multi_head", "            attn_mask = attn_mask.unsqueeze(-3)", "            pass",
     "all heads", "needs an axis for the heads"),
    ("positions/tokens", "rows * math.sqrt(self.table.size(1))", "rows", "embedding", "factor √d_model is missing"),
    ("positions/tokens", "x @ self.table.T", "x @ self.table.T * d_model**0.5", "logits", "of the input only"),
    ("positions/sinusoidal", "-(even / d_model)", "-(even / 2 / d_model)", "frequencies", "yours is i / d_model"),
    ("positions/sinusoidal", "-(even / d_model)", "-(2 * even / d_model)", "frequencies", "doubled twice"),
    ("positions/sinusoidal", "[angles.sin(), angles.cos()]", "[angles.cos(), angles.sin()]",
     "sine and cosine", "Sine and cosine are swapped"),
    ("positions/sinusoidal", "torch.stack([angles.sin(), angles.cos()], dim=-1).flatten(-2)",
     "torch.cat([angles.sin(), angles.cos()], dim=-1)", "sine and cosine", "All sines come before all cosines"),
    ("positions/fixed_offset", "[cos, -sin]", "[cos, sin]", "offset", None),
    ("positions/fixed_offset", "angles = offset *", "angles = -offset *", "offset", "pos - offset"),
    ("positions/relative", "[first * cos - second * sin, first * sin + second * cos]",
     "[first * cos + second * sin, second * cos - first * sin]", "rotation", "turns the other way"),
    ("positions/relative", "x[..., 0::2], x[..., 1::2]\n    turned",
     "x.chunk(2, dim=-1)\n    turned", "rotation", None),
    ("block/feed_forward", "self.activation(self.w_1(x))", "self.w_1(x)", "network", "The activation is missing"),
    ("block/feed_forward", "self.activation(self.w_1(x))", "torch.relu(self.w_1(x))", "network", "use self.activation"),
    ("block/dropout", "not self.training or self.p == 0", "self.p == 0", "at inference", None),
    ("block/dropout", "keep * x / (1 - self.p)", "keep * x", "in training", "divided by 1 - p, so that the mean"),
    ("block/dropout", ">= self.p", "< self.p", "in training", "p is the probability of 0"),
    ("block/layer_norm", "centered.square().mean(dim=-1, keepdim=True)", "x.var(dim=-1, keepdim=True)",
     "mean and variance", "not by d_model - 1"),
    ("block/layer_norm", "dim=-1", "dim=1", "mean and variance", "over the positions"),
    ("block/layer_norm", "torch.rsqrt(variance + self.eps)", "(1 / (variance.sqrt() + self.eps))",
     "epsilon", "inside the root"),
    ("block/layer_norm", "normed * self.gamma + self.beta", "(normed + self.beta) * self.gamma",
     "gamma and beta", "after the multiplication"),
    ("block/residual", "self.norm(x) if self.norm_first else x", "x if self.norm_first else self.norm(x)",
     "post-LN", "Two norms act"),
    ("block/residual", "if self.norm_first else self.norm(x + added)",
     "if not self.norm_first else self.norm(x + added)",
     "post-LN", "The norm is missing"),
    ("block/residual", "self.norm_first = norm_first", "self.norm_first = not norm_first", "post-LN", "This is pre-LN"),
    ("block/residual", "self.norm(x + added)", "self.norm(added)", "post-LN", "The residual is missing"),
    ("block/residual", "return x + added if", "return self.norm(x) + added if", "pre-LN", "What is added is x itself"),
    ("block/residual", "return x + added if", "return added if", "pre-LN", "The residual is missing"),
    ("block/residual", "self.dropout(sublayer(self.norm(x) if self.norm_first else x))",
     "sublayer(self.norm(x) if self.norm_first else x)", "dropout", "Dropout is missing"),
    ("block/encoder_layer", "self.attention(y, y, y, attn_mask)", "self.attention(y, y, y)",
     "encoder layer", "The mask gets lost"),
    ("block/encoder_layer", "self.attention(y, y, y, attn_mask)", "self.attention(x, x, x, attn_mask)",
     "encoder layer", "so use its argument y"),
    ("block/encoder_layer", "self.residual_2(x, self.feed_forward)", "self.residual_1(x, self.feed_forward)",
     "encoder layer", "a norm of its own"),
    ("block/encoder_layer", "if not config.norm_first:", "if config.norm_first:",
     "final norm", "ends with a norm already"),
    ("block/encoder_layer", "return self.norm(x)", "return x", "encoder stack", "final norm is missing"),
    ("model/decoder_layer", "self.self_attention(y, y, y, tgt_mask)", "self.self_attention(y, y, y)",
     "decoder layer", "tgt_mask gets lost"),
    ("model/decoder_layer", "self.cross_attention(y, memory, memory, memory_mask)", "self.cross_attention(y, y, y)",
     "decoder layer", "keys and values are the memory"),
    ("model/decoder_layer", "            x = layer(x, memory, tgt_mask, memory_mask)",
     "            x = memory = layer(x, memory, tgt_mask, memory_mask)", "decoder stack", "the same memory"),
    ("model/transformer", "x + self.positions(positions).to(x)", "x", "embed", "The positions are missing"),
    ("model/transformer", "start, start + ids.size(1)", "ids.size(1)", "embed", "start is ignored"),
    ("model/transformer", "self.embed(src), src_mask", "self.embed(src)", "encode", "Padding is not masked"),
    ("model/transformer", "padding_mask(tgt, self.pad_id) & causal", "padding_mask(tgt, self.pad_id)",
     "decode", "There is no causal mask"),
    ("model/transformer", "padding_mask(tgt, self.pad_id) & causal", "causal", "decode", "Padding of the target"),
    ("model/transformer", "self.embedding.logits(x)", "self.embedding.logits(x).softmax(-1)",
     "decode", "probabilities"),
    ("model/transformer", "self.decode(tgt, self.encode(src), src)", "self.decode(tgt, self.encode(tgt), src)",
     "forward", "The memory is that of the source"),
    ("attention/shapes", "d_k = d_model // num_heads", "d_k = d_model", "shapes of attention", "A head has d_k"),
    ("attention/shapes", "(batch, num_heads, n_q, n_k)", "(batch, num_heads, n_k, n_q)", "shapes of attention",
     "A row of the scores belongs to a query"),
    ("attention/shapes", "(batch, num_heads, n_q, n_k)", "(batch, n_q, n_k)", "shapes of attention",
     "scores of its own"),
    ("attention/shapes", '"values": (batch, num_heads, n_k, d_k)', '"values": (batch, num_heads, n_q, d_k)',
     "shapes of attention", "as many values as keys"),
    ("attention/shapes", '"heads": (batch, num_heads, n_q, d_k)', '"heads": (batch, num_heads, n_k, d_k)',
     "shapes of attention", "one weighted average"),
    ("attention/shapes", '"output": (batch, n_q, d_model)', '"output": (batch, n_k, d_model)', "shapes of attention",
     "Each query gets one output"),
    ("attention/shapes", '"output": (batch, n_q, d_model)', '"output": (batch, num_heads, n_q, d_k)',
     "shapes of attention", "The heads are joined"),
    ("attention/shapes", '"memory_mask": (batch, 1, n)', '"memory_mask": (batch, 1, m)', "shapes of masks",
     "The cross-attention's keys are the source"),
    ("attention/shapes", '"causal": (m, m)', '"causal": (batch, m, m)', "shapes of masks", "it has no batch"),
    ("attention/shapes", '"tgt_mask": (batch, m, m)', '"tgt_mask": (batch, 1, m)', "shapes of masks",
     "The future is another one for each query"),
    ("attention/shapes", '"tgt_mask": (batch, m, m)', '"tgt_mask": (m, m)', "shapes of masks",
     "Padding is elsewhere in each sentence"),
    ("attention/masks", "torch.arange(n, device=device)", "torch.arange(n)", "causal", "not on the device"),
    ("model/shapes", '"cross_weights": weights(m, n)', '"cross_weights": weights(n, m)',
     "shapes of a forward pass", "In cross-attention the target asks"),
    ("model/shapes", '"hidden": (batch, n, config.d_ff)', '"hidden": (batch, n, d_model)', "shapes of a forward pass",
     "there are d_ff components"),
    ("model/shapes", '"memory": (batch, n, d_model)', '"memory": (batch, m, d_model)', "shapes of a forward pass",
     "a vector for each token of the source"),
    ("model/shapes", '"logits": (batch, m, config.vocab_size)', '"logits": (batch, config.vocab_size)',
     "shapes of a forward pass", "each position of the target has logits"),
    ("model/shapes", '"logits": (batch, m, config.vocab_size)', '"logits": (batch, m, d_model)',
     "shapes of a forward pass", "Logits are scores of tokens"),
    ("training/loss", "-log_p.gather", "log_p.gather", "cross-entropy", "The sign is wrong"),
    ("training/loss", "/ counts.sum()", "/ counts.numel()", "padding", "the tokens that count"),
    ("training/loss", "target != ignore_index", "target != -100", "padding", "Padding counts"),
    ("training/loss", "epsilon * log_p.mean(dim=-1)", "epsilon * log_p.sum(dim=-1)", "label smoothing", "ε / V"),
    ("training/loss", "(1 - epsilon) * loss", "loss", "label smoothing", "The right token keeps 1 - ε"),
    ("training/loss", "model(src, tgt[:, :-1])", "model(src, tgt)[:, :-1]", None, None),
    ("training/loss", "tgt[:, 1:], epsilon", "tgt[:, :-1], epsilon", "teacher forcing", "The target is not shifted"),
    ("training/loss", ", epsilon, model.pad_id)", ", epsilon)", "teacher forcing", "The loss counts padding"),
    ("training/warm_up", "* min(", "* max(", "learning rate", "the smaller of the two"),
    ("training/warm_up", "d_model**-0.5 * ", "", "learning rate", "The factor d_model^-0.5 is missing"),
    ("training/adam", "m_hat = m / (1 - beta_1**self.steps)", "m_hat = m", "steps", None),
    ("training/adam",
     " / (1 - beta_1**self.steps)  # both began at 0\n            v_hat = v / (1 - beta_2**self.steps)",
     "\n            v_hat = v", "steps", "The means begin at 0"),
    ("training/adam", "v_hat.sqrt() + self.eps", "(v_hat + self.eps).sqrt()", "steps", "not inside it"),
    ("training/adam", "            if p.grad is None:\n                continue\n", "",
     "without gradient", "may be None"),
    ("training/decoding", "logits = logits.clone()", "pass", "no padding", "Make a new tensor of it, or a clone"),
    ("training/decoding", "return tgt[:, start:]", "return tgt", "greedy choice", "is no new token"),
    ("training/decoding", "without_padding(next_logits(tgt), pad_id)", "next_logits(tgt)",
     "greedy choice", "Padding was"),
    ("training/decoding", ".masked_fill(ended, pad_id)", "", "end of sentence", "It goes on behind </s>"),
    ("training/decoding", "ended.all()", "ended.any()", "end of sentence", "when the first sentence has ended"),
    ("training/decoding", "model.decode(tgt, memory, src)[:, -1]", "model.decode(tgt[:, -1:], memory, src)[:, -1]",
     "greedy", "it needs all so far"),
    ("training/decoding", "    with inference(model):\n        memory = model.encode(src)\n\n        def",
     "    if True:\n        memory = model.encode(src)\n\n        def", "greedy", "with inference(model)"),
    ("training/cache", "if self.keys is not None:", "if False:", "append", "What was kept is replaced"),
    ("training/cache", "self.keys, self.values = keys, values", "self.keys, self.values = values, keys",
     "append", "Keys and values are swapped"),
    ("training/cache", "self.attention.w_o(merge_heads(heads))", "merge_heads(heads)", "attend", "W_O is missing"),
    ("training/cache", "            own.append(y)\n            return own.attend(y)",
     "            output = own.attend(y)\n            own.append(y)\n            return output",
     "cached layer", "Keep the token before it attends"),
    ("training/cache", "cross.attend(y, self.mask)", "cross.attend(y)", "cached layer", "Padding of the source"),
    ("training/cache", "start=self.length)", "start=self.length + 1)", "cached logits", "Positions are one too far"),
    ("training/cache", "        self.length += 1\n", "", "cached logits", "Every token stands at position 0"),
    ("training/cache", "self.model.decoder.norm(x)", "x", "cached logits", "final norm is missing"),
    ("training/cache", "tgt[:, -1])", "tgt[:, 0])", "cached greedy", None),
    ("families/three_families", "causal_mask(n, device) | in", "causal_mask(n, device) & in", "prefix mask",
     "|, not &"),
    ("families/three_families", "torch.arange(n, device=device) < p", "torch.arange(n).unsqueeze(1) < p", "prefix mask",
     "The prefix is a column"),
    ("families/three_families", "return source + [*tokens[done:]]", "return source", "source", "after the last span"),
    ("families/three_families", "sentinel = f\"<extra_id_{k}>\"", "sentinel = f\"<extra_id_0>\"", "source",
     "a sentinel of its own"),
    ("families/three_families", "[*target, f\"<extra_id_{len(spans)}>\"]", "target", "target",
     "where the last span ends"),
    ("positions/relative", "(offset > 0) * half", "(offset < 0) * half", "T5 buckets", "The halves are swapped"),
    ("positions/relative", "return torch.bucketize(offset.abs(), starts, right=True) + (offset > 0) * half",
     "return torch.bucketize(offset.abs(), starts, right=True)", "T5 buckets", "are different buckets"),
    ("positions/relative", "return torch.bucketize(offset.abs(), starts, right=True)",
     "return offset.abs().clamp(max=half - 1)", "T5 buckets", "grow like the logarithm"),
    ("positions/relative", "    half = num_buckets // 2\n",
     "    half, max_distance = num_buckets // 2, 128\n", "T5 buckets",
     "max_distance is an argument"),
    ("positions/relative", "    half = num_buckets // 2\n    exact = half // 2\n    if max",
     "    half = 16\n    exact = 8\n    if max",
     "T5 buckets", ""),
    ("model/sizes", "4 * (d_model**2 + d_model)", "4 * d_model**2", "attention parameters", "The biases are missing"),
    ("model/sizes", "4 * (d_model**2 + d_model)",
     "3 * (d_model**2 + d_model)", "attention parameters", "W_O is missing"),
    ("model/sizes", "4 * (d_model**2 + d_model)",
     "4 * d_model**2 + 3 * d_model", "attention parameters", "W_O has a bias"),
    ("model/sizes", "4 * (d_model**2 + d_model)",
     "4 * d_model**2 + d_model", "attention parameters", "Each of the four"),
    ("model/sizes", "2 * d_model * d_ff + d_ff + d_model", "2 * d_model * d_ff", "feed-forward parameters",
     "The biases are missing"),
    ("model/sizes", "2 * d_model * d_ff + d_ff + d_model", "2 * (d_model * d_ff + d_ff)", "feed-forward parameters",
     "b_2 has d_model numbers"),
    ("model/sizes", "2 * d_model * d_ff + d_ff + d_model", "2 * (d_model * d_ff + d_model)", "feed-forward parameters",
     "b_1 has d_ff numbers"),
    ("model/sizes", "2 * d_model * d_ff + d_ff + d_model", "d_model * d_ff + d_ff + d_model", "feed-forward parameters",
     "two matrices"),
    ("model/sizes", "return 2 * d_model\n", "return d_model\n", "norm parameters", "β has as many"),
    ("model/sizes", "return 2 * d_model\n", "return 2\n", "norm parameters", "a number for each component"),
    ("model/sizes", "2 * attention + network", "attention + network", "all parameters", "has two attentions"),
    ("model/sizes", "3 * norm", "2 * norm", "all parameters", "three norms"),
    ("model/sizes", "norm if config.norm_first else 0", "0", "all parameters", "one more norm"),
    ("model/sizes", "norm if config.norm_first else 0", "norm", "all parameters", "Only with norm_first"),
    ("model/sizes", "config.vocab_size * d_model,",
     "3 * config.vocab_size * d_model,", "all parameters", "counts once"),
    ("model/sizes", "num_layers, d_model = config.num_layers,", "num_layers, d_model = 1,", "all parameters",
     "num_layers of them"),
    ("training/bleu", "range(len(tokens) - n + 1)", "range(len(tokens) - n)", "n-gram counts", "The last n-gram"),
    ("training/bleu", "ngram_counts(translation, n) & ngram_counts(reference, n)",
     "Counter({g: c for g, c in ngram_counts(translation, n).items() if g in ngram_counts(reference, n)})",
     "clipped matches",
     "not clipped"),
    ("training/bleu", "(ngram_counts(translation, n) & ngram_counts(reference, n)).total()",
     "len(ngram_counts(translation, n) & ngram_counts(reference, n))", "clipped matches", "as both have it"),
    ("training/bleu", "min(1.0, math.exp(1 - reference_length / length))", "math.exp(1 - reference_length / length)",
     "brevity penalty", "by being longer"),
    ("training/bleu", "1 - reference_length / length", "1 - length / reference_length", "brevity penalty", "swapped"),
    ("training/bleu", "    if length == 0:\n        return 0.0\n", "", "brevity penalty", ""),
    ("training/bleu", "100 * brevity_penalty(*lengths)", "brevity_penalty(*lengths)", "corpus", "multiply by 100"),
    ("training/bleu", "100 * brevity_penalty(*lengths)", "100", "corpus", "brevity penalty is missing"),
    ("training/bleu", "math.exp(sum(logs) / longest)", "sum(map(math.exp, logs)) / longest", "corpus", "geometric one"),
    ("training/bleu", "strict=True", "strict=False", "corpus", "strict=True"),
    ("training/decoding", "((5 + length) / 6) ** alpha", "length**alpha", "length penalty", "length to the power of α"),
    ("training/decoding", "((5 + length) / 6) ** alpha", "((5 + length) / 6) ** -alpha", "length penalty",
     "rewards short sentences"),
    ("training/decoding", "((5 + length) / 6) ** alpha",
     "(5 + length) ** alpha / 6", "length penalty", "inside the power"),
    ("training/decoding", "topk(min(beam_size, log_p.numel()))", "topk(1)", "beam", "This is greedy decoding"),
    ("training/decoding", "(before + log_p).flatten()", "log_p.flatten()", "beam", "add up"),
    ("training/decoding", "without_padding(logits, model.pad_id), dim=-1)",
     "logits, dim=-1)", "beam", "Padding is a token"),
    ("training/decoding", "            if not beam:\n", "            if found or not beam:\n", "beam", "first </s>"),
    ("training/decoding", "if ids[-1] == EOS or length == max_new_tokens", "if ids[-1] == EOS", "beam", ""),
    ("training/decoding", "(p / penalty, ids[1:])", "(p, ids[1:])", "penalty", "The length penalty is missing"),
    ("training/decoding", "length_penalty(length, alpha)\n",
     "length_penalty(length + 1, alpha)\n", "penalty", "but not <s>"),
    ("training/decoding", "length_penalty(length, alpha)\n", "length_penalty(length - 1, alpha)\n", "penalty",
     "</s> is one of them"),
    ("training/decoding", "p / penalty", "p * penalty", "penalty", "You multiply by the penalty"),
    ("training/decoding", "length_penalty(length, alpha)\n", "length_penalty(length, 0.6)\n", "beam", "no effect"),
    ("training/decoding", "sources = (memory.expand(copies), src",
     "sources = (model.encode(src).expand(copies), src", "penalty",
     "encoded"),
    ("families/bert", " + self.segments(segment_ids)", "", "bert embedding", "The segments are missing"),
    ("families/bert", "self.dropout(self.norm(x + self.positions(positions)))",
     "self.norm(self.dropout(x + self.positions(positions)))", "bert embedding", "Dropout comes after the norm"),
    ("families/bert", "self.norm(x + self.positions(positions))", "self.norm(x) + self.positions(positions)",
     "bert embedding", "positions included"),
    ("families/bert", "self.embed(ids, segment_ids), mask)", "self.embed(ids, segment_ids))", "bert",
     "Padding is not masked"),
    ("families/bert", "padding_mask(ids, self.pad_id)", "padding_mask(ids, 0)", "bert", "The mask takes 0 for padding"),
    ("families/bert", "self.norm(self.activation(self.dense(x))) @", "self.activation(self.norm(self.dense(x))) @",
     "masked lm head", "The norm comes after the activation"),
    ("families/bert", " @ table.T + self.bias", " @ table.T", "masked lm head", "The bias is missing"),
    ("families/bert", "x = self.bert(ids, segment_ids)\n        return self.head",
     "x = self.bert(ids)\n        return self.head", "masked lm", "segment_ids get lost"),
    ("families/bert", "self.bert(ids, segment_ids)[:, 0]", "self.bert(ids, segment_ids).mean(1)", "classifier",
     "the mean of all vectors"),
    ("families/bert", "torch.tanh(self.pooler(first))", "self.pooler(first)", "classifier", "tanh is missing"),
    ("families/gpt", "torch.arange(start, start + ids.size(1)", "torch.arange(ids.size(1)", "gpt embedding",
     "start is ignored"),
    ("families/gpt", "self.tokens(ids) + self.positions(positions)", "self.tokens(ids)", "gpt embedding",
     "The positions are missing"),
    ("families/gpt", "self.dropout(self.tokens(ids) + self.positions(positions))",
     "self.tokens(ids) + self.positions(positions)", "gpt embedding", "Dropout is missing"),
    ("families/gpt", "return x @ self.tokens.weight.T", "return (x @ self.tokens.weight.T).softmax(-1)", "gpt logits",
     "These are probabilities"),
    ("families/gpt", "self.stack(self.embed(ids), mask)", "self.stack(self.embed(ids))", "gpt",
     "There is no causal mask"),
    ("families/gpt", "self.stack(self.embed(ids), mask)", "self.stack(self.embed(ids), mask.T)", "gpt",
     "The causal mask is transposed"),
    ("families/gpt", "ids[:, 1:], ignore_index", "ids[:, :-1], ignore_index", "language model loss",
     "The target is not shifted"),
    ("families/gpt", "ids[:, 1:], ignore_index=pad_id", "ids[:, 1:]", "language model loss", "Padding counts"),
    ("families/sampling", "return logits / temperature", "return logits * temperature", "temperature",
     "divide by the temperature"),
    ("families/sampling", "logits.masked_fill(logits < least, -math.inf)", "logits.masked_fill(logits < least, 0.0)",
     "top-k", "-inf is"),
    ("families/sampling", "logits < least", "logits <= least", "top-k", "One token is missing"),
    ("families/sampling", "min(k, logits.size(-1))", "k", "top-k", "All of them stay: min(k, V)"),
    ("families/sampling", "logits < least, -math.inf)", "logits.argsort(-1, True).argsort(-1) >= k, -math.inf)",
     "top-k", "as large as the k-th stays, too"),
    ("families/sampling", "    cut[..., -1] = False\n    return logits.masked_fill(cut.scatter(-1, order, cut)",
     "    cut[..., -1] = False\n    return logits.masked_fill(cut.flip(-1)", "top-p", "scatter it back"),
    ("families/sampling", "tail <= 1 - p", "tail - ordered.softmax(dim=-1) < 1 - p", "top-p",
     "The token that reaches p stays"),
    ("families/sampling", "p * probability.amax(dim=-1, keepdim=True)", "p", "min-p",
     "relative to the most probable token"),
    ("families/sampling", "probability < least", "probability <= least", "min-p", "with p = 1"),
    ("families/sampling", "torch.multinomial(probability, 1, generator=generator).squeeze(-1)",
     "probability.argmax(dim=-1)", "draw", "the most probable one each time"),
    ("families/sampling", "probability, 1, generator=generator", "probability, 1", "draw", "Hand on generator"),
    ("families/sampling", "draw(cut(next_logits(ids)), generator)", "draw(next_logits(ids), generator)", "sample",
     "cut is not applied"),
    ("families/sampling", ".masked_fill(ended, PAD)", "", "sample", "It goes on behind </s>"),
    ("families/sampling", "ended.all()", "ended.any()", "sample", "when the first sentence has ended"),
    ("families/sampling", "return ids[:, start:]", "return ids", "sample", "The prompt is no new token"),
    ("families/sampling", "next_logits(ids)), generator)", "next_logits(ids)))", "sample", "Hand the generator on"),
    ("families/vision_transformer", "    x = x.permute(0, 2, 4, 1, 3, 5)", "    pass", "patches",
     "One reshape mixes pixels"),
    ("families/vision_transformer", "x.permute(0, 2, 4, 1, 3, 5)", "x.permute(0, 2, 4, 3, 5, 1)", "patches",
     "the channels come first"),
    ("families/vision_transformer", "x.permute(0, 2, 4, 1, 3, 5)", "x.permute(0, 4, 2, 1, 3, 5)", "patches",
     "column by column"),
    ("families/vision_transformer", "rows, columns = grid(height, width, size)\n    x = images",
     "rows, columns = height // size, width // size\n    x = images", "patches", "Ask grid"),
    ("families/vision_transformer", "[self.class_token.expand(x.size(0), -1, -1), x]",
     "[x, self.class_token.expand(x.size(0), -1, -1)]", "image tokens", "The class token comes first"),
    ("families/vision_transformer", "self.patches(images).flatten(2).transpose(1, 2)",
     "self.patches(images).reshape(len(images), -1, self.class_token.size(-1))", "image tokens",
     "The patches are mixed up"),
    ("families/vision_transformer", "self.dropout(x + self.positions(positions).to(x))", "self.dropout(x)",
     "image tokens", "The positions are missing"),
    ("families/vision_transformer", "x[:, 1:].mean(dim=1)", "x.mean(dim=1)", "image classifier",
     "The class token is no patch"),
    ("families/vision_transformer", "self.pool == \"class\"", "True", "image classifier",
     "pool decides: here it is 'mean'"),
    ("families/rms_norm", "mean_square = wide", "wide = wide - wide.mean(-1, keepdim=True)\n        mean_square = wide",
     "root mean square", "No mean is subtracted"),
    ("families/rms_norm", "normed = wide *", "normed = (wide - wide.mean(-1, keepdim=True)) *",
     "root mean square", "No mean is subtracted"),
    ("families/rms_norm", "wide.square().mean(dim=-1, keepdim=True)", "wide.var(dim=-1, keepdim=True)",
     "root mean square", "This is the standard deviation"),
    ("families/rms_norm", "wide.square().mean(dim=-1", "wide.square().sum(dim=-1", "root mean square",
     "not of the sum"),
    ("families/rms_norm", "mean(dim=-1, keepdim=True)", "mean(dim=0, keepdim=True)", "root mean square",
     "over the first axis"),
    ("families/rms_norm", "normed.to(x.dtype) * self.gamma", "normed.to(x.dtype)", "gamma", "gamma is missing"),
    ("families/rms_norm", "torch.rsqrt(mean_square + self.eps)", "(1 / (mean_square.sqrt() + self.eps))", "epsilon",
     "eps is inside the root"),
    ("families/rms_norm", "x.to(torch.promote_types(x.dtype, torch.float32))", "x", "half precision", "in float32"),
    ("families/todays_block", "silu(self.w_gate(x))", "silu(self.w_up(x))", "swiglu", "x W_gate is missing"),
    ("families/todays_block", "functional.silu", "functional.gelu", "swiglu", "with GELU it is GEGLU"),
    ("families/todays_block", "gate * self.w_up(x)", "gate", "swiglu", "The product with x W_up is missing"),
    ("families/todays_block", "shared.repeat_interleave(group, dim=1)", "shared.repeat(1, group, 1, 1)",
     "grouped queries", "Neighbouring heads share"),
    ("families/todays_block", "shared.repeat_interleave(group, dim=1)", "shared", "grouped queries",
     "repeat each for its group"),
    ("families/todays_block", "self.w_o(merge_heads(output))", "merge_heads(output)", "grouped queries",
     "W_O is missing"),
    ("families/todays_block", "            k = rotate(k, positions, self.rope_theta)\n", "", "rotated",
     "The keys are not rotated"),
    ("families/todays_block", "            k = rotate(k, positions, self.rope_theta)\n",
     "            k = rotate(k, positions, self.rope_theta)\n            v = rotate(v, positions, self.rope_theta)\n",
     "rotated", "The values are rotated, too"),
    ("families/todays_block", "positions, self.rope_theta)", "positions)", "rotated", "The base is self.rope_theta"),
    ("families/todays_block", "attn_mask.unsqueeze(-3)", "attn_mask", "shared mask", "unsqueeze(-3)"),
    ("families/todays_block", "attention(q, k, v, mask)", "attention(q, k, v)", "shared mask", "The mask gets lost"),
    ("families/llama", "self.attention(self.norm_1(x), attn_mask)", "self.attention(self.norm_1(x))", "llama layer",
     "The mask gets lost"),
    ("families/llama", "self.feed_forward(self.norm_2(x))", "self.feed_forward(self.norm_1(x))", "llama layer",
     "a norm of its own: norm_2"),
    ("families/llama",
     "self.attention(self.norm_1(x), attn_mask)\n        return x + self.feed_forward(self.norm_2(x))",
     "self.attention(x, attn_mask)\n        x = self.norm_1(x)\n        return self.norm_2(x + self.feed_forward(x))",
     "llama layer", "This is post-LN"),
    ("families/llama", "mask = mask & attn_mask", "mask = mask | attn_mask", "llama", "combined with &"),
    ("families/llama", "            mask = mask & attn_mask", "            pass", "llama", "attn_mask is ignored"),
    ("families/llama", "self.head(self.norm(x))", "self.head(x)", "llama", "The last norm is missing"),
    ("families/llama", "self.head(self.norm(x))", "self.norm(x) @ self.tokens.weight.T", "llama",
     "a matrix of its own"),
    ("families/llama", "(num_heads, 2, -1))", "(1, 2, -1))", "halves to pairs", "Head by head"),
    ("families/llama", "(num_heads, 2, -1))", "(num_heads, -1, 2))", "halves to pairs", "The other way round"),
    ("families/llama", "config.num_kv_heads * d_k", "config.num_heads * d_k", "cache size", "num_kv_heads"),
    ("families/llama", "return 2 * config.num_layers", "return config.num_layers", "cache size",
     "a factor of 2 is missing"),
    ("families/flash_attention", "torch.exp(scores - base)", "torch.exp(scores)", "one block", "Subtract the maximum"),
    ("families/flash_attention", "shrink * total", "total", "more blocks", "The sum is not rescaled"),
    ("families/flash_attention", "shrink * weighted", "weighted", "more blocks", "The weighted sum is not rescaled"),
    ("families/flash_attention", "torch.maximum(maximum, scores.amax(dim=-1, keepdim=True))",
     "scores.amax(dim=-1, keepdim=True)", "more blocks", "of all blocks so far"),
    ("families/flash_attention", "base = new.masked_fill(new == -math.inf, 0.0)", "base = new", "masked block",
     "-inf minus -inf is nan"),
    ("families/flash_attention", "query = query / math.sqrt(query.size(-1))", "pass", "blocks of keys",
     "divided by √d_k"),
    ("families/flash_attention", "return weighted / total.masked_fill(total == 0, 1.0)", "return weighted",
     "blocks of keys", "at the end"),
    ("families/flash_attention", ".triu(first - j + 1)", ".triu(1 - j)", "causal blocks", "not at 0"),
    ("families/flash_attention", ".triu(first - j + 1)", ".triu(first - j)", "causal blocks",
     "at its own position, too"),
    ("families/flash_attention", "        if causal:\n", "        if False:\n", "causal blocks", "row by row"),
    ("families/flash_attention", "~attn_mask[..., j : j + block]", "~attn_mask", "mask of blocks",
     "its own columns of the mask"),
    ("families/flash_attention", "total.masked_fill(total == 0, 1.0)", "total", "mask of blocks",
     "divide by 1 instead"),
    ("families/fine_tuning", "+ self.scale * (x @", "+ (x @", "lora", "The factor alpha / r is missing"),
    ("families/fine_tuning", "alpha / max(rank, 1)", "alpha", "lora", "not alpha"),
    ("families/fine_tuning", "copy.deepcopy(self.linear)", "self.linear", "merged", "it has changed self"),
    ("families/fine_tuning", "linear.weight += self.scale *", "linear.weight +=", "merged",
     "The factor alpha / r is missing"),
]  # fmt: skip


def first_wrong(exercise: Exercise, path: Path) -> tuple[str | None, str]:
    """The first stage that an answer does not pass, and what its learner is told."""
    answer = load(path, exercise.name)
    for stage in exercise.stages:
        try:
            run(stage, answer)
        except Exception as error:
            return stage.name, explain(error, exercise, str(path))
    return None, ""


@pytest.fixture
def korean() -> Iterator[None]:
    speak("ko")
    yield
    speak(None)


@pytest.mark.parametrize("exercise", EXERCISES.values(), ids=EXERCISES)
def test_the_book_itself_passes_every_stage(exercise):
    assert first_wrong(exercise, exercise.solution) == (None, "")


@pytest.mark.parametrize("exercise", EXERCISES.values(), ids=EXERCISES)
def test_a_blank_fails_each_stage_and_says_what_to_write(exercise, tmp_path):
    path = blanks.write(exercise, tmp_path)
    answer, lines = load(path, exercise.name), path.read_text(encoding="utf-8").splitlines()
    for stage in exercise.stages:
        with pytest.raises((NotImplementedError, Wrong)) as raised:
            run(stage, answer)
        said = explain(raised.value, exercise, str(path))
        if isinstance(raised.value, NotImplementedError):
            number = int(re.search(rf"is not written yet, exercises/{exercise.name}\.py:(\d+)\n  \S", said)[1])
            assert "raise NotImplementedError" in lines[number - 1]


@pytest.mark.parametrize("exercise", EXERCISES.values(), ids=EXERCISES)
def test_everything_that_is_to_be_written_has_a_stage_that_misses_it(exercise, tmp_path):
    """Each body alone is taken out of the solution."""
    source = exercise.solution.read_text(encoding="utf-8")
    to_write = blanks.to_write(source, exercise)
    assert {stage.of for stage in exercise.stages} == set(to_write), (
        f"exercises/{exercise.part}/stages.py: each of these is to be written, so give it a stage; "
        "or name it in given=, if learners find it there, or in without=, if it is left out"
    )
    for name in to_write:
        tree = ast.parse(source)
        node = next(node for found, node in blanks.functions(tree) if found == name)
        node.body = ast.parse(f'raise NotImplementedError("write {name}")').body
        path = tmp_path / f"{name}.py"
        path.write_text(ast.unparse(tree), encoding="utf-8")
        stage, said = first_wrong(exercise, path)
        assert stage and said.startswith(f"{name} is not written yet"), (stage, said)


#: What somebody leaves in a body, or puts there to see something pass. ``{first}``: its first argument.
NOTHING = ("...", "pass", '"""What it should do."""', "return None", "return {first}", "return 0", "return []")
#: At inference, dropout is the identity: whoever writes nothing else is right so far.
RIGHT_SO_FAR = {("return {first}", "Dropout.forward", "at inference")}


@pytest.mark.parametrize("exercise", EXERCISES.values(), ids=EXERCISES)
def test_no_stage_takes_a_body_that_computes_nothing(exercise, tmp_path):
    """Neither if everything else is right, nor if all bodies are alike."""
    source, path = exercise.solution.read_text(encoding="utf-8"), tmp_path / "answer.py"
    to_write = blanks.to_write(source, exercise)
    for body in NOTHING:
        for names in [to_write, *([name] for name in to_write)]:
            tree = ast.parse(source)
            for name, node in blanks.functions(tree):
                if name in names:
                    first = next((a.arg for a in node.args.args if a.arg != "self"), "None")
                    node.body = ast.parse(body.format(first=first)).body
            path.write_text(ast.unparse(tree), encoding="utf-8")
            answer = load(path, exercise.name)
            for stage in exercise.stages:
                if stage.of not in names or stage.whole or (body, stage.of, stage.name) in RIGHT_SO_FAR:
                    continue
                with pytest.raises(Exception) as raised:  # noqa: PT011 (whatever PyTorch says of it)
                    run(stage, answer)
                    pytest.fail(f"{stage.of} is {body}, and the stage {stage.name} is right")
                if body in NOTHING[:4]:
                    assert explain(raised.value, exercise, str(path)).startswith(f"{stage.of} is not written yet, ")


def _twice(x):
    return [*x, *x]


@pytest.mark.parametrize(
    ("got", "expected", "said"),
    [
        ([1, 2], [1, 2], None),
        (2.0, 2, None),
        (0.1 + 0.2, 0.3, None),
        ({"a": (1, 2.0)}, {"a": (1.0, 2)}, None),
        (True, 1, "x: expected 1, got True"),
        (1, True, "x: expected True, got 1"),
        (None, 0.25, "x: expected 0.25, got None"),
        ("ab", "ac", "x: expected 'ac', got 'ab'"),
        (b"a", "a", "x: a str is expected, 'a', not bytes"),
        ((1,), [1], "x: a list is expected, [1], not tuple"),
        ([1, [2], 4], [1, [3], 5], "x: the first difference is at [1]\n  expected [3], got [2]"),
        ([1, 2, 3], [1], "x: expected length 1, got 3\n  too many from [1] on: [2, 3]"),
        ((1,), (1, 2), "x: expected length 2, got 1\n  missing from [1] on: (2,)"),
        (
            [1, 2, 1, 2],
            [1, 2],
            "expected length 2, got 4\n  too many from [2] on: [1, 2]\n  Once is enough.",
        ),
        ({"a": 1}, {"a": 1, "b": 2}, "x: for 'b', expected 2, got nothing"),
        ({"a": 1, "c": 3}, {"a": 1}, "x: nothing is expected for 'c'"),
        ({"a": 1}, {"a": 2}, "x: for 'a', expected 2, got 1"),
        (["a" * 200], ["b"], f"expected 'b', got '{'a' * 86}..."),
    ],
)
def test_values_are_compared_by_kind_and_the_first_difference_is_told(got, expected, said):
    def compared():
        compare_values(got, expected, "x", [(_twice, "Once is enough.")], [1, 2])

    if said is None:
        return compared()
    with pytest.raises(Wrong, match=re.escape(said)):
        compared()


def _id(mistake) -> str:
    return f"{mistake[0]}-{mistake[3]}-{mistake[4]}"[:80].replace("/", ".")


@pytest.mark.parametrize(("name", "old", "new", "stage", "hint"), ours(MISTAKES), ids=map(_id, ours(MISTAKES)))
def test_a_typical_mistake_is_told_at_its_stage(name, old, new, stage, hint, tmp_path):
    exercise, path = EXERCISES[name], tmp_path / "answer.py"
    path.write_text(quoted.changed(old, new, exercise.solution.read_text(encoding="utf-8")), encoding="utf-8")
    failed, said = first_wrong(exercise, path)
    assert failed == stage, said
    if stage:
        assert (hint or "") in said
        assert in_korean(exercise, path, stage) or said.startswith("it raises")


def in_korean(exercise: Exercise, path: Path, name: str) -> str:
    """What is said in Korean at this stage, without what others say in English: Python, PyTorch, the book's code."""
    stage, answer = next(stage for stage in exercise.stages if stage.name == name), load(path, exercise.name)
    speak("ko")
    try:
        run(stage, answer)
    except Exception as error:
        said = explain(error, exercise, str(path)).partition("  exercises/")[0].partition("  docstring: ")[0]
        for other in filter(None, (error.__cause__, error.__context__, *[error] * (not isinstance(error, Wrong)))):
            said = said.replace(str(other), "")
        assert re.search("[가-힣]", said) and not ENGLISH.search(said), said
        return said
    finally:
        speak(None)
    raise AssertionError(f"{name} is right")


# ---- in Korean

#: A sentence, and not the names in a piece of code.
ENGLISH = re.compile(r"\b[A-Za-z]{2,}(?: [a-z]{2,}){2}")
#: What the checks compare with, and no language.
MESSAGES = [message for message, _, _ in OF_PYTORCH]
DATA = ("the theme of the  sea", "see the sea as the theme", "  the sea", TO_TRY, ASKED, DEVICES.pattern, *MESSAGES)


def constants(tree: ast.Module) -> Iterator[tuple[str, bool]]:
    """The texts of a module, and whether somebody is told them. No docstrings, and no names of functions or stages."""
    silent, told = set(), set()
    for node in ast.walk(tree):
        match node:
            case ast.Expr(value=ast.Constant() as doc):
                silent.add(doc)
            case ast.JoinedStr():
                silent |= set(ast.walk(node))
            case ast.Call(func=ast.Name(id=name) | ast.Attribute(attr=name), args=args):
                if name in ("Exercise", "addoption"):
                    silent |= set(ast.walk(node))
                silent |= set({"stage": args[:2], "repair": args[:3]}.get(name, ()))
                of = {"say": args[:1], "Wrong": args[:2], "raises": args[2:4], "stage": args[2:3], "pair": args[1:]}
                told |= set(of.get(name, ()))
    for node in ast.walk(tree):
        if isinstance(node, ast.Constant) and isinstance(node.value, str) and node not in silent:
            text = node.value
            prose = re.search(r"[A-Za-z]{2}\.$|[A-Za-z]{2}[,:]? [A-Za-z0-9({\[]", text) and not re.match(
                r"\(\S+, ", text
            )
            yield text, text not in DATA and bool(prose or node in told)


def code() -> list[Path]:
    folder = ROOT / "exercises"
    own = (folder / f"{name}.py" for name in ("asked", "capstone", "checking", "hints", "watching", "conftest"))
    return [*own, *(folder / part / "stages.py" for part in [*PARTS, "repair"])]


def test_each_text_has_a_korean_one_and_none_is_left_over():
    found = [pair for path in code() for pair in constants(ast.parse(path.read_text(encoding="utf-8")))]
    missing = {text for text, told in found if told} - KOREAN.keys()
    assert not missing, "exercises/korean.py: say this in Korean, too"
    assert not KOREAN.keys() - {text for text, _ in found}, "exercises/korean.py: nobody says this any more"


@pytest.mark.parametrize("path", code(), ids=lambda path: f"{path.parent.name}/{path.name}")
def test_no_sentence_is_put_together_where_it_cannot_be_found(path):
    for node in ast.walk(ast.parse(path.read_text(encoding="utf-8"))):
        if isinstance(node, ast.JoinedStr):
            text = "".join(part.value if isinstance(part, ast.Constant) else "{}" for part in node.values)
            assert not re.search(r"\b[a-z]{2,} [a-z]{2,}|\b(is|expected|got)\b", text), f"{text}: say(..., name=value)"


def _places(text: str) -> set[tuple]:
    return {(name, spec, conversion) for _, name, spec, conversion in Formatter().parse(text) if name is not None}


def test_the_korean_is_korean_with_the_same_values_in_it():
    for english, text in KOREAN.items():
        assert re.search("[가-힣]", text) and not ENGLISH.search(text), text
        assert _places(text) == _places(english), text
        assert not re.search(r"\}(은|는|이|가|을|를|와|과|으로|로|라|이라)\b", text), (
            f"{text}: right after every value?"
        )
        assert english.count("\n") == text.count("\n") and english[-1:].isspace() == text[-1:].isspace()
        assert text.endswith(".") or not english.endswith(".") or "\n" in english, f"{text}: a sentence"


def test_what_is_compared_has_a_korean_name(korean, monkeypatch):
    """Names of tensors come from variables, too: what a run asks for."""

    class Asked(dict):
        def get(self, text, default=None):
            if text not in self and re.fullmatch("[a-z]+( [a-z]+)*", text):
                unknown.append(text)
            return super().get(text, default)

    unknown: list[str] = []
    monkeypatch.setitem(SPOKEN, "ko", Asked(KOREAN))
    for exercise, stage in STAGES:
        if not stage.whole:
            run(stage, load(exercise.solution, exercise.name))
    assert not unknown


@pytest.mark.parametrize(
    ("environment", "expected"),
    [
        ({"LANG": "ko_KR.UTF-8"}, "ko"),
        ({"LANG": "en_US.UTF-8"}, "en"),
        ({"LANG": "de_DE.UTF-8"}, "en"),
        ({"LANG": "en_US.UTF-8", "LC_MESSAGES": "ko_KR.UTF-8"}, "ko"),
        ({"LANG": "ko_KR.UTF-8", "LC_MESSAGES": "ko_KR.UTF-8", "LC_ALL": "C"}, "en"),
        ({"LANG": "", "LC_ALL": ""}, "en"),
    ],
)
def test_the_language_is_that_of_the_environment_unless_another_is_chosen(environment, expected, monkeypatch, korean):
    for name in ("LC_ALL", "LC_MESSAGES", "LANG"):
        monkeypatch.delenv(name, raising=False)
    for name, value in environment.items():
        monkeypatch.setenv(name, value)
    monkeypatch.setattr("locale.getlocale", lambda: (None, None))
    assert language() == "ko", "chosen"
    speak(None)
    assert language() == expected


def test_windows_has_no_variables_for_it(monkeypatch):
    for name in ("LC_ALL", "LC_MESSAGES", "LANG"):
        monkeypatch.delenv(name, raising=False)
    monkeypatch.setattr("locale.getlocale", lambda: ("Korean_Korea", "949"))
    assert language() == "ko"


def test_a_language_that_is_not_spoken_is_refused():
    with pytest.raises(ValueError, match="there is no language 'fr'; there are: en, ko"):
        speak("fr")


@pytest.mark.thorough
def test_the_command_refuses_a_language_that_is_not_spoken(clone):
    _, run_pytest = clone
    assert "argument --language: invalid choice: 'fr'" in run_pytest("exercises/attention", "--language", "fr")


def test_values_stand_where_the_text_names_them(korean):
    assert say("first: {name}, {stage} (pytest exercises/{name}.py)", name="a", stage="b") == (
        "먼저 고칠 곳: a, b (pytest exercises/a.py)"
    )
    assert say("{no text of anyone's}") == "{no text of anyone's}"


@pytest.mark.thorough
def test_a_learner_is_told_in_korean(clone):
    folder, run_pytest = clone
    for name in ("attention/soft_lookup", "attention/scaled_dot_product"):
        shutil.copy(EXERCISES[name].solution, folder / f"{name}.py")
    said = run_pytest("exercises/attention", "--language", "ko")
    assert "exercises/attention/masks.py: 파일을 만들었습니다" in said
    assert "causal: 위치 i는 j <= i인 위치 j만 볼 수 있습니다" in said
    assert "causal_mask: 아직 작성하지 않았습니다, exercises/attention/masks.py:15" in said
    assert "attention/masks" in said and "작성할 단계: causal" in said
    assert "17단계 중 8단계가 맞았습니다" in said
    attention = folder / "attention" / "scaled_dot_product.py"
    attention.write_text(attention.read_text().replace(" / math.sqrt(query.size(-1))", ""))
    said = run_pytest("exercises/attention/scaled_dot_product.py", "--language=ko")
    assert "scale: 점수를 d_k의 제곱근으로 나눕니다\n\n가중치: 처음 다른 곳은 (..., query, key)의 [0, 0]\n" in said
    assert "  점수가 √d_k배 큽니다. √d_k로 나누세요.\n" in said
    assert "2 of 6 stages are right" in run_pytest("exercises/attention/scaled_dot_product.py", "--language", "en")


def test_a_cell_is_checked_in_korean(korean, capsys):
    module = load(EXERCISES["attention/masks"].solution, "mine")

    def causal_mask(n):
        return ~module.causal_mask(n)

    check(module.padding_mask, causal_mask)
    said = capsys.readouterr().out
    assert said.startswith("틀림  causal: ") and "지금은 미래만 보게 되어 있습니다" in said
    check(module.padding_mask)
    said = capsys.readouterr().out.splitlines()
    assert said[0] == "맞음  padding: 어떤 쿼리도 패딩을 보지 않습니다: (batch, 1, n_k)"
    assert re.fullmatch(r"attention: 17단계 중 \d+단계가 맞았습니다", said[1]), "how far one is"
    with pytest.raises(ValueError, match="그런 이름의 연습은 없습니다: causal. 있는 이름: .*causal_mask"):
        check(type("causal", (), {}))


# ---- blanks


def test_a_blank_keeps_signatures_docstrings_and_checks_of_arguments_and_nothing_of_the_rest(tmp_path):
    source = '''\
"""A module."""

# --8<-- [start:imports]
import math
import decorations.of, decorations.others as others
from decorations import decorated
from elsewhere import (
    LIST,
    Used, unused as other,
)
# --8<-- [end:imports]

NAMES = {
    "a": LIST
}


# --8<-- [start:given]
def given(x):
    return Used(x)
# --8<-- [end:given]


# --8<-- [start:left_out]
@decorated
def left_out(x):
    return other(others.x, Used)
# --8<-- [end:left_out]


# --8<-- [start:Module]
class Module:
    """What it is."""

    def __init__(self, n: int) -> None:
        self.n = n  # a size

    @property
    def forward(
        self, x: Tensor
    ) -> Tensor:
        """What it does.

        Of what.
        """
        n, shape = self.n, tuple(x.shape)
        if x.size(0) != n:
            raise ValueError(f"{shape}")
        check_shapes(x)
        y = x.exp()
        if y.isnan().any():
            raise ValueError("too late to be given")
        return y  # the end

    def short(self):
        # nothing is said of it
        return 1

    def there(self):
        return 2
# --8<-- [end:Module]
'''
    one = replace(EXERCISES["attention/masks"], given=("given", "Module.there"), without=("left_out", "NAMES"))
    blank = blanks.blank(source, one)
    assert blank.startswith('"""A module."""\n\n# An exercise')
    assert "pytest exercises/attention/masks.py" in blank and blanks.to_write(source, one) == [
        "Module.forward",
        "Module.short",
    ]
    assert (
        blank.partition("import math\n")[2]
        == '''import decorations.of
from elsewhere import Used


def given(x):
    return Used(x)


class Module:
    """What it is."""

    def __init__(self, n: int) -> None:
        self.n = n  # a size

    @property
    def forward(
        self, x: Tensor
    ) -> Tensor:
        """What it does.

        Of what.
        """
        n, shape = self.n, tuple(x.shape)
        if x.size(0) != n:
            raise ValueError(f"{shape}")
        check_shapes(x)
        raise NotImplementedError("write Module.forward")

    def short(self):
        # nothing is said of it
        raise NotImplementedError("write Module.short")

    def there(self):
        return 2
'''
    )
    with pytest.raises(ValueError, match=r"snippets/attention/masks\.py has no gone"):
        blanks.blank(source, replace(one, without=("gone",)))


def test_what_a_learner_has_written_is_never_overwritten(tmp_path):
    exercise = EXERCISES["attention/masks"]
    path = blanks.write(exercise, tmp_path)
    assert path == tmp_path / "attention" / "masks.py" and "write causal_mask" in path.read_text()
    path.write_text("mine")
    assert blanks.write(exercise, tmp_path) is None
    assert path.read_text() == "mine"


# ---- pytest exercises/PART


@pytest.mark.thorough
def test_the_first_run_writes_what_is_missing_and_stops_where_something_is_to_be_written(clone):
    folder, run_pytest = clone
    for name in ("attention/soft_lookup", "attention/scaled_dot_product"):
        shutil.copy(EXERCISES[name].solution, folder / f"{name}.py")
    said = run_pytest("exercises/attention")
    assert re.findall(r"wrote exercises/(\S+)\.py", said) == [
        "attention/masks",
        "attention/multi_head",
        "attention/shapes",
    ]
    assert not list(folder.glob("model/[!s]*.py")), "only the part that was asked for"
    lines = re.findall(r"(?m)^attention/(\w+) +(\d) / (\d) *(.*)", said)
    assert lines == [  # in the order of the book, and not only up to the first that is blank
        ("soft_lookup", "2", "2", ""),
        ("scaled_dot_product", "6", "6", ""),
        ("masks", "0", "2", "not written: causal"),
        ("multi_head", "0", "5", "not written: projection"),
        ("shapes", "0", "2", "not written: shapes-of-attention"),
    ]
    assert "causal_mask is not written yet, exercises/attention/masks.py:15\n  Position i may attend" in said
    assert "8 of 17 stages are right" in said


@pytest.mark.thorough
def test_a_learner_goes_from_stage_to_stage(clone):
    folder, run_pytest = clone
    run_pytest("exercises")
    assert all((folder / f"{name}.py").is_file() for name in EXERCISES)
    mask = folder / "attention" / "masks.py"
    mask.write_text(
        mask.read_text().replace('raise NotImplementedError("write causal_mask")', "return torch.ones(n, n) > 0")
    )
    said = run_pytest("exercises/attention/masks.py")
    assert "wrote" not in said and "return torch.ones(n, n) > 0" in mask.read_text()
    assert (
        "mask: the first difference is at [0, 1] of (query, key)\n  expected False, got True; 10 of 25 differ" in said
    )
    assert "causal_mask in exercises/attention/masks.py; it is explained on the page attention/masks" in said
    for exercise in EXERCISES.values():
        shutil.copy(exercise.solution, folder / f"{exercise.name}.py")
    said = run_pytest("exercises")
    assert f"{len(STAGES)} of {len(STAGES)} stages are right" in said and "wrong" not in said


@pytest.mark.parametrize(
    ("old", "new", "said"),
    [
        ('raise NotImplementedError("write causal_mask")', "return torch.", "masks.py:15: Python cannot read this"),
        (
            'raise NotImplementedError("write causal_mask")',
            "return torch.one(n)",
            "exercises/attention/masks.py:15: return",
        ),
        ("def causal_mask", "def causal", "masks.py defines no causal_mask"),
    ],
)
def test_code_that_does_not_run_is_shown_with_its_line(tmp_path, old, new, said):
    exercise = EXERCISES["attention/masks"]
    path = blanks.write(exercise, tmp_path)
    path.write_text(path.read_text().replace(old, new))
    try:
        stage, told = first_wrong(exercise, path)
    except SyntaxError as error:
        told = explain(error, exercise, str(path))
    assert said in told


def test_the_tests_of_the_book_leave_the_answers_alone():
    settings = tomllib.loads((ROOT / "pyproject.toml").read_text(encoding="utf-8"))["tool"]["pytest"]["ini_options"]
    assert settings["testpaths"] == ["snippets", "tests"]
    names = [f"exercises/{name}.py" for name in EXERCISES]
    ignored = subprocess.run(["git", "check-ignore", *names], cwd=ROOT, capture_output=True, text=True).stdout
    assert ignored.split() == names or not (ROOT / ".git").exists()
    assert subprocess.run(["git", "check-ignore", "-q", "exercises/model/stages.py"], cwd=ROOT).returncode


# ---- in a notebook


def test_what_a_cell_defines_is_checked_up_to_the_first_mistake(capsys):
    module = load(EXERCISES["attention/masks"].solution, "mine")
    check(module.causal_mask, module.padding_mask)
    assert re.findall("(?m)^(right|wrong)  (causal|padding): ", capsys.readouterr().out) == [
        ("right", "causal"),
        ("right", "padding"),
    ]

    def causal_mask(n):
        return ~module.causal_mask(n)

    check(causal_mask, module.padding_mask)
    said = capsys.readouterr().out
    assert said.startswith("wrong  causal: ") and "yours allows the future" in said and "padding" not in said
    with pytest.raises(ValueError, match="there is no exercise causal; there are: .*causal_mask"):
        check(type("causal", (), {}))


@pytest.fixture(scope="module")
def kept():
    """What the site shows is made by a build; here, too, if there was none."""
    if site.stale():
        site.make_anew()


@pytest.mark.usefixtures("kept")
@pytest.mark.parametrize("language", LANGUAGES)
def test_the_notebook_has_a_cell_to_complete_and_one_that_checks_it(language, capsys, korean):
    notebook = site.notebook(language, "https://book.example/", "https://github.com/someone/book")
    nbformat.validate(notebook)
    code = [cell.source for cell in notebook.cells if cell.cell_type == "code"]
    assert 'REPOSITORY = "https://github.com/someone/book"' in code[0] and f'"{language}"' in code[0]
    names: dict = {}
    exec(code[1], names)  # which says the language
    assert code[1].endswith(f'exercises.speak("{language}")')
    unwritten = {"ko": "아직 작성하지 않았습니다", "en": "is not written yet"}[language]
    for blank, checked in zip(code[2::2], code[3::2], strict=True):
        assert not blank.startswith(("#", '"')), "what a cell needs to know stands above it"
        exec(blank, names)
        exec(checked, names)
        assert unwritten in capsys.readouterr().out
    assert len(code) == 2 + 2 * len(EXERCISES)
    links = re.findall(
        r"\]\(([^)]*)\)", "\n".join(cell.source for cell in notebook.cells if cell.cell_type == "markdown")
    )
    assert links == [f"https://book.example/{exercise.page}/" for exercise in EXERCISES.values()]


@pytest.mark.usefixtures("kept")
@pytest.mark.parametrize("language", LANGUAGES)
def test_each_part_has_a_notebook_of_its_own_that_its_row_leads_to(language, tmp_path):
    (tmp_path / site.PAGE).mkdir(parents=True)
    site.write_notebooks(tmp_path, language, "https://book.example/", "https://github.com/someone/book")
    rows = "\n".join(site.table(language))
    everything = []
    for part in PARTS:
        one = nbformat.read(tmp_path / site.PAGE / f"build-it-yourself-{part}.ipynb", as_version=4)
        nbformat.validate(one)
        headings = [cell.source for cell in one.cells if cell.source.startswith("##")]
        own = [exercise for exercise in EXERCISES.values() if exercise.part == part]
        assert headings[0].startswith("## ") and len(headings) == 1 + len(own) == len(set(headings))
        assert f'<a href="build-it-yourself-{part}.ipynb" download>' in rows
        everything += headings
    whole = nbformat.read(tmp_path / site.PAGE / "build-it-yourself.ipynb", as_version=4)
    assert [cell.source for cell in whole.cells if cell.source.startswith("##")] == everything


@pytest.mark.thorough
@pytest.mark.usefixtures("alone", "kept")
def test_the_notebook_runs_in_an_empty_folder_with_what_it_gets_from_the_repository(tmp_path):
    notebook = site.notebook("en", repository=repository(tmp_path))
    number = next(i for i, cell in enumerate(notebook.cells) if cell.source.startswith("exercises.check(causal_mask"))
    notebook.cells[number - 1].source = EXERCISES["attention/masks"].solution.read_text(encoding="utf-8")
    (tmp_path / "empty").mkdir()
    told = run_through(notebook, tmp_path / "empty")
    assert sum("right  causal" in text and "right  padding" in text for text in told) == 1
    assert sum("is not written yet" in text for text in told) == len(EXERCISES) - 1


# ---- all together


def test_where_a_file_is_missing_something_is_to_be_written_and_nothing_is_wrong(tmp_path):
    exercise = EXERCISES["training/translator"]
    (tmp_path / "training").mkdir()
    path = shutil.copy(exercise.solution, tmp_path / "training" / "translator.py")
    first = "attention/scaled_dot_product is missing: pytest exercises/attention/scaled_dot_product.py begins it"
    with pytest.raises(Missing, match=first) as said:
        run(exercise.stages[-1], load(path, exercise.name))
    assert checking.is_blank(said.value) and not checking.is_blank(Wrong("another"))


def test_what_a_function_is_made_of_comes_with_how_often():
    told = hints._counted(["mean", "-", "mean", "sqrt", "-", "-"])
    assert told == ["mean (2×)", "- (3×)", "sqrt"]


def test_a_transformer_of_ones_own_is_made_of_ones_own_parts(tmp_path):
    for exercise in EXERCISES.values():
        (tmp_path / exercise.part).mkdir(exist_ok=True)
        (tmp_path / f"{exercise.name}.py").write_text(blanks.completed(exercise), encoding="utf-8")
    for name in EXERCISES.keys() - {*NEEDS["own"]}:  # nobody needs them for a translator
        (tmp_path / f"{name}.py").write_text(blanks.blank(EXERCISES[name].solution.read_text(), EXERCISES[name]))
    for part in ("before", "families"):
        shutil.rmtree(tmp_path / part, ignore_errors=True)
    own = load_together(tmp_path, ("attention", "positions", "block", "model", "training"))
    transformer, cache = own("model/transformer"), own("training/cache")
    parts = {
        "attention/masks": transformer.causal_mask,
        "block/encoder_layer": transformer.EncoderStack.forward,
        "attention/multi_head": own("block/encoder_layer").MultiHeadAttention.forward,
        "positions/sinusoidal": own("positions/absolute").positional_encoding,
        "attention/scaled_dot_product": cache.scaled_dot_product_attention,
        "training/decoding": own("training/translator").greedy,
    }
    for name, function in parts.items():
        assert function.__code__.co_filename == str(tmp_path / f"{name}.py"), name
    assert cache.Transformer is transformer.Transformer, "there is one of each"

    exercise = EXERCISES["training/translator"]
    path = tmp_path / "training" / "translator.py"
    assert first_wrong(exercise, path) == (None, "")
    decoding, whole = tmp_path / "training" / "decoding.py", blanks.completed(EXERCISES["training/decoding"])
    for body, stage in (("beam_search", None), ("greedy", "all of it yours")):  # of which only one runs in it
        tree = ast.parse(whole)
        node = next(node for name, node in blanks.functions(tree) if name == body)
        node.body = ast.parse(f'raise NotImplementedError("write {body}")').body
        decoding.write_text(ast.unparse(tree), encoding="utf-8")
        told = "first: training/decoding, greedy (pytest exercises/training/decoding.py)" if stage else ""
        assert first_wrong(exercise, path) == (stage, told)
    decoding.write_text(whole, encoding="utf-8")
    norm = tmp_path / "block" / "layer_norm.py"
    norm.write_text(norm.read_text().replace("+ self.eps", ""))
    assert first_wrong(exercise, path) == (
        "all of it yours",
        "first: block/layer_norm, epsilon (pytest exercises/block/layer_norm.py)",
    )
    norm.unlink()
    assert (
        first_wrong(exercise, path)[1] == "block/layer_norm is missing: pytest exercises/block/layer_norm.py begins it"
    )


def test_a_llama_of_ones_own_is_made_of_ones_own_norm_and_block(tmp_path):
    (tmp_path / "families").mkdir()
    exercise, path = EXERCISES["families/llama"], tmp_path / "families" / "llama.py"
    shutil.copy(exercise.solution, path)
    for name in ("families/rms_norm", "families/todays_block"):
        assert first_wrong(exercise, path)[1] == f"{name} is missing: pytest exercises/{name}.py begins it"
        (tmp_path / f"{name}.py").write_text(blanks.completed(EXERCISES[name]), encoding="utf-8")
    assert first_wrong(exercise, path) == (None, "")
    norm = tmp_path / "families" / "rms_norm.py"
    norm.write_text(norm.read_text().replace("* self.gamma", ""))
    assert first_wrong(exercise, path) == (
        "llama of your own parts",
        "first: families/rms_norm, gamma (pytest exercises/families/rms_norm.py)",
    )


# ---- pages


WITHOUT_TORCH = """import sys
from book.artifacts import exercises
table, notebook = exercises.table("en"), exercises.notebook("en")
assert len(table) > 20 and len(notebook.cells) > 60 and not exercises.stale()
assert not {"torch", "exercises", "snippets.attention"} & set(sys.modules), "a build has to wait for them"
"""


@pytest.mark.usefixtures("kept")
def test_the_site_shows_them_without_loading_what_they_check():
    subprocess.run([sys.executable, "-c", WITHOUT_TORCH], cwd=ROOT, check=True)


@pytest.mark.parametrize("changed", ["exercises/part/stages.py", "exercises/blanks.py", "snippets/part/module.py"])
def test_they_are_read_again_when_their_code_has_changed(changed, tmp_path, monkeypatch):
    monkeypatch.setattr(site, "ROOT", tmp_path)
    monkeypatch.setattr(site, "FOLDER", tmp_path / "exercises")
    monkeypatch.setattr(site, "KEPT", tmp_path / ".cache" / "exercises.json")
    monkeypatch.setattr(store, "FOLDER", tmp_path / "store")
    monkeypatch.setattr(site, "end_with_parent", lambda: None)
    assert not site.stale(), "a book may have none"
    path = tmp_path / changed
    path.parent.mkdir(parents=True)
    path.write_text("1")
    (tmp_path / "exercises").mkdir(exist_ok=True)
    assert site.stale()
    assert site.main() == 0 and not site.stale()
    path.write_text("1  # a comment, which a blank shows")
    assert site.stale()
    site.KEPT.write_text("{")
    assert site.stale(), "half a file"


def test_what_cannot_be_read_fails_the_build(monkeypatch):
    monkeypatch.setattr(site, "run", lambda *arguments, cwd: 1)
    with pytest.raises(site.ExercisesError, match="the reason stands above"):
        site.make_anew()


@pytest.mark.usefixtures("kept")
@pytest.mark.parametrize("language", LANGUAGES)
def test_the_page_has_a_table_of_all_exercises(language):
    text = site.on_page(f"Before.\n\n{site.MARKER}\n\nAfter.", language)
    assert site.on_page("Before.\n\nAfter.", language) == "Before.\n\nAfter."
    assert text.count('<p class="fold" hidden data-words="') == 1
    html = Markdown(extensions=["tables"]).convert(text)
    rows = re.findall(r"<tr>\s*<td>(.*?)</tr>", html, re.S)
    sums = [row for row in rows if row.startswith("<strong>")]
    rows = [row for row in rows if row not in sums]
    assert len(rows) == len(EXERCISES) and html.endswith("<p>After.</p>")
    for exercise, row in zip(EXERCISES.values(), rows, strict=True):
        file = exercise.name.partition("/")[2]
        assert f'href="../{exercise.page}.md"' in row and f"<code>{file}.py</code>" in row
        assert ", ".join(f"<code>{stage.item}</code>" for stage in exercise.stages) in row
        assert f"{site.WORDS[language]['difficulty'][exercise.difficulty]}, {exercise.minutes}" in row
    assert len(sums) == len(PARTS) + 1
    for part, row in zip([*PARTS, ""], sums, strict=True):
        stages = sum(len(exercise.stages) for exercise in EXERCISES.values() if exercise.name.startswith(part))
        assert f"exercises/{part}" in row or not part
        assert site.WORDS[language]["stages"].format(stages) in row


@pytest.mark.usefixtures("kept")
@pytest.mark.parametrize("language", LANGUAGES)
def test_three_routes_stand_above_the_table_with_their_hours(language):
    text = site.on_page(site.MARKER, language)
    weekend, month, everything = re.findall("(?m)^- (.*)$", text.partition("| ")[0])

    def hours(names) -> str:
        return site.WORDS[language]["hours"].format(sum(EXERCISES[name].minutes for name in names) / 60)

    a_month = {
        *sum(NEEDS.values(), ()),
        *(name for name in EXERCISES if EXERCISES[name].part not in (PARTS[0], PARTS[-1])),
    }
    for line, names in ((weekend, NEEDS["translator"]), (month, a_month), (everything, EXERCISES)):
        assert hours(names) in line and str(len(names)) in line
    assert re.findall("`(\\w+)`", weekend)[1:] == [name.partition("/")[2] for name in NEEDS["translator"]]
    assert all(f"`{name.partition('/')[2]}`" in month for name in NEEDS["smollm"] if name.startswith(PARTS[-1]))


@pytest.mark.usefixtures("kept")
@pytest.mark.parametrize("language", LANGUAGES)
def test_the_page_names_the_files_that_each_capstone_asks_for(language):
    page = (ROOT / "docs" / language / f"{site.PAGE}.md").read_text(encoding="utf-8")
    shown = site.on_page(page, language)
    for capstone, needs in NEEDS.items():
        assert page.count(f"<!-- exercises {capstone} -->") == 1
        told = site.files_of(capstone, language)
        assert re.findall(r"`(\w+)`", told) == [name.partition("/")[2] for name in needs]
        assert str(len(needs)) in told and f"\n{told}\n" in shown
    assert "<!--" not in shown


def test_names_in_the_notebook_are_checked_by_one_exercise_each():
    names = [(stage.of.partition(".")[0], exercise.name) for exercise, stage in STAGES]
    assert len(dict(names)) == len(set(names))


@pytest.mark.parametrize("language", LANGUAGES)
def test_each_page_leads_to_its_exercise(language):
    for exercise in EXERCISES.values():
        page = (ROOT / "docs" / language / f"{exercise.page}.md").read_text(encoding="utf-8")
        line = page.partition("{#exercises}\n\n")[2].partition("\n")[0]
        assert f"`exercises/{exercise.name}.py`" in line and "build-it-yourself.md)" in line, exercise.page


def test_exercises_are_in_the_order_of_the_book():
    nav = [name.removesuffix(".md") for name in BOOK.nav]
    parts = [exercise.part for exercise in EXERCISES.values()]
    assert parts == sorted(parts, key=PARTS.index) and list(PARTS) == sorted(
        PARTS, key=lambda p: nav.index(f"{p}/index")
    )
    assert all(exercise.page in nav for exercise in EXERCISES.values())


@pytest.mark.usefixtures("kept")
@pytest.mark.parametrize("language", LANGUAGES)
def test_code_that_an_exercise_asks_for_can_be_folded(language):
    def listing(*included: str) -> str:
        lines = "".join(f'--8<-- "{one}"\n' for one in included)
        return f"```python\n{lines}```\n"

    asked = listing("attention/masks.py:imports", "attention/masks.py:causal_mask")
    others = listing("attention/masks.py:imports") + listing("llm/speculative.py:verified")
    text = site.on_page(f"One.\n\n{others}\nTwo.\n\n{asked}\n{asked}", language)
    assert text.startswith(f'One.\n\n{others}\nTwo.\n\n<p class="fold" hidden data-words="')
    assert text.count("to-write") == 2 and text.count('class="fold"') == 1
    assert text.count('exercises/attention/masks.py"}\n--8<-- "attention/masks.py:imports"') == 2
    assert site.on_page(others, language) == others


def test_without_what_is_kept_of_the_exercises_nothing_is_marked(tmp_path, monkeypatch):
    monkeypatch.setattr(site, "KEPT", tmp_path / "exercises.json")
    text = '```python\n--8<-- "attention/masks.py:causal_mask"\n```\n'
    assert site.on_page(text, "en") == text


@pytest.mark.usefixtures("kept")
@pytest.mark.parametrize("kind", ["listing | Code", "exercise | 1. Masks"])
def test_in_a_block_nothing_is_marked(kind):
    listing = '```python\n--8<-- "attention/masks.py:causal_mask"\n```\n'
    for inside in (listing, f"/// solution | Solution\n{listing}///\n"):
        text = f"//// {kind}\n{inside}////\n"
        assert site.on_page(text, "en") == text
    assert site.on_page(f"{text}\n{listing}", "en").count("to-write") == 1


@pytest.mark.parametrize("language", LANGUAGES)
def test_the_first_hint_names_the_section_that_shows_the_function(language, monkeypatch):
    monkeypatch.setattr(hints, "language", lambda: language)
    found = 0
    for exercise in EXERCISES.values():
        page = (ROOT / "docs" / language / f"{exercise.page}.md").read_text(encoding="utf-8")
        sections = re.split(r"(?m)^#{2,}\s+", page)[1:]
        for stage in exercise.stages:
            piece = hints._piece(exercise, stage.of)
            shown = [section for section in sections if f'--8<-- "{exercise.module}.py:{piece}"' in section]
            if shown:
                found += 1
                heading = shown[0].partition("\n")[0].partition(" {#")[0]
                assert heading in hints._place(exercise, stage.of), (exercise.name, stage.name)
    assert found > 100


@pytest.mark.parametrize(
    ("message", "line", "advice"),
    [
        ("mat1 and mat2 shapes cannot be multiplied (18x2 and 6x6)", "return self.w_o(outs)", "linear layer"),
        ("mat1 and mat2 shapes cannot be multiplied (3x4 and 3x4)", "scores = q @ k", "transpose one of them"),
        (
            "The size of tensor a (3) must match the size of tensor b (4) at non-singleton",
            "scores = q @ k.T",
            r"\.T turns all axes",
        ),
        ("The size of tensor a (3) must match", "x - x.mean(-1)", "do not broadcast"),
        ("Boolean value of Tensor with more than one value is ambiguous", "if attn_mask:", "is not None"),
        ("'tuple' object has no attribute 'shape'", "return x + y", "take the first"),
        ("The shape of the mask [2, 3] at index 0", "scores[~mask] = -inf", "masked_fill does"),
        ("one of the variables needed has been modified by an inplace operation", "", "backward pass"),
        ("something else", "x = 1", "^$"),
    ],
)
def test_what_pytorch_says_is_explained_by_the_line_it_is_about(message, line, advice):
    assert re.search(advice, checking._of_pytorch(message, line))


@pytest.mark.thorough
def test_an_answer_that_ends_python_is_wrong(clone):
    folder, run_pytest = clone
    (folder / "attention").mkdir(exist_ok=True)
    source = EXERCISES["attention/masks"].solution.read_text(encoding="utf-8")
    ended = source.replace("    position = ", "    raise SystemExit\n    position = ")
    (folder / "attention" / "masks.py").write_text(ended)
    said = run_pytest("exercises/attention/masks.py")
    assert "0 of 2 stages are right" in said and "SystemExit" in said
