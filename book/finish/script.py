"""The script that every page loads: written one concern a file, as modules, and published as one file.

Modules of their own would be a request each, and what they import a request after that.
"""

from __future__ import annotations

import re
from pathlib import Path

from book import ROOT
from book.problems import BookError

#: What imports all of it, and the folder of it all.
MAIN = ROOT / "docs" / "assets" / "js" / "book" / "main.js"
#: Where pages find it.
PUBLISHED = "assets/js/book.js"

_IMPORT = re.compile(r'^import (?:\{\s*([\w\s,]+?),?\s*\} from )?"\./([\w-]+\.js)";\n', re.M)
_EXPORT = re.compile(r"^export (?=(?:const|function|async function|class) (\w+))", re.M)
#: Lines that are a comment and nothing else.
_COMMENT = re.compile(r"^ *(?://.*|/\*(?:(?!\*/)(?:.|\n))*\*/)\n", re.M)
_OTHER = re.compile(r"^(?:import|export)\b.*", re.M)


class ScriptError(BookError):
    """Files that cannot be joined."""


def joined(main: Path) -> str:
    """Return a module and all that it imports, from the folder that it is in, as one script.

    Each file is a function of its own, in the order in which modules run, and returns what it exports. It has a part of
    what modules can have: ``import { a, b } from "./name.js";``, ``import "./name.js";``, and ``export`` before
    ``const``, ``function`` and ``class``. Raises ``ScriptError`` for the rest, and for a name that two files export.
    Comments are left out; so a text of several lines, in which one might look like a comment, is refused as well.
    """
    parts: list[str] = []
    exported: dict[str, Path] = {}
    begun: set[Path] = set()

    def add(path: Path) -> None:
        if path in begun:
            return
        begun.add(path)
        text = path.read_text(encoding="utf-8")
        for names, file in _IMPORT.findall(text):
            other = path.with_name(file)
            if not other.is_file():
                raise ScriptError(f"{path.name} imports {file}, and there is no such file")
            add(other)
            for name in re.split(r",\s*", names) if names else []:
                if exported.get(name) != other:
                    raise ScriptError(f"{path.name} imports {name} from {file}, which does not export it first")
        own = _EXPORT.findall(text)
        for name in own:
            if name in exported:
                raise ScriptError(f"{exported[name].name} and {path.name} both export {name}")
            exported[name] = path
        body = _EXPORT.sub("", _IMPORT.sub("", _COMMENT.sub("", text)))
        refused = [found[0] for found in _OTHER.finditer(body)]
        refused += [line.strip() for line in body.splitlines() if line.count("`") % 2]
        if refused:
            raise ScriptError(f"{path.name} cannot be joined with others because of: {refused[0]}")
        if body := re.sub(r"\n{2,}", "\n", body).strip():
            names = ", ".join(own)
            begins, ends = (f"const {{ {names} }} = ", f"\nreturn {{ {names} }};") if own else ("", "")
            parts.append(f"{begins}(() => {{\n{body}{ends}\n}})();\n")

    add(main)
    return f'(() => {{\n"use strict";\n{"".join(parts)}}})();\n'
