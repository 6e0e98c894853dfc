"""Four tasks on one sentence: which tokens are seen when a token is predicted."""

import torch

from snippets.before.prediction_tasks import masked_pairs, next_token_pairs, previous_token_pairs, skip_gram_pairs
from snippets.figures import style

HIDDEN, WINDOW = {1, 4}, 2

TEXT = {
    "ko": {
        "next": "다음 토큰",
        "previous": "이전 토큰",
        "masked": "마스크",
        "skip": "skip-gram의 쌍",
        "predicted": "맞힐 토큰",
        "seen": "보이는 토큰의 위치",
        "tokens": ["모든 {}", "국민은 {}", "법 {}", "앞에 {}", "평등하다 {}"],
    },
    "en": {
        "next": "next token",
        "previous": "previous token",
        "masked": "masked",
        "skip": "skip-gram pairs",
        "predicted": "predicted token",
        "seen": "position of seen tokens",
        "tokens": ["Congress {}", "shall {}", "make {}", "no {}", "law {}"],
    },
}


def visible(pairs, n):
    """1 where the token of a row is predicted and that of a column is seen: (n, n)."""
    matrix = torch.zeros(n, n)
    for seen, predicted in pairs:
        for position in seen:
            if position != "[MASK]":
                matrix[predicted, position] = 1
    return matrix


def draw(text):
    n = len(text["tokens"])
    positions = list(range(n))
    tasks = {
        "next": next_token_pairs(positions),
        "previous": previous_token_pairs(positions),
        "masked": masked_pairs(positions, HIDDEN),
        "skip": skip_gram_pairs(positions, WINDOW),
    }
    size, left, right, top, below = 22, 72, 208, 22, 168
    figure, ax = style.canvas(312)
    for (name, pairs), (x, y) in zip(
        tasks.items(), [(left, top), (right, top), (left, below), (right, below)], strict=True
    ):
        seen, asked = visible(pairs, n), {predicted for _, predicted in pairs}
        rows = [token.format(i) for i, token in enumerate(text["tokens"])] if x == left else positions
        form = {"colour": style.KEY, "size": (size, size), "show": lambda value: "●" if value else ""}
        style.cells(ax, seen, x, y, depth=seen, rows=rows, columns=positions, **form)
        for i in asked:
            middle = y + (i + 0.5) * size + 0.36 * style.SMALL
            ax.text(x + (i + 0.5) * size, middle, "?", ha="center", color=style.OUTPUT, weight="bold")
        ax.text(x, y - 7, text[name], weight="bold")
    for x in (left, right):
        ax.text(x + n * size / 2, below + n * size + 24, text["seen"], ha="center", color=style.KEY)
    for y in (top, below):
        turned = {"ha": "center", "rotation": 90, "rotation_mode": "anchor"}
        ax.text(12, y + n * size / 2, text["predicted"], color=style.OUTPUT, **turned)
    return figure
