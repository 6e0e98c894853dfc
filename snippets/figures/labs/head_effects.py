"""How far sentence embeddings move when one head is switched off, for each head of each layer."""

import torch

from snippets.figures import style
from snippets.labs.inside_an_encoder import NUM_HEADS, NUM_LAYERS, one_by_one

CELL, LEFT, TOP = (24.5, 19), 34, 36

TEXT = {
    "ko": {"title": "1000 × (1 − 코사인)", "axes": "층 ↓, 헤드 →"},
    "en": {"title": "1000 × (1 − cosine)", "axes": "layer ↓, head →"},
}


def draw(text, runs=None):
    """runs: as ``one_by_one`` returns them."""
    same = torch.tensor([run["cosine"] for run in runs or one_by_one()])
    moved = 1000 * (1 - same).view(NUM_LAYERS, NUM_HEADS)
    figure, ax = style.canvas(TOP + NUM_LAYERS * CELL[1] + 18)
    rows, columns = map(str, range(NUM_LAYERS)), map(str, range(NUM_HEADS))
    style.cells(ax, moved, LEFT, TOP, colour=style.OUTPUT, size=CELL, show="{:.0f}", rows=rows, columns=columns)
    ax.text(LEFT, 12, text["title"], weight="bold", color=style.OUTPUT)
    ax.text(LEFT, TOP - 7, text["axes"], size=style.SMALL)
    return figure
