"""Finds the labels in Python: the strings that a worked example prints, of which an edition may have words of its own.

A label is a string of a call of ``print``, with the values that an f-string shows in it, or a string that such a value
joins: ``print(f"{n} tokens")``, ``print("tokens:", n)``, ``print(", ".join(f"{n} tokens" for n in many))``. Its words
in an edition have the same values, in any order. So does a row's name, any other string of the code that such a value
may be: ``for name in ("old", "new"): print(f"{name:8} {n}")``. It has these words wherever it stands in its file, as a
key as well; a name by which a module or a kept result finds something is another string than what is printed for it.
What a training says beside its bar has no words of an edition, since by this code, too, a kept result is found: it
names its values, ``f"{seed=}"``.
"""

from __future__ import annotations

import ast
import functools
import re
from collections import Counter
from collections.abc import Iterator
from dataclasses import dataclass
from operator import attrgetter

#: What makes a label one in words, and not one of shapes, numbers and abbreviations.
SPELLED = re.compile(r"[a-z]{2}")
#: One string literal of those that stand in a row: what is before its quotation mark, the mark, its text.
LITERAL = re.compile(r"""([a-zA-Z]*)(\"|')((?:\\.|(?!\2).)*)\2""")
#: A value in an f-string, as a string.
VALUE = re.compile(r"\{[^{}]*\}")
POSITION = attrgetter("line", "column")


@dataclass(frozen=True)
class Label:
    """A string literal as it is written, without quotation marks, which stands in ``line`` from ``column`` on."""

    text: str
    line: int
    column: int
    is_formatted: bool

    def parts(self, text: str | None = None) -> list[tuple[str, bool]]:
        """What it prints, or what ``text`` in its place would: texts, and the values between them as written."""
        text = self.text if text is None else text
        return list(_parts(text)) if self.is_formatted else [(unescaped(text), False)]

    @property
    def has_words(self) -> bool:
        return any(SPELLED.search(text) for text, is_value in self.parts() if not is_value)


@dataclass(frozen=True)
class Value:
    """What a call prints of a value that is no string in the code, with the labels that it is joined of."""

    labels: tuple[Label, ...] = ()


def unescaped(text: str) -> str:
    return ast.literal_eval(f'"""{text}"""') if "\\" in text else text


def _parts(text: str) -> Iterator[tuple[str, bool]]:
    """The texts of an f-string, without what doubles its braces, and its values in braces.

    ``string.Formatter`` reads formats, not f-strings: it takes the ! of a != for a conversion.
    """
    now, start = 0, 0
    plain = ""
    while now < len(text):
        if text[now] in "{}" and text[now : now + 2] == text[now] * 2:
            plain += text[start : now + 1]
            now = start = now + 2
        elif text[now] == "{":
            plain += text[start:now]
            depth, end = 1, now + 1
            while depth and end < len(text):
                depth += {"{": 1, "}": -1}.get(text[end], 0)
                end += 1
            if plain:
                yield unescaped(plain), False
            yield text[now:end], True
            plain, now, start = "", end, end
        else:
            now += 1
    if plain + text[start:]:
        yield unescaped(plain + text[start:]), False


@functools.cache
def calls(source: str) -> list[list[Label | Value | str]]:
    """What each call of ``print`` in a piece of Python prints, in the order of the code: labels, values, separators."""
    lines = source.splitlines()
    found = []
    for node in ast.walk(ast.parse(source)):
        match node:
            case ast.Call(func=ast.Name(id="print"), args=args, keywords=keywords):
                values = {one.arg: one.value.value for one in keywords if isinstance(one.value, ast.Constant)}
                options = {name: value for name, value in values.items() if isinstance(value, str)}
                elements: list[Label | Value | str] = []
                for place, argument in enumerate(args):
                    elements += [options.get("sep", " ")] * (place > 0) + list(_elements(argument, lines))
                found.append((node.lineno, [*elements, options.get("end", "\n")]))
    return [call for _, call in sorted(found, key=lambda one: one[0])]


def labels(source: str) -> list[Label]:
    """All labels with words in a piece of Python, in its order."""
    every = [one for call in calls(source) for element in call for one in of_element(element)]
    return sorted((one for one in every if one.has_words), key=POSITION)


