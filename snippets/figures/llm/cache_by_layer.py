"""What each layer of ten models stores of 32,768 tokens: the area is the cache."""

from itertools import groupby

from snippets.figures import style
from snippets.llm.todays_models import cached_by_layer, ten_models

TOKENS, BYTES = 32_768, 2
#: Points: the height of a layer that stores 512 MiB, the least height of a layer, and of a row.
HIGHEST, LEAST, ROW = 46, 0.9, 13

TEXT = {
    "ko": {"full": "토큰 모두", "window": "윈도만", "state": "상태만"},
    "en": {"full": "all tokens", "window": "a window", "state": "a state"},
}

COLOURS = {"full": style.KEY, "window": style.QUERY, "state": style.VALUE}


def layers(config):
    """Of each layer, the kind of what it stores and its MiB: twice the text tells a window from all tokens."""
    once, twice = (cached_by_layer(config, n) for n in (TOKENS, 2 * TOKENS))
    kinds = ("state" if not a else "full" if b > a else "window" for a, b in zip(once, twice, strict=True))
    return [(kind, numbers * BYTES / 2**20) for kind, numbers in zip(kinds, once, strict=True)]


def draw(text, width=style.WIDTH):
    models = {name: layers(config) for name, config in ten_models().items()}
    most = max(mib for of in models.values() for _, mib in of)
    left, right = 96, 58
    across = (width * 72 - left - right) / max(map(len, models.values()))
    heights = {name: HIGHEST * max(mib for _, mib in of) / most for name, of in models.items()}
    figure, ax = style.canvas(24 + sum(max(height, ROW - 5) + 5 for height in heights.values()), width)
    for column, (kind, colour) in enumerate(COLOURS.items()):
        x = 8 + column * width * 24
        ax.add_patch(style.Rectangle((x, 5), 8, 8, color=colour, lw=0))
        ax.text(x + 12, 12, text[kind], size=style.SMALL)
    bottom = 18
    for name, of in models.items():
        bottom += max(heights[name], ROW - 5) + 5
        ax.text(left - 6, bottom - 1, name, ha="right", size=style.SMALL)
        start = 0
        for (kind, mib), run in groupby(of):
            count, height = len(list(run)), max(LEAST, HIGHEST * mib / most)
            corner = (left + start * across, bottom - height)
            ax.add_patch(style.Rectangle(corner, count * across, height, color=COLOURS[kind], lw=0))
            start += count
        size = f"{sum(mib for _, mib in of):,.0f} MiB"
        ax.text(left + start * across + 4, bottom - 1, size, size=style.SMALL)
    return figure
