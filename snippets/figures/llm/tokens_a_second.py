"""Tokens that SmolLM2 generates in a second on one core, with and without a key-value cache."""

import functools
import time

import torch

from snippets.figures import style
from snippets.llm.cached_llama import CachedLlama
from snippets.llm.smollm import smollm2
from snippets.tools.kept import kept
from snippets.tools.timing import seconds

LENGTHS = [8, 32, 128, 512]

TEXT = {
    "ko": {
        "without": "캐시 없이",
        "with": "캐시 사용",
        "x": "이미 있는 토큰의 수",
        "y": "1초에 생성하는 토큰(코어 하나)",
    },
    "en": {
        "without": "without a cache",
        "with": "with a cache",
        "x": "tokens so far",
        "y": "tokens a second (one core)",
    },
}


@functools.cache
@torch.inference_mode()
def measure():
    """Seconds of processor time for the next token, by way, one for each number of tokens so far."""
    model, taken = smollm2(), {"without": [], "with": []}
    torch.manual_seed(0)
    ids = torch.randint(1_000, 40_000, (1, LENGTHS[-1]))
    for n in LENGTHS:
        cached = CachedLlama(model)
        cached.next_logits(ids[:, : n - 1])
        read = [(cache, cache.keys, cache.values) for cache in cached.caches]

        def with_cache(cached=cached, read=read, n=n):
            for cache, keys, values in read:  # as it was before the last token
                cache.keys, cache.values = keys, values
            cached.length = n - 1
            cached.next_logits(ids[:, :n])

        ways = {"without": lambda n=n: model(ids[:, :n]), "with": with_cache}
        for name, took in seconds(ways, rounds=3, clock=time.thread_time).items():
            taken[name].append(took)
    return taken


@functools.cache
def measured():
    """What measure() said on the machine that made snippets/results/tokens_a_second.json, as JSON holds it."""
    return kept("tokens_a_second", "figures/llm/tokens_a_second", lambda: ({}, measure()))[1]


def draw(text):
    taken = measured()
    figure, ax = style.plt.subplots(figsize=(style.WIDTH, 2.7))
    for name, colour, marker in [("without", style.KEY, "o"), ("with", style.QUERY, "s")]:
        rates = [1 / time for time in taken[name]]
        ax.plot(LENGTHS, rates, marker + "-", color=colour, ms=4, label=text[name])
        ax.annotate(
            f"{rates[-1]:.2g}",
            (LENGTHS[-1], rates[-1]),
            (-2, 6),
            textcoords="offset points",
            ha="right",
            size=style.SMALL,
        )
    style.log_axes(ax, LENGTHS, [0.1, 1, 10, 100])
    ax.grid(axis="y")
    ax.set_xlabel(text["x"])
    ax.set_title(text["y"])
    ax.legend(loc="lower left")
    return figure
