"""What the logit lens reads at each token of one prompt, between the layers of SmolLM2."""

import torch

from snippets.figures import style
from snippets.llm.capitals import results

LAYERS = [0, 6, 12, 18, 22, 23, 24, 25, 26, 27, 28, 29, 30]
TOKENS = ["The", " capital", " of", " France", " is"]
CELL, LEFT, TOP = (56, 18), 46, 48

TEXT = {
    "ko": {"layers": "거친 층의 수 ↓", "position": "읽은 위치의 토큰 →"},
    "en": {"layers": "layers so far ↓", "position": "at the token →"},
}


def draw(text):
    words, probabilities = results()["grid"]
    shown = [words[n] for n in LAYERS]
    p = torch.tensor([probabilities[n] for n in LAYERS])
    figure, ax = style.canvas(TOP + len(LAYERS) * CELL[1] + 6)
    rows = [str(n) for n in LAYERS]
    style.cells(ax, p, LEFT, TOP, colour=style.OUTPUT, size=CELL, show=lambda x: "", depth=p, rows=rows)
    middle = 0.36 * style.SMALL
    for i, row in enumerate(shown):
        for j, token in enumerate(row):
            x, y = LEFT + (j + 0.5) * CELL[0], TOP + (i + 0.5) * CELL[1] + middle
            ax.text(x, y, style.readable(token)[:9], ha="center", size=style.SMALL)
    for j, token in enumerate(TOKENS):
        x = LEFT + (j + 0.5) * CELL[0]
        ax.text(x, TOP - 6, style.readable(token), ha="center", size=style.SMALL, weight="bold", color=style.QUERY)
    ax.text(LEFT, 10, text["position"], size=style.SMALL, color=style.QUERY)
    ax.text(2, 25, text["layers"], size=style.SMALL)
    return figure
