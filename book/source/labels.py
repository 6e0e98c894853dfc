"""Puts the words of an edition into what worked examples print, and into the strings that print it.

A label is a string of a call of ``print``, with the values that an f-string shows in it, or a string that such a value
joins: ``print(f"{n} tokens")``, ``print("tokens:", n)``, ``print(", ".join(f"{n} tokens" for n in many))``. Its words
in an edition have the same values, in any order. The output is not computed again: a line that a call may have printed
gets the words of that call, and a test runs the translated program and compares.
"""

from __future__ import annotations

import ast
import functools
import itertools
import re
from collections import Counter
from collections.abc import Callable, Iterator
from dataclasses import dataclass
from operator import attrgetter

#: What makes a label one in words, and not one of shapes, numbers and abbreviations.
SPELLED = re.compile(r"[a-z]{2}")
#: One string literal of those that stand in a row: what is before its quotation mark, the mark, its text.
_LITERAL = re.compile(r"""([a-zA-Z]*)(\"|')((?:\\.|(?!\2).)*)\2""")
_PLACE = attrgetter("line", "column")


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
        return list(_parts(text)) if self.is_formatted else [(_unescaped(text), False)]

    @property
    def has_words(self) -> bool:
        return any(SPELLED.search(text) for text, is_value in self.parts() if not is_value)


@dataclass(frozen=True)
class _Value:
    """What a call prints of a value that is no string in the code, with the labels that it is joined of."""

    labels: tuple[Label, ...] = ()


def _unescaped(text: str) -> str:
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
                yield _unescaped(plain), False
            yield text[now:end], True
            plain, now, start = "", end, end
        else:
            now += 1
    if plain + text[start:]:
        yield _unescaped(plain + text[start:]), False


@functools.cache
def calls(source: str) -> list[list[Label | _Value | str]]:
    """What each call of ``print`` in a piece of Python prints, in the order of the code: labels, values, separators."""
    lines = source.splitlines()
    found = []
    for node in ast.walk(ast.parse(source)):
        match node:
            case ast.Call(func=ast.Name(id="print"), args=args, keywords=keywords):
                options = {one.arg: one.value.value for one in keywords if isinstance(one.value, ast.Constant)}
                elements = []
                for place, argument in enumerate(args):
                    elements += [options.get("sep", " ")] * (place > 0) + list(_elements(argument, lines))
                found.append((node.lineno, [*elements, options.get("end", "\n")]))
    return [call for _, call in sorted(found, key=lambda one: one[0])]


def labels(source: str) -> list[Label]:
    """All labels with words in a piece of Python, in its order."""
    every = [one for call in calls(source) for element in call for one in _labels(element)]
    return sorted((one for one in every if one.has_words), key=_PLACE)


@functools.cache
def elsewhere(source: str) -> list[Label]:
    """The f-strings with words that no call of ``print`` has, but that what it prints may come from."""
    printed = {_PLACE(one) for call in calls(source) for element in call for one in _labels(element)}
    every = _within(ast.parse(source), source.splitlines())
    return [one for one in every if one.has_words and _PLACE(one) not in printed]


def _labels(element: Label | _Value | str) -> tuple[Label, ...]:
    return (element,) if isinstance(element, Label) else getattr(element, "labels", ())


def _elements(node: ast.expr, lines: list[str]) -> Iterator[Label | _Value]:
    """What an argument prints."""
    match node:
        case ast.Constant(value=str()) | ast.JoinedStr():
            yield from _literals(node, lines)
        case ast.BinOp(left=left, op=ast.Add(), right=right):
            yield from _elements(left, lines)
            yield from _elements(right, lines)
        case _:
            yield _Value(tuple(_within(node, lines)))


def _within(node: ast.AST, lines: list[str]) -> list[Label]:
    """The labels of the f-strings of an expression, or of a piece of Python."""
    return [label for one in _formatted(node) for literal in _literals(one, lines) for label in _labels(literal)]


def _formatted(node: ast.AST) -> Iterator[ast.JoinedStr]:
    """The f-strings of an expression; what is in one of them is not among its own."""
    if isinstance(node, ast.JoinedStr):
        yield node
    else:
        for child in ast.iter_child_nodes(node):
            yield from _formatted(child)


def _literals(node: ast.expr, lines: list[str]) -> Iterator[Label | _Value]:
    """The literals in a row that Python reads as one string."""
    if node.lineno == node.end_lineno:
        there = [(node.lineno, node.col_offset, node.end_col_offset)]
    else:
        between = range(node.lineno + 1, node.end_lineno)
        there = [(node.lineno, node.col_offset, None), *((number, 0, None) for number in between)]
        there.append((node.end_lineno, 0, node.end_col_offset))
    for number, start, end in there:
        line = lines[number - 1].encode()  # Python counts bytes
        first = len(line[:start].decode())
        for one in _LITERAL.finditer(line[start:end].decode()):
            prefix = one[1].lower()
            # a raw one is a pattern or a formula
            yield _Value() if "r" in prefix else Label(one[3], number, first + one.start(3), "f" in prefix)


