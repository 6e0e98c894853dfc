"""Dot product of two encodings against their offset, for three dimensions."""

import torch

from snippets.figures import style
from snippets.positions.distance import similarity

OFFSETS = torch.arange(-150.0, 151.0)

TEXT = {
    "ko": {"x": "오프셋 k", "y": "내적 / (d_model / 2)", "rise": "처음 커지는 곳: k = {}"},
    "en": {"x": "offset k of the two positions", "y": "dot product / (d_model / 2)", "rise": "first rise: k = {}"},
}


def draw(text, width=style.WIDTH):
    figure, ax = style.plt.subplots(figsize=(width, 3.2))
    for d_model, line, colour in [(64, ":", style.KEY), (128, "--", style.VALUE), (512, "-", style.QUERY)]:
        values = similarity(OFFSETS, d_model) / (d_model / 2)
        ax.plot(OFFSETS, values, line, color=colour, label=f"d_model = {d_model}")
    ahead = similarity(torch.arange(0.0, 151.0), 512) / 256
    rise = int((ahead[1:] > ahead[:-1]).nonzero()[0]) + 1
    ax.plot([rise], [ahead[rise]], "o", color=style.OUTPUT, ms=5)
    ax.annotate(text["rise"].format(rise), (rise, float(ahead[rise])), (rise + 4, 0.66), color=style.OUTPUT)
    ax.set_xlabel(text["x"])
    ax.set_title(text["y"])
    ax.grid(axis="y")
    style.legend(ax, "upper left")
    return figure
