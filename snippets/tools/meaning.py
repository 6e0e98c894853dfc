"""What code means, as text: two pieces of code with the same text compute the same.

Left out is what no result depends on: comments, layout, docstrings, annotations, the words of error messages, what
the locals of a function are called, and the checks of ``snippets.tools.inputs``: where there is a result, they held.
Names that something else can see stay: those of parameters that may be passed by keyword, of attributes, globals,
imports, and of functions and classes, which know their own. What is in doubt stays as well: then too much is computed
anew, never too little.
"""

from __future__ import annotations

import ast
import functools

#: Where one of these functions is used, the names of locals may be seen; and where one of these is named.
SEE_LOCALS = {"locals", "vars", "dir", "eval", "exec"}
SEE_FRAMES = {"_getframe", "currentframe", "f_locals", "getsource", "getsourcelines"}
#: Where one of these is named, annotations do something.
SEE_ANNOTATIONS = {"__annotations__", "get_annotations", "get_type_hints", "singledispatch", "singledispatchmethod"}
#: What is imported from these for annotations alone does nothing.
OF_ANNOTATIONS = {"typing", "collections.abc", "torch"}
#: The functions of this module only raise errors. What they are given may call these, which do nothing else.
CHECKS = "snippets.tools.inputs"
PURE = {"all", "any", "dim", "isfinite", "isinstance", "len", "max", "min", "size"}

FUNCTIONS = (ast.FunctionDef, ast.AsyncFunctionDef, ast.Lambda)
COMPREHENSIONS = (ast.ListComp, ast.SetComp, ast.DictComp, ast.GeneratorExp)
SCOPES = (*FUNCTIONS, *COMPREHENSIONS, ast.ClassDef)
#: Parts of a function, a class or a comprehension that belong to what it stands in.
OUTSIDE = {"decorator_list", "defaults", "kw_defaults", "bases", "keywords", "returns", "annotation"}


@functools.cache  # many results share their modules
def meaning(code: str) -> str:
    """The syntax tree as text, the same for every version of Python.

    Code that is no Python stays as it is; Python says why, when it is run.
    """
    try:
        tree = ast.parse(code)
    except SyntaxError:
        return code
    _drop_checks(tree)
    bare = _Bare(annotations=any(name in code for name in SEE_ANNOTATIONS))
    bare.visit(tree)
    _drop_unused_imports(tree)
    return _text(tree, _Scope(tree, plain=bare.plain))


# ---- what is left out


class _Bare(ast.NodeTransformer):
    """Takes out docstrings, annotations, and what an error says."""

    def __init__(self, annotations: bool) -> None:
        self.annotations = annotations  # whether they stay
        self.plain = annotations  # whether names stay
        self.in_class = False

    def visit_Module(self, node):
        if ast.get_docstring(node) is not None:
            del node.body[0]
        self.plain |= bool(getattr(node, "type_params", None))  # have scopes, which are not told apart here
        before, self.in_class = self.in_class, isinstance(node, ast.ClassDef)
        self.generic_visit(node)
        self.in_class = before
        return node

    def visit_FunctionDef(self, node):
        if not self.annotations:
            node.returns = None
        self.visit_Module(node)
        _drop_unused_words(node)
        return node

    visit_ClassDef, visit_AsyncFunctionDef = visit_Module, visit_FunctionDef

    def visit_TypeAlias(self, node):
        self.plain = True
        return node

    def visit_Name(self, node):
        self.plain |= node.id in SEE_LOCALS or node.id in SEE_FRAMES
        return node

    def visit_Attribute(self, node):
        self.plain |= node.attr in SEE_FRAMES
        return self.generic_visit(node)

    def visit_alias(self, node):
        self.plain |= node.name in SEE_FRAMES
        return node

    def visit_arg(self, node):
        if not self.annotations:
            node.annotation = None
        return node

    def visit_AnnAssign(self, node):
        """In a class it makes a field. In a function, ``x: int`` alone still says that x is local."""
        self.generic_visit(node)
        if self.in_class or self.annotations:
            return node
        if node.value is not None:
            return ast.Assign(targets=[node.target], value=node.value)
        node.annotation, node.simple = None, None
        return node

    def visit_Raise(self, node):
        self.generic_visit(node)
        if isinstance(node.exc, ast.Call) and _is_error(node.exc.func) and not _does_more(node.exc):
            node.exc = node.exc.func
        return node

    def visit_Assert(self, node):
        self.generic_visit(node)
        if node.msg is not None and not _does_more(node.msg):
            node.msg = None
        return node


def _drop_checks(tree: ast.Module) -> None:
    """Take out the checks, and their import if all of them can go."""
    imports = [node for node in tree.body if isinstance(node, ast.ImportFrom) and node.module == CHECKS]
    names = {alias.asname or alias.name for node in imports for alias in node.names} - {"*"} - _rebound(tree)
    if not names:
        return
    for part in ast.walk(tree):
        for name, body in ast.iter_fields(part):
            if isinstance(body, list):
                setattr(part, name, [one for one in body if not _is_check(one, names)])
    left = {node.id for node in ast.walk(tree) if isinstance(node, ast.Name)}
    for node in imports:
        gone = names - left
        node.names = [alias for alias in node.names if (alias.asname or alias.name) not in gone]
    tree.body = [node for node in tree.body if node not in imports or node.names]


