"""How the vectors of the tokens are cut into heads: between columns, never between rows."""

import torch

from snippets.attention.multi_head import split_heads
from snippets.figures import style

TOKENS, D_MODEL, HEADS = 3, 6, 3

TEXT = {
    "ko": {
        "before": "쿼리: (n, d_model) = ({}, {})",
        "after": "헤드로 나누면: (h, n, d_k) = ({}, {}, {})",
        "head": "헤드 {}",
        "token": "토큰 {}",
    },
    "en": {
        "before": "queries: (n, d_model) = ({}, {})",
        "after": "split into heads: (h, n, d_k) = ({}, {}, {})",
        "head": "head {}",
        "token": "token {}",
    },
}


def draw(text, width=style.WIDTH):
    queries = torch.arange(float(TOKENS * D_MODEL)).view(1, TOKENS, D_MODEL)  # each number can be followed
    heads = split_heads(queries, HEADS)[0]  # (h, n, d_k)
    tokens = [text["token"].format(i) for i in range(TOKENS)]
    cell, gap, left = (36, 20, 54) if width == style.WIDTH else (28, 16, 44)
    height, top, below = 20, 26, 134
    block = heads.size(-1) * cell
    start = left + gap * (HEADS - 1) / 2  # the whole stands in the middle above its parts
    figure, ax = style.canvas(216, width)
    ax.text(start, top - 11, text["before"].format(*queries.shape[1:]))
    ax.text(left, below + TOKENS * height + 16, text["after"].format(*heads.shape))
    for i, head in enumerate(heads):
        depth = torch.full_like(head, (i + 1) / HEADS)
        x, part = left + i * (block + gap), start + i * block
        form = {"colour": style.QUERY, "size": (cell, height), "depth": depth, "rows": () if i else tokens}
        style.cells(ax, queries[0].chunk(HEADS, dim=-1)[i], part, top, **form)
        style.cells(ax, head, x, below, **form)
        if i:
            ax.plot([part, part], [top - 5, top + TOKENS * height + 5], "--", color=style.INK, lw=1)
        ends = {"xy": (x + block / 2, below - 17), "xytext": (part + block / 2, top + TOKENS * height + 4)}
        ax.annotate("", **ends, arrowprops={"arrowstyle": "->", "color": style.FAINT, "shrinkA": 0, "shrinkB": 0})
        ax.text(x + block / 2, below - 6, text["head"].format(i), ha="center", weight="bold", color=style.QUERY)
    return figure
