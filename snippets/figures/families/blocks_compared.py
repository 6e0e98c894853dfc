"""Loss on the test set: the block of 2017, each change alone, all together, and a control; a point for each seed."""

from snippets.families.blocks_compared import compared
from snippets.figures import style
from snippets.figures.labels import language_of

TEXT = {
    "ko": {
        "x": "테스트 셋의 손실 (글자당, 내트)",
        "2017": "2017년",
        "today": "모두 (지금)",
        "no biases": "편향 없음",
        "no positions": "위치 없음",
    },
    "en": {
        "x": "loss on the test set (nats per character)",
        "2017": "2017",
        "today": "all (today)",
        "no biases": "no biases",
        "no positions": "no positions",
    },
}


def draw(text):
    chosen = compared(language_of(text, TEXT))
    figure, ax = style.plt.subplots(figsize=(style.WIDTH, 3.9))
    start = chosen["2017"][1]
    ax.axvspan(min(start), max(start), color=style.FAINT, alpha=0.22, lw=0)
    for row, (block, (_, losses)) in enumerate(chosen.items()):
        mean = sum(losses) / len(losses)
        colour = {"2017": style.INK, "no positions": style.INK, "today": style.OUTPUT}.get(block, style.QUERY)
        ax.plot([mean, mean], [row - 0.3, row + 0.3], color=style.INK, lw=1.4)
        ax.plot(losses, [row] * len(losses), "o", color=colour, ms=5, alpha=0.75)
    ax.set_yticks(range(len(chosen)), [text.get(block, block) for block in chosen])
    ax.set_ylim(len(chosen) - 0.5, -0.5)
    ax.grid(axis="x")
    ax.set_xlabel(text["x"])
    return figure
