"""Changing any one sign, axis, scale or mask in a module of snippets/ makes a test on meaning fail.

They are thorough tests; what is tried in any case is the machinery that makes the changes.
"""

from __future__ import annotations

import subprocess
import sys
from pathlib import Path

import pytest

from book import ROOT
from tests.machinery.mutants import LONG, Mutant, Runner, mutants, survivors
from tests.machinery.shards import ours
from tests.the_book import BOOK

#: Recipes of a training. Which numbers in them work is found by training, which takes too long for each mutant.
RECIPES = {
    "before/recurrent_translator.py",
    "before/recurrent_attention.py",
    "before/constitution_vectors.py",
    "before/longer_training.py",
    "before/longer_attention.py",
    "before/longer_sizes.py",
    "training/translator.py",
    "training/smoothed.py",
    "training/averaged_runs.py",  # its measures are tested all the same
    "training/half_trained.py",
    "training/probe.py",  # its probe and its exchange are tested all the same
    "training/number_splits.py",
    "training/unshifted.py",
    "training/alignment.py",  # what it measures of a model is tested all the same
    "families/deep_network.py",
    "families/constitution_bert.py",
    "families/library_pairs.py",  # what is asked of models, not how they answer
    "families/mouse_and_cheese.py",
    "families/t5_tasks.py",
    "families/vision_training.py",
    "labs/post_pre_ln.py",
    "families/blocks_compared.py",
    "labs/small_language_model.py",
    "families/constitution_gpt.py",
    "families/mapping_learner.py",
    "families/tuned_encoders.py",
    "llm/capitals.py",  # what it uses is tested
    "llm/heads_measured.py",
    "llm/tuned_smollm.py",
    "llm/small_dpo.py",
    "llm/quantized_smollm.py",
    "llm/longer_smollm.py",  # its attention and its passages are tested all the same
    "llm/drafted_smollm.py",  # what is asked of the published model; what counts the passes is tested
    "llm/prompted_smollm.py",  # likewise: what counts the answers is tested
    "llm/shown_examples.py",
}
MODULES = {
    name: path
    for path in [*BOOK.snippets(), *BOOK.tools(), *BOOK.files()]
    if path.suffix == ".py" and (name := BOOK.address(path)) not in RECIPES
}
each_module = pytest.mark.parametrize("name", MODULES)

