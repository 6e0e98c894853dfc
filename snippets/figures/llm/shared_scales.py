"""Errors of the 210 matrices of SmolLM2 at 4 bits against their largest weight, by what shares a scale."""

from snippets.figures import style
from snippets.llm.quantized_smollm import results

TEXT = {
    "ko": {
        "tensor": ["스케일 하나를", "텐서 전체가"],
        "row": ["행마다"],
        "32": ["32개", "블록마다"],
        "x": "가장 큰 가중치 ÷ 가중치의 RMS",
        "y": "4비트로 반올림한 오차 ÷ 가중치의 RMS",
    },
    "en": {
        "tensor": ["one scale for", "the tensor"],
        "row": ["one per row"],
        "32": ["one per", "block of 32"],
        "x": "largest weight ÷ RMS of the weights",
        "y": "rounding error at 4 bits ÷ RMS of the weights",
    },
}


def draw(text, width=style.WIDTH):
    figure, ax = style.plt.subplots(figsize=(width, 3.1))
    matrices = results()["matrices"]
    x = [one["largest"] for one in matrices]
    for by, colour, marker in [("tensor", style.OUTPUT, "^"), ("row", style.KEY, "s"), ("32", style.QUERY, "o")]:
        y = [one[by] for one in matrices]
        ax.plot(x, y, marker, color=colour, ms=3, alpha=0.7, lw=0, label="\n".join(text[by]))
    ticks = [tick for tick in (5, 10, 20, 40, 80, 160, 320) if min(x) <= tick <= max(x)]
    style.log_axes(ax, x=ticks)
    ax.set_ylim(0, 1.04)
    ax.grid(axis="y")
    ax.set_xlabel(text["x"])
    ax.set_title(text["y"])
    style.name_lines(ax)
    return figure
