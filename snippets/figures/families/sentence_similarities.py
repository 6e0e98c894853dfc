"""Cosine similarities of the embeddings of a few sentences, each with each."""

from snippets.families.encoder_views import SIMILAR, look
from snippets.figures import style

CELL, LEFT, TOP = 16.2, 150, 22

TEXT = {
    "ko": {"title": "코사인 유사도 × 100"},
    "en": {"title": "cosine similarity × 100"},
}


def draw(text):
    embeddings = look("embeddings", *SIMILAR)["weights"]["embeddings"]
    korean = text == TEXT["ko"]  # there, the last two sentences are in Korean
    sentences = SIMILAR if korean else SIMILAR[:-2]
    embeddings = embeddings[: len(sentences)]
    cosines = embeddings @ embeddings.T
    figure, ax = style.canvas(TOP + len(sentences) * CELL + 16)
    form = {"colour": style.OUTPUT, "size": (CELL, CELL), "depth": cosines.clamp(min=0)}
    rows = [f"{sentence} {i}" for i, sentence in enumerate(sentences, start=1)]
    columns = [str(i) for i, _ in enumerate(sentences, start=1)]
    style.cells(
        ax,
        100 * cosines,
        LEFT,
        TOP,
        rows=rows,
        columns=columns,
        show=lambda value: f"{value:.0f}".replace("-0", "0"),
        **form,
    )
    ax.text(LEFT, 13, text["title"], weight="bold", color=style.OUTPUT)
    return figure
