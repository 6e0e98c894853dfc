"""Remembers of which code each artifact was made, and of which bytes it is: figures, weights, labs, and what the site
shows of the exercises. A build makes what is out of date.

A record is a file of its own, so that processes that make at the same time share none, and is written last: an artifact
of which a killed build left a half is not the one that its record describes.
"""

from __future__ import annotations

import hashlib
import json
from collections.abc import Sequence
from pathlib import Path

from book import ROOT, files

FOLDER = ROOT / ".cache" / "artifacts"


def is_current(name: str, made_from: str, paths: Sequence[Path]) -> bool:
    """Whether the files of an artifact are those that ``keep`` was told of, and were made from this."""
    try:
        return json.loads(_record(name).read_bytes()) == _described(made_from, paths)
    except (FileNotFoundError, ValueError):  # no file, or half a record
        return False


def is_known(name: str, made_from: str) -> bool:
    """Whether ``keep`` was told of an artifact made from this, whatever its files are now."""
    try:
        return json.loads(_record(name).read_bytes())["made_from"] == made_from
    except (FileNotFoundError, ValueError):
        return False


def keep(name: str, made_from: str, paths: Sequence[Path]) -> None:
    """Remember an artifact, ``KIND/NAME``. ``made_from``: the fingerprint of what it depends on, taken before it was
    made, so that what is edited meanwhile counts."""
    files.write(_record(name), json.dumps(_described(made_from, paths)))


def _record(name: str) -> Path:
    return FOLDER / f"{name}.json"


def _described(made_from: str, paths: Sequence[Path]) -> dict[str, str | list[str]]:
    digests = [hashlib.sha256(path.read_bytes()).hexdigest() for path in paths]
    return {"made_from": made_from, "files": digests}
