"""Puts the words of an edition into the labels of code, and into what this code has printed.

The output is not computed again: a line that a call may have printed gets the words of that call, and of the names
that are values in it, as wide as their format makes them; a test runs the translated program and compares.
"""

from __future__ import annotations

import functools
import itertools
import re
from collections.abc import Callable, Iterator

from book.source import labels
from book.source.labels import Label, Value

_compiled = functools.cache(re.compile)

#: The words of an edition for a label, or nothing: so for each that has no words.
Words = Callable[[str], str]


def texts(source: str, words: Words) -> Iterator[tuple[int, str]]:
    """What each string of a piece of Python says in the words of an edition, between its values and in them."""
    for one in labels.strings(source):
        own = words(one.text) or one.text
        yield from ((one.line, text) for text, is_value in one.parts(own) if not is_value)
        yield from ((name.line, words(name.text) or name.text) for name in labels.in_values(one))


def in_code(source: str, words: Words) -> str:
    """A piece of Python with the words of an edition in its labels, and in other strings for which it has any."""
    lines = source.split("\n")
    for one in sorted(labels.strings(source), key=labels.POSITION, reverse=True):
        own = words(one.text) or one.text
        if one.is_formatted:
            own = labels.VALUE.sub(lambda value: labels.LITERAL.sub(lambda name: _named(name, words), value[0]), own)
        line = lines[one.line - 1]
        lines[one.line - 1] = line[: one.column] + own + line[one.column + len(one.text) :]
    return "\n".join(lines)


def _named(one: re.Match, words: Words) -> str:
    return f"{one[1]}{one[2]}{words(one[3]) or one[3]}{one[2]}"


def in_output(output: str, sources: list[str], words: Words) -> str:
    """What the last of some pieces of Python has printed, in the words of an edition.

    What it calls may have been defined, and so print, in one before it.
    """
    of_names = {
        labels.unescaped(one.text): own
        for source in sources
        for one in labels.names(source)
        if (own := words(one.text))
    }
    patterns = [one for source in reversed(sources) for one in _patterns(source, words, of_names)]
    patterns.sort(key=lambda one: one[0])
    ends_within = any(call[-1] != "\n" for source in sources for call in labels.calls(source))
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
    return _joined(found, tuple(label for source in sources for label in labels.elsewhere(source)), words, of_names)


def _patterns(
    source: str, words: Words, of_names: dict[str, str]
) -> list[tuple[bool, re.Pattern, Callable[[re.Match], str]]]:
    """How what calls with words print is recognised, a group for each value, and rendered; first what says most.

    A call whose words are only in its values comes after all others. Two of these are names, or one, or none.
    """
    found = []
    for call in labels.calls(source):
        texts = [part for element in call for part in _given(element)]
        weight = sum(len(text) for text, is_value in texts if not is_value)
        has_words = any(words(label.text) for element in call for label in labels.of_element(element))
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


def _given(element: Label | Value | str) -> list[tuple[str, bool]]:
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


def _rendered(call: list[Label | Value | str], words: Words, of_names: dict[str, str], one: re.Match) -> str:
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