# Mutants that behave like the module: (file, line, changed line) and why no test can tell them apart.
EQUIVALENT = {
    (
        "training/bleu.py",
        "right = sum(matches(ours, theirs, n) for ours, theirs in pairs)",
        "right = sum(matches(theirs, ours, n) for ours, theirs in pairs)",
    ): "what two texts have in common does not depend on their order",
    (
        "training/bleu.py",
        "order = random.Random(0).sample(range(len(TEST)), len(TEST))",
        "order = random.Random(1).sample(range(len(TEST)), len(TEST))",
    ): "another order is as good",
    (
        "training/bleu.py",
        '"right": exact_match(found, references),',
        '"right": exact_match(references, found),',
    ): "the share of equal ones is the same either way",
    (
        "training/learning_order.py",
        "right = exact_match(found, [dates.korean(date) for date in test_set])",
        "right = exact_match([dates.korean(date) for date in test_set], found)",
    ): "the share of equal ones is the same either way",
    (
        "llm/prompts.py",
        "for i, new in zip(own, ids[:, length:].tolist(), strict=True):",
        "for i, new in zip(own, ids[:, length:].tolist(), strict=False):",
    ): "the batch has a row for each of them",
    (
        "llm/prompts.py",
        "a, b = only(one, other)  # in either order",
        "a, b = only(other, one)  # in either order",
    ): "the sign test treats both alike",
    (
        "llm/prompts.py",
        "for i in range(number + 1)",
        "for i in range(number + 2)",
    ): "more than all cannot be right: the inner range is empty",
    (
        "llm/prompts.py",
        "best = here.mean(dim=1).argmax()",
        "best = here.sum(dim=1).argmax()",
    ): "all prompts were asked as many questions",
    **{
        key: "snippets/tools/inputs.py refuses all sizes and numbers that are not positive"
        for key in [
            ("block/config.py", "num_layers=self.num_layers > 0,", "num_layers=(self.num_layers >= 0),"),
            ("block/config.py", "eps=self.eps > 0,", "eps=(self.eps >= 0),"),
            ("families/llama.py", "self, num_layers=self.num_layers > 0,", "self, num_layers=(self.num_layers >= 0),"),
            ("families/llama.py", "eps=self.eps > 0,", "eps=(self.eps >= 0),"),
            ("families/t5.py", "num_layers=self.num_layers > 0,", "num_layers=(self.num_layers >= 0),"),
            ("families/t5.py", "num_heads=self.num_heads > 0,", "num_heads=(self.num_heads >= 0),"),
            *(
                ("families/t5.py", "num_buckets=self.num_buckets > 0 and self.num_buckets % 4 == 0,", other)
                for other in (
                    "num_buckets=(self.num_buckets % 4 == 0),",
                    "num_buckets=(self.num_buckets >= 0) and self.num_buckets % 4 == 0,",
                )
            ),
        ]
    },
    (
        "families/sink_position.py",
        "return maps.mean(dim=(0, 1, 2, 3)), normalize(hidden.mean(dim=1), dim=-1)[0]",
        "return maps.mean(dim=(0, 1, 2, 3)), normalize(hidden.sum(dim=1), dim=-1)[0]",
    ): "both are normalized",
    (
        "families/sink_position.py",
        "numbers = [received[0], received[1:].max(), 1 - moved @ whole]",
        "numbers = [received[0], received[1:].max(), 1 - (whole @ moved)]",
    ): "of two vectors, the dot product is symmetric",
    (
        "families/diversity.py",
        "groups = [texts[i : i + 16] for i in range(0, 64, 16)]",
        "groups = [texts[i : i + 16] for i in range(0, 63, 16)]",
    ): "both ranges are 0, 16, 32, 48",
    (
        "llm/fewer_bits.py",
        "q = (x / scale.where(scale > 0, 1)).round()",
        "q = (x / scale.where(scale > 0, 2)).round()",
    ): "where the scale is 0, what is divided is 0, too",
    (
        "llm/fewer_bits.py",
        "q = (x / scale.where(scale > 0, 1)).round()",
        "q = (x / scale.where(scale > 0, 0)).round()",
    ): "0 / 0 is nan, and as an integer that is 0 on the processors we know; the language does not promise it",
    (
        "llm/fewer_bits.py",
        "q = (x / scale.where(scale > 0, 1)).round()",
        "q = (x / scale.where((scale >= 0), 1)).round()",
    ): "0 / 0 is nan, and as an integer that is 0 on the processors we know; the language does not promise it",
    (
        "llm/fewer_bits.py",
        "q = ((x - least) / scale.where(scale > 0, 1)).round()",
        "q = ((x - least) / scale.where(scale > 0, 2)).round()",
    ): "where the scale is 0, what is divided is 0, too",
    (
        "llm/fewer_bits.py",
        "q = ((x - least) / scale.where(scale > 0, 1)).round()",
        "q = ((x - least) / scale.where(scale > 0, 0)).round()",
    ): "0 / 0 is nan, and as an integer that is 0 on the processors we know; the language does not promise it",
    (
        "llm/fewer_bits.py",
        "q = ((x - least) / scale.where(scale > 0, 1)).round()",
        "q = ((x - least) / scale.where((scale >= 0), 1)).round()",
    ): "0 / 0 is nan, and as an integer that is 0 on the processors we know; the language does not promise it",
    (
        "llm/heads.py",
        "return torch.stack(means).unflatten(-1, (layers[0].num_heads, -1))",
        "return torch.stack(means).unflatten(-1, (layers[1].num_heads, -1))",
    ): "all layers have as many heads",
    (
        "llm/heads.py",
        "order = scores.flatten().argsort(descending=True, stable=True).tolist()",
        "order = scores.flatten().argsort(descending=True, stable=False).tolist()",
    ): "on a CPU the sort is stable in any case",
    (
        "llm/logit_lens.py",
        "mean, spread, target = x.mean(dim=0), x.std(dim=0) + 1e-6, last.mean(dim=0)",
        "mean, spread, target = x.mean(dim=0), (x.std(dim=0) - 1e-06), last.mean(dim=0)",
    ): "both only keep a constant component from being divided by 0",
    (
        "llm/logit_lens.py",
        "weight = torch.linalg.solve(squares, z.T @ (last - target) / len(z))",
        "weight = torch.linalg.solve(squares, z.T @ ((last + target)) / len(z))",
    ): "the rows of z have mean 0, so that a constant beside it does nothing",
    (
        "families/forgetting.py",
        "cosine = (vectors @ vectors.T).fill_diagonal_(-1)",
        "cosine = (vectors @ vectors.T).fill_diagonal_(-2)",
    ): "no cosine is smaller than -1",
    (
        "families/forgetting.py",
        "cosine[row, partner] = -1",
        "cosine[row, partner] = -2",
    ): "no cosine is smaller than -1",
    (
        "families/forgetting.py",
        "return to_partner - cosine.amax(dim=1)",
        "return to_partner - cosine.amax(dim=0)",
    ): "the cosines are symmetric",
    (
        "families/gpt.py",
        "def causal_lm_loss(model: nn.Module, ids: Tensor, pad_id: int = -100) -> Tensor:",
        "def causal_lm_loss(model: nn.Module, ids: Tensor, pad_id: int = -99) -> Tensor:",
    ): "no token has a negative id",
    (
        "families/gpt.py",
        "def causal_lm_loss(model: nn.Module, ids: Tensor, pad_id: int = -100) -> Tensor:",
        "def causal_lm_loss(model: nn.Module, ids: Tensor, pad_id: int = -101) -> Tensor:",
    ): "no token has a negative id",
    (
        "families/gpt.py",
        'for part, w in zip("qkv", weight.chunk(3), strict=True):',
        'for part, w in zip("qkv", weight.chunk(3), strict=False):',
    ): "there are three chunks for three letters; strict says so to the reader",
    (
        "llm/longer.py",
        "return self.model.head(self.model.norm(x[:, -1]))",
        "return self.model.head(self.model.norm(x[:, 0]))",
    ): "it reads one token at a time, which is the first and the last",
    (
        "families/sampling.py",
        "ordered, order = logits.sort(dim=-1, stable=True)  # the most probable one last",
        "ordered, order = logits.sort(dim=-1, stable=False)  # the most probable one last",
    ): "on a CPU the sort is stable in any case",
    (
        "families/in_context_learning.py",
        "out_of_order = mapping.unsqueeze(2) > mapping.unsqueeze(1)  # (batch, i, j)",
        "out_of_order = (mapping.unsqueeze(2) >= mapping.unsqueeze(1))  # (batch, i, j)",
    ): "two digits of a permutation are never the same",
    (
        "families/in_context_learning.py",
        "return out_of_order.triu(diagonal=1).sum(dim=(1, 2)) % 2 == 1",
        "return out_of_order.triu(diagonal=0).sum(dim=(1, 2)) % 2 == 1",
    ): "no digit is greater than itself",
    (
        "families/in_context_learning.py",
        "for j in range(size + 1)",
        "for j in range(size + 2)",
    ): "there is no way to choose more letters than there are",
    (
        "families/in_context_learning.py",
        "after = F.pad(same.tril(diagonal=-1), (1, -1))  # then + 1",
        "after = F.pad(same.tril(diagonal=-2), (1, -1))  # then + 1",
    ): "letters and digits alternate, so no token stands beside itself",
    (
        "labs/inside_an_encoder.py",
        "matrices[layer].unflatten(1, (num_heads, -1))[:, head] = 0",
        "matrices[layer].unflatten(1, (num_heads, -1))[:, head] = 1",
    ): "what is added to all features alike, the layer norm behind it takes away",
    (
        "families/opinions.py",
        '"test": slice(10, 20),',
        '"test": slice(10, 21),',
    ): "each list has twenty words",
    (
        "before/accuracy.py",
        "return sum(a == b for a, b in zip(generated, right, strict=True)) / len(right)",
        "return sum(a == b for a, b in zip(right, generated, strict=True)) / len(right)",
    ): "whether two are the same does not depend on which comes first",
    (
        "before/accuracy.py",
        "for one, two in zip(generated, right, strict=True)",
        "for one, two in zip(right, generated, strict=True)",
    ): "whether two are the same does not depend on which comes first",
    (
        "before/accuracy.py",
        "for a, b in zip(one, two, strict=False)  # may end too early or too late",
        "for a, b in zip(two, one, strict=False)  # may end too early or too late",
    ): "whether two are the same does not depend on which comes first",
    (
        "before/encoder_decoder.py",
        "self.lstm = nn.LSTM(d, d // 2, batch_first=True, bidirectional=True)",
        "self.lstm = nn.LSTM(d, d // 2, batch_first=False, bidirectional=True)",
    ): "packed sequences have no axis for the batch; every LSTM here says it to the reader",
    (
        "families/flash_attention.py",
        "new = torch.maximum(maximum, scores.amax(dim=-1, keepdim=True))",
        "new = torch.maximum(scores.amax(dim=-1, keepdim=True), maximum)",
    ): "the larger of two does not depend on which comes first",
    (
        "families/flash_attention.py",
        "base = new.masked_fill(new == -math.inf, 0.0)  # only masked keys so far",
        "base = new.masked_fill(new == -math.inf, 1.0)  # only masked keys so far",
    ): "any finite number keeps minus infinity where it is",
    (
        "families/flash_attention.py",
        "return weighted / total.masked_fill(total == 0, 1.0)  # 0 if all keys are masked",
        "return weighted / total.masked_fill(total == 0, 2.0)  # 0 if all keys are masked",
    ): "the output is 0 there, whatever it is divided by",
    (
        "training/cache.py",
        "self.mask = padding_mask(src, model.pad_id).unsqueeze(1)  # for all heads",
        "self.mask = padding_mask(src, model.pad_id).unsqueeze(2)  # for all heads",
    ): "the axis beside it has size 1 too",
    (
        "training/cache.py",
        "bos = torch.full_like(src[:, :1], BOS)",
        "bos = torch.full_like(src[:, :2], BOS)",
    ): "only the last of them enters the cache",
    (
        "training/loss.py",
        "index = target.masked_fill(~counts, 0).unsqueeze(-1)",
        "index = target.masked_fill(~counts, 1).unsqueeze(-1)",
    ): "whichever is looked up there, it does not count",
    (
        "training/decoding.py",
        "for p, i in zip(*map(Tensor.tolist, best), strict=True)",
        "for p, i in zip(*map(Tensor.tolist, best), strict=False)",
    ): "topk gives as many values as indices; strict says so to the reader",
    (
        "labs/broken_translator.py",
        "def embed(self, ids: Tensor, start: int = 0) -> Tensor:",
        "def embed(self, ids: Tensor, start: int = 1) -> Tensor:",
    ): "without positions it does not matter which one is the first",
    (
        "before/dates.py",
        "one_year = DATES[:365]  # in which each of them occurs",
        "one_year = DATES[:366]  # in which each of them occurs",
    ): "another day has no other words",
    (
        "before/dates.py",
        "one_year = DATES[:365]  # in which each of them occurs",
        "one_year = DATES[:364]  # in which each of them occurs",
    ): "the last day of a year has no words of its own",
    (
        "training/trainer.py",
        "model.parameters(), betas=(0.9, 0.98), eps=1e-9, fused=True",
        "model.parameters(), betas=(0.9, 0.98), eps=1e-9, fused=False",
    ): "the same steps, only faster: one call for all parameters",
    (
        "training/trainer.py",
        'bar.set_postfix(loss=f"{self.losses[-1]:.3f}", refresh=False)',
        "pass",
    ): "what the bar shows changes nothing in training",
    (
        "training/trainer.py",
        'bar.set_postfix(loss=f"{self.losses[-1]:.3f}", refresh=False)',
        'bar.set_postfix(loss=f"{self.losses[-1]:.3f}", refresh=True)',
    ): "how often the bar is drawn changes nothing in training",
    (
        "before/byte_pair_encoding.py",
        "VISIBLE = [*range(33, 127), *range(161, 173), *range(174, 256)]",
        "VISIBLE = [*range(33, 127), *range(161, 173), *range(174, 257)]",
    ): "there is no byte 256 to be put in order",
    (
        "before/byte_pair_encoding.py",
        "show_progress=False,",
        "show_progress=True,",
    ): "what the bar shows changes nothing in training",
    (
        "before/unigram.py",
        "for n in range(1, len(word) + 1):",
        "for n in range(0, len(word) + 1):",
    ): "no token is empty",
    (
        "before/unigram.py",
        "best: list[tuple[float, tuple[str, ...]]] = [(0.0, ())]",
        "best: list[tuple[float, tuple[str, ...]]] = [(1.0, ())]",
    ): "all cuts begin with it, and the best one stays the best",
    (
        "before/unigram.py",
        "for end in range(1, len(word) + 1):",
        "for end in range(1, len(word) + 2):",
    ): "behind the end there is nothing, and the same cut is found again",
    (
        "before/unigram.py",
        "words: Mapping[str, int], probabilities: Mapping, steps: int = 100",
        "words: Mapping[str, int], probabilities: Mapping, steps: int = 101",
    ): "nothing changes any more",
    (
        "before/unigram.py",
        "words: Mapping[str, int], probabilities: Mapping, steps: int = 100",
        "words: Mapping[str, int], probabilities: Mapping, steps: int = 99",
    ): "nothing changes any more",
    (
        "before/unigram.py",
        "counts[token] += count * p / total",
        "counts[token] -= count * p / total",
    ): "all counts are negative then, and so is their sum",
    (
        "before/unigram.py",
        "counts[word[start:end]] += count",
        "counts[word[start:end]] -= count",
    ): "all counts are negative then, and so is their sum",
    (
        "before/korean_tokens.py",
        "return Kiwi(num_workers=1)",
        "return Kiwi(num_workers=2)",
    ): "with more threads it loads sooner and finds the same",
    (
        "before/korean_tokens.py",
        "return Kiwi(num_workers=1)",
        "return Kiwi(num_workers=0)",
    ): "with more threads it loads sooner and finds the same",
    (
        "block/dropout.py",
        "keep = torch.rand_like(x, dtype=torch.float32) >= self.p",
        "keep = (torch.rand_like(x, dtype=torch.float32) > self.p)",
    ): "they differ only where a random number is exactly p",
    (
        "families/flash_attention.py",
        "for i in range(0, max(query.size(-2), 1), block):  # one block if it is empty",
        "for i in range(0, max(query.size(-2), 2), block):  # one block if it is empty",
    ): "a further block without queries adds nothing",
    (
        "families/t5.py",
        "num_buckets=self.num_buckets > 0 and self.num_buckets % 4 == 0,",
        "num_buckets=self.num_buckets > 1 and self.num_buckets % 4 == 0,",
    ): "1 is no multiple of 4",
    (
        "positions/relative.py",
        "if num_buckets < 4 or num_buckets % 4:",
        "if num_buckets < 3 or num_buckets % 4:",
    ): "3 is no multiple of 4",
    (
        "model/speed.py",
        "check_shapes(q, k, v, attn_mask)  # PyTorch would add a mask of numbers",
        "check_shapes(k, q, v, attn_mask)  # PyTorch would add a mask of numbers",
    ): "in self-attention, all three have one shape",
    (
        "model/speed.py",
        "check_shapes(q, k, v, attn_mask)  # PyTorch would add a mask of numbers",
        "check_shapes(q, v, k, attn_mask)  # PyTorch would add a mask of numbers",
    ): "in self-attention, all three have one shape",
    (
        "families/attention_views.py",
        '"itself": words.diagonal(0, -2, -1).mean(dim=-1),',
        '"itself": words.diagonal(0, -1, -2).mean(dim=-1),',
    ): "a matrix and its transpose have the same diagonal",
    (
        "families/attention_views.py",
        '"entropy": entropy.mean(dim=-1) / math.log(maps.size(-1)),',
        '"entropy": entropy.mean(dim=-1) / math.log(maps.size(-2)),',
    ): "in self-attention there are as many queries as keys",
    (
        "families/attention_views.py",
        "identity = torch.eye(maps.size(-1), dtype=maps.dtype, device=maps.device)",
        "identity = torch.eye(maps.size(-2), dtype=maps.dtype, device=maps.device)",
    ): "in self-attention there are as many queries as keys",
    (
        "labs/inside_an_encoder.py",
        "for matrix, before in zip(matrices, saved, strict=True):",
        "for matrix, before in zip(matrices, saved, strict=False):",
    ): "every matrix has been saved; strict says so to the reader",
    (
        "labs/inside_an_encoder.py",
        "by_cosine = sorted(zip(cosines, HEADS, strict=True), reverse=True)",
        "by_cosine = sorted(zip(cosines, HEADS, strict=False), reverse=True)",
    ): "there is one run for each head; strict says so to the reader",
    (
        "labs/inside_an_encoder.py",
        "return dict(zip(calls, measure.each(list(calls.values())), strict=True))",
        "return dict(zip(calls, measure.each(list(calls.values())), strict=False))",
    ): "there is one result for each call; strict says so to the reader",
    (
        "model/sizes.py",
        "network = feed_forward_parameters(d_model, config.d_ff)",
        "network = feed_forward_parameters(config.d_ff, d_model)",
    ): "2 d_model d_ff + d_ff + d_model does not change when the two trade places",
    (
        "families/t5.py",
        "mask = padding_mask(src, self.pad_id).unsqueeze(1)  # (batch, 1, 1, n)",
        "mask = padding_mask(src, self.pad_id).unsqueeze(2)  # (batch, 1, 1, n)",
    ): "the axis beside it has size 1 too",
    (
        "families/t5.py",
        "mask = padding_mask(src, self.pad_id).unsqueeze(1)",
        "mask = padding_mask(src, self.pad_id).unsqueeze(2)",
    ): "the axis beside it has size 1 too",
    (
        "families/rms_norm.py",
        "wide = x.to(torch.promote_types(x.dtype, torch.float32))",
        "wide = x.to(torch.promote_types(torch.float32, x.dtype))",
    ): "the wider of two types does not depend on which comes first",
    (
        "positions/sinusoidal.py",
        "if d_model < 2 or d_model % 2:",
        "if d_model < 1 or d_model % 2:",
    ): "1 is odd, and refused for that; the page says what it means",
    (
        "attention/masks.py",
        "return position.unsqueeze(0) <= position.unsqueeze(1)  # key <= query",
        "return position <= position.unsqueeze(1)  # key <= query",
    ): "broadcasting puts the missing axis in front by itself; the page writes it out",
    (
        "tools/meaning.py",
        "self.in_class = False",
        "self.in_class = True",
    ): "the first that is visited is a module, which says that it is no class",
    (
        "tools/meaning.py",
        "self.plain = True",
        "self.plain = False",
    ): "Python 3.11 has no such statement",
    (
        "tools/meaning.py",
        "def __init__(self, node: ast.AST, above: _Scope | None = None, plain: bool = False) -> None:",
        "def __init__(self, node: ast.AST, above: _Scope | None = None, plain: bool = True) -> None:",
    ): "the module is told, and all in it does as the module",
    (
        "tools/meaning.py",
        "while scope is not None and (scope.is_function or scope.is_class):",
        "while (scope.is_function or scope.is_class):",
    ): "outermost is a module, which is neither",
    (
        "tools/meaning.py",
        "todo.append(part.value)",
        "pass",
    ): "in the value nothing else may be bound where the comprehension stands",
    (
        "tools/meaning.py",
        "if isinstance(part, ast.comprehension) and part is node.generators[0]:",
        "if isinstance(part, ast.comprehension):",
    ): "nothing may be bound in what a comprehension goes through",
    (
        "tools/meaning.py",
        "if isinstance(part, ast.comprehension) and part is node.generators[0]:",
        "if isinstance(part, ast.comprehension) and (part is not node.generators[0]):",
    ): "nothing may be bound in what a comprehension goes through",
    (
        "tools/meaning.py",
        "value = getattr(node, name, None)",
        "value = getattr(node, name)",
    ): "a field that may be missing is None, for Python itself",
    (
        "tools/meaning.py",
        "for one, where in zip(value, wheres, strict=True)",
        "for one, where in zip(value, wheres, strict=False)",
    ): "there are as many of both; strict says so to the reader",
    (
        "llm/gguf.py",
        'NUMBERS = dict(zip([*range(8), *range(10, 13)], "BbHhIif?Qqd", strict=True))',
        'NUMBERS = dict(zip([*range(8), *range(10, 13)], "BbHhIif?Qqd", strict=False))',
    ): "there are eleven letters for eleven codes; strict says so to the reader",
    (
        "llm/tokens.py",
        "BYTE_OF = dict(zip(LETTERS, BYTES, strict=True))",
        "BYTE_OF = dict(zip(LETTERS, BYTES, strict=False))",
    ): "there is one letter for each byte; strict says so to the reader",
    (
        "llm/cached_llama.py",
        "for layer, cache in zip(self.model.layers, self.caches, strict=True):",
        "for layer, cache in zip(self.model.layers, self.caches, strict=False):",
    ): "each layer has its cache; strict says so to the reader",
    (
        "llm/layouts.py",
        "of = model.layers[0].attention",
        "of = model.layers[1].attention",
    ): "all layers have the same number of heads",
    (
        "families/other_cuts.py",
        "strips = images.reshape(-1, 4, 4, 2, 2)  # 4 x 4 strips, each as 2 x 2",
        "strips = images.reshape(4, -1, 4, 2, 2)  # 4 x 4 strips, each as 2 x 2",
    ): "images and rows of strips stay in their order",
    (
        "llm/tails.py",
        "for x, stayed in zip(bits, inside, strict=True)",
        "for x, stayed in zip(bits, inside, strict=False)",
    ): "both are of the same positions; strict says so to the reader",
    (
        "llm/speculative.py",
        "if u >= p[i, token] / q[i, token]:  # rejected, and all that follows",
        "if (u > p[i, token] / q[i, token]):  # rejected, and all that follows",
    ): "a draw hits a number exactly with probability 0",
    (
        "before/incremental_bpe.py",
        "if more > 0:",
        "if (more >= 0):",
    ): "pairs of which there are as many as before are not among them",
    (
        "model/memory_budget.py",
        "super().__init__()",
        "pass",
    ): "what PyTorch keeps there is for modes within modes that are torn apart",
    (
        "model/memory_budget.py",
        "result = operation(*args, **(kwargs or {}))",
        "result = operation(*args, **(kwargs))",
    ): "PyTorch documents that there may be none, and gives some each time",
    (
        "llm/speculative.py",
        "mask = causal_mask(ids.size(1), ids.device)[self.length :]  # (new, n)",
        "mask = causal_mask(ids.size(1))[self.length :]  # (new, n)",
    ): "the same where the tests run",
    (
        "llm/speculative.py",
        "for layer, cache in zip(self.model.layers, self.caches, strict=True):",
        "for layer, cache in zip(self.model.layers, self.caches, strict=False):",
    ): "each layer has its cache; strict says so to the reader",
    (
        "llm/speculative.py",
        "seed: int = 0,",
        "seed: int = 1,",
    ): "any seed will do",
    (
        "llm/speculative.py",
        "cached.rewind(len(ids) - 1)  # the last of the new ones is not read yet",
        "cached.rewind(len(ids) - 2)  # the last of the new ones is not read yet",
    ): "one token more is read again, and gives the same",
    (
        "llm/speculative.py",
        "seed: int = 1,",
        "seed: int = 2,",
    ): "any seed will do",
    (
        "llm/speculative.py",
        "seed: int = 1,",
        "seed: int = 0,",
    ): "any seed will do",
    (
        "llm/speculative.py",
        "pairs = zip(read, ids[:-1], strict=False)",
        "pairs = zip(ids[:-1], read, strict=False)",
    ): "they are compared for equality",
    (
        "llm/speculative.py",
        "pairs = zip(read, ids[:-1], strict=False)",
        "pairs = zip(read, ids[:-2], strict=False)",
    ): "what is compared no more is read again, and gives the same",
    (
        "llm/speculative.py",
        "cached.rewind(min(same, len(ids) - 1))",
        "cached.rewind(min(same, len(ids) - 2))",
    ): "one token more is read again, and gives the same",
    (
        "llm/speculative.py",
        "same = next((i for i, (a, b) in enumerate(pairs) if a != b), len(read))",
        "same = next((i for i, (a, b) in enumerate(pairs) if (a == b)), len(read))",
    ): "more is read again than needed, and gives the same",
}


