"""What goes into BERT for a pair of sentences: tokens, positions and segments, each with a vector."""

import torch

from snippets.figures import style


TEXT = {
    "ko": {
        "rows": ["토큰", "위치", "세그먼트"],
        "first": ["비가", "많이", "온다"],
        "second": ["집에", "가자"],
        "sum": "세 벡터의 합 → 층 정규화 → 인코더",
    },
    "en": {
        "rows": ["token", "position", "segment"],
        "first": ["it", "is", "raining"],
        "second": ["go", "home"],
        "sum": "sum of the three vectors → layer norm → encoder",
    },
}


def draw(text):
    first = ["[CLS]", *text["first"], "[SEP]"]
    second = [*text["second"], "[SEP]"]
    tokens = first + second
    segments = torch.tensor([0] * len(first) + [1] * len(second))
    cell, height, left, top = 33, 20, 58, 10
    figure, ax = style.canvas(top + 3 * (height + 18) + 8)
    rows = [(tokens, style.KEY), (range(len(tokens)), style.QUERY), (segments.tolist(), style.VALUE)]
    middle = 0.36 * style.SMALL
    for i, ((labels, colour), name) in enumerate(zip(rows, text["rows"], strict=True)):
        y = top + i * (height + 18)
        ax.text(left - 6, y + height / 2 + middle, name, ha="right", color=colour, weight="bold")
        for j, label in enumerate(labels):
            form = {"color": colour, "alpha": 0.28, "lw": 0}
            ax.add_patch(style.Rectangle((left + j * cell + 1, y), cell - 2, height, **form))
            x = left + (j + 0.5) * cell
            ax.text(x, y + height / 2 + middle, str(label), ha="center", size=style.SMALL)
            if i < 2:
                ax.text(x, y + height + 13, "+", ha="center", size=11)
    ax.text(left + len(tokens) * cell / 2, top + 3 * height + 2 * 18 + 18, text["sum"], ha="center")
    return figure
