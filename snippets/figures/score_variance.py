"""Variance of q . k against d_k: theory and simulation, for three distributions."""

import torch

from snippets.figures import style
from snippets.scaling import sample_dot_products

SIZES = [1, 2, 4, 8, 16, 32, 64, 128, 256, 512]
SAMPLES = 20_000

TEXT = {
    "ko": {
        "theory": "이론: 분산 = d_k",
        "normal": "정규분포",
        "uniform": "균등분포",
        "sign": "±1",
        "scaled": "√d_k로 나눈 뒤",
        "x": "헤드 크기 d_k",
        "y": "q·k의 분산",
    },
    "en": {
        "theory": "theory: variance = d_k",
        "normal": "normal",
        "uniform": "uniform",
        "sign": "±1",
        "scaled": "after dividing by √d_k",
        "x": "head size d_k",
        "y": "variance of q·k",
    },
}


def draw(text):
    generator = torch.Generator().manual_seed(0)
    figure, ax = style.plt.subplots(figsize=(style.WIDTH, 3.1))
    ax.plot(SIZES, SIZES, color=style.FAINT, label=text["theory"], zorder=1)
    markers = [("normal", "o", style.QUERY), ("uniform", "s", style.KEY), ("sign", "^", style.VALUE)]
    for distribution, marker, colour in markers:
        scores = [sample_dot_products(d_k, SAMPLES, distribution, generator) for d_k in SIZES]
        variances = [s.var().item() for s in scores]
        ax.plot(SIZES, variances, marker, color=colour, ms=5, mfc="none", label=text[distribution])
        if distribution == "normal":
            scaled = [v / d_k for v, d_k in zip(variances, SIZES, strict=True)]
            ax.plot(SIZES, scaled, "D-", color=style.OUTPUT, ms=4, lw=1.2, label=text["scaled"])
    ax.set_xscale("log", base=2)
    ax.set_yscale("log", base=2)
    ax.set_xticks(SIZES, [str(size) for size in SIZES])
    ax.set_yticks(SIZES[::2], [str(size) for size in SIZES[::2]])
    ax.minorticks_off()
    ax.set_xlabel(text["x"])
    ax.set_ylabel(text["y"])
    ax.legend(loc="upper left")
    return figure
