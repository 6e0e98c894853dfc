"""Three positions further, each hand has turned by an angle of its own, wherever it started."""

import torch
from matplotlib.patches import Arc, Circle

from snippets.figures import style
from snippets.positions.fixed_offset import offset_map
from snippets.positions.sinusoidal import positional_encoding

STARTS, OFFSET, D_MODEL, PAIRS = [2, 21], 3, 16, [0, 1, 2, 3]

TEXT = {
    "ko": {"row": "{} → {}", "pair": "쌍 {}", "turn": "{:.0f}° 회전"},
    "en": {"row": "{} → {}", "pair": "pair {}", "turn": "by {:.0f}°"},
}


def hands():
    """The tips of the hands at STARTS, and what the linear map makes of them, each (starts, pairs, 2)."""
    before = positional_encoding(torch.tensor(STARTS, dtype=torch.float64), D_MODEL)
    after = before @ offset_map(OFFSET, D_MODEL)
    return tuple(x.unflatten(1, (-1, 2))[:, PAIRS] for x in (before, after))


def clockwise(tip):
    """The angle of a hand in degrees, from twelve o'clock."""
    return float(torch.rad2deg(torch.atan2(tip[0], tip[1])))


def draw(text):
    left, top, step, radius = 60, 24, 66, 26
    figure, ax = style.canvas(top + len(STARTS) * step + 16)
    for i, (start, before, after) in enumerate(zip(STARTS, *hands(), strict=True)):
        y = top + (i + 0.5) * step
        ax.text(4, y + 3.2, text["row"].format(start, start + OFFSET))
        for j, (old, new) in enumerate(zip(before, after, strict=True)):
            x = left + (j + 0.5) * step
            ax.add_patch(Circle((x, y), radius, fill=False, ec=style.FAINT, lw=1))
            for (sine, cosine), colour in [(old.tolist(), style.FAINT), (new.tolist(), style.QUERY)]:
                style.arrow(
                    ax, (x, y), (x + 0.92 * radius * sine, y - 0.92 * radius * cosine), colour=colour, width=1.6
                )
            angles = {"theta1": clockwise(old) - 90, "theta2": clockwise(new) - 90}  # an arc starts at three o'clock
            ax.add_patch(Arc((x, y), radius, radius, color=style.OUTPUT, lw=1.6, **angles))
            if i == 0:
                ax.text(x, 15, text["pair"].format(PAIRS[j]), ha="center", weight="bold")
                turn = (clockwise(new) - clockwise(old)) % 360
                below = top + len(STARTS) * step + 10
                ax.text(x, below, text["turn"].format(turn), ha="center", color=style.OUTPUT, size=style.SMALL)
    return figure
