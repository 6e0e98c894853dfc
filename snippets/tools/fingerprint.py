"""What a result was computed with: it is computed anew when that code means something else."""

from __future__ import annotations

import ast
import functools
import hashlib
from collections.abc import Iterable
from importlib import metadata
from pathlib import Path

from snippets.tools.meaning import CHECKS, meaning


def sources(paths: Iterable[Path], root: Path) -> list[Path]:
    """The files themselves and every file of ``snippets`` that they import, directly or not."""
    seen: set[Path] = set()
    todo = list(paths)
    while todo:
        file = todo.pop()
        if file in seen:
            continue
        seen.add(file)
        package = file.relative_to(root).with_suffix("").parts
        todo += imported(file.read_text(encoding="utf-8"), root, package)
    return sorted(seen)


def imported(code: str, root: Path, package: tuple[str, ...] = ()) -> list[Path]:
    """The files of ``snippets`` that a piece of code imports itself; ``package`` is where it stands."""
    found = (root.joinpath(*name.split(".")).with_suffix(".py") for name in _names(code, package))
    return [file for file in found if file.is_relative_to(root / "snippets") and file.is_file()]


def fingerprint(files: Iterable[Path], root: Path, *texts: str, packages: Iterable[str] = ("torch",)) -> str:
    """A hash of what these files mean, of further texts, and of the versions of the libraries that compute.

    Checks compute nothing, and count as little as where they are used (see meaning).
    """
    digest = hashlib.sha256("\0".join([*versions(packages), *texts]).encode())
    for file in files:
        if file == root.joinpath(*CHECKS.split(".")).with_suffix(".py"):
            continue
        text = meaning(file.read_text(encoding="utf-8"))
        digest.update(f"\0{file.relative_to(root).as_posix()}\0{text}".encode())
    return digest.hexdigest()


def versions(packages: Iterable[str]) -> list[str]:
    """Which versions of libraries are installed: to look that up takes as long as to read ten modules."""
    return [f"{package}=={metadata.version(package).partition('+')[0]}" for package in packages]


@functools.cache
def _names(code: str, package: tuple[str, ...]) -> tuple[str, ...]:
    """Names of modules that are imported, and some names within them."""
    try:
        tree = ast.parse(code)
    except SyntaxError:
        return ()
    names: list[str] = []
    for node in ast.walk(tree):
        if isinstance(node, ast.Import):
            names += (alias.name for alias in node.names)
        elif isinstance(node, ast.ImportFrom):
            above = package[: -node.level] if node.level else ()
            module = ".".join([*above, *filter(None, [node.module])])
            names += [module, *(f"{module}.{alias.name}" for alias in node.names)]
    return tuple(names)
