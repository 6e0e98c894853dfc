"""Scaled dot-product attention as a path from the tokens to the output, with the shapes of an example."""

import torch

from snippets.attention.scaled_dot_product import scaled_dot_product_attention
from snippets.figures import style

N, D_MODEL, D_K, D_V = 3, 4, 3, 3

TEXT = {
    "ko": {
        "x": "토큰 A · B · C",
        "X": "X, {} × {}",
        "q": "쿼리 Q",
        "k": "키 K",
        "v": "밸류 V",
        "scores": "점수",
        "weights": "가중치",
        "output": "출력",
        "scale": "√d_k로 나누고 소프트맥스",
        "product": "QK^T",
        "average": "V의 가중 평균",
        "shape": "{} × {}",
    },
    "en": {
        "x": "tokens A · B · C",
        "X": "X, {} × {}",
        "q": "queries Q",
        "k": "keys K",
        "v": "values V",
        "scores": "scores",
        "weights": "weights",
        "output": "output",
        "scale": "divide by √d_k, softmax",
        "product": "QK^T",
        "average": "weighted average of V",
        "shape": "{} × {}",
    },
}


def shapes():
    """The shape of each matrix, from a run with random numbers."""
    x = torch.randn(N, D_MODEL)
    q, k, v = x @ torch.randn(D_MODEL, D_K), x @ torch.randn(D_MODEL, D_K), x @ torch.randn(D_MODEL, D_V)
    output, weights = scaled_dot_product_attention(q, k, v)
    found = {"x": x, "q": q, "k": k, "v": v, "scores": q @ k.T, "weights": weights, "output": output}
    return {name: tuple(matrix.shape) for name, matrix in found.items()}


def draw(text, width=style.WIDTH):
    figure, ax = style.canvas(282, width)
    left, middle, right, gap = (58, 166, 274, 84) if width == style.WIDTH else (42, 131, 220, 78)
    first, last = (left + middle) / 2, (left + middle + right) / 3 + 27
    at = {
        "x": (middle, 244),
        "q": (left, 186),
        "k": (middle, 186),
        "v": (right, 186),
        "scores": (first, 128),
        "weights": (first, 70),
        "output": (last, 12),
    }
    colours = {"q": style.QUERY, "k": style.KEY, "v": style.VALUE, "weights": style.WEIGHT, "output": style.OUTPUT}
    height, sizes = 32, shapes()
    for name, (x, y) in at.items():
        style.block(ax, x, y, 136 if name == "x" else gap, "", colour=colours.get(name, style.FAINT), height=height)
        ax.text(x, y + 13, text[name], ha="center", weight="bold")
        ax.text(x, y + 25, text["X" if name == "x" else "shape"].format(*sizes[name]), ha="center", size=style.SMALL)
    x, y = at["x"]
    for name in ("q", "k", "v"):
        style.arrow(ax, (x, y), (at[name][0], at[name][1] + height + 2))
    for name, end in [("q", first - 16), ("k", first + 16)]:
        style.arrow(ax, (at[name][0], at[name][1]), (end, at["scores"][1] + height + 2))
    style.arrow(ax, (first, at["scores"][1]), (first, at["weights"][1] + height + 2))
    style.arrow(ax, (first, at["weights"][1]), (last - 15, at["output"][1] + height + 2))
    style.arrow(ax, (right, at["v"][1]), (right, 56), (last + 15, at["output"][1] + height + 2))
    ax.text(first, at["q"][1] - 8, text["product"], ha="center", size=style.SMALL)
    ax.text(first + 6, at["scores"][1] - 10, text["scale"], size=style.SMALL)
    beside = last + (15 if width == style.WIDTH else 6)
    ax.text(beside, at["weights"][1] - 4, text["average"], ha="center", size=style.SMALL)
    return figure
