"""The model as one function: the tokens of two sequences go in, and a distribution over the next token comes out."""

import datetime
import functools

import torch

from snippets.before import dates
from snippets.figures import style
from snippets.training.decoding import inference
from snippets.training.translator import DATE_VOCAB, trained

SHOWS_KOREAN = True  # in both languages: the target is Korean
DATE, SO_FAR, SHOWN = datetime.date(2024, 3, 5), 5, 3

TEXT = {
    "ko": {"source": "원문", "target": "지금까지의 번역문", "model": "트랜스포머", "next": "다음 토큰의 확률"},
    "en": {
        "source": "source",
        "target": "target so far",
        "model": "Transformer",
        "next": "probability of the next token",
    },
}


@functools.cache
def prediction():
    """Tokens of the source and of the target so far, and the most probable next ones with their probabilities."""
    src, tgt = dates.batch([DATE], DATE_VOCAB)
    tgt = tgt[:, : SO_FAR + 1]  # with <s>
    model = trained("dates").model
    with inference(model):
        best = torch.softmax(model(src, tgt)[0, -1], dim=-1).topk(SHOWN)
    names = [[DATE_VOCAB.tokens[i] for i in ids.tolist()] for ids in (src[0], tgt[0], best.indices)]
    return names[0], names[1], dict(zip(names[2], best.values.tolist(), strict=True))


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