def its_tests(name: str) -> Path:
    """tests/PART/test_NAME.py of snippets/PART/NAME.py."""
    path = ROOT / "tests" / name
    return path.with_name(f"test_{path.name}")


@pytest.mark.thorough
@each_module
def test_every_module_passes_its_own_tests_on_meaning(name):
    """Without this, a mutant might fail merely because nothing here can run."""
    module, tests = MODULES[name], its_tests(name)
    assert tests.exists(), f"snippets/{name} has no tests on meaning: write {tests.relative_to(ROOT)}"
    runner, source = Runner(module, tests, LONG), module.read_text(encoding="utf-8")
    failure = runner.first_failure(source) and runner.first_failure(source)  # first, it has libraries to load, too
    assert failure is None, (
        f"{tests.relative_to(ROOT)} fails when tests/machinery/mutants.py runs it "
        f"(plain functions, no fixtures): {failure}"
    )


@pytest.mark.thorough
@each_module
def test_every_mutant_fails_a_test_on_meaning(name):
    candidates = [m for m in mutants(MODULES[name]) if (name, m.before, m.after) not in EQUIVALENT]
    assert candidates, f"nothing in snippets/{name} can be changed: does it compute anything?"
    tried = ours(candidates)
    alive = survivors(MODULES[name], its_tests(name), tried)
    assert not alive, (
        f"{len(alive)} of {len(tried)} changes to snippets/{name} go unnoticed. Add a test to "
        f"{its_tests(name).relative_to(ROOT)} that fails on each (or list it in EQUIVALENT in {Path(__file__).name}):\n"
        + "\n".join(map(str, alive))
    )


