"""Processes that a build starts: one thread each, and none that outlives the build."""

from __future__ import annotations

import os
import subprocess
import sys
import threading
from pathlib import Path

from book import ROOT
from snippets.tools.kept import NOTHING

#: Set for a process whose standard input is a pipe from the one that started it.
CHILD = "BOOK_ENDS_WITH_INPUT"


def run(module: str, *arguments: str, cwd: Path = ROOT) -> int:
    """Start a module, wait for it, and return its exit code."""
    with start(module, *arguments, cwd=cwd) as process:
        return process.wait()


def start(module: str, *arguments: str, cwd: Path = ROOT, **options) -> subprocess.Popen:
    """``python -m module`` in the directory of a book, which ends when this process ends, however that comes about."""
    environment = {
        **os.environ,
        CHILD: "1",
        NOTHING: "1",
        "OMP_NUM_THREADS": "1",  # several processes of several threads each wait for one another
        "PYTHONUTF8": "1",
    }
    command = [sys.executable, "-m", module, *arguments]
    return subprocess.Popen(command, cwd=cwd, env=environment, stdin=subprocess.PIPE, **options)


def end_with_parent() -> None:
    """To be called first by what ``start`` starts: the system closes the pipe when the other end is gone."""
    if os.environ.pop(CHILD, None):
        threading.Thread(target=_wait, daemon=True).start()


def _wait() -> None:
    os.read(sys.stdin.fileno(), 1)
    os._exit(1)