@functools.cache
def elsewhere(source: str) -> list[Label]:
    """The f-strings with words that no call of ``print`` has, but that what it prints may come from."""
    printed = {POSITION(one) for call in calls(source) for element in call for one in of_element(element)}
    every = (one for one in strings(source) if one.is_formatted)
    return [one for one in every if one.has_words and POSITION(one) not in printed]


@functools.cache
def names(source: str) -> list[Label]:
    """Whatever else a value may print as it is: strings in the code that are no labels, and those within f-strings."""
    labelled = {POSITION(one) for call in calls(source) for element in call for one in of_element(element)}
    every = strings(source)
    found = [name for one in every for name in ([*in_values(one)] if one.is_formatted else [one])]
    return [one for one in found if POSITION(one) not in labelled]


@functools.cache
def strings(source: str) -> list[Label]:
    """All strings in a piece of Python that are no docstrings; what is in an f-string is in its label."""
    tree, lines = ast.parse(source), source.splitlines()
    nodes = [*_plain(tree), *_formatted(tree)]
    return [label for one in nodes for literal in _literals(one, lines) for label in of_element(literal)]


def _plain(node: ast.AST) -> Iterator[ast.Constant]:
    """The string literals of a piece of Python but for docstrings and what is in an f-string."""
    for child in ast.iter_child_nodes(node):
        match child:
            case ast.Constant(value=str()):
                yield child
            case ast.JoinedStr() | ast.Expr(value=ast.Constant()):
                pass
            case _:
                yield from _plain(child)


def in_values(label: Label) -> Iterator[Label]:
    """The strings within the values of an f-string, as in ``{'all':8}``."""
    for value in VALUE.finditer(label.text) if label.is_formatted else ():
        for one in LITERAL.finditer(value[0]):
            column = label.column + value.start() + one.start(3)
            yield Label(one[3], label.line, column, "f" in one[1].lower())


def of_element(element: Label | Value | str) -> tuple[Label, ...]:
    return (element,) if isinstance(element, Label) else getattr(element, "labels", ())


def _elements(node: ast.expr, lines: list[str]) -> Iterator[Label | Value]:
    """What an argument prints."""
    match node:
        case ast.Constant(value=str()) | ast.JoinedStr():
            yield from _literals(node, lines)
        case ast.BinOp(left=left, op=ast.Add(), right=right):
            yield from _elements(left, lines)
            yield from _elements(right, lines)
        case _:
            yield Value(tuple(_within(node, lines)))


def _within(node: ast.AST, lines: list[str]) -> list[Label]:
    """The labels of the f-strings of an expression, or of a piece of Python."""
    return [label for one in _formatted(node) for literal in _literals(one, lines) for label in of_element(literal)]


def _formatted(node: ast.AST) -> Iterator[ast.JoinedStr]:
    """The f-strings of an expression; what is in one of them is not among its own."""
    if isinstance(node, ast.JoinedStr):
        yield node
    else:
        for child in ast.iter_child_nodes(node):
            yield from _formatted(child)


def _literals(node: ast.expr, lines: list[str]) -> Iterator[Label | Value]:
    """The literals in a row that Python reads as one string."""
    last = node.end_lineno or node.lineno
    there: list[tuple[int, int, int | None]]
    if node.lineno == last:
        there = [(node.lineno, node.col_offset, node.end_col_offset)]
    else:
        between = range(node.lineno + 1, last)
        there = [(node.lineno, node.col_offset, None), *((number, 0, None) for number in between)]
        there.append((last, 0, node.end_col_offset))
    for number, start, end in there:
        line = lines[number - 1].encode()  # Python counts bytes
        first = len(line[:start].decode())
        for one in LITERAL.finditer(line[start:end].decode()):
            prefix = one[1].lower()
            # a raw one is a pattern or a formula
            yield Value() if "r" in prefix else Label(one[3], number, first + one.start(3), "f" in prefix)


def fault(text: str, own: str) -> str:
    """What is wrong with the words of an edition for a label, or nothing."""
    if re.search(r"[\"\n]", own) or own.count("\\") != text.count("\\"):
        return "a line break, a double quotation mark or a backslash here ends or changes the string: leave it out"
    shown = Counter(value for value, is_value in _parts(text) if is_value)
    if shown != Counter(value for value, is_value in _parts(own) if is_value):
        return f"write its values as they are, each once: {' '.join(shown.elements())}"
    return ""
