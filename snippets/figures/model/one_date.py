"""One date on its way through the trained translator: the vectors of its tokens, and the probabilities of the next."""

import functools

import torch

from matplotlib.patches import Rectangle

from snippets.before import dates
from snippets.figures import style
from snippets.figures.translated import DATE, SO_FAR, prediction
from snippets.figures.walks import VECTORS
from snippets.training.translator import DATE_VOCAB, trained

SHOWS_KOREAN = True  # in both languages: the target is Korean

TEXT = {
    "ko": {"encoder": "인코더", "decoder": "디코더", "next": "다음 토큰의 확률", "append": "{}  붙이기"},
    "en": {"encoder": "encoder", "decoder": "decoder", "next": "probability of the next token", "append": "{}  append"},
}


@functools.cache
@torch.no_grad()
def passed_on():
    """By stack, the vectors that go in and those that come out: (n, d_model) each."""
    src, tgt = dates.batch([DATE], DATE_VOCAB)
    tgt = tgt[:, : SO_FAR + 1]  # with <s>
    model = trained("dates").model
    memory, found = model.encode(src), {}
    handle = model.decoder.register_forward_hook(lambda module, inputs, output: found.update(output=output))
    model.decode(tgt, memory, src)
    handle.remove()
    return {
        "encoder": (model.embed(src)[0], memory[0]),
        "decoder": (model.embed(tgt)[0], found["output"][0]),
    }


def draw(text):
    source, target, after = prediction()
    row, strip, left, right, middle = 11, 80, 62, 226, 184
    tops = {"encoder": 18, "decoder": 18 + row * len(source) + 38}
    base = tops["decoder"] + row * len(target)
    figure, ax = style.canvas(base + 52)
    steps = {"encoder": ((30, "1, 2"), (left + strip / 2, "3"), (middle, "4")), "decoder": ((left + strip / 2, "5"),)}
    for stack, tokens, colour in [("encoder", source, style.KEY), ("decoder", target, style.QUERY)]:
        y, height = tops[stack], row * len(tokens)
        for i, token in enumerate(tokens):
            ax.text(left - 5, y + row * (i + 0.5) + 3, token, ha="right", size=style.SMALL, color=colour)
        for x, vectors in zip((left, right), passed_on()[stack], strict=True):
            style.vectors(ax, vectors, (x, y), (strip, height), VECTORS)
        half = y + height / 2
        style.arrow(ax, (left + strip + 2, half), (middle - 28, half))
        style.block(ax, middle, half - 12, 52, text[stack], colour=colour)
        style.arrow(ax, (middle + 28, half), (right - 2, half))
        for x, number in steps[stack]:
            ax.text(x, y - 6 if number != "4" else half - 17, number, ha="center", size=style.SMALL, weight="bold")
    across, chosen, appended = range(6, 9)  # the steps that follow
    # the decoder looks at what comes out of the encoder
    out, into = tops["encoder"] + row * len(source), tops["decoder"] + row * len(target) / 2 - 13
    x = right + strip / 2
    style.arrow(ax, (x, out + 2), (x, out + 14), (middle, out + 14), (middle, into), colour=style.KEY, width=1.6)
    ax.text(middle + 5, into - 4, f"{across}", size=style.SMALL, weight="bold")
    # the vector of the last token gives the probabilities
    ax.add_artist(Rectangle((right, base - row), strip, row, fill=False, ec=style.OUTPUT, lw=1.4))
    style.arrow(ax, (x, base + 2), (x, base + 18), colour=style.OUTPUT, width=1.4)
    ax.text(x + 6, base + 13, f"{chosen}", size=style.SMALL, weight="bold")
    start = 178  # of the probabilities
    for i, (token, p) in enumerate(after.items()):
        weight = "bold" if i == 0 else "normal"
        ax.text(start + i * 48, base + 31, f"{token}  {p:.3f}", size=style.SMALL, weight=weight)
    ax.text(start, base + 45, text["next"], size=style.SMALL, color=style.OUTPUT)
    way = [(start - 5, base + 28), (left - 12, base + 28), (left - 12, base + 3)]
    style.arrow(ax, *way, colour=style.OUTPUT, width=1.4)
    ax.text(left + 12, base + 24, text["append"].format(appended), size=style.SMALL)
    ax.set(xlim=(0, style.WIDTH * 72), ylim=(base + 52, 0))
    return figure
