"""Norm of the gradient at the input of a deep random network, with residual connections and without."""

import functools

import torch
from torch import nn

from snippets.figures import style

DEPTHS, SEEDS = range(1, 51, 7), 5

TEXT = {
    "ko": {
        "x": "층의 수",
        "y": "입력에서 잰 기울기의 노름(출력에서 1)",
        "with": "잔차 연결 있음",
        "without": "잔차 연결 없음",
    },
    "en": {
        "x": "number of layers",
        "y": "gradient norm at the input (1 at the output)",
        "with": "with residual connections",
        "without": "without residual connections",
    },
}


#: For whoever touches it: numbers of layers, and scales of the weights, times Xavier's (None: as PyTorch has them).
TOUCHED, GAINS = (1, 2, 5, 10, 20, 35, 50), (0.5, None, 0.75, 1.0, 1.5, 2.0, 3.0)


@functools.cache
def norms(depth, residual, gain, seed):
    """(depth,): the norm of the gradient at each layer's input in the random network of the page, as a multiple of that
    at the output; gain: of the weights, as a multiple of Xavier's, or None as PyTorch initializes them."""
    torch.manual_seed(seed)
    y = torch.randn(1, 64).double().requires_grad_()
    inputs = []
    for _ in range(depth):
        inputs.append(y)
        linear = nn.Linear(64, 64)
        if gain is not None:
            nn.init.xavier_normal_(linear.weight, gain)
        change = torch.tanh(linear.double()(y))
        y = y + change if residual else change
    found = torch.autograd.grad(y.sum(), inputs)
    return torch.cat(found).norm(dim=1) / 64**0.5  # at the output, it is a vector of ones


def gradients(residual, xavier):
    """By seed and depth, at the input: (SEEDS, depths)."""
    gain = 1.0 if xavier else None
    return torch.tensor([[norms(n, residual, gain, seed)[0] for n in DEPTHS] for seed in range(SEEDS)])


def numbers():
    """For whoever touches it: with residual connections and without, by gain and depth: mean, least and most of all
    seeds, layer by layer, as the page prints them, with two digits."""

    def spread(depth, residual, gain):
        runs = torch.stack([norms(depth, residual, gain, seed) for seed in range(SEEDS)])
        return [[float(f"{x:.2g}") for x in row.tolist()] for row in (runs.mean(0), runs.amin(0), runs.amax(0))]

    return {
        name: {str(gain): {str(n): spread(n, residual, gain) for n in TOUCHED} for gain in GAINS}
        for name, residual in (("with", True), ("without", False))
    }


def draw(text, width=style.WIDTH):
    figure, ax = style.plt.subplots(figsize=(width, 2.7))
    for residual, colour, marker in [(True, style.QUERY, "s"), (False, style.KEY, "o")]:
        label = text["with" if residual else "without"]
        ax.text(DEPTHS[0], 1e2 if residual else 1e-11, label, color=colour, size=style.SMALL)
        for xavier, name in enumerate(["PyTorch", "Xavier"]):
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
    ax.set_ylim(top=1e4)
    style.name_lines(ax)
    return figure
