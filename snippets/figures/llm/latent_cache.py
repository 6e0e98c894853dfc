"""What a layer of DeepSeek-V3 caches of a token, and what it computes from that, by area."""

from snippets.figures import style
from snippets.llm.latent_attention import numbers_cached

HEADS, D_K, LATENT, ROPE = 128, 128, 512, 64

TEXT = {
    "ko": {
        "MHA": "MHA, 헤드 128개",
        "GQA": "GQA, 헤드 8개",
        "MLA": "MLA, 헤드 128개",
        "k": "키",
        "v": "밸류",
        "cached": "{:,}개",
        "bytes": "{:,} 바이트",
        "computed": "저장하지 않고",
        "not": "계산해서 씀",
    },
    "en": {
        "MHA": "MHA, 128 heads",
        "GQA": "GQA, 8 heads",
        "MLA": "MLA, 128 heads",
        "k": "keys",
        "v": "values",
        "cached": "{:,} numbers",
        "bytes": "{:,} bytes",
        "computed": "computed,",
        "not": "not stored",
    },
}


def sizes():
    """Numbers of a token in a layer that are cached, by kind."""
    kinds = {"MHA": numbers_cached(HEADS, D_K), "GQA": numbers_cached(8, D_K)}
    return kinds | {"MLA": LATENT + ROPE}


def halves(ax, x, y, side, text, *, filled):
    """Keys and values as a square whose area is their number; what is not stored has an outline only."""
    middle = x + side / 2
    for colour, name, left, edge in [(style.KEY, "k", x, x), (style.VALUE, "v", middle, x + side)]:
        if filled:
            ax.add_patch(style.Rectangle((left, y), side / 2, side, color=colour, alpha=style.DEEPEST, lw=0))
        else:
            outline = [middle, edge, edge, middle], [y, y, y + side, y + side]
            ax.plot(*outline, color=colour, lw=1.2, ls=(0, (3, 2)))
        if side > style.WIDTH * 10:
            ax.text(left + side / 4, y + 16, text[name], ha="center", size=style.SMALL)


def draw(text, width=style.WIDTH):
    pitch, top, number = width * 24, 22, sizes()
    largest = pitch - 14  # the side of the square of MHA
    bottom = top + largest
    figure, ax = style.canvas(bottom + 32, width)
    for column, (kind, cached) in enumerate(number.items()):
        x, side = column * pitch + 7, largest * (cached / number["MHA"]) ** 0.5
        ax.text(x, 14, text[kind], size=style.SMALL, weight="bold")
        if kind == "MLA":
            halves(ax, x, top, largest, text, filled=False)
            for line, at in [("computed", 30), ("not", 41)]:
                ax.text(x + largest / 2, top + at, text[line], ha="center", size=style.SMALL)
            style.arrow(ax, (x + side / 2, bottom - side - 3), (x + largest / 2 - 4, top + 47))
            rope = side * ROPE / cached
            ax.add_patch(style.Rectangle((x, bottom - side), side - rope, side, color=style.QUERY, lw=0))
            ax.add_patch(style.Rectangle((x + side - rope, bottom - side), rope, side, color=style.KEY, lw=0))
            ax.text(x + side + 4, bottom - side / 2 + 3, f"{LATENT} + {ROPE}", size=style.SMALL)
        else:
            halves(ax, x, bottom - side, side, text, filled=True)
        ax.text(x, bottom + 13, text["cached"].format(cached), size=style.SMALL)
        ax.text(x, bottom + 25, text["bytes"].format(2 * cached), size=style.SMALL)
    return figure
