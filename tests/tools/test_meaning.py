"""Code that computes the same means the same, whatever its locals are called, and nothing else does."""

from __future__ import annotations

import ast
from pathlib import Path

import pytest

from snippets import ROOT
from snippets.tools.fingerprint import sources
from snippets.tools.meaning import meaning

CHECK = "from snippets.tools.inputs import check"


@pytest.mark.parametrize(
    ("one", "other"),
    [
        ("def f(a):\n    b = a\n    return b", "def f(a):\n    c = a\n    return c"),
        ("def f(*a, **b): return a, b", "def f(*args, **named): return args, named"),
        ("def f(a, /): return a", "def f(b, /): return b"),
        ("x = [a for a in y]", "x = [b for b in y]"),
        ("x = [(a, b) for a in y for b in a]", "x = [(b, a) for b in y for a in b]"),
        ("def f(y): return [a for a in y if (b := a)], b", "def f(y): return [b for b in y if (a := b)], a"),
        ("def f():\n try: g()\n except E as e: h(e)", "def f():\n try: g()\n except E as error: h(error)"),
        ("def f():\n for i in x: print(i)", "def f():\n for j in x: print(j)"),
        ("def f():\n with x as i: print(i)", "def f():\n with x as j: print(j)"),
        ("def f():\n i = 0\n def g(): nonlocal i; i = 1", "def f():\n j = 0\n def g(): nonlocal j; j = 1"),
        ("def f():\n i = 0\n class A: j = i", "def f():\n k = 0\n class A: j = k"),
        (
            "def f(x):\n match x:\n  case {'a': a, **b}: g(a, b)\n  case [c, *d]: g(c, d)",
            "def f(x):\n match x:\n  case {'a': b, **a}: g(b, a)\n  case [d, *c]: g(d, c)",
        ),
        ("def f(a: int) -> str: return a", "def f(a): return a"),
        ("def f():\n    x: int = 3\n    return x", "def f():\n    x = 3\n    return x"),
        ("from typing import Any\nx: Any = 3", "x = 3"),
        ("def f(n): raise ValueError('no')", "def f(n): raise ValueError(f'never: {n}')"),
        (f"{CHECK}\ndef f(n):\n check(n.size(0) > 2, f'{{n}}')\n return n", "def f(n):\n return n"),
        (
            f"{CHECK}, check_ids\nclass A:\n def f(s):\n  if s:\n   check_ids(s)\n   g()",
            "class A:\n def f(s):\n  if s: g()",
        ),
        (f"{CHECK} as c\ndef f(n):\n c(n > 2, '')\n return n", "def f(n):\n return n"),
        (f"{CHECK}\nfor i in x:\n check(all(j > 0 for j in i), '')\n print(i)", "for i in x: print(i)"),
        ("def f(n):\n a = f'{n}'\n raise ValueError(a)", "def f(n):\n raise ValueError(f'never: {n}')"),
        ("def f(n): assert n, 'no'", "def f(n): assert n"),
        ("async def f():\n    '''Text.'''\n    return 1", "async def f():\n    return 1"),
        ("def f(n):\n if n:\n  a = f'{n}'\n  raise ValueError(a)", "def f(n):\n if n:\n  raise ValueError"),
        ("def f(n):\n a = f'{len(n)}'\n raise ValueError(a)", "def f(n):\n raise ValueError"),
        ("def f(x): return (a := x)", "def f(x): return (b := x)"),
        ("def f(x):\n def g(y=(a := x)): pass\n return a", "def f(x):\n def g(y=(b := x)): pass\n return b"),
        # an inner name hides the local of the function around it
        ("def f(x):\n a = x\n return lambda a: a", "def f(x):\n b = x\n return lambda a: a"),
        ("def f(x):\n a = x\n class A: a = 2", "def f(x):\n b = x\n class A: a = 2"),
        *(
            (
                f"def f(x):\n a = x\n def g():\n  {inner}\n  return a",
                f"def f(x):\n b = x\n def g():\n  {inner}\n  return a",
            )
            for inner in ("def a(): pass", "import a.b", "import m as a")
        ),
    ],
)
def test_names_of_locals_annotations_and_words_of_errors_mean_nothing(one, other):
    assert meaning(one) == meaning(other)


