"""Draw the figures: ``python -m snippets.figures`` those out of date, or those named.

Each figure module has ``TEXT``, its labels by language, and ``draw(text)``, which returns a
matplotlib figure. A figure that fails is named, and the exit status is 1.
"""

from __future__ import annotations

import importlib
import sys
import time
import traceback

import torch

from book import figures
from snippets.figures import style


def draw(name: str) -> dict[str, str]:
    """One figure as SVG text, by language."""
    module = importlib.import_module(f"snippets.figures.{name}")
    result = {}
    for language in figures.LANGUAGES:
        torch.manual_seed(0)
        result[language] = style.to_svg(module.draw(module.TEXT[language]))
    return result


def main(arguments: list[str]) -> int:
    unknown = sorted(set(arguments) - set(figures.names()))
    if unknown:
        print(f"no such figure: {', '.join(unknown)}; there are: {', '.join(figures.names())}", file=sys.stderr)
        return 2
    todo = arguments or figures.stale()
    figures.DRAWN.mkdir(parents=True, exist_ok=True)
    # taken before the code is read: what is edited while it is being drawn will be drawn again
    fingerprints = {name: figures.fingerprint(name) for name in todo}
    failed = []
    for number, name in enumerate(todo, start=1):
        print(f"figure {number}/{len(todo)}  {name}", end=" ", flush=True)
        start = time.perf_counter()
        try:
            drawn = draw(name)
        except Exception:
            failed.append(name)
            print("FAILED", flush=True)
            traceback.print_exc()
            continue
        for language, svg in drawn.items():
            figures.svg_path(name, language).write_text(svg, encoding="utf-8")
        figures.mark_drawn(name, fingerprints[name])
        print(f"({time.perf_counter() - start:.1f} s)", flush=True)
    if failed:
        print(f"could not draw: {', '.join(failed)}", file=sys.stderr)
    elif not todo:
        print("all figures are up to date")
    return 1 if failed else 0


if __name__ == "__main__":
    sys.exit(main(sys.argv[1:]))
