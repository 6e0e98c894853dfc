"""Results that take long, kept on disk until the code behind them changes."""

# --8<-- [start:imports]
from collections.abc import Callable
from pathlib import Path

from filelock import FileLock

from snippets import ROOT
from snippets.tools.fingerprint import fingerprint, sources
# --8<-- [end:imports]


# --8<-- [start:kept]
def kept(name: str, module: str, write: Callable[[Path], object]) -> Path:
    """A file in .cache that write has written, now or earlier with the same code.

    The code is that of snippets/module.py and of all modules that it imports.
    """
    code = sources([ROOT / "snippets" / f"{module}.py"], ROOT)
    folder = ROOT / ".cache"
    path = folder / f"{name}-{fingerprint(code, ROOT)[:16]}.pt"
    with FileLock(folder / f"{name}.lock"):  # a second process waits for the first
        if not path.exists():
            part = path.with_suffix(".part")  # half a file never looks like a whole
            write(part)
            for old in folder.glob(f"{name}-{'[0-9a-f]' * 16}.pt"):
                old.unlink()  # written by code that is gone
            part.replace(path)
    return path
# --8<-- [end:kept]
