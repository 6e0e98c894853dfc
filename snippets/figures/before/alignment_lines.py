"""Which source tokens the recurrent translator looks at for each token it generates, as lines between the two."""

import datetime

from snippets.before.recurrent_attention import date_alignment
from snippets.figures import style

DATE = datetime.date(2024, 3, 5)
SHOWS_KOREAN = True  # in both languages: the translation is what it is about
HEIGHT, TOP, BOTTOM = 128, 32, 104

TEXT = {
    "ko": {"source": "원문", "target": "번역문"},
    "en": {"source": "source", "target": "translation"},
}


def middles(tokens):
    """Where the middle of each token is, from left to right; longer tokens take more room."""
    room = [14 + 5.2 * sum(2 if ord(letter) > 0x1100 else 1 for letter in token) for token in tokens]
    unit = (style.WIDTH * 72 - 8) / sum(room)
    return [4 + unit * (sum(room[:i]) + room[i] / 2) for i in range(len(tokens))]


def draw(text):
    source, target, weights = date_alignment(DATE)
    figure, ax = style.canvas(HEIGHT)
    above, below = middles(source), middles(target)
    for i, row in enumerate(weights.tolist()):
        for j, weight in enumerate(row):
            if weight > 0.05:
                ends = ([above[j], below[i]], [TOP + 6, BOTTOM - 12])
                ax.plot(*ends, color=style.WEIGHT, lw=5 * weight, alpha=0.25 + 0.55 * weight, solid_capstyle="round")
    for x, token in zip(above, source, strict=True):
        ax.text(x, TOP, token, ha="center", color=style.KEY)
    for x, token in zip(below, target, strict=True):
        ax.text(x, BOTTOM, token, ha="center", color=style.QUERY)
    ax.text(4, 13, text["source"], color=style.KEY, weight="bold")
    ax.text(4, HEIGHT - 8, text["target"], color=style.QUERY, weight="bold")
    return figure
