"""Padding mask, causal mask, both together, and the weights they leave; and two masks of today's models."""

import torch

from snippets.attention.masks import causal_mask, padding_mask
from snippets.attention.scaled_dot_product import scaled_dot_product_attention
from snippets.figures import style

IDS = torch.tensor([[4, 8, 3, 6, 0]])
WINDOW = 3
DOCUMENT = torch.tensor([0, 0, 0, 1, 1])  # which of two texts a token belongs to

TEXT = {
    "ko": {
        "padding": "패딩 마스크",
        "causal": "인과 마스크",
        "both": "둘 다",
        "weights": "남는 가중치",
        "window": "슬라이딩 윈도 {}",
        "documents": "문서 마스크",
        "query": "쿼리",
        "key": "키",
        "tokens": ["가", "나", "다", "라", "패딩"],
        "letters": ["가", "나", "다", "라", "마"],
    },
    "en": {
        "padding": "padding mask",
        "causal": "causal mask",
        "both": "both",
        "weights": "weights that remain",
        "window": "sliding window of {}",
        "documents": "documents",
        "query": "query",
        "key": "key",
        "tokens": ["A", "B", "C", "D", "pad"],
        "letters": ["A", "B", "C", "D", "E"],
    },
}


def todays_masks():
    """By name, two masks that are combined with the causal one: (n, n)."""
    place = torch.arange(IDS.size(1))
    near = place.unsqueeze(1) - place < WINDOW
    same = DOCUMENT.unsqueeze(1) == DOCUMENT
    causal = causal_mask(IDS.size(1))
    return {"window": causal & near, "documents": causal & same}


def draw(text, width=style.WIDTH):
    n = IDS.size(1)
    x = torch.randn(n, 4, generator=torch.Generator().manual_seed(3))
    padding, causal = padding_mask(IDS, pad_id=0)[0].expand(n, n), causal_mask(n)
    both = causal & padding
    _, weights = scaled_dot_product_attention(x, x, x, both)
    cell, left, right = (26, 40, 198) if width == style.WIDTH else (20.8, 38, 157)
    height, tops = 20, (22, 166, 316)
    figure, ax = style.canvas(tops[2] + n * height + 28, width)
    panels = [("padding", left, tops[0], padding.float()), ("causal", right, tops[0], causal.float())]
    panels += [("both", left, tops[1], both.float()), ("weights", right, tops[1], weights)]
    today = {name: mask.float() for name, mask in todays_masks().items()}
    panels += [("window", left, tops[2], today["window"]), ("documents", right, tops[2], today["documents"])]
    for name, x, y, values in panels:
        names = text["tokens"] if y < tops[2] else text["letters"]
        form = {"rows": names if x == left else (), "columns": names}
        show, colour = (style.two_decimals, style.WEIGHT) if name == "weights" else ("{:g}", style.FAINT)
        style.cells(ax, values, x, y, colour=colour, size=(cell, height), show=show, depth=values, **form)
        title = text[name].format(WINDOW)
        ax.text(x, y - 7, title, weight="bold", color=style.WEIGHT if name == "weights" else style.INK)
    for y, sign in [(tops[0], "&"), (tops[1], "→")]:
        ax.text((left + n * cell + right) / 2, y + n * height / 2 + 4, sign, ha="center", size=11)
    ax.axhline(tops[2] - 30, color=style.FAINT, lw=0.6, alpha=0.5)
    for y in tops:
        turned = {"ha": "center", "rotation": 90, "rotation_mode": "anchor"}
        ax.text(12, y + n * height / 2, text["query"], color=style.QUERY, **turned)
    for x in (left, right):
        ax.text(x + n * cell / 2, tops[2] + n * height + 22, text["key"], ha="center", color=style.KEY)
    return figure
