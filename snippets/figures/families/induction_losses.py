"""The loss of three trainings, which falls in steps, and two levels that explain where."""

import math

import torch
from torch import Generator

from snippets.families.in_context_learning import SIZE, TOKENS
from snippets.families.mapping_learner import ALL, EASY, SEEDS, STEPS, curves
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


def levels(batches=10):
    """Mean loss with all letters: guessing the others from all digits, and from those that are left."""
    generator, copying, best = Generator().manual_seed(0), [], []
    for row in (row for _ in range(batches) for row in ALL(generator).tolist()):
        shown = set()
        text = "".join(TOKENS[i] for i in row).strip(".")
        for letter, _ in zip(text[::2], text[1::2], strict=False):  # the last letter may have lost its digit
            copying.append(0.0 if letter in shown else math.log(SIZE))
            best.append(0.0 if letter in shown else math.log(SIZE - len(shown)))
            shown.add(letter)
    return {"copying": sum(copying) / len(copying), "best": sum(best) / len(best)}


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
