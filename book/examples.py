"""Running worked examples: one block of code, its output to the letter, and a message that helps.

``book/collect.py`` uses it for the files of examples, and ``tests/machinery/test_pages.py`` for the blocks
of a page, one after the other, as a reader would paste them into Python.
"""

from __future__ import annotations

import contextlib
import difflib
import io
import traceback
from typing import Any


class ExampleError(Exception):
    """An example that raises, or prints something else than it should."""


def run(code: str, namespace: dict[str, Any], filename: str, line: int) -> str:
    """Run ``code``, whose first line is line ``line`` of ``filename``; returns what it prints.

    Raises ``ExampleError`` with a traceback that starts in the example.
    """
    printed = io.StringIO()
    try:
        with contextlib.redirect_stdout(printed):
            exec(compile("\n" * (line - 1) + code, filename, "exec"), namespace)  # noqa: S102
    except Exception as error:
        frames = traceback.extract_tb(error.__traceback__)
        first = next((i for i, frame in enumerate(frames) if frame.filename == filename), len(frames))
        lines = traceback.format_list(frames[first:]) + traceback.format_exception_only(error)
        where = frames[first].lineno if first < len(frames) else (getattr(error, "lineno", None) or line)
        raise ExampleError(f"{filename}:{where}: the example raises\n{''.join(lines)}") from None
    return printed.getvalue()


def compare(expected: str | None, printed: str, filename: str, line: int) -> None:
    """Raise ``ExampleError`` with a diff unless ``printed`` is just what was expected."""
    if printed == (expected or ""):
        return
    if expected is None:
        raise ExampleError(
            f"{filename}:{line}: the example prints, and nothing says what it should print. Below its fence, put\n\n"
            f"<!--pytest-codeblocks:expected-output-->\n\n```text\n{printed}```"
        )
    difference = "\n".join(
        difflib.unified_diff(expected.splitlines(), printed.splitlines(), "expected", "printed", lineterm="")
    )
    raise ExampleError(
        f"{filename}:{line}: the example prints something else than stands below it\n{difference}\n"
        "If what it prints now is right, put that into the ```text fence below the example."
    )


def run_blocks(blocks: list[dict[str, Any]]) -> str | None:
    """Run blocks in one namespace, up to the first that fails: what is wrong with it, or None."""
    namespace: dict[str, Any] = {"__name__": "__main__"}
    for block in blocks:
        try:
            printed = run(block["code"], namespace, block["filename"], block["line"])
            compare(block["expected"], printed, block["filename"], block["line"])
        except ExampleError as error:
            return str(error)
    return None
