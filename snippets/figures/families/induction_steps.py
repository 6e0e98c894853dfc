"""How the last letter of a sequence comes by its digit: a step for each layer, with the weights of two heads."""

import torch

from snippets.families.in_context_learning import (
    TOKENS,
    attention_weights,
    induction_scores,
    previous_scores,
)
from snippets.families.mapping_learner import evaluation_set, learner
from snippets.figures import style

SEQUENCE = "d7h2b1d7h"
ROWS, BOX = (30, 100, 172), 18  # upper edges, height

TEXT = {
    "ko": {"input": "입력", "between": ["0층", "뒤"], "answer": "답", "layer": "{}층 헤드 {}"},
    "en": {"input": "input", "between": ["after", "layer 0"], "answer": "answer", "layer": "layer {}, head {}"},
}


def circuit():
    """The best head of each kind, (layer, head), its weights on SEQUENCE, (n, n), and what the model answers."""
    model, ids = learner(), evaluation_set(200)
    row = torch.tensor([[TOKENS.index(token) for token in SEQUENCE]])
    weights = attention_weights(model, row)[0]
    found = []
    for score in (previous_scores, induction_scores):
        head = divmod(score(model, ids).argmax().item(), weights.size(1))
        found.append((head, weights[head]))
    with torch.no_grad():
        return found, TOKENS[model(row)[0, -1].argmax()]


def draw(text, width=style.WIDTH):
    ((previous, first), (induction, second)), answer = circuit()
    n, last = len(SEQUENCE), len(SEQUENCE) - 1
    read = int(second[last].argmax())  # the position that the last letter reads
    step, left = (30, 54) if width == style.WIDTH else (22.5, 52)
    figure, ax = style.canvas(ROWS[2] + BOX + 6, width)
    middle = [left + (i + 0.5) * step for i in range(n)]

    def box(i, row, token, deep, before=""):
        alpha, weight = (style.DEEPEST, "bold") if deep else (style.PALEST, "normal")
        corner, size = (left + i * step + 1, row), (step - 2, BOX)
        ax.add_artist(style.Rectangle(corner, *size, color=style.WEIGHT, alpha=alpha, lw=0))
        ax.text(middle[i] + (4 if before else 0), row + BOX / 2 + 3.2, token, ha="center", weight=weight)
        ax.text(middle[i] - 5, row + BOX / 2 + 3.2, before, ha="center", size=style.SMALL)

    def arrow(i, j, above, below, aside=0, **form):
        """From position j of a row to position i of the next."""
        style.arrow(ax, (middle[j] + max(aside, 0), above + BOX + 1), (middle[i] + aside, below - 1), **form)

    for i, token in enumerate(SEQUENCE):
        box(i, ROWS[0], token, deep=i in (read - 1, last))
        box(i, ROWS[1], token, deep=i in (read, last), before=SEQUENCE[int(first[i].argmax())])
        for j in (first[i] >= 0.15).nonzero().flatten().tolist():
            of_circuit = (i, j) == (read, read - 1)
            colour, most = (style.WEIGHT, 3) if of_circuit else (style.FAINT, 0.8)
            arrow(i, j, *ROWS[:2], colour=colour, width=most * first[i, j].item())
    box(last, ROWS[2], answer, deep=True)
    for j in (second[last] >= 0.15).nonzero().flatten().tolist():
        arrow(last, j, *ROWS[1:], aside=-4, colour=style.WEIGHT, width=3 * second[last, j].item())
    arrow(last, last, *ROWS[1:], aside=4, width=0.8)  # that asks

    for head, y in ((previous, 14), (induction, ROWS[1] + BOX + 42)):
        ax.text(left, y, text["layer"].format(*head), color=style.WEIGHT, weight="bold")
    beside = [(text["input"], ROWS[0] + 12)]
    beside += [(words, ROWS[1] + 6 + 12 * line) for line, words in enumerate(text["between"])]
    for words, y in beside:
        ax.text(left - 8, y, words, ha="right", color=style.FAINT)
    ax.text(middle[last] - step / 2 - 6, ROWS[2] + 12, text["answer"], ha="right", color=style.FAINT)
    return figure
