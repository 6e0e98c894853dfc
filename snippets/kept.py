"""Results that take long, kept on disk until the code behind them changes."""

# --8<-- [start:imports]
import hashlib
from collections.abc import Callable
from importlib.metadata import version
from pathlib import Path

from filelock import FileLock

import snippets
from book.imports import sources
# --8<-- [end:imports]


# --8<-- [start:kept]
ROOT = Path(snippets.__file__).parent.parent


def kept(name: str, module: str, write: Callable[[Path], object]) -> Path:
    """A file in .cache that write has written, now or earlier with the same code.

    The code is that of snippets/module.py and of all modules that it imports.
    """
    digest = hashlib.sha256(version("torch").encode())
    for file in sources([ROOT / "snippets" / f"{module}.py"], ROOT):
        digest.update(file.read_bytes())
    folder = ROOT / ".cache"
    path = folder / f"{name}-{digest.hexdigest()[:16]}.pt"
    with FileLock(folder / f"{name}.lock"):  # a second process waits for the first
        if not path.exists():
            part = path.with_suffix(".part")  # half a file never looks like a whole
            write(part)
            for old in folder.glob(f"{name}-{'[0-9a-f]' * 16}.pt"):
                old.unlink()  # written by code that is gone
            part.replace(path)
    return path
# --8<-- [end:kept]
