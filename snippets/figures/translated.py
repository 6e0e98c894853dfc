"""A date and its translation, token by token: how probable each was, and where the model looked for it."""

import datetime
import functools
import itertools

import torch

from snippets.before import dates
from snippets.figures import style
from snippets.tools.tracing import outputs
from snippets.training.decoding import inference
from snippets.training.translator import DATE_VOCAB, trained

DATE = datetime.date(2024, 3, 5)
#: Of its translation: so many tokens have been generated, and so many that may follow are shown.
SO_FAR, SHOWN = 5, 3
SHOWS_KOREAN = True  # in both languages: the translation is what it is about

TEXT = {
    "ko": {"source": "원문", "target": "번역문과 확률"},
    "en": {"source": "source", "target": "translation, with probabilities"},
}
#: What is written below the Korean tokens where they are not the language of the page.
GLOSS = {"년": "year", "월": "month", "일": "day", "화요일": "Tuesday"}
#: Weights below this have no line.
LEAST = 0.1
#: Points: on a phone, whose whole width it has, this is to be read too.
TOKEN, BELOW = 12, 11


@functools.cache
@torch.no_grad()
def generated():
    """Probability of each token of the translation, (m,), and the last layer's cross-attention, (m, n)."""
    src, tgt = dates.batch([DATE], DATE_VOCAB)
    seen = dict(outputs(trained("dates").model, src, tgt[:, :-1]))
    (logits,), (_, weights) = seen[""], seen["decoder.layers.1.cross_attention"]
    p = logits.softmax(dim=-1)
    return p.gather(-1, tgt[:, 1:, None])[0, :, 0], weights[0].mean(dim=0)


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
    source, target = [*dates.english(DATE), "</s>"], [*dates.korean(DATE), "</s>"]
    p, weights = generated()
    gloss = GLOSS if text is TEXT["en"] else {}
    figure, ax = style.canvas(168 + 11 * bool(gloss))
    width, left = style.WIDTH * 72, 2
    # widths of tokens in letters, Hangul being as wide as two
    sizes = [[max(2, sum(1 + (letter > "ㄱ") for letter in token)) for token in row] for row in (source, target)]
    middles = []
    for row in sizes:
        unit = (width - 2 * left) / (sum(row) + len(row))
        ends = [0, *itertools.accumulate((size + 1) * unit for size in row)]
        middles.append([left + sum(pair) / 2 for pair in itertools.pairwise(ends)])
    for x, token in zip(middles[0], source, strict=True):
        ax.text(x, 32, token, ha="center", color=style.KEY, weight="bold", size=TOKEN)
    for i, (x, token) in enumerate(zip(middles[1], target, strict=True)):
        of_step = {"gid": f"step-{i}"}  # what comes with this token
        for j, weight in enumerate(weights[i].tolist()):
            if weight >= LEAST:
                form = {"color": style.WEIGHT, "lw": 3 * weight, "alpha": 0.8}
                ax.plot([middles[0][j], x], [38, 105], **form, **of_step)
        ax.text(x, 118, token, ha="center", color=style.QUERY, weight="bold", size=TOKEN, **of_step)
        ax.text(x, 131, gloss.get(token, ""), ha="center", size=BELOW, color=style.FAINT, **of_step)
        y = 133 + 11 * bool(gloss)
        # without the nought, or else the last one: four signs would touch those of the next token
        ax.text(x, y, f"{p[i]:.2f}".lstrip("0")[:3], ha="center", size=BELOW, **of_step)
    ax.text(left, 12, text["source"], size=BELOW, color=style.FAINT)
    ax.text(left, 153 + 11 * bool(gloss), text["target"], size=BELOW, color=style.FAINT)
    return figure
