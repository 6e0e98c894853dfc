"""One ambiguous word, two sentences: attention moves its vector towards its neighbour."""

import torch

from snippets.context import contextualize, dot_product_weights
from snippets.figures import style

NEIGHBOURS = torch.tensor([[2.0, 0.0], [0.0, 2.0]])
AMBIGUOUS = torch.tensor([1.0, 1.0])

TEXT = {
    "ko": {
        "ambiguous": "배",
        "neighbours": ["과수원", "항구"],
        "after": ["과수원의 배", "항구의 배"],
        "x": "과일에 가까움 →",
        "y": "탈것에 가까움 →",
    },
    "en": {
        "ambiguous": "bank",
        "neighbours": ["river", "loan"],
        "after": ["bank, beside river", "bank, beside loan"],
        "x": "nature →",
        "y": "money →",
    },
}


def draw(text):
    figure, ax = style.plt.subplots(figsize=(3.6, 3.3))
    for neighbour, name, after_name in zip(NEIGHBOURS, text["neighbours"], text["after"], strict=True):
        x = torch.stack([neighbour, AMBIGUOUS])
        after = contextualize(dot_product_weights(x), x)[1]
        ax.plot(*neighbour, "o", color=style.KEY, ms=7)
        ax.annotate(name, neighbour, (0, 8), textcoords="offset points", ha="center")
        arrow = {"arrowstyle": "-|>", "color": style.OUTPUT, "lw": 1.6, "shrinkA": 5, "shrinkB": 0}
        ax.annotate("", after.tolist(), AMBIGUOUS.tolist(), arrowprops=arrow)
        ax.plot(*after, "s", color=style.OUTPUT, ms=6)
        ax.annotate(after_name, after, (0, -16), textcoords="offset points", ha="center", size=8.5)
    ax.plot(*AMBIGUOUS, "o", color=style.QUERY, ms=8)
    ax.annotate(text["ambiguous"], AMBIGUOUS, (10, 5), textcoords="offset points")
    ax.plot(*NEIGHBOURS.T, ":", color=style.FAINT, lw=1, zorder=0)
    ax.set(xlim=(-0.5, 2.7), ylim=(-0.5, 2.5), xlabel=text["x"], ylabel=text["y"], aspect="equal")
    ax.set_xticks([0, 1, 2])
    ax.set_yticks([0, 1, 2])
    return figure
