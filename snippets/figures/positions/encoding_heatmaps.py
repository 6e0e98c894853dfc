"""Sinusoidal encodings of many positions as heatmaps, for two dimensions."""

import torch
from matplotlib.colors import LinearSegmentedColormap

from snippets.figures import style
from snippets.positions.sinusoidal import positional_encoding

WIDTHS = {64: 100, 512: 200}  # d_model: how many positions

TEXT = {
    "ko": {"x": "성분", "y": "위치"},
    "en": {"x": "component", "y": "position"},
}

SIGNED = LinearSegmentedColormap.from_list("signed", ["#1d4f8c", "#8fb8e0", "#f6f4f1", "#e6a56a", "#8f3f04"], N=65)


def draw(text, width=style.WIDTH):
    figure, axes = style.plt.subplots(2, 1, figsize=(width, 5.6))
    for ax, (d_model, n) in zip(axes, WIDTHS.items(), strict=True):
        encoding = positional_encoding(torch.arange(float(n)), d_model)
        image = ax.imshow(encoding.numpy(), cmap=SIGNED, vmin=-1, vmax=1, aspect="auto", interpolation="none")
        ax.set_title(f"d_model = {d_model}")
        ax.set_ylabel(text["y"])
        ax.set_xticks([0, d_model // 4, d_model // 2, 3 * d_model // 4, d_model - 1])
    axes[1].set_xlabel(text["x"])
    bar = figure.colorbar(image, ax=axes, shrink=0.4, aspect=14, ticks=[-1, 1])
    bar.outline.set_visible(False)
    return figure
