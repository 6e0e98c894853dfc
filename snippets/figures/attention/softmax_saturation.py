"""Entropy of the weights and size of the softmax's Jacobian against d_k, three ways to scale."""

import functools
import math

import torch

from snippets.attention.why_sqrt_dk import entropy, sample_components, softmax_jacobian
from snippets.figures import style

SIZES = [1, 2, 4, 8, 16, 32, 64, 128, 256, 512]
KEYS = 16
SAMPLES = 1000

TEXT = {
    "ko": {
        "none": "나누지 않음",
        "root": "√d_k로 나눔",
        "full": "d_k로 나눔",
        "entropy": "가중치의 엔트로피 (최댓값 ln {} = {:.2f})",
        "jacobian": "소프트맥스 야코비 행렬의 노름",
        "x": "헤드 차원 d_k",
    },
    "en": {
        "none": "unscaled",
        "root": "divided by √d_k",
        "full": "divided by d_k",
        "entropy": "entropy of the weights (at most ln {} = {:.2f})",
        "jacobian": "norm of the softmax Jacobian",
        "x": "head size d_k",
    },
}

SCALES = {"none": lambda d_k: 1.0, "root": math.sqrt, "full": float}
FORMS = {"none": ("o", "--", style.INK), "root": ("D", "-", style.WEIGHT), "full": ("s", ":", style.INK)}
LEVELS = torch.tensor([0.1, 0.5, 0.9])


@functools.cache
def measure():
    """By scale: entropy and Jacobian norm, each (levels, sizes), as quantiles over random queries and keys."""
    generator = torch.Generator().manual_seed(0)
    result = {name: ([], []) for name in SCALES}
    for d_k in SIZES:
        q = sample_components((SAMPLES, 1, d_k), "normal", generator)
        k = sample_components((SAMPLES, KEYS, d_k), "normal", generator)
        dot_products = (q * k).sum(dim=-1)  # (SAMPLES, KEYS)
        for name, scale in SCALES.items():
            weights = torch.softmax(dot_products / scale(d_k), dim=-1)
            result[name][0].append(entropy(weights).quantile(LEVELS))
            result[name][1].append(softmax_jacobian(weights).flatten(1).norm(dim=1).quantile(LEVELS))
    return {name: [torch.stack(curve, dim=1) for curve in curves] for name, curves in result.items()}


def draw(text, width=style.WIDTH):
    figure, axes = style.plt.subplots(2, 1, figsize=(width, 4.6), sharex=True)
    for name, curves in measure().items():
        marker, line, colour = FORMS[name]
        for ax, (low, median, high) in zip(axes, curves, strict=True):
            ax.fill_between(SIZES, low, high, color=colour, alpha=0.14, lw=0)
            ax.plot(SIZES, median, marker + line, color=colour, ms=4, label=text[name])
    axes[0].set_title(text["entropy"].format(KEYS, math.log(KEYS)))
    axes[1].set_title(text["jacobian"])
    for ax in axes:
        ax.set_ylim(bottom=0)
        ax.grid(axis="y")
    axes[1].set_xscale("log", base=2)
    ticks = SIZES if width == style.WIDTH else SIZES[::2]
    axes[1].set_xticks(ticks, [str(size) for size in ticks])
    axes[1].minorticks_off()
    axes[1].set_xlabel(text["x"])
    style.name_lines(*axes)
    return figure
