"""The commands of the book: ``python -m book COMMAND``; without one, it says which there are."""

from __future__ import annotations

import runpy
import sys

#: What is typed: the module that it runs, and what that does.
COMMANDS = {
    "page": ("book.authoring.page", "make a new page, or run all that belongs to one: PART/NAME"),
    "checks": ("book.checks.__main__", "say what is wrong with the book"),
    "figures": ("book.artifacts.figures", "draw the figures that are out of date, or those named"),
    "labs": ("book.artifacts.kernels", "execute the labs that are out of date"),
    "results": ("book.artifacts.results", "train what is out of date; --restamp, --check"),
    "weights": ("book.artifacts.weights", "write the weights of the models that run in pages"),
    "exercises": ("book.artifacts.exercises", "write what the site shows of the exercises"),
    "made": ("book.artifacts.made", "make all that a build makes besides pages"),
    "comments": ("book.source.comments", "add to the catalogs what has no Korean yet"),
    "minutes": ("book.source.minutes", "say how long pages take to read"),
    "wording": ("book.source.wording", "count the words that the book does not use"),
    "rooms": ("book.authoring.rooms", "draw the rooms of this package into the README"),
    "external": ("book.checks.external", "ask for every address of others that the book names"),
    "pdf": ("book.finish.pdf", "print the built site"),
    "slides": ("book.finish.slides", "make slides of the figures of the built site"),
    "zensical": ("book.adapters.zensical", "build the pages with Zensical: SITE"),
}


def main(arguments: list[str]) -> int:
    """Run a command with the arguments behind its name; returns the exit code of a name that is none."""
    if not arguments or arguments[0] not in COMMANDS:
        print("python -m book COMMAND")
        for name, (_, does) in COMMANDS.items():
            print(f"  {name:<10} {does}")
        return 2 if arguments else 0
    name, *others = arguments
    sys.argv = [name, *others]
    runpy.run_module(COMMANDS[name][0], run_name="__main__", alter_sys=True)
    return 0


if __name__ == "__main__":
    sys.exit(main(sys.argv[1:]))
