"""BLEU during the training of the translator, against its own references and others, and the share of right dates."""

import torch

from snippets.figures import style
from snippets.training.bleu import results

CURVES = {"bleu": ("", style.QUERY, 1), "right": ("", style.VALUE, 100), "others": ("-", style.KEY, 1)}  # - is dashed

TEXT = {
    "ko": {
        "bleu": "BLEU",
        "right": "맞는 번역(%)",
        "others": "다른 날짜의 참조 번역과 비교한 BLEU",
        "x": "스텝",
    },
    "en": {
        "bleu": "BLEU",
        "right": "right translations (%)",
        "others": "BLEU against another date's reference",
        "x": "step",
    },
}


def draw(text, width=style.WIDTH):
    runs = results()
    steps = [int(step) for step in runs[0]["looks"]]
    figure, ax = style.plt.subplots(figsize=(width, 3.0))
    for name, (marker, colour, unit) in CURVES.items():
        scores = torch.tensor([[unit * look[name] for look in run["looks"].values()] for run in runs])
        style.spread(ax, steps, scores, colour, marker, text[name])
    ax.set_xlabel(text["x"])
    ax.set_ylim(0, 102)
    ax.grid(axis="y")
    ncols = 2 if width == style.WIDTH else 1
    figure.legend(*ax.get_legend_handles_labels(), loc="outside upper center", ncols=ncols)
    return figure
