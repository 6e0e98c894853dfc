"""Time of one layer against the length of the sequence: attention, recurrence, convolution, measured in one run."""

import functools
import time

import torch
from torch import nn

from snippets.attention.scaled_dot_product import scaled_dot_product_attention
from snippets.figures import style
from snippets.tools.kept import kept
from snippets.tools.timing import seconds

LENGTHS = [64, 128, 256, 512, 1024, 2048]
D = 512

TEXT = {
    "ko": {
        "attention": "셀프 어텐션",
        "recurrent": "순환층",
        "convolution": "합성곱, k = 3",
        "one": "∝ n",
        "two": "∝ n²",
        "x": "시퀀스 길이 n (512차원)",
        "y": "시간, n = 512인 셀프 어텐션을 1로",
    },
    "en": {
        "attention": "self-attention",
        "recurrent": "recurrent layer",
        "convolution": "convolution, k = 3",
        "one": "∝ n",
        "two": "∝ n²",
        "x": "sequence length n (d = 512)",
        "y": "time; self-attention at n = 512 is 1",
    },
}


@functools.cache
@torch.no_grad()
def measure():
    """Seconds by layer, one for each length, on one thread.

    It is the time that this thread computes, the least of some rounds: whatever else the machine does only adds to it.
    """
    threads = torch.get_num_threads()
    torch.set_num_threads(1)
    recurrent = nn.RNN(D, D, batch_first=True)
    convolution = nn.Conv1d(D, D, kernel_size=3, padding=1)
    taken = {"attention": [], "recurrent": [], "convolution": []}
    for n in LENGTHS:
        x = torch.randn(1, n, D)
        channels_first = x.transpose(1, 2).contiguous()
        layers = {
            "attention": lambda x=x: scaled_dot_product_attention(x, x, x),
            "recurrent": lambda x=x: recurrent(x),
            "convolution": lambda x=channels_first: convolution(x),
        }
        for name, least in seconds(layers, rounds=10, clock=time.thread_time, choose=min).items():
            taken[name].append(least)
    torch.set_num_threads(threads)
    return taken


@functools.cache
def measured():
    """What measure() said on the machine that made snippets/results/cost_scaling.json, as JSON holds it."""
    return kept("cost_scaling", "figures/model/cost_scaling", lambda: ({}, measure()))[1]


def draw(text):
    taken = measured()
    unit = taken["attention"][LENGTHS.index(512)]
    figure, ax = style.plt.subplots(figsize=(style.WIDTH, 3.3))
    for name, colour, marker in [
        ("attention", style.WEIGHT, "D"),
        ("recurrent", style.KEY, "o"),
        ("convolution", style.VALUE, "s"),
    ]:
        ax.plot(LENGTHS, [time / unit for time in taken[name]], marker + "-", color=colour, ms=4, label=text[name])
    for power, label, line in [(1, "one", ":"), (2, "two", "--")]:
        start = taken["convolution" if power == 1 else "attention"][0] / unit / 3
        ax.plot(LENGTHS, [start * (n / LENGTHS[0]) ** power for n in LENGTHS], line, color=style.FAINT, lw=1)
        last = (LENGTHS[-1], start * (LENGTHS[-1] / LENGTHS[0]) ** power)
        ax.annotate(text[label], last, (4, -3), textcoords="offset points", size=style.SMALL)
    style.log_axes(ax, LENGTHS, [0.01, 0.1, 1, 10, 100])
    ax.set_xlim(LENGTHS[0] * 0.85, LENGTHS[-1] * 1.6)
    ax.grid(axis="y")
    ax.set_xlabel(text["x"])
    ax.set_title(text["y"])
    ax.legend(loc="upper left")
    return figure
