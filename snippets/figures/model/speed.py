"""Time and memory of a training step in clear and in fast form, as ratios to torch.nn, from one run."""

import functools

import torch
from torch import nn

from snippets.attention.multi_head import PerHeadAttention, fuse
from snippets.block.config import TransformerConfig
from snippets.block.encoder_layer import EncoderLayer
from snippets.figures import style
from snippets.model.speed import faster, faster_attention
from snippets.tools.kept import kept
from snippets.tools.saved import saved_activations
from snippets.tools.timing import seconds

D_MODEL, NUM_HEADS, D_FF = 512, 8, 2048
SHAPES = [(4, 128), (1, 512)]  # (batch, n): as many tokens in both

TEXT = {
    "ko": {
        "loop": "헤드별 반복",
        "clear": "한 번에 투영",
        "fast": "융합 연산",
        "weights": "nn, 가중치 반환",
        "layer": "책의 층",
        "fast_layer": "책의 빠른 층",
        "attention": "어텐션: nn.MultiheadAttention을 1로",
        "layers": ["인코더 층, 드롭아웃 0: nn의 층을 1로", "인코더 층, 드롭아웃 0.1: nn의 층을 1로"],
        "time": "시간",
        "memory": "저장한 활성값",
        "shapes": ["4개 × 길이 128", "1개 × 길이 512"],
    },
    "en": {
        "loop": "head by head",
        "clear": "one projection",
        "fast": "fused",
        "weights": "nn, with weights",
        "layer": "the book's layer",
        "fast_layer": "its fast layer",
        "attention": "attention: nn.MultiheadAttention is 1",
        "layers": ["encoder layer, dropout 0: that of nn is 1", "encoder layer, dropout 0.1: that of nn is 1"],
        "time": "time",
        "memory": "saved activations",
        "shapes": ["4 sequences × 128", "1 sequence × 512"],
    },
}


def groups():
    """What is compared, the reference first: {group: {name: (module, number of inputs, options)}}."""
    torch.manual_seed(0)
    loop = PerHeadAttention(D_MODEL, NUM_HEADS)
    clear = fuse(loop)
    theirs = nn.MultiheadAttention(D_MODEL, NUM_HEADS, batch_first=True)
    attention = {
        "torch": (theirs, 3, {"need_weights": False}),
        "weights": (theirs, 3, {}),
        "loop": (loop, 3, {}),
        "clear": (clear, 3, {}),
        "fast": (faster_attention(clear), 1, {}),
    }
    found = {"attention": attention}
    for p in (0.0, 0.1):
        layer = EncoderLayer(TransformerConfig(d_model=D_MODEL, num_heads=NUM_HEADS, d_ff=D_FF, dropout=p))
        theirs = nn.TransformerEncoderLayer(D_MODEL, NUM_HEADS, D_FF, p, batch_first=True)
        layers = {"torch": theirs, "layer": layer, "fast_layer": faster(layer)}
        found[f"dropout {p}"] = {name: (module, 1, {}) for name, module in layers.items()}
    return found


def train(module, inputs, options):
    """Forward and backward, as in a step of training."""
    output = module(*inputs, **options)
    (output[0] if isinstance(output, tuple) else output).sum().backward()


@functools.cache
def measure():
    """Ratios to torch.nn: {group: {name: ((time, memory) for each of SHAPES)}}."""
    ratios = {}
    for group, modules in groups().items():
        for batch, n in SHAPES:
            x = torch.randn(batch, n, D_MODEL, requires_grad=True)
            calls = {name: (module, [x] * number, options) for name, (module, number, options) in modules.items()}
            time = seconds({name: functools.partial(train, *call) for name, call in calls.items()}, rounds=3)
            memory = {
                name: saved_activations(module, *inputs, **options) for name, (module, inputs, options) in calls.items()
            }
            for name in modules:
                pair = (time[name] / time["torch"], memory[name] / memory["torch"])
                ratios.setdefault(group, {}).setdefault(name, []).append(pair)
    return ratios


@functools.cache
def measured():
    """What measure() said on the machine that made snippets/results/speed.json, as JSON holds it."""
    return kept("speed", "figures/model/speed", lambda: ({}, measure()))[1]


def draw(text):
    ratios = measured()
    most = max(value for rows in ratios.values() for pairs in rows.values() for pair in pairs for value in pair)
    right_edge = 1.45 * most  # of the axes, where the numbers stand
    titles = [text["attention"], *text["layers"]]
    heights = [len(rows) - 1 for rows in ratios.values()]
    figure, axes = style.plt.subplots(
        len(ratios), 2, figsize=(style.WIDTH, 5.4), sharex=True, sharey="row", gridspec_kw={"height_ratios": heights}
    )
    for (left, right), title, rows in zip(axes, titles, ratios.values(), strict=True):
        left.set_title(title)
        names = [name for name in rows if name != "torch"]
        for ax, quantity in ((left, 0), (right, 1)):
            ax.axvline(1, color=style.INK, lw=1)
            for row, name in enumerate(names):
                for shape, (marker, colour, label) in enumerate(
                    zip("os", (style.QUERY, style.KEY), text["shapes"], strict=True)
                ):
                    value, y = rows[name][shape][quantity], row - 0.2 + 0.4 * shape
                    ax.plot(value, y, marker, color=colour, ms=5, label=label if row == 0 else None)
                    ax.text(right_edge, y, f"{value:.2f}", ha="right", va="center", size=style.SMALL)
            ax.set_ylim(len(names) - 0.4, -0.6)
            ax.grid(axis="x")
        left.set_yticks(range(len(names)), [text[name] for name in names])
    for ax, quantity in zip(axes[-1], ("time", "memory"), strict=True):
        ax.set_xlabel(text[quantity])
        ax.set_xlim(0, right_edge)
    handles, names = axes[0][0].get_legend_handles_labels()
    figure.legend(handles, names, loc="outside lower center", ncols=2)
    return figure
