"""BLEU during the training of the translator, against its own references and others, and the share of right dates."""

import torch

from snippets.figures import style
from snippets.training.bleu import results

CURVES = {"bleu": ("", style.QUERY, 1), "right": ("", style.VALUE, 100), "others": ("-", style.KEY, 1)}  # - is dashed
#: A point, how far from it, and to which side.
PLACES = {
    "bleu": ((105, 60), (0, 0), "right"),
    "right": ((140, 50), (0, 0), "left"),
    "others": ((250, 8), (0, 4), "right"),
}

TEXT = {
    "ko": {
        "bleu": ["BLEU"],
        "right": ["맞는 번역(%)"],
        "others": ["다른 날짜의 참조 번역과", "비교한 BLEU"],
        "x": "스텝",
    },
    "en": {
        "bleu": ["BLEU"],
        "right": ["right translations (%)"],
        "others": ["BLEU against another", "date's reference"],
        "x": "step",
    },
}


def draw(text, width=style.WIDTH):
    runs = results()
    steps = [int(step) for step in runs[0]["looks"]]
    figure, ax = style.plt.subplots(figsize=(width, 3.0))
    for name, (marker, colour, unit) in CURVES.items():
        scores = torch.tensor([[unit * look[name] for look in run["looks"].values()] for run in runs])
        label = "\n".join(text[name])
        style.spread(ax, steps, scores, colour, marker, label)
        style.name_line(ax, label, *PLACES[name])
    ax.set_xlabel(text["x"])
    ax.set_ylim(0, 102)
    ax.grid(axis="y")
    return figure
