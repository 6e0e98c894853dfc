"""Figures: which are out of date, and how they are drawn. How a page takes one in is in ``book/markdown/inlined.py``.

A figure is one module ``snippets/figures/PART/NAME.py``, with ``TEXT``, its labels by language, and
``draw(text)``, which returns a matplotlib figure. It is drawn to ``docs/assets/figures/PART/
NAME.LANGUAGE.svg`` whenever the meaning of the code behind it has changed, and a page that says
``![alternative text](../assets/figures/PART/NAME.svg)`` gets the SVG itself, in its own language:
its text is then real text and its colours follow the reader's theme. What a reader may touch (see
book/markdown/touch.py) can need numbers of this code: ``numbers()`` of the module returns what is written to
``NAME.json`` with the drawings.

``python -m book figures`` draws those out of date, or those named, in several processes if that pays. A build does so
in a process of its own: nothing at the top of this file imports torch or matplotlib, so a build that has
nothing to draw stays fast, and one that has always runs the code as it stands on disk. What a figure has
measured of time comes from ``snippets/results``, so that it is the same for all, and nobody has to wait.
"""

from __future__ import annotations

import gc
import importlib
import json
import multiprocessing
import os
import re
import sys
import time
import traceback
from concurrent.futures import ProcessPoolExecutor, as_completed
from pathlib import Path

from book import LANGUAGES, ROOT, files
from book.artifacts import store
from book.problems import BookError
from book.processes import end_with_parent, run
from book.source.text import near
from snippets.tools import fingerprint as code
from snippets.tools.kept import NOTHING

MODULES = ROOT / "snippets" / "figures"
DRAWN = ROOT / "docs" / "assets" / "figures"
#: The pictures of a link to the book, one for each language, and the figure that is on them.
CARDS, ON_CARD = DRAWN / "cards", "attention/attention_steps"
#: So many figures are drawn in one process, and where a process cannot be a copy of another one, all of them on so many
#: cores: what it has to load takes as long as some figures, and a build has labs for the second core.
FEW = 2
#: Whether a process can be a copy of one that has loaded what takes long: all libraries, no code of the book.
COPIES = hasattr(os, "fork")
LOADED = ("torch", "torch._dynamo", "matplotlib.pyplot", "matplotlib.backends.backend_svg", "PIL.Image")
#: On whose versions it depends what a figure looks like.
LIBRARIES = ("torch", "matplotlib", "numpy", "tokenizers", "kiwipiepy", "kiwipiepy_model")


#: Behind a language, in the name of a drawing for phones.
NARROW = ".narrow"


class FigureError(BookError):
    """A figure that cannot be drawn, found or shown."""


def names() -> list[str]:
    """All figures, ``PART/NAME``."""
    files = (path for path in MODULES.glob("*/*.py") if not path.name.startswith(("_", ".")))
    return sorted(path.relative_to(MODULES).with_suffix("").as_posix() for path in files)


def module_path(name: str) -> Path:
    return MODULES / f"{name}.py"


def svg_path(name: str, language: str) -> Path:
    return DRAWN / f"{name}.{language}.svg"


def has_numbers(name: str) -> bool:
    """Told without running the module, which would load torch."""
    return "\ndef numbers():\n" in module_path(name).read_text(encoding="utf-8")


def numbers_path(name: str) -> Path:
    return DRAWN / f"{name}.json"


def has_narrow(name: str) -> bool:
    """Whether phones have a drawing of their own, told without running the module."""
    return bool(re.search(r"^def draw\(text\b.*\bwidth=", module_path(name).read_text(encoding="utf-8"), re.MULTILINE))


def kinds(name: str) -> list[str]:
    """The drawings of a figure: of each language, and of each for phones, if it has any."""
    return [*LANGUAGES, *(language + NARROW for language in LANGUAGES if has_narrow(name))]


def drawn_paths(name: str) -> dict[str, Path]:
    """Everything that is drawn of a figure: the SVG of each kind, and its numbers, if it has any."""
    svgs = {kind: svg_path(name, kind) for kind in kinds(name)}
    return {**svgs, "numbers": numbers_path(name)} if has_numbers(name) else svgs


def sources(name: str) -> list[Path]:
    """The module of a figure and every file of ``snippets`` that it imports, directly or not."""
    return code.sources([module_path(name)], ROOT)


def fingerprint(name: str, libraries: list[str] | None = None) -> str:
    """A hash of the code behind a figure and of the libraries that draw it; without these, they are looked up."""
    files = {*sources(name), MODULES / "style.py"}
    return code.fingerprint(sorted(files), ROOT, *(libraries or code.versions(LIBRARIES)), packages=())


def is_drawn(name: str) -> bool:
    """Whether all that is drawn of a figure is there, of whatever code."""
    return all(path.is_file() for path in drawn_paths(name).values())


