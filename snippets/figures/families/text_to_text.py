"""Four tasks as text that goes into one model and text that comes out of it."""

import re

from matplotlib.patches import Rectangle

from snippets.families.t5_tasks import TASKS, answers, trained
from snippets.figures import style

SHOWS_KOREAN = True  # in both languages: it is what comes out
DATE, NUMBER = "Tuesday , March 5 , 2 0 2 4", "4 0 7 1 2"
COLOURS = (style.OUTPUT, style.QUERY, style.KEY, style.VALUE)

TEXT = {
    "ko": {"in": "들어가는 텍스트: 프리픽스와 입력", "out": "나오는 텍스트", "model": "학습된 T5 하나"},
    "en": {"in": "text in: prefix and input", "out": "text out", "model": "one trained T5"},
}


def written(tokens):
    """Tokens as one would write them: digits and commas without spaces before them."""
    text = re.sub(r"(?<=\d) (?=[\d년월일])", "", " ".join(tokens))
    return re.sub(r" (?=[,:])", "", text)


def draw(text):
    inputs = [DATE, *[NUMBER] * 3]
    found = answers(trained(), [f"{prefix} {x}".split() for prefix, x in zip(TASKS, inputs, strict=True)])
    figure, ax = style.canvas(262)
    row, left, right = 20, 6, style.WIDTH * 72 - 6
    ax.text(left, 14, text["in"], color=style.FAINT)
    ax.text(left, 172, text["out"], color=style.FAINT)
    for i, (prefix, x, colour) in enumerate(zip(TASKS, inputs, COLOURS, strict=True)):
        wide = [0.52 * len(written(part.split())) * 9 + 10 for part in (prefix, x)]
        start = left
        for part, width, alpha in zip((prefix, x), wide, (0.28, style.PALEST), strict=True):
            ax.add_patch(Rectangle((start, 20 + i * row), width, row - 3, color=colour, alpha=alpha, lw=0))
            ax.text(start + width / 2, 32.5 + i * row, written(part.split()), ha="center")
            start += width
        ax.add_patch(Rectangle((left, 178 + i * row), right - left, row - 3, color=colour, alpha=style.PALEST, lw=0))
        ax.text(left + 6, 190.5 + i * row, written(found[i]), color=colour)
    middle = (left + right) / 2
    ax.add_patch(Rectangle((middle - 70, 118), 140, 26, fill=False, ec=style.INK, lw=1.2))
    ax.text(middle, 134.5, text["model"], ha="center", weight="bold")
    for top, bottom in ((102, 117), (145, 164)):
        ax.annotate("", (middle, bottom), (middle, top), arrowprops={"arrowstyle": "-|>", "color": style.INK})
    return figure
