"""The soft look-up as bars: similarity, weight, and what each price adds to the answer."""

import torch

from snippets.figures import style
from snippets.soft_lookup import soft_lookup

SIMILARITIES = torch.tensor([3.1, 3.5, 1.2, 0.1, 0.9])
PRICES = torch.tensor([200.0, 3000.0, 3000.0, 1000.0, 750.0])

TEXT = {
    "ko": {
        "names": ["연필", "샤프", "공책", "가위", "자"],
        "similarity": "유사도",
        "weight": "가중치",
        "share": "가중치 × 값 (원)",
    },
    "en": {
        "names": ["pencil", "mech. pencil", "notebook", "scissors", "ruler"],
        "similarity": "similarity",
        "weight": "weight",
        "share": "weight × price (won)",
    },
}


def draw(text):
    price, weights = soft_lookup(SIMILARITIES, PRICES)
    columns = [
        ("similarity", SIMILARITIES, style.KEY, "{:.1f}"),
        ("weight", weights, style.WEIGHT, "{:.4f}"),
        ("share", weights * PRICES, style.OUTPUT, "{:.0f}"),
    ]
    figure, axes = style.plt.subplots(1, 3, figsize=(style.WIDTH, 2.2), sharey=True)
    for ax, (title, values, colour, form) in zip(axes, columns, strict=True):
        ax.barh(text["names"], values, color=colour, height=0.62)
        for row, value in enumerate(values.tolist()):
            ax.text(value, row, " " + form.format(value), va="center", size=8.5)
        ax.set_title(text[title])
        ax.set_xlim(0, values.max().item() * 1.5)
        ax.set_xticks([])
        ax.spines["bottom"].set_visible(False)
        ax.tick_params(axis="y", length=0)
    axes[0].invert_yaxis()
    axes[2].set_xlabel(f"Σ = {price:.1f}")
    return figure
