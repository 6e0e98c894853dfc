"""A look-up in an embedding matrix: ids choose rows, and the same token chooses the same row."""

import torch
from torch.nn.functional import embedding

from snippets.figures import style

IDS, VOCAB_SIZE, D_MODEL = [0, 1, 2, 0, 3], 6, 3  # the first word comes twice

TEXT = {
    "ko": {
        "sentence": "토큰과 ID",
        "words": ["내", "동생", "과", "내", "친구"],
        "matrix": "행렬 E: {} × {}",
        "result": "결과: {} × {}",
    },
    "en": {
        "sentence": "words, ids",
        "words": ["the", "dog", "bites", "the", "man"],
        "matrix": "matrix E: {} × {}",
        "result": "result: {} × {}",
    },
}


def look_up():
    """Ids of the sentence, the embedding matrix, and the rows that the ids choose."""
    table = torch.randn(VOCAB_SIZE, D_MODEL, generator=torch.Generator().manual_seed(4))
    ids = torch.tensor(IDS)
    return ids, table, embedding(ids, table)


def draw(text):
    ids, table, rows = look_up()
    width, height, top = 27, 20, 30
    words, matrix, result = 62, 122, 245
    lower = top + height / 2  # the sentence is one row shorter than the vocabulary
    figure, ax = style.canvas(top + VOCAB_SIZE * height + 4)
    deep = table.abs() / table.abs().max()
    form = {"size": (width, height), "show": "{:.1f}"}
    style.cells(ax, table, matrix, top, depth=deep, colour=style.VALUE, **form)
    style.cells(ax, rows, result, lower, depth=deep[ids], colour=style.OUTPUT, **form)
    for i in range(VOCAB_SIZE):
        ax.text(matrix - 4, top + (i + 0.5) * height + 3, str(i), ha="right", size=style.SMALL)
    for j, (word, i) in enumerate(zip(text["words"], ids.tolist(), strict=True)):
        y, row = lower + (j + 0.5) * height, top + (i + 0.5) * height
        ax.text(words - 14, y + 3, word, ha="right")
        ax.text(words, y + 3, str(i), ha="right", weight="bold")
        style.arrow(ax, (words + 4, y), (matrix - 14, row), colour=style.VALUE)
        style.arrow(ax, (matrix + D_MODEL * width + 2, row), (result - 2, y), colour=style.OUTPUT)
    ax.text(6, 16, text["sentence"], weight="bold")
    ax.text(matrix, 16, text["matrix"].format(*table.shape), color=style.VALUE, weight="bold")
    ax.text(result, 16, text["result"].format(*rows.shape), color=style.OUTPUT, weight="bold")
    return figure