def _rebound(tree: ast.Module) -> set[str | None]:
    """Names that something else than an import binds, such as a parameter."""
    stored = {node.id for node in ast.walk(tree) if isinstance(node, ast.Name) and isinstance(node.ctx, ast.Store)}
    defined = {getattr(node, "name", None) for node in ast.walk(tree) if not isinstance(node, ast.alias)}
    return stored | defined | {node.arg for node in ast.walk(tree) if isinstance(node, ast.arg)}


def _is_check(node: object, names: set[str]) -> bool:
    match node:
        case ast.Expr(ast.Call(ast.Name(name))) if name in names:
            calls = [part.func for part in ast.walk(node.value) if isinstance(part, ast.Call)]
            others = [getattr(call, "attr", getattr(call, "id", "")) for call in calls if call is not node.value.func]
            return not _does_more(node) and PURE.issuperset(others)
    return False


def _is_error(node: ast.AST) -> bool:
    """What is called an error carries a message; another exception may carry a result."""
    name = node.attr if isinstance(node, ast.Attribute) else getattr(node, "id", "")
    return name.endswith(("Error", "Exception"))


def _does_more(node: ast.AST) -> bool:
    return any(isinstance(part, (ast.NamedExpr, ast.Await, ast.Yield, ast.YieldFrom)) for part in ast.walk(node))


def _drop_unused_words(function: ast.AST) -> None:
    """Take out ``words = f"..."``, if only an error says them."""
    parts = list(ast.walk(function))
    used = {part.id for part in parts if isinstance(part, ast.Name) and not isinstance(part.ctx, ast.Store)}
    used |= {name for part in parts if isinstance(part, (ast.Global, ast.Nonlocal)) for name in part.names}
    todo = [function]
    while todo:
        part = todo.pop()
        if isinstance(body := getattr(part, "body", None), list):
            part.body = [one for one in body if not (_is_words(one) and one.targets[0].id not in used)]
        todo += (child for child in ast.iter_child_nodes(part) if not isinstance(child, ast.ClassDef))


def _is_words(node: ast.AST) -> bool:
    """Whether a name gets a string that is put together without doing anything else."""
    match node:
        case ast.Assign([ast.Name()], ast.JoinedStr() | ast.Constant(str())):
            calls = [part.func for part in ast.walk(node) if isinstance(part, ast.Call)]
            return not _does_more(node) and all(getattr(call, "id", "") in ("len", "list", "tuple") for call in calls)
    return False


def _drop_unused_imports(tree: ast.Module) -> None:
    used = {node.id for node in ast.walk(tree) if isinstance(node, ast.Name)}
    for node in list(tree.body):
        if isinstance(node, ast.ImportFrom) and node.module in OF_ANNOTATIONS and not node.level:
            node.names = [alias for alias in node.names if alias.name == "*" or (alias.asname or alias.name) in used]
            if not node.names:
                tree.body.remove(node)


# ---- what names stand for


class _Scope:
    """A module, class, function or comprehension, and the names that it binds."""

    def __init__(self, node: ast.AST, above: _Scope | None = None, plain: bool = False) -> None:
        self.node, self.above = node, above
        self.is_class = isinstance(node, ast.ClassDef)
        self.is_function = isinstance(node, (*FUNCTIONS, *COMPREHENSIONS))
        inside = above is not None and above.numbers is not None
        #: Of the locals of an outermost function and of all in it, in the order in which they appear.
        self.numbers: dict[tuple[_Scope, str], int] | None = (
            above.numbers if inside else {} if self.is_function else None
        )
        #: Whether names stay.
        self.plain = above.plain if above is not None else plain
        self.bound: set[str] = set()
        self.seen: set[str] = set()  # of these, what something else can see
        self.globals: set[str] = set()
        self.outer: set[str] = set()  # nonlocal
        if isinstance(node, FUNCTIONS):
            arguments = node.args
            self.seen |= {one.arg for one in [*arguments.args, *arguments.kwonlyargs]}
            others = [*arguments.posonlyargs, *filter(None, [arguments.vararg, arguments.kwarg])]
            self.bound |= self.seen | {one.arg for one in others}
        for part in _own(node):
            self._bind(part)

    def _bind(self, node: ast.AST) -> None:
        match node:
            case ast.Name(name, ast.Store() | ast.Del()):
                self.bound.add(name)
            case ast.ExceptHandler(name=str(name)) | ast.MatchAs(name=str(name)) | ast.MatchStar(str(name)):
                self.bound.add(name)
            case ast.MatchMapping(rest=str(name)):
                self.bound.add(name)
            case ast.FunctionDef(name) | ast.AsyncFunctionDef(name) | ast.ClassDef(name):
                self.bound.add(name)
                self.seen.add(name)
            case ast.Import(names) | ast.ImportFrom(names=names):
                found = {alias.asname or alias.name.partition(".")[0] for alias in names}
                self.bound |= found
                self.seen |= found
            case ast.Global(names):
                self.globals |= set(names)
            case ast.Nonlocal(names):
                self.outer |= set(names)

    def number(self, name: str) -> int | None:
        """Which local of a function a name stands for; None if it stays."""
        scope: _Scope | None = self
        while scope is not None and (scope.is_function or scope.is_class):
            if scope is self or scope.is_function:  # functions do not look into the class they stand in
                if name in scope.globals:
                    return None
                if name in scope.bound and name not in scope.outer:
                    if scope.is_class or scope.plain or name in scope.seen or name.startswith("__"):
                        return None
                    return scope.numbers.setdefault((scope, name), len(scope.numbers))
            scope = scope.above
        return None


