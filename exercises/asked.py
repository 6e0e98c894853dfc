"""A learner's file that is named and not there: it is begun, and the command starts once more.

pytest looks for its settings beside what is named. Where none of that exists, it finds those of the book's own tests,
which need all packages of the book.
"""

from __future__ import annotations

import itertools
import subprocess
import sys
from collections.abc import Sequence
from pathlib import Path

HERE = Path(__file__).resolve().parent


def not_there(arguments: Sequence[str], folder: Path) -> list[Path]:
    """Paths below exercises/ that are named and do not exist."""
    paths = [(folder / argument.partition("::")[0]).resolve() for argument in arguments if not argument.startswith("-")]
    return [path for path in paths if path.is_relative_to(HERE) and not path.exists()]


def with_suffix(argument: str, folder: Path) -> str:
    """The same, with the ``.py`` that was left out of the name of a file."""
    name, separator, stage = argument.partition("::")
    if not_there([argument], folder) and not Path(name).suffix:
        return f"{name.rstrip('/')}.py{separator}{stage}"
    return argument


def language_of(arguments: Sequence[str]) -> str:
    """What --language says, or nothing."""
    joined = [argument.partition("=")[2] for argument in arguments if argument.startswith("--language=")]
    return next((b for a, b in itertools.pairwise(arguments) if a == "--language"), joined[0] if joined else "")


def begin() -> None:
    """Write the blanks that this command names, and run it again. What is no exercise ends it, with those that are."""
    arguments = [with_suffix(argument, Path.cwd()) for argument in sys.argv[1:]]
    missing = not_there(arguments, Path.cwd())
    if not missing and arguments == sys.argv[1:]:
        return
    from exercises.checking import PARTS
    from exercises.language import LANGUAGES, say, speak
    from exercises.repair.stages import FOLDER, begin, read_everything

    language = language_of(arguments)
    if language in LANGUAGES:  # of any other, pytest says what there are
        speak(language)
    every = read_everything()
    for path in missing:
        name = path.relative_to(HERE).as_posix().removesuffix(".py")
        if name not in every:
            part = name.partition("/")[0]
            known = [one.partition("/")[2] for one in every if one.startswith(f"{part}/")] or [*PARTS, FOLDER]
            raise SystemExit(
                say("there is no exercise {names}; there are: {known}", names=name, known=", ".join(known))
            )
        if told := begin(every[name]):  # not when two of its stages are named
            print(told, flush=True)
    raise SystemExit(subprocess.call([sys.executable, "-m", "pytest", *arguments]))
