"""Time to generate a sentence against its length, with and without a key-value cache, from one run."""

import functools

import torch

from snippets.before.vocabulary import EOS
from snippets.block.config import TransformerConfig
from snippets.figures import style
from snippets.model.transformer import Transformer
from snippets.tools.kept import kept
from snippets.tools.timing import seconds
from snippets.training.cache import cached_greedy
from snippets.training.decoding import greedy

LENGTHS = [8, 16, 32, 64, 128]

TEXT = {
    "ko": {
        "greedy": "캐시 없이",
        "cached": "캐시 사용",
        "x": "생성하는 토큰의 수",
        "y": "시간(캐시로 8토큰 생성 = 1)",
    },
    "en": {
        "greedy": "without a cache",
        "cached": "with a cache",
        "x": "tokens generated",
        "y": "time (8 tokens with a cache = 1)",
    },
}


@functools.cache
@torch.no_grad()
def measure():
    """Seconds by way of generating, one for each length."""
    torch.manual_seed(0)
    sizes = {"vocab_size": 100, "num_layers": 2, "d_model": 128, "num_heads": 4, "d_ff": 512}
    model = Transformer(TransformerConfig(**sizes)).eval()
    model.embedding.table[EOS] = 0.0  # it does not end by itself
    src = torch.randint(3, 100, (4, 20))
    taken = {"greedy": [], "cached": []}
    for longest in LENGTHS:
        ways = {
            "greedy": lambda n=longest: greedy(model, src, n),
            "cached": lambda n=longest: cached_greedy(model, src, n),
        }
        for name, time in seconds(ways, rounds=3).items():
            taken[name].append(time)
    return taken


@functools.cache
def measured():
    """What measure() said on the machine that made snippets/results/cache_time.json, as JSON holds it."""
    return kept("cache_time", "figures/training/cache_time", lambda: ({}, measure()))[1]


def draw(text):
    taken = measured()
    unit = taken["cached"][0]
    figure, ax = style.plt.subplots(figsize=(style.WIDTH, 2.9))
    for name, colour, marker in [("greedy", style.KEY, "o"), ("cached", style.QUERY, "s")]:
        ratios = [time / unit for time in taken[name]]
        ax.plot(LENGTHS, ratios, marker + "-", color=colour, ms=4, label=text[name])
        last = (LENGTHS[-1], ratios[-1])
        ax.annotate(f"{ratios[-1]:.0f}", last, (-2, 6), textcoords="offset points", ha="right", size=style.SMALL)
    style.log_axes(ax, LENGTHS, [1, 10, 100, 1000])
    ax.grid(axis="y")
    ax.set_xlabel(text["x"])
    ax.set_title(text["y"])
    ax.legend(loc="upper left")
    return figure
