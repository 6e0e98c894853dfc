"""The three uses of attention as blocks of one matrix: who looks at whom, in the trained translator."""

import datetime
import functools

from matplotlib.patches import Rectangle

from snippets.before import dates
from snippets.figures import style
from snippets.training.attention_maps import attention_maps
from snippets.training.translator import DATE_VOCAB, trained

DATE = datetime.date(2024, 3, 5)
SHOWS_KOREAN = True  # in both languages: the translation is what it is about
SOURCE = [*dates.english(DATE), "</s>"]
TARGET = ["<s>", *dates.korean(DATE)]  # what goes into the decoder

TEXT = {
    "ko": {
        "encoder": "인코더 셀프 어텐션",
        "masked": "마스크드 셀프 어텐션",
        "cross": "크로스 어텐션",
        "queries": ["쿼리: 원문", "쿼리: 번역문"],
        "keys": ["키와 밸류: 원문", "키와 밸류: 번역문"],
        "never": ["원문은 번역문을", "보지 않습니다"],
    },
    "en": {
        "encoder": "encoder self-attention",
        "masked": "masked self-attention",
        "cross": "cross-attention",
        "queries": ["queries: source", "queries: target"],
        "keys": ["keys, values: source", "keys, values: target"],
        "never": ["the source never", "looks at the target"],
    },
}


@functools.cache
def measure():
    """The weights of the last layers by name, means of four heads."""
    src, tgt = dates.batch([DATE], DATE_VOCAB)
    maps = attention_maps(trained("dates").model, src, tgt[:, :-1])
    kinds = {"encoder": "encoder", "masked": "decoder", "cross": "decoder"}
    parts = {"encoder": "attention", "masked": "self_attention", "cross": "cross_attention"}
    return {name: maps[f"{kinds[name]}.layers.1.{parts[name]}"][0].mean(dim=0) for name in kinds}


def draw(text):
    cell, xs, ys = 12, (60, 60 + 12 * 10 + 12), (22, 22 + 12 * 10 + 22)  # where source and target stand
    figure, ax = style.canvas(ys[1] + 12 * 11 + 66)
    names = [SOURCE, TARGET]
    sides = {"encoder": (0, 0), "masked": (1, 1), "cross": (1, 0)}  # of queries and keys
    for name, weights in measure().items():
        row, column = sides[name]
        form = {"rows": names[row] if column == 0 else (), "depth": weights, "deepest": 1.0}
        style.cells(
            ax, weights, xs[column], ys[row], colour=style.WEIGHT, size=(cell, cell), show=lambda weight: "", **form
        )
        if row == 1:  # the keys, below
            for j, token in enumerate(names[column]):
                x, y = xs[column] + (j + 0.5) * cell, ys[1] + 11 * cell + 5
                ax.text(x + 3, y, token, size=style.SMALL, rotation=90, rotation_mode="anchor", ha="right")
        ax.text(xs[column], ys[row] - 6, text[name], weight="bold", color=style.WEIGHT)
    wide, high = len(TARGET) * cell, len(SOURCE) * cell
    ax.add_patch(Rectangle((xs[1], ys[0]), wide, high, fill=False, color=style.FAINT, lw=0.8, ls="--"))
    for line, part in enumerate(text["never"]):
        ax.text(xs[1] + wide / 2, ys[0] + high / 2 + 12 * line - 2, part, ha="center", size=style.SMALL)
    for side, tokens in enumerate(names):
        turned = {"ha": "center", "rotation": 90, "rotation_mode": "anchor"}
        ax.text(12, ys[side] + len(tokens) * cell / 2, text["queries"][side], color=style.QUERY, **turned)
        middle, low = xs[side] + len(tokens) * cell / 2, ys[1] + 11 * cell + 60
        ax.text(middle, low, text["keys"][side], ha="center", color=style.KEY)
    return figure
