"""Operations that wait for one another, counted, and what waiting takes in time with the work held the same."""

import functools

import torch
from torch import nn

from snippets.figures import style
from snippets.tools.chains import longest_chain
from snippets.tools.kept import kept
from snippets.tools.timing import seconds

LENGTHS = [1, 4, 16, 64, 256, 1024]
TOKENS, D = 1024, 64
#: Name, colour, marker of each layer.
LAYERS = [
    ("recurrent", style.KEY, "o"),
    ("attention", style.WEIGHT, "D"),
    ("convolution", style.VALUE, "s"),
]

TEXT = {
    "ko": {
        "recurrent": "순환층",
        "attention": "셀프 어텐션",
        "convolution": "합성곱",
        "counted": "차례로 해야 하는 행렬곱의 수",
        "timed": "같은 토큰 1024개를 순환층이 처리하는 시간, n = 1을 1로",
        "x": "시퀀스 길이 n",
    },
    "en": {
        "recurrent": "recurrent layer",
        "attention": "self-attention",
        "convolution": "convolution",
        "counted": "matrix products that wait for one another",
        "timed": "time of a recurrent layer for 1024 tokens; n = 1 is 1",
        "x": "sequence length n",
    },
}


@functools.cache
def chains():
    """By layer, one number for each length."""
    rnn, convolution = nn.RNN(4, 4), nn.Conv1d(4, 4, kernel_size=3, padding=1)
    layers = {
        "recurrent": lambda x: rnn(x)[0],
        "attention": lambda x: torch.softmax(x @ x.T, dim=-1) @ x,
        "convolution": lambda x: convolution(x.T),
    }
    inputs = [torch.randn(n, 4, requires_grad=True) for n in LENGTHS]
    return {name: [longest_chain(layer(x)) for x in inputs] for name, layer in layers.items()}


@functools.cache
@torch.no_grad()
def measure():
    """Seconds for TOKENS tokens as sequences of each length: the same products, in more or fewer steps."""
    rnn = nn.RNN(D, D, batch_first=True)
    runs = {n: functools.partial(rnn, torch.randn(TOKENS // n, n, D)) for n in LENGTHS}
    threads = torch.get_num_threads()
    torch.set_num_threads(1)  # a second one helps only the short sequences
    taken = seconds(runs, rounds=15)
    torch.set_num_threads(threads)
    return taken


@functools.cache
def measured():
    """What measure() said on the machine that made snippets/results/waiting.json, one number for each length."""
    return kept("waiting", "figures/before/waiting", lambda: ({}, list(measure().values())))[1]


def draw(text):
    figure, (counted, timed) = style.plt.subplots(2, 1, figsize=(style.WIDTH, 4.4), sharex=True)
    for name, colour, marker in LAYERS:
        counted.plot(LENGTHS, chains()[name], marker + "-", color=colour, ms=4, label=text[name])
    counted.set_title(text["counted"])
    counted.legend(loc="upper left")
    taken = measured()
    timed.plot(LENGTHS, [time / taken[0] for time in taken], "o-", color=style.KEY, ms=4)
    timed.set_ylim(bottom=0)
    timed.set_title(text["timed"])
    timed.set_xlabel(text["x"])
    style.log_axes(counted, LENGTHS, [1, 10, 100, 1000])
    for ax in (counted, timed):
        ax.grid(axis="y")
    return figure
