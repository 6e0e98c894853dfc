"""Reads the files that are written by hand, as editors show them, and finds what a wrong name may have meant."""

from __future__ import annotations

import difflib
import os
import unicodedata
from collections.abc import Iterable, Iterator
from pathlib import Path

#: What is looked at as text, and the folders that hold what others made or what the book makes anew.
TEXT = {".css", ".html", ".js", ".json", ".md", ".py", ".sh", ".svg", ".toml", ".txt", ".yaml", ".yml", ""}
OTHERS = {"__pycache__", "katex", "node_modules", "site"}

#: Folders whose name begins with a dot, and which are the book's all the same.
DOTTED = {".github", ".ci"}


def read(path: Path) -> str:
    """The text of a file as the checks look at it. What is wrong with its characters is a problem of its own."""
    text = path.read_bytes().decode("utf-8-sig", errors="replace")
    return unicodedata.normalize("NFC", text.replace("\r\n", "\n"))


def lines_of(text: str) -> list[str]:
    """As editors count them: ``splitlines`` also breaks at form feeds and the like."""
    return text.removesuffix("\n").split("\n") if text else []


def text_files(root: Path) -> Iterator[Path]:
    """Everything that is written by hand."""
    for folder, folders, files in os.walk(root):
        here = Path(folder)
        folders[:] = sorted(
            name
            for name in folders
            if name not in OTHERS
            and (not name.startswith(".") or name in DOTTED)
            and (here / name).relative_to(root).as_posix() not in ("docs/assets/figures", "docs/assets/weights")
            and not (here / name / "pyvenv.cfg").exists()
        )
        yield from (here / name for name in sorted(files) if not name.startswith(".") and Path(name).suffix in TEXT)


def visible(path: Path, root: Path) -> bool:
    """No part of its name below ``root`` begins with a dot: those are files of editors and systems."""
    return not any(name.startswith(".") for name in path.relative_to(root).parts)


def near(name: str, known: Iterable[str], cutoff: float = 0.6) -> str:
    """What a wrong name may have meant, as the end of a complaint; nothing if no name is like it."""
    found = difflib.get_close_matches(name, list(known), n=1, cutoff=cutoff)
    return f"; did you mean {found[0]}?" if found else ""
