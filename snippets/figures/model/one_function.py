"""The model as one function: the tokens of two sequences go in, and a distribution over the next token comes out."""

from snippets.figures import style
from snippets.figures.translated import prediction

SHOWS_KOREAN = True  # in both languages: the target is Korean

TEXT = {
    "ko": {"source": "원문", "target": "지금까지의 번역문", "model": "트랜스포머", "next": "다음 토큰의 확률"},
    "en": {
        "source": "source",
        "target": "target so far",
        "model": "Transformer",
        "next": "probability of the next token",
    },
}


def draw(text):
    source, target, after = prediction()
    figure, ax = style.canvas(176)
    middle, width, block = 160, 150, 62
    rows = [(source, "source", style.KEY, 152, 210), (target, "target", style.QUERY, 110, 108)]
    for tokens, name, colour, y, way in rows:
        ax.text(4, y - 5, text[name], color=colour, weight="bold")
        style.boxes(ax, tokens, 4, y, colour=colour, room=12)
        style.arrow(ax, (way, y - 1), (way, block + 25), colour=colour, width=1.4)
    style.block(ax, middle, block, width, text["model"], bold=True)
    style.arrow(ax, (middle, block), (middle, block - 14), colour=style.OUTPUT, width=1.4)
    ax.text(middle, 12, text["next"], ha="center", weight="bold", color=style.OUTPUT)
    for i, (token, p) in enumerate(after.items()):
        x = middle + (i - 1) * 50
        ax.text(x, 28, token, ha="center")
        ax.text(x, 41, f"{p:.3f}", ha="center", size=style.SMALL)
    return figure
