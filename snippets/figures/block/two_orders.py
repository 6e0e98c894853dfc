"""One encoder layer in both orders: where the norm stands, and which way a vector takes that no norm changes."""

import torch

from snippets.block.config import TransformerConfig
from snippets.block.encoder_layer import EncoderLayer
from snippets.figures import style
from snippets.tools.tracing import outputs

TEXT = {
    "ko": {"attention": "어텐션", "feed_forward": "피드포워드", "norm": "층 정규화"},
    "en": {"attention": "attention", "feed_forward": "feed-forward", "norm": "layer norm"},
}


def order(norm_first):
    """The parts of a layer in the order in which they run."""
    config = TransformerConfig(d_model=8, num_heads=2, d_ff=16, norm_first=norm_first)
    names = [name for name, _ in outputs(EncoderLayer(config), torch.randn(1, 3, 8))]
    parts = {"attention": "attention", "feed_forward": "feed_forward", "norm": "norm"}
    return [parts[last] for name in names if (last := name.rpartition(".")[2]) in parts]


def draw(text, width=style.WIDTH):
    middles, size = ((84, 246), 104) if width == style.WIDTH else ((68, 204), 100)
    step, top = 38, 34
    bottom = top + 6 * step
    figure, ax = style.canvas(bottom + 30, width)
    for middle, (name, colour, _) in zip(middles, style.ORDERS, strict=True):
        ax.text(middle, 14, name, ha="center", color=colour, weight="bold")
        norm_first = name == "pre-LN"
        found = order(norm_first)
        places = found.index("feed_forward") - (1 if norm_first else 0)  # where the second sublayer begins
        parts = [*with_sum(found[:places]), *with_sum(found[places:])]
        side = middle - size / 2 - 14
        style.arrow(ax, (middle, bottom + 26), (middle, bottom - step / 2 + 12))
        for i, part in enumerate(parts):
            y = bottom - (i + 0.5) * step  # the middle of this part
            if i % 3 == 0:
                leave = y + step / 2
            if part == "add":
                style.plus(ax, middle, y)
                bend = [(middle, leave), (side, leave), (side, y), (middle - 7, y)]
                style.arrow(ax, *bend, colour=colour, width=1.6)
            else:
                look = style.OUTPUT if part == "norm" else style.FAINT
                style.block(ax, middle, y - 12, size, text[part], colour=look)
            start, end = (7 if part == "add" else 12), (7 if parts[i + 1 : i + 2] == ["add"] else 12)
            style.arrow(ax, (middle, y - start), (middle, y - step + end))
    return figure


def with_sum(parts):
    """A sublayer and its norm, with the sum after the sublayer."""
    at = 1 + next(i for i, part in enumerate(parts) if part != "norm")
    return [*parts[:at], "add", *parts[at:]]
