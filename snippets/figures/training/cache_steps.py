"""Which rows of keys a decoder computes at each step, without a cache and with one: counted while it runs."""

import functools
from collections.abc import Callable

import torch

from snippets.block.config import TransformerConfig
from snippets.figures import style
from snippets.model.transformer import Transformer
from snippets.training.cache import cached_greedy
from snippets.training.decoding import greedy

STEPS = 6

TEXT = {
    "ko": {"without": "캐시 없이", "with": "캐시 사용", "step": "스텝", "token": "토큰", "sum": "모두 {}개"},
    "en": {"without": "without a cache", "with": "with a cache", "step": "step", "token": "token", "sum": "{} in all"},
}


@functools.cache
def rows(generate: Callable):
    """How many tokens' keys the decoder's self-attention computes at each step of generating."""
    torch.manual_seed(0)
    model = Transformer(TransformerConfig(vocab_size=20, num_layers=1, d_model=16, num_heads=2, d_ff=32, dropout=0.0))
    computed = []
    keys = model.decoder.layers[0].self_attention.w_k
    keys.register_forward_hook(lambda module, arguments, output: computed.append(output.size(1)))
    generate(model, torch.tensor([[5, 6, 7]]), STEPS)
    return computed


def draw(text, width=style.WIDTH):
    size, first, room, top = (19, 46, 158, 42) if width == style.WIDTH else (16, 34, 131, 42)
    figure, ax = style.canvas(top + STEPS * size + 20, width)
    for panel, (name, generate) in enumerate([("without", greedy), ("with", cached_greedy)]):
        counts = rows(generate)
        left, colour = first + panel * room, (style.KEY, style.VALUE)[panel]
        depth = torch.zeros(STEPS, STEPS)
        for step, count in enumerate(counts):
            depth[step, step + 1 - count : step + 1] = 1  # the last ones
        ax.text(left + STEPS * size / 2, 14, text[name], ha="center", color=colour, weight="bold")
        numbers = [str(i) for i in range(STEPS)]
        form = {"size": (size, size), "colour": colour, "depth": depth, "show": lambda here: "×" if here else ""}
        style.cells(ax, depth, left, top, rows=numbers, **form)
        for j, number in enumerate(numbers):
            ax.text(left + (j + 0.5) * size, top - 4, number, ha="center", size=style.SMALL)
        ax.text(left + STEPS * size / 2, top + STEPS * size + 14, text["sum"].format(sum(counts)), ha="center")
        turned = {"ha": "center", "rotation": 90, "rotation_mode": "anchor", "size": style.SMALL}
        ax.text(left - 26, top + STEPS * size / 2, text["step"], **turned)
        ax.text(left + STEPS * size / 2, 25, text["token"], ha="center", size=style.SMALL)
    return figure