def stale() -> list[str]:
    """Figures that were never drawn, lost a file or half of it, or whose code has changed since."""
    libraries = code.versions(LIBRARIES)
    return [
        name
        for name in names()
        if not store.is_current(f"figures/{name}", fingerprint(name, libraries), [*drawn_paths(name).values()])
        or (name == ON_CARD and not all(map(Path.is_file, map(card_path, LANGUAGES))))
    ]


def mark_drawn(name: str, drawn_from: str) -> None:
    """Remember the fingerprint of the code from which a figure was drawn."""
    store.keep(f"figures/{name}", drawn_from, [*drawn_paths(name).values()])


def draw_anew(names: list[str]) -> None:
    """Draw figures in a fresh process. Raises ``FigureError`` that names those that it could not."""
    if names and run("book.artifacts.figures", *names, cwd=ROOT):
        still = [name for name in stale() if name in names]
        raise FigureError(f"could not draw: {', '.join(still or names)} (the reason stands above)")


def draw(name: str) -> dict[str, str]:
    """One figure as SVG text, by language, and its numbers as JSON, if it has any."""
    from snippets.figures import style

    module = importlib.import_module(f"snippets.figures.{name.replace('/', '.')}")
    if name == ON_CARD:
        from book.artifacts import card

        for language in LANGUAGES:
            files.write(card_path(language), card.of(module, language))
    drawn = {language: style.drawn(module, language) for language in LANGUAGES}
    if has_narrow(name):
        drawn |= {language + NARROW: style.drawn(module, language, width=style.NARROW) for language in LANGUAGES}
    if has_numbers(name):
        drawn["numbers"] = json.dumps(module.numbers(), separators=(",", ":"), allow_nan=False) + "\n"
    return drawn


def card_path(language: str) -> Path:
    """Where the picture is that is seen of a link to a page in this language, when somebody shares it."""
    return CARDS / f"{language}.png"


def no_figure(name: str) -> str:
    """What to say about a figure that there is not."""
    return f"there is no snippets/figures/{name}.py{near(name, names())}"


def _drawn(name: str, libraries: list[str]) -> tuple[dict[str, str], str, str, str]:
    """What is drawn of a figure, the code it was drawn from, how long it took, and what went wrong."""
    before = fingerprint(name, libraries)  # taken before the code is read: what is edited meanwhile will be drawn again
    start = time.perf_counter()
    try:
        drawn, problem = draw(name), ""
    except Exception:
        drawn, problem = {}, traceback.format_exc()
    gc.collect()  # see _load
    gc.freeze()  # what is left is what has been imported
    return drawn, before, f"{time.perf_counter() - start:.1f} s", problem


def processes() -> ProcessPoolExecutor:
    """As many processes as there are cores, to draw in."""
    context = multiprocessing.get_context("forkserver" if COPIES else "spawn")
    if COPIES:
        context.set_forkserver_preload(list(LOADED))
    return ProcessPoolExecutor(os.cpu_count(), context, initializer=_prepare)


def _prepare() -> None:
    """In a process that draws."""
    from snippets.tools.in_parallel import prepare  # brings torch with it, which the one that shares out does without

    prepare()
    _load()


def _load() -> None:
    importlib.import_module("snippets.figures.style")
    gc.freeze()  # what is loaded now stays: to look for garbage in it, too, takes a fifth of the time
    gc.disable()  # and the rest of it is looked through once a figure


def main(arguments: list[str]) -> int:
    end_with_parent()
    os.environ[NOTHING] = "1"
    if unknown := [name for name in arguments if not module_path(name).is_file()]:
        print("\n".join(map(no_figure, unknown)), file=sys.stderr)
        return 2
    todo = arguments or stale()
    libraries = code.versions(LIBRARIES)
    failed, number = [], 0

    def note(name: str, drawn: dict[str, str], before: str, took: str, problem: str) -> None:
        nonlocal number
        number += 1
        print(f"figure {number}/{len(todo)}  {name}", "FAILED" if problem else f"({took})", flush=True)
        if problem:
            failed.append(name)
            print(problem, file=sys.stderr, flush=True)
            return
        for kind, path in drawn_paths(name).items():
            files.write(path, drawn[kind].encode())
        mark_drawn(name, before)

    if len(todo) > FEW and (os.cpu_count() or 1) > (1 if COPIES else FEW):
        with processes() as pool:
            drawing = {pool.submit(_drawn, name, libraries): name for name in todo}
            for done in as_completed(drawing):
                note(drawing[done], *done.result())
    elif todo:
        _load()
        for name in todo:
            note(name, *_drawn(name, libraries))
    if failed:
        print(f"could not draw: {', '.join(sorted(failed))}", file=sys.stderr)
    elif not todo:
        print("all figures are up to date")
    return 1 if failed else 0


if __name__ == "__main__":
    sys.exit(main(sys.argv[1:]))
