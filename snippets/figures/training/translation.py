"""A date and its translation, token by token: how probable each was, and where the model looked for it."""

import datetime
import functools

import torch

from snippets.before import dates
from snippets.figures import style
from snippets.tools.tracing import outputs
from snippets.training.translator import DATE_VOCAB, trained

DATE = datetime.date(2024, 3, 5)
SHOWS_KOREAN = True  # in both languages: the translation is what it is about

TEXT = {
    "ko": {"source": "원문", "target": "번역문과 확률"},
    "en": {"source": "source", "target": "translation, with probabilities"},
}
#: Weights below this have no line.
LEAST = 0.1


@functools.cache
@torch.no_grad()
def generated():
    """Probability of each token of the translation, (m,), and the last layer's cross-attention, (m, n)."""
    src, tgt = dates.batch([DATE], DATE_VOCAB)
    seen = dict(outputs(trained("dates").model, src, tgt[:, :-1]))
    (logits,), (_, weights) = seen[""], seen["decoder.layers.1.cross_attention"]
    p = logits.softmax(dim=-1)
    return p.gather(-1, tgt[:, 1:, None])[0, :, 0], weights[0].mean(dim=0)


def draw(text):
    source, target = [*dates.english(DATE), "</s>"], [*dates.korean(DATE), "</s>"]
    p, weights = generated()
    figure, ax = style.canvas(168)
    width, left = style.WIDTH * 72, 2
    # widths of tokens in letters, Hangul being as wide as two
    sizes = [[max(2, sum(1 + (letter > "ㄱ") for letter in token)) for token in row] for row in (source, target)]
    middles = []
    for row, y, colour in ((0, 32, style.KEY), (1, 118, style.QUERY)):
        unit, x, found = (width - 2 * left) / (sum(sizes[row]) + 1.0 * len(sizes[row])), left, []
        for token, size in zip((source, target)[row], sizes[row], strict=True):
            found.append(x + (size + 1) * unit / 2)
            ax.text(found[-1], y, token, ha="center", color=colour, weight="bold")
            x += (size + 1) * unit
        middles.append(found)
    for i, row in enumerate(weights.tolist()):
        for j, weight in enumerate(row):
            if weight >= LEAST:
                ax.plot([middles[0][j], middles[1][i]], [38, 105], color=style.WEIGHT, lw=3 * weight, alpha=0.8)
    for x, one in zip(middles[1], p.tolist(), strict=True):
        ax.text(x, 134, f"{one:.2f}".lstrip("0"), ha="center", size=style.SMALL)
    ax.text(left, 13, text["source"], size=style.SMALL, color=style.FAINT)
    ax.text(left, 152, text["target"], size=style.SMALL, color=style.FAINT)
    return figure
