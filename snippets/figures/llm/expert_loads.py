"""Shares of the tokens that eight small experts get, with and without the balance loss, five seeds."""

from statistics import fmean

from snippets.figures import style
from snippets.llm.small_experts import results

TEXT = {
    "ko": {
        "x": "전문가(바쁜 순서)",
        "y": "토큰의 비율",
        "0": "균형 손실 없이",
        "0.1": "균형 손실을 더하고",
        "even": "고르게 나눌 때",
    },
    "en": {
        "x": "experts, the busiest first",
        "y": "share of the tokens",
        "0": "without the balance loss",
        "0.1": "with it",
        "even": "an even share",
    },
}


def draw(text):
    figure, ax = style.plt.subplots(figsize=(style.WIDTH, 2.6))
    measured, ranks = results(), range(8)
    for factor, colour, move, marker in [("0", style.OUTPUT, -0.2, "s"), ("0.1", style.QUERY, 0.2, "o")]:
        runs = measured[f"2 {factor}"]
        shares = [[run["shares"][f"{rank}"] for run in runs] for rank in ranks]
        x = [rank + move for rank in ranks]
        ax.bar(x, [fmean(of) for of in shares], width=0.38, color=colour, alpha=0.45, label=text[factor])
        for at, of in zip(x, shares, strict=True):
            ax.plot([at] * len(of), of, marker, color=colour, ms=2.5, lw=0)
    ax.axhline(1 / 8, color=style.FAINT, lw=0.8, ls="--")
    ax.text(7.55, 1 / 8 + 0.02, text["even"], ha="right", size=style.SMALL, color=style.FAINT)
    ax.set(xlabel=text["x"], xticks=ranks, xticklabels=[rank + 1 for rank in ranks], ylim=(0, 1.04))
    ax.set_title(text["y"])
    ax.legend(loc="upper right")
    return figure
