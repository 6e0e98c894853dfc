"""The weights of one random query for eight keys of dimension 512, by what the scores are divided by."""

import math

import torch
from torch import Generator

from snippets.attention.why_sqrt_dk import sample_components
from snippets.figures import style

D_K, KEYS = 512, 8

TEXT = {
    "ko": {"one": "나누지 않음", "root": "√512로 나눔", "all": "512로 나눔", "x": "키", "y": "가중치"},
    "en": {"one": "not divided", "root": "divided by √512", "all": "divided by 512", "x": "key", "y": "weight"},
}


def weights():
    """By divisor, the weights of the same scores."""
    generator = Generator().manual_seed(0)
    q = sample_components((1, D_K), "normal", generator)
    k = sample_components((KEYS, D_K), "normal", generator)
    scores = (q @ k.T).squeeze(0)
    divisors = {"one": 1, "root": math.sqrt(D_K), "all": D_K}
    return {name: torch.softmax(scores / divisor, dim=0) for name, divisor in divisors.items()}


def draw(text, width=style.WIDTH):
    wide = width == style.WIDTH
    shape, height = ((1, 3), 1.9) if wide else ((3, 1), 4.2)
    figure, axes = style.plt.subplots(*shape, figsize=(width, height), sharey=True)
    for ax, (name, found) in zip(axes, weights().items(), strict=True):
        colour = style.VALUE if name == "root" else style.WEIGHT
        ax.bar(range(1, KEYS + 1), found.tolist(), color=colour, alpha=0.8, width=0.7)
        ax.set_title(text[name])
        ax.set_xticks(range(1, KEYS + 1))
        ax.set_ylim(0, 1)
        if wide or ax is axes[-1]:
            ax.set_xlabel(text["x"])
        if not wide or ax is axes[0]:
            ax.set_ylabel(text["y"])
    return figure
