"""What the logit lens reads at each token of one prompt, between the layers of SmolLM2."""

import torch

from snippets.figures import style
from snippets.llm.capitals import results

LAYERS = [0, 6, 12, 18, 22, 23, 24, 25, 26, 27, 28, 29, 30]
TOKENS = ["The", " capital", " of", " France", " is"]
HEIGHT, TOP = 18, 48

TEXT = {
    "ko": {"layers": "거친 층의 수 ↓", "position": "읽은 위치의 토큰 →"},
    "en": {"layers": "layers so far ↓", "position": "at the token →"},
}


def draw(text, width=style.WIDTH):
    words, probabilities = results()["grid"]
    shown = [words[n] for n in LAYERS]
    p = torch.tensor([probabilities[n] for n in LAYERS])
    cell, left = (56, 46) if width == style.WIDTH else (46, 30)
    figure, ax = style.canvas(TOP + len(LAYERS) * HEIGHT + 6, width)
    rows = [str(n) for n in LAYERS]
    style.cells(ax, p, left, TOP, colour=style.OUTPUT, size=(cell, HEIGHT), show=lambda x: "", depth=p, rows=rows)
    middle = 0.36 * style.SMALL
    for i, row in enumerate(shown):
        for j, token in enumerate(row):
            x, y = left + (j + 0.5) * cell, TOP + (i + 0.5) * HEIGHT + middle
            ax.text(x, y, style.readable(token)[:9], ha="center", size=style.SMALL)
    for j, token in enumerate(TOKENS):
        x = left + (j + 0.5) * cell
        ax.text(x, TOP - 6, style.readable(token), ha="center", size=style.SMALL, weight="bold", color=style.QUERY)
    ax.text(left, 10, text["position"], size=style.SMALL, color=style.QUERY)
    ax.text(2, 25, text["layers"], size=style.SMALL)
    return figure
