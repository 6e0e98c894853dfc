"""From the first position to the last: a recurrent layer, convolutions, and attention, with the route drawn."""

from itertools import count, islice, repeat

import torch

from snippets.before.waiting import path_length, reads
from snippets.figures import style

N, K = 9, 3
LEFT, RIGHT, LAYER = 22, 12, 21

TEXT = {
    "ko": {
        "recurrent": "순환층: 한 층 안에서 {}단계",
        "convolution": "합성곱, 커널 크기 3: {}층",
        "dilated": "팽창 합성곱, 커널 크기 3: {}층",
        "attention": "셀프 어텐션: {}층",
        "first": "첫 위치",
        "last": "마지막 위치",
    },
    "en": {
        "recurrent": "recurrent: {} steps within one layer",
        "convolution": "convolution, kernel size 3: {} layers",
        "dilated": "dilated convolution, kernel size 3: {} layers",
        "attention": "self-attention: {} layer",
        "first": "first position",
        "last": "last position",
    },
}


def layers_of():
    """By name, endless layers that each say who reads whom: (N, N)."""
    return {
        "recurrent": repeat(reads(N, k=2)),
        "convolution": repeat(reads(N, K)),
        "dilated": (reads(N, K, dilation=K**layer) for layer in count()),
        "attention": repeat(reads(N, k=N)),
    }


def route(layers):
    """The positions on the way to the last one, from the first on: each as late in its layer as can be reached."""
    reached = [torch.arange(N) == 0]
    for layer in layers:
        reached.append((layer & reached[-1]).any(dim=1))
    way = [N - 1]
    for layer, before in zip(reversed(layers), reversed(reached[:-1]), strict=True):
        way.append(int((layer[way[-1]] & before).nonzero().max()))
    return way[::-1]


def draw(text):
    panels = {}
    for name, layers in layers_of().items():
        needed = path_length(N, layers)
        panels[name] = list(islice(layers_of()[name], needed))
    heights = {name: 26 + LAYER * (len(layers) if name != "recurrent" else 1) for name, layers in panels.items()}
    figure, ax = style.canvas(sum(heights.values()) + 18 * len(panels) + 16)
    step = (style.WIDTH * 72 - LEFT - RIGHT - 16) / (N - 1)

    def x(position):
        return LEFT + step * position

    top = 0
    for name, layers in panels.items():
        ax.text(LEFT - 8, top + 13, text[name].format(len(layers)))
        bottom = top + heights[name] + 2
        if name == "recurrent":  # all steps are in one layer: it reads the inputs, and each state the one before
            for position in range(N):
                ax.plot([x(position)] * 2, [bottom, bottom - LAYER], color=style.FAINT, lw=0.7, alpha=0.6)
            ax.plot([x(0)] * 2, [bottom, bottom - LAYER], color=style.OUTPUT, lw=2)
            for position in range(N - 1):
                ax.plot([x(position), x(position + 1)], [bottom - LAYER] * 2, color=style.OUTPUT, lw=2)
            levels = 2
        else:
            for level, layer in enumerate(layers):
                low = bottom - level * LAYER
                for i, j in layer.nonzero().tolist():
                    ax.plot([x(j), x(i)], [low, low - LAYER], color=style.FAINT, lw=0.7, alpha=0.6)
            for level, (i, j) in enumerate(zip(route(layers), route(layers)[1:], strict=False)):
                low = bottom - level * LAYER
                ax.plot([x(i), x(j)], [low, low - LAYER], color=style.OUTPUT, lw=2)
            levels = len(layers) + 1
        for level in range(levels):
            low = bottom - level * LAYER
            ax.plot([x(p) for p in range(N)], [low] * N, "o", color=style.INK, ms=3.5, lw=0)
        top = bottom + 14
    ax.text(LEFT - 8, top + 2, text["first"], size=style.SMALL)
    ax.text(x(N - 1) + 8, top + 2, text["last"], size=style.SMALL, ha="right")
    return figure