@pytest.mark.parametrize(
    ("one", "other"),
    [
        ("def f(a): return a", "def f(b): return b"),  # f(a=1)
        ("def f(*, a): return a", "def f(*, b): return b"),
        ("f = lambda a: a", "f = lambda b: b"),
        ("a = 1", "b = 1"),
        ("class A:\n    a = 1", "class A:\n    b = 1"),
        ("class A:\n    a: int = 1", "class A:\n    a = 1"),  # a field
        ("class A:\n    a: int\n    b: int", "class A:\n    b: int\n    a: int"),
        ("def f():\n    def g(): pass\n    return g", "def f():\n    def h(): pass\n    return h"),  # h.__name__
        ("def f():\n    global a\n    a = 1", "def f():\n    global b\n    b = 1"),
        ("def f():\n    a = 1\n    return a", "def f():\n    global a\n    a = 1\n    return a"),
        ("def f():\n i = 0\n def g(): nonlocal i; i = 1", "def f():\n i = 0\n def g(): i = 1"),
        ("def f():\n    a = 1\n    return locals()", "def f():\n    b = 1\n    return locals()"),
        ("def f(a):\n    b = a\n    return f'{b=}'", "def f(a):\n    c = a\n    return f'{c=}'"),
        ("def f(x, y):\n a, b = x\n return a - b", "def f(x, y):\n a, b = x\n return b - a"),
        ("def f(x, y):\n a = x\n b = y\n return a", "def f(x, y):\n a = x\n b = y\n return b"),
        ("def f(x):\n a = x\n return [a for b in a]", "def f(x):\n a = x\n return [b for b in a]"),
        ("def f():\n a = 1\n class A:\n  a = a", "def f():\n b = 1\n class A:\n  a = b"),  # the first is a global
        ("def f(x):\n a = x\n return a", "def f(x):\n a = x\n return b"),
        ("def f():\n a: int\n return a", "def f():\n return a"),  # which is a global
        ("def f(): raise ValueError('no')", "def f(): raise TypeError('no')"),
        ("def f(): raise Found(1)", "def f(): raise Found(2)"),  # which carries a result
        ("def f(n):\n a = f'{n}'\n raise ValueError(a)", "def f(n):\n a = f'{next(n)}'\n raise ValueError(a)"),
        ("def f(n):\n a = 'x'\n return a", "def f(n):\n a = 'y'\n return a"),
        ("def f():\n class A:\n  if c: a = 'x'", "def f():\n class A:\n  if c: a = 'y'"),
        ("@singledispatch\ndef f(a: int): pass", "@singledispatch\ndef f(a: str): pass"),
        ("from sys import *\ndef f():\n a = _getframe()", "from sys import *\ndef f():\n b = _getframe()"),
        # what follows what sees the names
        *(
            (f"def f(x):\n a = locals()\n {more}", f"def f(x):\n b = locals()\n {more}")
            for more in ("def g(): pass", "x.y", "import x")
        ),
        # what sees the names, in what is left out
        ("def f():\n a: dict = locals()\n return a", "def f():\n b: dict = locals()\n return b"),
        ("def f():\n a = 1\n raise Found(locals())", "def f():\n b = 1\n raise Found(locals())"),
        ("def f():\n a = 1\n assert locals()", "def f():\n b = 1\n assert locals()"),
        ("def f(): return get_type_hints(f)\nx: int = 1", "def f(): return get_type_hints(f)\nx: str = 1"),
        ("def f(e): raise e", "def f(e): raise"),
        (f"{CHECK}\ndef f(n):\n check(n.pop(), '')\n return n", "def f(n):\n return n"),
        (f"{CHECK}\ndef f(n):\n check((a := n), '')\n return n", "def f(n):\n return n"),
        (f"{CHECK}\ndef f(check): check(1, '')", f"{CHECK}\ndef f(check): pass"),
        (f"{CHECK}\ndef check(a): a.pop()\ncheck(1)", f"{CHECK}\ndef check(a): a.pop()"),
        (f"{CHECK}\nx = check(1, '')", f"{CHECK}\nx = check(2, '')"),
        (f"{CHECK}\nx = check", "x = check"),
        (f"{CHECK[:-5]}*\ncheck(1, '')", "check(1, '')"),
        ("from snippets.tools.others import check\ncheck(1, '')", "from snippets.tools.others import check"),
        ("def f(g): raise g()(1)", "def f(g): raise g()(2)"),
        ("def f(n): raise ValueError(a := n)", "def f(n): raise ValueError(a := 2)"),
        ("def f(n): assert n, (a := n)", "def f(n): assert n, (a := 2)"),
        ("def f(n):\n a = f'{(b := n)}'\n raise ValueError(a)", "def f(n):\n a = f'{(b := 2)}'\n raise ValueError(a)"),
        ("def f(n):\n a = f'{n.x()}'\n raise ValueError(a)", "def f(n):\n a = f'{n.y()}'\n raise ValueError(a)"),
        ("from os import path", ""),
        ("from .torch import Tensor", ""),
        ("from torch import *", ""),
        ("from torch import Tensor\nx = Tensor", "x = Tensor"),
        ("from torch import Tensor as T\nx = T", "x = T"),
        ("def f():\n def a(): pass\n def b(): pass\n return a", "def f():\n def a(): pass\n def b(): pass\n return b"),
        ("def f():\n import a, b\n return a", "def f():\n import a, b\n return b"),
        ("def f(x):\n global a, b\n a = x", "def f(x):\n global a, b\n b = x"),
        (
            "def f():\n a = 1\n b = 2\n def g(): nonlocal a; a = 3\n return a",
            "def f():\n a = 1\n b = 2\n def g(): nonlocal b; b = 3\n return a",
        ),
        ("def f(x):\n __a = x\n return __a", "def f(x):\n __b = x\n return __b"),
        ("def f(x):\n def g(): (a := x)\n return a", "def f(x):\n def g(): (b := x)\n return b"),  # globals
        (
            "def f(x):\n [[((a := y), (b := y)) for y in z] for z in x]\n return a",
            "def f(x):\n [[((a := y), (b := y)) for y in z] for z in x]\n return b",
        ),
    ],
)
def test_what_something_else_can_see_stays(one, other):
    assert meaning(one) != meaning(other)


