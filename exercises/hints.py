"""Hints in steps, made of the book's own code: where it is explained, what it is made of, its lines without values."""

from __future__ import annotations

import ast
import re
from collections.abc import Iterator

from exercises.checking import ROOT, Exercise, Stage
from exercises.language import language, say

#: Signs that stand for an operation.
SIGNS = {
    ast.MatMult: "@", ast.Mult: "*", ast.Div: "/", ast.Add: "+", ast.Sub: "-", ast.Pow: "**",
    ast.BitAnd: "&", ast.BitOr: "|", ast.Invert: "~",
}  # fmt: skip
STEPS = 3


def hint(exercise: Exercise, stage: Stage, step: int) -> str:
    """The steps up to this one; the last but the solution itself shows its lines with their values taken out."""
    own = _function(exercise, stage.of)
    told = [
        say("1. Where: {place}", place=_place(exercise, stage.of)),
        say("2. What it is made of, in this order: {parts}", parts=", ".join(dict.fromkeys(_operations(own)))),
        say("3. Its lines, without what they compute:") + "\n" + _indented(_skeleton(own)),
    ]
    return "\n".join(told[: max(1, min(step, STEPS))])


def solution(exercise: Exercise, stage: Stage) -> str:
    """The book's own code of what a stage is about."""
    source = exercise.solution.read_text(encoding="utf-8")
    lines = ast.get_source_segment(source, _function(exercise, stage.of), padded=True)
    return say("The book's own, in snippets/{name}.py:", name=exercise.module) + "\n" + _indented(lines)


def _indented(text: str) -> str:
    return "\n".join(f"    {line}" if line else "" for line in text.splitlines())


def _function(exercise: Exercise, of: str) -> ast.FunctionDef:
    node: ast.AST = ast.parse(exercise.solution.read_text(encoding="utf-8"))
    for name in of.split("."):
        node = next(n for n in node.body if getattr(n, "name", None) == name)
    return node


def _place(exercise: Exercise, of: str) -> str:
    """The page, and the section that shows this function, or else any of the code, if the pages are there."""
    page = ROOT / "docs" / language() / f"{exercise.page}.md"
    shown: dict[str, str] = {}  # headings by the piece of code that stands below them
    heading = ""
    for line in page.read_text(encoding="utf-8").splitlines() if page.is_file() else ():
        if found := re.match(r"#{2,}\s+(.*?)\s*(\{#.*)?$", line):
            heading = found[1]
        elif heading and (found := re.match(rf'--8<-- "{exercise.module}\.py:([\w-]+)"', line)):
            shown.setdefault(found[1], heading)
    shown.pop("imports", None)
    section = shown.get(_piece(exercise, of)) or next(iter(shown.values()), "")
    if not section:
        return say("page {page}", page=exercise.page)
    return say("page {page}, “{section}”", page=exercise.page, section=section)


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

    for statement in own.body:
        if not isinstance(statement, ast.Raise):
            yield from of(statement)


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
