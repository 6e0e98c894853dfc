"""The block of 2017 beside today's, with the parameters of each part at the sizes of a 7B model."""

import functools

import torch
from matplotlib.patches import FancyBboxPatch

from snippets.block.config import TransformerConfig
from snippets.block.encoder_layer import EncoderLayer
from snippets.families.llama import LlamaConfig, LlamaLayer
from snippets.figures import style
from snippets.model.sizes import count

TEXT = {
    "ko": {
        "then": "2017년",
        "now": "지금 (Llama)",
        "attention": "멀티헤드 어텐션",
        "gqa": "GQA, RoPE로 회전",
        "ff": "ReLU 피드포워드",
        "swiglu": "SwiGLU",
        "norm": "층 정규화",
        "rms": "RMSNorm",
        "positions": "입력 + 사인파",
        "input": "입력",
        "parameters": "{}개",
    },
    "en": {
        "then": "2017",
        "now": "today (Llama)",
        "attention": "multi-head attention",
        "gqa": "GQA, rotated by RoPE",
        "ff": "ReLU feed-forward",
        "swiglu": "SwiGLU",
        "norm": "layer norm",
        "rms": "RMSNorm",
        "positions": "input + sinusoids",
        "input": "input",
        "parameters": "{} parameters",
    },
}


@functools.cache
def sizes():
    """Parameters of each part: of a layer of 2017 and of a layer of Llama, 8 heads of keys and values."""
    today = LlamaConfig(num_kv_heads=8)
    then = TransformerConfig(d_model=today.d_model, num_heads=today.num_heads, d_ff=4 * today.d_model)
    with torch.device("meta"):
        old, new = EncoderLayer(then), LlamaLayer(today)
    return {
        "attention": count(old.attention),
        "ff": count(old.feed_forward),
        "norm": count(old.residual_1.norm),
        "gqa": count(new.attention),
        "swiglu": count(new.feed_forward),
        "rms": count(new.norm_1),
    }


def short(number):
    return f"{number / 1e6:.1f}M" if number >= 1e6 else f"{number:,}"


def draw(text, width=style.WIDTH):
    size, first, second = (124, 28, 196) if width == style.WIDTH else (112, 15, 149)
    height, step, top = 30, 44, 40
    columns = [
        (first, "then", ["norm", "add", "ff", "norm", "add", "attention", "positions"]),
        (second, "now", ["add", "swiglu", "rms", "add", "gqa", "rms", "input"]),
    ]
    figure, ax = style.canvas(top + 7 * step - 4, width)
    for left, title, parts in columns:
        ax.text(left + size / 2, 18, text[title], ha="center", weight="bold")
        middle = left + size / 2
        centre = {i: top + i * step + height / 2 for i in range(len(parts))}
        reach = [8 if part == "add" else 9 if i == len(parts) - 1 else height / 2 for i, part in enumerate(parts)]
        for i in range(len(parts) - 1):  # the stream, from part to part
            ends = [centre[i] + reach[i], centre[i + 1] - reach[i + 1]]
            ax.plot([middle, middle], ends, color=style.FAINT, lw=1)
        end = centre[0] - reach[0]
        head = {"arrowstyle": "->", "color": style.FAINT, "shrinkA": 0, "shrinkB": 0}
        ax.annotate("", (middle, end - 14), (middle, end), arrowprops=head)
        sums = [i for i, part in enumerate(parts) if part == "add"]
        starts = [next((s for s in sums if s > i), len(parts) - 1) for i in sums]
        for end, start in zip(sums, starts, strict=True):
            # what is added leaves the stream below the sublayer: after a norm in 2017, before it today
            leave = centre[start] - (height / 2 + 7 if start != len(parts) - 1 else 13)
            if title == "then" and start != len(parts) - 1:
                leave = centre[start - 1] - height / 2 - 7
            side = left - 10
            ax.plot([middle, side, side], [leave, leave, centre[end]], color=style.FAINT, lw=1, zorder=0)
            ax.annotate("", (middle - 8, centre[end]), (side, centre[end]), arrowprops=head)
        for i, part in enumerate(parts):
            y = centre[i]
            if part == "add":
                ax.plot(middle, y, "o", ms=15, mfc="none", mec=style.FAINT)
                ax.text(middle, y + 3.5, "+", ha="center", weight="bold")
            elif part in sizes():
                changed = part in ("gqa", "swiglu", "rms")
                colour = style.OUTPUT if changed else style.FAINT
                form = {"boxstyle": "round,pad=0,rounding_size=4", "facecolor": colour, "alpha": 0.12, "lw": 0}
                ax.add_patch(FancyBboxPatch((left, y - height / 2), size, height, zorder=1, **form))
                form = {"boxstyle": "round,pad=0,rounding_size=4", "fill": False, "edgecolor": colour}
                ax.add_patch(FancyBboxPatch((left, y - height / 2), size, height, lw=1.6 if changed else 1, **form))
                weight = "bold" if changed and width == style.WIDTH else "normal"
                ax.text(middle, y - 1.5, text[part], ha="center", weight=weight)
                parameters = text["parameters"].format(short(sizes()[part]))
                ax.text(middle, y + 10.5, parameters, ha="center", size=style.SMALL)
            else:
                ax.text(middle, y + 4, text[part], ha="center", color=style.INK)
    return figure
