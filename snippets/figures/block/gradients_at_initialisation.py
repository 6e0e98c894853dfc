"""Gradient of each layer before training, post-LN against pre-LN, for three depths."""

import functools

import torch

from snippets.block.post_pre_ln import gradients_by_layer
from snippets.figures import style

DEPTHS, SEEDS = [6, 12, 24], 5

TEXT = {
    "ko": {"layers": "{}층", "x": "층", "y": "기울기의 노름"},
    "en": {"layers": "{} layers", "x": "layer", "y": "norm of the gradient"},
}


@functools.cache
def measure(depth, norm_first):
    """(SEEDS, depth): every seed's gradient norms, from the first layer to the last."""
    return torch.stack([gradients_by_layer(depth, norm_first, seed) for seed in range(SEEDS)])


def numbers():
    """For whoever touches it: by order and depth, the norms of each seed, layer by layer."""
    return {
        name: {
            str(depth): measure(depth, name == "pre-LN").double().mul(1e5).round().div(1e5).tolist() for depth in DEPTHS
        }
        for name, *_ in style.ORDERS
    }


def draw(text):
    figure, axes = style.plt.subplots(len(DEPTHS), 1, figsize=(style.WIDTH, 5.6))
    most = max(measure(depth, norm_first).max().item() for depth in DEPTHS for norm_first in (False, True))
    for ax, depth in zip(axes, DEPTHS, strict=True):
        layers = torch.arange(1, depth + 1)
        for name, colour, marker in style.ORDERS:
            norms = measure(depth, name == "pre-LN")
            low, high = norms.amin(dim=0), norms.amax(dim=0)
            ax.fill_between(layers, low, high, color=colour, alpha=0.2, lw=0)
            ax.plot(layers, norms.mean(dim=0), marker + "-", color=colour, ms=3, lw=1.2, label=name)
        ax.set_title(text["layers"].format(depth))
        ax.set_ylim(0, 1.05 * most)
        ax.set_xticks(sorted({1, *range(depth // 6, depth + 1, depth // 6)}))
        ax.grid(axis="y")
    axes[1].set_ylabel(text["y"])
    axes[-1].set_xlabel(text["x"])
    style.name_lines(*axes)
    return figure
