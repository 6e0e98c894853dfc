"""Time to continue texts against how many tokens are generated, with and without a key-value cache, from one run."""

import functools
import time

import torch

from snippets.figures import style
from snippets.tools.kept import kept
from snippets.tools.timing import seconds
from snippets.training.decoder_only import GPT, generate

PROMPT, LENGTHS = 20, [8, 16, 32, 64, 128]

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
def measure():
    """Seconds on one thread by way of generating, the least of some rounds, one for each length."""
    threads = torch.get_num_threads()
    torch.set_num_threads(1)
    torch.manual_seed(0)
    model = GPT(vocab_size=1000, max_length=256, layers=2, d_model=128, heads=4).eval()
    prompts = torch.randint(1000, (4, PROMPT))
    taken = {"greedy": [], "cached": []}
    for longest in LENGTHS:
        ways = {
            "greedy": lambda n=longest: generate(model, prompts, n, use_cache=False),
            "cached": lambda n=longest: generate(model, prompts, n),
        }
        for name, took in seconds(ways, rounds=5, clock=time.thread_time, choose=min).items():
            taken[name].append(took)
    torch.set_num_threads(threads)
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
        ratios = [took / unit for took in taken[name]]
        ax.plot(LENGTHS, ratios, marker + "-", color=colour, ms=4, label=text[name])
        last = (LENGTHS[-1], ratios[-1])
        ax.annotate(f"{ratios[-1]:.0f}", last, (-2, 6), textcoords="offset points", ha="right", size=style.SMALL)
    style.log_axes(ax, LENGTHS, [1, 10, 100, 1000])
    ax.grid(axis="y")
    ax.set_xlabel(text["x"])
    ax.set_title(text["y"])
    ax.legend(loc="upper left")
    return figure
