"""Puts the words of an edition into what worked examples print, and into the strings that print it.

A label is a string of a call of ``print``, with the values that an f-string shows in it, or a string that such a value
joins: ``print(f"{n} tokens")``, ``print("tokens:", n)``, ``print(", ".join(f"{n} tokens" for n in many))``. Its words
in an edition have the same values, in any order. So does a row's name, any other string of the code that such a value
may be: ``for name in ("old", "new"): print(f"{name:8} {n}")``. It has these words wherever it stands in its file, as a
key as well; a name by which a module or a kept result finds something is another string than what is printed for it.
What a training says beside its bar has no words of an edition, since by this code, too, a kept result is found: it
names its values, ``f"{seed=}"``.
The output is not computed again: a line that a call may have printed gets the words of that call, and of the names
that are values in it, as wide as their format makes them; a test runs the translated program and compares.
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
#: A value in an f-string, as a string.
_VALUE = re.compile(r"\{[^{}]*\}")
_PLACE = attrgetter("line", "column")
_compiled = functools.cache(re.compile)


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
                values = {one.arg: one.value.value for one in keywords if isinstance(one.value, ast.Constant)}
                options = {name: value for name, value in values.items() if isinstance(value, str)}
                elements: list[Label | _Value | str] = []
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
    every = (one for one in _every(source) if one.is_formatted)
    return [one for one in every if one.has_words and _PLACE(one) not in printed]


@functools.cache
def names(source: str) -> list[Label]:
    """Whatever else a value may print as it is: strings in the code that are no labels, and those within f-strings."""
    labelled = {_PLACE(one) for call in calls(source) for element in call for one in _labels(element)}
    every = _every(source)
    found = [name for one in every for name in ([*_in_values(one)] if one.is_formatted else [one])]
    return [one for one in found if _PLACE(one) not in labelled]


@functools.cache
def _every(source: str) -> list[Label]:
    """All strings in a piece of Python that are no docstrings; what is in an f-string is in its label."""
    tree, lines = ast.parse(source), source.splitlines()
    nodes = [*_strings(tree), *_formatted(tree)]
    return [label for one in nodes for literal in _literals(one, lines) for label in _labels(literal)]


def _strings(node: ast.AST) -> Iterator[ast.Constant]:
    """The string literals of a piece of Python but for docstrings and what is in an f-string."""
    for child in ast.iter_child_nodes(node):
        match child:
            case ast.Constant(value=str()):
                yield child
            case ast.JoinedStr() | ast.Expr(value=ast.Constant()):
                pass
            case _:
                yield from _strings(child)


def _in_values(label: Label) -> Iterator[Label]:
    """The strings within the values of an f-string, as in ``{'all':8}``."""
    for value in _VALUE.finditer(label.text) if label.is_formatted else ():
        for one in _LITERAL.finditer(value[0]):
            column = label.column + value.start() + one.start(3)
            yield Label(one[3], label.line, column, "f" in one[1].lower())


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


def texts(source: str, words: Words) -> Iterator[tuple[int, str]]:
    """What each string of a piece of Python says in the words of an edition, between its values and in them."""
    for one in _every(source):
        own = words(one.text) or one.text
        yield from ((one.line, text) for text, is_value in one.parts(own) if not is_value)
        yield from ((name.line, words(name.text) or name.text) for name in _in_values(one))


def in_code(source: str, words: Words) -> str:
    """A piece of Python with the words of an edition in its labels, and in other strings for which it has any."""
    lines = source.split("\n")
    for one in sorted(_every(source), key=_PLACE, reverse=True):
        own = words(one.text) or one.text
        if one.is_formatted:
            own = _VALUE.sub(lambda value: _LITERAL.sub(lambda name: _named(name, words), value[0]), own)
        line = lines[one.line - 1]
        lines[one.line - 1] = line[: one.column] + own + line[one.column + len(one.text) :]
    return "\n".join(lines)


def _named(one: re.Match, words: Words) -> str:
    return f"{one[1]}{one[2]}{words(one[3]) or one[3]}{one[2]}"


def in_output(output: str, sources: list[str], words: Words) -> str:
    """What the last of some pieces of Python has printed, in the words of an edition.

    What it calls may have been defined, and so print, in one before it.
    """
    of_names = {_unescaped(one.text): own for source in sources for one in names(source) if (own := words(one.text))}
    patterns = [one for source in reversed(sources) for one in _patterns(source, words, of_names)]
    patterns.sort(key=lambda one: one[0])
    ends_within = any(call[-1] != "\n" for source in sources for call in calls(source))
    # the beginning of a line may be of a call without words
    inner = [one for one in patterns if ends_within and not one[0] and not one[1].pattern.startswith("(")]
    found, now = "", 0
    while now < len(output):
        end = output.find("\n", now) + 1 or len(output)
        starts = ((pattern.match(output, now), render) for _, pattern, render in patterns)
        later = ((pattern.search(output, now, end), render) for _, pattern, render in inner)
        both = ((one, render(one)) for one, render in itertools.chain(starts, later) if one)
        if first := next((pair for pair in both if pair[1] != pair[0][0]), None):
            one, rendered = first
            found += output[now : one.start()] + rendered
            now = one.end()
        else:
            found += _with_names(output[now:end], "", of_names)
            now = end
    return _joined(found, tuple(label for source in sources for label in elsewhere(source)), words, of_names)


def _patterns(
    source: str, words: Words, of_names: dict[str, str]
) -> list[tuple[bool, re.Pattern, Callable[[re.Match], str]]]:
    """How what calls with words print is recognised, a group for each value, and rendered; first what says most.

    A call whose words are only in its values comes after all others. Two of these are names, or one, or none.
    """
    found = []
    for call in calls(source):
        texts = [part for element in call for part in _given(element)]
        weight = sum(len(text) for text, is_value in texts if not is_value)
        has_words = any(words(label.text) for element in call for label in _labels(element))
        render = functools.partial(_rendered, call, words, of_names)
        may_be = [k for k, (text, is_value) in enumerate(texts) if is_value and _as_printed(text, of_names)]
        for size in (2, 1, 0) if has_words else (2, 1):
            for chosen in itertools.combinations(may_be, size):
                groups = (
                    (_name(text, of_names) if k in chosen else _value(text)) if is_value else re.escape(text)
                    for k, (text, is_value) in enumerate(texts)
                )
                found.append((not has_words, -weight, _compiled("".join(groups)), render))
    found.sort(key=lambda one: one[:2])
    return [(is_last, pattern, render) for is_last, _, pattern, render in found]


def _value(text: str, joined: bool = False) -> str:
    """A group for a value, which is at least as wide as its format says; one that is joined has no other spaces."""
    width = re.search(r":(?:.?[<>=^])?[-+ ]?#?0?(\d+)[^:{}]*}$", text)
    columns = int(width[1]) if width else 0
    return f"( {{0,{max(columns - 1, 0)}}}\\S+)" if joined else f"(.{{{columns},}}?)"


def _name(text: str, of_names: dict[str, str]) -> str:
    """A group for a value that is a name."""
    return f"({'|'.join(map(re.escape, _as_printed(text, of_names)))})"


def _as_printed(text: str, of_names: dict[str, str]) -> dict[str, str]:
    """Names as a value with its format prints them, the longest first, and what they are in an edition."""
    conversion, spec = re.findall(r"(![rs])?(?::([^:{}]*))?}$|$", text)[0]
    show = repr if conversion == "!r" else str
    try:
        found = {format(show(name), spec): format(show(own), spec) for name, own in of_names.items()}
    except ValueError:  # a format of numbers
        return {}
    return dict(sorted(found.items(), key=lambda one: -len(one[0])))


def _given(element: Label | _Value | str) -> list[tuple[str, bool]]:
    if isinstance(element, str):
        return [(element, False)]
    return element.parts() if isinstance(element, Label) else [("", True)]


def _with_names(printed: str, value: str, of_names: dict[str, str]) -> str:
    """What a value prints in an edition: a name, or a list or dictionary with names among other things."""
    if own := _as_printed(value, of_names).get(printed):
        return own
    for name, own in of_names.items():
        printed = printed.replace(repr(name), repr(own))
    return printed


def _rendered(call: list[Label | _Value | str], words: Words, of_names: dict[str, str], one: re.Match) -> str:
    groups, text = iter(one.groups()), ""
    for element in call:
        if isinstance(element, str):
            text += element
        elif isinstance(element, Label):
            text += _with_words(element, words, of_names, groups)
        else:
            text += _joined(_with_names(next(groups), "", of_names), element.labels, words, of_names)
    return text


def _with_words(label: Label, words: Words, of_names: dict[str, str], groups: Iterator[str]) -> str:
    """What a label prints in an edition, with the values that it has printed."""
    values: dict[str, list[str]] = {}
    for value, is_value in label.parts():
        if is_value:
            values.setdefault(value, []).append(_with_names(next(groups), value, of_names))
    own = label.parts(words(label.text) or label.text)
    return "".join(values[text].pop(0) if is_value else text for text, is_value in own)


def _joined(text: str, inner: tuple[Label, ...], words: Words, of_names: dict[str, str]) -> str:
    """What is joined of labels, in the words of an edition; their values have no spaces but those of a format."""
    for label in inner:
        parts = label.parts()
        if words(label.text) or any(_as_printed(part, of_names) for part, is_value in parts if is_value):
            pattern = "".join(_value(part, joined=True) if is_value else re.escape(part) for part, is_value in parts)

            def rendered(one: re.Match[str], label: Label = label) -> str:
                return _with_words(label, words, of_names, iter(one.groups()))

            text = re.sub(pattern, rendered, text)
    return text
