"""Variance of q . k against d_k: theory and simulation, for three distributions."""

import functools
import math

import torch

from snippets.attention.why_sqrt_dk import sample_dot_products
from snippets.figures import style

SIZES = [1, 2, 4, 8, 16, 32, 64, 128, 256, 512]
SAMPLES = 20_000

TEXT = {
    "ko": {
        "theory": "이론: 분산 = d_k",
        "normal": "시뮬레이션: 정규분포",
        "uniform": "시뮬레이션: 균등분포",
        "sign": "시뮬레이션: ±1",
        "scaled": "√d_k로 나누면 {:.2f}~{:.2f}",
        "x": "헤드 차원 d_k",
        "y": "q · k의 분산",
    },
    "en": {
        "theory": "theory: variance = d_k",
        "normal": "simulation: normal",
        "uniform": "simulation: uniform",
        "sign": "simulation: ±1",
        "scaled": "divided by √d_k: {:.2f} to {:.2f}",
        "x": "head size d_k",
        "y": "variance of q · k",
    },
}


@functools.cache
def measure():
    """By distribution: the variance of q . k for each size, and that of q . k / sqrt(d_k)."""
    generator = torch.Generator().manual_seed(0)
    result = {}
    for distribution in ("normal", "uniform", "sign"):
        scores = [sample_dot_products(d_k, SAMPLES, distribution, generator) for d_k in SIZES]
        scaled = [s / math.sqrt(d_k) for s, d_k in zip(scores, SIZES, strict=True)]
        result[distribution] = [[s.var().item() for s in some] for some in (scores, scaled)]
    return result


def draw(text):
    figure, ax = style.plt.subplots(figsize=(style.WIDTH, 3.4))
    ax.plot(SIZES, SIZES, color=style.FAINT, lw=1, label=text["theory"], zorder=1)
    # the points lie on each other, so each sort is smaller than the one before
    for distribution, marker, size in [("normal", "o", 9), ("uniform", "s", 6), ("sign", "^", 3)]:
        variances, _ = measure()[distribution]
        ax.plot(SIZES, variances, marker, color=style.INK, ms=size, mew=1, mfc="none", label=text[distribution])
    every = [variance for _, scaled in measure().values() for variance in scaled]
    label = text["scaled"].format(min(every), max(every))
    ax.plot(SIZES, measure()["normal"][1], "D-", color=style.WEIGHT, ms=4, lw=1.2, label=label)
    ax.set_xscale("log", base=2)
    ax.set_yscale("log", base=2)
    ax.set_xticks(SIZES, [str(size) for size in SIZES])
    ax.set_yticks(SIZES[::2], [str(size) for size in SIZES[::2]])
    ax.minorticks_off()
    ax.set_xlabel(text["x"])
    ax.set_title(text["y"])
    style.name_line(ax, label, (SIZES[len(SIZES) // 2], 1), (0, 6))
    ax.legend(loc="upper left")
    return figure
