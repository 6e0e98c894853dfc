"""Padding mask, causal mask, both together, and the weights they leave."""

import torch

from snippets.attention import scaled_dot_product_attention
from snippets.figures import style
from snippets.masks import causal_mask, padding_mask

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


def draw(text):
    n = IDS.size(1)
    x = torch.randn(n, 4, generator=torch.Generator().manual_seed(3))
    padding = padding_mask(IDS)[0].expand(n, n)
    both = causal_mask(n) & padding
    _, weights = scaled_dot_product_attention(x, x, x, both)
    figure, axes = style.plt.subplots(2, 2, figsize=(style.WIDTH, 5.0))
    panels = {"padding": padding.float(), "causal": causal_mask(n).float(), "both": both.float(), "weights": weights}
    for ax, (name, values) in zip(axes.flat, panels.items(), strict=True):
        form = "{:.2f}" if name == "weights" else "{:.0f}"
        style.heatmap(
            ax,
            values,
            cmap=style.WEIGHTS,
            vmin=0,
            vmax=1,
            fmt=lambda v, form=form: "0" if v == 0 else form.format(v),
            rows=text["tokens"],
            columns=text["tokens"],
            size=8.5,
        )
        ax.set_title(text[name])
    for ax in axes[:, 0]:
        ax.set_ylabel(text["query"])
    for ax in axes[1]:
        ax.set_xlabel(text["key"])
    return figure
