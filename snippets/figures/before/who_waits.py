"""When the result for each token can be there at the earliest: a recurrent layer and self-attention."""

import datetime

import torch
from matplotlib.patches import Rectangle
from torch import nn

from snippets.before import dates
from snippets.figures import style
from snippets.tools.chains import longest_chain

DATE = datetime.date(2024, 3, 5)
ROW = 12

TEXT = {
    "ko": {"recurrent": "순환층", "attention": "셀프 어텐션", "time": "시간"},
    "en": {"recurrent": "recurrent layer", "attention": "self-attention", "time": "time"},
}


def earliest_recurrent(n):
    """How many matrix products have to be done, one after the other, before each state of an RNN is there."""
    cell, h, found = nn.RNNCell(4, 4), torch.zeros(1, 4), []
    for x in torch.randn(n, 1, 4):
        h = cell(x, h)
        found.append(longest_chain(h))
    return found


def earliest_with_attention(n):
    """The same for each output of self-attention."""
    x = torch.randn(n, 4, requires_grad=True)
    return [longest_chain(y) for y in torch.softmax(x @ x.T, dim=-1) @ x]


def draw(text, width=style.WIDTH):
    tokens = dates.english(DATE)
    panels = {
        "recurrent": (earliest_recurrent(len(tokens)), style.KEY),
        "attention": (earliest_with_attention(len(tokens)), style.WEIGHT),
    }
    rows = sum(max(earliest) for earliest, _ in panels.values())
    figure, ax = style.canvas(26 * len(panels) + ROW * rows + 26, width)
    left, cell, top = (60, 28, 4) if width == style.WIDTH else (38, 24.6, 4)
    for name, (earliest, colour) in panels.items():
        ax.text(4, top + 10, text[name], weight="bold", color=colour)
        top += 18
        for position, ready in enumerate(earliest):
            for step in range(1, ready + 1):
                look = {"color": colour, "alpha": 0.75} if step == ready else {"color": style.FAINT, "alpha": 0.14}
                corner = (left + position * cell + 1, top + (step - 1) * ROW + 1)
                ax.add_patch(Rectangle(corner, cell - 2, ROW - 2, lw=0, **look))
        for step in range(1, max(earliest) + 1):
            ax.text(left - 6, top + step * ROW - 4, step, ha="right", size=style.SMALL)
        ax.text(4, top + ROW - 4, text["time"], size=style.SMALL, color=style.FAINT)
        top += max(earliest) * ROW + 8
    for position, token in enumerate(tokens):
        ax.text(left + (position + 0.5) * cell, top + 8, token, ha="center", size=style.SMALL)
    return figure