def listed(file: str, before: str, after: str) -> list[Mutant]:
    found = [m for m in mutants(ROOT / "snippets" / file) if (m.before, m.after) == (before, after)]
    assert len(found) == 1, f"{file} has no such mutant any more: take it out of EQUIVALENT\n- {before}\n+ {after}"
    return found


def test_every_mutant_listed_as_equivalent_exists():
    for key in EQUIVALENT:
        listed(*key)


@pytest.mark.thorough
@pytest.mark.parametrize(("file", "before", "after"), EQUIVALENT)
def test_every_mutant_listed_as_equivalent_survives(file, before, after):
    (mutant,) = listed(file, before, after)
    module, tests = ROOT / "snippets" / file, its_tests(file)
    assert survivors(module, tests, [mutant], patience=LONG), (
        f"a test does notice it: take it out of EQUIVALENT\n{mutant}"
    )


# The harness itself


def written(folder: Path, name: str, text: str) -> Path:
    path = folder / "snippets" / name
    path.parent.mkdir(exist_ok=True)
    path.write_text(text, encoding="utf-8")
    return path


def changes(folder: Path, line: str) -> set[str]:
    """The lines that stand in the place of a line in its mutants."""
    found = mutants(written(folder, "toy.py", line + "\n"))
    assert {mutant.before for mutant in found} <= {line}
    return {mutant.after for mutant in found}


