"""A digit, its patches, and the sequence of tokens that they become."""

from matplotlib.patches import FancyArrowPatch, Rectangle

from snippets.families.vision_training import PATCH, test_set
from snippets.families.vision_transformer import to_patches
from snippets.figures import style

DIGIT, GRID = 0, 4  # which of the test set; patches in a row

TEXT = {
    "ko": {
        "image": "이미지 (8×8 픽셀)",
        "patches": "패치 16개 (각각 2×2)",
        "vectors": "픽셀 4개씩 늘어놓아 행렬을 곱함",
        "tokens": "토큰 17개",
        "class": "클래스",
        "positions": "+ 위치 임베딩 0, 1, …, 16",
        "encoder": "인코더",
    },
    "en": {
        "image": "image (8 × 8 pixels)",
        "patches": "16 patches (2 × 2 each)",
        "vectors": "4 pixels of each, times a matrix",
        "tokens": "17 tokens",
        "class": "class",
        "positions": "+ position embeddings 0, 1, …, 16",
        "encoder": "encoder",
    },
}


def pixels(ax, values, x, y, cell):
    """Grey squares for values from 0 to 1, (rows, columns)."""
    form = {"colour": style.INK, "size": (cell, cell), "depth": values, "deepest": 0.9}
    style.cells(ax, values, x, y, show=lambda value: "", **form)


def arrow(ax, start, end):
    """Between two points of a canvas."""
    look = {"arrowstyle": "-|>", "mutation_scale": 9, "color": style.FAINT, "lw": 1.0}
    ax.add_patch(FancyArrowPatch(start, end, **look))


def draw(text):
    image = (test_set().images[DIGIT : DIGIT + 1] + 1) / 2
    patches = to_patches(image, PATCH)[0].unflatten(-1, (PATCH, PATCH))
    figure, ax = style.canvas(316)
    cell, top = 13, 24
    ax.text(16, 14, text["image"], weight="bold")
    pixels(ax, image[0, 0], 16, top, cell)
    ax.text(186, 14, text["patches"], weight="bold")
    apart = 2 * cell + 6
    for i, patch in enumerate(patches):
        x, y = 186 + (i % GRID) * apart, top + (i // GRID) * apart
        pixels(ax, patch, x, y, cell)
    arrow(ax, (16 + 8 * cell + 10, top + 4 * cell), (178, top + 4 * cell))
    # the same patches in reading order, below each other with the tokens that they become
    wide, left, row, tokens = 18, 13, 184, 244
    for i, patch in enumerate(patches, start=1):
        x = left + i * wide
        pixels(ax, patch, x + 2, row, 7)
        arrow(ax, (x + 9, row + 17), (x + 9, tokens - 2))
    ax.text(left + wide, row - 8, text["vectors"], color=style.QUERY)
    for i in range(len(patches) + 1):
        x, colour = left + i * wide, style.OUTPUT if i == 0 else style.QUERY
        ax.add_patch(Rectangle((x + 2, tokens), wide - 4, 26, color=colour, alpha=0.35, lw=0))
        ax.text(x + wide / 2, tokens + 16, str(i), ha="center", size=style.SMALL)
    ax.text(5, tokens - 6, text["class"], color=style.OUTPUT, size=style.SMALL)
    ax.text(left + 2, tokens + 42, text["tokens"], weight="bold")
    ax.text(left + 17 * wide - 2, tokens + 42, text["positions"], ha="right", color=style.KEY)
    arrow(ax, (style.WIDTH * 36, tokens + 46), (style.WIDTH * 36, tokens + 60))
    ax.text(style.WIDTH * 36, tokens + 69, text["encoder"], ha="center", weight="bold")
    return figure
