"""Which digit the trained Vision Transformer takes for which, three seeds together."""

import torch

from snippets.families.vision_training import by_seed, test_set
from snippets.figures import style

TEXT = {
    "ko": {"predicted": "예측한 숫자", "label": "정답"},
    "en": {"predicted": "predicted digit", "label": "label"},
}


def confusion():
    """(label, predicted): the counts of scikit-learn's confusion_matrix, of which a build does without."""
    predictions = by_seed("class token", "predictions").flatten().long()
    labels = test_set().labels.repeat(len(predictions) // len(test_set().labels))
    return (10 * labels + predictions).bincount(minlength=100).view(10, 10)


def draw(text):
    counts = confusion()
    cell, height, left, top = 26, 19, 50, 40
    figure, ax = style.canvas(top + 10 * height + 12)
    right = torch.eye(10)
    digits = [str(digit) for digit in range(10)]
    form = {"size": (cell, height), "show": lambda count: str(count) if count else ""}
    style.cells(ax, counts, left, top, colour=style.WEIGHT, depth=right * counts / counts.max(), rows=digits, **form)
    wrong = counts * (1 - right).long()
    deep = wrong / max(wrong.max().item(), 1)
    for i, j in wrong.nonzero().tolist():
        where = (left + j * cell, top + i * height)
        one = wrong[i : i + 1, j : j + 1]
        style.cells(
            ax, one, *where, colour=style.OUTPUT, depth=0.98 * deep[i : i + 1, j : j + 1], **form | {"show": str}
        )
    for j, digit in enumerate(digits):
        ax.text(left + (j + 0.5) * cell, top - 6, digit, ha="center", size=style.SMALL)
    ax.text(left + 5 * cell, 14, text["predicted"], ha="center", color=style.OUTPUT, weight="bold")
    turned = {"ha": "center", "rotation": 90, "rotation_mode": "anchor", "weight": "bold"}
    ax.text(18, top + 5 * height, text["label"], **turned)
    return figure