#: Changes with which a module cannot be imported: any test notices them.
BROKEN = {
    "BYTES = [bytes([b]) for b in sorted(range(257), key=lambda b: b not in VISIBLE)]",
    "ALL = (SENTENCES + PARAPHRASES - HARD_NEGATIVES)",
    "ALL = (SENTENCES - PARAPHRASES) + HARD_NEGATIVES",
    "T5_1_1_NAMES = (T5_NAMES & "
    "{'sublayer.w_1': 'DenseReluDense.wi_0', 'sublayer.v': 'DenseReluDense.wi_1', 'head': 'lm_head'})",
    "0: Kind('F32', 1, 4),",
    "3: Kind('Q4_1', 32, 20),",
    "8: Kind('Q8_0', 32, 34),",
    "LETTERS = [*map(chr), *(chr(256 + i) for i in range(HIDDEN))]",
    "LETTERS = [*map(VISIBLE, chr), *(chr(256 + i) for i in range(HIDDEN))]",
}


@pytest.mark.thorough
@each_module
def test_without_tests_every_mutant_survives(name, tmp_path):
    module = MODULES[name]
    everyone = mutants(module)
    untested = survivors(module, written(tmp_path, "test_nothing.py", ""), everyone)
    lost = [mutant for mutant in everyone if mutant not in untested and mutant.after not in BROKEN]
    if lost:  # a module that makes a configuration refuses sizes that cannot be, at once
        runner = Runner(module, written(tmp_path, "test_nothing.py", ""))
        said = {mutant: runner.first_failure(mutant.source) or "" for mutant in lost}
        lost = [mutant for mutant, failure in said.items() if not failure.startswith("import: ValueError: ")]
    assert not lost, "\n".join(map(str, lost))


