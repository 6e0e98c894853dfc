"""The names in code: what a module or a listing defines and uses, and what is named in a piece of inline code."""

from __future__ import annotations

import ast
import functools
import re
from dataclasses import dataclass
from pathlib import Path

from book.source.page import fences
from book.source.text import lines_of, read

WORD = re.compile(r"[A-Za-z_]\w*", re.A)
#: In text that is no Python, only this is a name for certain: joined words that are no part of a path or an option.
_JOINED = re.compile(r"(?<![\w./:@%$\\-])[A-Za-z]\w*_\w+(?![\w/:-]|\.\w)", re.A)
#: A letter of a formula with its index.
_INDEXED = re.compile(r"[A-Z]_\w+|\w+_\w")
_FILE = re.compile(r"\.(?:py|md|txt|yml|toml|js|json|jsonl|sh|ps1|bs|rs|tsv|lock)$")
#: A placeholder: of a command, or of a page's form.
_CAPITALS = re.compile(r"[A-Z][A-Z_]+")
#: Shorter names are those of formulas.
SHORTEST = 3
#: The first word of a command.
COMMANDS = ("mypy", "pip", "python", "python3", "pytest", "mkdocs", "git", "ruff", "py", "export")


@dataclass(frozen=True)
class Names:
    """The names in some code: those that it defines, and all that it has; ``calls``: what each function accepts."""

    defined: frozenset[str] = frozenset()
    used: frozenset[str] = frozenset()
    modules: tuple[str, ...] = ()  # of the book, that it imports
    calls: tuple[tuple[str, frozenset[str] | None], ...] = ()  # None: anything
    offered: frozenset[str] = frozenset()  # functions and classes that other modules import
    functions: frozenset[str] = frozenset()  # and those within others, too


@functools.cache  # both languages show the same code
def of_code(code: str) -> Names:
    """Return the names in a piece of Python, without the words of its strings."""
    defined: set[str] = set()
    used: set[str] = set()
    modules: list[str] = []
    calls: list[tuple[str, frozenset[str] | None]] = []
    try:
        tree = ast.parse(code)
    except SyntaxError:
        return Names(used=frozenset(WORD.findall(code)))
    for node in ast.walk(tree):
        match node:
            case ast.FunctionDef(name=name, args=args):
                every = [*args.posonlyargs, *args.args, *args.kwonlyargs]
                defined |= {name, *(one.arg for one in every)}
                calls.append((name, None if args.kwarg else frozenset(one.arg for one in every)))
            case ast.ClassDef(name=name, body=body):
                defined.add(name)
                fields = {
                    one.target.id for one in body if isinstance(one, ast.AnnAssign) and isinstance(one.target, ast.Name)
                }
                inits = [one for one in body if isinstance(one, ast.FunctionDef) and one.name == "__init__"]
                for init in inits:
                    fields |= {one.arg for one in [*init.args.args, *init.args.kwonlyargs]}
                anything = any(init.args.kwarg for init in inits) or not fields
                calls.append((name, None if anything else frozenset(fields)))
            case ast.Name(id=name, ctx=context):
                (used if isinstance(context, ast.Load) else defined).add(name)
            case ast.Attribute(attr=name, ctx=context):
                (used if isinstance(context, ast.Load) else defined).add(name)
            case ast.keyword(arg=str(name)):
                used.add(name)
            case ast.Import(names=names):
                for alias in names:
                    used |= {*alias.name.split("."), alias.asname or ""}
                    modules.append(alias.name)
            case ast.ImportFrom(module=str(module), names=names):
                used |= {*module.split("."), *(alias.name for alias in names), *(alias.asname or "" for alias in names)}
                modules += [module, *(f"{module}.{alias.name}" for alias in names)]
            case ast.Constant(value=str(text)) if WORD.fullmatch(text):
                used.add(text)  # the key of a dictionary, the name of a buffer
    own = tuple(name for name in modules if name.startswith("snippets."))
    offered = frozenset(one.name for one in tree.body if isinstance(one, ast.FunctionDef | ast.ClassDef))
    functions = frozenset(name for name, _ in calls)
    return Names(frozenset(defined), frozenset(defined | used), own, tuple(calls), offered, functions)


def _is_name(node: ast.expr) -> bool:
    return isinstance(node, ast.Name)


@functools.lru_cache(maxsize=2048)
def _of_file(path: Path, *_: int) -> Names:
    text = read(path)
    if path.suffix == ".py":
        return of_code(text)
    found = [of_code("\n".join(one.body)) for one in fences(lines_of(text)) if one.info == "python"]
    printed = [word for one in fences(lines_of(text)) if one.info != "python" for word in WORD.findall(str(one.body))]
    return Names(
        frozenset().union(*(one.defined for one in found)),
        frozenset(printed).union(*(one.used for one in found)),
        tuple(name for one in found for name in one.modules),
        tuple(call for one in found for call in one.calls),
    )


def of_file(path: Path) -> Names:
    """Return the names in a module, or in the code and the outputs of a file of worked examples."""
    state = path.stat()
    return _of_file(path, state.st_mtime_ns, state.st_size)


@functools.cache
def names_in(code: str) -> tuple[frozenset[str], list[ast.Call]]:
    """Return the names in a piece of inline code, and the calls in it. Shapes, commands and paths have none."""
    if code.split(" ")[0] in COMMANDS or code.startswith(("!", "%", "--", "$")) or _FILE.search(code):
        return frozenset(), []
    text = code.replace("…", "...")
    for form in (text, f"{text}: pass", f"{text}\n    pass", f"f({text})"):
        try:
            tree = ast.parse(form)
        except SyntaxError:
            continue
        break
    else:
        return frozenset(joined(code)), []
    if _is_shape(tree):
        return frozenset(), []
    found = of_code(form)
    strings = {n.value for n in ast.walk(tree) if isinstance(n, ast.Constant) and isinstance(n.value, str)}
    names = found.used - strings - {"f"}
    calls = [node for node in ast.walk(tree) if isinstance(node, ast.Call) and _is_name(node.func) and node.keywords]
    long = (name for name in names if len(name) >= SHORTEST and name.isascii() and name[0] != "_")
    return frozenset(name for name in long if not _CAPITALS.fullmatch(name)), calls


def joined(text: str) -> list[str]:
    """Return what can only be the name of code in a text."""
    found = _JOINED.findall(text)
    return [name for name in found if not _CAPITALS.fullmatch(name) and not _INDEXED.fullmatch(name)]


def _is_shape(tree: ast.Module) -> bool:
    """Whether this is the shape of a tensor: a tuple of lengths."""
    match tree.body:
        case [ast.Expr(value=ast.Tuple(elts=lengths))]:
            return all(not isinstance(node, ast.Call) for one in lengths for node in ast.walk(one))
    return False
