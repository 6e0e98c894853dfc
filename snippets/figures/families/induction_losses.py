"""The loss of three trainings, which falls in steps, and two levels that explain where."""

import math

import torch

from snippets.families.in_context_learning import SIZE
from snippets.families.mapping_learner import EASY, PAIRS, SEEDS, STEPS, curves
from snippets.figures import style

WINDOW = 10

TEXT = {
    "ko": {
        "x": "학습 스텝",
        "y": "숫자의 손실 ({}스텝씩 평균)",
        "seed": "시드 {}",
        "copying": "복사만 할 때",
        "best": "베이즈 최적",
    },
    "en": {
        "x": "training step",
        "y": "loss of the digits (means of {} steps)",
        "seed": "seed {}",
        "copying": "copying alone",
        "best": "Bayes-optimal",
    },
}


def levels():
    """Expected loss of a digit with all letters: guessing the others from all digits, and from those that are left."""
    whole = [(2 * PAIRS - dots) // 2 for dots in range(PAIRS)]  # pairs after so many dots: the last may be cut off
    copying = best = 0.0
    chance = [1.0] + [0.0] * SIZE  # by how many letters have been shown
    for k in range(PAIRS):
        weight = sum(pairs > k for pairs in whole) / sum(whole)  # of all digits, those after k pairs
        new = [p * (SIZE - shown) / SIZE for shown, p in enumerate(chance)]
        copying += weight * sum(new) * math.log(SIZE)
        best += weight * sum(new[shown] * math.log(SIZE - shown) for shown in range(SIZE))
        chance = [p - new[shown] + (new[shown - 1] if shown else 0.0) for shown, p in enumerate(chance)]
    return {"copying": copying, "best": best}


def draw(text):
    figure, ax = style.plt.subplots(figsize=(style.WIDTH, 2.9))
    steps, means = style.means(torch.tensor([curves()[seed]["losses"] for seed in SEEDS]), WINDOW)
    for seed, curve, colour, dashes in zip(
        SEEDS, means, (style.QUERY, style.KEY, style.VALUE), ("-", "--", "-."), strict=True
    ):
        ax.plot(steps, curve, dashes, color=colour, label=text["seed"].format(seed))
    ax.axvline(EASY, color=style.FAINT, ls=":")
    for name, level in levels().items():
        ax.plot([EASY, STEPS], [level, level], ":", color=style.INK)
        ax.annotate(
            text[name], (STEPS, level), (0, 3 if name == "copying" else -11), textcoords="offset points", ha="right",
            size=style.SMALL,
        )  # fmt: skip
    ax.set_ylim(0, 2.3)
    ax.grid(axis="y")
    ax.set_xlabel(text["x"])
    ax.set_title(text["y"].format(WINDOW))
    ax.legend(loc="upper right")
    return figure