def _own(node: ast.AST):
    """What stands in the scope of a node itself, without what stands in the functions, classes and so on in it."""
    comprehension = isinstance(node, COMPREHENSIONS)
    todo = list(_parts(node, inside=True))
    while todo:
        part = todo.pop()
        if isinstance(part, SCOPES):
            yield part
            todo += _parts(part, inside=False)
            if isinstance(part, COMPREHENSIONS) and not comprehension:
                yield from _assigned(part)
        elif comprehension and isinstance(part, ast.NamedExpr):  # is bound where the comprehension stands
            todo.append(part.value)
        else:
            yield part
            todo += ast.iter_child_nodes(part)


def _assigned(node: ast.AST):
    """What := binds in a comprehension, and in those in it: names of the function around."""
    for part in ast.iter_child_nodes(node):
        if isinstance(part, ast.NamedExpr):
            yield part.target
        if not isinstance(part, ast.Lambda):  # it keeps what it binds
            yield from _assigned(part)


def _parts(node: ast.AST, inside: bool):
    """The nodes of a function, class or comprehension that belong to it, or to what it stands in."""
    if not isinstance(node, SCOPES):
        yield from ast.iter_child_nodes(node) if inside else ()
        return
    for name, value in ast.iter_fields(node):
        for part in value if isinstance(value, list) else [value]:
            if isinstance(part, ast.arguments):
                if not inside:
                    yield from filter(None, [*part.defaults, *part.kw_defaults])
            elif isinstance(part, ast.AST):
                if isinstance(part, ast.comprehension) and part is node.generators[0]:
                    yield from [part.target, *part.ifs] if inside else [part.iter]
                elif (name in OUTSIDE) != inside:
                    yield part


# ---- as text


#: Where a name stands that may be a local's, by the type of the node.
NAMES = {
    ast.Name: "id",
    ast.arg: "arg",
    ast.ExceptHandler: "name",
    ast.MatchAs: "name",
    ast.MatchStar: "name",
    ast.MatchMapping: "rest",
}


def _text(node: object, scope: _Scope) -> str:
    if isinstance(node, list):
        return f"[{', '.join([_text(one, scope) for one in node])}]"
    if not isinstance(node, ast.AST):
        return repr(node)
    inner = _Scope(node, scope) if isinstance(node, SCOPES) else None
    fields = []
    for name in node._fields:
        value = getattr(node, name, None)
        # which fields may be empty differs between versions of Python, so that empty ones are left out
        if value is None or value == []:
            continue
        if name == NAMES.get(type(node)):
            text = _name(value, scope)
        elif inner is not None:
            text = _part_as_text(name, value, scope, inner)
        elif isinstance(node, ast.Nonlocal):
            text = f"[{', '.join([_name(one, scope) for one in value])}]"
        else:
            text = _text(value, scope)
        fields.append(f"{name}={text}")
    return f"{type(node).__name__}({', '.join(fields)})"


def _part_as_text(name: str, value: object, scope: _Scope, inner: _Scope) -> str:
    """Of a function, class or comprehension, which is evaluated in the scope around it or in its own."""
    if isinstance(value, ast.arguments):
        given = {name: part for name, part in ast.iter_fields(value) if part is not None and part != []}
        texts = [f"{name}={_text(part, scope if name in OUTSIDE else inner)}" for name, part in given.items()]
        return f"arguments({', '.join(texts)})"
    if name == "generators":
        wheres = [scope] + [inner] * (len(value) - 1)
        texts = [
            f"comprehension(target={_text(one.target, inner)}, iter={_text(one.iter, where)}, "
            f"ifs={_text(one.ifs, inner)}, is_async={one.is_async})"
            for one, where in zip(value, wheres, strict=True)
        ]
        return f"[{', '.join(texts)}]"
    return _text(value, scope if name in OUTSIDE else inner)


def _name(name: str, scope: _Scope) -> str:
    number = scope.number(name)
    return repr(name) if number is None else f"local {number}"
