"""By position up to twice the trained length: the loss of SmolLM2 minus that with a window of 1,024 tokens."""

from statistics import fmean

from snippets.figures import style
from snippets.llm.longer_smollm import BIN, LENGTH, TRAINED, results

WAYS = [
    ("unchanged", style.KEY, "o"),
    ("positions / 2", style.VALUE, "s"),
    ("base for 2", style.QUERY, "D"),
    ("window", style.OUTPUT, "^"),
]

TEXT = {
    "ko": {
        "x": "위치",
        "y": "손실의 차이(nat)",
        "unchanged": ("그대로",),
        "positions / 2": ("위치를 2로 나눔",),
        "base for 2": ("2배 길이에", "맞춘 베이스"),
        "window": ("윈도만",),
    },
    "en": {
        "x": "position",
        "y": "difference of losses, nats",
        "unchanged": ("no change",),
        "positions / 2": ("half of each position",),
        "base for 2": ("base for", "twice the length"),
        "window": ("window alone",),
    },
}


def draw(text):
    losses = results()["by_position"]
    middles = [BIN * i + BIN / 2 for i in range(LENGTH // BIN)]
    figure, ax = style.plt.subplots(figsize=(style.WIDTH, 2.9))
    ax.axhline(0, color=style.FAINT, lw=0.8)
    ax.axvline(TRAINED, color=style.FAINT, lw=0.8, ls="--")
    for way, colour, marker in WAYS:
        pairs = zip(losses[way], losses["window, tokens 0-3"], strict=True)
        texts = [[a - b for a, b in zip(*pair, strict=True)] for pair in pairs]
        for one in texts:
            ax.plot(middles, one, color=colour, lw=0.6, alpha=0.4)
        mean = [fmean(of_bin) for of_bin in zip(*texts, strict=True)]
        ax.plot(middles, mean, marker + "-", color=colour, ms=3, lw=1.2, label="\n".join(text[way]))
    ticks = range(0, LENGTH + 1, TRAINED // 2)
    ax.set(xlim=(0, LENGTH), xticks=ticks, xticklabels=[f"{n:,}" for n in ticks], xlabel=text["x"])
    ax.set_title(text["y"])
    style.name_lines(ax)
    return figure
