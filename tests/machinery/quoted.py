"""Changes that a list quotes, line and changed line, found in the code as it is now.

A local that was renamed is followed: a name that the code no longer has stands for any one name, the same throughout.
"""

from __future__ import annotations

import ast
import keyword
import re
from pathlib import Path

import yaml

#: A name: not the end of a number, as in 1e5, and no attribute.
NAME = re.compile(r"(?<![\w.])[A-Za-z_]\w*")
#: What a local may be called now.
ANY = rf"\b(?!(?:{'|'.join(keyword.kwlist)})\b)[A-Za-z_]\w*"


def as_it_is_now(old: str, new: str, source: str) -> tuple[str, str] | None:
    """Return a quoted change in the names that ``source`` has, or None if what was there before it is gone."""
    if old in source:
        return old, new
    known, groups, pattern, end = _names(source), {}, "", 0
    for name in NAME.finditer(old):
        pattern += re.escape(old[end : name.start()])
        if name[0] in known:
            pattern += re.escape(name[0])
        elif name[0] in groups:
            pattern += f"(?P={groups[name[0]]})"
        else:
            groups[name[0]] = f"g{len(groups)}"
            pattern += rf"(?P<{groups[name[0]]}>{ANY})\b"
        end = name.end()
    found = re.search(pattern + re.escape(old[end:]), source)
    if not found:
        return None
    return found[0], NAME.sub(lambda name: found[groups[name[0]]] if name[0] in groups else name[0], new)


def changed(old: str, new: str, source: str) -> str:
    """Return ``source`` with a quoted change made. Raises an ``AssertionError`` if what was there before it is gone."""
    change = as_it_is_now(old, new, source)
    assert change, f"no longer in the code, write the line as it is now: {old}"
    return source.replace(*change)


def unnoticed(path: Path, modules: dict[str, Path]) -> dict[tuple[str, str, str], str]:
    """Return the changes that no test can notice: module, line, changed line, and why; those that are gone, as quoted.

    ``path``: of a list of ``before``, ``after``, ``why`` by module; ``modules``: the files of all modules.
    """
    found = {}
    for module, entries in yaml.safe_load(path.read_text(encoding="utf-8")).items():
        source = modules[module].read_text(encoding="utf-8")
        for one in entries:
            now = as_it_is_now(one["before"], one["after"], source)
            found[module, *(now or (one["before"], one["after"]))] = one["why"]
    return found


def _names(source: str) -> set[str]:
    """Return every name in the code, with those of attributes and arguments."""
    found = set(keyword.kwlist)
    for node in ast.walk(ast.parse(source)):
        for field in ("id", "arg", "attr", "name", "asname"):
            if isinstance(value := getattr(node, field, None), str):
                found.update(value.split("."))
        if isinstance(node, ast.ImportFrom) and node.module:
            found.update(node.module.split("."))
    return found
