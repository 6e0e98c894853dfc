"""Bits per character of the small language model during training, and of the one that was made to memorize."""

from snippets.before.two_constitutions import constitution
from snippets.figures import style
from snippets.figures.labels import language_of
from snippets.labs.small_language_model import results

TEXT = {
    "ko": {
        "whole": "실습의 모델, 글자당 비트",
        "part": "외우게 한 모델, 글자당 비트",
        "train": "학습한 글",
        "held out": "처음 보는 글",
        "x": "스텝",
    },
    "en": {
        "whole": "the model of this lab, bits per character",
        "part": "the one made to memorize, bits per character",
        "train": "training text",
        "held out": "held-out text",
        "x": "step",
    },
}


def draw(text, runs=None):
    """runs: as ``results`` returns them."""
    runs = runs or results(constitution(language_of(text, TEXT)))
    figure, axes = style.plt.subplots(2, 1, figsize=(style.WIDTH, 4.6), sharex=True)
    for ax, name in zip(axes, ["whole", "part"], strict=True):
        run = runs[name][0]
        for part, colour, line in [("train", style.QUERY, "--"), ("held out", style.OUTPUT, "-")]:
            ax.plot(run["steps"], run[part], line, color=colour, label=text[part])
        ax.set_ylim(bottom=0)
        ax.set_title(text[name])
        ax.grid(axis="y")
    axes[1].set_xlabel(text["x"])
    style.name_lines(*axes)
    return figure
