"""A look-up in an embedding matrix: ids choose rows, and the same token chooses the same row."""

import torch
from torch.nn.functional import embedding

from snippets.figures import style

VOCABULARY = ["the", "dog", "bites", "man", "sleeps", "."]
SENTENCE = ["the", "dog", "bites", "the", "man"]
D_MODEL = 3

TEXT = {
    "ko": {"sentence": "단어와 ID", "matrix": "행렬 E: {} × {}", "result": "결과: {} × {}"},
    "en": {"sentence": "words, ids", "matrix": "matrix E: {} × {}", "result": "result: {} × {}"},
}


def look_up():
    """Ids of the sentence, the embedding matrix, and the rows that the ids choose."""
    table = torch.randn(len(VOCABULARY), D_MODEL, generator=torch.Generator().manual_seed(4))
    ids = torch.tensor([VOCABULARY.index(word) for word in SENTENCE])
    return ids, table, embedding(ids, table)


def draw(text):
    ids, table, rows = look_up()
    width, height, top = 27, 20, 30
    words, matrix, result = 62, 122, 245
    lower = top + height / 2  # the sentence is one row shorter than the vocabulary
    figure, ax = style.canvas(top + len(VOCABULARY) * height + 4)
    deep = table.abs() / table.abs().max()
    form = {"size": (width, height), "show": "{:.1f}"}
    style.cells(ax, table, matrix, top, depth=deep, colour=style.VALUE, **form)
    style.cells(ax, rows, result, lower, depth=deep[ids], colour=style.OUTPUT, **form)
    for i in range(len(VOCABULARY)):
        ax.text(matrix - 4, top + (i + 0.5) * height + 3, str(i), ha="right", size=style.SMALL)
    for j, (word, i) in enumerate(zip(SENTENCE, ids.tolist(), strict=True)):
        y, row = lower + (j + 0.5) * height, top + (i + 0.5) * height
        ax.text(words - 14, y + 3, word, ha="right")
        ax.text(words, y + 3, str(i), ha="right", weight="bold")
        style.arrow(ax, (words + 4, y), (matrix - 14, row), colour=style.VALUE)
        style.arrow(ax, (matrix + D_MODEL * width + 2, row), (result - 2, y), colour=style.OUTPUT)
    ax.text(6, 16, text["sentence"], weight="bold")
    ax.text(matrix, 16, text["matrix"].format(*table.shape), color=style.VALUE, weight="bold")
    ax.text(result, 16, text["result"].format(*rows.shape), color=style.OUTPUT, weight="bold")
    return figure
