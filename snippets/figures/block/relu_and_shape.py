"""The feed-forward network of the base model: wider in the middle, and bent there by the ReLU."""

import torch
from matplotlib.patches import Polygon, Rectangle

from snippets.block.config import TransformerConfig
from snippets.block.feed_forward import FeedForward
from snippets.figures import style

TEXT = {
    "ko": {
        "in": "입력",
        "hidden": "은닉층",
        "out": "출력",
        "bend": "ReLU",
        "negative": "음수는 0",
        "positive": "양수는 그대로",
    },
    "en": {
        "in": "input",
        "hidden": "hidden",
        "out": "output",
        "bend": "ReLU",
        "negative": "below 0: 0",
        "positive": "above: kept",
    },
}


def widths():
    """Dimensions of input, hidden layer and output, in the base model."""
    config = TransformerConfig()
    with torch.device("meta"):
        network = FeedForward(config.d_model, config.d_ff, config.activation)
    return network.w_1.in_features, network.w_1.out_features, network.w_2.out_features


def draw(text):
    full, top, height = 116, 14, 20
    rows = [top, top + 62, top + 124]  # upper edges of output, hidden layer and input
    middle = 84
    figure, ax = style.canvas(rows[-1] + height + 8)
    sizes = dict(zip(("in", "hidden", "out"), widths(), strict=True))
    half = {name: full * size / sizes["hidden"] / 2 for name, size in sizes.items()}
    for below, above, y in [("hidden", "out", rows[0]), ("in", "hidden", rows[1])]:
        corners = [
            (middle - half[above], y + height),
            (middle + half[above], y + height),
            (middle + half[below], y + 62),
            (middle - half[below], y + 62),
        ]
        ax.add_patch(Polygon(corners, fc=style.FAINT, alpha=0.15, lw=0))
    for name, y, colour in zip(("out", "hidden", "in"), rows, (style.OUTPUT, style.WEIGHT, style.QUERY), strict=True):
        box = (middle - half[name], y)
        ax.add_patch(Rectangle(box, 2 * half[name], height, fc=colour, alpha=0.3, ec=colour, lw=1))
        ax.text(middle + full / 2 + 4, y + 8, text[name], color=colour, weight="bold")
        ax.text(middle + full / 2 + 4, y + 19, f"{sizes[name]}")
    for label, y in [("W_2", rows[0] + 44), ("W_1", rows[1] + 44)]:
        ax.text(middle, y, label, ha="center")
    # the activation, on axes of its own
    left, right, base, scale = 206, 314, rows[1] + 40, 13
    x = torch.linspace(-4, 4, 81)
    y = TransformerConfig().activation(x)
    centre = (left + right) / 2
    style.arrow(ax, (left, base), (right, base))
    style.arrow(ax, (centre, base + 18), (centre, rows[0] + 14))
    ax.plot(centre + scale * x, base - scale * y, color=style.WEIGHT, lw=2.2)
    ax.text(centre, rows[0] + 8, text["bend"], ha="center", color=style.WEIGHT, weight="bold")
    ax.text(centre - 4, base + 12, text["negative"], ha="right", size=style.SMALL)
    ax.text(centre + 4, base + 12, text["positive"], size=style.SMALL)
    return figure
