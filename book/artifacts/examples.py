"""Running worked examples: one block of code, its output to the letter, and a message that helps.

``book/artifacts/collect.py`` uses it for the files of examples, and ``tests/machinery/test_pages.py`` for the blocks
of a page, one after the other, as a reader would paste them into Python.

Above its fence, ``<!--pytest.mark.xfail-->`` declares that an example raises: what it prints ends with the
line ``ValueError: …`` that Python shows last, compared to the letter like the rest.

In the second line of a file, ``<!-- needs PACKAGE -->`` says that its examples need an optional package, and are left
out where it is not installed; with REQUIRE_MODEL=1, they are not. ``<!-- needs PACKAGE, whole -->``: they compute with
all weights of the model in it, which takes minutes where roundings are imitated, and are left out there, too.
"""

from __future__ import annotations

import contextlib
import difflib
import io
import os
import traceback
from importlib.util import find_spec
from pathlib import Path
from typing import Any

from pytest_codeblocks import CodeBlock

from book.artifacts import machines
from book.source.page import NEEDS, OUTPUT, RAISES
from book.source.text import read


class ExampleError(Exception):
    """An example that raises, or prints something else than it should."""


def raises(block: CodeBlock) -> bool:
    """Whether a block is declared to raise."""
    return RAISES in (f"<!--{mark}-->" for mark in block.marks)


def missing(path: Path) -> str:
    """Why the examples of a file are left out here; nothing if they are to run."""
    if (marker := NEEDS.search(read(path))) is None:
        return ""
    package, whole = marker.groups()
    if find_spec(package) is None and os.environ.get("REQUIRE_MODEL") != "1":
        return f"{package} is not installed, which is optional: README.md says how to get it"
    if whole and os.environ.get(machines.VARIABLE) in machines.ROUNDINGS:
        return f"all weights of {package} would take minutes where roundings are imitated"
    return ""


def run(code: str, namespace: dict[str, Any], filename: str, line: int, raises: bool = False) -> str:
    """Run ``code``, whose first line is line ``line`` of ``filename``; returns what it prints.

    With ``raises``, that ends with the exception, as Python shows it. Raises ``ExampleError`` if the code raises
    otherwise, with a traceback that starts in the example, or does not raise although it is declared to.
    """
    printed = io.StringIO()
    try:
        with contextlib.redirect_stdout(printed):
            # as a reader's Python compiles it: without what this file imports from __future__
            exec(compile("\n" * (line - 1) + code, filename, "exec", dont_inherit=True), namespace)  # noqa: S102
    except Exception as error:
        if raises:
            return printed.getvalue() + "".join(traceback.format_exception_only(error))
        frames = traceback.extract_tb(error.__traceback__)
        first = next((i for i, frame in enumerate(frames) if frame.filename == filename), len(frames))
        lines = traceback.format_list(frames[first:]) + traceback.format_exception_only(error)
        where = frames[first].lineno if first < len(frames) else (getattr(error, "lineno", None) or line)
        raise ExampleError(f"{filename}:{where}: the example raises\n{''.join(lines)}") from None
    if raises:
        raise ExampleError(
            f"{filename}:{line}: the example is declared to raise, and does not: correct it, or remove {RAISES}"
        )
    return printed.getvalue()


def compare(expected: str | None, printed: str, filename: str, line: int) -> None:
    """Raise ``ExampleError`` with a diff unless ``printed`` is just what was expected."""
    if printed == (expected or ""):
        return
    if expected is None:
        raise ExampleError(
            f"{filename}:{line}: the example prints, and nothing says what it should print. Below its fence, put\n\n"
            f"{_output(printed)}\n(`pytest --accept snippets/PART/NAME.md` does it.)"
        )
    raise ExampleError(
        f"{filename}:{line}: the example prints something else than stands below it\n"
        f"{difference(expected, printed)}\n"
        "If what it prints now is right, put that into the ```text fence below the example "
        "(`pytest --accept snippets/PART/NAME.md` does it)."
    )


def difference(expected: str | None, printed: str) -> str:
    """What is printed against what was expected, as a unified diff."""
    lines = (expected or "").splitlines(), printed.splitlines()
    return "\n".join(difflib.unified_diff(*lines, "expected", "printed", lineterm=""))


def _output(printed: str) -> str:
    return f"{OUTPUT}\n\n```text\n{printed}```\n"


def fits(printed: str) -> bool:
    """Whether a fence can hold it to the letter: it ends with a newline, and no line of it ends the fence."""
    ends = any(line.lstrip().startswith("```") for line in printed.splitlines())
    return printed.endswith("\n") and "\r" not in printed and not ends


def with_output(source: str, block: CodeBlock, printed: str) -> str:
    """The source of a file of examples with ``printed`` below one of its blocks, and all else to the byte.

    Lines above the end of the block stay where they are, so several are done from the last to the first.
    """
    newline = "\r\n" if "\r\n" in source else "\n"
    lines = io.StringIO(source, newline="").readlines()  # with the ends that they have
    below = block.lineno + block.code.count("\n") + 1  # the lines up to here hold the block
    end = below
    if block.expected_output is not None:
        marker = next(i for i in range(below, len(lines)) if OUTPUT in lines[i])
        fence = next(i for i in range(marker, len(lines)) if lines[i].startswith("```"))
        end = fence + 1 + block.expected_output.count("\n") + 1
    if not printed:
        return "".join(lines[:below] + lines[end:])
    if block.expected_output is not None:
        new = lines[below : fence + 1] + [printed.replace("\n", newline), lines[end - 1]]
    else:
        new = [("\n" + _output(printed)).replace("\n", newline)]
    return "".join(lines[:below] + new + lines[end:])


def run_blocks(blocks: list[dict[str, Any]]) -> str | None:
    """Run blocks in one namespace, up to the first that fails: what is wrong with it, or None."""
    machines.imitate()  # in this process, which may be a new one
    namespace: dict[str, Any] = {"__name__": "__main__"}
    for block in blocks:
        try:
            printed = run(block["code"], namespace, block["filename"], block["line"], block["raises"])
            compare(block["expected"], printed, block["filename"], block["line"])
        except ExampleError as error:
            return str(error)
    return None
