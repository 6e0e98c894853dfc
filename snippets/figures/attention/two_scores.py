"""How many numbers each kind of score computes on its way for one query and one key of a head."""

import torch

from snippets.attention.additive import AdditiveAttention
from snippets.figures import style
from snippets.tools.tracing import outputs

D_K = 64

TEXT = {
    "ko": {
        "dot": "내적",
        "additive": "덧셈 어텐션",
        "multiply": "성분끼리 곱하기",
        "sum": "모두 더하기",
        "add": "성분끼리 더하기",
        "query": "쿼리 q",
        "key": "키 k",
        "score": "점수",
    },
    "en": {
        "dot": "dot product",
        "additive": "additive",
        "multiply": "multiply, by component",
        "sum": "sum up",
        "add": "add, by component",
        "query": "query q",
        "key": "key k",
        "score": "score",
    },
}


def sizes():
    """Numbers in the products q W and k U, and in the score, for one query and one key."""
    query, key = torch.randn(1, D_K), torch.randn(1, D_K)
    seen = {name: out[0].numel() for name, out in outputs(AdditiveAttention(D_K, D_K, D_K), query, key, key)}
    return seen["w"], seen["u"], seen["v_a"]


def draw(text):
    of_query, of_key, score = sizes()
    wide, narrow, step = 132, 60, 44
    figure, ax = style.canvas(6 * step + 8)
    rows = [26 + i * step for i in range(6)]  # upper edges, from the score down
    for middle, name in [(84, "dot"), (246, "additive")]:
        colour = style.VALUE if name == "dot" else style.WEIGHT
        ax.text(middle, 14, text[name], ha="center", color=colour, weight="bold")
        pair = [(middle - 36, style.QUERY, "query", "W"), (middle + 36, style.KEY, "key", "U")]
        path = ["score", "sum", "multiply"] if name == "dot" else ["score", "v_a", "tanh", "add"]
        for i, part in enumerate(path):
            label = "× v_a" if part == "v_a" else text.get(part, part)
            main = style.OUTPUT if part == "score" else colour
            style.block(ax, middle, rows[i], narrow if part in ("score", "v_a", "tanh") else wide, label, colour=main)
            if i:
                style.arrow(ax, (middle, rows[i]), (middle, rows[i - 1] + 25))
                count = score if part in ("sum", "v_a") else of_query
                ax.text(middle + 6, rows[i] - 6, str(count), size=style.SMALL)
        low = rows[len(path) - 1] + 25  # below what takes both
        for x, ink, vector, matrix in pair:
            top = rows[5]
            style.block(ax, x, top, narrow, text[vector], colour=ink)
            if name == "additive":
                style.block(ax, x, rows[4], narrow, f"× {matrix}", colour=colour)
                style.arrow(ax, (x, top), (x, rows[4] + 25))
                top = rows[4]
            style.arrow(ax, (x, top), (x, low))
    return figure
