"""For each of the 270 heads of SmolLM2: its induction score, and what the loss on text rises by without it."""

import torch

from snippets.figures import style
from snippets.llm.heads_measured import results

CELL, TOP = (15.6, 13), 38
LEFT = (24, 24 + 9 * 15.6 + 24)

TEXT = {
    "ko": {"scores": "유도 점수 (100분의 1)", "cost": "손실 증가 (100분의 1 nat)", "axes": "층 ↓ 헤드 →"},
    "en": {"scores": "induction score (hundredths)", "cost": "rise of loss (hundredths)", "axes": "layer ↓ head →"},
}


def draw(text):
    found = results()
    scores = 100 * torch.tensor(found["scores"])
    cost = 100 * (torch.tensor(found["alone"]) - torch.tensor(found["before"])).mean(dim=-1)
    figure, ax = style.canvas(TOP + 30 * CELL[1] + 16)
    heads, layers = [str(n) for n in range(9)], [str(n) for n in range(30)]
    panels = [(LEFT[0], scores, "scores", style.WEIGHT), (LEFT[1], cost, "cost", style.OUTPUT)]
    for left, values, name, colour in panels:
        depth = (values / values.flatten().sort().values[-4]).clamp(0, 1)
        form = {"size": CELL, "depth": depth, "columns": heads, "rows": layers, "colour": colour}
        style.cells(ax, values, left, TOP, show=lambda x: f"{x:.0f}" if x >= 1.5 else "", **form)
        ax.text(left, 12, text[name], weight="bold", color=colour)
        ax.text(left, TOP - 8, text["axes"], size=style.SMALL)
    return figure
