"""Hints in steps, made of the book's own code: where it is explained, what it is made of, its lines without values."""

from __future__ import annotations

import ast
import re
import textwrap
from collections import Counter
from collections.abc import Iterable, Iterator
from pathlib import Path

from exercises.checking import ROOT, Exercise, Stage
from exercises.language import language, say
from exercises.other_ways import IMPORTS, OTHER_WAYS

#: Signs that stand for an operation.
SIGNS = {
    ast.MatMult: "@", ast.Mult: "*", ast.Div: "/", ast.Add: "+", ast.Sub: "-", ast.Pow: "**",
    ast.BitAnd: "&", ast.BitOr: "|", ast.Invert: "~",
    ast.Eq: "==", ast.NotEq: "!=", ast.Lt: "<", ast.LtE: "<=", ast.Gt: ">", ast.GtE: ">=",
}  # fmt: skip
STEPS = 3
#: Ways to write it that ``--solution`` shows beside the book's, and what is to be seen in them.
WORTH_SEEING = {
    (
        "before/language_models",
        "InterpolatedModel.probability",
    ): "Without recursion: from the shortest context to the longest.",
    (
        "before/prediction_tasks",
        "bert_masking",
    ): "One draw for everything: 12 % are hidden, the next 1.5 % replaced, the next 1.5 % stay.",
    (
        "before/word_vectors",
        "negative_sampling_loss",
    ): "As binary cross-entropy: the real pair has the label 1, the drawn ones 0.",
    (
        "before/byte_pair_encoding",
        "segment",
    ): "Every merge in turn, in the order in which they were learned: shorter, and slower for a large vocabulary.",
    (
        "before/incremental_bpe",
        "learn_incrementally",
    ): "With a heap: the most frequent pair is on top, and an entry whose count has changed meanwhile is passed over.",
    (
        "model/memory_budget",
        "attention_within",
    ): "split cuts the queries, and cat joins the outputs, for a moment twice.",
    ("before/lstm", "gru_step"): "With one product less: n + z (h - n).",
    (
        "before/attentive_translator",
        "AttentiveTranslator.weights",
    ): "The mask is added: 0 where attention is allowed, -inf elsewhere.",
    (
        "attention/soft_lookup",
        "soft_lookup",
    ): "The softmax as exp(score - log of the sum of exp), which does not overflow.",
    (
        "attention/scaled_dot_product",
        "scaled_dot_product_attention",
    ): "The axes by name, with einsum, and the softmax written out.",
    ("attention/masks", "causal_mask"): "tril keeps what is on and below the diagonal.",
    (
        "attention/multi_head",
        "MultiHeadAttention.forward",
    ): "Head by head, as the formula has it: as many small products as there are heads.",
    ("positions/tokens", "one_hot_lookup"): "The one-hot rows are made by comparing each id with all ids.",
    ("positions/sinusoidal", "frequencies"): "With exp and log instead of a power, as in much published code.",
    (
        "positions/relative",
        "rotate",
    ): "A pair is a complex number, and a rotation is a product, as in Meta's code of Llama.",
    ("block/dropout", "Dropout.forward"): "PyTorch's own does the same.",
    (
        "block/layer_norm",
        "LayerNorm.forward",
    ): "The variance as the mean of the squares minus the square of the mean: only with more digits, here float64.",
    ("model/decoder_layer", "DecoderLayer.forward"): "The three sublayers in a loop.",
    ("training/loss", "smoothed_cross_entropy"): "PyTorch's own, with its label_smoothing and ignore_index.",
    ("training/warm_up", "learning_rate"): "One minimum of 1 and a power, without two branches of the rate.",
    ("training/adam", "Adam.step"): "With lerp_ and addcdiv_, which need no memory for what comes between.",
    ("training/bleu", "matches"): "What has been found is taken out of the reference, so that it counts once.",
    (
        "training/decoding",
        "beam_search",
    ): "Hypothesis by hypothesis, sorted by Python: slower, and nearer to the definition.",
    ("families/gpt", "causal_lm_loss"): "PyTorch's cross-entropy wants the classes in the second axis.",
    ("families/sampling", "top_p"): "From the most probable one down: a token goes if those before it reach p already.",
    (
        "families/sampling",
        "draw",
    ): "A race: each token waits for a random time, exponentially distributed, and the first to arrive is drawn.",
    ("families/vision_transformer", "to_patches"): "unfold makes windows along an axis; here, along two.",
    (
        "families/vision_transformer",
        "VisionTransformer.embed",
    ): "The convolution as what it is: one linear layer for every patch.",
    (
        "families/rms_norm",
        "RMSNorm.forward",
    ): "The root of the mean square is the norm divided by the root of the dimension.",
    (
        "families/todays_block",
        "GroupedQueryAttention.forward",
    ): "The group is an axis of its own: keys and values are expanded, and not copied.",
    ("families/llama", "halves_to_pairs"): "The new order of the rows, written out as a list of indices.",
    ("families/fine_tuning", "LoRA.forward"): "From the right: x goes through A, then through B; B A is never made.",
}


def hint(exercise: Exercise, stage: Stage, step: int) -> str:
    """The steps up to this one; the last but the solution itself shows its lines with their values taken out."""
    own = _function(exercise, stage.of)
    told = [
        say("1. Where: {place}", place=_place(exercise, stage.of)),
        say("2. What it is made of, in this order: {parts}", parts=", ".join(_counted(_operations(own)))),
        say("3. Its lines, without what they compute:") + "\n" + _indented(_skeleton(own)),
    ]
    return "\n".join(told[: max(1, min(step, STEPS))])


