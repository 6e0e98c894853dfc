"""Self-attention of the trained translator by head: encoder and decoder, last layer."""

import datetime
import functools

from snippets.before import dates
from snippets.figures import style
from snippets.training.attention_maps import attention_maps
from snippets.training.translator import DATE_VOCAB, trained

DATE = datetime.date(2024, 3, 5)

TEXT = {
    "ko": {"encoder": "인코더", "decoder": "디코더", "head": "헤드 {}"},
    "en": {"encoder": "encoder", "decoder": "decoder", "head": "head {}"},
}


@functools.cache
def maps():
    src, tgt = dates.batch([DATE], DATE_VOCAB)
    return attention_maps(trained("dates").model, src, tgt[:, :-1])


def draw(text):
    cell, gap, left = 6.2, 8, 18
    figure, ax = style.canvas(2 * 12 * cell + 62)
    for row, (side, name, colour) in enumerate(
        [
            ("encoder", "encoder.layers.1.attention", style.KEY),
            ("decoder", "decoder.layers.1.self_attention", style.QUERY),
        ]
    ):
        top = 26 + row * (12 * cell + 26)
        for head, weights in enumerate(maps()[name][0]):
            x = left + head * (11 * cell + gap)
            form = {"colour": colour, "size": (cell, cell), "depth": weights, "deepest": 1.0}
            style.cells(ax, weights, x, top, show=lambda weight: "", **form)
            ax.text(x, top - 5, text["head"].format(head + 1), size=style.SMALL)
        middle = top + 5.5 * cell
        turned = {"ha": "center", "rotation": 90, "rotation_mode": "anchor", "color": colour, "weight": "bold"}
        ax.text(11, middle, text[side], **turned)
    return figure
