"""Blanks: modules of the book without the bodies that are to be written. ``pytest exercises/PART`` writes them.

What remains is read from the code itself: signatures, docstrings, ``__init__``, and checks of arguments at the
beginning of a body. A file that is there already is never overwritten: to begin anew, delete it.
"""

from __future__ import annotations

import ast
import re
import textwrap
from collections.abc import Iterator
from dataclasses import replace
from pathlib import Path

from exercises.checking import HEADER, HERE, Exercise
from exercises.language import say

#: Methods that say what a module consists of, not what it computes.
KEPT = {"__init__", "extra_repr"}


def functions(tree: ast.Module) -> Iterator[tuple[str, ast.FunctionDef]]:
    """Functions and methods of a module, by their qualified names."""
    for node in tree.body:
        if isinstance(node, ast.FunctionDef):
            yield node.name, node
        elif isinstance(node, ast.ClassDef):
            yield from ((f"{node.name}.{n.name}", n) for n in node.body if isinstance(n, ast.FunctionDef))


def to_write(source: str, exercise: Exercise) -> list[str]:
    """What has to be written, by qualified name, in the order of the module."""
    names = [name for name, _ in functions(ast.parse(source))]
    fixed = {*exercise.given, *exercise.without}
    return [n for n in names if n not in fixed and n.partition(".")[0] not in fixed and n.split(".")[-1] not in KEPT]


def bodies(source: str, exercise: Exercise) -> list[tuple[str, int, int]]:
    """What has to be written, by qualified name, with the first and the last line of what is written there."""
    names, found = to_write(source, exercise), []
    for name, node in functions(ast.parse(source)):
        if name in names:
            kept = _checks(node.body)
            found.append((name, node.body[kept - 1].end_lineno + 1 if kept else node.body[0].lineno, node.end_lineno))
    return found


def blank(source: str, exercise: Exercise, header: str = "") -> str:
    """The module as its learner finds it. header: what stands above its code, if not what stands above every blank."""
    tree, lines = ast.parse(source), source.splitlines()
    known = {_defines(node) for node in tree.body} | {name for name, _ in functions(tree)}
    if unknown := {*exercise.given, *exercise.without} - known:
        raise ValueError(f"snippets/{exercise.name}.py has no {', '.join(sorted(unknown))}: correct its Exercise")
    removed = [node for node in tree.body if _defines(node) in exercise.without]
    cuts = [(min([n.lineno, *(d.lineno for d in getattr(n, "decorator_list", []))]), n.end_lineno, []) for n in removed]
    cuts += _imports_to_leave_out(tree, removed)
    columns = {name: node.body[0].col_offset for name, node in functions(tree)}
    for name, first, last in bodies(source, exercise):
        indent = " " * columns[name]
        raised = f'{indent}raise NotImplementedError("write {name}")'
        cuts.append((first, last, [*_stages(exercise, name, indent), raised]))
    for first, last, instead in sorted(cuts, reverse=True):
        lines[first - 1 : last] = instead
    text = "\n".join(line for line in lines if "# --8<--" not in line)
    doc = tree.body[0].end_lineno  # nothing above it is cut
    head, body = text.splitlines()[:doc], text.splitlines()[doc:]
    note = header or say(HEADER, name=exercise.name, page=exercise.page)
    return re.sub(r"\n{4,}", "\n\n\n", "\n".join([*head, "", note, *body]).rstrip() + "\n").replace("\n\n\n", "\n\n", 1)


def completed(exercise: Exercise, header: str = "") -> str:
    """A blank filled with the solution: what is left out of it is missing, and nobody may need it."""
    source = exercise.solution.read_text(encoding="utf-8")
    names = {node.name for node in ast.parse(source).body if hasattr(node, "name")}
    return blank(source, replace(exercise, given=tuple(names - {*exercise.without})), header)


def _stages(exercise: Exercise, name: str, indent: str) -> Iterator[str]:
    """What is checked of a body, in the learner's language: what has to be written, step by step."""
    for stage in exercise.stages:
        if stage.of == name and not stage.whole:
            lines = textwrap.wrap(f"{stage.item}: {say(stage.says)}", 84 - len(indent))
            yield from (f"{indent}# {'  ' * (i > 0)}{line}" for i, line in enumerate(lines))


def _defines(node: ast.stmt) -> str:
    """What a statement of a module defines: a function, a class, or a constant."""
    match node:
        case ast.FunctionDef(name=name) | ast.ClassDef(name=name) | ast.Assign(targets=[ast.Name(id=name)]):
            return name
    return ""


def _imports_to_leave_out(tree: ast.Module, removed: list[ast.stmt]) -> Iterator[tuple[int, int, list[str]]]:
    """Lines of imports that only what is removed has needed, and what stays of them."""

    def names(nodes: list[ast.stmt]) -> set[str]:
        return {part.id for node in nodes for part in ast.walk(node) if isinstance(part, ast.Name)}

    superfluous = names(removed) - names([node for node in tree.body if node not in removed])
    for node in tree.body:
        if isinstance(node, ast.Import | ast.ImportFrom):
            left = [a for a in node.names if (a.asname or a.name.partition(".")[0]) not in superfluous]
            if len(left) < len(node.names):
                node.names = left
                yield node.lineno, node.end_lineno, [ast.unparse(node)] if left else []


def _checks(body: list[ast.stmt]) -> int:
    """How many statements at the beginning are its docstring, or only refuse arguments that do not fit."""
    end = 0
    for number, statement in enumerate(body, start=1):
        match statement:
            case ast.Expr(value=ast.Constant()) | ast.If(orelse=[], body=[*_, ast.Raise()]):
                end = number
            case ast.Expr(value=ast.Call(func=ast.Name(id=name))) if name.partition("_")[0] == "check":
                end = number
            case ast.Assign(value=value) if _only_names_sizes(value):
                pass  # kept if a check follows
            case _:
                break
    return end


def _only_names_sizes(value: ast.expr) -> bool:
    calls = [node.func for node in ast.walk(value) if isinstance(node, ast.Call)]
    return all(getattr(f, "attr", getattr(f, "id", "")) in {"size", "dim", "tuple", "len"} for f in calls)


def write(exercise: Exercise, folder: Path = HERE, text: str = "") -> Path | None:
    """Write a blank, or another text, unless there is a file already."""
    path = folder / f"{exercise.name}.py"
    if path.exists():
        return None
    path.parent.mkdir(parents=True, exist_ok=True)
    text = text or blank(exercise.solution.read_text(encoding="utf-8"), exercise)
    path.write_text(text, encoding="utf-8")
    return path
