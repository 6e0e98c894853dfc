"""What kind of page a name is that of."""

from __future__ import annotations

from book.source import questions


def is_taught(name: str) -> bool:
    """Is this a page that answers a question? An index, the appendix and what stands before the parts is none."""
    part, _, page = name.partition("/")
    other = part == "appendix" or name.removesuffix(".md") in questions.WITHOUT
    return bool(page) and page != "index.md" and not other


def is_lab(name: str) -> bool:
    """A lab is worked through, and its code is what one came for."""
    return name.startswith("labs/")
