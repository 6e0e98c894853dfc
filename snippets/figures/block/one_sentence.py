"""One sentence on its way through the first layer of the trained translator: vectors, weights, and vectors again."""

import datetime
import functools

from snippets.before import dates
from snippets.figures import style
from snippets.tools.tracing import outputs
from snippets.training.decoding import inference
from snippets.training.translator import DATE_VOCAB, trained

DATE = datetime.date(2024, 3, 5)
SHOWN = 14  # components of each vector

TEXT = {
    "ko": {
        "embedded": "1. 임베딩 + 위치",
        "weights": "2. 어텐션 가중치",
        "attended": "3. 어텐션 다음",
        "layer": "4. 피드포워드 다음",
    },
    "en": {
        "embedded": "1. embedding + position",
        "weights": "2. attention weights",
        "attended": "3. after attention",
        "layer": "4. after feed-forward",
    },
}


@functools.cache
def passage():
    """Tokens of the date, and what the encoder's first layer makes of them: (tokens, components), (tokens, tokens)."""
    model = trained("dates").model
    src, _ = dates.batch([DATE], DATE_VOCAB)
    with inference(model):
        seen = dict(outputs(model.encoder, model.embed(src)))
        found = {"embedded": model.embed(src)[0]}
    found["weights"] = seen["layers.0.attention"][1][0].mean(dim=0)  # over the heads
    found["attended"] = seen["layers.0.residual_1.norm"][0][0]
    found["layer"] = seen["layers.0"][0][0]
    return [DATE_VOCAB.tokens[i] for i in src[0].tolist()], found


def draw(text):
    tokens, found = passage()
    size, height, left, room = 8.6, 14, 48, 162
    figure, ax = style.canvas(2 * (len(tokens) * height + 30) + 4)
    colours = {"embedded": style.KEY, "weights": style.WEIGHT, "attended": style.VALUE, "layer": style.OUTPUT}
    for i, (name, colour) in enumerate(colours.items()):
        x, y = left + i % 2 * room, 22 + i // 2 * (len(tokens) * height + 30)
        values = found[name] if name == "weights" else found[name][:, :SHOWN].abs()
        width = size * SHOWN / values.size(1)
        form = {"size": (width, height), "show": lambda value: "", "deepest": 1.0}
        style.cells(ax, values, x, y, colour=colour, rows=() if i % 2 else tokens, **form)
        ax.text(x, y - 7, text[name], color=colour, weight="bold")
    return figure
