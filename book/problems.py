"""What is wrong with the book, as a check finds it, and as an error that ends what is going on."""

from __future__ import annotations

from dataclasses import dataclass
from pathlib import Path


class BookError(Exception):
    """The book cannot be made as it is; the message says where, and what to do. Nobody needs a traceback."""


@dataclass(frozen=True)
class Problem:
    """One complaint: where, and what is wrong and what to do about it."""

    path: Path
    line: int
    message: str

    def __str__(self) -> str:
        return f"{self.path.as_posix()}:{self.line}: {self.message}"
