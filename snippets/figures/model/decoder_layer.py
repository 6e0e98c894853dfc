"""A decoder layer: which arrows bring queries, keys and values to each attention, and where the masks are."""

from torch import nn

from snippets.attention.multi_head import MultiHeadAttention
from snippets.block.config import TransformerConfig
from snippets.figures import style
from snippets.model.decoder_layer import DecoderLayer

TEXT = {
    "ko": {
        "self_attention": "마스크드 셀프 어텐션",
        "cross_attention": "크로스 어텐션",
        "feed_forward": "피드포워드",
        "norm": "더하기와 층 정규화",
        "causal": ["인과 마스크,", "번역문의 패딩"],
        "padding": ["원문의", "패딩 마스크"],
        "memory": "메모리 M",
        "from": "인코더에서",
        "x": "번역문의 벡터 x",
        "y": "y",
    },
    "en": {
        "self_attention": "masked self-attention",
        "cross_attention": "cross-attention",
        "feed_forward": "feed-forward",
        "norm": "add & norm",
        "causal": ["causal mask,", "padding of target"],
        "padding": ["padding mask", "of the source"],
        "memory": "memory M",
        "from": "from the encoder",
        "x": "target vectors x",
        "y": "y",
    },
}


def sublayers():
    """Names of the sublayers of a decoder layer, from its input to its output."""
    layer = DecoderLayer(TransformerConfig(d_model=8, num_heads=2, d_ff=16))
    return [(name, part) for name, part in layer.named_children() if not name.startswith("residual")]


def attends(part: nn.Module) -> bool:
    return isinstance(part, MultiHeadAttention)


def draw(text, width=style.WIDTH):
    wide = width == style.WIDTH
    size, middle, memory, room = (130, 110, 262, 16) if wide else (108, 74, 212, 14)
    top, step = 26, 108
    parts = sublayers()
    bottom = top + 36 + len(parts) * step - 44
    figure, ax = style.canvas(bottom + 30, width)
    entry = bottom + 6  # where the stream comes in
    ax.text(middle, bottom + 22, text["x"], ha="center")
    side = middle - size / 2 - room
    source = bottom - step + 22  # the upper edge of the memory
    for i, (name, part) in enumerate(parts):
        base = bottom - i * step  # where this sublayer begins
        box, norm = base - 50, base - 84  # upper edges
        colour = style.WEIGHT if attends(part) else style.FAINT
        style.block(ax, middle, box, size, text[name], colour=colour)
        style.block(ax, middle, norm, size, text["norm"], height=18)
        split = box + 40  # below the sublayer, where the vector that is added leaves
        if not attends(part):
            style.arrow(ax, (middle, entry), (middle, box + 26))
        else:
            own = name == "self_attention"
            for letter, x, ink in [("Q", -40, style.QUERY), ("K", 0, style.KEY), ("V", 40, style.VALUE)]:
                x += middle
                ax.text(x + 3, box + 36, letter, color=ink, weight="bold", size=style.SMALL)
                if letter == "Q" or own:
                    ax.plot([middle, x], [split, split], color=style.FAINT, lw=1)
                    style.arrow(ax, (x, split), (x, box + 25), colour=ink, width=1.4)
                else:
                    below, start = (split + 2, memory - 8) if letter == "K" else (split + 9, memory + 8)
                    way = [(start, source), (start, below), (x, below), (x, box + 25)]
                    style.arrow(ax, *way, colour=ink, width=1.4)
            ax.plot([middle, middle], [entry, split], color=style.FAINT, lw=1)
            for line, label in enumerate(text["causal" if own else "padding"]):
                ax.text(middle + size / 2 + 8, box + (14 if own else 9) + 11 * line, label, size=style.SMALL)
        style.arrow(ax, (middle, box), (middle, norm + 19))
        style.arrow(ax, (middle, split), (side, split), (side, norm + 9), (middle - size / 2 - 1, norm + 9))
        entry = norm
    style.arrow(ax, (middle, entry), (middle, entry - 16))
    ax.text(middle + 8, entry - 10, text["y"])
    style.block(ax, memory, source, 84, text["memory"])
    ax.text(memory, source + 34, text["from"], ha="center", size=style.SMALL)
    return figure
