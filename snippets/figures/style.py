"""What the figures share: colours, fonts, and how a figure becomes an SVG.

The same thing has the same colour in every figure. Colours are written into the SVG as CSS
variables with a fallback, so a page can give them another shade on a dark background.
"""

from __future__ import annotations

import io
import logging
import re

import matplotlib

matplotlib.use("svg")

import matplotlib.pyplot as plt  # noqa: E402
from matplotlib.colors import LinearSegmentedColormap  # noqa: E402

QUERY, KEY, VALUE, WEIGHT, OUTPUT = "#2563ab", "#b4540a", "#1f7a45", "#7b3fa0", "#b3261e"
INK, FAINT = "#1f2328", "#8b929a"

#: Colour in the file -> name of the CSS variable that a page may set.
VARIABLES = {
    QUERY: "--figure-query",
    KEY: "--figure-key",
    VALUE: "--figure-value",
    WEIGHT: "--figure-weight",
    OUTPUT: "--figure-output",
    INK: "--figure-ink",
    FAINT: "--figure-faint",
}

#: For attention weights (0 to 1) and for signed numbers.
WEIGHTS = LinearSegmentedColormap.from_list("weights", ["#f3eef7", "#c9a9dc", "#7b3fa0", "#3d1a55"])
SIGNED = LinearSegmentedColormap.from_list("signed", ["#1d4f8c", "#8fb8e0", "#f6f4f1", "#e6a56a", "#8f3f04"])

#: Points. A figure as wide as this is readable on a phone without zooming.
WIDTH = 5.0

plt.rcParams.update(
    {
        "svg.fonttype": "none",
        "svg.hashsalt": "book",
        "svg.id": None,
        "font.family": "sans-serif",
        "font.size": 9.5,
        "axes.titlesize": 10,
        "axes.labelsize": 9.5,
        "xtick.labelsize": 8.5,
        "ytick.labelsize": 8.5,
        "legend.fontsize": 8.5,
        "legend.frameon": False,
        "text.color": INK,
        "axes.labelcolor": INK,
        "axes.edgecolor": FAINT,
        "xtick.color": INK,
        "ytick.color": INK,
        "axes.spines.top": False,
        "axes.spines.right": False,
        "axes.grid": False,
        "grid.color": FAINT,
        "grid.alpha": 0.35,
        "lines.linewidth": 1.8,
        "figure.constrained_layout.use": True,
        "savefig.transparent": True,
    }
)
# The reader's own font draws the labels, so it does not matter that matplotlib's has no Hangul.
logging.getLogger("matplotlib.font_manager").setLevel(logging.ERROR)


def heatmap(ax, values, *, cmap, vmin, vmax, fmt="{:g}", rows=None, columns=None, size=9.5):
    """Draw a small matrix with its numbers in the cells. ``values``: (rows, columns)."""
    image = ax.imshow(values, cmap=cmap, vmin=vmin, vmax=vmax, aspect="equal")
    for i, row in enumerate(values):
        for j, value in enumerate(row):
            red, green, blue, _ = image.cmap(image.norm(float(value)))
            dark = 0.299 * red + 0.587 * green + 0.114 * blue < 0.55
            text = fmt.format(float(value)) if isinstance(fmt, str) else fmt(float(value))
            ax.text(j, i, text, ha="center", va="center", size=size, color="#ffffff" if dark else "#000000")
    ax.set_xticks(range(len(values[0])), columns if columns is not None else [""] * len(values[0]))
    ax.set_yticks(range(len(values)), rows if rows is not None else [""] * len(values))
    ax.tick_params(length=0)
    ax.spines[:].set_visible(False)
    return image


def to_svg(figure) -> str:
    """The figure as SVG text, ready to stand in a page: the same figure always gives the same bytes."""
    buffer = io.StringIO()
    figure.savefig(buffer, format="svg", metadata=dict.fromkeys(["Creator", "Date", "Format", "Type"]))
    plt.close(figure)
    svg = buffer.getvalue()
    for colour, variable in VARIABLES.items():
        svg = re.sub(rf"(?<=[ :]){colour}\b", f"var({variable}, {colour})", svg, flags=re.IGNORECASE)
    svg = re.sub(r" font-family: [^;]+;", "", svg)  # the page's font
    # matplotlib's style sheet would hold for the whole page; as an attribute it holds for the figure
    svg = re.sub(r"\s*<defs>\s*<style.*?</style>\s*</defs>", "", svg, count=1, flags=re.DOTALL)
    svg = svg.replace("<svg ", '<svg style="stroke-linejoin: round; stroke-linecap: butt" ', 1)
    svg = re.sub(r"(\d\.\d\d)\d+", r"\1", svg)  # a hundredth of a point is exact enough
    return re.sub(r"[ \t]+$", "", svg, flags=re.MULTILINE)
