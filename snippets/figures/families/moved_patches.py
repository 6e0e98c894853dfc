"""A row of eight pixels, moved by one and by two, and the four patches into which each is cut."""

import torch
from matplotlib.patches import Rectangle

from snippets.figures import style

ROW = torch.tensor([0, 0, 9, 9, 0, 0, 0, 0])
PATCH = 2

TEXT = {
    "ko": {0: "원래 이미지", 1: "한 픽셀 옮김", 2: "두 픽셀 옮김", "patches": "패치(픽셀 둘씩)"},
    "en": {0: "the image", 1: "moved by one", 2: "moved by two", "patches": "patches of two pixels"},
}


def draw(text):
    cell, height, left, top, apart = 25, 22, 96, 26, 12
    figure, ax = style.canvas(top + 3 * (height + apart) + 2)
    ax.text(left, 14, text["patches"], weight="bold")
    for moves in range(3):
        y = top + moves * (height + apart)
        ax.text(left - 10, y + height / 2 + 3, text[moves], ha="right")
        for i, patch in enumerate(ROW.roll(moves).unflatten(0, (-1, PATCH))):
            x = left + i * (PATCH * cell + 8)
            style.cells(ax, patch[None], x, y, colour=style.QUERY, size=(cell, height), depth=patch[None] / 9)
            ax.add_patch(Rectangle((x, y), PATCH * cell, height, fill=False, edgecolor=style.INK, lw=1.2))
    return figure
