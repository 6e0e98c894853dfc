"""Which files of ``snippets`` a file of Python depends on: what has to be done anew when they change."""

from __future__ import annotations

import ast
import functools
import hashlib
from collections.abc import Iterable, Iterator
from importlib import metadata
from pathlib import Path


def sources(paths: list[Path], root: Path) -> list[Path]:
    """The files themselves and every file of ``snippets`` that they import, directly or not."""
    seen: dict[Path, None] = {}
    todo = list(paths)
    while todo:
        file = todo.pop()
        if file in seen:
            continue
        seen[file] = None
        package = file.relative_to(root).with_suffix("").parts
        todo += files(file.read_text(encoding="utf-8"), root, package)
    return sorted(seen)


def fingerprint(files: Iterable[Path], root: Path, *texts: str) -> str:
    """A hash of these files, of further texts, and of the libraries that compute and draw."""
    digest = hashlib.sha256("\0".join([versions(), *texts]).encode())
    for file in files:
        digest.update(file.relative_to(root).as_posix().encode() + b"\0" + file.read_bytes() + b"\0")
    return digest.hexdigest()


@functools.cache
def versions() -> str:
    return " ".join(f"{package}=={metadata.version(package)}" for package in ("torch", "matplotlib", "numpy"))


def files(code: str, root: Path, package: tuple[str, ...] = ()) -> list[Path]:
    """The files of ``snippets`` that a piece of code imports itself; ``package`` is where it stands."""
    found = (root.joinpath(*name.split(".")).with_suffix(".py") for name in _names(code, package))
    return [file for file in found if file.is_relative_to(root / "snippets") and file.is_file()]


def _names(code: str, package: tuple[str, ...]) -> Iterator[str]:
    """Names of modules that are imported, and some names within them."""
    try:
        tree = ast.parse(code)
    except SyntaxError:
        return  # Python itself says where, when the code is run
    for node in ast.walk(tree):
        if isinstance(node, ast.Import):
            yield from (alias.name for alias in node.names)
        elif isinstance(node, ast.ImportFrom):
            above = package[: -node.level] if node.level else ()
            module = ".".join([*above, *filter(None, [node.module])])
            yield module
            yield from (f"{module}.{alias.name}" for alias in node.names)
