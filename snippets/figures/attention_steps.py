"""Three tokens from their vectors to the output of attention, with every number in its cell."""

import torch

from snippets.attention import scaled_dot_product_attention
from snippets.figures import style

X = torch.tensor([[1.0, 0, 1, 0], [0, 2, 0, 2], [1, 1, 1, 1]])
W_Q = torch.tensor([[1.0, 0, 1], [1, 0, 0], [0, 0, 1], [0, 1, 1]])
W_K = torch.tensor([[0.0, 0, 1], [1, 1, 0], [0, 1, 0], [1, 1, 0]])
W_V = torch.tensor([[0.0, 2, 0], [0, 3, 0], [1, 0, 3], [1, 1, 0]])

TEXT = {
    "ko": {
        "tokens": "토큰 X",
        "query": "쿼리 Q",
        "key": "키 K",
        "value": "밸류 V",
        "scores": "점수",
        "weights": "가중치",
        "softmax": "softmax(점수 / √{})",
        "output": "출력",
        "mixture": "가중치 · V",
        "by_query": "행: 쿼리",
        "by_key": "열: 키",
    },
    "en": {
        "tokens": "tokens X",
        "query": "queries Q",
        "key": "keys K",
        "value": "values V",
        "scores": "scores",
        "weights": "weights",
        "softmax": "softmax(scores / √{})",
        "output": "output",
        "mixture": "weights · V",
        "by_query": "rows: queries",
        "by_key": "columns: keys",
    },
}


def draw(text):
    query, key, value = X @ W_Q, X @ W_K, X @ W_V
    output, weights = scaled_dot_product_attention(query, key, value)
    tokens = [str(i + 1) for i in range(len(X))]
    whole, decimal = {"size": (20, 19), "show": "{:g}"}, {"size": (32, 19), "show": "{:.4f}"}
    panels = [  # x, y, name, how it is made, numbers, colour, cells
        (20, 34, text["tokens"], "", X, style.INK, whole),
        (128, 34, text["query"], "XW_Q", query, style.QUERY, whole),
        (198, 34, text["key"], "XW_K", key, style.KEY, whole),
        (268, 34, text["value"], "XW_V", value, style.VALUE, whole),
        (20, 140, text["scores"], "QK^T", query @ key.T, style.FAINT, whole),
        (107, 140, text["weights"], text["softmax"].format(key.size(1)), weights, style.WEIGHT, decimal),
        (230, 140, text["output"], text["mixture"], output, style.OUTPUT, decimal),
    ]
    figure, ax = style.canvas(230)
    for x, y, name, formula, numbers, colour, form in panels:
        rows = tokens if x == 20 else ()
        style.cells(ax, numbers, x, y, colour=colour, rows=rows, **form)
        ax.text(x, y - 18, name, color=colour, weight="bold")
        ax.text(x, y - 6, formula, size=style.SMALL)
    for x, y in [(114, 66), (93.5, 172), (216.5, 172)]:
        ax.text(x, y, "→", ha="center", size=11)
    ax.text(20, 211, text["by_query"], size=style.SMALL, color=style.QUERY)
    ax.text(107, 211, text["by_key"], size=style.SMALL, color=style.KEY)
    return figure
