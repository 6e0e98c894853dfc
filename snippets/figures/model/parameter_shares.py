"""Where the parameters of the paper's two models are, counted."""

import functools

import torch

from snippets.figures import style
from snippets.model.sizes import BASE, BIG, count
from snippets.model.transformer import Transformer

TEXT = {
    "ko": {
        "feed_forward": "피드포워드 신경망",
        "attention": "어텐션",
        "embedding": "임베딩 행렬 (공유)",
        "norms": "정규화",
        "x": "파라미터, 백만 개",
    },
    "en": {
        "feed_forward": "feed-forward networks",
        "attention": "attention",
        "embedding": "embedding matrix (shared)",
        "norms": "norms",
        "x": "parameters, millions",
    },
}


@functools.cache
def shares(name):
    """Parameters of the base or the big model by kind, in the order of TEXT."""
    with torch.device("meta"):  # shapes without numbers
        model = Transformer({"base": BASE, "big": BIG}[name])
    layers = [*model.encoder.layers, *model.decoder.layers]
    parts = [part for layer in layers for part in layer.named_children()]
    counts = {
        "feed_forward": sum(count(part) for kind, part in parts if kind == "feed_forward"),
        "attention": sum(count(part) for kind, part in parts if kind.endswith("attention")),
        "embedding": count(model.embedding),
    }
    return counts | {"norms": count(model) - sum(counts.values())}


def draw(text):
    colours = [style.VALUE, style.QUERY, style.INK, style.FAINT]
    figure, axes = style.plt.subplots(2, 1, figsize=(style.WIDTH, 3.4), sharex=True)
    for ax, name in zip(axes, ("base", "big"), strict=True):
        counts = shares(name)
        for row, (kind, colour) in enumerate(zip(counts, colours, strict=True)):
            millions = counts[kind] / 1e6
            ax.barh(row, millions, color=colour, alpha=0.45, height=0.75)
            ax.text(millions + 1, row, f"{millions:.1f}", va="center", size=style.SMALL)
        ax.set_yticks(range(len(counts)), [text[kind] for kind in counts])
        ax.invert_yaxis()
        ax.set_title(f"{name}: {sum(counts.values()) / 1e6:.1f}")
        ax.set_xlim(0, 115)
    axes[1].set_xlabel(text["x"])
    return figure
