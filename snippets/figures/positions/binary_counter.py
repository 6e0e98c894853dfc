"""Bits of a counter beside components of an encoding: fast and slow, both."""

import torch

from snippets.figures import style
from snippets.positions.sinusoidal import frequencies, positional_encoding

NUMBERS = 32
D_MODEL, PAIRS, POSITIONS = 64, [0, 4, 8, 12], 64

TEXT = {
    "ko": {"bit": "{}의 자리", "wave": "파장 {:.0f}", "number": "수", "position": "위치"},
    "en": {"bit": "bit worth {}", "wave": "wavelength {:.0f}", "number": "number", "position": "position"},
}


def draw(text):
    figure, axes = style.plt.subplots(len(PAIRS), 2, figsize=(style.WIDTH, 3.9), sharex="col")
    numbers, positions = torch.arange(NUMBERS), torch.arange(0, POSITIONS + 0.1, 0.25)
    encoding = positional_encoding(positions, D_MODEL)
    lengths = 2 * torch.pi / frequencies(D_MODEL)
    for row, pair in enumerate(PAIRS):
        digit, wave = axes[row]
        digit.step(numbers, (numbers >> row) & 1, where="post", color=style.KEY, lw=1.2)
        digit.set_title(text["bit"].format(2**row), size=style.SMALL)
        wave.plot(positions, encoding[:, 2 * pair], color=style.QUERY, lw=1.2)
        wave.set_title(text["wave"].format(lengths[pair].item()), size=style.SMALL)
        for ax, ticks in ((digit, [0, 1]), (wave, [-1, 1])):
            ax.set_yticks(ticks)
            ax.set_ylim(ticks[0] - 0.15, ticks[1] + 0.15)
    axes[-1][0].set_xlabel(text["number"])
    axes[-1][1].set_xlabel(text["position"])
    return figure