def solution(exercise: Exercise, stage: Stage) -> str:
    """The book's own code of what a stage is about."""
    source = exercise.solution.read_text(encoding="utf-8")
    own = _function(exercise, stage.of)
    lines = ast.get_source_segment(source, own, padded=True)
    told = say("The book's own, in snippets/{name}.py:", name=exercise.module) + "\n" + _indented(lines)
    return "\n\n".join([told, *other_ways(exercise, [stage.of])])


def other_ways(exercise: Exercise, names: Iterable[str]) -> list[str]:
    """For each of these functions, another way to write it, if there is one worth seeing."""
    return [
        say("Another way to write {of}, as right. {what}", of=of, what=say(WORTH_SEEING[exercise.module, of]))
        + "\n"
        + _indented(_with_body(_function(exercise, of), OTHER_WAYS[exercise.module][of]))
        for of in dict.fromkeys(names)
        if (exercise.module, of) in WORTH_SEEING
    ]


def _with_body(own: ast.FunctionDef, body: str) -> str:
    """The imports that a body needs, and the function with this body."""
    own.body, own.decorator_list = [ast.Pass()], []
    head = ast.unparse(own).removesuffix("    pass").rstrip("\n")
    names = {node.id for node in ast.walk(ast.parse(body)) if isinstance(node, ast.Name)}
    imports = [line for line in IMPORTS.split("\n") if line.rpartition(" ")[2] in names - {"math", "torch", "nn"}]
    return "\n".join([*imports, head, textwrap.indent(body.strip("\n"), "    ")])


def _indented(text: str) -> str:
    return "\n".join(f"    {line}" if line else "" for line in text.splitlines())


def _function(exercise: Exercise, of: str) -> ast.FunctionDef:
    node: ast.AST = ast.parse(exercise.solution.read_text(encoding="utf-8"))
    for name in of.split("."):
        node = next(n for n in node.body if getattr(n, "name", None) == name)
    return node


def _place(exercise: Exercise, of: str) -> str:
    """The page, and its section, that show this function, if the pages are there; else the page of the exercise."""
    docs, piece = ROOT / "docs" / language(), _piece(exercise, of)
    others = sorted(path.relative_to(docs).with_suffix("").as_posix() for path in docs.rglob("*.md"))
    for page in (exercise.page, *others):
        if section := _section(docs / f"{page}.md", exercise.module, piece):
            return say("page {page}, “{section}”", page=page, section=section)
    return say("page {page}", page=exercise.page)


def _section(page: Path, module: str, piece: str) -> str:
    """The heading below which a page shows this piece of a module, or nothing."""
    heading = ""
    for line in page.read_text(encoding="utf-8").splitlines() if page.is_file() else ():
        if found := re.match(r"#{2,}\s+(.*?)\s*(\{#.*)?$", line):
            heading = found[1]
        elif heading and line.startswith(f'--8<-- "{module}.py:{piece}"'):
            return heading
    return ""


def _piece(exercise: Exercise, of: str) -> str:
    """The piece of the module in which this function stands, as pages include it."""
    lines = exercise.solution.read_text(encoding="utf-8").splitlines()
    before = "\n".join(lines[: _function(exercise, of).lineno])
    return (re.findall(r"--8<-- \[start:([\w-]+)\]", before) or [""])[-1]


def _operations(own: ast.FunctionDef) -> Iterator[str]:
    """What is called and computed, from the inside of each line to its outside."""

    def of(node: ast.AST) -> Iterator[str]:
        for child in ast.iter_child_nodes(node):
            yield from of(child)
        if isinstance(node, ast.Call):
            yield getattr(node.func, "attr", getattr(node.func, "id", "")) or "(...)"
        elif isinstance(node, ast.BinOp | ast.UnaryOp) and type(node.op) in SIGNS:
            yield SIGNS[type(node.op)]
        elif isinstance(node, ast.Compare):
            yield from (SIGNS[type(op)] for op in node.ops if type(op) in SIGNS)

    for statement in own.body:
        if not isinstance(statement, ast.Raise):
            yield from of(statement)


def _counted(operations: Iterable[str]) -> list[str]:
    """Each once, where it comes first, with how often it comes if that is more than once."""
    return [name if count == 1 else f"{name} ({count}×)" for name, count in Counter(operations).items()]


class _WithoutValues(ast.NodeTransformer):
    """Assignments and results without what stands on the right."""

    HIDDEN = ast.Constant(value=...)

    def visit_Assign(self, node: ast.Assign) -> ast.Assign:  # noqa: N802
        node.value = self.HIDDEN
        return node

    def visit_AugAssign(self, node: ast.AugAssign) -> ast.AugAssign:  # noqa: N802
        node.value = self.HIDDEN
        return node

    def visit_Return(self, node: ast.Return) -> ast.Return:  # noqa: N802
        if isinstance(node.value, ast.Tuple):
            node.value = ast.Tuple(elts=[self.HIDDEN] * len(node.value.elts))
        elif node.value is not None:
            node.value = self.HIDDEN
        return node

    def visit_Expr(self, node: ast.Expr) -> ast.Expr:  # noqa: N802
        if isinstance(node.value, ast.Call):
            node.value.args, node.value.keywords = [self.HIDDEN], []
        return node


def _skeleton(own: ast.FunctionDef) -> str:
    if ast.get_docstring(own) is not None:
        own.body = own.body[1:]
    return ast.unparse(ast.fix_missing_locations(_WithoutValues().visit(own)))