def fault(text: str, own: str) -> str:
    """What is wrong with the words of an edition for a label, or nothing."""
    if re.search(r"[\"\n]", own) or own.count("\\") != text.count("\\"):
        return "a line break, a double quotation mark or a backslash here ends or changes the string: leave it out"
    shown = Counter(value for value, is_value in _parts(text) if is_value)
    if shown != Counter(value for value, is_value in _parts(own) if is_value):
        return f"write its values as they are, each once: {' '.join(shown.elements())}"
    return ""


# ---- in the words of an edition

#: The words of an edition for a label, or nothing: so for each that has no words.
Words = Callable[[str], str]


def in_code(source: str, words: Words) -> str:
    """A piece of Python with the words of an edition in its labels, and in f-strings for which it has any."""
    lines = source.split("\n")
    every = sorted([*labels(source), *elsewhere(source)], key=_PLACE)
    for one in reversed(every):
        if own := words(one.text):
            line = lines[one.line - 1]
            lines[one.line - 1] = line[: one.column] + own + line[one.column + len(one.text) :]
    return "\n".join(lines)


def in_output(output: str, sources: list[str], words: Words) -> str:
    """What the last of some pieces of Python has printed, in the words of an edition.

    What it calls may have been defined, and so print, in one before it.
    """
    patterns = [one for source in reversed(sources) for one in _patterns(source, words)]
    ends_within = any(call[-1] != "\n" for source in sources for call in calls(source))
    # the beginning of a line may be of a call without words
    inner = [one for one in patterns if ends_within and not one[0].pattern.startswith("(")]
    found, now = "", 0
    while now < len(output):
        end = output.find("\n", now) + 1 or len(output)
        starts = ((pattern.match(output, now), render) for pattern, render in patterns)
        later = ((pattern.search(output, now, end), render) for pattern, render in inner)
        if first := next((one for one in itertools.chain(starts, later) if one[0]), None):
            one, render = first
            found += output[now : one.start()] + render(one)
            now = one.end()
        else:
            found += output[now:end]
            now = end
    return _joined(found, tuple(label for source in sources for label in elsewhere(source)), words)


def _patterns(source: str, words: Words) -> list[tuple[re.Pattern, Callable[[re.Match], str]]]:
    """How what calls with words print is recognised, a group for each value, and rendered; first what says most."""
    found = []
    for call in calls(source):
        if any(words(label.text) for element in call for label in _labels(element)):
            texts = [part for element in call for part in _given(element)]
            pattern = "".join(_value(text) if is_value else re.escape(text) for text, is_value in texts)
            weight = sum(len(text) for text, is_value in texts if not is_value)
            found.append((weight, re.compile(pattern), functools.partial(_rendered, call, words)))
    return [(pattern, render) for _, pattern, render in sorted(found, key=lambda one: -one[0])]


def _value(text: str, joined: bool = False) -> str:
    """A group for a value, which is at least as wide as its format says; one that is joined has no other spaces."""
    width = re.search(r":(?:.?[<>=^])?[-+ ]?#?0?(\d+)[^:{}]*}$", text)
    columns = int(width[1]) if width else 0
    return f"( {{0,{max(columns - 1, 0)}}}\\S+)" if joined else f"(.{{{columns},}}?)"


def _given(element: Label | _Value | str) -> list[tuple[str, bool]]:
    if isinstance(element, str):
        return [(element, False)]
    return element.parts() if isinstance(element, Label) else [("", True)]


def _rendered(call: list[Label | _Value | str], words: Words, one: re.Match) -> str:
    groups, text = iter(one.groups()), ""
    for element in call:
        if isinstance(element, str):
            text += element
        elif isinstance(element, Label):
            text += _with_words(element, words, groups)
        else:
            text += _joined(next(groups), element.labels, words)
    return text


def _with_words(label: Label, words: Words, groups: Iterator[str]) -> str:
    """What a label prints in an edition, with the values that it has printed."""
    values: dict[str, list[str]] = {}
    for value, is_value in label.parts():
        if is_value:
            values.setdefault(value, []).append(next(groups))
    own = label.parts(words(label.text) or label.text)
    return "".join(values[text].pop(0) if is_value else text for text, is_value in own)


def _joined(text: str, inner: tuple[Label, ...], words: Words) -> str:
    """What is joined of labels, in the words of an edition; their values have no spaces but those of a format."""
    for label in inner:
        if words(label.text):
            parts = label.parts()
            pattern = "".join(_value(part, True) if is_value else re.escape(part) for part, is_value in parts)
            text = re.sub(pattern, lambda one, label=label: _with_words(label, words, iter(one.groups())), text)
    return text
