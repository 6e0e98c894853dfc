"""The sizes of the vocabulary that agree with each row of the paper's table 3."""

from snippets.figures import style
from snippets.model.table_3 import TABLE_3, vocabulary_range

TEXT = {
    "ko": {"x": "어휘의 크기 V", "paper": "논문: 약 37,000", "rows": "표 3의 행"},
    "en": {"x": "size of the vocabulary, V", "paper": "the paper: about 37,000", "rows": "row of table 3"},
}


def ranges():
    """By row: the least and the greatest V with which it has the number of parameters in the paper."""
    return {row: vocabulary_range(changes, millions) for row, changes, millions in TABLE_3}


def common():
    """The range of V that all rows but the last share."""
    lows, highs = zip(*list(ranges().values())[:-1], strict=True)
    return max(lows), min(highs)


def draw(text):
    figure, ax = style.plt.subplots(figsize=(style.WIDTH, 3.3))
    ax.axvspan(*common(), color=style.VALUE, alpha=0.35, lw=0)
    ax.axvline(37_000, color=style.FAINT, lw=1, ls="--")
    for y, (row, (low, high)) in enumerate(ranges().items()):
        colour = style.KEY if row == "big" else style.QUERY
        ax.barh(y, high - low, left=low, height=0.6, color=colour, alpha=0.6)
    ax.set_yticks(range(len(TABLE_3)), [row for row, _, _ in TABLE_3])
    ax.invert_yaxis()
    ax.set_xlim(34_500, 44_000)
    ax.set_xticks([36_000, 38_000, 40_000, 42_000, 44_000], ["36,000", "38,000", "40,000", "42,000", "44,000"])
    ax.text(37_080, -0.95, text["paper"], size=style.SMALL)
    ax.set_xlabel(text["x"])
    ax.set_title(text["rows"], loc="left", pad=14)
    return figure
