"""The whole model in the order in which it runs, with the shape of what each part returns."""

import datetime
import functools

from snippets.before import dates
from snippets.figures import style
from snippets.tools.tracing import steps
from snippets.training.translator import DATE_VOCAB, trained

DATE, SOURCE, TARGET = datetime.date(2024, 3, 5), 10, 6  # tokens, as in the example on the page

TEXT = {
    "ko": {
        "embedding": "임베딩",
        "positions": "+ 위치",
        "attention": "셀프 어텐션",
        "self_attention": "마스크드 셀프 어텐션",
        "cross_attention": "크로스 어텐션",
        "feed_forward": "피드포워드",
        "logits": "로짓",
        "source": "원문",
        "target": "번역문",
        "tokens": "토큰 {}개",
        "shape": "{} × {}",
        "times": "× N",
        "memory": "인코더 출력",
        "encoder": "인코더",
        "decoder": "디코더",
    },
    "en": {
        "embedding": "embedding",
        "positions": "+ positions",
        "attention": "self-attention",
        "self_attention": "masked self-attention",
        "cross_attention": "cross-attention",
        "feed_forward": "feed-forward",
        "logits": "logits",
        "source": "source",
        "target": "target",
        "tokens": "{} tokens",
        "shape": "{} × {}",
        "times": "× N",
        "memory": "memory",
        "encoder": "encoder",
        "decoder": "decoder",
    },
}


@functools.cache
def parts():
    """Name and shape (n, dimension) of each part of the date translator, in order: encoder, then decoder."""
    src, tgt = dates.batch([DATE], DATE_VOCAB)
    drawn = {"embedding", "positions", "attention", "self_attention", "cross_attention", "feed_forward", ""}
    found = [
        (name.rpartition(".")[2], shape[-2:])
        for name, shape in steps(trained("dates").model, src, tgt[:, :TARGET])
        if "layers.1" not in name  # one layer stands for all
    ]
    found = [(name or "logits", shape) for name, shape in found if name in drawn]
    second = [name for name, _ in found].index("embedding", 1)
    return found[:second], found[second:]


def draw(text, width=style.WIDTH):
    height, step, wide = 25, 39, width == style.WIDTH
    middles, sizes, room = ((92, 238), (122, 122), 8) if wide else ((65, 178), (78, 104), 6)
    columns = parts()
    most = max(len(column) for column in columns)
    base = 30 + most * step  # below the first box
    figure, ax = style.canvas(base + 34, width)
    rooms = {"encoder": (style.KEY, "source", SOURCE), "decoder": (style.QUERY, "target", TARGET)}
    tops = {}
    for column, middle, size, (side, (colour, sentence, length)) in zip(
        columns, middles, sizes, rooms.items(), strict=True
    ):
        ax.text(middle, base + 20, text[sentence], ha="center", color=colour, weight="bold")
        ax.text(middle, base + 31, text["tokens"].format(length), ha="center", size=style.SMALL)
        for i, (name, shape) in enumerate(column):
            y = base - (i + 1) * step + 8
            tops[side, name] = y
            main = style.WEIGHT if "attention" in name else style.OUTPUT if name == "logits" else style.FAINT
            style.block(ax, middle, y, size, text[name], colour=main, height=height)
            ax.text(middle + 4, y - 4, text["shape"].format(*shape), size=style.SMALL)
            style.arrow(ax, (middle, base + 10 if i == 0 else y + step), (middle, y + height + 1))
        ax.text(middle, 14, text[side], ha="center", color=colour, weight="bold")
        layer = [name for name, _ in column if "attention" in name or name == "feed_forward"]
        low, high = tops[side, layer[0]] + height, tops[side, layer[-1]]
        edge = middle - size / 2 - room if side == "encoder" else middle + size / 2 + room
        ax.plot([edge, edge], [low, high], color=colour, lw=2)
        outside = {"ha": "right", "x": edge - 3} if side == "encoder" else {"ha": "left", "x": edge + 3}
        ax.text(y=(low + high) / 2 + 3, s=text["times"], size=style.SMALL, **outside)
    # the memory goes to the cross-attention of every layer
    out, into = tops["encoder", "feed_forward"], tops["decoder", "cross_attention"] + height / 2
    x, left = middles[0], middles[1] - sizes[1] / 2 - 1
    bend = [(x, out), (x, out - 20), (left - 13, out - 20), (left - 13, into), (left, into)]
    style.arrow(ax, *bend, colour=style.KEY, width=1.8)
    ax.text(x, out - 26, text["memory"], ha="center", color=style.KEY, weight="bold")
    return figure
