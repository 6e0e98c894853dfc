"""What goes into a GPT and what has to come out, and which tokens each prediction sees."""

import torch

from snippets.attention.masks import causal_mask
from snippets.before.vocabulary import Vocabulary
from snippets.figures import style

TEXT = {
    "ko": {"in": "입력", "out": "정답", "model": "GPT", "words": ["배고픈", "쥐가", "치즈를", "먹는다"]},
    "en": {"in": "in", "out": "out", "model": "GPT", "words": ["the", "mouse", "eats", "cheese"]},
}


def draw(text):
    vocab = Vocabulary(text["words"])
    tokens = [vocab.tokens[i] for i in vocab.encode(text["words"], bos=True)]
    given, right = tokens[:-1], tokens[1:]  # shifted by one
    left, step, wide, top, bottom = 40, 58, 50, 12, 118
    figure, ax = style.canvas(bottom + 26)
    sees = causal_mask(len(given))
    ax.add_patch(style.Rectangle((left - 4, 52), 5 * step, 40, color=style.FAINT, alpha=0.15, lw=0))
    for i, (one, other) in enumerate(zip(given, right, strict=True)):
        x = left + i * step
        style.boxes(ax, [other], x, top, colour=style.OUTPUT, width=wide)
        style.boxes(ax, [one], x, bottom, colour=style.KEY, width=wide)
        for j in torch.nonzero(sees[i]).flatten().tolist():
            form = {"color": style.INK, "lw": 1.4} if i == j else {"color": style.FAINT, "lw": 0.7}
            ax.plot([left + j * step + wide / 2, x + wide / 2], [bottom - 2, top + 20], **form)
    for y, name, colour in [(top, "out", style.OUTPUT), (bottom, "in", style.KEY)]:
        ax.text(4, y + 12, text[name], color=colour, weight="bold")
    ax.text(4, 76, text["model"], color=style.FAINT, weight="bold")
    return figure
