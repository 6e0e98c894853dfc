"""What the figures share: colours, sizes, and how a figure becomes an SVG.

The same thing has the same colour in every figure. Colours are written into the SVG as CSS
variables, so a page can give them another shade on a dark background. Labels stay text, which
the reader's own font draws: so they are one line each, and placed by their anchor.
"""

from __future__ import annotations

import io
import logging
import re

import matplotlib

matplotlib.use("svg")

import matplotlib.pyplot as plt  # noqa: E402
from matplotlib.patches import Rectangle  # noqa: E402

QUERY, KEY, VALUE, WEIGHT, OUTPUT = "#2563ab", "#b4540a", "#1f7a45", "#7b3fa0", "#b3261e"
INK, FAINT = "#1f2328", "#6b737c"

#: Colour in the file -> name of the CSS variable that stands for it; docs/assets/css/book.css sets them.
VARIABLES = {
    QUERY: "--figure-query",
    KEY: "--figure-key",
    VALUE: "--figure-value",
    WEIGHT: "--figure-weight",
    OUTPUT: "--figure-output",
    INK: "--figure-ink",
    FAINT: "--figure-faint",
}

#: Inches. On a phone a point of a figure as wide as this is about a pixel.
WIDTH = 4.6
#: Points, of the smallest labels.
SMALL = 8.5
#: How much of its colour a cell has at least and at most: the ink on it must be readable on either theme.
PALEST, DEEPEST = 0.06, 0.42

plt.rcParams.update(
    {
        "svg.fonttype": "none",
        "svg.hashsalt": "book",
        "svg.id": None,
        "font.family": "sans-serif",
        "font.size": 9,
        "axes.titlesize": 9,
        "axes.titlelocation": "left",
        "axes.labelsize": 9,
        "xtick.labelsize": SMALL,
        "ytick.labelsize": SMALL,
        "legend.fontsize": SMALL,
        "legend.frameon": False,
        "text.color": INK,
        "axes.labelcolor": INK,
        "axes.edgecolor": FAINT,
        "xtick.color": FAINT,
        "ytick.color": FAINT,
        "xtick.labelcolor": INK,
        "ytick.labelcolor": INK,
        "axes.spines.top": False,
        "axes.spines.right": False,
        "axes.grid": False,
        "grid.color": FAINT,
        "grid.alpha": 0.35,
        "grid.linewidth": 0.6,
        "lines.linewidth": 1.6,
        "figure.constrained_layout.use": True,
        "savefig.transparent": True,
    }
)
# The reader's own font draws the labels, so it does not matter that matplotlib's has no Hangul.
logging.getLogger("matplotlib.font_manager").setLevel(logging.ERROR)


def canvas(height):
    """A figure of ``height`` points and axes that count points from its upper left corner."""
    figure = plt.figure(figsize=(WIDTH, height / 72), layout="none")
    ax = figure.add_axes((0, 0, 1, 1))
    ax.set(xlim=(0, WIDTH * 72), ylim=(height, 0))
    ax.axis("off")
    return figure, ax


def cells(ax, values, x, y, *, colour, size=(22, 18), show="{:g}", shade=None, rows=(), columns=()):
    """Draw a matrix on a canvas, its numbers in cells: the larger the number, the deeper the colour.

    values: (rows, columns). x, y: the upper left corner; size: (width, height) of a cell.
    show: a format, or a function from number to text. shade: other numbers to colour by.
    rows stand on the left, columns below.
    """
    width, height = size
    shade = values if shade is None else shade
    most = max(1e-9, float(shade.max()))
    middle = 0.36 * SMALL  # from the middle of a line of text down to its baseline
    for i, (row, depths) in enumerate(zip(values.tolist(), shade.tolist(), strict=True)):
        for j, (value, depth) in enumerate(zip(row, depths, strict=True)):
            left, top = x + j * width, y + i * height
            alpha = PALEST + (DEEPEST - PALEST) * depth / most
            ax.add_patch(Rectangle((left + 0.5, top + 0.5), width - 1, height - 1, color=colour, alpha=alpha, lw=0))
            text = show(value) if callable(show) else show.format(value)
            ax.text(left + width / 2, top + height / 2 + middle, text, ha="center", size=SMALL)
    for i, text in enumerate(rows):
        ax.text(x - 4, y + (i + 0.5) * height + middle, text, ha="right", size=SMALL)
    for j, text in enumerate(columns):
        ax.text(x + (j + 0.5) * width, y + len(values) * height + 10, text, ha="center", size=SMALL)


def two_decimals(weight):
    """A weight; one of exactly 0 belongs to a key that may not be looked at, and looks different."""
    return "0" if weight == 0 else f"{weight:.2f}"


def _scripts(label):
    """Set ``d_k`` and ``K^T`` low and high. Unicode has no such letters that all fonts have."""
    small, level, result = 0.75, 0.0, ""
    pieces = re.split(r"([_^])([A-Za-z0-9]+)", label)
    for mark, piece in zip(["", *pieces[1::3]], pieces[2::3], strict=False):
        del mark, piece
    marked = [("", pieces[0]), *(p for i in range(1, len(pieces), 3) for p in ((pieces[i], pieces[i + 1]), ("", pieces[i + 2])))]
    return marked, small, level, result
