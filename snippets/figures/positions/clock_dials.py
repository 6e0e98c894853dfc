"""The encoding of a position as the hands of four clocks, for four positions."""

import torch
from matplotlib.patches import Circle

from snippets.figures import style
from snippets.positions.sinusoidal import positional_encoding

POSITIONS, D_MODEL = [0, 1, 5, 50], 8

TEXT = {
    "ko": {"position": "위치 {}", "pair": "쌍 {}", "fast": "빠른 바늘", "slow": "느린 바늘"},
    "en": {"position": "position {}", "pair": "pair {}", "fast": "fast hand", "slow": "slow hand"},
}


def hands():
    """The tips of the hands, (positions, pairs, 2): the sine to the right, the cosine upwards, as on a clock."""
    return positional_encoding(torch.tensor(POSITIONS, dtype=torch.float64), D_MODEL).unflatten(1, (-1, 2))


def draw(text):
    left, top, step, radius = 66, 24, 64, 26
    bottom = top + len(POSITIONS) * step
    figure, ax = style.canvas(bottom + 16)
    for i, (position, pairs) in enumerate(zip(POSITIONS, hands().tolist(), strict=True)):
        y = top + (i + 0.5) * step
        ax.text(4, y + 3.2, text["position"].format(position))
        for j, (sine, cosine) in enumerate(pairs):
            x = left + (j + 0.5) * step
            ax.add_patch(Circle((x, y), radius, fill=False, ec=style.FAINT, lw=1))
            ax.plot([x, x], [y - radius, y - radius + 4], color=style.FAINT, lw=1)  # the mark at twelve
            tip = (x + 0.92 * radius * sine, y - 0.92 * radius * cosine)
            style.arrow(ax, (x, y), tip, colour=style.QUERY, width=1.8)
    pairs = D_MODEL // 2
    for j in range(pairs):
        ax.text(left + (j + 0.5) * step, 15, text["pair"].format(j), ha="center", weight="bold")
    for j, name in [(0, "fast"), (pairs - 1, "slow")]:
        ax.text(left + (j + 0.5) * step, bottom + 10, text[name], ha="center", size=style.SMALL)
    return figure
