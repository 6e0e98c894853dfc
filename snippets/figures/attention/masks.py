"""Padding mask, causal mask, both together, and the weights they leave."""

import torch

from snippets.attention.masks import causal_mask, padding_mask
from snippets.attention.scaled_dot_product import scaled_dot_product_attention
from snippets.figures import style

IDS = torch.tensor([[4, 8, 3, 6, 0]])

TEXT = {
    "ko": {
        "padding": "패딩 마스크",
        "causal": "인과 마스크",
        "both": "둘 다",
        "weights": "남는 가중치",
        "query": "쿼리",
        "key": "키",
        "tokens": ["가", "나", "다", "라", "패딩"],
    },
    "en": {
        "padding": "padding mask",
        "causal": "causal mask",
        "both": "both",
        "weights": "weights that remain",
        "query": "query",
        "key": "key",
        "tokens": ["A", "B", "C", "D", "pad"],
    },
}


def draw(text, width=style.WIDTH):
    n = IDS.size(1)
    x = torch.randn(n, 4, generator=torch.Generator().manual_seed(3))
    padding, causal = padding_mask(IDS, pad_id=0)[0].expand(n, n), causal_mask(n)
    both = causal & padding
    _, weights = scaled_dot_product_attention(x, x, x, both)
    cell, left, right = (26, 40, 198) if width == style.WIDTH else (20.8, 38, 157)
    height, top, below = 20, 22, 166
    figure, ax = style.canvas(292, width)
    panels = [("padding", left, top, padding.float()), ("causal", right, top, causal.float())]
    panels += [("both", left, below, both.float()), ("weights", right, below, weights)]
    for name, x, y, values in panels:
        form = {"rows": text["tokens"] if x == left else (), "columns": text["tokens"]}
        show, colour = (style.two_decimals, style.WEIGHT) if name == "weights" else ("{:g}", style.FAINT)
        style.cells(ax, values, x, y, colour=colour, size=(cell, height), show=show, depth=values, **form)
        ax.text(x, y - 7, text[name], weight="bold", color=style.WEIGHT if name == "weights" else style.INK)
    for y, sign in [(top, "&"), (below, "→")]:
        ax.text((left + n * cell + right) / 2, y + n * height / 2 + 4, sign, ha="center", size=11)
        turned = {"ha": "center", "rotation": 90, "rotation_mode": "anchor"}
        ax.text(12, y + n * height / 2, text["query"], color=style.QUERY, **turned)
    for x in (left, right):
        ax.text(x + n * cell / 2, below + n * height + 22, text["key"], ha="center", color=style.KEY)
    return figure
