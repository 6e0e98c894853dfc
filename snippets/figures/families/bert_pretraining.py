"""BERT in pretraining: what goes in for a pair of sentences, one vector a token, and what two of them must answer."""

import torch

from snippets.families.bert import BERT_BASE, Bert
from snippets.figures import style

TEXT = {
    "ko": {
        "rows": ["토큰", "위치", "세그먼트"],
        "first": ["비가", "많이"],
        "second": ["집에", "가자"],
        "encoder": "인코더: 토큰마다 앞뒤의 모든 토큰을 봅니다",
        "vectors": "출력 벡터",
        "shape": "{} × {}",
        "asked": "이어지나?",
        "next": "예",
        "hidden": "온다",
    },
    "en": {
        "rows": ["token", "position", "segment"],
        "first": ["it", "is"],
        "second": ["go", "home"],
        "encoder": "encoder: each token sees all before and after it",
        "vectors": "output",
        "shape": "{} × {}",
        "asked": "neighbors?",
        "next": "yes",
        "hidden": "raining",
    },
}


def draw(text):
    first = ["[CLS]", *text["first"], "[MASK]", "[SEP]"]
    tokens = [*first, *text["second"], "[SEP]"]
    segments = [0] * len(first) + [1] * (len(tokens) - len(first))
    with torch.device("meta"):  # shapes without numbers
        output = Bert(BERT_BASE)(torch.ones(1, len(tokens), dtype=torch.long))
    cell, height, step, left, top = 33, 20, 38, 62, 8
    width, middle = len(tokens) * cell, 0.36 * style.SMALL
    figure, ax = style.canvas(top + 5 * step + 32)
    columns = [left + (i + 0.5) * cell for i in range(len(tokens))]

    def row(y, labels, name, colour):
        ax.text(left - 6, y + height / 2 + middle, name, ha="right", color=colour, weight="bold")
        for x, label in zip(columns, labels, strict=True):
            ax.add_patch(style.Rectangle((x - cell / 2 + 1, y), cell - 2, height, color=colour, alpha=0.28, lw=0))
            ax.text(x, y + height / 2 + middle, str(label), ha="center", size=style.SMALL)

    inputs = zip((tokens, range(len(tokens)), segments), (style.KEY, style.QUERY, style.VALUE), strict=True)
    for i, ((labels, colour), name) in enumerate(zip(inputs, text["rows"], strict=True)):
        row(top + i * step, labels, name, colour)
        for x in columns if i < 2 else []:
            ax.text(x, top + i * step + height + 13, "+", ha="center", size=11)
    y = top + 3 * step
    style.block(ax, left + width / 2, y, width, text["encoder"], height=height + 2)
    row(y + step, [""] * len(tokens), text["vectors"], style.FAINT)
    ax.text(left - 6, y + step + height + 11, text["shape"].format(*output.shape[1:]), ha="right", size=style.SMALL)
    for x in columns:
        style.arrow(ax, (x, y - step + height + 1), (x, y - 1))
        style.arrow(ax, (x, y + height + 3), (x, y + step - 1))
    asked = {0: text["next"], tokens.index("[MASK]"): text["hidden"]}
    for i, answer in asked.items():
        style.arrow(ax, (columns[i], y + step + height + 1), (columns[i], y + 2 * step - 2), colour=style.OUTPUT)
        ax.text(columns[i], y + 2 * step + 10, answer, ha="center", color=style.OUTPUT, weight="bold")
    ax.text(columns[0], y + 2 * step + 22, text["asked"], ha="center", size=style.SMALL)
    return figure