def test_a_weak_test_lets_mutants_live_and_a_strong_one_kills_them(tmp_path):
    module = written(tmp_path, "toy.py", "def double(x):\n    return x * 2\n")
    weak = "from snippets.toy import double\n\ndef test_zero():\n    assert double(0) == 0\n"
    alive = survivors(module, written(tmp_path, "test_toy.py", weak), mutants(module))
    assert [m.after for m in alive] == ["return (x / 2)", "return x * 3", "return x * 1"]
    assert str(alive[1]) == "snippets/toy.py:2\n    - return x * 2\n    + return x * 3"
    strong = weak + "\ndef test_three():\n    assert double(3) == 6\n"
    assert survivors(module, written(tmp_path, "test_toy.py", strong), mutants(module)) == []


def test_properties_and_parametrized_tests_count(tmp_path):
    module = written(tmp_path, "toy.py", "def double(x):\n    return x * 2\n")
    tests = """
import pytest
from hypothesis import given, strategies as st
from snippets.toy import double

@pytest.mark.parametrize("shift", [0, 1])
@pytest.mark.parametrize(("x", "expected"), [(0, 0), pytest.param(0, 0, id="again")])
@given(y=st.integers(1, 9))
def test_double(x, expected, shift, y):
    assert double(x) == expected
    assert double(y + shift) - double(shift) == 2 * y
"""
    runner = Runner(module, written(tmp_path, "test_toy.py", tests))
    assert runner.first_failure("def double(x):\n    return x * 2\n") is None
    assert runner.first_failure("def double(x):\n    return x * 3\n").startswith("test_double: AssertionError")


