"""One ambiguous word, two sentences: attention moves its vector toward its neighbor."""

import torch

from snippets.attention.weights import contextualize, dot_product_weights
from snippets.figures import style

NEIGHBOURS = torch.tensor([[2.0, 0.0], [0.0, 2.0]])
AMBIGUOUS = torch.tensor([1.0, 1.0])

TEXT = {
    "ko": {
        "ambiguous": "배",
        "neighbours": ["과수원", "항구"],
        "after": ["과수원 곁의 배", "항구 곁의 배"],
        "x": "과일 쪽 →",
        "y": "탈것 쪽 →",
    },
    "en": {
        "ambiguous": "bank",
        "neighbours": ["river", "loan"],
        "after": ["bank near river", "bank near loan"],
        "x": "nature →",
        "y": "money →",
    },
}


def draw(text):
    figure, ax = style.plt.subplots(figsize=(style.WIDTH, 3.5))

    def point(position, marker, colour, name):
        ax.plot(*position, marker, color=colour, ms=8)
        where = {"xy": position, "textcoords": "offset points"}
        ax.annotate(name, xytext=(10, 6), weight="bold", color=colour, **where)
        ax.annotate("({:g}, {:g})".format(*position), xytext=(10, -5), size=style.SMALL, **where)

    ax.plot(*NEIGHBOURS.T, ":", color=style.FAINT, lw=1, zorder=0)
    for neighbour, name, name_after in zip(NEIGHBOURS, text["neighbours"], text["after"], strict=True):
        x = torch.stack([neighbour, AMBIGUOUS])
        after = contextualize(dot_product_weights(x), x)[1].tolist()
        arrow = {"arrowstyle": "-|>", "color": style.OUTPUT, "lw": 1.6, "shrinkA": 5, "shrinkB": 6}
        ax.annotate("", after, AMBIGUOUS.tolist(), arrowprops=arrow)
        point(neighbour.tolist(), "o", style.KEY, name)
        point(after, "s", style.OUTPUT, name_after)
    point(AMBIGUOUS.tolist(), "D", style.QUERY, text["ambiguous"])
    ax.set(xlim=(-0.25, 2.85), ylim=(-0.3, 2.3), xlabel=text["x"], ylabel=text["y"], aspect="equal")
    ax.set_xticks([0, 1, 2])
    ax.set_yticks([0, 1, 2])
    return figure
