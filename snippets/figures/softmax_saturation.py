"""Entropy of the weights and size of the softmax's Jacobian against d_k, three ways to scale."""

import math

import torch

from snippets.figures import style
from snippets.scaling import entropy, sample_components, softmax_jacobian

SIZES = [1, 2, 4, 8, 16, 32, 64, 128, 256, 512]
KEYS = 16
SAMPLES = 400

TEXT = {
    "ko": {
        "none": "나누지 않음",
        "root": "√d_k로 나눔",
        "full": "d_k로 나눔",
        "entropy": "가중치의 엔트로피\n(log 16에 대한 비율)",
        "jacobian": "소프트맥스 야코비\n행렬의 크기",
        "x": "헤드 크기 d_k",
    },
    "en": {
        "none": "not divided",
        "root": "divided by √d_k",
        "full": "divided by d_k",
        "entropy": "entropy of the weights\n(share of log 16)",
        "jacobian": "norm of the\nsoftmax Jacobian",
        "x": "head size d_k",
    },
}

SCALES = {"none": lambda d_k: 1.0, "root": math.sqrt, "full": float}
COLOURS = {"none": style.KEY, "root": style.OUTPUT, "full": style.QUERY}
MARKERS = {"none": "o", "root": "D", "full": "s"}


def measure():
    """Mean entropy (as a share of log KEYS) and mean Jacobian norm, by scale and d_k."""
    generator = torch.Generator().manual_seed(0)
    result = {name: ([], []) for name in SCALES}
    for d_k in SIZES:
        q = sample_components((SAMPLES, 1, d_k), "normal", generator)
        k = sample_components((SAMPLES, KEYS, d_k), "normal", generator)
        scores = (q * k).sum(dim=-1)  # (SAMPLES, KEYS)
        for name, scale in SCALES.items():
            weights = torch.softmax(scores / scale(d_k), dim=-1)
            result[name][0].append(entropy(weights).mean().item() / math.log(KEYS))
            result[name][1].append(softmax_jacobian(weights).flatten(1).norm(dim=1).mean().item())
    return result


def draw(text):
    figure, axes = style.plt.subplots(2, 1, figsize=(style.WIDTH, 4.4), sharex=True)
    for name, curves in measure().items():
        for ax, curve in zip(axes, curves, strict=True):
            ax.plot(SIZES, curve, MARKERS[name] + "-", color=COLOURS[name], ms=4, label=text[name])
    for ax, label in zip(axes, ("entropy", "jacobian"), strict=True):
        ax.set_ylabel(text[label])
        ax.set_ylim(bottom=0)
        ax.grid(axis="y")
    axes[1].set_xscale("log", base=2)
    axes[1].set_xticks(SIZES, [str(size) for size in SIZES])
    axes[1].minorticks_off()
    axes[1].set_xlabel(text["x"])
    axes[0].legend(loc="lower left")
    return figure
