"""Numbers in prose: what stands in a page for a value that worked examples compute.

A file of examples, ``snippets/PART/NAME.md``, may have sections ``values`` or ``values-…``, which no page shows::

    print(f"rms = {x.square().mean().sqrt():.2f}")
    print("longest =", shown("wavelengths", "the longest is", 0))

Their code runs after the examples above it, changes nothing for those below, and prints lines ``name = text``.
``shown`` is a number that an example of the file has printed: its section, a part of the line, and which number of the
line, the last one unless told. ``pytest --accept`` writes the output below the code, and pytest compares it, in labs
too; so a text has as few digits as are the same on every machine.

A page writes ``{{rms}}`` and shows the text, in prose, captions, alternative texts and formulas; the unit stands
behind it. ``{{positions/sinusoidal:rms}}`` is a value of another file; questions (docs/questions) have those of their
page. ``{{cited 28.4}}`` is a number of somebody else, with a footnote or a link in its section, ``{{given 0.1}}`` a
setting, a definition or an assumption: both are shown as written, and only say where a number comes from.
book/checks/numbers.py refuses other decimals and percentages. Nothing is computed here.
"""

from __future__ import annotations

import functools
import re
from collections.abc import Iterator
from dataclasses import dataclass
from pathlib import Path

from book import LANGUAGES, ROOT
from book.source import editions

SNIPPETS = ROOT / "snippets"
#: What a page writes, whatever may be wrong with it.
MARK = re.compile(r"\{\{ *([^{}\n]*?) *\}\}")
#: Numbers that nothing here computes.
TYPED = re.compile(r"(cited|given) +(.+)")
SECTION = re.compile(r"values(?:-[a-z0-9-]+)?")
_SECTION = re.compile(rf"^<!-- --8<-- \[start:{SECTION.pattern}\] -->\n(.*?)^<!-- --8<-- \[end:", re.M | re.S)
_NUMBER = re.compile(r"[-−+]?\d[\d,]*(?:\.\d+)?(?:e[-+]?\d+)?")


#: A value and the particle behind it, which ends the word.
_FOLLOWED = re.compile(rf"{MARK.pattern}(?:(으로|로|이|가|을|를|과|와|은|는)(?![가-힣]))?")
#: Particles behind a consonant, and behind a vowel.
PARTICLES = (("이", "가"), ("을", "를"), ("과", "와"), ("은", "는"), ("으로", "로"))
#: Digits that are read with a consonant at their end: 영, 일, 삼, 육, 칠, 팔; behind ㄹ, it is 로.
CLOSED, LIQUID = "013678", "178"


@dataclass(frozen=True)
class Value:
    """What an example calls a number, and how it prints it; ``line`` of its file."""

    name: str
    text: str
    line: int


def printed(path: Path) -> list[Value]:
    """The values of a file of examples in order, whatever may be wrong with them; none if there is no such file."""
    try:
        return _printed(path, path.stat().st_mtime_ns)
    except FileNotFoundError:
        return []


@functools.cache
def _printed(path: Path, changed: int) -> list[Value]:
    source, found = path.read_text(encoding="utf-8"), []
    for section in _SECTION.finditer(source):
        for output in editions.PRINTED.finditer(section[1]):
            first = source.count("\n", 0, section.start(1) + output.start(1)) + 1
            for number, line in enumerate(output[1].splitlines(), start=first):
                name, _, text = line.partition(" = ")
                found.append(Value(name, text, number))
    return found


def changed(snippets: Path) -> int:
    """When the last of all values was written, in nanoseconds: what shows some is then to be read again."""
    return max((path.stat().st_mtime_ns for path in snippets.glob("*/*.md") if path.is_file()), default=0)


def file_of(name: str, page: str, snippets: Path = SNIPPETS) -> tuple[Path, str]:
    """The file of a value as ``page`` (``attention/multi-head.md``) names it, and its name there."""
    file, _, own = name.rpartition(":")
    return snippets / f"{file or page.removesuffix('.md').replace('-', '_')}.md", own


def text_of(mark: str, page: str, snippets: Path = SNIPPETS, language: str = LANGUAGES[0]) -> str | None:
    """What a page shows for what stands between its braces, in its language; None if there is no such value."""
    if typed := TYPED.fullmatch(mark):
        return typed[2]
    path, name = file_of(mark, page, snippets)
    its = [*printed(editions.overlay(path, language)), *printed(path)]
    return next((value.text for value in its if value.name == name), None)


def resolved(line: str, page: str, snippets: Path = SNIPPETS, language: str = LANGUAGES[0]) -> str:
    """A line of a page with its values. What is not known stays, and the checks say so."""
    if "{{" not in line:
        return line

    def shown(mark: re.Match) -> str:
        text = text_of(mark[1], page, snippets, language)
        return mark[0] if text is None else text + particle(text, mark[2] or "")

    return _FOLLOWED.sub(shown, line)


def particle(number: str, written: str) -> str:
    """Return the particle that a number takes, as it is read: 0.73이, 0.74가. Others stay as written."""
    last = number[-1:]
    for closed, open_ in PARTICLES:
        if written in (closed, open_) and last.isdigit():
            return closed if last in CLOSED and not (written in PARTICLES[-1] and last in LIQUID) else open_
    return written


def in_prose(lines: list[str]) -> Iterator[int]:
    """The positions of the lines outside fences and front matter, which are left alone."""
    fence = ""
    for position, line in enumerate(lines):
        if position == 0 and line.strip() == "---":
            fence = "---"
        elif fence:
            if line.strip() == fence:
                fence = ""
        elif found := re.match(r"\s*(`{3,}|~{3,})", line):
            fence = found[1]
        else:
            yield position


def resolve(text: str, page: str, snippets: Path = SNIPPETS, language: str = LANGUAGES[0]) -> str:
    """A page with its values, line by line."""
    if "{{" not in text:
        return text
    lines = text.split("\n")
    for position in in_prose(lines):
        lines[position] = resolved(lines[position], page, snippets, language)
    return "\n".join(lines)


def numbers(output: str, line: str) -> list[str]:
    """The numbers in the only line of an output that contains ``line``, as printed. Raises ``LookupError``."""
    found = [one for one in output.splitlines() if line in one]
    if len(found) != 1:
        raise LookupError(f"{len(found)} lines contain {line!r}, and one has to:\n{output}")
    return _NUMBER.findall(found[0])
