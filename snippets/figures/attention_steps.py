"""The 3 x 4 example from scores to output, with every number in its cell."""

import torch

from snippets.attention import scaled_dot_product_attention
from snippets.figures import style

X = torch.tensor([[1.0, 0, 1, 0], [0, 2, 0, 2], [1, 1, 1, 1]])
W_Q = torch.tensor([[1.0, 0, 1], [1, 0, 0], [0, 0, 1], [0, 1, 1]])
W_K = torch.tensor([[0.0, 0, 1], [1, 1, 0], [0, 1, 0], [1, 1, 0]])
W_V = torch.tensor([[0.0, 2, 0], [0, 3, 0], [1, 0, 3], [1, 1, 0]])

TEXT = {
    "ko": {
        "scores": "① 점수 QKᵀ",
        "scaled": "② 나누기 √3",
        "weights": "③ 행마다 소프트맥스",
        "values": "값 V",
        "output": "④ 출력 = 가중치 · V",
        "queries": "쿼리",
        "keys": "키",
    },
    "en": {
        "scores": "① scores QKᵀ",
        "scaled": "② divided by √3",
        "weights": "③ softmax of each row",
        "values": "values V",
        "output": "④ output = weights · V",
        "queries": "queries",
        "keys": "keys",
    },
}


def draw(text):
    query, key, value = X @ W_Q, X @ W_K, X @ W_V
    scores = query @ key.T
    output, weights = scaled_dot_product_attention(query, key, value)
    tokens = ["1", "2", "3"]
    figure, axes = style.plt.subplots(2, 3, figsize=(style.WIDTH, 3.7))
    panels = [
        (axes[0, 0], "scores", scores, style.SIGNED, -16, 16, "{:g}"),
        (axes[0, 1], "scaled", scores / 3**0.5, style.SIGNED, -16, 16, "{:.2f}"),
        (axes[0, 2], "weights", weights, style.WEIGHTS, 0, 1, "{:.4f}"),
        (axes[1, 1], "values", value, style.SIGNED, -8, 8, "{:g}"),
        (axes[1, 2], "output", output, style.SIGNED, -8, 8, "{:.4f}"),
    ]
    for ax, title, values, cmap, low, high, fmt in panels:
        style.heatmap(ax, values, cmap=cmap, vmin=low, vmax=high, fmt=fmt, rows=tokens, columns=tokens, size=8.5)
        ax.set_title(text[title], size=9)
    axes[0, 0].set_ylabel(text["queries"])
    for ax in axes[0]:
        ax.set_xlabel(text["keys"])
    axes[1, 1].set_ylabel(text["keys"])
    axes[1, 2].set_ylabel(text["queries"])
    for ax in axes[1, 1:]:
        ax.set_xticks([])
    axes[1, 0].axis("off")
    return figure
