"""The scores of causal attention in blocks: which are computed, which are masked in part, which are skipped."""

import torch
from matplotlib.patches import Rectangle

from snippets.attention.masks import causal_mask
from snippets.attention.scaled_dot_product import scaled_dot_product_attention
from snippets.figures import style

N, BLOCK = 12, 3

TEXT = {
    "ko": {
        "now": "지금 계산하는 블록",
        "skipped": "건너뛰는 블록",
        "queries": "쿼리 블록 (출력을 완성할 때까지 유지)",
        "query": "쿼리",
        "key": "키",
        "keys": "키와 밸류의 블록 (하나씩 읽음)",
    },
    "en": {
        "now": "block computed now",
        "skipped": "blocks skipped",
        "queries": "block of queries (stays until its output is done)",
        "query": "queries",
        "key": "keys",
        "keys": "blocks of keys and values (read one after the other)",
    },
}


def draw(text, width=style.WIDTH):
    generator = torch.Generator().manual_seed(3)
    q, k, v = torch.randn(3, N, 4, generator=generator)
    _, weights = scaled_dot_product_attention(q, k, v, causal_mask(N))
    cell, left, words = (18, 62, 62) if width == style.WIDTH else (17, 44, 4)
    top = 40
    figure, ax = style.canvas(top + N * cell + 66, width)
    row, column = 2, 1  # the block that is computed now
    for i in range(N):
        for j in range(N):
            skipped = j // BLOCK > i // BLOCK
            done = not skipped and (i // BLOCK, j // BLOCK) < (row, column)
            alpha = style.PALEST + (style.DEEPEST - style.PALEST) * weights[i, j].item() if done and j <= i else 0.0
            x, y = left + j * cell, top + i * cell
            ax.add_patch(Rectangle((x + 0.5, y + 0.5), cell - 1, cell - 1, color=style.WEIGHT, alpha=alpha, lw=0))
            if not skipped:
                form = {"fill": False, "edgecolor": style.FAINT, "lw": 0.4}
                ax.add_patch(Rectangle((x + 0.5, y + 0.5), cell - 1, cell - 1, **form))
            if not skipped and j > i:
                ax.plot([x + 5, x + cell - 5], [y + cell - 5, y + 5], color=style.FAINT, lw=0.8)
    size = BLOCK * cell
    for i in range(N // BLOCK):
        for j in range(N // BLOCK):
            now = (i, j) == (row, column)
            form = {"fill": False, "edgecolor": style.OUTPUT if now else style.FAINT, "lw": 2.4 if now else 1}
            if j <= i:
                ax.add_patch(Rectangle((left + j * size, top + i * size), size, size, zorder=3 if now else 2, **form))
    outline = {"fill": False, "edgecolor": style.FAINT, "lw": 1, "ls": ":"}
    ax.add_patch(Rectangle((left, top), N * cell, N * cell, **outline))
    bar = {"alpha": 0.6, "lw": 0}
    ax.add_patch(Rectangle((left - 14, top + row * size), 8, size, color=style.QUERY, **bar))
    ax.add_patch(Rectangle((left + column * size, top + N * cell + 6), size, 8, color=style.KEY, **bar))
    turned = {"ha": "center", "rotation": 90, "rotation_mode": "anchor"}
    ax.text(left - 22, top + N * cell / 2, text["query"], color=style.QUERY, weight="bold", **turned)
    ax.text(left + N * cell / 2, top + N * cell + 29, text["key"], ha="center", color=style.KEY, weight="bold")
    ax.text(left + 2.5 * size, top + size / 2 + 4, text["skipped"], ha="center", size=style.SMALL)
    ax.text(words, 14, text["queries"], color=style.QUERY, size=style.SMALL)
    ax.text(words, 29, text["now"], color=style.OUTPUT, size=style.SMALL)
    ax.text(words, top + N * cell + 48, text["keys"], color=style.KEY, size=style.SMALL)
    return figure
