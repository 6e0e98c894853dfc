"""Writes files of which nobody ever sees a half: neither who reads meanwhile, nor who comes after a killed build."""

from __future__ import annotations

import os
from pathlib import Path


def write(path: Path, content: bytes | str) -> None:
    """Write a file, and the folders above it; text as UTF-8, with the ends of lines as they are."""
    path.parent.mkdir(parents=True, exist_ok=True)
    part = path.with_name(f"{path.name}.{os.getpid()}.part")  # two builds may write the same
    try:
        part.write_bytes(content.encode() if isinstance(content, str) else content)
        part.replace(path)
    finally:
        part.unlink(missing_ok=True)
