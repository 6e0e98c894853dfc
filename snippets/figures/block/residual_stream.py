"""Size of the vectors after each layer before training, post-LN against pre-LN."""

import functools

import torch

from snippets.block.post_pre_ln import sizes_by_layer
from snippets.figures import style

DEPTH, SEEDS = 24, 5

TEXT = {
    "ko": {"pre": "마지막 층 정규화 앞", "x": "지나온 층 수", "y": "성분의 RMS"},
    "en": {
        "pre": "before the final norm",
        "x": "layers passed",
        "y": "RMS of the components",
    },
}


@functools.cache
def measure(norm_first):
    """(SEEDS, DEPTH + 1)."""
    return torch.stack([sizes_by_layer(DEPTH, norm_first, seed) for seed in range(SEEDS)])


def draw(text):
    figure, ax = style.plt.subplots(figsize=(style.WIDTH, 2.9))
    layers = torch.arange(DEPTH + 1)
    for name, colour, marker in style.ORDERS:
        sizes = measure(name == "pre-LN")
        label = f"{name}\n{text['pre']}" if name == "pre-LN" else name
        ax.fill_between(layers, sizes.amin(dim=0), sizes.amax(dim=0), color=colour, alpha=0.2, lw=0)
        ax.plot(layers, sizes.mean(dim=0), marker + "-", color=colour, ms=3, lw=1.2, label=label)
    ax.set_ylim(bottom=0)
    ax.set_xticks(range(0, DEPTH + 1, 4))
    ax.set_xlabel(text["x"])
    ax.set_title(text["y"])
    ax.grid(axis="y")
    style.name_lines(ax)
    return figure
