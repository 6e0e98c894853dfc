"""Says what is wrong with the book."""

from __future__ import annotations

import io
import sys

from book import ROOT
from book.checks.every import check_pages


def main() -> int:
    if isinstance(sys.stdout, io.TextIOWrapper):
        sys.stdout.reconfigure(errors="backslashreplace")  # a console that knows no Hangul
    problems = check_pages(ROOT)
    for problem in problems:
        print(problem)
    print(f"{len(problems)} problems" if problems else "the book holds together")
    return 1 if problems else 0


if __name__ == "__main__":
    sys.exit(main())
