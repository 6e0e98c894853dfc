"""What a build makes besides the pages: figures, executed labs, weights that run in the page, and what the site shows
of the exercises.

``python -m book made`` makes what is out of date, figures and then labs, each of them on all cores. A second build
that needs the same waits for the first. What has to be trained, no build makes: that is said before anything else, and
fails.
"""

from __future__ import annotations

import sys
from concurrent.futures import ThreadPoolExecutor

from filelock import FileLock, Timeout

from book import ROOT
from book.artifacts import exercises, figures, labs, results, weights
from book.problems import BookError
from book.processes import end_with_parent

LOCK = ROOT / ".cache" / "made.lock"


def make_stale(but_labs: bool = False) -> None:
    """Raises ``FigureError``, ``LabError``, ``WeightsError`` or ``ExercisesError``. Writes nothing where nothing is out
    of date. ``but_labs``: they take as long as all the rest, and whoever serves the book shows it without them first.
    """
    todo = _stale(but_labs)
    if not any(todo):
        return
    lock = FileLock(LOCK)  # makes its folder, too
    try:
        lock.acquire(timeout=0)
    except Timeout:
        print("another build is drawing and executing: waiting for it", flush=True)
        lock.acquire()
        todo = _stale(but_labs)
    try:
        _make(*todo)
    finally:
        lock.release()


def _stale(but_labs: bool) -> tuple[list, list, list, bool]:
    """Figures, labs and weights, and whether what the exercises show is."""
    return figures.stale(), [] if but_labs else labs.stale(), weights.stale(), bool(exercises.stale())


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
