"""A target shifted by one: what goes into the decoder, and below what has to come out at each position."""

import datetime

from snippets.before import dates
from snippets.figures import style

SHOWS_KOREAN = True  # in both languages: the target is Korean
DATE = datetime.date(2024, 3, 5)

TEXT = {
    "ko": {"in": "입력", "out": "레이블", "position": "위치"},
    "en": {"in": "input", "out": "label", "position": "position"},
}


def tokens():
    """Input and labels of the decoder as tokens."""
    vocab = dates.vocabulary()
    _, tgt = dates.batch([DATE], vocab)
    row = [vocab.tokens[i] for i in tgt[0].tolist()]
    return row[:-1], row[1:]


def draw(text):
    goes_in, comes_out = tokens()
    left, width, top, seen = 46, 25.6, 10, 5
    figure, ax = style.canvas(top + 96)
    target = (left + (seen + 0.5) * width, top + 19)
    for i, (given, wanted) in enumerate(zip(goes_in, comes_out, strict=True)):
        middle = left + (i + 0.5) * width
        style.boxes(ax, [wanted], left + i * width, top, colour=style.OUTPUT, width=width, pale=i != seen)
        style.boxes(ax, [given], left + i * width, top + 56, colour=style.QUERY, width=width, pale=i > seen)
        ax.text(middle, top + 85, str(i), ha="center", size=style.SMALL)
        if i <= seen:
            style.arrow(ax, (middle, top + 54), target, colour=style.QUERY)
    for name, colour, y in [("out", style.OUTPUT, 12), ("in", style.QUERY, 68), ("position", style.INK, 85)]:
        ax.text(left - 4, top + y, text[name], ha="right", color=colour, size=style.SMALL)
    return figure
