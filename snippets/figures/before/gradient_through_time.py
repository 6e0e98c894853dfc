"""How much the last output depends on the input k steps back: RNN, LSTM, and with attention, before training."""

import functools

import torch

from snippets.before.vanishing_gradients import four_paths, influence
from snippets.figures import style

N, D, SEEDS = 100, 32, 5
#: Name in four_paths, colour, style of the line.
LINES = [
    ("RNN", style.KEY, "-"),
    ("LSTM", style.QUERY, "--"),
    ("LSTM, bias 1", style.VALUE, "-."),
    ("RNN + attention", style.WEIGHT, "-"),
]

TEXT = {
    "ko": {
        "LSTM, bias 1": "LSTM, 망각 게이트 편향 1",
        "RNN + attention": "RNN과 어텐션",
        "x": "거슬러 올라간 위치의 수 k",
        "y": "k칸 앞의 입력에 대한 기울기의 노름",
    },
    "en": {
        "LSTM, bias 1": "LSTM, forget bias 1",
        "RNN + attention": "RNN with attention",
        "x": "steps back, k",
        "y": "norm of the gradient k steps back",
    },
}


@functools.cache
def measure():
    """By name: (SEEDS, N), the norm k steps back."""
    norms = {name: [] for name, *_ in LINES}
    for seed in range(SEEDS):
        networks = four_paths(D, seed)
        x = torch.randn(N, D, dtype=torch.float64)
        for name, run in networks.items():
            norms[name].append(influence(run, x))
    return {name: torch.stack(rows) for name, rows in norms.items()}


def draw(text, width=style.WIDTH):
    figure, ax = style.plt.subplots(figsize=(width, 3.5))
    for name, colour, line in LINES:
        norms = measure()[name]
        steps = torch.arange(N)
        ax.fill_between(steps, norms.amin(dim=0), norms.amax(dim=0), color=colour, alpha=0.2, lw=0)
        ax.plot(steps, norms.log().mean(dim=0).exp(), line, color=colour, label=text.get(name, name))
    ax.set_yscale("log")
    ax.set_yticks([1, 1e-5, 1e-10, 1e-15, 1e-20], ["1", "10⁻⁵", "10⁻¹⁰", "10⁻¹⁵", "10⁻²⁰"])
    ax.minorticks_off()
    ax.set_ylim(1e-21, 5)
    ax.set_xlim(0, N - 1)
    ax.grid(axis="y")
    ax.set_xlabel(text["x"])
    ax.set_title(text["y"])
    fallen = measure()["RNN"].amin(dim=0) < 1e-17  # the only line that leaves the axes
    style.name_line(ax, "RNN", (int(fallen.nonzero()[0]), 1e-17), (-style.GAP, 0), ha="right")
    style.name_lines(ax)
    return figure
