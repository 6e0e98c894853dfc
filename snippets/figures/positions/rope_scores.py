"""Scores of one query with three keys under RoPE, against their distance: what falls off depends on the key."""

import torch

from snippets.figures import style
from snippets.positions.relative import rotate

FARTHEST, D_K, TURNED = 60, 64, 20

TEXT = {
    "ko": {
        "same": "키가 쿼리와 같을 때",
        "turned": "쿼리를 20칸만큼 돌린 키",
        "other": "무작위로 뽑은 키",
        "x": "키가 쿼리보다 앞선 거리",
        "y": "점수",
    },
    "en": {
        "same": "a key equal to the query",
        "turned": "the query, turned by 20 positions",
        "other": "a random key",
        "x": "how far the key is before the query",
        "y": "score",
    },
}


def scores():
    """The dot products with each of the keys, at distances 0 to FARTHEST, for the vectors of the page."""
    torch.manual_seed(0)
    q, k = torch.randn(1, D_K).double(), torch.randn(1, D_K).double()
    distance = torch.arange(FARTHEST + 1)
    queries = rotate(q.expand(len(distance), D_K), distance)
    keys = {"same": q, "turned": rotate(q, torch.tensor([TURNED])), "other": k}
    return distance, {name: (queries @ key.T).squeeze(-1) for name, key in keys.items()}


def draw(text):
    distance, found = scores()
    figure, axes = style.plt.subplots(3, 1, figsize=(style.WIDTH, 4.2), sharex=True, sharey=True)
    colours = [style.QUERY, style.KEY, style.OUTPUT]
    for ax, (name, values), colour in zip(axes, found.items(), colours, strict=True):
        ax.plot(distance, values, color=colour)
        best = int(values.argmax())
        ax.plot(best, values[best], "o", color=colour, ms=5)
        ax.set_title(text[name])
        ax.set_ylabel(text["y"])
        ax.grid(axis="y")
    axes[-1].set_xlabel(text["x"])
    return figure
