"""How likely the better of two prompts is ahead, by the number of questions that both are asked."""

from snippets.figures import style
from snippets.llm.prompted_smollm import results
from snippets.llm.prompts import ahead

TEXT = {
    "ko": {
        "x": "질문 수",
        "y": "더 나은 프롬프트가 앞설 확률",
        "line": "{}개와 {}개",
    },
    "en": {
        "x": "number of questions",
        "y": "probability that the better prompt is ahead",
        "line": "{} against {}",
    },
}
NUMBERS = [1, 2, 3, 5, 7, 10, 15, 20, 30, 40, 50, 60, 70, 80, 90, 99]


def pairs():
    """Rows of the best prompt, and of those that it is compared with: the worst, one in the middle, the second."""
    found = results()["capitals"]
    order = found.sum(dim=1).argsort(descending=True, stable=True)
    return [(found[order[0]], found[order[k]]) for k in (len(order) - 1, len(order) // 2, 1)]


def draw(text, width=style.WIDTH):
    figure, ax = style.plt.subplots(figsize=(width, 2.9))
    looks = [(style.QUERY, "o-"), (style.KEY, "s--"), (style.VALUE, "^:")]
    for (one, other), (colour, line) in zip(pairs(), looks, strict=True):
        shares = [ahead(one, other, number) for number in NUMBERS]
        label = text["line"].format(int(one.sum()), int(other.sum()))
        ax.plot(NUMBERS, shares, line, color=colour, ms=3.5, label=label)
        first = line == looks[0][1]  # the highest has its name above, the others below
        at = NUMBERS[4], shares[4]
        style.name_line(ax, label, at, (-6, 3) if first else (6, -9), ha="right" if first else "left")
    style.log_axes(ax, x=[1, 3, 10, 30, 99])
    ax.set(xlabel=text["x"], ylim=(0, 1.03))
    ax.set_title(text["y"])
    ax.grid(axis="y")
    return figure