def test_a_mutant_reaches_the_modules_that_import_it_and_leaves_no_trace(tmp_path):
    tests = "from snippets.attention.multi_head import scaled_dot_product_attention as f\n\ndef test_it():\n    f()\n"
    before = dict(sys.modules)
    runner = Runner(ROOT / "snippets" / "attention" / "scaled_dot_product.py", written(tmp_path, "test_toy.py", tests))
    failure = runner.first_failure("def scaled_dot_product_attention():\n    raise ZeroDivisionError('mutant')\n")
    assert failure == "test_it: ZeroDivisionError: mutant"
    assert not [name for name in sys.modules if name.startswith("snippets") and name not in before]
    assert all(sys.modules[name] is module for name, module in before.items())


def test_a_test_that_never_calls_a_function_is_not_run_for_a_change_in_it(tmp_path):
    module = written(tmp_path, "toy.py", "def a():\n    return 0\n\ndef b():\n    return a() + 1\n\nC = [0]\n")
    tests = """
from snippets import toy

def test_a():
    assert toy.a() == toy.b() - 1 == 0

def test_b():
    toy.b()
    assert toy.b.__name__ == "b" and toy.a.__name__ == "a"

def test_c():
    assert toy.C[0] == 0
"""
    runner = Runner(module, written(tmp_path, "test_toy.py", tests))
    runner.note_calls()
    assert {name: len(lines) for (name, _), lines in runner.calls.items()} == {"test_a": 2, "test_b": 2, "test_c": 0}
    everything = module.read_text().replace("0", "7")
    for line, first in ((2, "test_a"), (5, "test_a"), (7, "test_a")):
        assert runner.first_failure(everything, line).startswith(first)
    assert runner.first_failure("C = [7]\n", 7).startswith("test_a: AttributeError"), "each test may see it"
    runner.calls = {("test_a", 0): set(), ("test_b", 0): {1}, ("test_c", 0): set()}
    assert runner.first_failure(everything, 2) is None
    assert runner.first_failure(everything, 1).startswith("test_a"), "the head of a function is run with the module"


def test_a_test_that_failed_while_its_calls_were_noted_may_notice_every_change(tmp_path):
    """The place for its files may have been full just then."""
    module = written(tmp_path, "toy.py", "def a():\n    return 0\n")
    full = tmp_path / "full"
    full.touch()
    tests = f"""
from pathlib import Path
from snippets import toy

def test_a():
    if Path({str(full)!r}).exists():
        raise OSError("no space left")
    assert toy.a() == 0
"""
    runner = Runner(module, written(tmp_path, "test_toy.py", tests))
    runner.note_calls()
    full.unlink()
    assert runner.first_failure("def a():\n    return 7\n", 2) == "test_a: AssertionError: "


FINALIZER = """
import weakref
from tests.machinery import mutants

thing = {1}
with mutants._own_end():
    weakref.finalize(thing, print, "at the end")
print("after the mutant")
"""


def test_the_end_of_a_mutant_is_not_that_of_what_it_has_imported():
    said = subprocess.run([sys.executable, "-c", FINALIZER], cwd=ROOT, capture_output=True, text=True, check=True)
    assert said.stdout.splitlines() == ["after the mutant", "at the end"]


def test_a_mutant_runs_out_of_time_even_where_nothing_can_be_raised(tmp_path):
    """What is raised in a callback of the garbage collector is lost, and was once reported as an error of its own."""
    endless = """import gc
def spin(*event):
    gc.callbacks.remove(spin)
    while True:
        pass
gc.callbacks.append(spin)
gc.collect()
while True:
    pass
"""
    runner = Runner(written(tmp_path, "toy.py", ""), written(tmp_path, "test_toy.py", ""), patience=0.2)
    assert runner.first_failure(endless) == "import: TimeoutError: not done after 0.2 s"


