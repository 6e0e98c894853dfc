"""How one projected vector per token is cut into heads, on real numbers."""

import torch

from snippets.figures import style
from snippets.multi_head import split_heads

TOKENS, D_MODEL, HEADS = 3, 8, 4

TEXT = {
    "ko": {
        "before": "XW_Q: (n, d_model) = (3, 8)",
        "head": "헤드 {}",
        "token": "토큰",
        "after": "split_heads: (h, n, d_k) = (4, 3, 2)",
    },
    "en": {
        "before": "XW_Q: (n, d_model) = (3, 8)",
        "head": "head {}",
        "token": "token",
        "after": "split_heads: (h, n, d_k) = (4, 3, 2)",
    },
}


def draw(text):
    generator = torch.Generator().manual_seed(0)
    x = torch.randn(1, TOKENS, D_MODEL, generator=generator)
    w_q = torch.randn(D_MODEL, D_MODEL, generator=generator) / D_MODEL**0.5
    q = x @ w_q
    heads = split_heads(q, HEADS)[0]
    tokens = [str(i + 1) for i in range(TOKENS)]
    colours = {"cmap": style.SIGNED, "vmin": -2.5, "vmax": 2.5, "fmt": "{:.1f}", "size": 8.5}
    figure = style.plt.figure(figsize=(style.WIDTH, 3.5))
    grid = figure.add_gridspec(2, HEADS)
    top = figure.add_subplot(grid[0, :])
    style.heatmap(top, q[0], rows=tokens, columns=[str(i) for i in range(D_MODEL)], **colours)
    for cut in range(1, HEADS):
        top.axvline(cut * D_MODEL / HEADS - 0.5, color="#ffffff", lw=3)
    top.set_title(text["before"])
    top.set_ylabel(text["token"])
    for number, head in enumerate(heads):
        ax = figure.add_subplot(grid[1, number])
        first = number * D_MODEL // HEADS
        style.heatmap(ax, head, rows=tokens, columns=[str(first), str(first + 1)], **colours)
        ax.set_title(text["head"].format(number + 1), size=9)
        if number == 0:
            ax.set_ylabel(text["token"])
    figure.supxlabel(text["after"], size=10)
    return figure
