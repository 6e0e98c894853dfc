"""Weights of the three uses of attention, from one run: who may look at whom."""

import torch

from snippets.figures import style
from snippets.masks import causal_mask
from snippets.multi_head import MultiHeadAttention

SOURCE, TARGET, D_MODEL = 4, 3, 16

TEXT = {
    "ko": {
        "titles": ["인코더 셀프 어텐션", "마스크드 셀프 어텐션", "크로스 어텐션"],
        "source": "원문",
        "target": "번역문",
        "query": "{} (쿼리)",
        "key": "{} (키, 값)",
    },
    "en": {
        "titles": ["encoder\nself-attention", "masked decoder\nself-attention", "encoder–decoder\nattention"],
        "source": "source",
        "target": "target",
        "query": "{} (queries)",
        "key": "{} (keys, values)",
    },
}


@torch.no_grad()
def draw(text):
    torch.manual_seed(2)
    source, target = torch.randn(1, SOURCE, D_MODEL), torch.randn(1, TARGET, D_MODEL)
    attention = [MultiHeadAttention(D_MODEL, num_heads=1) for _ in range(3)]
    for module in attention:  # larger projections than at initialisation, so that the weights differ visibly
        for w in (module.w_q, module.w_k):
            w.weight.mul_(3)
    memory, encoder = attention[0](source, source, source)
    decoded, decoder = attention[1](target, target, target, causal_mask(TARGET))
    _, cross = attention[2](decoded, memory, memory)
    panels = [(encoder, "source", "source"), (decoder, "target", "target"), (cross, "target", "source")]
    figure, axes = style.plt.subplots(1, 3, figsize=(style.WIDTH, 2.5), width_ratios=[4, 3, 4])
    for ax, title, (weights, queries, keys) in zip(axes, text["titles"], panels, strict=True):
        style.heatmap(
            ax,
            weights[0, 0],
            cmap=style.WEIGHTS,
            vmin=0,
            vmax=1,
            fmt=lambda v: "0" if v == 0 else f"{v:.2f}",
            rows=[f"{queries[0]}{i + 1}" for i in range(weights.size(2))],
            columns=[f"{keys[0]}{i + 1}" for i in range(weights.size(3))],
            size=8,
        )
        ax.set_title(title, size=9)
        ax.set_xlabel(text["key"].format(text[keys]), size=8.5)
        ax.set_ylabel(text["query"].format(text[queries]), size=8.5)
    return figure