def test_the_text_is_the_same_for_every_version_of_python():
    """Which fields are empty, and which empty ones there are, differs between versions."""
    assert meaning("def f(x): return x") == (
        "Module(body=[FunctionDef(name='f', args=arguments(args=[arg(arg='x')]), "
        "body=[Return(value=Name(id='x', ctx=Load()))])])"
    )


# ---- the modules of the book, changed


def functions(tree: ast.AST) -> list[ast.FunctionDef]:
    return [node for node in ast.walk(tree) if isinstance(node, ast.FunctionDef)]


def locals_of(function: ast.FunctionDef) -> set[str]:
    """Names that it assigns, but for those that may stand for something else in it as well."""
    nodes = list(ast.walk(function))
    named = {node.id for node in nodes if isinstance(node, ast.Name) and isinstance(node.ctx, ast.Store)}
    others = {node.arg for node in nodes if isinstance(node, ast.arg)}
    others |= {node.name for node in nodes if isinstance(node, (ast.FunctionDef, ast.ClassDef))}
    others |= {node.asname or node.name for node in nodes if isinstance(node, ast.alias)}
    others |= {name for node in nodes if isinstance(node, (ast.Global, ast.Nonlocal)) for name in node.names}
    return named - others


def renamed(text: str) -> str:
    """Each local of each function has another name."""
    tree = ast.parse(text)
    for function in functions(tree):
        own = locals_of(function)
        for node in ast.walk(function):
            if isinstance(node, ast.Name) and node.id in own:
                node.id = f"renamed_{node.id}"
    return ast.unparse(tree)


SOME = sources([ROOT / "snippets" / "attention" / "multi_head.py", ROOT / "snippets" / "training" / "numbers.py"], ROOT)


def check(path: Path) -> None:
    text = path.read_text(encoding="utf-8")
    if "vars(" in text or "getsource" in text:
        return  # its names may be seen
    assert meaning(renamed(text)) == meaning(text)
    for changed in exchanged(text):
        assert meaning(changed) != meaning(text)


@pytest.mark.parametrize("path", SOME)
def test_a_module_whose_locals_have_other_names_means_the_same_and_with_two_exchanged_something_else(path):
    check(path)


def exchanged(text: str):
    """In one place of each function, one of its locals instead of another one."""
    for number in range(len(functions(ast.parse(text)))):
        tree = ast.parse(text)
        function = functions(tree)[number]
        own = sorted(locals_of(function))
        loads = [
            node
            for node in computing(function)
            if isinstance(node, ast.Name) and isinstance(node.ctx, ast.Load) and node.id in own
        ]
        if len(own) > 1 and loads:
            node = loads[number % len(loads)]
            node.id = own[own.index(node.id) - 1]
            yield ast.unparse(tree)


def computing(node: ast.AST):
    """All of a function but for what errors say and what is only checked."""
    for part in ast.iter_child_nodes(node):
        if not (isinstance(part, (ast.Raise, ast.JoinedStr)) or is_check(part)):
            yield part
            yield from computing(part)


def is_check(node: ast.AST) -> bool:
    """Is this a call that asks whether an input may be used, and gives nothing back?"""
    return (
        isinstance(node, ast.Expr)
        and isinstance(node.value, ast.Call)
        and isinstance(node.value.func, ast.Name)
        and node.value.func.id.startswith("check_")
    )
