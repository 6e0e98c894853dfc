"""Norm of the gradient at the input of a deep random network, with residual connections and without."""

import functools

import torch
from torch import nn

from snippets.figures import style

DEPTHS, SEEDS = range(1, 51, 7), 5

TEXT = {
    "ko": {
        "x": "층의 수",
        "y": "입력에서의 기울기의 노름, 출력에서를 1로",
        "with": "잔차 연결 있음",
        "without": "잔차 연결 없음",
    },
    "en": {
        "x": "number of layers",
        "y": "gradient norm at the input (1 at the output)",
        "with": "with residual connections",
        "without": "without",
    },
}


@functools.cache
def gradients(residual, xavier):
    """By seed and depth: the random network of the page, (SEEDS, depths)."""
    found = torch.empty(SEEDS, len(DEPTHS))
    for seed in range(SEEDS):
        for i, depth in enumerate(DEPTHS):
            torch.manual_seed(seed)
            x = torch.randn(1, 64, requires_grad=True)
            y = x
            for _ in range(depth):
                linear = nn.Linear(64, 64)
                if xavier:
                    nn.init.xavier_normal_(linear.weight)
                change = torch.tanh(linear(y))
                y = y + change if residual else change
            y.sum().backward()
            found[seed, i] = x.grad.norm() / 64**0.5  # at the output, it is a vector of ones
    return found


def draw(text, width=style.WIDTH):
    figure, ax = style.plt.subplots(figsize=(width, 2.7))
    for residual, colour, marker in [(True, style.QUERY, "s"), (False, style.KEY, "o")]:
        label = text["with" if residual else "without"]
        for xavier in (False, True):
            name = f"{label}, Xavier" if xavier else label
            style.spread(ax, list(DEPTHS), gradients(residual, xavier), colour, marker, name)
            if xavier:
                ax.lines[-1].set(markerfacecolor="none", linestyle="--")
    ax.set_yscale("log")
    ticks = [1e-12, 1e-8, 1e-4, 1]
    ax.set_yticks(ticks, [f"{tick:g}" for tick in ticks])
    ax.minorticks_off()
    ax.set_xticks(list(DEPTHS))
    ax.set_xlabel(text["x"])
    ax.set_title(text["y"])
    ax.grid(axis="y")
    style.legend(ax, "lower left")
    return figure
