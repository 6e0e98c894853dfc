"""Catalogs, ``snippets/PART/comments.LANGUAGE.yml``: by file and English, what its code says in another language."""

from __future__ import annotations

import functools
import re
from pathlib import Path

import yaml

from book.source import located
from book.source.remarks import key


class CatalogError(located.EntryError):
    """A catalog cannot be read."""


def catalog_path(part: Path, language: str) -> Path:
    return part / f"comments.{language}.yml"


def catalog(part: Path, language: str) -> dict[str, dict[str, tuple[str, int]]]:
    """By file and by ``key`` of what it says, the words of the edition and the line of the entry.

    Nothing if the part has no catalog. Raises ``CatalogError``.
    """
    path = catalog_path(part, language)
    return _catalog(path, path.stat().st_mtime_ns) if path.is_file() else {}


@functools.cache
def _catalog(path: Path, changed: int) -> dict[str, dict[str, tuple[str, int]]]:
    try:
        tree = yaml.compose(path.read_text(encoding="utf-8"), located.FAST)
    except yaml.YAMLError as fault:
        line, problem = located.yaml_fault(fault)
        raise CatalogError(path, line, problem) from None
    if not isinstance(tree, yaml.MappingNode):
        raise CatalogError(path, 1, "write a list of entries, en and ko, below the name of each file")
    found: dict[str, dict[str, tuple[str, int]]] = {}
    for name, entries in tree.value:
        words = found.setdefault(name.value, {})
        for entry in entries.value:
            line = entry.start_mark.line + 1
            fields = {field.value: value.value for field, value in entry.value} if entry.value else {}
            if [*fields] != ["en", path.suffixes[0][1:]]:
                raise CatalogError(path, line, f"an entry has en and {path.suffixes[0][1:]}, in this order")
            english, own = fields.values()
            words[key(english)] = (own.rstrip("\n"), line)
    return found


def with_entries(where: Path, new: dict[str, list[dict[str, str]]]) -> str:
    """Return the text of a catalog, which need not be there yet, with more entries, by the name of their file.

    What is there already stays as somebody wrote it: its quotation marks, its breaks, its comments.
    """
    text = where.read_text(encoding="utf-8") if where.is_file() else ""
    if text and not text.endswith("\n"):
        text += "\n"
    first, *others = re.split(r"(?m)^(?=\S[^\n]*:$)", text)  # the name of a file, alone in its line
    sections = {one.partition(":\n")[0]: one for one in others}
    names = [*sections]
    for name, more in new.items():
        if name not in sections:
            names.insert(next((k for k, other in enumerate(names) if other > name), len(names)), name)
        sections[name] = sections.get(name, f"{name}:\n") + _dumped(more)
    return first + "".join(sections[name] for name in names)


class _Dumper(yaml.SafeDumper):
    """Text of several lines as it stands."""


_Dumper.add_representer(
    str,
    lambda dumper, text: dumper.represent_scalar("tag:yaml.org,2002:str", text, style="|" if "\n" in text else None),
)


def _dumped(entries: list) -> str:
    return yaml.dump(entries, Dumper=_Dumper, allow_unicode=True, sort_keys=False, width=200)
