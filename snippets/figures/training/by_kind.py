"""Loss of what a date says and of its form, by step, with its own source and with that of another date."""

import math

import torch

from snippets.figures import style
from snippets.training.learning_order import results

KINDS = ["form", "day", "weekday"]
LOOKS = {"own": ("", style.QUERY), "other": ("-", style.KEY)}  # - is dashed

TEXT = {
    "ko": {
        "form": "년, 월, 일, </s>",
        "day": "일의 숫자",
        "weekday": "요일",
        "own": ["자신의", "원문"],
        "other": ["다른", "날짜의", "원문"],
        "x": "스텝",
        "y": "토큰당 손실",
    },
    "en": {
        "form": "form",
        "day": "digits of the day",
        "weekday": "day of the week",
        "own": ["its own", "source"],
        "other": ["another", "date's", "source"],
        "x": "step",
        "y": "loss per token",
    },
}


def draw(text):
    runs = results()
    steps = [int(step) for step in runs[0]["looks"]]
    figure, axes = style.plt.subplots(1, len(KINDS), figsize=(style.WIDTH, 2.9), sharey=True)
    for ax, kind in zip(axes, KINDS, strict=True):
        for name, (marker, colour) in LOOKS.items():
            losses = torch.tensor([[look[name][kind] for look in run["looks"].values()] for run in runs])
            style.spread(ax, steps, losses, colour, marker, "\n".join(text[name]))
        ax.set_title(text[kind])
        ax.set_xticks([0, 100, 200])
        ax.grid(axis="y")
    axes[2].axhline(math.log(7), color=style.FAINT, lw=1)
    axes[1].set_xlabel(text["x"])
    axes[0].set_ylabel(text["y"])
    style.name_lines(axes[2])
    return figure
