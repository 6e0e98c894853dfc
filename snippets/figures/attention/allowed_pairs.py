"""Which queries may look at which keys: a line for each pair that a causal mask, or a padding mask, allows."""

import torch

from snippets.attention.masks import causal_mask, padding_mask
from snippets.figures import style

IDS = [5, 9, 7, 0]  # three tokens and padding
PADDING = "<pad>"
STEP, TOP = 24, 46

TEXT = {
    "ko": {
        "causal": "인과 마스크",
        "padding": "패딩 마스크",
        "query": "쿼리",
        "key": "키",
        "words": ["나는", "책을", "읽는다"],
    },
    "en": {
        "causal": "causal mask",
        "padding": "padding mask",
        "query": "query",
        "key": "key",
        "words": ["I", "like", "books"],
    },
}


def masks():
    """By name, which pairs of query and key are allowed: (queries, keys)."""
    n = len(IDS)
    return {"causal": causal_mask(n), "padding": padding_mask(torch.tensor([IDS]), 0)[0].expand(n, n)}


def draw(text, width=style.WIDTH):
    tokens = [*text["words"], PADDING]
    figure, ax = style.canvas(TOP + len(tokens) * STEP - 8, width)
    before, after = (50, 44) if width == style.WIDTH else (38, 34)
    room = width * 72 / 2
    for panel, (name, allowed) in enumerate(masks().items()):
        left, right = panel * room + before, (panel + 1) * room - after
        ax.text((left + right) / 2, 13, text[name], ha="center", weight="bold")
        ax.text(left, 28, text["query"], ha="right", color=style.QUERY, size=style.SMALL)
        ax.text(right, 28, text["key"], color=style.KEY, size=style.SMALL)
        for i, token in enumerate(tokens):
            y = TOP + i * STEP
            ax.text(left, y + 3, token, ha="right")
            ax.text(right, y + 3, token)
            for j in allowed[i].nonzero().flatten().tolist():
                style.arrow(ax, (left + 3, y), (right - 3, TOP + j * STEP), colour=style.WEIGHT)
    return figure
