"""Three tokens from their vectors to the output of attention, with every number in its cell."""

import torch

from snippets.attention.scaled_dot_product import scaled_dot_product_attention
from snippets.figures import style

X = torch.tensor([[1.0, 0, 1, 0], [0, 2, 0, 2], [1, 1, 1, 1]])
W_Q = torch.tensor([[1.0, 0, 1], [1, 0, 0], [0, 0, 1], [0, 1, 1]])
W_K = torch.tensor([[0.0, 0, 1], [1, 1, 0], [0, 1, 0], [1, 1, 0]])
W_V = torch.tensor([[0.0, 2, 0], [0, 3, 0], [1, 0, 3], [1, 1, 0]])

TEXT = {
    "ko": {
        "names": ["A", "B", "C"],
        "tokens": "토큰 X",
        "query": "쿼리 Q",
        "key": "키 K",
        "value": "밸류 V",
        "scores": "점수",
        "weights": "가중치",
        "softmax": "softmax(점수 / √{})",
        "output": "출력",
        "mixture": "가중치 · V",
    },
    "en": {
        "names": ["A", "B", "C"],
        "tokens": "tokens X",
        "query": "queries Q",
        "key": "keys K",
        "value": "values V",
        "scores": "scores",
        "weights": "weights",
        "softmax": "softmax(scores / √{})",
        "output": "output",
        "mixture": "weights · V",
    },
}


def draw(text, width=style.WIDTH):
    query, key, value = X @ W_Q, X @ W_K, X @ W_V
    output, weights = scaled_dot_product_attention(query, key, value)
    wide, names = width == style.WIDTH, text["names"]
    whole, decimal = {"size": (19 if wide else 14, 19), "show": "{:g}"}, {"size": (33, 19), "show": "{:.4f}"}
    *top, left, middle = (34, 130, 199, 268, 34, 121) if wide else (34, 108, 162, 216, 34, 121)
    right, below = (231, 138) if wide else (middle, 242)  # where there is no room beside the weights, below them
    labels = {"rows": names, "columns": names}
    softmax = text["softmax"].format(key.size(1))
    panels = [  # x, y, name, how it is made, numbers, colour, cells and their labels
        (top[0], 34, text["tokens"], "", X, style.FAINT, whole | {"rows": names}),
        (top[1], 34, text["query"], "XW_Q", query, style.QUERY, whole),
        (top[2], 34, text["key"], "XW_K", key, style.KEY, whole),
        (top[3], 34, text["value"], "XW_V", value, style.VALUE, whole),
        (left, 138, text["scores"], "QK^T", query @ key.T, style.FAINT, whole | labels | {"size": (25, 19)}),
        (middle, 138, text["weights"], softmax, weights, style.WEIGHT, decimal | {"columns": names}),
        (right, below, text["output"], text["mixture"], output, style.OUTPUT, decimal),
    ]
    figure, ax = style.canvas(below + 74, width)
    for x, y, name, formula, numbers, colour, form in panels:
        style.cells(ax, numbers, x, y, colour=colour, **form)
        ax.text(x, y - 18, name, color=colour, weight="bold")
        ax.text(x, y - 6, formula, size=style.SMALL)
    for x, y in [(top[1] - (14 if wide else 11), 66), (middle - 6, 170), (right - 6, below + 32)]:
        ax.text(x, y, "→", ha="center", size=11)
    return figure
