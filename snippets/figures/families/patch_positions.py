"""Cosine similarity of each patch's position embedding with those of all others, mean over the seeds."""

import torch
from matplotlib.patches import Rectangle

from snippets.families.vision_training import SEEDS, position_similarity, trained
from snippets.figures import style

TEXT = {
    "ko": {"row": "행 {}", "column": "열 {}", "scale": "코사인 유사도"},
    "en": {"row": "row {}", "column": "column {}", "scale": "cosine similarity"},
}


def draw(text):
    seeds = torch.stack([position_similarity(trained(seed=seed)) for seed in SEEDS])
    similarity = seeds.mean(dim=0).unflatten(-1, (4, 4))  # (patch, row, column)
    low = similarity.min()
    cell, gap, left, top = 14, 12, 48, 24
    side = 4 * cell
    figure, ax = style.canvas(top + 4 * (side + gap) + 34)
    form = {"colour": style.KEY, "size": (cell, cell), "deepest": 1.0, "show": lambda value: ""}
    for i, values in enumerate(similarity):
        row, column = divmod(i, 4)
        x, y = left + column * (side + gap), top + row * (side + gap)
        style.cells(ax, values, x, y, depth=((values - low) / (1 - low)).clamp(0, 1), **form)
        own = (x + column * cell + 0.5, y + row * cell + 0.5)
        ax.add_patch(Rectangle(own, cell - 1, cell - 1, fill=False, edgecolor=style.INK, lw=1.4))
        if row == 0:
            ax.text(x + side / 2, top - 8, text["column"].format(column + 1), ha="center", size=style.SMALL)
        if column == 0:
            ax.text(left - 6, y + side / 2 + 3, text["row"].format(row + 1), ha="right", size=style.SMALL)
    y = top + 4 * (side + gap) + 6
    shades = [low + (1 - low) * k / 8 for k in range(9)]
    for k in range(9):
        alpha = style.PALEST + (1 - style.PALEST) * k / 8
        ax.add_patch(Rectangle((left + 110 + k * cell, y), cell, 10, color=style.KEY, alpha=alpha, lw=0))
    ax.text(left, y + 9, text["scale"], size=style.SMALL)
    ax.text(left + 106, y + 9, f"{shades[0]:.1f}", ha="right", size=style.SMALL)
    ax.text(left + 114 + 9 * cell, y + 9, f"{shades[-1]:.1f}", size=style.SMALL)
    return figure
