"""What a build makes besides the pages: figures, executed labs, weights that run in the page, and what the site shows
of the exercises.

``python -m book made`` makes what is out of date, figures and then labs, each of them on all cores. A second build
that needs the same waits for the first. What has to be trained, no build makes: that is said before anything else, and
fails. Whoever serves the book shows its pages first, and makes what takes long while they are read.
"""

from __future__ import annotations

import sys
from collections.abc import Iterator
from concurrent.futures import ThreadPoolExecutor
from contextlib import contextmanager

from filelock import FileLock, Timeout

from book import ROOT
from book.artifacts import exercises, figures, labs, results, weights
from book.problems import BookError
from book.processes import end_with_parent

LOCK = ROOT / ".cache" / "made.lock"
#: So many figures are drawn before the pages of a served book are shown, as after an edit of theirs; more of them, as
#: on a new machine, while the pages are read.
AT_ONCE = 10


def make_stale(served: bool = False) -> None:
    """Make what is out of date; ``served``: but what ``make_behind`` makes while the pages are read.

    Raises ``FigureError``, ``LabError``, ``WeightsError`` or ``ExercisesError``. Writes nothing where nothing is out of
    date.
    """
    todo = _stale(served)
    if not any(todo):
        return
    with _alone() as waited:
        _make(*(_stale(served) if waited else todo))


def make_behind() -> bool:
    """Draw the figures that are out of date, or, if none is, execute the labs. Return whether there was anything to do:
    then there may be more. Raises ``FigureError`` or ``LabError``."""
    if undrawn := figures.stale():
        with _alone() as waited:
            figures.draw_anew(figures.stale() if waited else undrawn)
        return True
    unexecuted = labs.stale()
    labs.execute_anew(unexecuted)
    return bool(unexecuted)


@contextmanager
def _alone() -> Iterator[bool]:
    """Let no two processes make the same. Yields whether this one had to wait: then less may be out of date."""
    lock, waited = FileLock(LOCK), False  # makes its folder, too
    try:
        lock.acquire(timeout=0)
    except Timeout:
        print("another build is drawing and executing: waiting for it", flush=True)
        lock.acquire()
        waited = True
    try:
        yield waited
    finally:
        lock.release()


def _stale(served: bool) -> tuple[list, list, list, bool]:
    """Return figures, labs and weights to be made, and whether what the exercises show is."""
    undrawn = figures.stale()
    if served:
        return undrawn if len(undrawn) <= AT_ONCE else [], [], weights.stale(), bool(exercises.stale())
    return undrawn, labs.stale(), weights.stale(), bool(exercises.stale())


def _make(stale_figures: list, stale_labs: list, stale_weights: list, stale_exercises: bool) -> None:
    # On a new machine, whoever comes first compiles torch as well: five processes at once would all do so.
    figures.draw_anew(stale_figures)
    with ThreadPoolExecutor(2) as pool:
        others = [pool.submit(labs.execute_anew, stale_labs), pool.submit(weights.make_anew, stale_weights)]
        if stale_exercises:
            others.append(pool.submit(exercises.make_anew))
    for one in others:
        one.result()


def main() -> int:
    end_with_parent()
    try:
        results.check_trained()
        make_stale()
    except BookError as error:
        print(error, file=sys.stderr)
        return 1
    print("figures, labs, weights and exercises are up to date")
    return 0


if __name__ == "__main__":
    sys.exit(main())