def test_what_fails_when_the_tests_are_over_counts_as_well(tmp_path):
    """There time may run out, too: to throw away what a test has made can take longer than the test."""
    tests = """import atexit

def late():
    raise TimeoutError("late")

def test_it():
    atexit.register(late)
"""
    runner = Runner(written(tmp_path, "toy.py", ""), written(tmp_path, "test_toy.py", tests))
    assert runner.first_failure("") == "test_it: TimeoutError: late"


def test_a_module_that_does_not_load_is_noticed(tmp_path):
    runner = Runner(ROOT / "snippets" / "attention" / "masks.py", written(tmp_path, "test_toy.py", ""))
    assert runner.first_failure("import nowhere_to_be_found").startswith("import: ModuleNotFoundError")


def test_the_test_that_failed_last_is_tried_first(tmp_path):
    tests = "from snippets.toy import x\n\ndef test_a():\n    assert x != 1\n\ndef test_b():\n    assert x < 1\n"
    runner = Runner(written(tmp_path, "toy.py", "x = 0\n"), written(tmp_path, "test_toy.py", tests))
    assert [runner.first_failure(f"x = {x}").partition(":")[0] for x in (1, 2, 1)] == ["test_a", "test_b", "test_b"]


@pytest.mark.parametrize(
    ("line", "expected"),
    [
        ("a + b", {"(a - b)"}),
        ("a - b", {"(a + b)"}),
        ("a * b", {"(a / b)"}),
        ("a / b", {"(a * b)"}),
        ('root / "a" / f"b"', set()),
        ("a // b", {"(a * b)"}),
        ("a @ b", {"(b @ a)"}),
        ("a & ~b", {"(a | ~b)", "a & b"}),
        ("a <= b", {"(a < b)", "(a >= b)"}),
        ("a < b", {"(a <= b)", "(a > b)"}),
        ("a == b != c", {"(a != b != c)", "(a == b == c)"}),
        ("a is not None", {"(a is None)"}),
        ("a not in b", {"(a in b)"}),
        ("not a", {"a"}),
        ("-a", {"a"}),
        ("a or b", {"(a and b)", "a", "b"}),
        ("a and b", {"(a or b)", "a", "b"}),
        ("x.size(-1)", {"x.size(0)", "x.size(-2)"}),
        ("x.size(-2)", {"x.size(-1)", "x.size(-3)"}),
        ("x.size(0)", {"x.size(1)"}),
        ("x.size(1)", {"x.size(0)", "x.size(2)"}),
        ("x.clamp(min=0.5)", {"x.clamp(min=1.5)"}),
        ("f(bias=False)", {"f(bias=True)"}),
        ("x.sum(dim=d)", {"x.mean(dim=d)"}),
        ("min(a, b)", {"max(a, b)", "min(a)"}),
        ("all(a)", {"any(a)"}),
        ("math.sqrt(d_k)", {"d_k"}),
        ("x @ x.T", {"(x.T @ x)", "x @ x"}),
        ("x.transpose(a, b)", {"x", "x.transpose(a)"}),
        ("x.unsqueeze(d)", {"x"}),
        ("x.masked_fill(mask, -math.inf)", {
            "x",
            "x.masked_fill(mask)",
            "x.masked_fill(-math.inf, mask)",
            "x.masked_fill(mask, math.inf)",
            "x.masked_fill(mask, 0.0)",
        }),
        ("f(q, k, v)", {"f(q, k)", "f(k, q, v)", "f(q, v, k)"}),
        ('torch.einsum("bqd,bkd->bqk", q, k)', {
            "torch.einsum('bqd,bkd->qbk', q, k)",
            "torch.einsum('bqd,bkd->bkq', q, k)",
        }),
    ],
)  # fmt: skip
def test_what_is_changed_in_an_expression(line, expected, tmp_path):
    assert changes(tmp_path, f"y = {line}") == {f"y = {text}" for text in expected}


@pytest.mark.parametrize(("line", "expected"), [("total += x", {"total -= x"}), ("check(x)", {"pass"})])
def test_what_is_changed_in_a_statement(line, expected, tmp_path):
    assert changes(tmp_path, line) == expected


def test_a_check_is_dropped_whole(tmp_path):
    found = mutants(written(tmp_path, "toy.py", 'if a:\n    raise ValueError(f"{a - 1} of {b}")\ny = x\n'))
    assert [mutant.source for mutant in found] == ["pass\ny = x\n"]


def test_docstrings_messages_annotations_and_imports_are_left_alone(tmp_path):
    source = '''"""Module: 1 + 1."""
from a import b


def f(x: tuple[int, 1 | None]) -> "int | None":
    """Function: not 1."""
    y: int | None = x
    raise ValueError(f"{y - 1}" + str(1 + 1))
'''
    assert mutants(written(tmp_path, "toy.py", source)) == []


def test_columns_are_right_after_letters_of_several_bytes(tmp_path):
    assert changes(tmp_path, 'y = {"가중치": 1}  # 합') == {'y = {"가중치": 2}  # 합', 'y = {"가중치": 0}  # 합'}


def test_an_expression_over_several_lines_is_replaced_whole(tmp_path):
    (mutant,) = mutants(written(tmp_path, "toy.py", "y = (\n    a\n    + b\n)\nz = y\n"))
    assert mutant.source == "y = (\n    (a - b)\n)\nz = y\n"
