"""The exercises: blanks that say what to write, solutions that pass, and for each typical mistake its own hint."""

from __future__ import annotations

import ast
import re
from pathlib import Path

import pytest

from exercises import blanks
from exercises.checking import Exercise, Wrong, explain, load, read_parts, run

EXERCISES = read_parts()
STAGES = [(exercise, stage) for exercise in EXERCISES.values() for stage in exercise.stages]
#: A part of the code of a module of the book, what somebody writes instead, the first stage that fails, and its hint.
MISTAKES = [
    ("attention/soft_lookup", "torch.softmax(similarities, dim=0)", "similarities / similarities.sum()",
     "look-up weights", "take exp of each similarity first"),
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
    ("block/layer_norm", "centred.square().mean(dim=-1, keepdim=True)", "x.var(dim=-1, keepdim=True)",
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
    ("model/transformer", "x + self.positions(positions).to(x.dtype)", "x", "embed", "The positions are missing"),
    ("model/transformer", "start, start + ids.size(1)", "ids.size(1)", "embed", "start is ignored"),
    ("model/transformer", "self.embed(src), src_mask", "self.embed(src)", "encode", "Padding is not masked"),
    ("model/transformer", "padding_mask(tgt, self.pad_id) & causal", "padding_mask(tgt, self.pad_id)",
     "decode", "There is no causal mask"),
    ("model/transformer", "padding_mask(tgt, self.pad_id) & causal", "causal", "decode", "Padding of the target"),
    ("model/transformer", "self.embedding.logits(x)", "self.embedding.logits(x).softmax(-1)",
     "decode", "probabilities"),
    ("model/transformer", "self.decode(tgt, self.encode(src), src)", "self.decode(tgt, self.encode(tgt), src)",
     "forward", "The memory is that of the source"),
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
    ("training/decoding", "logits = logits.clone()", "pass", "no padding", "Change a clone"),
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
]  # fmt: skip


def first_wrong(exercise: Exercise, path: Path) -> tuple[str | None, str]:
    """The first stage that an answer does not pass, and what its learner is told."""
    answer = load(path, exercise.name)
    for stage in exercise.stages:
        try:
            run(stage, answer)
        except Exception as error:
            return stage.name, explain(error, exercise, stage, str(path))
    return None, ""


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
        said = explain(raised.value, exercise, stage, str(path))
        if isinstance(raised.value, NotImplementedError):
            number = int(re.search(rf"is not written yet, exercises/{exercise.name}\.py:(\d+)\n  \S", said)[1])
            assert "raise NotImplementedError" in lines[number - 1]


@pytest.mark.parametrize("exercise", EXERCISES.values(), ids=EXERCISES)
def test_everything_that_is_to_be_written_has_a_stage_that_misses_it(exercise, tmp_path):
    """Each body alone is taken out of the solution."""
    source = exercise.solution.read_text(encoding="utf-8")
    to_write = blanks.to_write(source, exercise)
    assert {stage.of for stage in exercise.stages} == set(to_write)
    for name in to_write:
        tree = ast.parse(source)
        node = next(node for found, node in blanks.functions(tree) if found == name)
        node.body = ast.parse(f'raise NotImplementedError("write {name}")').body
        path = tmp_path / f"{name}.py"
        path.write_text(ast.unparse(tree), encoding="utf-8")
        stage, said = first_wrong(exercise, path)
        assert stage and said.startswith(f"{name} is not written yet"), (stage, said)


def _id(mistake) -> str:
    return f"{mistake[0]}-{mistake[3]}-{mistake[4]}"[:80].replace("/", ".")


@pytest.mark.parametrize(("name", "old", "new", "stage", "hint"), MISTAKES, ids=map(_id, MISTAKES))
def test_a_typical_mistake_is_told_at_its_stage(name, old, new, stage, hint, tmp_path):
    exercise, path = EXERCISES[name], tmp_path / "answer.py"
    source = exercise.solution.read_text(encoding="utf-8")
    assert old in source
    path.write_text(source.replace(old, new), encoding="utf-8")
    failed, said = first_wrong(exercise, path)
    assert failed == stage, said
    if stage:
        assert (hint or "") in said
