"""Results that take long, kept on disk until the code behind them changes."""

# --8<-- [start:imports]
import os
from collections.abc import Callable

from filelock import FileLock

from snippets import ROOT
from snippets.tools.fingerprint import fingerprint, sources
from snippets.tools.results import Result, read, write
# --8<-- [end:imports]


class NotTrained(RuntimeError):
    """A result is needed where nothing is trained; the message says how to get it."""


#: Set in the processes of builds and tests, which nobody starts in order to train: they train nothing.
NOTHING = "BOOK_TRAINS_NOTHING"


def train_nothing(name: str) -> None:
    """Raise NotTrained in such a process, if it is about a result of the book."""
    if os.environ.get(NOTHING) and RESULTS == ROOT / "snippets" / "results":
        raise NotTrained(
            f"snippets/results/{name}: the code that makes it has changed. If it computes the same as before, "
            f"run: python -m book results --restamp {name}; else, to train: python -m book results {name}"
        )


# --8<-- [start:kept]
RESULTS = ROOT / "snippets" / "results"  # come with the book
CACHE = ROOT / ".cache"


def made_by(module: str) -> str:
    """A hash of snippets/module.py and its imports, except for tools and style."""
    files = sources([ROOT / "snippets" / f"{module}.py"], ROOT)
    counts = [f for f in files if f.parent.name not in ("tools", "figures")]
    return fingerprint(counts, ROOT)


def kept(name: str, module: str, compute: Callable[[], Result]) -> Result:
    """What compute returns: tensors by name, and data that JSON can hold.

    If the same code has computed it before, it is read from snippets/results,
    which comes with the book, or from .cache.
    """
    code = made_by(module)
    for folder in (RESULTS, CACHE):
        if result := read(folder / name, code):
            return result
    train_nothing(name)
    with FileLock(CACHE / f"{name}.lock"):  # a second process waits for the first
        if not read(CACHE / name, code):
            write(CACHE / name, code, compute())
        return read(CACHE / name, code)
# --8<-- [end:kept]
